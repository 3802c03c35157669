// SPDX-License-Identifier: MIT
// Objects with virtual functions made and used on the device, function pointers in tables, recursion over a tree.
#include "check.h"
#include <new>

struct Shape {
  int tag;
  __device__ explicit Shape(int t) : tag(t) {}
  __device__ virtual double area() const = 0;
  __device__ virtual int corners() const { return tag; }
  __device__ virtual ~Shape() {}
};
struct Box : Shape {
  double w, h;
  __device__ Box(double a, double b) : Shape(4), w(a), h(b) {}
  __device__ double area() const override { return w * h; }
};
struct Tilted : Box {
  using Box::Box;
  __device__ double area() const override { return Box::area() * 0.5; }
  __device__ int corners() const override { return Box::corners() - 1; }
};
struct Ring : Shape {
  double r;
  __device__ explicit Ring(double x) : Shape(0), r(x) {}
  __device__ double area() const override { return 3 * r * r; }
};

__device__ Shape* make(void* place, int i) {
  switch (i % 3) {
  case 0: return new (place) Box(i, 2);
  case 1: return new (place) Tilted(i, 4);
  default: return new (place) Ring(i);
  }
}

struct Node {
  int left, right, value;
};
__host__ __device__ int depth_sum(const Node* tree, int at, int depth) {
  if (at < 0)
    return 0;
  const Node& n = tree[at];
  int below = depth_sum(tree, n.left, depth + 1);
  if (n.value % 4 == 3)
    return below - n.value;
  return below + n.value * depth + depth_sum(tree, n.right, depth + 1);
}
__host__ __device__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

typedef int (*Unary)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int negate(int x) { return -x; }
__device__ Unary table[3] = {twice, square, negate};

__global__ void shapes(double* area, int* extra, const Node* tree, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  alignas(16) char place[sizeof(Box) + sizeof(Ring)];
  Shape* s = make(place, i);
  area[i] = s->area();
  extra[i] = s->corners() + table[(i * 7) % 3](i) + depth_sum(tree, i % 15, 1) + (int)ackermann(i % 3, i % 4);
  s->~Shape();
}

int main() {
  const int n = 300;
  std::vector<Node> tree(15);
  for (int k = 0; k < 15; k++)
    tree[k] = {2 * k + 1 < 15 ? 2 * k + 1 : -1, 2 * k + 2 < 15 ? 2 * k + 2 : -1, k * 5 + 1};
  std::vector<double> area(n);
  std::vector<int> extra(n);
  double* da = up(area);
  int* de = up(extra);
  shapes<<<5, 64>>>(da, de, up(tree), n);
  area = down(da, n), extra = down(de, n);
  for (int i = 0; i < n; i++) {
    double want = i % 3 == 0 ? i * 2.0 : i % 3 == 1 ? i * 4.0 * 0.5 : 3.0 * i * i;
    int corners = i % 3 == 0 ? 4 : i % 3 == 1 ? 3 : 0, f = (i * 7) % 3;
    int e = corners + (f == 0 ? 2 * i : f == 1 ? i * i : -i) + depth_sum(tree.data(), i % 15, 1) + (int)ackermann(i % 3, i % 4);
    EXPECT(area[i] == want, "area %d: %g want %g", i, area[i], want);
    EXPECT(extra[i] == e, "extra %d: %d want %d", i, extra[i], e);
  }
  DONE();
}
