// SPDX-License-Identifier: MIT
// Compares acceptance and text of our decoder with LLVM's for random encodings of every opcode.
// usage: isa_llvm_parity gfx90a|gfx942 <encodings that LLVM accepts> [seed]
#include "isa/inst.h"
#include "random_encoding.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <llvm-c/Disassembler.h>
#include <map>
#include <string>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo(void);
void LLVMInitializeAMDGPUTargetMC(void);
void LLVMInitializeAMDGPUDisassembler(void);
}

namespace {

using namespace pumice;

class Llvm {
public:
  explicit Llvm(const char* cpu) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    context_ = LLVMCreateDisasmCPU("amdgcn-amd-amdhsa", cpu, nullptr, 0, nullptr, nullptr);
  }
  ~Llvm() { LLVMDisasmDispose(context_); }
  Llvm(const Llvm&) = delete;
  Llvm& operator=(const Llvm&) = delete;

  /// Instruction size, 0 when rejected. Operands that LLVM itself marks as invalid count as
  /// rejection.
  size_t disassemble(const uint8_t* code, std::string& text) {
    char buffer[512] = "";
    size_t size =
        LLVMDisasmInstruction(context_, const_cast<uint8_t*>(code), 8, 0, buffer, sizeof buffer);
    text = buffer;
    text.erase(0, text.find_first_not_of("\t "));
    size_t warning = text.find(" ; Warning"); // misaligned SGPR tuples are aligned down
    if (warning != std::string::npos)
      text.resize(warning);
    while (!text.empty() && text.back() == ' ')
      text.pop_back();
    return text.find("/*") == std::string::npos ? size : 0;
  }

private:
  LLVMDisasmContextRef context_;
};

/// Encodings that LLVM prints although they make no sense; we reject them.
bool is_llvm_oddity(const std::string& text) {
  auto starts = [&](const char* s) { return text.rfind(s, 0) == 0; };
  auto has = [&](const char* s) { return text.find(s) != std::string::npos; };
  // Scalar sources where only VGPRs exist, constant registers as destination.
  if (starts("v_accvgpr_mov") || starts("v_accvgpr_read") || starts("v_swap_b32"))
    return true;
  if ((starts("v_mfma") || starts("v_smfmac")) && (has(", null") || has(", src_")))
    return true;
  if ((starts("v_readfirstlane") || starts("v_readlane")) && (has(" src_") || has(", null")))
    return true;
  if (starts("v_cmp") && has("_e64 src_"))
    return true;
  bool carry_in =
      starts("v_addc_co") || starts("v_subb_co") || starts("v_subbrev_co") || starts("v_cndmask");
  if ((carry_in || starts("v_mqsad_u32_u8")) && (has(", src_") || has(", null")))
    return true;
  if (starts("v_nop") || starts("v_clrexcp"))
    return true;           // with SDWA or DPP controls
  return starts("image_"); // no image hardware
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3)
    return 2;
  isa::Target target =
      std::strcmp(argv[1], "gfx90a") == 0 ? isa::Target::gfx90a : isa::Target::gfx942;
  long wanted = std::atol(argv[2]);
  test::RandomEncoding random(argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 1);
  Llvm llvm(argv[1]);
  long accepted = 0, tried = 0, bad = 0;
  std::map<isa::Op, long> seen;
  auto compare = [&](uint64_t words) {
    uint8_t code[8];
    std::memcpy(code, &words, 8);
    std::string expected;
    size_t size = llvm.disassemble(code, expected);
    isa::Inst inst;
    bool ours = isa::decode(target, code, 8, inst);
    std::string text = ours ? isa::disassemble(target, inst) : "";
    ++tried;
    if (size)
      ++accepted;
    if (ours)
      ++seen[inst.op];
    if (size != (ours ? inst.size : 0) || (ours && text != expected)) {
      if ((!ours || inst.size != size) && is_llvm_oddity(expected))
        return;
      if (++bad <= 20)
        std::printf("%08x %08x llvm %zu '%s' ours %u '%s'\n", static_cast<uint32_t>(words),
                    static_cast<uint32_t>(words >> 32), size, expected.c_str(),
                    ours ? inst.size : 0, text.c_str());
    }
  };
  while (accepted < wanted)
    random.sweep(compare);
  long missing = 0;
  for (size_t i = 1; i < isa::kOpCount; ++i) {
    isa::Op op = static_cast<isa::Op>(i);
    if (isa::row(op).opcode[static_cast<size_t>(target)] >= 0 && !seen[op]) {
      ++missing;
      std::printf("no encoding seen of %s\n", isa::row(op).mnemonic);
    }
  }
  std::printf("%s: %ld tried, %ld accepted by LLVM, %ld differ, %ld rows unseen\n", argv[1], tried,
              accepted, bad, missing);
  return bad || missing;
}
