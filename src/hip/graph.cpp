// SPDX-License-Identifier: MIT
#include "hip/graph.h"
#include "hip/device.h"
#include "hip/event.h"
#include "hip/memory.h"
#include "hip/runtime.h"
#include <algorithm>
#include <unordered_map>

namespace pumice::hip {
namespace {
std::atomic<int> g_captures{0};
unsigned long long g_next_capture = 1;
} // namespace

std::recursive_mutex& graph_mutex() {
  static auto* m = new std::recursive_mutex;
  return *m;
}

Graph::~Graph() {
  for (void* p : allocations)
    (void)release_memory(p);
}

GraphNode* Graph::add(std::unique_ptr<Op> op, const std::vector<GraphNode*>& dependencies) {
  auto n = std::make_unique<GraphNode>();
  n->graph = this;
  n->op = std::move(op);
  n->dependencies = dependencies;
  n->index = static_cast<unsigned>(nodes.size());
  for (GraphNode* d : dependencies)
    d->dependents.push_back(n.get());
  nodes.push_back(std::move(n));
  return nodes.back().get();
}

void Graph::remove(GraphNode* node) {
  for (GraphNode* d : node->dependencies)
    std::erase(d->dependents, node);
  for (GraphNode* d : node->dependents)
    std::erase(d->dependencies, node);
  std::erase_if(nodes, [&](const auto& n) { return n.get() == node; });
  for (unsigned i = 0; i < nodes.size(); ++i)
    nodes[i]->index = i;
}

bool Graph::contains(const GraphNode* node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& n) { return n.get() == node; });
}

std::unique_ptr<Graph> Graph::clone() const {
  auto copy = std::make_unique<Graph>();
  copy->cloned_from = const_cast<Graph*>(this);
  for (const auto& n : nodes) {
    GraphNode* c = copy->add(n->op->clone(), {});
    c->enabled = n->enabled;
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const GraphNode* d : nodes[i]->dependencies)
      copy->nodes[i]->dependencies.push_back(copy->nodes[d->index].get());
    for (const GraphNode* d : nodes[i]->dependents)
      copy->nodes[i]->dependents.push_back(copy->nodes[d->index].get());
  }
  return copy;
}

std::vector<GraphNode*> Graph::ordered() const {
  std::vector<size_t> missing(nodes.size());
  std::vector<GraphNode*> order;
  for (size_t i = 0; i < nodes.size(); ++i) {
    missing[i] = nodes[i]->dependencies.size();
    if (missing[i] == 0)
      order.push_back(nodes[i].get());
  }
  for (size_t next = 0; next < order.size(); ++next)
    for (GraphNode* d : order[next]->dependents)
      if (--missing[d->index] == 0)
        order.push_back(d);
  return order.size() == nodes.size() ? order : std::vector<GraphNode*>{};
}

hipError_t ChildGraphOp::run(Stream& stream) {
  for (GraphNode* n : graph->ordered())
    if (n->enabled)
      HIP_TRY(n->op->run(stream));
  return hipSuccess;
}

bool capturing(const Stream& stream) {
  return g_captures.load(std::memory_order_relaxed) != 0 && stream.capture.graph != nullptr;
}

hipError_t capture_op(Stream& stream, std::unique_ptr<Op> op) {
  std::lock_guard lock(graph_mutex());
  Capture& c = stream.capture;
  if (!c.graph)
    return op->run(stream);
  if (c.invalidated)
    return hipErrorStreamCaptureInvalidated;
  c.frontier = {c.graph->add(std::move(op), c.frontier)};
  return hipSuccess;
}

hipError_t begin_capture(Stream& stream, hipStreamCaptureMode mode, Graph* into,
                         const std::vector<GraphNode*>& dependencies) {
  if (stream.is_null())
    return hipErrorStreamCaptureUnsupported;
  if (stream.capture.graph)
    return hipErrorIllegalState;
  stream.capture.owns_graph = into == nullptr;
  stream.capture.graph = into ? into : new Graph;
  stream.capture.frontier = dependencies;
  stream.capture.origin = &stream;
  stream.capture.mode = mode;
  stream.capture.id = g_next_capture++;
  stream.capture.invalidated = false;
  g_captures.fetch_add(1);
  return hipSuccess;
}

hipError_t end_capture(Stream& stream, Graph** out) {
  Capture& c = stream.capture;
  *out = nullptr;
  if (!c.graph)
    return hipErrorIllegalState;
  if (c.origin != &stream)
    return hipErrorStreamCaptureUnmatched;
  Graph* graph = c.graph;
  hipError_t result = c.invalidated ? hipErrorStreamCaptureInvalidated : hipSuccess;
  // Work of streams that joined must have been joined back: nothing may depend on them alone.
  std::vector<Stream*> joined;
  {
    std::lock_guard lock(stream.device().submission);
    for (Stream* s : stream.device().streams)
      if (s != &stream && s->capture.graph == graph)
        joined.push_back(s);
  }
  for (Stream* s : joined) {
    for (GraphNode* n : s->capture.frontier)
      if (n->dependents.empty() &&
          std::find(c.frontier.begin(), c.frontier.end(), n) == c.frontier.end() &&
          result == hipSuccess)
        result = hipErrorStreamCaptureUnjoined;
    s->capture = Capture{};
    g_captures.fetch_sub(1);
  }
  bool owned = c.owns_graph;
  c = Capture{};
  g_captures.fetch_sub(1);
  if (result != hipSuccess) {
    if (owned)
      delete graph;
    return result;
  }
  *out = graph;
  return hipSuccess;
}

bool join_capture(Stream& stream, Event& event, hipError_t* result) {
  if (g_captures.load(std::memory_order_relaxed) == 0)
    return false;
  std::lock_guard lock(graph_mutex());
  if (!event.captured_id)
    return false;
  // The capture that recorded the event may be over; its nodes are only valid while it goes on.
  Capture* active = nullptr;
  {
    std::lock_guard streams_lock(stream.device().submission);
    for (Stream* s : stream.device().streams)
      if (s->capture.graph && s->capture.id == event.captured_id)
        active = &s->capture;
  }
  if (!active)
    return false;
  Capture& c = stream.capture;
  if (c.graph && c.id != active->id) {
    *result = hipErrorStreamCaptureMerge;
    return true;
  }
  if (!c.graph) {
    c.graph = active->graph;
    c.origin = active->origin;
    c.mode = active->mode;
    c.id = active->id;
    c.owns_graph = false;
    g_captures.fetch_add(1);
  }
  if (std::find(c.frontier.begin(), c.frontier.end(), event.captured_node) == c.frontier.end())
    c.frontier.push_back(event.captured_node);
  *result = hipSuccess;
  return true;
}

void capture_event(Stream& stream, Event& event) {
  std::lock_guard lock(graph_mutex());
  Capture& c = stream.capture;
  if (!c.graph)
    return;
  // The event stands for the frontier; an empty node gathers several.
  if (c.frontier.size() != 1)
    c.frontier = {c.graph->add(std::make_unique<EmptyOp>(), c.frontier)};
  event.captured_node = c.frontier[0];
  event.captured_id = c.id;
}

} // namespace pumice::hip
