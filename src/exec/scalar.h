// SPDX-License-Identifier: MIT
// Runner for scalar ALU bodies: `R f(Wave&, Args...)` on the operands' values. Internal to the
// room.
#pragma once
#include "exec/state.h"

namespace pumice::exec {

/// Result that also sets SCC.
template <class T> struct WithScc {
  T value;
  bool scc;
};
/// SCC = result is not zero.
template <class T> WithScc<T> nonzero(T v) {
  return {v, v != 0};
}

template <class F, class R, class... Args> struct ScalarRunner {
  static void run(Wave& w, const Inst& i) { step(w, i, std::index_sequence_for<Args...>{}); }

private:
  template <class T> struct IsWithScc : std::false_type {};
  template <class T> struct IsWithScc<WithScc<T>> : std::true_type {};
  template <class T> static T read(Wave& w, const Inst& i, unsigned n) {
    uint64_t v = read_scalar(w, i, i.src[n]);
    if constexpr (kIs64<T>)
      return static_cast<T>(v);
    else
      return static_cast<T>(static_cast<uint32_t>(v));
  }
  template <size_t... N> static void step(Wave& w, const Inst& i, std::index_sequence<N...>) {
    if constexpr (std::is_void_v<R>) {
      F{}(w, read<Args>(w, i, N)...);
    } else {
      R r = F{}(w, read<Args>(w, i, N)...);
      if constexpr (std::is_same_v<R, bool>) {
        w.scc = r;
      } else if constexpr (IsWithScc<R>::value) {
        write_scalar(w, i.dst[0], static_cast<uint64_t>(r.value));
        w.scc = r.scc;
      } else {
        write_scalar(w, i.dst[0], static_cast<uint64_t>(r));
      }
    }
  }
};
template <class F> struct ScalarSignature : ScalarSignature<decltype(&F::operator())> {};
template <class C, class R, class... A> struct ScalarSignature<R (C::*)(Wave&, A...) const> {
  template <class F> using runner = ScalarRunner<F, R, A...>;
};
/// Binds a body that returns its result, a WithScc, a bool (SCC only) or nothing.
template <class F> void bind_scalar(Bodies& b, Op op, F) {
  b.bind(op, &ScalarSignature<F>::template runner<F>::run);
}

} // namespace pumice::exec
