// Executable graphs: made from a graph, updated, launched.
#include "runners/emulator/hip/graph.hpp"

namespace {

using namespace cts::hip;

constexpr unsigned long long known_flags =
    hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |
    hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority;

/// A graph with a cycle is no valid one.
bool has_order(const Graph& graph) {
  if (!graph.order()) return false;
  for (const auto& node : graph.nodes)
    if (const auto* const child = std::get_if<ChildGraph>(&node->operation))
      if (!has_order(*child->graph)) return false;
  return true;
}

hipError_t instantiate(hipGraphExec_t* executable, hipGraph_t handle, unsigned long long flags) {
  return graph_api([&](Runtime&) {
    const auto graph = graph_handles().graphs.find(handle);
    if (!executable || !graph || (flags & ~known_flags) != 0 || !has_order(*graph))
      return hipErrorInvalidValue;
    *executable = graph_handles().executables.add(
        std::make_shared<ExecutableGraph>(ExecutableGraph{graph->clone(), flags}));
    return hipSuccess;
  });
}

/// Runs `body(executable)` on a live executable graph.
template <typename Body> hipError_t on_executable(hipGraphExec_t handle, Body&& body) {
  return graph_api([&](Runtime& runtime) {
    const auto executable = graph_handles().executables.find(handle);
    return executable ? body(runtime, *executable) : hipErrorInvalidValue;
  });
}

/// Why `to` cannot take over what the nodes of `from` do, and at which node: the two must have the same
/// edges, kinds and kernels.
hipGraphExecUpdateResult compare(const Graph& to, const Graph& from, hipGraphNode_t& where) {
  where = nullptr;
  if (to.nodes.size() != from.nodes.size()) return hipGraphExecUpdateErrorTopologyChanged;
  const auto index = [](const Graph& graph, const Node* node) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      if (graph.nodes[i].get() == node) return i;
    return graph.nodes.size();
  };
  for (std::size_t i = 0; i < to.nodes.size(); ++i) {
    const Node &old = *to.nodes[i], &fresh = *from.nodes[i];
    where = handle_of(from.nodes[i].get());
    if (old.dependencies.size() != fresh.dependencies.size()) return hipGraphExecUpdateErrorTopologyChanged;
    for (std::size_t k = 0; k < old.dependencies.size(); ++k)
      if (index(to, old.dependencies[k]) != index(from, fresh.dependencies[k]))
        return hipGraphExecUpdateErrorTopologyChanged;
    if (old.operation.index() != fresh.operation.index()) return hipGraphExecUpdateErrorNodeTypeChanged;
  }
  where = nullptr;
  return hipGraphExecUpdateSuccess;
}

hipError_t launch(hipGraphExec_t handle, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    std::shared_ptr<Graph> graph;
    {
      const std::lock_guard lock(graph_handles().mutex);
      const auto executable = graph_handles().executables.find(handle);
      if (!executable) return hipErrorInvalidValue;
      graph = executable->graph;
    }
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    return submit(runtime, stream, ChildGraph{graph});
  });
}

} // namespace

CTS_HIP_API hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, hipGraphNode_t*,
                                           char*, std::size_t) {
  return instantiate(executable, graph, 0);
}

CTS_HIP_API hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* executable, hipGraph_t graph,
                                                    unsigned long long flags) {
  return instantiate(executable, graph, flags);
}

CTS_HIP_API hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* executable, hipGraph_t graph,
                                                     hipGraphInstantiateParams* params) {
  if (!params) return finish(hipErrorInvalidValue);
  const hipError_t result = instantiate(executable, graph, params->flags);
  params->errNode_out = nullptr;
  params->result_out = result == hipSuccess ? hipGraphInstantiateSuccess : hipGraphInstantiateError;
  return result;
}

CTS_HIP_API hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  return launch(executable, stream);
}

/// There is nothing to upload.
CTS_HIP_API hipError_t hipGraphUpload(hipGraphExec_t executable, hipStream_t stream) {
  return on_executable(executable, [&](Runtime& runtime, ExecutableGraph&) {
    return is_stream(runtime, stream) ? hipSuccess : hipErrorInvalidValue;
  });
}

CTS_HIP_API hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  return on_executable(executable, [&](Runtime&, ExecutableGraph&) {
    graph_handles().executables.remove(executable);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphExecGetFlags(hipGraphExec_t executable, unsigned long long* flags) {
  return on_executable(executable, [&](Runtime&, const ExecutableGraph& found) {
    if (!flags) return hipErrorInvalidValue;
    *flags = found.flags;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphExecUpdate(hipGraphExec_t executable, hipGraph_t graph,
                                          hipGraphNode_t* error_node, hipGraphExecUpdateResult* result) {
  return on_executable(executable, [&](Runtime&, ExecutableGraph& found) {
    const auto fresh = graph_handles().graphs.find(graph);
    if (!fresh || !error_node || !result) return hipErrorInvalidValue;
    *result = compare(*found.graph, *fresh, *error_node);
    if (*result != hipGraphExecUpdateSuccess) return hipErrorGraphExecUpdateFailure;
    const auto copy = fresh->clone();
    for (std::size_t i = 0; i < copy->nodes.size(); ++i)
      found.graph->nodes[i]->operation = std::move(copy->nodes[i]->operation);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphNodeSetEnabled(hipGraphExec_t executable, hipGraphNode_t node,
                                              unsigned enabled) {
  return on_executable(executable, [&](Runtime&, ExecutableGraph& found) {
    const auto known = graph_handles().nodes.find(node);
    Node* const clone = known ? found.graph->clone_of(known.get()) : nullptr;
    const bool can = clone && (std::holds_alternative<KernelCall>(clone->operation) ||
                               std::holds_alternative<Copy>(clone->operation) ||
                               std::holds_alternative<Fill>(clone->operation));
    if (!can) return hipErrorInvalidValue;
    clone->enabled = enabled != 0;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphNodeGetEnabled(hipGraphExec_t executable, hipGraphNode_t node,
                                              unsigned* enabled) {
  return on_executable(executable, [&](Runtime&, ExecutableGraph& found) {
    const auto known = graph_handles().nodes.find(node);
    const Node* const clone = known ? found.graph->clone_of(known.get()) : nullptr;
    if (!clone || !enabled) return hipErrorInvalidValue;
    *enabled = clone->enabled ? 1 : 0;
    return hipSuccess;
  });
}
