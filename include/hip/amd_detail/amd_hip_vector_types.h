/* SPDX-License-Identifier: MIT */
/* HIP_vector_type<T, N>: members x y z w, element-wise operators with vectors and scalars, make_
 * functions. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_VECTOR_TYPES_H
#include <hip/amd_detail/host_defines.h>

#define __HOST_DEVICE__ __host__ __device__ inline __attribute__((always_inline))

namespace hip_impl {
constexpr unsigned vector_alignment(unsigned size, unsigned n) {
  return n == 3 ? size : size * n;
}
template <bool B> struct enable {};
template <> struct enable<true> {
  using type = int;
};
template <class T> struct is_scalar {
  static constexpr bool value = false;
};
#define __HIP_SCALAR(T)                                                                            \
  template <> struct is_scalar<T> {                                                                \
    static constexpr bool value = true;                                                            \
  };
__HIP_SCALAR(bool)
__HIP_SCALAR(char)
__HIP_SCALAR(signed char)
__HIP_SCALAR(unsigned char)
__HIP_SCALAR(short)
__HIP_SCALAR(unsigned short)
__HIP_SCALAR(int)
__HIP_SCALAR(unsigned int)
__HIP_SCALAR(long)
__HIP_SCALAR(unsigned long)
__HIP_SCALAR(long long)
__HIP_SCALAR(unsigned long long)
__HIP_SCALAR(float)
__HIP_SCALAR(double)
#undef __HIP_SCALAR
} // namespace hip_impl

template <class T, unsigned N> struct HIP_vector_base;
template <class T> struct HIP_vector_base<T, 1> {
  T x;
  constexpr __HOST_DEVICE__ HIP_vector_base() = default;
  explicit constexpr __HOST_DEVICE__ HIP_vector_base(T a) : x(a) {}
};
template <class T> struct alignas(hip_impl::vector_alignment(sizeof(T), 2)) HIP_vector_base<T, 2> {
  T x, y;
  constexpr __HOST_DEVICE__ HIP_vector_base() = default;
  explicit constexpr __HOST_DEVICE__ HIP_vector_base(T a) : x(a), y(a) {}
  constexpr __HOST_DEVICE__ HIP_vector_base(T a, T b) : x(a), y(b) {}
};
template <class T> struct HIP_vector_base<T, 3> {
  T x, y, z;
  constexpr __HOST_DEVICE__ HIP_vector_base() = default;
  explicit constexpr __HOST_DEVICE__ HIP_vector_base(T a) : x(a), y(a), z(a) {}
  constexpr __HOST_DEVICE__ HIP_vector_base(T a, T b, T c) : x(a), y(b), z(c) {}
};
template <class T> struct alignas(hip_impl::vector_alignment(sizeof(T), 4)) HIP_vector_base<T, 4> {
  T x, y, z, w;
  constexpr __HOST_DEVICE__ HIP_vector_base() = default;
  explicit constexpr __HOST_DEVICE__ HIP_vector_base(T a) : x(a), y(a), z(a), w(a) {}
  constexpr __HOST_DEVICE__ HIP_vector_base(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
};

#define __HIP_VECTOR_ASSIGN(a, op, b)                                                              \
  a.x op b.x;                                                                                      \
  if constexpr (N > 1)                                                                             \
    a.y op b.y;                                                                                    \
  if constexpr (N > 2)                                                                             \
    a.z op b.z;                                                                                    \
  if constexpr (N > 3)                                                                             \
    a.w op b.w;
#define __HIP_VECTOR_COMPOUNDS(M)                                                                  \
  M(+=) M(-=) M(*=) M(/=) M(%=) M(&=) M(|=) M(^=) M(<<=) M(>>=)

template <class T, unsigned N> struct HIP_vector_type : HIP_vector_base<T, N> {
  using value_type = T;
  using HIP_vector_base<T, N>::HIP_vector_base;
  constexpr __HOST_DEVICE__ HIP_vector_type() = default;
  /// A scalar stands for a vector with that value in every element.
  template <class U, typename hip_impl::enable<hip_impl::is_scalar<U>::value>::type = 0>
  constexpr __HOST_DEVICE__ HIP_vector_type(U a) : HIP_vector_base<T, N>(T(a)) {}

  __HOST_DEVICE__ T& operator[](unsigned i) { return (&this->x)[i]; }
  __HOST_DEVICE__ const T& operator[](unsigned i) const { return (&this->x)[i]; }

/* Unported CUDA may define these itself, then its own must win: for it they are templates outside the class. */
#ifndef PUMICE_CUDA_DIRECT_H
#define __HIP_VECTOR_COMPOUND(op)                                                                  \
  __HOST_DEVICE__ HIP_vector_type& operator op(const HIP_vector_type & b) {                        \
    __HIP_VECTOR_ASSIGN((*this), op, b)                                                            \
    return *this;                                                                                  \
  }
  __HIP_VECTOR_COMPOUNDS(__HIP_VECTOR_COMPOUND)
#undef __HIP_VECTOR_COMPOUND
#endif

  __HOST_DEVICE__ HIP_vector_type& operator++() { return *this += HIP_vector_type(T(1)); }
  __HOST_DEVICE__ HIP_vector_type& operator--() { return *this -= HIP_vector_type(T(1)); }
  __HOST_DEVICE__ HIP_vector_type operator++(int) {
    HIP_vector_type old(*this);
    ++*this;
    return old;
  }
  __HOST_DEVICE__ HIP_vector_type operator--(int) {
    HIP_vector_type old(*this);
    --*this;
    return old;
  }
  __HOST_DEVICE__ HIP_vector_type operator+() const { return *this; }
  __HOST_DEVICE__ HIP_vector_type operator-() const {
    HIP_vector_type r;
    r.x = T(-this->x);
    if constexpr (N > 1)
      r.y = T(-this->y);
    if constexpr (N > 2)
      r.z = T(-this->z);
    if constexpr (N > 3)
      r.w = T(-this->w);
    return r;
  }
  __HOST_DEVICE__ HIP_vector_type operator~() const {
    HIP_vector_type r;
    r.x = T(~this->x);
    if constexpr (N > 1)
      r.y = T(~this->y);
    if constexpr (N > 2)
      r.z = T(~this->z);
    if constexpr (N > 3)
      r.w = T(~this->w);
    return r;
  }
};

#ifdef PUMICE_CUDA_DIRECT_H
#define __HIP_VECTOR_COMPOUND(op)                                                                  \
  template <class T, unsigned N>                                                                   \
  constexpr __HOST_DEVICE__ HIP_vector_type<T, N>& operator op(HIP_vector_type<T, N>& a,           \
                                                               const HIP_vector_type<T, N>& b) {   \
    __HIP_VECTOR_ASSIGN(a, op, b)                                                                  \
    return a;                                                                                      \
  }                                                                                                \
  template <class T, unsigned N, class U,                                                          \
            typename hip_impl::enable<hip_impl::is_scalar<U>::value>::type = 0>                    \
  constexpr __HOST_DEVICE__ HIP_vector_type<T, N>& operator op(HIP_vector_type<T, N>& a, U b) {    \
    return a op HIP_vector_type<T, N>(b);                                                          \
  }
__HIP_VECTOR_COMPOUNDS(__HIP_VECTOR_COMPOUND)
#undef __HIP_VECTOR_COMPOUND
#endif
#undef __HIP_VECTOR_ASSIGN
#undef __HIP_VECTOR_COMPOUNDS

#define __HIP_VECTOR_BINARY(op, assign)                                                            \
  template <class T, unsigned N>                                                                   \
  constexpr __HOST_DEVICE__ HIP_vector_type<T, N> operator op(const HIP_vector_type<T, N>& a,      \
                                                              const HIP_vector_type<T, N>& b) {    \
    HIP_vector_type<T, N> r(a);                                                                    \
    r assign b;                                                                                    \
    return r;                                                                                      \
  }                                                                                                \
  template <class T, unsigned N, class U,                                                          \
            typename hip_impl::enable<hip_impl::is_scalar<U>::value>::type = 0>                    \
  constexpr __HOST_DEVICE__ HIP_vector_type<T, N> operator op(const HIP_vector_type<T, N>& a,      \
                                                              U b) {                               \
    return a op HIP_vector_type<T, N>(b);                                                          \
  }                                                                                                \
  template <class T, unsigned N, class U,                                                          \
            typename hip_impl::enable<hip_impl::is_scalar<U>::value>::type = 0>                    \
  constexpr __HOST_DEVICE__ HIP_vector_type<T, N> operator op(U a,                                 \
                                                              const HIP_vector_type<T, N>& b) {    \
    return HIP_vector_type<T, N>(a) op b;                                                          \
  }
__HIP_VECTOR_BINARY(+, +=)
__HIP_VECTOR_BINARY(-, -=)
__HIP_VECTOR_BINARY(*, *=)
__HIP_VECTOR_BINARY(/, /=)
__HIP_VECTOR_BINARY(%, %=)
__HIP_VECTOR_BINARY(&, &=)
__HIP_VECTOR_BINARY(|, |=)
__HIP_VECTOR_BINARY(^, ^=)
__HIP_VECTOR_BINARY(<<, <<=)
__HIP_VECTOR_BINARY(>>, >>=)
#undef __HIP_VECTOR_BINARY

template <class T, unsigned N>
constexpr __HOST_DEVICE__ bool operator==(const HIP_vector_type<T, N>& a,
                                          const HIP_vector_type<T, N>& b) {
  bool same = a.x == b.x;
  if constexpr (N > 1)
    same = same && a.y == b.y;
  if constexpr (N > 2)
    same = same && a.z == b.z;
  if constexpr (N > 3)
    same = same && a.w == b.w;
  return same;
}
template <class T, unsigned N>
constexpr __HOST_DEVICE__ bool operator!=(const HIP_vector_type<T, N>& a,
                                          const HIP_vector_type<T, N>& b) {
  return !(a == b);
}

#define __HIP_VECTOR(T, name)                                                                      \
  using name##1 = HIP_vector_type<T, 1>;                                                           \
  using name##2 = HIP_vector_type<T, 2>;                                                           \
  using name##3 = HIP_vector_type<T, 3>;                                                           \
  using name##4 = HIP_vector_type<T, 4>;                                                           \
  static __HOST_DEVICE__ name##1 make_##name##1(T x) {                                             \
    return name##1(x);                                                                             \
  }                                                                                                \
  static __HOST_DEVICE__ name##2 make_##name##2(T x, T y) {                                        \
    return name##2(x, y);                                                                          \
  }                                                                                                \
  static __HOST_DEVICE__ name##3 make_##name##3(T x, T y, T z) {                                   \
    return name##3(x, y, z);                                                                       \
  }                                                                                                \
  static __HOST_DEVICE__ name##4 make_##name##4(T x, T y, T z, T w) {                              \
    return name##4(x, y, z, w);                                                                    \
  }
__HIP_VECTOR(char, char)
__HIP_VECTOR(unsigned char, uchar)
__HIP_VECTOR(short, short)
__HIP_VECTOR(unsigned short, ushort)
__HIP_VECTOR(int, int)
__HIP_VECTOR(unsigned int, uint)
__HIP_VECTOR(long, long)
__HIP_VECTOR(unsigned long, ulong)
__HIP_VECTOR(long long, longlong)
__HIP_VECTOR(unsigned long long, ulonglong)
__HIP_VECTOR(float, float)
__HIP_VECTOR(double, double)
#undef __HIP_VECTOR
#undef __HOST_DEVICE__

#endif
