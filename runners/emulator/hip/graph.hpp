// Graphs: operations with what must end before each, made by hand or by capturing streams, and run in order.
#pragma once

#include "runners/emulator/hip/operation.hpp"

#include <thread>

namespace cts::hip {

struct Node {
  Operation operation;
  std::vector<Node*> dependencies; ///< of the same graph, each once
  Graph* graph = nullptr;
  const Node* original = nullptr; ///< what this one was cloned from
  bool enabled = true;            ///< in an executable graph: a disabled node does nothing
  std::vector<void*> arguments;   ///< where the last question for a kernel node's arguments found them
};

struct Graph {
  std::vector<std::shared_ptr<Node>> nodes; ///< in the order in which they were added

  /// Adds a node that follows `dependencies`.
  Node* add(Operation operation, std::vector<Node*> dependencies);
  /// The nodes so that each comes after what it depends on; nothing when there is a cycle.
  std::optional<std::vector<Node*>> order() const;
  /// A copy whose nodes know their originals, child graphs included.
  std::shared_ptr<Graph> clone() const;
  Node* clone_of(const Node* original) const;
};

/// A graph that can be launched: a clone that later changes of the graph do not reach.
struct ExecutableGraph {
  std::shared_ptr<Graph> graph;
  unsigned long long flags = 0;
};

/// What is captured of one stream and of those that joined it.
struct Capture {
  std::shared_ptr<Graph> graph;
  const Stream* origin = nullptr;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  std::thread::id thread;
  unsigned long long id = 0;
  bool invalid = false;
  std::vector<std::weak_ptr<Stream>> streams; ///< the origin and those that joined
};

/// Live graphs, nodes and executable graphs by their handles.
struct GraphHandles {
  std::recursive_mutex mutex; ///< held by every function that looks into a graph
  Handles<Graph, hipGraph_t> graphs;
  Handles<Node, hipGraphNode_t> nodes;
  Handles<ExecutableGraph, hipGraphExec_t> executables;
};
GraphHandles& graph_handles();

/// Makes a node's handle live, or ends it; a child graph and its nodes included.
void publish(const std::shared_ptr<Node>& node);
void withdraw(const Node& node);

inline hipGraphNode_t handle_of(Node* node) { return reinterpret_cast<hipGraphNode_t>(node); }

/// Adds `operation` to the graph that `stream` captures; nothing when it captures none.
std::optional<hipError_t> capture(Runtime& runtime, Stream& stream, const Operation& operation);

/// hipStreamWaitEvent where a capture is concerned: a stream that waits for a captured event joins its
/// capture. Nothing when no capture is.
std::optional<hipError_t> capture_wait(const std::shared_ptr<Stream>& stream, Event& event);

/// hipErrorStreamCaptureUnsupported, and the end of its capture, when `stream` is captured: for what cannot
/// be part of a graph.
hipError_t refuse_in_capture(Runtime& runtime, hipStream_t stream);

/// Runs the nodes in order.
hipError_t perform_all(Runtime& runtime, const Graph& graph);

/// Runs `body(runtime)` while no other thread looks into a graph.
template <typename Body> hipError_t graph_api(Body&& body) {
  return api([&](Runtime& runtime) {
    const std::lock_guard lock(graph_handles().mutex);
    return body(runtime);
  });
}

} // namespace cts::hip
