/* SPDX-License-Identifier: MIT */
/* Channel descriptors of element types: hipCreateChannelDesc<float4>() and friends. */
#ifndef HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H
#define HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/driver_types.h>
#include <hip/hip_common.h>
#include <hip/hip_vector_types.h>

#ifdef __cplusplus
extern "C" HIP_PUBLIC_API hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                                    hipChannelFormatKind f);
namespace hip_impl {
template <class T> struct channel_kind {
  static constexpr hipChannelFormatKind kind = hipChannelFormatKindNone;
  static constexpr int bits = 0;
};
#define HIP_CHANNEL(type, which)                                                                   \
  template <> struct channel_kind<type> {                                                          \
    static constexpr hipChannelFormatKind kind = hipChannelFormatKind##which;                      \
    static constexpr int bits = int(sizeof(type)) * 8;                                             \
  };
HIP_CHANNEL(char, Signed)
HIP_CHANNEL(signed char, Signed)
HIP_CHANNEL(unsigned char, Unsigned)
HIP_CHANNEL(short, Signed)
HIP_CHANNEL(unsigned short, Unsigned)
HIP_CHANNEL(int, Signed)
HIP_CHANNEL(unsigned int, Unsigned)
HIP_CHANNEL(long, Signed)
HIP_CHANNEL(unsigned long, Unsigned)
HIP_CHANNEL(float, Float)
#undef HIP_CHANNEL
template <class T> struct channel_desc {
  static hipChannelFormatDesc make() {
    return {channel_kind<T>::bits, 0, 0, 0, channel_kind<T>::kind};
  }
};
template <class T, unsigned N> struct channel_desc<HIP_vector_type<T, N>> {
  static hipChannelFormatDesc make() {
    constexpr int b = channel_kind<T>::bits;
    return {b, N > 1 ? b : 0, N > 2 ? b : 0, N > 3 ? b : 0, channel_kind<T>::kind};
  }
};
} // namespace hip_impl

template <class T> static inline hipChannelFormatDesc hipCreateChannelDesc() {
  return hip_impl::channel_desc<T>::make();
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf() {
  return {16, 0, 0, 0, hipChannelFormatKindFloat};
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf1() {
  return hipCreateChannelDescHalf();
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf2() {
  return {16, 16, 0, 0, hipChannelFormatKindFloat};
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf4() {
  return {16, 16, 16, 16, hipChannelFormatKindFloat};
}
#else
hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, enum hipChannelFormatKind f);
#endif

#include <hip/amd_detail/amd_user_macros_on.h>
#endif
