// SPDX-License-Identifier: MIT
// Graphs: nodes with dependencies, recorded by stream capture or added one by one; an executable
// graph replays them in a topological order on one stream. One mutex guards all graphs and captures
// (graph_mutex()).
#pragma once
#include "hip/ops.h"
#include <memory>
#include <mutex>
#include <vector>

namespace pumice::hip {

struct GraphNode {
  Graph* graph = nullptr;
  std::unique_ptr<Op> op;
  std::vector<GraphNode*> dependencies;
  std::vector<GraphNode*> dependents;
  bool enabled = true;
  unsigned index = 0; // position in its graph, for clones
};

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  std::vector<void*> allocations; // of AllocOp nodes, freed with the graph unless a FreeOp did
  Graph* cloned_from = nullptr;
  ~Graph();

  GraphNode* add(std::unique_ptr<Op> op, const std::vector<GraphNode*>& dependencies);
  void remove(GraphNode* node);
  bool contains(const GraphNode* node) const;
  std::unique_ptr<Graph> clone() const;
  /// Nodes so that dependencies come first; empty when there is a cycle.
  std::vector<GraphNode*> ordered() const;
};

struct ChildGraphOp final : Op {
  explicit ChildGraphOp(std::shared_ptr<Graph> g) : graph(std::move(g)) {}
  ChildGraphOp(const ChildGraphOp& o) : graph(std::shared_ptr<Graph>(o.graph->clone())) {}
  std::shared_ptr<Graph> graph;
  PUMICE_OP(ChildGraphOp, hipGraphNodeTypeGraph)
};

struct GraphExec {
  std::unique_ptr<Graph> graph;
  std::vector<GraphNode*> order;
  unsigned long long flags = 0;
};

std::recursive_mutex& graph_mutex();
/// Begins, ends and inspects captures; call with graph_mutex() held.
hipError_t begin_capture(Stream& stream, hipStreamCaptureMode mode, Graph* into,
                         const std::vector<GraphNode*>& dependencies);
hipError_t end_capture(Stream& stream, Graph** out);
/// hipStreamWaitEvent on an event that a capture recorded: the stream joins it.
bool join_capture(Stream& stream, Event& event, hipError_t* result);
/// hipEventRecord on a capturing stream.
void capture_event(Stream& stream, Event& event);

} // namespace pumice::hip
