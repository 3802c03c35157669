// SPDX-License-Identifier: MIT
// Functions that translated code calls: interpreter fallbacks, atomics, small scatters, clocks.
#include "exec/interp.h"
#include "jit/abi.h"
#include "jit/mfma.h"
#include "jit/object_loader.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <ctime>
#include <string_view>

namespace pumice::jit {
namespace {

using exec::Wave;

/// The wave struct with what the interpreter needs besides registers.
Wave& wave_of(Context* c, Frame* f, uint32_t index) {
  Wave& w = f->waves[index];
  w.index = index;
  w.lds = f->lds;
  w.lds_bytes = c->lds_bytes;
  w.mode = c->mode;
  w.scratch = f->scratch + f->scratch_stride * index;
  w.scratch_bytes = c->private_bytes;
  w.group = f->group;
  for (int d = 0; d < 3; d++) f->group->id[d] = f->group_id[d];
  return w;
}

/// One instruction at `pc`. 0: done; 1: the wave faulted.
extern "C" int32_t pumice_rt_interpret(Context* c, Frame* f, uint32_t index, uint64_t pc) {
  isa::Inst inst;
  Wave* w = &wave_of(c, f, index);
  w->pc = pc;
  __atomic_fetch_add(&c->fallbacks, 1, __ATOMIC_RELAXED);
  if (!isa::decode(static_cast<isa::Target>(c->target), reinterpret_cast<const uint8_t*>(pc),
                   c->text_address + c->text_size - pc, inst)) {
    w->fault = {exec::FaultKind::illegal_instruction, pc, 0, -1, w->index, {}, 0};
    return 1;
  }
  w->status = exec::WaveStatus::ready;
  exec::execute(*w, inst);
  return w->status == exec::WaveStatus::faulted;
}

/// Interprets until the wave ends, faults, or reaches a barrier.
uint32_t interpret(Context* c, Frame* f, uint32_t index) {
  Wave& w = wave_of(c, f, index);
  w.status = exec::WaveStatus::ready;
  uint64_t n = exec::run(w, static_cast<isa::Target>(c->target), reinterpret_cast<const uint8_t*>(c->text_address), c->text_size, 1 << 16);
  __atomic_fetch_add(&c->fallbacks, n, __ATOMIC_RELAXED);
  switch (w.status) {
  case exec::WaveStatus::ended: return kResumeDone;
  case exec::WaveStatus::faulted: return kResumeFaulted;
  case exec::WaveStatus::at_barrier: return kResumeInterp | kResumeBarrier;
  default: return kResumeInterp | kResumeYield;
  }
}

extern "C" uint32_t pumice_rt_interp_wave(Context* c, Frame* f, uint32_t index) { return interpret(c, f, index); }

/// For kernels without barriers: to the wave's end.
extern "C" uint32_t pumice_rt_finish_wave(Context* c, Frame* f, uint32_t index) {
  while (true) {
    uint32_t r = interpret(c, f, index);
    if (r & (kResumeDone | kResumeFaulted)) return r;
  }
}

extern "C" void pumice_rt_trap(Wave* w, uint64_t pc, uint32_t id, uint64_t exec_mask) {
  w->fault = {exec::FaultKind::trap, pc, 0, exec_mask ? __builtin_ctzll(exec_mask) : -1, w->index, {}, id};
}

extern "C" void pumice_rt_bad_jump(Wave* w, uint64_t pc, uint64_t target) {
  w->fault = {exec::FaultKind::illegal_instruction, pc, target, -1, w->index, {}, 0};
}

extern "C" uint64_t pumice_rt_clock() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 2100000000ull + uint64_t(t.tv_nsec) * 21 / 10; // shader clock, 2.1 GHz
}

extern "C" uint64_t pumice_rt_realtime() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 100000000ull + uint64_t(t.tv_nsec) / 10; // 100 MHz
}

extern "C" void pumice_rt_scatter_small(const uint64_t* addrs, const uint32_t* data, uint64_t mask, uint32_t bytes) {
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctzll(mask);
    std::memcpy(reinterpret_cast<void*>(addrs[l]), &data[l], bytes);
  }
}

/// Moves between `*at` (2, 4 or 8 bytes, aligned) and the lane's dwords in one access, as other workgroups may look.
template <class T> void move_whole(uint64_t at, uint32_t* low, uint32_t* high, bool store) {
  T* p = reinterpret_cast<T*>(at);
  if (store) return __atomic_store_n(p, static_cast<T>(high ? *low | uint64_t(*high) << 32 : *low), __ATOMIC_RELAXED);
  uint64_t v = __atomic_load_n(p, __ATOMIC_RELAXED);
  *low = static_cast<uint32_t>(v);
  if (high) *high = static_cast<uint32_t>(v >> 32);
}

/// Loads (zero-extended) or stores `flags & 0xff` bytes per lane at flat addresses, of private memory byte by byte: dword k of
/// lane l is d_k[l]. flags >> 8: store.
extern "C" void pumice_rt_flat(Frame* f, uint32_t wave, const uint64_t* addrs, uint32_t* d0, uint32_t* d1, uint32_t* d2, uint32_t* d3,
                               uint64_t mask, uint32_t flags) {
  uint32_t* data[4] = {d0, d1, d2, d3};
  uint8_t* scratch = f->scratch + f->scratch_stride * wave;
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctzll(mask);
    uint32_t bytes = flags & 0xff, k = 0;
    if (auto high = static_cast<uint32_t>(addrs[l] >> 32); high != exec::kSharedApertureHi && high != exec::kPrivateApertureHi)
      for (uint32_t n = 0, store = flags >> 8; k < bytes; k += n) {
        uint64_t a = addrs[l] + k;
        auto fits = [&](uint32_t size) { return bytes - k >= size && a % size == 0; };
        n = fits(8) ? 8 : fits(4) ? 4 : fits(2) && bytes == 2 ? 2 : 0;
        if (n == 8) move_whole<uint64_t>(a, &data[k / 4][l], &data[k / 4 + 1][l], store);
        else if (n == 4) move_whole<uint32_t>(a, &data[k / 4][l], nullptr, store);
        else if (n == 2) move_whole<uint16_t>(a, &data[k / 4][l], nullptr, store);
        else break;
      }
    for (; k < bytes; k++) {
      uint64_t a = addrs[l] + k;
      auto high = static_cast<uint32_t>(a >> 32), low = static_cast<uint32_t>(a);
      uint8_t* p = high == exec::kSharedApertureHi    ? f->lds + low
                   : high == exec::kPrivateApertureHi ? scratch + size_t(low >> 2) * 256 + l * 4 + (low & 3)
                                                      : reinterpret_cast<uint8_t*>(a);
      uint32_t& d = data[k / 4][l];
      unsigned shift = 8 * (k % 4);
      if (flags >> 8) *p = static_cast<uint8_t>(d >> shift);
      else d |= uint32_t(*p) << shift;
    }
  }
}

template <class T> T apply(isa::AtomicOp op, T old, T x, T cmp) {
  using S = std::make_signed_t<T>;
  switch (op) {
  case isa::AtomicOp::swap: return x;
  case isa::AtomicOp::cmpswap: return old == cmp ? x : old;
  case isa::AtomicOp::add: return old + x;
  case isa::AtomicOp::sub: return old - x;
  case isa::AtomicOp::rsub: return x - old;
  case isa::AtomicOp::smin: return static_cast<S>(old) < static_cast<S>(x) ? old : x;
  case isa::AtomicOp::smax: return static_cast<S>(old) > static_cast<S>(x) ? old : x;
  case isa::AtomicOp::umin: return old < x ? old : x;
  case isa::AtomicOp::umax: return old > x ? old : x;
  case isa::AtomicOp::and_: return old & x;
  case isa::AtomicOp::or_: return old | x;
  case isa::AtomicOp::xor_: return old ^ x;
  case isa::AtomicOp::inc: return old >= x ? 0 : old + 1;
  case isa::AtomicOp::dec: return old == 0 || old > x ? x : old - 1;
  default: return old;
  }
}

/// As min_num, max_num and fadd of exec: a signaling NaN comes back quiet in IEEE mode, else the number; -0 < +0; sums keep the
/// first NaN.
template <class F> F float_apply(isa::AtomicOp op, bool ieee, F old, F x) {
  using Bits = std::conditional_t<sizeof(F) == 8, uint64_t, uint32_t>;
  auto signaling = [](F v) { return v != v && !(std::bit_cast<Bits>(v) >> (sizeof(F) == 8 ? 51 : 22) & 1); };
  if (op == isa::AtomicOp::fadd) return old != old ? old + old : x != x ? x + x : old + x;
  if (ieee && signaling(old)) return old + old;
  if (ieee && signaling(x)) return x + x;
  if (old != old) return x;
  if (x != x) return old;
  bool less = old < x || (old == x && std::signbit(old));
  return less == (op == isa::AtomicOp::fmin) ? old : x;
}

uint32_t packed_apply(isa::AtomicOp op, uint32_t old, uint32_t x) {
  uint32_t r = 0;
  for (int h = 0; h < 2; h++) {
    uint16_t a = static_cast<uint16_t>(old >> (16 * h)), b = static_cast<uint16_t>(x >> (16 * h)), s;
    bool half = op == isa::AtomicOp::pk_add_f16;
    uint32_t infinity = half ? 0x7c00 : 0x7f80, quiet = half ? 0x200 : 0x40;
    if ((a & 0x7fffu) > infinity) { // the first NaN, as in exec/atomics.cpp
      s = static_cast<uint16_t>(a | quiet);
    } else if ((b & 0x7fffu) > infinity) {
      s = static_cast<uint16_t>(b | quiet);
    } else if (half) {
      _Float16 p, q;
      std::memcpy(&p, &a, 2), std::memcpy(&q, &b, 2);
      p = p + q;
      std::memcpy(&s, &p, 2);
    } else { // bf16, round to nearest even
      uint32_t pa = uint32_t(a) << 16, pb = uint32_t(b) << 16;
      float p, q;
      std::memcpy(&p, &pa, 4), std::memcpy(&q, &pb, 4);
      p += q;
      std::memcpy(&pa, &p, 4);
      s = p != p ? 0x7fc0 : static_cast<uint16_t>((pa + 0x7fff + ((pa >> 16) & 1)) >> 16);
    }
    r |= uint32_t(s) << (16 * h);
  }
  return r;
}

template <class T> T combine(isa::AtomicOp op, bool ieee, T old, T x, T cmp) {
  if (op == isa::AtomicOp::pk_add_f16 || op == isa::AtomicOp::pk_add_bf16)
    return static_cast<T>(packed_apply(op, static_cast<uint32_t>(old), static_cast<uint32_t>(x)));
  if (op == isa::AtomicOp::fadd || op == isa::AtomicOp::fmin || op == isa::AtomicOp::fmax) {
    using F = std::conditional_t<sizeof(T) == 8, double, float>;
    F a, b;
    std::memcpy(&a, &old, sizeof a), std::memcpy(&b, &x, sizeof b);
    a = float_apply(op, ieee, a, b);
    T r;
    std::memcpy(&r, &a, sizeof r);
    return r;
  }
  return apply<T>(op, old, x, cmp);
}

/// With the operation known at compile time the loop has no switch in it.
template <class T, bool kLocal, class Op>
void atomic_lanes(Op op, bool ieee, const uint64_t* addrs, const T* data, const T* cmp, T* out, uint64_t mask) {
  for (uint64_t m = mask; m; m &= m - 1) {
    int l = __builtin_ctzll(m);
    T* p = reinterpret_cast<T*>(addrs[l]);
    T x = data ? data[l] : 0, c = cmp ? cmp[l] : 0, old;
    if constexpr (kLocal) { // a workgroup's waves run on one thread
      std::memcpy(&old, p, sizeof(T));
      T r = combine<T>(op, ieee, old, x, c);
      std::memcpy(p, &r, sizeof(T));
    } else if (op == isa::AtomicOp::add) {
      old = __atomic_fetch_add(p, x, __ATOMIC_SEQ_CST);
    } else {
      old = __atomic_load_n(p, __ATOMIC_RELAXED);
      while (true) {
        T r = combine<T>(op, ieee, old, x, c);
        if (__atomic_compare_exchange_n(p, &old, r, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) break;
      }
    }
    if (out) out[l] = old;
  }
}

template <class T, bool kLocal>
void atomics(isa::AtomicOp op, bool ieee, const uint64_t* addrs, const T* data, const T* cmp, T* out, uint64_t mask) {
  using isa::AtomicOp;
  auto with = [&](auto known) { atomic_lanes<T, kLocal>(known, ieee, addrs, data, cmp, out, mask); };
  switch (op) {
#define KNOWN(name) case AtomicOp::name: return with(std::integral_constant<AtomicOp, AtomicOp::name>{})
    KNOWN(add);
    KNOWN(fadd);
    KNOWN(umin);
    KNOWN(umax);
    KNOWN(smin);
    KNOWN(smax);
    KNOWN(or_);
    KNOWN(cmpswap);
    KNOWN(swap);
#undef KNOWN
  default: return with(op);
  }
}

/// flags: AtomicOp | wide << 8 | float << 9 | local << 10 | IEEE mode << 11.
extern "C" void pumice_rt_atomic(uint32_t flags, const uint64_t* addrs, const void* data, const void* cmp, void* out, uint64_t mask) {
  auto op = static_cast<isa::AtomicOp>(flags & 0xff);
  bool local = flags >> 10 & 1, ieee = flags >> 11 & 1;
  if (flags >> 8 & 1) {
    auto* d = static_cast<const uint64_t*>(data);
    auto* c = static_cast<const uint64_t*>(cmp);
    auto* o = static_cast<uint64_t*>(out);
    local ? atomics<uint64_t, true>(op, ieee, addrs, d, c, o, mask) : atomics<uint64_t, false>(op, ieee, addrs, d, c, o, mask);
    return;
  }
  auto* d = static_cast<const uint32_t*>(data);
  auto* c = static_cast<const uint32_t*>(cmp);
  auto* o = static_cast<uint32_t*>(out);
  local ? atomics<uint32_t, true>(op, ieee, addrs, d, c, o, mask) : atomics<uint32_t, false>(op, ieee, addrs, d, c, o, mask);
}

} // namespace

void* runtime_symbol(const char* name) {
  struct Entry {
    std::string_view name;
    void* f;
  };
#define RT(f) {#f, reinterpret_cast<void*>(&f)}
  static const Entry table[] = {
      RT(pumice_rt_interpret), RT(pumice_rt_interp_wave), RT(pumice_rt_finish_wave), RT(pumice_rt_trap),
      RT(pumice_rt_bad_jump), RT(pumice_rt_clock), RT(pumice_rt_realtime), RT(pumice_rt_scatter_small),
      RT(pumice_rt_atomic), RT(pumice_rt_flat), RT(pumice_rt_mfma),
      {"memset", reinterpret_cast<void*>(static_cast<void* (*)(void*, int, size_t)>(&std::memset))},
      {"memcpy", reinterpret_cast<void*>(static_cast<void* (*)(void*, const void*, size_t)>(&std::memcpy))},
      {"memmove", reinterpret_cast<void*>(static_cast<void* (*)(void*, const void*, size_t)>(&std::memmove))},
      {"fmaf", reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(&std::fma))},
      {"fma", reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(&std::fma))},
  };
#undef RT
  for (const Entry& e : table)
    if (e.name == name) return e.f;
  return nullptr;
}

} // namespace pumice::jit
