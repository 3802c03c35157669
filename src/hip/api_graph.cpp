// SPDX-License-Identifier: MIT
// Graphs: structure, instantiation, launch, stream capture. Node parameters are in
// api_graph_node.cpp.
#include "hip/device.h"
#include "hip/event.h"
#include "hip/graph.h"
#include "hip/graph_handles.h"
#include "hip/runtime.h"
#include <algorithm>

using namespace pumice::hip;

namespace {

template <class F> hipError_t locked(F&& f) {
  return api([&] {
    std::lock_guard lock(graph_mutex());
    return f();
  });
}

hipError_t instantiate(hipGraphExec_t* out, hipGraph_t handle, unsigned long long flags) {
  Graph* g = as_graph(handle);
  if (!out || !g)
    return hipErrorInvalidValue;
  auto exec = std::make_unique<GraphExec>();
  exec->graph = g->clone();
  exec->order = exec->graph->ordered();
  exec->flags = flags;
  if (exec->order.size() != exec->graph->nodes.size())
    return hipErrorInvalidValue; // a cycle
  *out = as_handle(exec.release());
  return hipSuccess;
}

hipError_t launch(hipGraphExec_t handle, hipStream_t stream) {
  GraphExec* exec = as_exec(handle);
  if (!exec)
    return hipErrorInvalidValue;
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  HIP_CHECK_STICKY(s->device());
  if (capturing(*s))
    return capture_op(*s,
                      std::make_unique<ChildGraphOp>(std::shared_ptr<Graph>(exec->graph->clone())));
  // One stream, topological order: every dependency holds.
  for (GraphNode* n : exec->order)
    if (n->enabled)
      HIP_TRY(n->op->run(*s));
  return hipSuccess;
}

hipError_t list_nodes(const std::vector<GraphNode*>& from, hipGraphNode_t* out, size_t* count) {
  if (!count)
    return hipErrorInvalidValue;
  if (!out) {
    *count = from.size();
    return hipSuccess;
  }
  size_t n = std::min(*count, from.size());
  for (size_t i = 0; i < n; ++i)
    out[i] = as_handle(from[i]);
  for (size_t i = n; i < *count; ++i)
    out[i] = nullptr;
  *count = from.size();
  return hipSuccess;
}

hipError_t capture_info(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                        hipGraph_t* graph, const hipGraphNode_t** dependencies, size_t* count) {
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  if (!status)
    return hipErrorInvalidValue;
  const Capture& c = s->capture;
  *status = !c.graph        ? hipStreamCaptureStatusNone
            : c.invalidated ? hipStreamCaptureStatusInvalidated
                            : hipStreamCaptureStatusActive;
  if (!c.graph)
    return hipSuccess;
  if (id)
    *id = c.id;
  if (graph)
    *graph = as_handle(c.graph);
  if (dependencies)
    *dependencies = reinterpret_cast<const hipGraphNode_t*>(c.frontier.data());
  if (count)
    *count = c.frontier.size();
  return hipSuccess;
}

hipStream_t per_thread(hipStream_t s) {
  return s ? s : hipStreamPerThread;
}

hipError_t begin(hipStream_t stream, hipStreamCaptureMode mode) {
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed)
    return hipErrorInvalidValue;
  return begin_capture(*s, mode, nullptr, {});
}
hipError_t end(hipStream_t stream, hipGraph_t* graph) {
  if (!graph)
    return hipErrorInvalidValue;
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  Graph* g = nullptr;
  hipError_t e = end_capture(*s, &g);
  if (g)
    remember(g);
  *graph = as_handle(g);
  return e;
}

struct UserObject {
  void* data;
  hipHostFn_t destroy;
  unsigned count;
};

} // namespace

namespace pumice::hip {
std::unordered_set<Graph*>& graph_handles() {
  static auto* s = new std::unordered_set<Graph*>;
  return *s;
}
std::unordered_set<GraphExec*>& exec_handles() {
  static auto* s = new std::unordered_set<GraphExec*>;
  return *s;
}
} // namespace pumice::hip

extern "C" {

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned int flags) {
  return locked([&] {
    if (!graph || flags)
      return hipErrorInvalidValue;
    auto* g = new Graph;
    remember(g);
    *graph = as_handle(g);
    return hipSuccess;
  });
}
hipError_t hipGraphDestroy(hipGraph_t graph) {
  return locked([&] {
    Graph* g = as_graph(graph);
    if (!g)
      return hipErrorInvalidValue;
    graph_handles().erase(g);
    delete g;
    return hipSuccess;
  });
}
hipError_t hipGraphClone(hipGraph_t* copy, hipGraph_t original) {
  return locked([&] {
    Graph* g = as_graph(original);
    if (!copy || !g)
      return hipErrorInvalidValue;
    Graph* c = g->clone().release();
    remember(c);
    *copy = as_handle(c);
    return hipSuccess;
  });
}
hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* error_node,
                               char* log, size_t size) {
  return locked([&] {
    if (error_node)
      *error_node = nullptr;
    if (log && size)
      *log = 0;
    return instantiate(exec, graph, 0);
  });
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph,
                                        unsigned long long flags) {
  return locked([&] {
    if (flags & ~0xfull)
      return hipErrorInvalidValue;
    return instantiate(exec, graph, flags);
  });
}
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* exec, hipGraph_t graph,
                                         hipGraphInstantiateParams* params) {
  return locked([&] {
    if (!params)
      return hipErrorInvalidValue;
    hipError_t e = instantiate(exec, graph, params->flags);
    params->errNode_out = nullptr;
    params->result_out = e == hipSuccess ? hipGraphInstantiateSuccess : hipGraphInstantiateError;
    return e;
  });
}
hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return locked([&] {
    GraphExec* e = as_exec(exec);
    if (!e)
      return hipErrorInvalidValue;
    exec_handles().erase(e);
    delete e;
    return hipSuccess;
  });
}
hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long* flags) {
  return locked([&] {
    GraphExec* e = as_exec(exec);
    if (!e || !flags)
      return hipErrorInvalidValue;
    *flags = e->flags;
    return hipSuccess;
  });
}
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  return locked([&] { return launch(exec, stream); });
}
hipError_t hipGraphLaunch_spt(hipGraphExec_t exec, hipStream_t stream) {
  return locked([&] { return launch(exec, per_thread(stream)); });
}
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return locked(
      [&] { return as_exec(exec) && resolve_stream(stream) ? hipSuccess : hipErrorInvalidValue; });
}
hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
  return locked([&] {
    GraphExec* e = as_exec(exec);
    Graph* g = as_graph(graph);
    if (!e || !g || !error_node || !result)
      return hipErrorInvalidValue;
    *error_node = nullptr;
    auto fail = [&](GraphNode* n, hipGraphExecUpdateResult why) {
      *error_node = as_handle(n);
      *result = why;
      return hipErrorGraphExecUpdateFailure;
    };
    if (g->nodes.size() != e->graph->nodes.size())
      return fail(nullptr, hipGraphExecUpdateErrorTopologyChanged);
    for (size_t i = 0; i < g->nodes.size(); ++i) {
      GraphNode *now = g->nodes[i].get(), *was = e->graph->nodes[i].get();
      if (now->op->type() != was->op->type())
        return fail(now, hipGraphExecUpdateErrorNodeTypeChanged);
      if (now->dependencies.size() != was->dependencies.size())
        return fail(now, hipGraphExecUpdateErrorTopologyChanged);
      for (size_t d = 0; d < now->dependencies.size(); ++d)
        if (now->dependencies[d]->index != was->dependencies[d]->index)
          return fail(now, hipGraphExecUpdateErrorTopologyChanged);
    }
    for (size_t i = 0; i < g->nodes.size(); ++i)
      e->graph->nodes[i]->op = g->nodes[i]->op->clone();
    *result = hipGraphExecUpdateSuccess;
    return hipSuccess;
  });
}

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                   const hipGraphNode_t* to, size_t count) {
  return locked([&] {
    Graph* g = as_graph(graph);
    if (!g || (count && (!from || !to)))
      return hipErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      GraphNode *a = as_node(from[i]), *b = as_node(to[i]);
      if (!g->contains(a) || !g->contains(b) || a == b)
        return hipErrorInvalidValue;
      if (std::find(b->dependencies.begin(), b->dependencies.end(), a) != b->dependencies.end())
        return hipErrorInvalidValue;
      b->dependencies.push_back(a);
      a->dependents.push_back(b);
    }
    return hipSuccess;
  });
}
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                      const hipGraphNode_t* to, size_t count) {
  return locked([&] {
    Graph* g = as_graph(graph);
    if (!g || (count && (!from || !to)))
      return hipErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      GraphNode *a = as_node(from[i]), *b = as_node(to[i]);
      if (!g->contains(a) || !g->contains(b))
        return hipErrorInvalidValue;
      if (std::erase(b->dependencies, a) == 0)
        return hipErrorInvalidValue;
      std::erase(a->dependents, b);
    }
    return hipSuccess;
  });
}
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  return locked([&] {
    Graph* g = as_graph(graph);
    if (!g)
      return hipErrorInvalidValue;
    std::vector<GraphNode*> all;
    for (const auto& n : g->nodes)
      all.push_back(n.get());
    return list_nodes(all, nodes, count);
  });
}
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  return locked([&] {
    Graph* g = as_graph(graph);
    if (!g)
      return hipErrorInvalidValue;
    std::vector<GraphNode*> roots;
    for (const auto& n : g->nodes)
      if (n->dependencies.empty())
        roots.push_back(n.get());
    return list_nodes(roots, nodes, count);
  });
}
hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to,
                            size_t* count) {
  return locked([&] {
    Graph* g = as_graph(graph);
    if (!g || !count || (!from != !to))
      return hipErrorInvalidValue;
    size_t n = 0;
    for (const auto& b : g->nodes)
      for (GraphNode* a : b->dependencies) {
        if (from && n < *count) {
          from[n] = as_handle(a);
          to[n] = as_handle(b.get());
        }
        ++n;
      }
    if (from)
      for (size_t i = n; i < *count; ++i)
        from[i] = to[i] = nullptr;
    *count = n;
    return hipSuccess;
  });
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* list, size_t* count) {
  return locked([&] {
    return node ? list_nodes(as_node(node)->dependencies, list, count) : hipErrorInvalidValue;
  });
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* list, size_t* count) {
  return locked([&] {
    return node ? list_nodes(as_node(node)->dependents, list, count) : hipErrorInvalidValue;
  });
}
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
  return locked([&] {
    if (!node || !type)
      return hipErrorInvalidValue;
    *type = as_node(node)->op->type();
    return hipSuccess;
  });
}
hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  return locked([&] {
    if (!node)
      return hipErrorInvalidValue;
    as_node(node)->graph->remove(as_node(node));
    return hipSuccess;
  });
}
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* found, hipGraphNode_t original,
                                   hipGraph_t clone) {
  return locked([&] {
    Graph* g = as_graph(clone);
    if (!found || !original || !g)
      return hipErrorInvalidValue;
    GraphNode* n = as_node(original);
    if (g->cloned_from != n->graph || n->index >= g->nodes.size())
      return hipErrorInvalidValue;
    *found = as_handle(g->nodes[n->index].get());
    return hipSuccess;
  });
}
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int enabled) {
  return locked([&] {
    GraphExec* e = as_exec(exec);
    if (!e || !node || as_node(node)->index >= e->graph->nodes.size())
      return hipErrorInvalidValue;
    e->graph->nodes[as_node(node)->index]->enabled = enabled != 0;
    return hipSuccess;
  });
}
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned int* enabled) {
  return locked([&] {
    GraphExec* e = as_exec(exec);
    if (!e || !node || !enabled || as_node(node)->index >= e->graph->nodes.size())
      return hipErrorInvalidValue;
    *enabled = e->graph->nodes[as_node(node)->index]->enabled;
    return hipSuccess;
  });
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return locked([&] { return begin(stream, mode); });
}
hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return locked([&] { return begin(per_thread(stream), mode); });
}
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t* dependencies, const hipGraphEdgeData*,
                                        size_t count, hipStreamCaptureMode mode) {
  return locked([&] {
    Stream* s = resolve_stream(stream);
    Graph* g = as_graph(graph);
    if (!s)
      return hipErrorInvalidHandle;
    if (!g || (count && !dependencies))
      return hipErrorInvalidValue;
    std::vector<GraphNode*> deps;
    for (size_t i = 0; i < count; ++i)
      deps.push_back(as_node(dependencies[i]));
    return begin_capture(*s, mode, g, deps);
  });
}
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return locked([&] { return end(stream, graph); });
}
hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t* graph) {
  return locked([&] { return end(per_thread(stream), graph); });
}
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return locked([&] { return capture_info(stream, status, nullptr, nullptr, nullptr, nullptr); });
}
hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus* status) {
  return hipStreamIsCapturing(per_thread(stream), status);
}
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status,
                                   unsigned long long* id) {
  return locked([&] { return capture_info(stream, status, id, nullptr, nullptr, nullptr); });
}
hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                       unsigned long long* id) {
  return hipStreamGetCaptureInfo(per_thread(stream), status, id);
}
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status,
                                      unsigned long long* id, hipGraph_t* graph,
                                      const hipGraphNode_t** dependencies, size_t* count) {
  return locked([&] { return capture_info(stream, status, id, graph, dependencies, count); });
}
hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                          unsigned long long* id, hipGraph_t* graph,
                                          const hipGraphNode_t** dependencies, size_t* count) {
  return hipStreamGetCaptureInfo_v2(per_thread(stream), status, id, graph, dependencies, count);
}
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies,
                                              size_t count, unsigned int flags) {
  return locked([&] {
    Stream* s = resolve_stream(stream);
    if (!s)
      return hipErrorInvalidHandle;
    if (!s->capture.graph)
      return hipErrorIllegalState;
    if (flags > hipStreamSetCaptureDependencies || (count && !dependencies))
      return hipErrorInvalidValue;
    if (flags == hipStreamSetCaptureDependencies)
      s->capture.frontier.clear();
    for (size_t i = 0; i < count; ++i)
      s->capture.frontier.push_back(as_node(dependencies[i]));
    return hipSuccess;
  });
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return api([&] {
    if (!mode || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed)
      return hipErrorInvalidValue;
    std::swap(*mode, this_thread().capture_mode);
    return hipSuccess;
  });
}

hipError_t hipUserObjectCreate(hipUserObject_t* out, void* data, hipHostFn_t destroy,
                               unsigned int count, unsigned int flags) {
  return api([&] {
    if (!out || !destroy || count == 0 || flags != hipUserObjectNoDestructorSync)
      return hipErrorInvalidValue;
    *out = reinterpret_cast<hipUserObject_t>(new UserObject{data, destroy, count});
    return hipSuccess;
  });
}
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
  return locked([&] {
    auto* o = reinterpret_cast<UserObject*>(object);
    if (!o || count == 0 || count > o->count)
      return hipErrorInvalidValue;
    if ((o->count -= count) == 0) {
      o->destroy(o->data);
      delete o;
    }
    return hipSuccess;
  });
}
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
  return locked([&] {
    auto* o = reinterpret_cast<UserObject*>(object);
    if (!o || count == 0)
      return hipErrorInvalidValue;
    o->count += count;
    return hipSuccess;
  });
}
}
