// SPDX-License-Identifier: MIT
// Symptom: translation of `del` at -O3 for MI210 never ended (its EXEC is of one lane, comes back from two halves in lanes of a VGPR,
// and pieces of it mask stores). The kernels' shape is what matters here: whatever is changed in them hides the fault.
#include "check.h"

struct S {
  int id;
  __device__ virtual int kind() const { return 0; }
};
typedef float (*fn)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ fn tab[1] = {add};
__global__ void use(S** p, S** q, int* k, int* m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = (i * 37) % n;
  k[i] = p[j]->kind();
  m[i] = q[j] ? q[j]->kind() : 0;
}
__global__ void del(S** p, int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i]->kind();
}
__global__ void make(S* objects, S** p, S** q) {
  p[threadIdx.x] = new (objects + threadIdx.x) S;
  q[threadIdx.x] = threadIdx.x % 2 ? p[threadIdx.x] : nullptr;
}

int main() {
  const int n = 64;
  S* objects;
  CK(hipMalloc(&objects, n * sizeof(S)));
  S** p = up(std::vector<S*>(n));
  S** q = up(std::vector<S*>(n));
  int* k = up(std::vector<int>(n, -1));
  int* m = up(std::vector<int>(n, -1));
  del<<<1, 1>>>(p, k, 0);
  make<<<1, n>>>(objects, p, q);
  del<<<1, n>>>(p, k, n);
  use<<<1, n>>>(p, q, k, m, n);
  for (int x : down(k, n)) EXPECT(x == 0, "%d", x);
  for (int x : down(m, n)) EXPECT(x == 0, "%d", x);
  DONE();
}
