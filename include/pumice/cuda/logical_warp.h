/* SPDX-License-Identifier: MIT */
/* Warp functions with the width that CUDA programs are written for: 32 lanes. A wave of 64 lanes is two such logical warps,
 * which advance in lockstep with each other; masks have 32 bits and concern the caller's own half.
 * Used when CUDA sources run without being ported (pumice cc, pumice run); a port uses HIP's own functions.
 * Not covered: one half of a wave waiting for the other (it runs, but lanes of a wave share one program counter).
 */
#ifndef PUMICE_CUDA_LOGICAL_WARP_H
#define PUMICE_CUDA_LOGICAL_WARP_H
#include <hip/hip_runtime.h>

namespace pumice_cuda {

#define PUMICE_CUDA_INLINE static __device__ inline __attribute__((always_inline))

PUMICE_CUDA_INLINE unsigned lane() { return __lane_id() & 31u; }
/* The caller's half of a 64-bit lane mask. */
PUMICE_CUDA_INLINE unsigned half(unsigned long long mask) { return (unsigned)(mask >> (__lane_id() & 32u)); }

PUMICE_CUDA_INLINE unsigned ballot(int predicate) { return half(__ballot(predicate)); }
PUMICE_CUDA_INLINE unsigned activemask() { return half(__ballot(1)); }
PUMICE_CUDA_INLINE int any(int predicate) { return ballot(predicate) != 0; }
PUMICE_CUDA_INLINE int all(int predicate) { return ballot(!predicate) == 0; }
PUMICE_CUDA_INLINE unsigned ballot_sync(unsigned mask, int predicate) { return ballot(predicate) & mask; }
PUMICE_CUDA_INLINE int any_sync(unsigned mask, int predicate) { return (ballot(predicate) & mask) != 0; }
PUMICE_CUDA_INLINE int all_sync(unsigned mask, int predicate) { return (ballot(!predicate) & mask) == 0; }
PUMICE_CUDA_INLINE int uni_sync(unsigned mask, int predicate) {
  unsigned votes = ballot(predicate) & mask;
  return votes == 0 || votes == (activemask() & mask);
}
PUMICE_CUDA_INLINE void syncwarp(unsigned = 0xffffffffu) { __syncwarp(); }

/* A value of any trivially copyable type from lane `from` of the wave. */
template <class T> PUMICE_CUDA_INLINE T read_lane(T value, int from) {
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  int w[words] = {};
  __builtin_memcpy(w, &value, sizeof(T));
  for (unsigned i = 0; i < words; ++i)
    w[i] = __builtin_amdgcn_ds_bpermute(from << 2, w[i]);
  __builtin_memcpy(&value, w, sizeof(T));
  return value;
}
template <class T> PUMICE_CUDA_INLINE T shfl(T value, int source, int width = 32) {
  int self = (int)__lane_id();
  return read_lane(value, (self & ~(width - 1)) + (source & (width - 1)));
}
template <class T> PUMICE_CUDA_INLINE T shfl_up(T value, unsigned delta, int width = 32) {
  int self = (int)__lane_id(), from = self - (int)delta;
  return read_lane(value, from < (self & ~(width - 1)) ? self : from);
}
template <class T> PUMICE_CUDA_INLINE T shfl_down(T value, unsigned delta, int width = 32) {
  int self = (int)__lane_id();
  return read_lane(value, (self & (width - 1)) + (int)delta >= width ? self : self + (int)delta);
}
template <class T> PUMICE_CUDA_INLINE T shfl_xor(T value, int lanes, int width = 32) {
  int self = (int)__lane_id(), from = self ^ lanes;
  return read_lane(value, from >= ((self + width) & ~(width - 1)) ? self : from);
}
template <class T> PUMICE_CUDA_INLINE T shfl_sync(unsigned, T value, int source, int width = 32) {
  return shfl(value, source, width);
}
template <class T> PUMICE_CUDA_INLINE T shfl_up_sync(unsigned, T value, unsigned delta, int width = 32) {
  return shfl_up(value, delta, width);
}
template <class T> PUMICE_CUDA_INLINE T shfl_down_sync(unsigned, T value, unsigned delta, int width = 32) {
  return shfl_down(value, delta, width);
}
template <class T> PUMICE_CUDA_INLINE T shfl_xor_sync(unsigned, T value, int lanes, int width = 32) {
  return shfl_xor(value, lanes, width);
}

template <class T> PUMICE_CUDA_INLINE unsigned match_any_sync(unsigned mask, T value) {
  unsigned mine = 0;
  for (int i = 0; i < 32; ++i) {
    T other = shfl(value, i);
    if (((mask >> i) & 1u) && other == value)
      mine |= 1u << i;
  }
  return mine & activemask();
}
template <class T> PUMICE_CUDA_INLINE unsigned match_all_sync(unsigned mask, T value, int* predicate) {
  T first = shfl(value, __builtin_ctz(mask & activemask()));
  *predicate = (ballot(first != value) & mask) == 0;
  return *predicate ? mask : 0u;
}

template <class T, class F> PUMICE_CUDA_INLINE T reduce_sync(unsigned mask, T value, F combine) {
  T total = value;
  bool first = true;
  for (int i = 0; i < 32; ++i) {
    T other = shfl(value, i);
    if (!((mask >> i) & 1u))
      continue;
    total = first ? other : combine(total, other);
    first = false;
  }
  return total;
}
template <class T> PUMICE_CUDA_INLINE T reduce_add_sync(unsigned mask, T value) {
  return reduce_sync(mask, value, [](T a, T b) { return a + b; });
}
template <class T> PUMICE_CUDA_INLINE T reduce_min_sync(unsigned mask, T value) {
  return reduce_sync(mask, value, [](T a, T b) { return a < b ? a : b; });
}
template <class T> PUMICE_CUDA_INLINE T reduce_max_sync(unsigned mask, T value) {
  return reduce_sync(mask, value, [](T a, T b) { return a < b ? b : a; });
}
PUMICE_CUDA_INLINE unsigned reduce_and_sync(unsigned mask, unsigned value) {
  return reduce_sync(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
PUMICE_CUDA_INLINE unsigned reduce_or_sync(unsigned mask, unsigned value) {
  return reduce_sync(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
PUMICE_CUDA_INLINE unsigned reduce_xor_sync(unsigned mask, unsigned value) {
  return reduce_sync(mask, value, [](unsigned a, unsigned b) { return a ^ b; });
}

#undef PUMICE_CUDA_INLINE

} // namespace pumice_cuda
#endif
