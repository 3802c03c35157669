// SPDX-License-Identifier: MIT
// Operations of streams as values: what the C API hands to `submit`, and what graphs record and
// replay.
#pragma once
#include "hip/kernel.h"
#include "hip/memory_table.h"
#include "hip/stream.h"
#include <hip/hip_runtime_api.h>
#include <memory>
#include <vector>

namespace pumice::hip {

struct Event;

class Op {
public:
  virtual ~Op() = default;
  virtual hipError_t run(Stream& stream) = 0;
  virtual hipGraphNodeType type() const = 0;
  virtual std::unique_ptr<Op> clone() const = 0;
};

/// A box of bytes: `height` rows of `width`, `depth` slices. 1-D copies have height = depth = 1.
struct CopyRegion {
  void* dst = nullptr;
  const void* src = nullptr;
  size_t width = 0, height = 1, depth = 1;
  size_t dst_pitch = 0, dst_slice = 0, src_pitch = 0, src_slice = 0;

  size_t bytes() const { return width * height * depth; }
  bool contiguous() const {
    return (height == 1 || (dst_pitch == width && src_pitch == width)) &&
           (depth == 1 || (dst_slice == width * height && src_slice == width * height));
  }
};

/// Does the copy on the calling thread, through HSA; both sides must be quiet.
hipError_t copy_now(const CopyRegion& region);
/// Waits for the stream, then copies.
hipError_t copy_sync(Stream& stream, const CopyRegion& region);
/// Fills `width` bytes per row with `value`, `element` bytes (1, 2 or 4) at a time.
struct FillRegion {
  void* dst = nullptr;
  unsigned value = 0;
  unsigned element = 1;
  size_t width = 0, height = 1, depth = 1; // bytes, rows, slices
  size_t pitch = 0, slice = 0;
};
hipError_t fill_now(const FillRegion& region);
/// Agent that owns the memory at `p`; the CPU agent for unknown addresses. `pageable` tells memory
/// that is not pinned.
hsa_agent_t agent_of(const void* p, bool* pageable);

#define PUMICE_OP(name, node_type)                                                                 \
  hipError_t run(Stream& stream) override;                                                         \
  hipGraphNodeType type() const override {                                                         \
    return node_type;                                                                              \
  }                                                                                                \
  std::unique_ptr<Op> clone() const override {                                                     \
    return std::make_unique<name>(*this);                                                          \
  }

struct CopyOp final : Op {
  explicit CopyOp(const CopyRegion& r) : region(r) {}
  CopyRegion region;
  hipMemcpy3DParms parms{}; // as the graph API sees it, when it was given so
  PUMICE_OP(CopyOp, hipGraphNodeTypeMemcpy)
};

struct FillOp final : Op {
  explicit FillOp(const FillRegion& r) : region(r) {}
  FillRegion region;
  PUMICE_OP(FillOp, hipGraphNodeTypeMemset)
};

struct HostOp final : Op {
  HostOp(hipHostFn_t f, void* d) : fn(f), data(d) {}
  hipHostFn_t fn;
  void* data;
  PUMICE_OP(HostOp, hipGraphNodeTypeHost)
};

struct KernelOp final : Op {
  hipFunction_t function = nullptr; // Kernel*
  const void* host_function = nullptr;
  LaunchParams launch; // `packed` points into `arguments`
  std::vector<uint8_t> arguments;
  KernelOp() = default;
  KernelOp(const KernelOp& o)
      : function(o.function), host_function(o.host_function), launch(o.launch),
        arguments(o.arguments) {
    launch.packed = arguments.data();
  }
  /// Copies the arguments that `p` points at.
  explicit KernelOp(const LaunchParams& p);
  PUMICE_OP(KernelOp, hipGraphNodeTypeKernel)
};

struct EventRecordOp final : Op {
  explicit EventRecordOp(Event* e) : event(e) {}
  Event* event;
  PUMICE_OP(EventRecordOp, hipGraphNodeTypeEventRecord)
};

struct EventWaitOp final : Op {
  explicit EventWaitOp(Event* e) : event(e) {}
  Event* event;
  PUMICE_OP(EventWaitOp, hipGraphNodeTypeWaitEvent)
};

struct EmptyOp final : Op {
  PUMICE_OP(EmptyOp, hipGraphNodeTypeEmpty)
};

struct AllocOp final : Op {
  void* address = nullptr; // reserved when the node is added, as the graph API promises
  size_t bytes = 0;
  PUMICE_OP(AllocOp, hipGraphNodeTypeMemAlloc)
};
struct FreeOp final : Op {
  explicit FreeOp(void* p) : address(p) {}
  void* address;
  PUMICE_OP(FreeOp, hipGraphNodeTypeMemFree)
};

/// True while operations of `stream` are recorded instead of run.
bool capturing(const Stream& stream);
/// Records `op` as a node after the stream's frontier.
hipError_t capture_op(Stream& stream, std::unique_ptr<Op> op);

template <class O> hipError_t submit(Stream& stream, O&& op) {
  if (__builtin_expect(capturing(stream), 0))
    return capture_op(stream, op.clone());
  return op.run(stream);
}
inline hipError_t submit_launch(Stream& stream, const LaunchParams& p) {
  if (__builtin_expect(capturing(stream), 0))
    return capture_op(stream, std::make_unique<KernelOp>(p));
  return stream.launch(p);
}

} // namespace pumice::hip
