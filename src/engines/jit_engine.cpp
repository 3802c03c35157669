// SPDX-License-Identifier: MIT
#include "engines/jit_engine.h"
#include "base/options.h"
#include "device/fault_guard.h"
#include "device/stack.h"
#include "engines/interp_engine.h"
#include "engines/jit_frames.h"
#include "engines/jit_replay.h"
#include "jit/code_cache.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <immintrin.h>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

namespace pumice::engines {
namespace {

using device::WorkResult;

/// MODE as the kernel descriptor asks for it (FLOAT_MODE, DX10_CLAMP, IEEE of rsrc1).
uint32_t initial_mode(uint32_t rsrc1) {
  return ((rsrc1 >> 12) & 0xff) | ((rsrc1 >> 21) & 1) << 8 | ((rsrc1 >> 23) & 1) << 9;
}

/// Above this cost a kernel starts in the interpreter while it is translated in the background,
constexpr uint64_t kBackgroundCost = 800;
/// and from this many instructions on twice: quickly first. (Above kLongCode there is only one way.)
constexpr uint64_t kQuickInstructions = 400;

/// What LLVM may need; callers' threads may have less.
constexpr uint64_t kTranslatorStack = 4 << 20;

/// A kernel compiled for one variant, with what its dispatches share.
struct Compiled {
  std::once_flag once;
  std::shared_ptr<Compiled> better; // this is quick code until that is ready; null: there is no other. Set in `once`
  std::atomic<bool> ready{false}; // kernel or failure is set
  std::unique_ptr<jit::CompiledKernel> kernel;
  Status failure;
  std::vector<uint32_t> tid_storage;
  const uint32_t* tid_table = nullptr; // 64-byte aligned inside tid_storage
  std::atomic<uint64_t> fallbacks{0}, dispatches{0};
  std::string name;

  bool usable() const { return ready.load(std::memory_order_acquire) && failure.ok(); }
};

/// The best code of `c` that is there now, or null.
std::shared_ptr<Compiled> best_of(const std::shared_ptr<Compiled>& c) {
  if (c->better && c->better->usable()) return c->better;
  return c->usable() ? c : nullptr;
}

class JitRun : public StoppableRun {
public:
  /// Runs the workgroups from `first` on, until there is better code.
  JitRun(const device::DispatchPacketInfo& info, std::shared_ptr<Compiled> c, FramePool& pool, uint64_t first = 0)
      : info_(info), compiled_(std::move(c)), pool_(pool), total_(info.total_workgroups()) {
    entry_ = reinterpret_cast<jit::EntryFn>(compiled_->kernel->object->entry());
    code_ = {compiled_->kernel->object->begin(), compiled_->kernel->object->end()};
    const device::LoadedCode& code = *info.kernel->code;
    jit::Context& x = context_;
    x.kernarg = reinterpret_cast<uint64_t>(info.kernarg);
    x.packet = reinterpret_cast<uint64_t>(info.packet);
    x.queue = reinterpret_cast<uint64_t>(info.queue);
    x.dispatch_id = info.dispatch_id;
    x.load_bias = code.load_bias;
    for (int d = 0; d < 3; d++) x.workgroup_count[d] = info.workgroup_count(d), x.grid[d] = info.grid[d];
    x.private_bytes = info.private_segment_bytes;
    x.lds_bytes = info.group_segment_bytes;
    waves_ = (uint32_t(info.workgroup[0]) * info.workgroup[1] * info.workgroup[2] + 63) / 64;
    x.wave_count = waves_;
    x.mode = initial_mode(info.kernel->descriptor.rsrc1);
    x.text_address = code.text_address;
    x.text_size = code.text_size;
    x.target = static_cast<uint32_t>(code.target);
    x.spin_limit = waves_ > 1 ? 4 : 0;
    x.tid_table = compiled_->tid_table;
    next_ = first;
    // Few enough chunks to keep their cost down, enough of them to balance threads.
    static const unsigned threads = std::max(1u, std::thread::hardware_concurrency()); // reads a file: once only
    chunk_ = info.by_one ? total_ : std::clamp<uint64_t>(total_ / (threads * 8), 1, 1024);
  }
  ~JitRun() override {
    compiled_->fallbacks += context_.fallbacks;
    for (auto& s : suspended_) pool_.give(std::move(s));
  }

  WorkResult work(unsigned) override {
    unsigned mxcsr = _mm_getcsr();
    _mm_setcsr(0x1f80); // nearest even, denormals kept, all exceptions masked
    WorkResult r = run();
    _mm_setcsr(mxcsr);
    return r;
  }

  uint64_t stop() override { return std::min(next_.exchange(total_), total_); }

  uint64_t stack_bytes() const override { return compiled_->kernel->object->stack_bytes(); }
  exec::FaultInfo fault() const override {
    std::lock_guard lock(mutex_);
    return fault_;
  }

private:
  using FramePtr = std::unique_ptr<JitFrame>;
  struct Range {
    uint64_t first, last;
  };

  bool next(Range& r) {
    if (has_ranges_.load(std::memory_order_acquire)) {
      std::lock_guard lock(mutex_);
      if (!ranges_.empty()) {
        r = ranges_.back();
        ranges_.pop_back();
        has_ranges_ = !ranges_.empty();
        return true;
      }
    }
    if (compiled_->better && compiled_->better->usable()) return false;
    uint64_t first = next_.load(std::memory_order_relaxed);
    if (first >= total_) return false;
    first = next_.fetch_add(chunk_);
    if (first >= total_) return false;
    r = {first, std::min(first + chunk_, total_)};
    return true;
  }

  FramePtr take_frame() {
    FramePtr f = pool_.take();
    if (!f || !f->fit_scratch(waves_, info_.private_segment_bytes)) {
      exec::FaultInfo out;
      out.kind = exec::FaultKind::out_of_memory;
      record(out);
      return nullptr;
    }
    f->frame().group->wave_count = waves_;
    f->frame().group->lds_bytes = info_.group_segment_bytes;
    return f;
  }

  WorkResult run() {
    FramePtr f;
    auto result = [&](WorkResult r) {
      if (f) pool_.give(std::move(f));
      return r;
    };
    size_t turns = suspended_count();
    while (!faulted_.load(std::memory_order_acquire)) {
      Range r;
      bool resumed = false;
      if (next(r)) {
        if (!f && !(f = take_frame())) return result(WorkResult::faulted);
      } else {
        // Nothing new: give each parked workgroup one more turn.
        std::unique_lock lock(mutex_);
        if (suspended_.empty()) {
          WorkResult rest = parked_elsewhere_ ? WorkResult::stuck : WorkResult::done; // read before the lock goes
          return lock.unlock(), result(rest);
        }
        if (!turns) return lock.unlock(), result(WorkResult::stuck);
        turns--;
        if (f) pool_.give(std::move(f));
        f = std::move(suspended_.front());
        suspended_.pop_front();
        parked_elsewhere_++;
        resumed = true;
        r = {f->frame().workgroup, f->frame().workgroup + 1};
      }
      device::HostFault host;
      int32_t code = jit::kReturnDone;
      bool whole = device::run_guarded([&] { code = entry_(&context_, &f->frame(), r.first, r.last, resumed); }, host, code_);
      if (resumed) {
        std::lock_guard lock(mutex_);
        parked_elsewhere_--;
      }
      if (!whole || code == jit::kReturnFault) {
        report(*f, whole ? nullptr : &host);
        return result(WorkResult::faulted);
      }
      if (code == jit::kReturnStuck) {
        std::lock_guard lock(mutex_);
        uint64_t at = f->frame().workgroup;
        suspended_.push_back(std::move(f));
        if (at + 1 < r.last) {
          ranges_.push_back({at + 1, r.last});
          has_ranges_ = true;
        }
      }
    }
    return result(WorkResult::faulted);
  }

  size_t suspended_count() {
    std::lock_guard lock(mutex_);
    return suspended_.size();
  }

  void record(const exec::FaultInfo& f) {
    std::lock_guard lock(mutex_);
    if (!faulted_.exchange(true)) fault_ = f;
  }

  void report(JitFrame& f, const device::HostFault* host) {
    jit::Frame& fr = f.frame();
    exec::FaultInfo out;
    if (host) {
      out.kind = exec::FaultKind::bad_address;
      out.address = host->address;
      if (uint32_t line = compiled_->kernel->object->line_at(host->host_pc))
        out.pc = context_.text_address + uint64_t(line - 1) * 4;
      auto lds = reinterpret_cast<uint64_t>(fr.lds);
      if (out.address - (lds - (1 << 20)) < (uint64_t{1} << 32) + (2 << 20)) {
        out.kind = exec::FaultKind::lds_out_of_range;
        out.address -= lds;
      }
    } else {
      out = fr.waves[fr.wave].fault;
    }
    out.wave = fr.wave;
    for (int d = 0; d < 3; d++) out.workgroup[d] = fr.group_id[d];
    bool first = !faulted_.exchange(true);
    if (!first) return;
    // The lane is found by running the workgroup again, one lane at a time.
    if (host) refine_by_replay(info_, out);
    std::lock_guard lock(mutex_);
    fault_ = out;
  }

  device::DispatchPacketInfo info_;
  std::shared_ptr<Compiled> compiled_;
  FramePool& pool_;
  jit::EntryFn entry_;
  device::CodeRange code_;
  jit::Context context_{};
  uint32_t waves_ = 1;
  uint64_t total_, chunk_ = 1;
  std::atomic<uint64_t> next_{0};
  std::atomic<bool> faulted_{false}, has_ranges_{false};
  mutable std::mutex mutex_;
  std::list<FramePtr> suspended_; // not deques: these take memory while empty
  std::vector<Range> ranges_;     // rests of chunks whose first workgroups were parked
  unsigned parked_elsewhere_ = 0; // parked workgroups that some worker is continuing right now
  exec::FaultInfo fault_;
};

/// Runs while translations go on: interprets until the first is there, then leaves the workgroups not yet started to it, and so on to
/// better code.
class TieredRun : public device::DispatchRun {
public:
  TieredRun(const device::DispatchPacketInfo& info, std::shared_ptr<Compiled> c, FramePool& pool)
      : info_(info), compiled_(std::move(c)), pool_(pool) {
    used_ = best_of(compiled_);
    if (used_) stages_.push_back(std::make_unique<JitRun>(info_, used_, pool_));
    else stages_.push_back(make_interp_run(info_, [c = compiled_] { return best_of(c) != nullptr; }));
  }

  WorkResult work(unsigned worker) override {
    bool stuck = false;
    for (size_t k = 0;; k++) {
      device::DispatchRun* run = stage(k);
      if (!run) return stuck ? WorkResult::stuck : WorkResult::done;
      WorkResult r = run->work(worker);
      if (r == WorkResult::faulted) return r;
      stuck |= r == WorkResult::stuck;
    }
  }

  uint64_t stack_bytes() const override { return device::worker_stack_bytes(); } // not known yet
  exec::FaultInfo fault() const override {
    std::lock_guard lock(mutex_);
    for (auto& s : stages_)
      if (exec::FaultInfo f = s->fault(); f.kind != exec::FaultKind::none) return f;
    return {};
  }

private:
  /// The stage number `k`, or null while nothing better is there.
  device::DispatchRun* stage(size_t k) {
    std::lock_guard lock(mutex_);
    if (k == stages_.size()) {
      auto best = best_of(compiled_);
      if (!best || best == used_) return nullptr;
      used_ = best;
      stages_.push_back(std::make_unique<JitRun>(info_, best, pool_, stages_.back()->stop()));
    }
    return stages_[k].get();
  }

  device::DispatchPacketInfo info_;
  std::shared_ptr<Compiled> compiled_, used_; // used_: by the last stage; null for the interpreter
  FramePool& pool_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<StoppableRun>> stages_;
};

class JitEngine : public device::Engine {
public:
  explicit JitEngine(bool waits) : waits_(waits), interp_(make_interp_engine()) {}
  ~JitEngine() override = default;

  Result<std::unique_ptr<device::DispatchRun>> start(const device::DispatchPacketInfo& info) override {
    std::shared_ptr<Compiled> c = compiled(info);
    std::call_once(c->once, [&] { begin_compile(info, c); });
    c->dispatches++;
    const Compiled& last = c->better ? *c->better : *c;
    if (!last.ready.load(std::memory_order_acquire)) return std::unique_ptr<device::DispatchRun>(new TieredRun(info, std::move(c), frames_));
    auto best = best_of(c);
    if (!best) return interp_->start(info);
    return std::unique_ptr<device::DispatchRun>(new JitRun(info, std::move(best), frames_));
  }

  void forget(const device::LoadedCode& code) override {
    std::lock_guard lock(mutex_);
    for (auto it = kernels_.begin(); it != kernels_.end();)
      it = it->first.code_id == code.id ? kernels_.erase(it) : std::next(it);
  }
  const char* name() const override { return "jit"; }

private:
  struct Key {
    uint64_t code_id, entry;
    jit::Variant v;
    bool operator<(const Key& o) const {
      auto t = [](const Key& k) {
        return std::tuple(k.code_id, k.entry, k.v.workgroup[0], k.v.workgroup[1], k.v.workgroup[2], k.v.partial_groups, k.v.small_grid);
      };
      return t(*this) < t(o);
    }
  };

  static jit::Variant variant_of(const device::DispatchPacketInfo& info) {
    jit::Variant v;
    for (int d = 0; d < 3; d++) {
      v.workgroup[d] = std::max<uint16_t>(1, info.workgroup[d]);
      if (info.grid[d] % v.workgroup[d]) v.partial_groups = true;
      if (info.grid[d] >= 1u << 31) v.small_grid = false;
    }
    return v;
  }

  std::shared_ptr<Compiled> compiled(const device::DispatchPacketInfo& info) {
    Key k{info.kernel->code->id, info.kernel->entry, variant_of(info)};
    std::lock_guard lock(mutex_);
    auto& slot = kernels_[k];
    if (!slot) slot = std::make_shared<Compiled>();
    return slot;
  }

  /// Small kernels are compiled here and now; large ones, unless the disk cache has them, on a thread of their own.
  void begin_compile(const device::DispatchPacketInfo& info, const std::shared_ptr<Compiled>& c) {
    jit::TranslateInput in = input(info);
    uint64_t hash = info.kernel->code->hash;
    auto here = [&](const jit::TranslateInput& what) { device::with_stack(kTranslatorStack, [&] { compile(what, hash, *c); }); };
    if (waits_ || jit::is_cached(in, hash)) return here(in);
    jit::CodeSize size = jit::count_instructions(in);
    if (size.cost <= kBackgroundCost) return here(in);
    jit::TranslateInput quick = in;
    quick.quick = true;
    if (!in.quick && size.instructions >= kQuickInstructions && size.instructions <= jit::kLongCode) c->better = std::make_shared<Compiled>();
    bool have = c->better && jit::is_cached(quick, hash);
    if (have) here(quick);
    std::thread([in, quick, have, hash, c, code = info.kernel->code] {
      if (c->better && !have) compile(quick, hash, *c, jit::Where::child_process);
      if (c->better) compile(in, hash, *c->better, jit::Where::child_process, c->usable() ? "keeps its quick code" : "runs in the interpreter");
      else compile(in, hash, *c, jit::Where::child_process);
    }).detach();
  }

  static jit::TranslateInput input(const device::DispatchPacketInfo& info) {
    const device::LoadedCode& code = *info.kernel->code;
    jit::TranslateInput in;
    in.target = code.target;
    in.name = info.kernel->name;
    in.text = reinterpret_cast<const uint8_t*>(code.text_address);
    in.text_address = code.text_address;
    in.text_size = code.text_size;
    in.load_bias = code.load_bias;
    in.entry = info.kernel->entry;
    in.descriptor = info.kernel->descriptor;
    for (const device::FunctionSymbol& f : code.functions) in.functions.push_back({f.address, f.size, f.kernel});
    in.data_targets = code.data_targets;
    in.variant = variant_of(info);
    in.cpu = options::text(options::Id::cpu);
    in.features = options::text(options::Id::cpu_features);
    in.dump_dir = options::text(options::Id::jit_dump);
    in.quick = options::flag(options::Id::jit_quick);
    return in;
  }

  static void compile(const jit::TranslateInput& in, uint64_t hash, Compiled& c, jit::Where where = jit::Where::here,
                      const char* otherwise = "runs in the interpreter") {
    struct Ready {
      Compiled& c;
      ~Ready() { c.ready.store(true, std::memory_order_release); }
    } ready{c};
    c.name = in.quick ? in.name + " (quick)" : in.name;
    uint32_t mode = initial_mode(in.descriptor.rsrc1);
    if ((mode & 0xff) != 0xf0) {
      c.failure = unimplemented("translation of kernels with other than default rounding and denormal modes");
    } else {
      auto k = jit::compile_kernel(in, hash, where);
      if (!k.ok()) c.failure = k.status();
      else if ((*k)->object->stack_bytes() > device::worker_stack_bytes())
        c.failure = unimplemented("translated code that needs " + std::to_string((*k)->object->stack_bytes() >> 20) + " MiB of stack");
      else c.kernel = std::move(k).value();
    }
    if (!c.failure.ok()) {
      std::fprintf(stderr, "pumice: kernel %s %s: %s\n", in.name.c_str(), otherwise, c.failure.message.c_str());
      return;
    }
    uint32_t items = in.variant.items(), waves = in.variant.waves();
    c.tid_storage.assign(size_t(waves) * 64 + 16, 0);
    auto* table = reinterpret_cast<uint32_t*>((reinterpret_cast<uintptr_t>(c.tid_storage.data()) + 63) & ~uintptr_t{63});
    uint32_t X = in.variant.workgroup[0], Y = in.variant.workgroup[1];
    for (uint32_t t = 0; t < items; t++) table[t] = t % X | (t / X % Y) << 10 | (t / (X * Y)) << 20;
    c.tid_table = table;
    if (options::flag(options::Id::stats)) {
      const auto& s = c.kernel->stats;
      std::fprintf(stderr, "pumice: %s: %.1f ms%s (%llu instructions; lift %.1f, optimise %.1f, codegen %.1f; stack %llu KiB)", c.name.c_str(),
                   c.kernel->ready_ms, c.kernel->from_cache ? " from the cache" : "",
                   static_cast<unsigned long long>(s.guest_instructions), s.lift_ms, s.optimise_ms, s.codegen_ms,
                   static_cast<unsigned long long>(c.kernel->object->stack_bytes() >> 10));
      for (auto& [m, n] : s.fallbacks) std::fprintf(stderr, " fallback:%s*%u", m.c_str(), n);
      for (auto& [m, n] : s.approximate) std::fprintf(stderr, " approximate:%s*%u", m.c_str(), n);
      std::fprintf(stderr, "\n");
    }
  }

  const bool waits_;
  std::unique_ptr<device::Engine> interp_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Compiled>> kernels_;
  FramePool frames_;
};

} // namespace

std::unique_ptr<device::Engine> make_jit_engine() {
  return std::make_unique<JitEngine>(options::flag(options::Id::jit_wait));
}
std::unique_ptr<device::Engine> make_waiting_jit_engine() { return std::make_unique<JitEngine>(true); }

} // namespace pumice::engines
