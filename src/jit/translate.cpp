// SPDX-License-Identifier: MIT
// Lifting, optimisation and code generation of one kernel. The only file besides lift_*.cpp that sees LLVM.
#include "jit/translate.h"
#include "jit/lifter.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <cstdio>
#include <ctime>
#include <mutex>

using namespace llvm;
namespace pumice::jit {

namespace {

/// CPU time of this thread: what translation costs, whatever else the machine does.
double now_ms() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

struct Host {
  std::string cpu, features;
  bool avx512 = false, fp16 = false;
};

void start_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
}

// LLVM ends the process for a CPU without 64-bit code, and takes unknown names for one.
bool usable_cpu(const std::string& cpu) {
  start_llvm();
  std::string err, triple = sys::getProcessTriple();
  const llvm::Target* t = TargetRegistry::lookupTarget(triple, err);
  if (!t) return true; // make_target reports it
  std::unique_ptr<MCSubtargetInfo> generic(t->createMCSubtargetInfo(triple, "", ""));
  if (!generic || !generic->isCPUStringValid(cpu)) return false;
  std::unique_ptr<MCSubtargetInfo> own(t->createMCSubtargetInfo(triple, cpu, ""));
  return own && own->checkFeatures("+64bit");
}

Host host_of(const TranslateInput& in) {
  Host h;
  bool own = in.cpu.empty() || !usable_cpu(in.cpu);
  if (own && !in.cpu.empty()) {
    static std::once_flag once;
    std::call_once(once, [&] {
      std::fprintf(stderr, "pumice: PUMICE_CPU=%s is no 64-bit CPU that LLVM knows; using this machine's\n", in.cpu.c_str());
    });
  }
  h.cpu = own ? sys::getHostCPUName().str() : in.cpu;
  StringMap<bool> have;
  if (own) {
    have = sys::getHostCPUFeatures();
    for (auto& f : have) h.features += (h.features.empty() ? "" : ",") + std::string(f.second ? "+" : "-") + f.first().str();
  }
  if (!in.features.empty()) h.features += (h.features.empty() ? "" : ",") + in.features;
  return h;
}

Result<std::unique_ptr<TargetMachine>> make_target(Host& h) {
  start_llvm();
  std::string err, triple = sys::getProcessTriple();
  const llvm::Target* t = TargetRegistry::lookupTarget(triple, err);
  if (!t) return error(Code::system, "LLVM has no target for " + triple + ": " + err);
  TargetOptions opt;
  opt.AllowFPOpFusion = FPOpFusion::Strict;
  opt.EmitStackSizeSection = true; // the runtime side chooses a thread by it
  std::unique_ptr<TargetMachine> tm(t->createTargetMachine(triple, h.cpu, h.features, opt, Reloc::PIC_, CodeModel::Small,
                                                           CodeGenOptLevel::Less));
  if (!tm) return error(Code::system, "LLVM cannot make code for " + h.cpu);
  auto* sti = tm->getMCSubtargetInfo();
  h.avx512 = sti->checkFeatures("+avx512f,+avx512dq,+avx512bw,+avx512vl");
  h.fp16 = h.avx512 && sti->checkFeatures("+avx512fp16");
  return tm;
}

void optimise(Module& m, TargetMachine& tm, bool large) {
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cam;
  ModuleAnalysisManager mam;
  PassBuilder pb(&tm);
  pb.registerModuleAnalyses(mam);
  pb.registerCGSCCAnalyses(cam);
  pb.registerFunctionAnalyses(fam);
  pb.registerLoopAnalyses(lam);
  pb.crossRegisterProxies(lam, fam, cam, mam);
  ModulePassManager mpm;
  FunctionPassManager early; // before inlining, so that the inliner copies less
  early.addPass(SROAPass(SROAOptions::PreserveCFG));
  early.addPass(EarlyCSEPass(true));
  early.addPass(SimplifyCFGPass());
  mpm.addPass(createModuleToFunctionPassAdaptor(std::move(early)));
  mpm.addPass(AlwaysInlinerPass(false));
  mpm.addPass(GlobalDCEPass());
  FunctionPassManager fpm;
  fpm.addPass(SROAPass(SROAOptions::PreserveCFG));
  fpm.addPass(InstCombinePass());
  fpm.addPass(SimplifyCFGPass());
  if (!large) {
    LoopPassManager lpm;
    lpm.addPass(LICMPass(LICMOptions()));
    fpm.addPass(createFunctionToLoopPassAdaptor(std::move(lpm), true));
    fpm.addPass(GVNPass());
    fpm.addPass(InstCombinePass());
  }
  fpm.addPass(EarlyCSEPass(true));
  fpm.addPass(DSEPass());
  fpm.addPass(ADCEPass());
  fpm.addPass(SimplifyCFGPass());
  mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
  mpm.run(m, mam);
}

/// What addPassesToEmitFile does, but for the machine scheduler: on blocks of thousands of wide instructions it takes a
/// third of the time and its order gains nothing on an out-of-order host.
bool emit_object(Module& m, TargetMachine& target, SmallVectorImpl<char>& object) {
  auto& tm = static_cast<LLVMTargetMachine&>(target);
  raw_svector_ostream os(object);
  legacy::PassManager pm;
  TargetPassConfig* config = tm.createPassConfig(pm);
  config->setDisableVerify(true);
  config->disablePass(&MachineSchedulerID);
  pm.add(config);
  auto* info = new MachineModuleInfoWrapperPass(&tm);
  pm.add(info);
  // At -O0 LLVM would take the fast selector, which leaves vectors to the other one in pieces, whose combining of a piece may
  // never end. Only this option of the process says no; addISelPasses reads it.
  auto* fast = static_cast<cl::opt<cl::boolOrDefault>*>(cl::getRegisteredOptions().lookup("fast-isel"));
  cl::boolOrDefault before = fast ? fast->getValue() : cl::BOU_UNSET;
  if (fast) fast->setValue(cl::BOU_FALSE);
  bool failed = config->addISelPasses();
  if (fast) fast->setValue(before);
  if (failed) return false;
  config->addMachinePasses();
  config->setInitialized();
  if (tm.addAsmPrinter(pm, os, nullptr, CodeGenFileType::ObjectFile, info->getMMI().getContext())) return false;
  pm.add(createFreeMachineFunctionPass());
  pm.run(m);
  return true;
}

void dump(const TranslateInput& in, const char* suffix, Module& m) {
  std::error_code ec;
  raw_fd_ostream os(in.dump_dir + "/" + in.name.substr(0, 80) + suffix, ec);
  if (!ec) m.print(os, nullptr);
}

/// Code that writes MODE's float fields: it runs with other rules than those this translator knows.
bool changes_mode(const Cfg& g) {
  for (const Block& b : g.blocks)
    for (const LiftInst& li : b.insts) {
      bool sets = li.inst.op == isa::Op::s_setreg_b32 || li.inst.op == isa::Op::s_setreg_imm32_b32;
      constexpr int kModeRegister = 1, kRegisterMask = 63;
      if (sets && (li.inst.simm16 & kRegisterMask) == kModeRegister) return true;
    }
  return false;
}

} // namespace

static Status translate(const TranslateInput& given, TranslateOutput& out) {
  TranslateInput in = given;
  double t0 = now_ms();
  Host host = host_of(in);
  TRY_ASSIGN(auto tm, make_target(host));
  in.avx512 = host.avx512;
  in.native_fp16 = host.fp16;
  CfgInput ci{in.target, in.text, in.text_address, in.text_size, in.entry, in.functions, in.data_targets, in.variant.waves() == 1,
              in.variant.items() % 64 == 0 && !in.variant.partial_groups, in.quick};
  TRY_ASSIGN(Cfg cfg, build_cfg(ci));
  if (changes_mode(cfg)) return unimplemented("translation of kernels that change rounding or denormal modes");
  LLVMContext c;
  Module m("pumice", c);
  m.setTargetTriple(tm->getTargetTriple().str());
  m.setDataLayout(tm->createDataLayout());
  Lifter lifter(m, in, cfg);
  out.stats.guest_instructions = cfg.inst_count;
  TRY(lifter.lift(out.stats));
  out.suspends = lifter.suspends();
  for (Function& f : m) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", host.cpu);
    if (!host.features.empty()) f.addFnAttr("target-features", host.features);
    if (host.avx512) f.addFnAttr("prefer-vector-width", "512");
    f.addFnAttr("no-builtins");
  }
  if (!in.dump_dir.empty()) dump(in, ".0.ll", m);
  std::string bad;
  raw_string_ostream bs(bad);
  if (verifyModule(m, &bs)) return error(Code::internal, "translated kernel is malformed: " + bs.str());
  double t1 = now_ms();
  optimise(m, *tm, in.quick || cfg.inst_count > 6000);
  if (!in.dump_dir.empty()) dump(in, ".1.ll", m);
  double t2 = now_ms();
  SmallVector<char, 0> buf;
  if (cfg.for_compile_time) tm->setOptLevel(CodeGenOptLevel::None); // register allocation would take tens of seconds
  if (!emit_object(m, *tm, buf)) return error(Code::internal, "LLVM cannot emit objects for this host");
  if (!in.dump_dir.empty()) {
    std::error_code ec;
    raw_fd_ostream os(in.dump_dir + "/" + in.name.substr(0, 80) + ".o", ec);
    if (!ec) os.write(buf.data(), buf.size());
  }
  out.object.assign(buf.begin(), buf.end());
  out.stats.lift_ms = t1 - t0, out.stats.optimise_ms = t2 - t1, out.stats.codegen_ms = now_ms() - t2;
  return ok_status();
}

} // namespace pumice::jit

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
extern "C" __attribute__((visibility("default"))) pumice::jit::CodeSize pumice_count_instructions(const pumice::jit::TranslateInput& in) {
  return pumice::jit::count_reachable({in.target, in.text, in.text_address, in.text_size, in.entry, in.functions, in.data_targets, in.variant.waves() == 1});
}

extern "C" __attribute__((visibility("default"))) pumice::Status
pumice_translate(const pumice::jit::TranslateInput& in, pumice::jit::TranslateOutput& out) {
  return pumice::jit::translate(in, out);
}
