// SPDX-License-Identifier: MIT
// Vector compares into a lane mask; v_cmpx also writes EXEC (the runner does).
#include "exec/state.h"

namespace pumice::exec {
namespace {

template <class T, class F> void bind_float_compare(Bodies& b, Op op, F) {
  bind_lane(b, op,
            [](Context& c, T x, T y) { return F{}(value_of(c.fp.in(x)), value_of(c.fp.in(y))); });
}
template <class T, class F> void bind_int_compare(Bodies& b, Op op, F) {
  bind_lane(b, op, [](Context&, T x, T y) { return F{}(x, y); });
}

// One row of the sixteen float conditions, for v_cmp_* and v_cmpx_*.
#define FLOAT_FAMILY(T, t, X)                                                                      \
  bind_float_compare<T>(b, Op::v_cmp##X##_f_##t, [](double, double) { return false; });            \
  bind_float_compare<T>(b, Op::v_cmp##X##_lt_##t, [](double x, double y) { return x < y; });       \
  bind_float_compare<T>(b, Op::v_cmp##X##_eq_##t, [](double x, double y) { return x == y; });      \
  bind_float_compare<T>(b, Op::v_cmp##X##_le_##t, [](double x, double y) { return x <= y; });      \
  bind_float_compare<T>(b, Op::v_cmp##X##_gt_##t, [](double x, double y) { return x > y; });       \
  bind_float_compare<T>(b, Op::v_cmp##X##_lg_##t,                                                  \
                        [](double x, double y) { return x < y || x > y; });                        \
  bind_float_compare<T>(b, Op::v_cmp##X##_ge_##t, [](double x, double y) { return x >= y; });      \
  bind_float_compare<T>(b, Op::v_cmp##X##_o_##t,                                                   \
                        [](double x, double y) { return x == x && y == y; });                      \
  bind_float_compare<T>(b, Op::v_cmp##X##_u_##t,                                                   \
                        [](double x, double y) { return x != x || y != y; });                      \
  bind_float_compare<T>(b, Op::v_cmp##X##_nge_##t, [](double x, double y) { return !(x >= y); });  \
  bind_float_compare<T>(b, Op::v_cmp##X##_nlg_##t,                                                 \
                        [](double x, double y) { return !(x < y || x > y); });                     \
  bind_float_compare<T>(b, Op::v_cmp##X##_ngt_##t, [](double x, double y) { return !(x > y); });   \
  bind_float_compare<T>(b, Op::v_cmp##X##_nle_##t, [](double x, double y) { return !(x <= y); });  \
  bind_float_compare<T>(b, Op::v_cmp##X##_neq_##t, [](double x, double y) { return !(x == y); });  \
  bind_float_compare<T>(b, Op::v_cmp##X##_nlt_##t, [](double x, double y) { return !(x < y); });   \
  bind_float_compare<T>(b, Op::v_cmp##X##_tru_##t, [](double, double) { return true; })

#define INT_FAMILY(T, t, X)                                                                        \
  bind_int_compare<T>(b, Op::v_cmp##X##_f_##t, [](T, T) { return false; });                        \
  bind_int_compare<T>(b, Op::v_cmp##X##_lt_##t, [](T x, T y) { return x < y; });                   \
  bind_int_compare<T>(b, Op::v_cmp##X##_eq_##t, [](T x, T y) { return x == y; });                  \
  bind_int_compare<T>(b, Op::v_cmp##X##_le_##t, [](T x, T y) { return x <= y; });                  \
  bind_int_compare<T>(b, Op::v_cmp##X##_gt_##t, [](T x, T y) { return x > y; });                   \
  bind_int_compare<T>(b, Op::v_cmp##X##_ne_##t, [](T x, T y) { return x != y; });                  \
  bind_int_compare<T>(b, Op::v_cmp##X##_ge_##t, [](T x, T y) { return x >= y; });                  \
  bind_int_compare<T>(b, Op::v_cmp##X##_t_##t, [](T, T) { return true; })

void bind_float(Bodies& b) {
  FLOAT_FAMILY(F16, f16, );
  FLOAT_FAMILY(F16, f16, x);
  FLOAT_FAMILY(float, f32, );
  FLOAT_FAMILY(float, f32, x);
  FLOAT_FAMILY(double, f64, );
  FLOAT_FAMILY(double, f64, x);
}
void bind_short(Bodies& b) {
  INT_FAMILY(int16_t, i16, );
  INT_FAMILY(int16_t, i16, x);
  INT_FAMILY(uint16_t, u16, );
  INT_FAMILY(uint16_t, u16, x);
}
void bind_word(Bodies& b) {
  INT_FAMILY(int32_t, i32, );
  INT_FAMILY(int32_t, i32, x);
  INT_FAMILY(uint32_t, u32, );
  INT_FAMILY(uint32_t, u32, x);
}
void bind_long(Bodies& b) {
  INT_FAMILY(int64_t, i64, );
  INT_FAMILY(int64_t, i64, x);
  INT_FAMILY(uint64_t, u64, );
  INT_FAMILY(uint64_t, u64, x);
}
#undef FLOAT_FAMILY
#undef INT_FAMILY

template <class T> void bind_class(Bodies& b, Op cmp, Op cmpx) {
  auto body = [](Context& c, T v, uint32_t set) { return (class_of(c.fp.in(v)) & set) != 0; };
  bind_lane(b, cmp, body);
  bind_lane(b, cmpx, body);
}

} // namespace

void bind_vopc(Bodies& b) {
  bind_float(b);
  bind_short(b);
  bind_word(b);
  bind_long(b);
  bind_class<float>(b, Op::v_cmp_class_f32, Op::v_cmpx_class_f32);
  bind_class<double>(b, Op::v_cmp_class_f64, Op::v_cmpx_class_f64);
  bind_class<F16>(b, Op::v_cmp_class_f16, Op::v_cmpx_class_f16);
}

} // namespace pumice::exec
