// Stream capture: what a stream is asked to do becomes nodes of a graph. Streams join a capture by waiting
// for an event that was recorded in it, and must be joined again before it ends.
#include "runners/emulator/hip/graph.hpp"

#include <algorithm>

namespace cts::hip {
namespace {

/// Everything that `nodes` depend on, and they themselves.
std::set<const Node*> reached_from(const std::vector<Node*>& nodes) {
  std::set<const Node*> reached;
  std::vector<const Node*> open(nodes.begin(), nodes.end());
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    if (!reached.insert(node).second) continue;
    open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return reached;
}

void add_once(std::vector<Node*>& to, const std::vector<Node*>& nodes) {
  for (Node* const node : nodes)
    if (std::count(to.begin(), to.end(), node) == 0) to.push_back(node);
}

/// The streams leave the capture.
void leave(const Capture& capture) {
  for (const auto& stream : capture.streams)
    if (const auto live = stream.lock()) {
      live->capture.reset();
      live->captured.clear();
    }
}

/// A joined stream whose last operations nothing of the origin follows.
bool unjoined(const Capture& capture, const Stream& origin) {
  const auto reached = reached_from(origin.captured);
  for (const auto& stream : capture.streams)
    if (const auto live = stream.lock())
      for (const Node* const node : live->captured)
        if (!reached.contains(node)) return true;
  return false;
}

hipError_t begin(hipStream_t handle, hipStreamCaptureMode mode, std::shared_ptr<Graph> graph,
                 std::vector<Node*> after) {
  static std::atomic<unsigned long long> last_id = 0;
  auto& runtime = Runtime::instance();
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) return hipErrorInvalidValue;
  const auto stream = runtime.streams.find(handle);
  if (!stream)
    return is_stream(runtime, handle) ? hipErrorStreamCaptureUnsupported : hipErrorContextIsDestroyed;
  if (stream->capture) return hipErrorIllegalState;
  stream->capture = std::make_shared<Capture>();
  stream->capture->graph = std::move(graph);
  stream->capture->origin = stream.get();
  stream->capture->mode = mode;
  stream->capture->thread = std::this_thread::get_id();
  stream->capture->id = ++last_id;
  stream->capture->streams.push_back(stream);
  stream->captured = std::move(after);
  return hipSuccess;
}

hipError_t end(Stream& stream, hipGraph_t* graph) {
  if (!graph) return hipErrorInvalidValue;
  *graph = nullptr;
  if (!stream.capture) return hipErrorIllegalState;
  const auto capture = stream.capture;
  if (capture->origin != &stream) return hipErrorStreamCaptureUnmatched;
  if (capture->mode != hipStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return hipErrorStreamCaptureWrongThread;
  const bool left_behind = unjoined(*capture, stream);
  leave(*capture);
  if (capture->invalid) return hipErrorStreamCaptureInvalidated;
  if (left_behind) return hipErrorStreamCaptureUnjoined;
  *graph = graph_handles().graphs.add(capture->graph);
  return hipSuccess;
}

/// Runs `body(stream)` on a created stream, `otherwise(…)` on a built-in one.
template <typename Body> hipError_t on_created(hipStream_t handle, hipError_t built_in, Body&& body) {
  return graph_api([&](Runtime& runtime) {
    if (const auto stream = runtime.streams.find(handle)) return body(*stream);
    return is_stream(runtime, handle) ? built_in : hipErrorContextIsDestroyed;
  });
}

hipStreamCaptureStatus status_of(const Stream& stream) {
  if (!stream.capture) return hipStreamCaptureStatusNone;
  return stream.capture->invalid ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive;
}

/// A stream that waits for the null stream's work is being captured, so that the null stream cannot be asked
/// about.
bool legacy_stream_concerned(const Runtime& runtime) {
  return runtime.streams.find_if([](const Stream& stream) {
    return status_of(stream) == hipStreamCaptureStatusActive && stream.flags == hipStreamDefault;
  }) != nullptr;
}

hipError_t capture_info(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id,
                        hipGraph_t* graph, const hipGraphNode_t** dependencies, std::size_t* count) {
  return graph_api([&](Runtime& runtime) {
    if (!status) return hipErrorInvalidValue;
    *status = hipStreamCaptureStatusNone;
    if ((handle == nullptr || handle == hipStreamLegacy) && legacy_stream_concerned(runtime))
      return hipErrorStreamCaptureImplicit;
    const auto stream = runtime.streams.find(handle);
    if (!stream) return is_stream(runtime, handle) ? hipSuccess : hipErrorContextIsDestroyed;
    *status = status_of(*stream);
    if (*status != hipStreamCaptureStatusActive) return hipSuccess;
    if (id) *id = stream->capture->id;
    if (graph) *graph = graph_handles().graphs.add(stream->capture->graph);
    if (dependencies) *dependencies = reinterpret_cast<const hipGraphNode_t*>(stream->captured.data());
    if (count) *count = stream->captured.size();
    return hipSuccess;
  });
}

/// Live nodes of `graph`, or nothing when one of the handles is none.
std::optional<std::vector<Node*>> nodes_of(const Graph& graph, const hipGraphNode_t* handles,
                                           std::size_t count) {
  std::vector<Node*> nodes;
  if (count != 0 && !handles) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const auto node = graph_handles().nodes.find(handles[i]);
    if (!node || node->graph != &graph) return std::nullopt;
    add_once(nodes, {node.get()});
  }
  return nodes;
}

} // namespace

std::optional<hipError_t> capture(Runtime& runtime, Stream& stream, const Operation& operation) {
  const std::lock_guard lock(graph_handles().mutex);
  if (!stream.capture) return std::nullopt;
  if (stream.capture->invalid) return hipErrorStreamCaptureInvalidated;
  if (const auto* const record = std::get_if<RecordEvent>(&operation)) {
    const auto event = runtime.events.find(record->event);
    if (!event) return hipErrorInvalidHandle;
    event->capture = stream.capture;
    event->captured = stream.captured;
    return hipSuccess;
  }
  Graph& graph = *stream.capture->graph;
  Node* const node = graph.add(operation, stream.captured);
  if (auto* const child = std::get_if<ChildGraph>(&node->operation)) child->graph = child->graph->clone();
  publish(graph.nodes.back());
  stream.captured = {node};
  return hipSuccess;
}

std::optional<hipError_t> capture_wait(const std::shared_ptr<Stream>& stream, Event& event) {
  const std::lock_guard lock(graph_handles().mutex);
  const auto capture = event.capture.lock();
  const bool concerned = capture != nullptr;
  if (!stream) return concerned ? std::optional(hipErrorStreamCaptureImplicit) : std::nullopt;
  if (!concerned && !stream->capture) return std::nullopt;
  if (!concerned) return hipErrorStreamCaptureIsolation;
  if (stream->capture && stream->capture != capture) {
    stream->capture->invalid = capture->invalid = true;
    return hipErrorStreamCaptureMerge;
  }
  if (!stream->capture) {
    stream->capture = capture;
    capture->streams.push_back(stream);
  }
  add_once(stream->captured, event.captured);
  return hipSuccess;
}

hipError_t refuse_in_capture(Runtime& runtime, hipStream_t handle) {
  const std::lock_guard lock(graph_handles().mutex);
  const auto stream = runtime.streams.find(handle);
  if (!stream || !stream->capture) return hipSuccess;
  stream->capture->invalid = true;
  return hipErrorStreamCaptureUnsupported;
}

} // namespace cts::hip

using namespace cts::hip;

CTS_HIP_API hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return graph_api([&](Runtime&) { return begin(stream, mode, std::make_shared<Graph>(), {}); });
}

CTS_HIP_API hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                                    const hipGraphNode_t* dependencies,
                                                    const hipGraphEdgeData*, std::size_t count,
                                                    hipStreamCaptureMode mode) {
  return graph_api([&](Runtime&) {
    const auto found = graph_handles().graphs.find(graph);
    const auto after = found ? nodes_of(*found, dependencies, count) : std::nullopt;
    return after ? begin(stream, mode, found, *after) : hipErrorInvalidValue;
  });
}

CTS_HIP_API hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return on_created(stream, hipErrorIllegalState, [&](Stream& found) { return end(found, graph); });
}

CTS_HIP_API hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return capture_info(stream, status, nullptr, nullptr, nullptr, nullptr);
}

CTS_HIP_API hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status,
                                               unsigned long long* id) {
  return capture_info(stream, status, id, nullptr, nullptr, nullptr);
}

CTS_HIP_API hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status,
                                                  unsigned long long* id, hipGraph_t* graph,
                                                  const hipGraphNode_t** dependencies, std::size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, count);
}

CTS_HIP_API hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies,
                                                          std::size_t count, unsigned flags) {
  return on_created(stream, hipErrorIllegalState, [&](Stream& found) {
    if (!found.capture) return hipErrorIllegalState;
    if (flags != hipStreamAddCaptureDependencies && flags != hipStreamSetCaptureDependencies)
      return hipErrorInvalidValue;
    const auto nodes = nodes_of(*found.capture->graph, dependencies, count);
    if (!nodes) return hipErrorInvalidValue;
    if (flags == hipStreamSetCaptureDependencies) found.captured.clear();
    add_once(found.captured, *nodes);
    return hipSuccess;
  });
}

/// Every mode lets a thread do everything here: nothing that a captured stream is not asked for can disturb
/// it.
CTS_HIP_API hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return api([&](Runtime&) {
    if (!mode || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed)
      return hipErrorInvalidValue;
    std::swap(*mode, thread_state().capture_mode);
    return hipSuccess;
  });
}
