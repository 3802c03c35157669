/* SPDX-License-Identifier: MIT */
/* Functions across the lanes of a wave: votes, shuffles, and their forms with a 64-bit lane mask.
 */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_WARP_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_WARP_FUNCTIONS_H

#include <hip/amd_detail/host_defines.h>

#pragma push_macro("__DEVICE__")
#undef __DEVICE__
#define __DEVICE__ static __device__ inline __attribute__((always_inline))

__DEVICE__ unsigned int __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

/* Votes over the active lanes. */
__DEVICE__ unsigned long long __ballot(int predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0);
}
__DEVICE__ unsigned long long __ballot64(int predicate) {
  return __ballot(predicate);
}
__DEVICE__ unsigned long long __activemask() {
  return __ballot(1);
}
__DEVICE__ int __all(int predicate) {
  return __ballot(predicate == 0) == 0;
}
__DEVICE__ int __any(int predicate) {
  return __ballot(predicate) != 0;
}

/* Data moves of one dword; wider types go dword by dword. */
namespace hip_impl {
template <class T> __DEVICE__ T lane_read(T value, int lane) {
  constexpr unsigned n = (sizeof(T) + 3) / 4;
  int words[n] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < n; ++i)
    words[i] = __builtin_amdgcn_ds_bpermute(lane << 2, words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
__DEVICE__ int shfl_lane(int lane, int width) {
  int self = int(__lane_id());
  return (lane & (width - 1)) + (self & ~(width - 1));
}
__DEVICE__ int shfl_up_lane(unsigned delta, int width) {
  int self = int(__lane_id()), from = self - int(delta);
  return from < (self & ~(width - 1)) ? self : from;
}
__DEVICE__ int shfl_down_lane(unsigned delta, int width) {
  int self = int(__lane_id());
  return int((self & (width - 1)) + delta) >= width ? self : self + int(delta);
}
__DEVICE__ int shfl_xor_lane(int mask, int width) {
  int self = int(__lane_id()), from = self ^ mask;
  return from >= ((self + width) & ~(width - 1)) ? self : from;
}
} // namespace hip_impl

#define __HIP_SHUFFLES(T)                                                                          \
  __DEVICE__ T __shfl(T value, int lane, int width = 64) {                                         \
    return hip_impl::lane_read(value, hip_impl::shfl_lane(lane, width));                           \
  }                                                                                                \
  __DEVICE__ T __shfl_up(T value, unsigned int delta, int width = 64) {                            \
    return hip_impl::lane_read(value, hip_impl::shfl_up_lane(delta, width));                       \
  }                                                                                                \
  __DEVICE__ T __shfl_down(T value, unsigned int delta, int width = 64) {                          \
    return hip_impl::lane_read(value, hip_impl::shfl_down_lane(delta, width));                     \
  }                                                                                                \
  __DEVICE__ T __shfl_xor(T value, int mask, int width = 64) {                                     \
    return hip_impl::lane_read(value, hip_impl::shfl_xor_lane(mask, width));                       \
  }
__HIP_SHUFFLES(int)
__HIP_SHUFFLES(unsigned int)
__HIP_SHUFFLES(long)
__HIP_SHUFFLES(unsigned long)
__HIP_SHUFFLES(long long)
__HIP_SHUFFLES(unsigned long long)
__HIP_SHUFFLES(float)
__HIP_SHUFFLES(double)

/* The forms with a mask; every lane named in it must be active and call with the same mask. */
template <class M> __DEVICE__ unsigned long long __ballot_sync(M mask, int predicate) {
  static_assert(sizeof(M) == 8, "lane masks have 64 bits");
  return __ballot(predicate) & mask;
}
template <class M> __DEVICE__ int __all_sync(M mask, int predicate) {
  return __ballot_sync(mask, predicate) == mask;
}
template <class M> __DEVICE__ int __any_sync(M mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <class M, class T> __DEVICE__ T __shfl_sync(M mask, T value, int lane, int width = 64) {
  static_assert(sizeof(M) == 8, "lane masks have 64 bits");
  return __shfl(value, lane, width);
}
template <class M, class T>
__DEVICE__ T __shfl_up_sync(M mask, T value, unsigned int delta, int width = 64) {
  static_assert(sizeof(M) == 8, "lane masks have 64 bits");
  return __shfl_up(value, delta, width);
}
template <class M, class T>
__DEVICE__ T __shfl_down_sync(M mask, T value, unsigned int delta, int width = 64) {
  static_assert(sizeof(M) == 8, "lane masks have 64 bits");
  return __shfl_down(value, delta, width);
}
template <class M, class T>
__DEVICE__ T __shfl_xor_sync(M mask, T value, int lanes, int width = 64) {
  static_assert(sizeof(M) == 8, "lane masks have 64 bits");
  return __shfl_xor(value, lanes, width);
}
template <class M, class T> __DEVICE__ unsigned long long __match_any_sync(M mask, T value) {
  static_assert(sizeof(M) == 8, "lane masks have 64 bits");
  unsigned long long left = mask & __activemask(), mine = 0;
  while (left) {
    int leader = __builtin_ctzll(left);
    T other = hip_impl::lane_read(value, leader);
    unsigned long long same = __ballot(other == value) & mask;
    if (other == value)
      mine = same;
    left &= ~same;
  }
  return mine;
}
template <class T> __DEVICE__ unsigned long long __match_any(T value) {
  return __match_any_sync(__activemask(), value);
}
template <class M, class T>
__DEVICE__ unsigned long long __match_all_sync(M mask, T value, int* predicate) {
  static_assert(sizeof(M) == 8, "lane masks have 64 bits");
  T first = hip_impl::lane_read(value, __builtin_ctzll(mask & __activemask()));
  *predicate = (__ballot(first != value) & mask) == 0;
  return *predicate ? mask : 0;
}
template <class T> __DEVICE__ unsigned long long __match_all(T value, int* predicate) {
  return __match_all_sync(__activemask(), value, predicate);
}
/* Lanes of a wave run in lockstep: only memory order is left to establish. */
__DEVICE__ void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <class M> __DEVICE__ void __syncwarp(M) {
  __syncwarp();
}

/* Direct access to swizzles and permutes. */
#define __hip_ds_swizzle(value, pattern) __builtin_amdgcn_ds_swizzle(value, pattern)
#define __hip_ds_swizzle_N(value, pattern) __builtin_amdgcn_ds_swizzle(value, pattern)
#define __hip_move_dpp_N(value, ctrl, rows, banks, bound)                                          \
  __builtin_amdgcn_mov_dpp(value, ctrl, rows, banks, bound)
__DEVICE__ int __hip_ds_bpermute(int index, int value) {
  return __builtin_amdgcn_ds_bpermute(index, value);
}
__DEVICE__ float __hip_ds_bpermutef(int index, float value) {
  return __builtin_bit_cast(float,
                            __builtin_amdgcn_ds_bpermute(index, __builtin_bit_cast(int, value)));
}
__DEVICE__ int __hip_ds_permute(int index, int value) {
  return __builtin_amdgcn_ds_permute(index, value);
}

#pragma pop_macro("__DEVICE__")

#endif
