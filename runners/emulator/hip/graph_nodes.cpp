// A graph's nodes: adding one of each kind, and asking for or replacing what it does, in a graph and in an
// executable graph.
#include "runners/emulator/hip/graph.hpp"

#include <algorithm>

namespace {

using namespace cts::hip;

// --- from HIP's parameters to operations; each checks what it is given ---

hipError_t make(Runtime& runtime, const hipKernelNodeParams* params, Operation& operation) {
  KernelCall call;
  const hipError_t made = make_kernel_call(runtime, params, call);
  operation = std::move(call);
  return made;
}

hipError_t checked_copy(Runtime& runtime, const Copy& copy, Operation& operation) {
  operation = copy;
  return copy.box.empty() ? hipErrorInvalidValue : check(runtime, copy);
}

hipError_t make(Runtime& runtime, const hipMemcpy3DParms* params, Operation& operation) {
  Copy copy;
  const hipError_t made = make_copy(params, copy);
  return made == hipSuccess ? checked_copy(runtime, copy, operation) : made;
}

struct LineCopy {
  void* to;
  const void* from;
  std::size_t bytes;
  hipMemcpyKind kind;
};
hipError_t make(Runtime& runtime, const LineCopy& line, Operation& operation) {
  return checked_copy(runtime, {{line.to}, {const_cast<void*>(line.from)}, {line.bytes}, line.kind},
                      operation);
}

struct SymbolCopy {
  const void *symbol, *other;
  std::size_t bytes, offset;
  hipMemcpyKind kind;
  bool to_symbol;
};
hipError_t make(Runtime& runtime, const SymbolCopy& s, Operation& operation) {
  Copy copy;
  const hipError_t made =
      make_symbol_copy(runtime, s.symbol, s.other, s.bytes, s.offset, s.kind, s.to_symbol, copy);
  return made == hipSuccess ? checked_copy(runtime, copy, operation) : made;
}

hipError_t make(Runtime& runtime, const hipMemsetParams* params, Operation& operation) {
  if (!params || !params->dst || params->height == 0 || params->width == 0) return hipErrorInvalidValue;
  const unsigned element = params->elementSize;
  if (element != 1 && element != 2 && element != 4) return hipErrorInvalidValue;
  if (params->width > SIZE_MAX / element) return hipErrorInvalidValue;
  const Fill fill{
      {params->dst, params->pitch}, params->value, element, {params->width * element, params->height}};
  operation = fill;
  return check(runtime, fill) == hipSuccess ? hipSuccess : hipErrorInvalidValue;
}

hipError_t make(Runtime&, const hipHostNodeParams* params, Operation& operation) {
  if (!params || !params->fn) return hipErrorInvalidValue;
  operation = HostCall{params->fn, params->userData};
  return hipSuccess;
}

hipError_t make(Runtime& runtime, const RecordEvent& record, Operation& operation) {
  operation = record;
  return runtime.events.find(record.event) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t make(Runtime& runtime, const WaitEvent& wait, Operation& operation) {
  operation = wait;
  return runtime.events.find(wait.event) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t make(Runtime&, const Nothing& nothing, Operation& operation) {
  operation = nothing;
  return hipSuccess;
}

/// The child is cloned into the node.
hipError_t make(Runtime&, hipGraph_t child, Operation& operation) {
  const auto graph = graph_handles().graphs.find(child);
  if (!graph) return hipErrorInvalidValue;
  operation = ChildGraph{graph->clone()};
  return hipSuccess;
}

hipError_t make(Runtime& runtime, const hipGraphNodeParams* params, Operation& operation) {
  if (!params) return hipErrorInvalidValue;
  switch (params->type) {
  case hipGraphNodeTypeKernel: return make(runtime, &params->kernel, operation);
  case hipGraphNodeTypeMemcpy: return make(runtime, &params->memcpy.copyParams, operation);
  case hipGraphNodeTypeMemset: return make(runtime, &params->memset, operation);
  case hipGraphNodeTypeHost: return make(runtime, &params->host, operation);
  case hipGraphNodeTypeGraph: return make(runtime, params->graph.graph, operation);
  case hipGraphNodeTypeEmpty: return make(runtime, Nothing{}, operation);
  case hipGraphNodeTypeWaitEvent: return make(runtime, WaitEvent{params->eventWait.event}, operation);
  case hipGraphNodeTypeEventRecord: return make(runtime, RecordEvent{params->eventRecord.event}, operation);
  default: return hipErrorNotSupported;
  }
}

// --- what is done with them ---

/// Adds a node to a graph. Dependencies must be nodes of that graph, each once.
template <typename Params>
hipError_t add(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, std::size_t count,
               const Params& params) {
  return graph_api([&](Runtime& runtime) {
    const auto found = graph_handles().graphs.find(graph);
    if (!node || !found || (count != 0 && !dependencies)) return hipErrorInvalidValue;
    std::vector<Node*> before;
    for (std::size_t i = 0; i < count; ++i) {
      const auto dependency = graph_handles().nodes.find(dependencies[i]);
      if (!dependency || dependency->graph != found.get() ||
          std::count(before.begin(), before.end(), dependency.get()) != 0)
        return hipErrorInvalidValue;
      before.push_back(dependency.get());
    }
    Operation operation;
    const hipError_t made = make(runtime, params, operation);
    if (made != hipSuccess) return made;
    Node* const added = found->add(std::move(operation), std::move(before));
    publish(found->nodes.back());
    *node = handle_of(added);
    return hipSuccess;
  });
}

/// Replaces what a node does by something of the same kind.
template <typename Params> hipError_t replace(Runtime& runtime, Node& node, const Params& params) {
  Operation operation;
  const hipError_t made = make(runtime, params, operation);
  if (made != hipSuccess) return made;
  if (operation.index() != node.operation.index()) return hipErrorInvalidValue;
  node.operation = std::move(operation);
  return hipSuccess;
}

template <typename Params> hipError_t set(hipGraphNode_t handle, const Params& params) {
  return graph_api([&](Runtime& runtime) {
    const auto node = graph_handles().nodes.find(handle);
    return node ? replace(runtime, *node, params) : hipErrorInvalidValue;
  });
}

/// The same in an executable graph, whose nodes go by their originals' handles.
template <typename Params>
hipError_t set(hipGraphExec_t handle, hipGraphNode_t original, const Params& params) {
  return graph_api([&](Runtime& runtime) {
    const auto executable = graph_handles().executables.find(handle);
    const auto known = graph_handles().nodes.find(original);
    Node* const node = executable && known ? executable->graph->clone_of(known.get()) : nullptr;
    return node ? replace(runtime, *node, params) : hipErrorInvalidValue;
  });
}

/// Runs `body(node, operation)` on a live node of this kind.
template <typename Kind, typename Body> hipError_t get(hipGraphNode_t handle, const void* out, Body&& body) {
  return graph_api([&](Runtime&) {
    const auto node = graph_handles().nodes.find(handle);
    auto* const operation = node ? std::get_if<Kind>(&node->operation) : nullptr;
    if (!operation || !out) return hipErrorInvalidValue;
    body(*node, *operation);
    return hipSuccess;
  });
}

dim3 to_dim3(const std::array<std::uint32_t, 3>& counts) { return {counts[0], counts[1], counts[2]}; }

} // namespace

CTS_HIP_API hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph,
                                             const hipGraphNode_t* before, std::size_t count,
                                             const hipKernelNodeParams* params) {
  return add(node, graph, before, count, params);
}

CTS_HIP_API hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph,
                                             const hipGraphNode_t* before, std::size_t count,
                                             const hipMemcpy3DParms* params) {
  return add(node, graph, before, count, params);
}

CTS_HIP_API hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph,
                                               const hipGraphNode_t* before, std::size_t count, void* dst,
                                               const void* src, std::size_t bytes, hipMemcpyKind kind) {
  return add(node, graph, before, count, LineCopy{dst, src, bytes, kind});
}

CTS_HIP_API hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                                     const hipGraphNode_t* before, std::size_t count,
                                                     const void* symbol, const void* src, std::size_t bytes,
                                                     std::size_t offset, hipMemcpyKind kind) {
  return add(node, graph, before, count, SymbolCopy{symbol, src, bytes, offset, kind, true});
}

CTS_HIP_API hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                                       const hipGraphNode_t* before, std::size_t count,
                                                       void* dst, const void* symbol, std::size_t bytes,
                                                       std::size_t offset, hipMemcpyKind kind) {
  return add(node, graph, before, count, SymbolCopy{symbol, dst, bytes, offset, kind, false});
}

CTS_HIP_API hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph,
                                             const hipGraphNode_t* before, std::size_t count,
                                             const hipMemsetParams* params) {
  return add(node, graph, before, count, params);
}

CTS_HIP_API hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph,
                                           const hipGraphNode_t* before, std::size_t count,
                                           const hipHostNodeParams* params) {
  return add(node, graph, before, count, params);
}

CTS_HIP_API hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph,
                                            const hipGraphNode_t* before, std::size_t count) {
  return add(node, graph, before, count, Nothing{});
}

CTS_HIP_API hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph,
                                                 const hipGraphNode_t* before, std::size_t count,
                                                 hipGraph_t child) {
  return add(node, graph, before, count, child);
}

CTS_HIP_API hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph,
                                                  const hipGraphNode_t* before, std::size_t count,
                                                  hipEvent_t event) {
  return add(node, graph, before, count, RecordEvent{event});
}

CTS_HIP_API hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph,
                                                const hipGraphNode_t* before, std::size_t count,
                                                hipEvent_t event) {
  return add(node, graph, before, count, WaitEvent{event});
}

CTS_HIP_API hipError_t hipGraphAddNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* before,
                                       std::size_t count, hipGraphNodeParams* params) {
  return add(node, graph, before, count, static_cast<const hipGraphNodeParams*>(params));
}

CTS_HIP_API hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* params) {
  return get<KernelCall>(node, params, [&](Node& found, KernelCall& call) {
    found.arguments.clear();
    for (const auto& argument : call.function->info.arguments)
      found.arguments.push_back(call.arguments.data() + argument.offset);
    *params = {to_dim3(call.shape.threads),   nullptr,
               const_cast<void*>(call.named), to_dim3(call.shape.blocks),
               found.arguments.data(),        static_cast<unsigned>(call.shape.dynamic_lds)};
  });
}

CTS_HIP_API hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* params) {
  return set(node, params);
}

CTS_HIP_API hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                       const hipKernelNodeParams* params) {
  return set(executable, node, params);
}

CTS_HIP_API hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* params) {
  return get<Copy>(node, params, [&](Node&, const Copy& copy) {
    const auto block = [&](const Side& side) -> hipPitchedPtr {
      const std::size_t pitch = side.pitch ? side.pitch : copy.box.width;
      return {side.pointer, pitch, copy.box.width, side.slice ? side.slice / pitch : copy.box.rows};
    };
    *params = {};
    params->srcPtr = block(copy.from);
    params->dstPtr = block(copy.to);
    params->extent = {copy.box.width, copy.box.rows, copy.box.slices};
    params->kind = copy.kind;
  });
}

CTS_HIP_API hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* params) {
  return set(node, params);
}

CTS_HIP_API hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src,
                                                     std::size_t bytes, hipMemcpyKind kind) {
  return set(node, LineCopy{dst, src, bytes, kind});
}

CTS_HIP_API hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol,
                                                           const void* src, std::size_t bytes,
                                                           std::size_t offset, hipMemcpyKind kind) {
  return set(node, SymbolCopy{symbol, src, bytes, offset, kind, true});
}

CTS_HIP_API hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* dst,
                                                             const void* symbol, std::size_t bytes,
                                                             std::size_t offset, hipMemcpyKind kind) {
  return set(node, SymbolCopy{symbol, dst, bytes, offset, kind, false});
}

CTS_HIP_API hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                       hipMemcpy3DParms* params) {
  return set(executable, node, static_cast<const hipMemcpy3DParms*>(params));
}

CTS_HIP_API hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t executable, hipGraphNode_t node,
                                                         void* dst, const void* src, std::size_t bytes,
                                                         hipMemcpyKind kind) {
  return set(executable, node, LineCopy{dst, src, bytes, kind});
}

CTS_HIP_API hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t executable, hipGraphNode_t node,
                                                               const void* symbol, const void* src,
                                                               std::size_t bytes, std::size_t offset,
                                                               hipMemcpyKind kind) {
  return set(executable, node, SymbolCopy{symbol, src, bytes, offset, kind, true});
}

CTS_HIP_API hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t executable,
                                                                 hipGraphNode_t node, void* dst,
                                                                 const void* symbol, std::size_t bytes,
                                                                 std::size_t offset, hipMemcpyKind kind) {
  return set(executable, node, SymbolCopy{symbol, dst, bytes, offset, kind, false});
}

CTS_HIP_API hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* params) {
  return get<Fill>(node, params, [&](Node&, const Fill& fill) {
    *params = {fill.to.pointer, fill.element_bytes, fill.box.rows,
               fill.to.pitch,   fill.value,         fill.box.width / fill.element_bytes};
  });
}

CTS_HIP_API hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
  return set(node, params);
}

CTS_HIP_API hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                       const hipMemsetParams* params) {
  return set(executable, node, params);
}

CTS_HIP_API hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* params) {
  return get<HostCall>(node, params, [&](Node&, const HostCall& call) {
    *params = {call.function, call.data};
  });
}

CTS_HIP_API hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* params) {
  return set(node, params);
}

CTS_HIP_API hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                     const hipHostNodeParams* params) {
  return set(executable, node, params);
}

CTS_HIP_API hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return get<RecordEvent>(node, event, [&](Node&, const RecordEvent& record) { *event = record.event; });
}

CTS_HIP_API hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set(node, RecordEvent{event});
}

CTS_HIP_API hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node,
                                                           hipEvent_t event) {
  return set(executable, node, RecordEvent{event});
}

CTS_HIP_API hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return get<WaitEvent>(node, event, [&](Node&, const WaitEvent& wait) { *event = wait.event; });
}

CTS_HIP_API hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set(node, WaitEvent{event});
}

CTS_HIP_API hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node,
                                                         hipEvent_t event) {
  return set(executable, node, WaitEvent{event});
}

CTS_HIP_API hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                           hipGraph_t child) {
  return set(executable, node, child);
}

CTS_HIP_API hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* params) {
  return set(node, static_cast<const hipGraphNodeParams*>(params));
}

CTS_HIP_API hipError_t hipGraphExecNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                 hipGraphNodeParams* params) {
  return set(executable, node, static_cast<const hipGraphNodeParams*>(params));
}
