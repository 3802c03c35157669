// SPDX-License-Identifier: MIT
// Handles of graphs and executable graphs. Call with graph_mutex() held.
#pragma once
#include "hip/graph.h"
#include <unordered_set>

namespace pumice::hip {

std::unordered_set<Graph*>& graph_handles();
std::unordered_set<GraphExec*>& exec_handles();

inline void remember(Graph* g) {
  graph_handles().insert(g);
}
inline Graph* as_graph(hipGraph_t h) {
  auto* g = reinterpret_cast<Graph*>(h);
  return graph_handles().count(g) ? g : nullptr;
}
inline GraphExec* as_exec(hipGraphExec_t h) {
  auto* e = reinterpret_cast<GraphExec*>(h);
  return exec_handles().count(e) ? e : nullptr;
}
inline GraphNode* as_node(hipGraphNode_t h) {
  return reinterpret_cast<GraphNode*>(h);
}
inline hipGraph_t as_handle(Graph* g) {
  return reinterpret_cast<hipGraph_t>(g);
}
inline hipGraphNode_t as_handle(GraphNode* n) {
  return reinterpret_cast<hipGraphNode_t>(n);
}
inline hipGraphExec_t as_handle(GraphExec* e) {
  exec_handles().insert(e);
  return reinterpret_cast<hipGraphExec_t>(e);
}

} // namespace pumice::hip
