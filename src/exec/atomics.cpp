// SPDX-License-Identifier: MIT
// Places, register moves and atomic updates.
#include "exec/memory.h"
#include <algorithm>

namespace pumice::exec {
namespace {

using isa::AtomicOp;

uint32_t packed_add(uint32_t a, uint32_t b, bool bf16) {
  auto sum = [bf16](uint32_t x, uint32_t y) -> uint32_t {
    uint16_t l = static_cast<uint16_t>(x), r = static_cast<uint16_t>(y);
    // The first NaN, quieted: left to the host, the compiler's order of operands would decide.
    uint32_t infinity = bf16 ? 0x7f80 : 0x7c00, quiet = bf16 ? 0x40 : 0x200;
    if ((l & 0x7fffu) > infinity)
      return l | quiet;
    if ((r & 0x7fffu) > infinity)
      return r | quiet;
    if (bf16)
      return bf16_of(bf16_to_f32(l) + bf16_to_f32(r));
    return f16_of(f64_of(F16{l}) + f64_of(F16{r})).bits;
  };
  return sum(a, b) | sum(a >> 16, b >> 16) << 16;
}

template <class U, class F> U float_result(const Fp& fp, AtomicOp op, U old, U v) {
  F a = std::bit_cast<F>(old), b = std::bit_cast<F>(v);
  switch (op) {
  case AtomicOp::fadd:
    if (is_nan(a) || is_nan(b)) // the first one; see packed_add
      return std::bit_cast<U>(quiet(is_nan(a) ? a : b));
    return std::bit_cast<U>(fp.out(fp.in(a) + fp.in(b)));
  case AtomicOp::fmin:
    return std::bit_cast<U>(min_num(fp, a, b));
  default:
    return std::bit_cast<U>(max_num(fp, a, b));
  }
}

template <class U, class I>
U result(const Fp& fp, AtomicOp op, bool is_float, U old, U v, U compare) {
  switch (op) {
  case AtomicOp::swap:
    return v;
  case AtomicOp::cmpswap: {
    bool same = old == compare;
    if (is_float && sizeof(U) == 4)
      same = std::bit_cast<float>(static_cast<uint32_t>(old)) ==
             std::bit_cast<float>(static_cast<uint32_t>(compare));
    if constexpr (sizeof(U) == 8) {
      if (is_float)
        same = std::bit_cast<double>(old) == std::bit_cast<double>(compare);
    }
    return same ? v : old;
  }
  case AtomicOp::add:
    return old + v;
  case AtomicOp::sub:
    return old - v;
  case AtomicOp::rsub:
    return v - old;
  case AtomicOp::smin:
    return static_cast<U>(std::min(static_cast<I>(old), static_cast<I>(v)));
  case AtomicOp::smax:
    return static_cast<U>(std::max(static_cast<I>(old), static_cast<I>(v)));
  case AtomicOp::umin:
    return std::min(old, v);
  case AtomicOp::umax:
    return std::max(old, v);
  case AtomicOp::and_:
    return old & v;
  case AtomicOp::or_:
    return old | v;
  case AtomicOp::xor_:
    return old ^ v;
  case AtomicOp::inc:
    return old >= v ? 0 : old + 1;
  case AtomicOp::dec:
    return old == 0 || old > v ? v : old - 1;
  case AtomicOp::mskor:
    return (old & ~compare) | v; // compare: mask
  case AtomicOp::wrap:
    return old >= compare ? old - compare : old + v; // compare: limit
  case AtomicOp::pk_add_f16:
    return packed_add(static_cast<uint32_t>(old), static_cast<uint32_t>(v), false);
  case AtomicOp::pk_add_bf16:
    return packed_add(static_cast<uint32_t>(old), static_cast<uint32_t>(v), true);
  case AtomicOp::fadd:
  case AtomicOp::fmin:
  case AtomicOp::fmax:
    if constexpr (sizeof(U) == 4)
      return float_result<U, float>(fp, op, old, v);
    else
      return float_result<U, double>(fp, op, old, v);
  default:
    return old;
  }
}

template <class U, class I>
U update(const Fp& fp, AtomicOp op, bool is_float, uint8_t* at, U value, U compare) {
  U* p = reinterpret_cast<U*>(at);
  U old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(p, &old,
                                      (result<U, I>(fp, op, is_float, old, value, compare)), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

} // namespace

bool lds_place(Wave& w, const Inst& i, uint64_t address, unsigned bytes, unsigned lane, Place& p) {
  if (address + bytes > w.lds_bytes) {
    fault(w, i, FaultKind::lds_out_of_range, address, static_cast<int>(lane));
    return false;
  }
  p = {Place::memory, w.lds + address, 0};
  return true;
}

bool scratch_place(Wave& w, const Inst& i, uint64_t offset, unsigned bytes, unsigned lane,
                   Place& p) {
  if (offset + bytes > w.scratch_bytes) {
    fault(w, i, FaultKind::scratch_out_of_range, offset, static_cast<int>(lane));
    return false;
  }
  p = {Place::scratch, nullptr, static_cast<uint32_t>(offset)};
  return true;
}

void read_bytes(const Wave& w, unsigned lane, const Place& p, void* to, unsigned bytes) {
  switch (p.kind) {
  case Place::memory:
    // Whole naturally aligned words are single accesses, as other waves may be writing them.
    if (bytes == 4 && reinterpret_cast<uintptr_t>(p.pointer) % 4 == 0) {
      uint32_t v = __atomic_load_n(reinterpret_cast<uint32_t*>(p.pointer), __ATOMIC_RELAXED);
      std::memcpy(to, &v, 4);
    } else if (bytes == 8 && reinterpret_cast<uintptr_t>(p.pointer) % 8 == 0) {
      uint64_t v = __atomic_load_n(reinterpret_cast<uint64_t*>(p.pointer), __ATOMIC_RELAXED);
      std::memcpy(to, &v, 8);
    } else {
      std::memcpy(to, p.pointer, bytes);
    }
    return;
  case Place::scratch:
    for (unsigned n = 0; n < bytes; ++n)
      static_cast<uint8_t*>(to)[n] = *scratch_address(w, lane, p.offset + n);
    return;
  case Place::none:
    std::memset(to, 0, bytes);
    return;
  }
}

void write_bytes(Wave& w, unsigned lane, const Place& p, const void* from, unsigned bytes) {
  switch (p.kind) {
  case Place::memory:
    if (bytes == 4 && reinterpret_cast<uintptr_t>(p.pointer) % 4 == 0) {
      uint32_t v;
      std::memcpy(&v, from, 4);
      __atomic_store_n(reinterpret_cast<uint32_t*>(p.pointer), v, __ATOMIC_RELAXED);
    } else if (bytes == 8 && reinterpret_cast<uintptr_t>(p.pointer) % 8 == 0) {
      uint64_t v;
      std::memcpy(&v, from, 8);
      __atomic_store_n(reinterpret_cast<uint64_t*>(p.pointer), v, __ATOMIC_RELAXED);
    } else {
      std::memcpy(p.pointer, from, bytes);
    }
    return;
  case Place::scratch:
    for (unsigned n = 0; n < bytes; ++n)
      *scratch_address(w, lane, p.offset + n) = static_cast<const uint8_t*>(from)[n];
    return;
  case Place::none:
    return;
  }
}

void load_lane(Wave& w, const isa::MemInfo& m, const Place& p, unsigned reg, unsigned lane) {
  if (m.elem_bytes < 4) {
    uint32_t v = 0;
    read_bytes(w, lane, p, &v, m.elem_bytes);
    if (m.sign_extend)
      v = static_cast<uint32_t>(static_cast<int32_t>(v << (32 - 8 * m.elem_bytes)) >>
                                (32 - 8 * m.elem_bytes));
    uint32_t& d = w.vgpr[reg][lane];
    if (m.d16_hi)
      d = (d & 0xffff) | v << 16;
    else if (m.d16)
      d = (d & 0xffff0000) | (v & 0xffff);
    else
      d = v;
    return;
  }
  uint32_t v[4];
  read_bytes(w, lane, p, v, m.count * 4u);
  for (unsigned n = 0; n < m.count; ++n)
    w.vgpr[reg + n][lane] = v[n];
}

void store_lane(Wave& w, const isa::MemInfo& m, const Place& p, unsigned reg, unsigned lane) {
  if (m.elem_bytes < 4) {
    uint32_t v = w.vgpr[reg][lane] >> (m.d16_hi ? 16 : 0);
    return write_bytes(w, lane, p, &v, m.elem_bytes);
  }
  uint32_t v[4];
  for (unsigned n = 0; n < m.count; ++n)
    v[n] = w.vgpr[reg + n][lane];
  write_bytes(w, lane, p, v, m.count * 4u);
}

uint64_t atomic_update(const Fp& fp, AtomicOp op, bool is_float, unsigned bytes, uint8_t* at,
                       uint64_t value, uint64_t compare) {
  if (bytes == 8)
    return update<uint64_t, int64_t>(fp, op, is_float, at, value, compare);
  return update<uint32_t, int32_t>(fp, op, is_float, at, static_cast<uint32_t>(value),
                                   static_cast<uint32_t>(compare));
}

uint64_t atomic_update(Wave& w, const isa::MemInfo& m, const Place& p, unsigned lane,
                       uint64_t value, uint64_t compare) {
  if (p.kind == Place::none)
    return 0;
  Fp fp(w.mode);
  if (p.kind == Place::memory)
    return atomic_update(fp, m.atomic, m.is_float, m.elem_bytes, p.pointer, value, compare);
  alignas(8) uint8_t copy[8] = {};
  read_bytes(w, lane, p, copy, m.elem_bytes);
  uint64_t old = atomic_update(fp, m.atomic, m.is_float, m.elem_bytes, copy, value, compare);
  write_bytes(w, lane, p, copy, m.elem_bytes);
  return old;
}

} // namespace pumice::exec
