// Graphs as structures: making and destroying them, edges, questions, clones.
#include "runners/emulator/hip/graph.hpp"

#include <algorithm>

namespace cts::hip {

GraphHandles& graph_handles() {
  static GraphHandles* const all = new GraphHandles; // outlives static destructors, as the runtime does
  return *all;
}

Node* Graph::add(Operation operation, std::vector<Node*> dependencies) {
  auto node = std::make_shared<Node>();
  node->operation = std::move(operation);
  node->dependencies = std::move(dependencies);
  node->graph = this;
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

std::optional<std::vector<Node*>> Graph::order() const {
  std::vector<Node*> ordered;
  std::set<const Node*> done;
  while (ordered.size() < nodes.size()) {
    const std::size_t before = ordered.size();
    for (const auto& node : nodes)
      if (!done.contains(node.get()) &&
          std::all_of(node->dependencies.begin(), node->dependencies.end(),
                      [&](const Node* other) { return done.contains(other); })) {
        done.insert(node.get());
        ordered.push_back(node.get());
      }
    if (ordered.size() == before) return std::nullopt;
  }
  return ordered;
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  for (const auto& node : nodes) {
    Node* const added = copy->add(node->operation, {});
    added->original = node.get();
    if (auto* const child = std::get_if<ChildGraph>(&added->operation)) child->graph = child->graph->clone();
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const Node* const dependency : nodes[i]->dependencies)
      copy->nodes[i]->dependencies.push_back(copy->clone_of(dependency));
  return copy;
}

Node* Graph::clone_of(const Node* original) const {
  for (const auto& node : nodes)
    if (node->original == original) return node.get();
  return nullptr;
}

void publish(const std::shared_ptr<Node>& node) {
  graph_handles().nodes.add(node);
  const auto* const child = std::get_if<ChildGraph>(&node->operation);
  if (!child) return;
  graph_handles().graphs.add(child->graph);
  for (const auto& inner : child->graph->nodes) publish(inner);
}

void withdraw(const Node& node) {
  graph_handles().nodes.remove(handle_of(const_cast<Node*>(&node)));
  const auto* const child = std::get_if<ChildGraph>(&node.operation);
  if (!child) return;
  graph_handles().graphs.remove(reinterpret_cast<hipGraph_t>(child->graph.get()));
  for (const auto& inner : child->graph->nodes) withdraw(*inner);
}

hipError_t perform_all(Runtime& runtime, const Graph& graph) {
  const auto order = graph.order();
  if (!order) return hipErrorInvalidValue;
  for (const Node* const node : *order) {
    if (!node->enabled) continue;
    const hipError_t result = perform(runtime, node->operation);
    if (result != hipSuccess) return result;
  }
  return hipSuccess;
}

} // namespace cts::hip

namespace {

using namespace cts::hip;

/// Runs `body(node)` on a live node.
template <typename Body> hipError_t on_node(hipGraphNode_t handle, Body&& body) {
  return graph_api([&](Runtime&) {
    const auto node = graph_handles().nodes.find(handle);
    return node ? body(*node) : hipErrorInvalidValue;
  });
}

template <typename Body> hipError_t on_graph(hipGraph_t handle, Body&& body) {
  return graph_api([&](Runtime&) {
    const auto graph = graph_handles().graphs.find(handle);
    return graph ? body(graph) : hipErrorInvalidValue;
  });
}

/// Lists of handles are asked for twice: without `out` for their number, then for as many as `*count` says;
/// entries beyond the last are null.
template <typename Handle>
hipError_t give_list(const std::vector<Handle>& all, Handle* out, std::size_t* count) {
  if (!count) return hipErrorInvalidValue;
  if (out) {
    std::fill_n(out, *count, Handle{});
    std::copy_n(all.begin(), std::min(*count, all.size()), out);
    if (*count > all.size()) *count = all.size();
  } else {
    *count = all.size();
  }
  return hipSuccess;
}

std::vector<hipGraphNode_t> handles_of(const std::vector<Node*>& nodes) {
  std::vector<hipGraphNode_t> handles;
  for (Node* const node : nodes) handles.push_back(handle_of(node));
  return handles;
}

/// Calls `change(from, to)` for each of the edges, all of which must be between nodes of the graph.
template <typename Change>
hipError_t change_edges(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                        std::size_t count, Change change) {
  return on_graph(graph, [&](const std::shared_ptr<Graph>& found) {
    if (count == 0) return hipSuccess;
    if (!from || !to) return hipErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const auto first = graph_handles().nodes.find(from[i]), second = graph_handles().nodes.find(to[i]);
      if (!first || !second || first->graph != found.get() || second->graph != found.get() || first == second)
        return hipErrorInvalidValue;
      const hipError_t changed = change(first.get(), second->dependencies);
      if (changed != hipSuccess) return changed;
    }
    return hipSuccess;
  });
}

hipGraphNodeType type_of(const Node& node) {
  struct Type {
    hipGraphNodeType operator()(const Nothing&) const { return hipGraphNodeTypeEmpty; }
    hipGraphNodeType operator()(const Copy&) const { return hipGraphNodeTypeMemcpy; }
    hipGraphNodeType operator()(const Fill&) const { return hipGraphNodeTypeMemset; }
    hipGraphNodeType operator()(const KernelCall&) const { return hipGraphNodeTypeKernel; }
    hipGraphNodeType operator()(const HostCall&) const { return hipGraphNodeTypeHost; }
    hipGraphNodeType operator()(const RecordEvent&) const { return hipGraphNodeTypeEventRecord; }
    hipGraphNodeType operator()(const WaitEvent&) const { return hipGraphNodeTypeWaitEvent; }
    hipGraphNodeType operator()(const ChildGraph&) const { return hipGraphNodeTypeGraph; }
  };
  return std::visit(Type{}, node.operation);
}

} // namespace

CTS_HIP_API hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
  return graph_api([&](Runtime&) {
    if (!graph || flags != 0) return hipErrorInvalidValue;
    *graph = graph_handles().graphs.add(std::make_shared<Graph>());
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphDestroy(hipGraph_t graph) {
  return on_graph(graph, [&](const std::shared_ptr<Graph>& found) {
    for (const auto& node : found->nodes) withdraw(*node);
    graph_handles().graphs.remove(graph);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original) {
  return on_graph(original, [&](const std::shared_ptr<Graph>& found) {
    if (!clone) return hipErrorInvalidValue;
    const auto copy = found->clone();
    for (const auto& node : copy->nodes) publish(node);
    *clone = graph_handles().graphs.add(copy);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphNodeFindInClone(hipGraphNode_t* node, hipGraphNode_t original,
                                               hipGraph_t clone) {
  return on_graph(clone, [&](const std::shared_ptr<Graph>& found) {
    const auto known = graph_handles().nodes.find(original);
    if (!node || !known) return hipErrorInvalidValue;
    Node* const copy = found->clone_of(known.get());
    if (!copy) return hipErrorInvalidValue;
    *node = handle_of(copy);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
  return on_node(node, [&](Node& found) {
    Graph& graph = *found.graph;
    for (const auto& other : graph.nodes) std::erase(other->dependencies, &found);
    withdraw(found);
    std::erase_if(graph.nodes, [&](const auto& other) { return other.get() == &found; });
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                               const hipGraphNode_t* to, std::size_t count) {
  return change_edges(graph, from, to, count, [](Node* node, std::vector<Node*>& dependencies) {
    if (std::count(dependencies.begin(), dependencies.end(), node) != 0) return hipErrorInvalidValue;
    dependencies.push_back(node);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                                  const hipGraphNode_t* to, std::size_t count) {
  return change_edges(graph, from, to, count, [](Node* node, std::vector<Node*>& dependencies) {
    return std::erase(dependencies, node) != 0 ? hipSuccess : hipErrorInvalidValue;
  });
}

CTS_HIP_API hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, std::size_t* count) {
  return on_graph(graph, [&](const std::shared_ptr<Graph>& found) {
    std::vector<hipGraphNode_t> all;
    for (const auto& node : found->nodes) all.push_back(handle_of(node.get()));
    return give_list(all, nodes, count);
  });
}

CTS_HIP_API hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* nodes, std::size_t* count) {
  return on_graph(graph, [&](const std::shared_ptr<Graph>& found) {
    std::vector<hipGraphNode_t> roots;
    for (const auto& node : found->nodes)
      if (node->dependencies.empty()) roots.push_back(handle_of(node.get()));
    return give_list(roots, nodes, count);
  });
}

CTS_HIP_API hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to,
                                        std::size_t* count) {
  return on_graph(graph, [&](const std::shared_ptr<Graph>& found) {
    if (!count || (from == nullptr) != (to == nullptr)) return hipErrorInvalidValue;
    std::vector<hipGraphNode_t> starts, ends;
    for (const auto& node : found->nodes)
      for (Node* const dependency : node->dependencies) {
        starts.push_back(handle_of(dependency));
        ends.push_back(handle_of(node.get()));
      }
    std::size_t room = *count;
    const hipError_t given = give_list(starts, from, &room);
    return given == hipSuccess ? give_list(ends, to, count) : given;
  });
}

CTS_HIP_API hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* dependencies,
                                                   std::size_t* count) {
  return on_node(node,
                 [&](Node& found) { return give_list(handles_of(found.dependencies), dependencies, count); });
}

CTS_HIP_API hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* dependents,
                                                     std::size_t* count) {
  return on_node(node, [&](Node& found) {
    std::vector<hipGraphNode_t> all;
    for (const auto& other : found.graph->nodes)
      if (std::count(other->dependencies.begin(), other->dependencies.end(), &found) != 0)
        all.push_back(handle_of(other.get()));
    return give_list(all, dependents, count);
  });
}

CTS_HIP_API hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
  return on_node(node, [&](Node& found) {
    if (!type) return hipErrorInvalidValue;
    *type = type_of(found);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* graph) {
  return on_node(node, [&](Node& found) {
    const auto* const child = std::get_if<ChildGraph>(&found.operation);
    if (!graph || !child) return hipErrorInvalidValue;
    *graph = reinterpret_cast<hipGraph_t>(child->graph.get());
    return hipSuccess;
  });
}
