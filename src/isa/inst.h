// SPDX-License-Identifier: MIT
// The decoded form of one CDNA instruction and what the tables say about each operation.
//
// An Inst is plain data: operands are register codes in the ISA's own numbering, extended so that one number
// names any register. Implicit operands that an encoding leaves out (VCC of a VOP2 carry, the accumulator of
// v_fmac) appear as explicit operands, so interpreter and JIT never look at the encoding to find them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pumice::isa {

enum class Target : uint8_t { gfx90a, gfx942 };
constexpr int kTargetCount = 2;
const char* target_name(Target t);

enum class Enc : uint8_t {
  sop2, sopk, sop1, sopc, sopp, smem, vop2, vop1, vopc, vop3, vop3p, ds, flat, global, scratch, mubuf, mtbuf
};

/// One enumerator per row of rows/*.def, spelled like the mnemonic without _e32/_e64/_sdwa/_dpp.
enum class Op : uint16_t {
  invalid,
#define INST(mnemonic, ...) mnemonic,
#include "isa/rows/all.def"
#undef INST
  count
};
constexpr size_t kOpCount = static_cast<size_t>(Op::count);

/// Register codes.
enum Reg : uint16_t {
  kFlatScratchLo = 102, kXnackLo = 104, kVccLo = 106, kVccHi = 107, kTtmp0 = 108, kM0 = 124, kNull = 125,
  kExecLo = 126, kExecHi = 127,
  kInt0 = 128,          // 128..192: 0..64; 193..208: -1..-16
  kSharedBase = 235, kSharedLimit = 236, kPrivateBase = 237, kPrivateLimit = 238, kPopsWaveId = 239,
  kHalf = 240,          // 240..248: 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi)
  kVccz = 251, kExecz = 252, kScc = 253, kLdsDirect = 254,
  kLiteral = 255,       // value in Inst::literal
  kVgpr0 = 256,         // 256..511
  kAgpr0 = 512,         // 512..767
  kNoReg = 0xffff,
};

/// How an operand's bits are read: decides inline constants, literals, modifiers and text.
enum class Type : uint8_t {
  none, b8, b16, b32, b64, b96, b128, b256, b512, b1024,
  f16, f32, f64, bf16, i16, u16, i32, u32, i64, u64,
  v2f16, v2bf16, v2i16, v2u16, v2b16, v2f32, v2b32, // packed pairs (op_sel / op_sel_hi apply)
  v4f16, v4bf16, v4i8, v8i8, v8f8, v4f32, v8f16, v8bf16, // MFMA inputs
  mask,                 // 64-bit lane mask in an SGPR pair or VCC
};

struct Operand {
  uint16_t code = kNoReg;
  uint8_t dwords = 0;
  Type type = Type::none;

  bool present() const { return code != kNoReg; }
  bool is_vgpr() const { return code >= kVgpr0 && code < kVgpr0 + 512; } // arch or acc VGPR
  bool is_agpr() const { return code >= kAgpr0 && code < kAgpr0 + 256; }
  bool is_sgpr() const { return code < 128; } // any scalar register that can be written, VCC, M0, EXEC, ttmp included
  bool is_constant() const {
    return (code >= kInt0 && code <= 208) || (code >= kHalf && code <= 248) || code == kLiteral;
  }
  /// 0..511 index into a wave's vector register file (AccVGPRs from 256).
  unsigned vgpr() const { return code - kVgpr0; }
};

enum class SdwaSel : uint8_t { byte0, byte1, byte2, byte3, word0, word1, dword };
enum class SdwaUnused : uint8_t { pad, sext, preserve };

struct Inst {
  Op op = Op::invalid;
  Enc enc = Enc::sop1;       // encoding it was decoded from (a VOP2 row may arrive as vop2 or vop3)
  uint8_t size = 0;          // bytes, 4 or 8 (12 never on CDNA)
  Operand dst[2];            // [0] result; [1] second result (carry-out / VCC / sdst)
  Operand src[4];            // in the order of the assembly text; see below for memory
  uint32_t literal = 0;      // 32-bit literal when any code == kLiteral
  int32_t simm16 = 0;        // SOPK/SOPP immediate, sign-extended

  // VOP3 / VOP3P / SDWA / DPP modifiers; bit i belongs to src[i].
  uint8_t neg = 0, abs = 0;  // VOP3P: neg = neg_lo
  uint8_t neg_hi = 0;
  uint8_t op_sel = 0;        // bit 3 = destination half (VOP3)
  uint8_t op_sel_hi = 0;     // VOP3P only
  uint8_t omod = 0;          // 0 none, 1 *2, 2 *4, 3 /2
  bool clamp = false;
  bool is_sdwa = false, is_dpp = false;
  SdwaSel sdwa_sel[2] = {SdwaSel::dword, SdwaSel::dword}, sdwa_dst = SdwaSel::dword;
  uint8_t sdwa_sext = 0;     // bit i: src[i] sign-extended
  SdwaUnused sdwa_unused = SdwaUnused::pad;
  uint16_t dpp_ctrl = 0;     // 9 bits
  uint8_t dpp_row_mask = 0xf, dpp_bank_mask = 0xf;
  bool dpp_bound_ctrl = false;

  // MFMA
  uint8_t cbsz = 0, abid = 0, blgp = 0;

  // Memory. Operand places:
  //   SMEM    dst[0]=sdata (loads)  src[0]=sbase src[1]=soffset(opt) src[2]=sdata (stores/atomics)
  //   DS      dst[0]=vdst           src[0]=addr  src[1]=data0        src[2]=data1
  //   FLAT*   dst[0]=vdst           src[0]=vaddr src[1]=saddr(opt)   src[2]=data
  //   MUBUF*  dst[0]=vdata (loads, returning atomics) src[0]=vaddr(opt) src[1]=srsrc src[2]=soffset src[3]=vdata
  int32_t offset = 0;        // byte offset; DS two-address forms use offset0/offset1 instead
  uint8_t offset0 = 0, offset1 = 0;
  bool sc0 = false, sc1 = false, nt = false; // gfx90a: sc0 = glc, sc1 = scc, nt = slc
  bool offen = false, idxen = false, lds = false, gds = false, tfe = false; // SMEM: offen = immediate besides soffset
  uint8_t dfmt = 0, nfmt = 0; // MTBUF
};

/// What a memory row does to memory.
enum class Space : uint8_t { none, scalar, lds, flat, global, scratch, buffer, tbuffer, gds };
enum class MemKind : uint8_t { none, load, store, atomic, other };
enum class AtomicOp : uint8_t {
  none, swap, cmpswap, add, sub, rsub, smin, umin, smax, umax, and_, or_, xor_, inc, dec,
  fadd, fmin, fmax, pk_add_f16, pk_add_bf16, mskor, wrap, other
};
struct MemInfo {
  Space space = Space::none;
  MemKind kind = MemKind::none;
  AtomicOp atomic = AtomicOp::none;
  uint8_t elem_bytes = 0;    // size of one memory element: 1, 2, 4, 8 (d16 and byte forms: 1 or 2)
  uint8_t count = 0;         // dwords moved per lane and address (1..4, SMEM 1..16); sub-dword and format forms: 1..4 elements
  bool sign_extend = false;
  bool d16 = false, d16_hi = false; // writes/reads one half, other half preserved on load
  bool two_address = false, stride64 = false; // ds_read2/write2[st64]
  bool returns = false;      // DS _rtn forms; FLAT/MUBUF atomics return when sc0 is set (see Inst::sc0)
  bool is_float = false;
};

enum Trait : uint32_t {
  kSalu = 1u << 0, kValu = 1u << 1, kBranch = 1u << 2, kBarrier = 1u << 3, kEndpgm = 1u << 4,
  kMfma = 1u << 5, kTrans = 1u << 6,   // approximate function on hardware (rcp, rsq, sqrt, exp, log, sin, cos)
  kReadsScc = 1u << 7, kWritesScc = 1u << 8, kReadsVcc = 1u << 9, kWritesVcc = 1u << 10, // implicit VCC beyond operands
  kReadsExec = 1u << 11, kWritesExec = 1u << 12, kReadsM0 = 1u << 13, kWritesM0 = 1u << 14,
  kReadsDst = 1u << 15,    // result depends on the old destination (also appears as a src where the ISA has one)
  kCrossLane = 1u << 16,   // reads other lanes (readlane, permlane, bpermute, swizzle)
  kCmpx = 1u << 17, kLaneWrite = 1u << 18, // v_writelane
  kFp = 1u << 19,          // reads MODE rounding/denormals
  kReadsMode = 1u << 20, kWritesMode = 1u << 21,
  kOnlyE32 = 1u << 22,     // VOP1/VOP2 row without VOP3, SDWA and DPP forms
};

/// Which modifiers the VOP3 form may carry. Source bits: neg and abs (no effect on 16- and 32-bit integers).
enum Mod : uint8_t {
  kModSrc0 = 1, kModSrc1 = 2, kModSrc2 = 4, kModClamp = 8, kModOmod = 16, kModOpSel = 32,
};

struct Row {
  Op op;
  const char* mnemonic;
  Enc enc;                   // home encoding
  int16_t opcode[kTargetCount]; // -1: not on this target
  uint32_t traits;
  Type dst_type[2];
  Type src_type[4];
  MemInfo mem;
  const char* meaning;
  uint8_t mods = 0;          // Mod bits
};
const Row& row(Op op);
/// Row of the mnemonic (without encoding suffix); Op::invalid when there is none.
Op op_by_name(std::string_view mnemonic);

/// Decodes the instruction at `code`. Returns false for bytes that are no instruction of `target`
/// or do not fit into `size_bytes`; `out` is then unspecified. Never reads beyond `code + size_bytes`.
bool decode(Target target, const uint8_t* code, size_t size_bytes, Inst& out);

/// Text as `llvm-objdump-19 -d` prints it (without the address comment). `pc` resolves branch targets.
std::string disassemble(Target target, const Inst& inst, uint64_t pc = 0);

/// Branch destination of s_branch, s_cbranch_* and s_call_b64 at `pc`.
inline uint64_t branch_target(const Inst& i, uint64_t pc) {
  return pc + 4 + static_cast<int64_t>(i.simm16) * 4;
}

/// Bits of an inline or literal constant read as `type` (64-bit types give 64 bits, packed 16-bit types the pair).
uint64_t constant_bits(const Inst& inst, const Operand& operand);

/// Calls `use(code, dwords)` for every register read and `def(code, dwords)` for every register written,
/// implicit ones included (kScc, kVccLo, kExecLo, kM0). VALU and vector memory instructions use EXEC.
/// A def under partial EXEC keeps inactive lanes; callers decide whether that is also a use.
void for_each_use(const Inst& inst, const std::function<void(uint16_t code, unsigned dwords)>& use);
void for_each_def(const Inst& inst, const std::function<void(uint16_t code, unsigned dwords)>& def);

} // namespace pumice::isa
