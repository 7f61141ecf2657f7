// What each kind of node does can be asked, and replaced in a graph and in an executable one; nodes are
// switched off; and what is known of a capture while it goes on.
#include "tests/hip/graph_support.hpp"

#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using cts::hip_test::count;
using cts::hip_test::DeviceArray;
using cts::hip_test::GraphTest;
using cts::hip_test::Words;

class NodeTest : public GraphTest {
protected:
  hipMemcpy3DParms box_copy(void* to, const void* from, hipMemcpyKind kind) const {
    hipMemcpy3DParms p{};
    p.dstPtr = {to, count * 4, count * 4, 1};
    p.srcPtr = {const_cast<void*>(from), count * 4, count * 4, 1};
    p.extent = {count * 4, 1, 1};
    p.kind = kind;
    return p;
  }
  hipMemsetParams fill(unsigned* data, unsigned value) const {
    hipMemsetParams p{};
    p.dst = data;
    p.elementSize = 4;
    p.value = value;
    p.width = count;
    p.height = 1;
    p.pitch = count * 4;
    return p;
  }
  /// A node of whatever kind the parameters name.
  hipGraphNode_t add_any(hipGraphNodeParams p) {
    hipGraphNode_t node = nullptr;
    EXPECT_EQ(hipGraphAddNode(&node, graph, nullptr, 0, &p), hipSuccess) << p.type;
    return node;
  }
  hipGraphNodeType type_of(hipGraphNode_t node) const {
    hipGraphNodeType type = hipGraphNodeTypeCount;
    EXPECT_EQ(hipGraphNodeGetType(node, &type), hipSuccess);
    return type;
  }
};

TEST_F(NodeTest, Copies) {
  const DeviceArray<unsigned> data(Words(count, 0));
  Words fives(count, 5);
  Words sixes(count, 6);
  Words sevens(count, 7);
  hipMemcpy3DParms p = box_copy(data.pointer(), fives.data(), hipMemcpyHostToDevice);
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &p), hipSuccess);
  const hipGraphExec_t executable = instantiate(graph);
  run(executable);
  EXPECT_EQ(data.read(), fives);

  hipMemcpy3DParms asked{};
  ASSERT_EQ(hipGraphMemcpyNodeGetParams(node, &asked), hipSuccess);
  EXPECT_EQ(asked.srcPtr.ptr, fives.data());
  EXPECT_EQ(asked.dstPtr.ptr, data.pointer());
  EXPECT_EQ(asked.extent.width, count * 4);
  EXPECT_EQ(asked.kind, hipMemcpyHostToDevice);

  p = box_copy(data.pointer(), sixes.data(), hipMemcpyHostToDevice);
  ASSERT_EQ(hipGraphMemcpyNodeSetParams(node, &p), hipSuccess);
  EXPECT_EQ(after(graph, data), sixes);
  run(executable);
  EXPECT_EQ(data.read(), fives) << "the executable graph keeps what it was made from";
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParams(executable, node, &p), hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), sixes);

  ASSERT_EQ(
      hipGraphMemcpyNodeSetParams1D(node, data.pointer(), sevens.data(), count * 4, hipMemcpyHostToDevice),
      hipSuccess);
  EXPECT_EQ(after(graph, data), sevens);
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParams1D(executable, node, data.pointer(), fives.data(), count * 4,
                                              hipMemcpyHostToDevice),
            hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), fives);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams1D(node, data.pointer(), sevens.data(), count * 4 + 1,
                                          hipMemcpyHostToDevice),
            hipErrorInvalidValue)
      << "beyond the block";
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(NodeTest, Fills) {
  const DeviceArray<unsigned> data(Words(count, 0));
  hipMemsetParams p = fill(data.pointer(), 3);
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &p), hipSuccess);
  const hipGraphExec_t executable = instantiate(graph);
  hipMemsetParams asked{};
  ASSERT_EQ(hipGraphMemsetNodeGetParams(node, &asked), hipSuccess);
  EXPECT_EQ(asked.dst, data.pointer());
  EXPECT_EQ(asked.value, 3u);
  EXPECT_EQ(asked.elementSize, 4u);
  EXPECT_EQ(asked.width, count);
  p.value = 4;
  ASSERT_EQ(hipGraphMemsetNodeSetParams(node, &p), hipSuccess);
  EXPECT_EQ(after(graph, data), Words(count, 4));
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 3));
  ASSERT_EQ(hipGraphExecMemsetNodeSetParams(executable, node, &p), hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 4));
  p.elementSize = 3;
  EXPECT_EQ(hipGraphMemsetNodeSetParams(node, &p), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(NodeTest, HostCalls) {
  int first = 0;
  int second = 0;
  const hipHostFn_t increment = [](void* number) { ++*static_cast<int*>(number); };
  hipHostNodeParams p{increment, &first};
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddHostNode(&node, graph, nullptr, 0, &p), hipSuccess);
  const hipGraphExec_t executable = instantiate(graph);
  hipHostNodeParams asked{};
  ASSERT_EQ(hipGraphHostNodeGetParams(node, &asked), hipSuccess);
  EXPECT_EQ(asked.fn, increment);
  EXPECT_EQ(asked.userData, &first);
  p.userData = &second;
  ASSERT_EQ(hipGraphHostNodeSetParams(node, &p), hipSuccess);
  run(executable);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
  ASSERT_EQ(hipGraphExecHostNodeSetParams(executable, node, &p), hipSuccess);
  run(executable);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(NodeTest, Events) {
  hipEvent_t one = nullptr;
  hipEvent_t two = nullptr;
  ASSERT_EQ(hipEventCreate(&one), hipSuccess);
  ASSERT_EQ(hipEventCreate(&two), hipSuccess);
  const auto recorded = [](hipEvent_t event) {
    float milliseconds = 0;
    return hipEventElapsedTime(&milliseconds, event, event) == hipSuccess;
  };
  hipGraphNode_t record = nullptr;
  hipGraphNode_t wait = nullptr;
  hipEvent_t asked = nullptr;
  ASSERT_EQ(hipGraphAddEventRecordNode(&record, graph, nullptr, 0, one), hipSuccess);
  ASSERT_EQ(hipGraphAddEventWaitNode(&wait, graph, &record, 1, one), hipSuccess);
  const hipGraphExec_t executable = instantiate(graph);
  EXPECT_FALSE(recorded(one));
  run(executable);
  EXPECT_TRUE(recorded(one));

  ASSERT_EQ(hipGraphEventRecordNodeGetEvent(record, &asked), hipSuccess);
  EXPECT_EQ(asked, one);
  ASSERT_EQ(hipGraphEventRecordNodeSetEvent(record, two), hipSuccess);
  ASSERT_EQ(hipGraphEventRecordNodeGetEvent(record, &asked), hipSuccess);
  EXPECT_EQ(asked, two);
  run(executable);
  EXPECT_FALSE(recorded(two));
  ASSERT_EQ(hipGraphExecEventRecordNodeSetEvent(executable, record, two), hipSuccess);
  run(executable);
  EXPECT_TRUE(recorded(two));

  ASSERT_EQ(hipGraphEventWaitNodeSetEvent(wait, two), hipSuccess);
  ASSERT_EQ(hipGraphEventWaitNodeGetEvent(wait, &asked), hipSuccess);
  EXPECT_EQ(asked, two);
  EXPECT_EQ(hipGraphExecEventWaitNodeSetEvent(executable, wait, two), hipSuccess);
  EXPECT_EQ(hipGraphEventWaitNodeGetEvent(record, &asked), hipErrorInvalidValue) << "another kind of node";
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipEventDestroy(one), hipSuccess);
  EXPECT_EQ(hipEventDestroy(two), hipSuccess);
}

TEST_F(NodeTest, ChildGraphs) {
  const DeviceArray<unsigned> data(Words(count, 1));
  add(module["shift"], data.pointer(), 5);
  hipGraph_t outer = nullptr;
  hipGraph_t other = nullptr;
  ASSERT_EQ(hipGraphCreate(&outer, 0), hipSuccess);
  ASSERT_EQ(hipGraphClone(&other, graph), hipSuccess);
  hipGraphNode_t child = nullptr;
  ASSERT_EQ(hipGraphAddChildGraphNode(&child, outer, nullptr, 0, graph), hipSuccess);
  hipGraph_t inside = nullptr;
  ASSERT_EQ(hipGraphChildGraphNodeGetGraph(child, &inside), hipSuccess);
  EXPECT_NE(inside, graph) << "a copy";
  std::size_t nodes = 0;
  ASSERT_EQ(hipGraphGetNodes(inside, nullptr, &nodes), hipSuccess);
  EXPECT_EQ(nodes, 1u);
  const hipGraphExec_t executable = instantiate(outer);

  hipGraphNode_t node = nullptr;
  std::size_t one = 1;
  ASSERT_EQ(hipGraphGetNodes(other, &node, &one), hipSuccess);
  unsigned* where = data.pointer();
  unsigned number = 8;
  void* arguments[] = {&where, &number};
  const hipKernelNodeParams p = call(module["shift"], arguments);
  ASSERT_EQ(hipGraphKernelNodeSetParams(node, &p), hipSuccess);
  ASSERT_EQ(hipGraphExecChildGraphNodeSetParams(executable, child, other), hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 9));
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(outer), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(other), hipSuccess);
}

TEST_F(NodeTest, OfAnyKindByOneFunction) {
  const DeviceArray<unsigned> data(Words(count, 2));
  unsigned* where = data.pointer();
  unsigned number = 10;
  void* arguments[] = {&where, &number};
  hipGraphNodeParams p{};
  p.type = hipGraphNodeTypeKernel;
  p.kernel = call(module["scale"], arguments);
  const hipGraphNode_t kernel = add_any(p);
  EXPECT_EQ(type_of(kernel), hipGraphNodeTypeKernel);
  const hipGraphExec_t executable = instantiate(graph);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 20));
  number = 2;
  ASSERT_EQ(hipGraphNodeSetParams(kernel, &p), hipSuccess);
  EXPECT_EQ(after(graph, data), Words(count, 40));
  number = 3;
  ASSERT_EQ(hipGraphExecNodeSetParams(executable, kernel, &p), hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 120));

  hipGraphNodeParams other{};
  other.type = hipGraphNodeTypeMemset;
  other.memset = fill(data.pointer(), 1);
  EXPECT_EQ(hipGraphNodeSetParams(kernel, &other), hipErrorInvalidValue) << "a node keeps its kind";
  EXPECT_EQ(type_of(add_any(other)), hipGraphNodeTypeMemset);
  hipGraphNodeParams empty{};
  empty.type = hipGraphNodeTypeEmpty;
  EXPECT_EQ(type_of(add_any(empty)), hipGraphNodeTypeEmpty);
  EXPECT_EQ(hipGraphAddNode(nullptr, graph, nullptr, 0, &empty), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(NodeTest, AreSwitchedOffInAnExecutableGraph) {
  const DeviceArray<unsigned> data(Words(count, 3));
  const hipGraphNode_t scale = add(module["scale"], data.pointer(), 2);
  add(module["shift"], data.pointer(), 5, {scale});
  const hipGraphExec_t executable = instantiate(graph);
  unsigned enabled = 0;
  ASSERT_EQ(hipGraphNodeGetEnabled(executable, scale, &enabled), hipSuccess);
  EXPECT_EQ(enabled, 1u);
  ASSERT_EQ(hipGraphNodeSetEnabled(executable, scale, 0), hipSuccess);
  ASSERT_EQ(hipGraphNodeGetEnabled(executable, scale, &enabled), hipSuccess);
  EXPECT_EQ(enabled, 0u);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 8)) << "3 + 5";
  ASSERT_EQ(hipGraphNodeSetEnabled(executable, scale, 1), hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 21)) << "2 * 8 + 5";
  hipGraphNode_t empty = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&empty, graph, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphNodeSetEnabled(executable, empty, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(NodeTest, InstantiationKeepsItsFlags) {
  hipGraphExec_t executable = nullptr;
  unsigned long long flags = 0;
  ASSERT_EQ(hipGraphInstantiateWithFlags(&executable, graph, hipGraphInstantiateFlagAutoFreeOnLaunch),
            hipSuccess);
  ASSERT_EQ(hipGraphExecGetFlags(executable, &flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned long long>(hipGraphInstantiateFlagAutoFreeOnLaunch));
  EXPECT_EQ(hipGraphUpload(executable, stream), hipSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphUpload(executable, stream), hipErrorInvalidValue);
  hipGraphInstantiateParams p{};
  p.result_out = hipGraphInstantiateError;
  ASSERT_EQ(hipGraphInstantiateWithParams(&executable, graph, &p), hipSuccess);
  EXPECT_EQ(p.result_out, hipGraphInstantiateSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(NodeTest, ACaptureTellsItsGraphAndWhatComesNextFollows) {
  const DeviceArray<unsigned> data(Words(count, 3));
  hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
  unsigned long long id = 0;
  ASSERT_EQ(hipStreamGetCaptureInfo(stream, &status, &id), hipSuccess);
  EXPECT_EQ(status, hipStreamCaptureStatusNone);
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal), hipSuccess);
  launch_captured(module["scale"], data.pointer(), 2, stream);
  hipGraph_t so_far = nullptr;
  const hipGraphNode_t* last = nullptr;
  std::size_t number = 0;
  ASSERT_EQ(hipStreamGetCaptureInfo_v2(stream, &status, &id, &so_far, &last, &number), hipSuccess);
  EXPECT_EQ(status, hipStreamCaptureStatusActive);
  EXPECT_NE(id, 0u);
  ASSERT_EQ(number, 1u);
  EXPECT_EQ(type_of(last[0]), hipGraphNodeTypeKernel);

  // A node added by hand, which the capture is told to follow instead.
  const hipMemsetParams p = fill(data.pointer(), 7);
  hipGraphNode_t by_hand = nullptr;
  ASSERT_EQ(hipGraphAddMemsetNode(&by_hand, so_far, last, 1, &p), hipSuccess);
  ASSERT_EQ(hipStreamUpdateCaptureDependencies(stream, &by_hand, 1, hipStreamSetCaptureDependencies),
            hipSuccess);
  EXPECT_EQ(hipStreamUpdateCaptureDependencies(stream, &by_hand, 1, 9), hipErrorInvalidValue);
  launch_captured(module["shift"], data.pointer(), 1, stream);
  hipGraph_t captured = nullptr;
  ASSERT_EQ(hipStreamEndCapture(stream, &captured), hipSuccess);
  EXPECT_EQ(captured, so_far);
  std::size_t edges = 0;
  ASSERT_EQ(hipGraphGetEdges(captured, nullptr, nullptr, &edges), hipSuccess);
  EXPECT_EQ(edges, 2u) << "scale, fill, shift";
  EXPECT_EQ(after(captured, data), Words(count, 8));
  EXPECT_EQ(hipGraphDestroy(captured), hipSuccess);
  EXPECT_EQ(hipStreamUpdateCaptureDependencies(stream, nullptr, 0, 0), hipErrorIllegalState);
}

TEST_F(NodeTest, TheNullStreamCannotBeAskedWhileAStreamThatWaitsForItIsCaptured) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
  for (const unsigned flags : {hipStreamDefault, hipStreamNonBlocking}) {
    const hipError_t expected = flags == hipStreamDefault ? hipErrorStreamCaptureImplicit : hipSuccess;
    hipStream_t captured = nullptr;
    ASSERT_EQ(hipStreamCreateWithFlags(&captured, flags), hipSuccess);
    ASSERT_EQ(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal), hipSuccess);
    unsigned long long id = 0;
    for (hipStream_t asked : {hipStream_t{nullptr}, hipStreamLegacy}) {
      EXPECT_EQ(hipStreamIsCapturing(asked, &status), expected) << flags;
      EXPECT_EQ(hipStreamGetCaptureInfo(asked, &status, &id), expected) << flags;
    }
    EXPECT_EQ(hipStreamIsCapturing(hipStreamPerThread, &status), hipSuccess) << flags;
    hipGraph_t made = nullptr;
    ASSERT_EQ(hipStreamEndCapture(captured, &made), hipSuccess);
    EXPECT_EQ(hipStreamIsCapturing(nullptr, &status), hipSuccess) << "the capture is over";
    EXPECT_EQ(hipGraphDestroy(made), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(captured), hipSuccess);
  }
}

TEST_F(NodeTest, ACaptureContinuesAGraph) {
  const DeviceArray<unsigned> data(Words(count, 3));
  const hipGraphNode_t scale = add(module["scale"], data.pointer(), 2);
  ASSERT_EQ(hipStreamBeginCaptureToGraph(stream, graph, &scale, nullptr, 1, hipStreamCaptureModeRelaxed),
            hipSuccess);
  launch_captured(module["shift"], data.pointer(), 1, stream);
  hipGraph_t captured = nullptr;
  ASSERT_EQ(hipStreamEndCapture(stream, &captured), hipSuccess);
  EXPECT_EQ(captured, graph);
  EXPECT_EQ(after(graph, data), Words(count, 7));
  EXPECT_EQ(hipStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, hipStreamCaptureModeRelaxed),
            hipErrorInvalidValue);
}

TEST_F(NodeTest, AThreadsCaptureModeIsExchanged) {
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  ASSERT_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
  EXPECT_EQ(mode, hipStreamCaptureModeGlobal);
  ASSERT_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
  EXPECT_EQ(mode, hipStreamCaptureModeRelaxed);
  EXPECT_EQ(hipThreadExchangeStreamCaptureMode(nullptr), hipErrorInvalidValue);
}

} // namespace
