// SPDX-License-Identifier: MIT
// Graph nodes: adding them and their parameters, in graphs and executable graphs.
#include "hip/device.h"
#include "hip/event.h"
#include "hip/graph.h"
#include "hip/graph_handles.h"
#include "hip/memory.h"
#include "hip/module.h"
#include "hip/runtime.h"
#include <cstring>

using namespace pumice::hip;

namespace {

template <class F> hipError_t locked(F&& f) {
  return api([&] {
    std::lock_guard lock(graph_mutex());
    return f();
  });
}

hipError_t add(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
               std::unique_ptr<Op> op) {
  Graph* g = as_graph(graph);
  if (!out || !g || (count && !deps))
    return hipErrorInvalidValue;
  std::vector<GraphNode*> list;
  for (size_t i = 0; i < count; ++i) {
    GraphNode* d = as_node(deps[i]);
    if (!g->contains(d))
      return hipErrorInvalidValue;
    for (GraphNode* other : list)
      if (other == d)
        return hipErrorInvalidValue;
    list.push_back(d);
  }
  *out = as_handle(g->add(std::move(op), list));
  return hipSuccess;
}

template <class O> O* op_of(hipGraphNode_t node) {
  return node ? dynamic_cast<O*>(as_node(node)->op.get()) : nullptr;
}
template <class O> O* op_of(hipGraphExec_t exec, hipGraphNode_t node) {
  GraphExec* e = as_exec(exec);
  if (!e || !node || as_node(node)->index >= e->graph->nodes.size())
    return nullptr;
  return dynamic_cast<O*>(e->graph->nodes[as_node(node)->index]->op.get());
}

hipError_t kernel_op(const hipKernelNodeParams* p, std::unique_ptr<KernelOp>* out) {
  if (!p || !p->func || (p->kernelParams && p->extra))
    return hipErrorInvalidValue;
  Kernel* k = nullptr;
  if (find_kernel(p->func, current_device(), &k) != hipSuccess)
    k = reinterpret_cast<Kernel*>(p->func);
  LaunchParams l;
  l.kernel = k;
  const dim3 *g = &p->gridDim, *b = &p->blockDim;
  l.blocks[0] = g->x, l.blocks[1] = g->y, l.blocks[2] = g->z;
  l.threads[0] = b->x, l.threads[1] = b->y, l.threads[2] = b->z;
  l.dynamic_lds = p->sharedMemBytes;
  l.args = p->kernelParams;
  if (p->extra) {
    for (void** e = p->extra; *e != HIP_LAUNCH_PARAM_END; e += 2)
      if (*e == HIP_LAUNCH_PARAM_BUFFER_POINTER)
        l.packed = e[1];
    l.packed_bytes = k->explicit_bytes();
  }
  if (!l.args && !l.packed && k->explicit_count())
    return hipErrorInvalidValue;
  DispatchParams check;
  HIP_TRY(k->dispatch_params(l, check));
  *out = std::make_unique<KernelOp>(l);
  (*out)->host_function = p->func;
  return hipSuccess;
}

hipError_t copy_region(const hipMemcpy3DParms* p, CopyRegion* out) {
  if (!p)
    return hipErrorInvalidValue;
  if (p->srcArray || p->dstArray)
    return hipErrorNotSupported;
  if (!p->srcPtr.ptr || !p->dstPtr.ptr)
    return hipErrorInvalidValue;
  out->width = p->extent.width;
  out->height = p->extent.height;
  out->depth = p->extent.depth;
  out->src_pitch = p->srcPtr.pitch;
  out->dst_pitch = p->dstPtr.pitch;
  out->src_slice = p->srcPtr.pitch * p->srcPtr.ysize;
  out->dst_slice = p->dstPtr.pitch * p->dstPtr.ysize;
  out->src = static_cast<const uint8_t*>(p->srcPtr.ptr) + p->srcPos.z * out->src_slice +
             p->srcPos.y * out->src_pitch + p->srcPos.x;
  out->dst = static_cast<uint8_t*>(p->dstPtr.ptr) + p->dstPos.z * out->dst_slice +
             p->dstPos.y * out->dst_pitch + p->dstPos.x;
  return hipSuccess;
}

CopyRegion linear(void* dst, const void* src, size_t bytes) {
  CopyRegion r;
  r.dst = dst;
  r.src = src;
  r.width = bytes;
  return r;
}

hipError_t fill_region(const hipMemsetParams* p, FillRegion* r) {
  if (!p || !p->dst || p->width == 0 || p->height == 0)
    return hipErrorInvalidValue;
  if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
    return hipErrorInvalidValue;
  r->dst = p->dst;
  r->value = p->value;
  r->element = p->elementSize;
  r->width = p->width * p->elementSize;
  r->height = p->height;
  r->pitch = p->height > 1 ? p->pitch : r->width;
  r->slice = r->pitch * r->height;
  return hipSuccess;
}
hipMemsetParams fill_params(const FillRegion& r) {
  hipMemsetParams p{};
  p.dst = r.dst;
  p.elementSize = r.element;
  p.height = r.height;
  p.pitch = r.pitch;
  p.value = r.value;
  p.width = r.width / r.element;
  return p;
}

hipError_t symbol_address(const void* symbol, size_t count, size_t offset, void** at) {
  DeviceVariable v;
  HIP_TRY(find_variable(symbol, current_device(), &v));
  if (offset > v.size || count > v.size - offset)
    return hipErrorInvalidValue;
  *at = static_cast<uint8_t*>(v.address) + offset;
  return hipSuccess;
}

hipError_t set_kernel(KernelOp* op, const hipKernelNodeParams* p) {
  if (!op)
    return hipErrorInvalidValue;
  std::unique_ptr<KernelOp> fresh;
  HIP_TRY(kernel_op(p, &fresh));
  op->arguments = fresh->arguments;
  op->launch = fresh->launch;
  op->launch.packed = op->arguments.data();
  op->function = fresh->function;
  op->host_function = fresh->host_function;
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* deps,
                                size_t count) {
  return locked([&] { return add(node, graph, deps, count, std::make_unique<EmptyOp>()); });
}
hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* deps,
                                 size_t count, const hipKernelNodeParams* params) {
  return locked([&] {
    std::unique_ptr<KernelOp> op;
    HIP_TRY(kernel_op(params, &op));
    return add(node, graph, deps, count, std::move(op));
  });
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* params) {
  return locked([&] {
    auto* op = op_of<KernelOp>(node);
    if (!op || !params)
      return hipErrorInvalidValue;
    *params = {};
    params->func = const_cast<void*>(op->host_function ? op->host_function
                                                       : static_cast<const void*>(op->function));
    params->gridDim = dim3(op->launch.blocks[0], op->launch.blocks[1], op->launch.blocks[2]);
    params->blockDim = dim3(op->launch.threads[0], op->launch.threads[1], op->launch.threads[2]);
    params->sharedMemBytes = op->launch.dynamic_lds;
    // Pointers into the node's own copy of the arguments.
    thread_local std::vector<void*> list;
    list.clear();
    for (const auto& a : op->launch.kernel->metadata().args)
      if (!a.hidden())
        list.push_back(op->arguments.data() + a.offset);
    params->kernelParams = list.data();
    return hipSuccess;
  });
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* params) {
  return locked([&] { return set_kernel(op_of<KernelOp>(node), params); });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
  return locked([&] { return set_kernel(op_of<KernelOp>(exec, node), params); });
}
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipLaunchAttributeID,
                                          const hipLaunchAttributeValue* value) {
  return locked([&] { return op_of<KernelOp>(node) && value ? hipSuccess : hipErrorInvalidValue; });
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipLaunchAttributeID,
                                          hipLaunchAttributeValue* value) {
  return locked([&] {
    if (!op_of<KernelOp>(node) || !value)
      return hipErrorInvalidValue;
    *value = {};
    return hipSuccess;
  });
}
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t src, hipGraphNode_t dst) {
  return locked([&] {
    return op_of<KernelOp>(src) && op_of<KernelOp>(dst) ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* deps,
                                 size_t count, const hipMemcpy3DParms* params) {
  return locked([&] {
    CopyRegion r;
    HIP_TRY(copy_region(params, &r));
    auto op = std::make_unique<CopyOp>(r);
    op->parms = *params;
    return add(node, graph, deps, count, std::move(op));
  });
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* params) {
  return locked([&] {
    auto* op = op_of<CopyOp>(node);
    if (!op || !params)
      return hipErrorInvalidValue;
    *params = op->parms;
    return hipSuccess;
  });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* params) {
  return locked([&] {
    auto* op = op_of<CopyOp>(node);
    if (!op)
      return hipErrorInvalidValue;
    CopyRegion r;
    HIP_TRY(copy_region(params, &r));
    op->region = r;
    op->parms = *params;
    return hipSuccess;
  });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms* params) {
  return locked([&] {
    auto* op = op_of<CopyOp>(exec, node);
    if (!op)
      return hipErrorInvalidValue;
    CopyRegion r;
    HIP_TRY(copy_region(params, &r));
    op->region = r;
    return hipSuccess;
  });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph,
                                   const hipGraphNode_t* deps, size_t count, void* dst,
                                   const void* src, size_t bytes, hipMemcpyKind) {
  return locked([&] {
    if (!dst || !src || bytes == 0)
      return hipErrorInvalidValue;
    return add(node, graph, deps, count, std::make_unique<CopyOp>(linear(dst, src, bytes)));
  });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src,
                                         size_t bytes, hipMemcpyKind) {
  return locked([&] {
    auto* op = op_of<CopyOp>(node);
    if (!op || !dst || !src || bytes == 0)
      return hipErrorInvalidValue;
    op->region = linear(dst, src, bytes);
    return hipSuccess;
  });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* dst,
                                             const void* src, size_t bytes, hipMemcpyKind) {
  return locked([&] {
    auto* op = op_of<CopyOp>(exec, node);
    if (!op || !dst || !src || bytes == 0)
      return hipErrorInvalidValue;
    op->region = linear(dst, src, bytes);
    return hipSuccess;
  });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                           const hipGraphNode_t* deps, size_t count, void* dst,
                                           const void* symbol, size_t bytes, size_t offset,
                                           hipMemcpyKind) {
  return locked([&] {
    void* at = nullptr;
    if (!dst || bytes == 0)
      return hipErrorInvalidValue;
    HIP_TRY(symbol_address(symbol, bytes, offset, &at));
    return add(node, graph, deps, count, std::make_unique<CopyOp>(linear(dst, at, bytes)));
  });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                         const hipGraphNode_t* deps, size_t count,
                                         const void* symbol, const void* src, size_t bytes,
                                         size_t offset, hipMemcpyKind) {
  return locked([&] {
    void* at = nullptr;
    if (!src || bytes == 0)
      return hipErrorInvalidValue;
    HIP_TRY(symbol_address(symbol, bytes, offset, &at));
    return add(node, graph, deps, count, std::make_unique<CopyOp>(linear(at, src, bytes)));
  });
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* deps,
                                 size_t count, const hipMemsetParams* params) {
  return locked([&] {
    FillRegion r;
    HIP_TRY(fill_region(params, &r));
    return add(node, graph, deps, count, std::make_unique<FillOp>(r));
  });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* params) {
  return locked([&] {
    auto* op = op_of<FillOp>(node);
    if (!op || !params)
      return hipErrorInvalidValue;
    *params = fill_params(op->region);
    return hipSuccess;
  });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
  return locked([&] {
    auto* op = op_of<FillOp>(node);
    if (!op)
      return hipErrorInvalidValue;
    return fill_region(params, &op->region);
  });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams* params) {
  return locked([&] {
    auto* op = op_of<FillOp>(exec, node);
    if (!op)
      return hipErrorInvalidValue;
    return fill_region(params, &op->region);
  });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* deps,
                               size_t count, const hipHostNodeParams* params) {
  return locked([&] {
    if (!params || !params->fn)
      return hipErrorInvalidValue;
    return add(node, graph, deps, count, std::make_unique<HostOp>(params->fn, params->userData));
  });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* params) {
  return locked([&] {
    auto* op = op_of<HostOp>(node);
    if (!op || !params)
      return hipErrorInvalidValue;
    *params = {op->fn, op->data};
    return hipSuccess;
  });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* params) {
  return locked([&] {
    auto* op = op_of<HostOp>(node);
    if (!op || !params || !params->fn)
      return hipErrorInvalidValue;
    op->fn = params->fn;
    op->data = params->userData;
    return hipSuccess;
  });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams* params) {
  return locked([&] {
    auto* op = op_of<HostOp>(exec, node);
    if (!op || !params || !params->fn)
      return hipErrorInvalidValue;
    op->fn = params->fn;
    op->data = params->userData;
    return hipSuccess;
  });
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph,
                                     const hipGraphNode_t* deps, size_t count, hipGraph_t child) {
  return locked([&] {
    Graph* c = as_graph(child);
    if (!c || child == graph)
      return hipErrorInvalidValue;
    return add(node, graph, deps, count,
               std::make_unique<ChildGraphOp>(std::shared_ptr<Graph>(c->clone())));
  });
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* graph) {
  return locked([&] {
    auto* op = op_of<ChildGraphOp>(node);
    if (!op || !graph)
      return hipErrorInvalidValue;
    remember(op->graph.get());
    *graph = as_handle(op->graph.get());
    return hipSuccess;
  });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph,
                                      const hipGraphNode_t* deps, size_t count, hipEvent_t event) {
  return locked([&] {
    Event* e = resolve_event(event);
    return e ? add(node, graph, deps, count, std::make_unique<EventRecordOp>(e))
             : hipErrorInvalidValue;
  });
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph,
                                    const hipGraphNode_t* deps, size_t count, hipEvent_t event) {
  return locked([&] {
    Event* e = resolve_event(event);
    return e ? add(node, graph, deps, count, std::make_unique<EventWaitOp>(e))
             : hipErrorInvalidValue;
  });
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return locked([&] {
    auto* op = op_of<EventRecordOp>(node);
    if (!op || !event)
      return hipErrorInvalidValue;
    *event = reinterpret_cast<hipEvent_t>(op->event);
    return hipSuccess;
  });
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return locked([&] {
    auto* op = op_of<EventWaitOp>(node);
    if (!op || !event)
      return hipErrorInvalidValue;
    *event = reinterpret_cast<hipEvent_t>(op->event);
    return hipSuccess;
  });
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return locked([&] {
    auto* op = op_of<EventRecordOp>(node);
    Event* e = resolve_event(event);
    if (!op || !e)
      return hipErrorInvalidValue;
    op->event = e;
    return hipSuccess;
  });
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return locked([&] {
    auto* op = op_of<EventWaitOp>(node);
    Event* e = resolve_event(event);
    if (!op || !e)
      return hipErrorInvalidValue;
    op->event = e;
    return hipSuccess;
  });
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipEvent_t event) {
  return locked([&] {
    auto* op = op_of<EventRecordOp>(exec, node);
    Event* e = resolve_event(event);
    if (!op || !e)
      return hipErrorInvalidValue;
    op->event = e;
    return hipSuccess;
  });
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                             hipEvent_t event) {
  return locked([&] {
    auto* op = op_of<EventWaitOp>(exec, node);
    Event* e = resolve_event(event);
    if (!op || !e)
      return hipErrorInvalidValue;
    op->event = e;
    return hipSuccess;
  });
}

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph,
                                   const hipGraphNode_t* deps, size_t count,
                                   hipMemAllocNodeParams* params) {
  return locked([&] {
    Graph* g = as_graph(graph);
    if (!g || !params || params->bytesize == 0)
      return hipErrorInvalidValue;
    int device = params->poolProps.location.id;
    if (!Runtime::get().valid(device))
      return hipErrorInvalidDevice;
    auto op = std::make_unique<AllocOp>();
    HIP_TRY(allocate_device(*Runtime::get().devices[static_cast<size_t>(device)], params->bytesize,
                            0, &op->address));
    op->bytes = params->bytesize;
    params->dptr = op->address;
    g->allocations.push_back(op->address);
    return add(node, graph, deps, count, std::move(op));
  });
}
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph,
                                  const hipGraphNode_t* deps, size_t count, void* ptr) {
  return locked([&] {
    if (!ptr)
      return hipErrorInvalidValue;
    // The memory stays reserved for the next launch; the graph frees it.
    return add(node, graph, deps, count, std::make_unique<EmptyOp>());
  });
}
}
