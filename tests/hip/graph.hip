// SPDX-License-Identifier: MIT
// Graphs: captured from streams, built by hand, updated, launched many times.
#include "check.h"

__global__ void add(int* p, int v) { atomicAdd(p, v); }
__global__ void multiply(int* p, int v) { *p *= v; }

int main() {
  int *p = nullptr, *q = nullptr;
  HIP(hipMalloc(&p, 4));
  HIP(hipMalloc(&q, 4));
  hipStream_t s, t;
  HIP(hipStreamCreate(&s));
  HIP(hipStreamCreate(&t));
  hipEvent_t fork, join;
  HIP(hipEventCreate(&fork));
  HIP(hipEventCreate(&join));
  int* pinned = nullptr;
  HIP(hipHostMalloc(&pinned, 8));

  HIP(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  HIP(hipMemsetAsync(p, 0, 4, s));
  HIP(hipMemsetAsync(q, 0, 4, s));
  HIP(hipEventRecord(fork, s));
  HIP(hipStreamWaitEvent(t, fork, 0));
  add<<<1, 64, 0, s>>>(p, 2);
  add<<<1, 64, 0, t>>>(q, 3);
  HIP(hipEventRecord(join, t));
  HIP(hipStreamWaitEvent(s, join, 0));
  multiply<<<1, 1, 0, s>>>(p, 10);
  HIP(hipMemcpyAsync(pinned, p, 4, hipMemcpyDeviceToHost, s));
  HIP(hipMemcpyAsync(pinned + 1, q, 4, hipMemcpyDeviceToHost, s));
  hipStreamCaptureStatus status;
  HIP(hipStreamIsCapturing(t, &status));
  CHECK_EQ(status, hipStreamCaptureStatusActive);
  hipGraph_t graph;
  HIP(hipStreamEndCapture(s, &graph));
  HIP(hipStreamIsCapturing(t, &status));
  CHECK_EQ(status, hipStreamCaptureStatusNone);
  size_t nodes = 0;
  HIP(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQ(nodes, size_t(7));
  hipGraphExec_t exec;
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) {
    pinned[0] = pinned[1] = 0;
    HIP(hipGraphLaunch(exec, s));
    HIP(hipStreamSynchronize(s));
    CHECK_EQ(pinned[0], 1280);
    CHECK_EQ(pinned[1], 192);
  }
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));

  // By hand: memset -> kernel -> host function and copy.
  HIP(hipGraphCreate(&graph, 0));
  hipMemsetParams fill{};
  fill.dst = p;
  fill.elementSize = 4;
  fill.width = 1;
  fill.height = 1;
  fill.value = 5;
  hipGraphNode_t a, b, c, d;
  HIP(hipGraphAddMemsetNode(&a, graph, nullptr, 0, &fill));
  int value = 4;
  void* args[] = {&p, &value};
  hipKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(multiply);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = args;
  HIP(hipGraphAddKernelNode(&b, graph, &a, 1, &kernel));
  HIP(hipGraphAddMemcpyNode1D(&c, graph, nullptr, 0, pinned, p, 4, hipMemcpyDeviceToHost));
  HIP(hipGraphAddDependencies(graph, &b, &c, 1));
  static int calls = 0;
  hipHostNodeParams host{[](void*) { ++calls; }, nullptr};
  HIP(hipGraphAddHostNode(&d, graph, &c, 1, &host));
  hipGraphNodeType type;
  HIP(hipGraphNodeGetType(b, &type));
  CHECK_EQ(type, hipGraphNodeTypeKernel);
  size_t roots = 0;
  HIP(hipGraphGetRootNodes(graph, nullptr, &roots));
  CHECK_EQ(roots, size_t(1));
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP(hipGraphLaunch(exec, s));
  HIP(hipStreamSynchronize(s));
  CHECK_EQ(pinned[0], 20);
  CHECK_EQ(calls, 1);
  value = 6;
  HIP(hipGraphExecKernelNodeSetParams(exec, b, &kernel));
  HIP(hipGraphLaunch(exec, nullptr));
  HIP(hipDeviceSynchronize());
  CHECK_EQ(pinned[0], 30);
  CHECK_EQ(calls, 2);
  // A cycle cannot be instantiated.
  HIP(hipGraphAddDependencies(graph, &d, &a, 1));
  hipGraphExec_t bad;
  CHECK(hipGraphInstantiate(&bad, graph, nullptr, nullptr, 0) != hipSuccess);
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));
  EXPECT_ERROR(hipStreamEndCapture(s, &graph), hipErrorIllegalState);
  EXPECT_ERROR(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  return finish();
}
