// SPDX-License-Identifier: MIT
// Functions that translated code calls: interpreter fallbacks, atomics, flat accesses, small scatters, clocks.
#include "exec/interp.h"
#include "jit/abi.h"
#include "jit/mfma.h"
#include "jit/object_loader.h"
#include <algorithm>
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

/// One access of T, as other workgroups may look.
template <class T, bool kStore> void move_whole(uint8_t* at, uint64_t& v) {
  T* p = reinterpret_cast<T*>(at);
  if constexpr (kStore) __atomic_store_n(p, static_cast<T>(v), __ATOMIC_RELAXED);
  else v = __atomic_load_n(p, __ATOMIC_RELAXED);
}

/// Moves a lane's bytes between `p` and its dwords: naturally aligned words of up to 8 bytes whole, else byte by byte.
template <unsigned kBytes, bool kStore> void move_lane(uint8_t* p, uint32_t* const* data, unsigned lane) {
  auto at = reinterpret_cast<uintptr_t>(p);
  uint64_t v = 0;
  if constexpr (kBytes < 4) {
    uint32_t& d = data[0][lane];
    if (kBytes == 2 && at % 2 == 0) {
      v = d, move_whole<uint16_t, kStore>(p, v);
      if (!kStore) d = static_cast<uint32_t>(v);
      return;
    }
    for (unsigned k = 0; k < kBytes; k++)
      if (kStore) p[k] = static_cast<uint8_t>(d >> (8 * k));
      else v |= uint64_t(p[k]) << (8 * k);
    if (!kStore) d = static_cast<uint32_t>(v);
    return;
  }
  for (unsigned q = 0; q < kBytes / 4;) {
    uint32_t& d = data[q][lane];
    if (q + 1 < kBytes / 4 && (at + 4 * q) % 8 == 0) {
      uint32_t& e = data[q + 1][lane];
      v = d | uint64_t(e) << 32, move_whole<uint64_t, kStore>(p + 4 * q, v);
      if (!kStore) d = static_cast<uint32_t>(v), e = static_cast<uint32_t>(v >> 32);
      q += 2;
      continue;
    }
    if (at % 4 == 0) {
      v = d, move_whole<uint32_t, kStore>(p + 4 * q, v);
      if (!kStore) d = static_cast<uint32_t>(v);
    } else if (kStore) std::memcpy(p + 4 * q, &d, 4);
    else std::memcpy(&d, p + 4 * q, 4);
    q++;
  }
}

/// The same in private memory, whose dwords are 256 bytes apart.
template <unsigned kBytes, bool kStore> void move_private(uint8_t* scratch, uint32_t offset, uint32_t* const* data, unsigned lane) {
  auto byte = [&](uint32_t k) { return scratch + size_t((offset + k) >> 2) * 256 + lane * 4 + ((offset + k) & 3); };
  if (kBytes >= 4 && offset % 4 == 0) {
    for (unsigned q = 0; q < kBytes / 4; q++)
      if (kStore) std::memcpy(byte(4 * q), &data[q][lane], 4);
      else std::memcpy(&data[q][lane], byte(4 * q), 4);
    return;
  }
  for (unsigned q = 0; q < (kBytes + 3) / 4; q++) {
    uint32_t v = data[q][lane], got = 0;
    for (unsigned k = 0; k < std::min(4u, kBytes - 4 * q); k++)
      if (kStore) *byte(4 * q + k) = static_cast<uint8_t>(v >> (8 * k));
      else got |= uint32_t(*byte(4 * q + k)) << (8 * k);
    if (!kStore) data[q][lane] = got;
  }
}

struct FlatLanes {
  uint8_t *lds, *scratch;
  const uint32_t *low, *high;
  uint64_t offset, mask;
  uint32_t* const* data;
};

/// A whole wave at one private address (a row of each dword), at one other address, or at consecutive dwords, which is most of
/// what -O0 code does; false: something else.
template <unsigned kBytes, bool kStore> bool move_wave(const FlatLanes& f) {
  uint32_t apart = 0, step = 0;
  for (uint32_t l = 0; l < 64; l++) {
    apart |= (f.low[l] ^ f.low[0]) | (f.high[l] ^ f.high[0]);
    step |= (f.low[l] ^ (f.low[0] + 4 * l)) | (f.high[l] ^ f.high[0]);
  }
  uint64_t a = (f.low[0] | uint64_t(f.high[0]) << 32) + f.offset;
  auto high = static_cast<uint32_t>(a >> 32), low = static_cast<uint32_t>(a);
  if (apart && (step || kBytes != 4 || a % 4)) return false;
  if (high == exec::kPrivateApertureHi) {
    if (apart || low % 4 + std::min(kBytes, 4u) > 4) return false;
    auto* row = reinterpret_cast<uint32_t*>(f.scratch + size_t(low >> 2) * 256);
    if constexpr (kBytes < 4) {
      uint32_t shift = 8 * (low & 3), field = ((1u << (8 * kBytes)) - 1) << shift;
      for (unsigned l = 0; l < 64; l++)
        if (kStore) row[l] = (row[l] & ~field) | (f.data[0][l] << shift & field);
        else f.data[0][l] = (row[l] & field) >> shift;
    } else
      for (unsigned q = 0; q < kBytes / 4; q++)
        if (kStore) std::memcpy(row + 64 * q, f.data[q], 256);
        else std::memcpy(f.data[q], row + 64 * q, 256);
    return true;
  }
  uint8_t* p = high == exec::kSharedApertureHi ? f.lds + low : reinterpret_cast<uint8_t*>(a);
  if (apart) {
    if (std::max(low, f.low[0]) > UINT32_MAX - 256) return false; // the sums above do not carry
    if (kStore) std::memcpy(p, f.data[0], 256);
    else std::memcpy(f.data[0], p, 256);
    return true;
  }
  move_lane<kBytes, kStore>(p, f.data, 63); // the last lane's value stays
  if constexpr (!kStore)
    for (unsigned q = 0; q < (kBytes + 3) / 4; q++) std::fill_n(f.data[q], 63, f.data[q][63]);
  return true;
}

template <unsigned kBytes, bool kStore> void move_flat(const FlatLanes& f) {
  if (!~f.mask && move_wave<kBytes, kStore>(f)) return;
  for (uint64_t mask = f.mask; mask; mask &= mask - 1) {
    auto l = static_cast<unsigned>(__builtin_ctzll(mask));
    uint64_t a = (f.low[l] | uint64_t(f.high[l]) << 32) + f.offset;
    auto high = static_cast<uint32_t>(a >> 32), low = static_cast<uint32_t>(a);
    if (high == exec::kPrivateApertureHi) move_private<kBytes, kStore>(f.scratch, low, f.data, l);
    else move_lane<kBytes, kStore>(high == exec::kSharedApertureHi ? f.lds + low : reinterpret_cast<uint8_t*>(a), f.data, l);
  }
}

template <bool kStore> void move_flat_bytes(const FlatLanes& f, uint32_t bytes) {
  switch (bytes) {
  case 1: return move_flat<1, kStore>(f);
  case 2: return move_flat<2, kStore>(f);
  case 4: return move_flat<4, kStore>(f);
  case 8: return move_flat<8, kStore>(f);
  case 12: return move_flat<12, kStore>(f);
  default: return move_flat<16, kStore>(f);
  }
}

/// Loads (zero-extended; lanes outside of the mask get 0) or stores `flags & 0xff` bytes (1, 2 or up to four dwords) per lane at
/// flat addresses high:low + offset: dword k of lane l is d_k[l]. flags >> 8: store.
extern "C" void pumice_rt_flat(Frame* f, uint32_t wave, const uint32_t* low, const uint32_t* high, uint64_t offset, uint32_t* d0,
                               uint32_t* d1, uint32_t* d2, uint32_t* d3, uint64_t mask, uint32_t flags) {
  uint32_t* data[4] = {d0, d1, d2, d3};
  uint32_t bytes = flags & 0xff;
  FlatLanes lanes{f->lds, f->scratch + f->scratch_stride * wave, low, high, offset, mask, data};
  if (flags >> 8) return move_flat_bytes<true>(lanes, bytes);
  if (~mask)
    for (uint32_t q = 0; 4 * q < bytes; q++) std::memset(data[q], 0, 256);
  move_flat_bytes<false>(lanes, bytes);
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
