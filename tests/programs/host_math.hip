// SPDX-License-Identifier: MIT
// Double and single precision math against libm; exact where IEEE 754 says so.
#include "check.h"
__global__ void k(const double* x, double* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i];
  double* r = o + i * 16;
  r[0] = sin(a);
  r[1] = cos(a);
  r[2] = exp(a * .1);
  r[3] = log(fabs(a) + 1e-3);
  r[4] = sqrt(fabs(a));
  r[5] = pow(fabs(a) + .1, 1.7);
  r[6] = tan(a * .3);
  r[7] = atan(a);
  r[8] = sinh(a * .1);
  r[9] = tanh(a);
  r[10] = erf(a * .2);
  r[11] = cbrt(a);
  r[12] = 1.0 / (a + .01);
  r[13] = fmod(a, 3.3);
  r[14] = lgamma(fabs(a) + 1);
  r[15] = rint(a) + floor(a) * ceil(a);
}
__global__ void kf(const float* x, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i];
  float* r = o + i * 16;
  r[0] = sinf(a);
  r[1] = cosf(a);
  r[2] = expf(a * .1f);
  r[3] = logf(fabsf(a) + 1e-3f);
  r[4] = sqrtf(fabsf(a));
  r[5] = powf(fabsf(a) + .1f, 1.7f);
  r[6] = tanf(a * .3f);
  r[7] = atanf(a);
  r[8] = sinhf(a * .1f);
  r[9] = tanhf(a);
  r[10] = erff(a * .2f);
  r[11] = cbrtf(a);
  r[12] = 1.0f / (a + .01f);
  r[13] = fmodf(a, 3.3f);
  r[14] = __expf(a * .1f) + __logf(fabsf(a) + 1.f);
  r[15] = rsqrtf(fabsf(a) + 1.f);
}
int main() {
  int n = 2000;
  std::vector<double> x(n), o(n * 16);
  std::vector<float> xf(n), of(n * 16);
  for (int i = 0; i < n; i++)
    x[i] = (i - 1000) * .0537, xf[i] = x[i];
  double *dx = up(x), *dd = up(o);
  float *fx = up(xf), *fo = up(of);
  k<<<(n + 127) / 128, 128>>>(dx, dd, n);
  kf<<<(n + 127) / 128, 128>>>(fx, fo, n);
  o = down(dd, n * 16);
  of = down(fo, n * 16);
  for (int i = 0; i < n; i++) {
    double a = x[i];
    double r[16] = {sin(a),
                    cos(a),
                    exp(a * .1),
                    log(fabs(a) + 1e-3),
                    sqrt(fabs(a)),
                    pow(fabs(a) + .1, 1.7),
                    tan(a * .3),
                    atan(a),
                    sinh(a * .1),
                    tanh(a),
                    erf(a * .2),
                    cbrt(a),
                    1.0 / (a + .01),
                    fmod(a, 3.3),
                    lgamma(fabs(a) + 1),
                    rint(a) + floor(a) * ceil(a)};
    for (int q = 0; q < 16; q++) {
      double e = fabs(o[i * 16 + q] - r[q]);
      EXPECT(e <= 4e-15 * fabs(r[q]) + (q == 14 ? 1e-14 : 1e-15), "d%d %g %.17g %.17g", q, a,
             o[i * 16 + q], r[q]);
      if (q == 4 || q == 12 || q == 13 || q == 15)
        EXPECT(e == 0, "exact d%d %g %.17g %.17g", q, a, o[i * 16 + q], r[q]);
    }
    float b = xf[i];
    double s[16] = {sin((double)b),
                    cos((double)b),
                    exp((double)(b * .1f)),
                    log((double)(fabsf(b) + 1e-3f)),
                    sqrtf(fabsf(b)),
                    pow((double)(fabsf(b) + .1f), (double)1.7f),
                    tan((double)(b * .3f)),
                    atan((double)b),
                    sinh((double)(b * .1f)),
                    tanh((double)b),
                    erf((double)(b * .2f)),
                    cbrt((double)b),
                    1.0f / (b + .01f),
                    fmodf(b, 3.3f),
                    exp((double)(b * .1f)) + log((double)(fabsf(b) + 1.f)),
                    1 / sqrt((double)fabsf(b) + 1)};
    for (int q = 0; q < 16; q++) {
      double e = fabs(of[i * 16 + q] - s[q]);
      EXPECT(e <= 6e-7 * fabs(s[q]) + 1e-7, "f%d %g %.9g %.9g", q, b, of[i * 16 + q], s[q]);
      if (q == 4 || q == 12 || q == 13)
        EXPECT(of[i * 16 + q] == (float)s[q], "exact f%d %g %.9g %.9g", q, b, of[i * 16 + q], s[q]);
    }
  }
  DONE();
}
