// Graphs and stream capture.
#include "tests/hip/graph_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using cts::hip_test::count;
using cts::hip_test::DeviceArray;
using cts::hip_test::GraphTest;
using cts::hip_test::Words;

TEST_F(GraphTest, NodesRunInTheOrderOfTheirDependencies) {
  const DeviceArray<unsigned> data(Words(count, 3));
  // Added in the wrong order: the edge decides.
  const hipGraphNode_t shift = add(module["shift"], data.pointer(), 5);
  const hipGraphNode_t scale = add(module["scale"], data.pointer(), 2);
  ASSERT_EQ(hipGraphAddDependencies(graph, &scale, &shift, 1), hipSuccess);
  EXPECT_EQ(after(graph, data), Words(count, 3 * 2 + 5));
}

TEST_F(GraphTest, ALaunchCanBeRepeated) {
  const DeviceArray<unsigned> data(Words(count, 0));
  add(module["shift"], data.pointer(), 7);
  const hipGraphExec_t executable = instantiate(graph);
  for (int i = 0; i < 3; ++i) run(executable);
  EXPECT_EQ(data.read(), Words(count, 21));
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream), hipErrorInvalidValue);
}

TEST_F(GraphTest, CopiesFillsAndHostCalls) {
  const DeviceArray<unsigned> data(Words(count, 0));
  Words sent(count, 9), received(count, 0);
  hipGraphNode_t copy_in = nullptr, fill = nullptr, copy_out = nullptr, host = nullptr, empty = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, data.pointer(), sent.data(), data.bytes(),
                                    hipMemcpyHostToDevice),
            hipSuccess);
  hipMemsetParams half{};
  half.dst = data.pointer();
  half.elementSize = 4;
  half.value = 4;
  half.width = count / 2;
  half.height = 1;
  half.pitch = data.bytes();
  ASSERT_EQ(hipGraphAddMemsetNode(&fill, graph, &copy_in, 1, &half), hipSuccess);
  ASSERT_EQ(hipGraphAddEmptyNode(&empty, graph, &fill, 1), hipSuccess);
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&copy_out, graph, &empty, 1, received.data(), data.pointer(),
                                    data.bytes(), hipMemcpyDeviceToHost),
            hipSuccess);
  Words seen;
  struct Both {
    Words *from, *to;
  } both{&received, &seen};
  hipHostNodeParams call{[](void* data) {
                           auto* const b = static_cast<Both*>(data);
                           *b->to = *b->from;
                         },
                         &both};
  ASSERT_EQ(hipGraphAddHostNode(&host, graph, &copy_out, 1, &call), hipSuccess);
  Words expected(count, 9);
  std::fill_n(expected.begin(), count / 2, 4u);
  after(graph, data);
  EXPECT_EQ(seen, expected);
}

TEST_F(GraphTest, WhatANodeDoesCanBeAskedAndReplaced) {
  const DeviceArray<unsigned> data(Words(count, 1));
  const hipGraphNode_t node = add(module["shift"], data.pointer(), 5);
  hipKernelNodeParams p{};
  ASSERT_EQ(hipGraphKernelNodeGetParams(node, &p), hipSuccess);
  EXPECT_EQ(p.func, reinterpret_cast<void*>(module["shift"]));
  EXPECT_EQ(p.blockDim.x, count);
  EXPECT_EQ(*static_cast<unsigned*>(p.kernelParams[1]), 5u);
  const hipGraphExec_t executable = instantiate(graph);

  unsigned* where = data.pointer();
  unsigned number = 10;
  void* arguments[] = {&where, &number};
  p = call(module["scale"], arguments);
  ASSERT_EQ(hipGraphKernelNodeSetParams(node, &p), hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 6)) << "an executable graph keeps what it was made from";
  ASSERT_EQ(hipGraphExecKernelNodeSetParams(executable, node, &p), hipSuccess);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 60));
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(GraphTest, AnUpdateNeedsTheSameStructure) {
  const DeviceArray<unsigned> data(Words(count, 1));
  const hipGraphNode_t first = add(module["shift"], data.pointer(), 5);
  const hipGraphExec_t executable = instantiate(graph);
  hipGraph_t other = nullptr;
  ASSERT_EQ(hipGraphClone(&other, graph), hipSuccess);
  hipGraphNode_t in_clone = nullptr, error_node = nullptr;
  ASSERT_EQ(hipGraphNodeFindInClone(&in_clone, first, other), hipSuccess);
  unsigned* where = data.pointer();
  unsigned number = 8;
  void* arguments[] = {&where, &number};
  const hipKernelNodeParams p = call(module["shift"], arguments);
  ASSERT_EQ(hipGraphKernelNodeSetParams(in_clone, &p), hipSuccess);
  hipGraphExecUpdateResult result = hipGraphExecUpdateError;
  ASSERT_EQ(hipGraphExecUpdate(executable, other, &error_node, &result), hipSuccess);
  EXPECT_EQ(result, hipGraphExecUpdateSuccess);
  run(executable);
  EXPECT_EQ(data.read(), Words(count, 9));
  hipGraphNode_t extra = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&extra, other, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphExecUpdate(executable, other, &error_node, &result), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(hipGraphDestroy(other), hipSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(GraphTest, AChildGraphRunsWhereItsNodeStands) {
  const DeviceArray<unsigned> data(Words(count, 2));
  add(module["scale"], data.pointer(), 10);
  hipGraph_t outer = nullptr;
  ASSERT_EQ(hipGraphCreate(&outer, 0), hipSuccess);
  hipGraphNode_t child = nullptr, fill = nullptr;
  hipMemsetParams all{};
  all.dst = data.pointer();
  all.elementSize = 4;
  all.value = 3;
  all.width = count;
  all.height = 1;
  ASSERT_EQ(hipGraphAddMemsetNode(&fill, outer, nullptr, 0, &all), hipSuccess);
  ASSERT_EQ(hipGraphAddChildGraphNode(&child, outer, &fill, 1, graph), hipSuccess);
  hipGraphNodeType type = hipGraphNodeTypeCount;
  ASSERT_EQ(hipGraphNodeGetType(child, &type), hipSuccess);
  EXPECT_EQ(type, hipGraphNodeTypeGraph);
  EXPECT_EQ(after(outer, data), Words(count, 30));
  EXPECT_EQ(hipGraphDestroy(outer), hipSuccess);
}

TEST_F(GraphTest, ItsStructureCanBeAsked) {
  hipGraphNode_t a = nullptr, b = nullptr, c = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&a, graph, nullptr, 0), hipSuccess);
  ASSERT_EQ(hipGraphAddEmptyNode(&b, graph, &a, 1), hipSuccess);
  const hipGraphNode_t both[] = {a, b};
  ASSERT_EQ(hipGraphAddEmptyNode(&c, graph, both, 2), hipSuccess);
  std::size_t n = 0;
  ASSERT_EQ(hipGraphGetNodes(graph, nullptr, &n), hipSuccess);
  EXPECT_EQ(n, 3u);
  ASSERT_EQ(hipGraphGetEdges(graph, nullptr, nullptr, &n), hipSuccess);
  EXPECT_EQ(n, 3u);
  hipGraphNode_t roots[3] = {};
  n = 3;
  ASSERT_EQ(hipGraphGetRootNodes(graph, roots, &n), hipSuccess);
  EXPECT_EQ(n, 1u);
  EXPECT_EQ(roots[0], a);
  EXPECT_EQ(roots[1], nullptr);
  ASSERT_EQ(hipGraphNodeGetDependencies(c, nullptr, &n), hipSuccess);
  EXPECT_EQ(n, 2u);
  ASSERT_EQ(hipGraphNodeGetDependentNodes(a, nullptr, &n), hipSuccess);
  EXPECT_EQ(n, 2u);
  ASSERT_EQ(hipGraphRemoveDependencies(graph, &a, &c, 1), hipSuccess);
  ASSERT_EQ(hipGraphNodeGetDependencies(c, nullptr, &n), hipSuccess);
  EXPECT_EQ(n, 1u);
  ASSERT_EQ(hipGraphDestroyNode(b), hipSuccess);
  ASSERT_EQ(hipGraphNodeGetDependencies(c, nullptr, &n), hipSuccess);
  EXPECT_EQ(n, 0u);
}

TEST_F(GraphTest, ACycleCannotBeMadeExecutable) {
  hipGraphNode_t a = nullptr, b = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&a, graph, nullptr, 0), hipSuccess);
  ASSERT_EQ(hipGraphAddEmptyNode(&b, graph, &a, 1), hipSuccess);
  if (hipGraphAddDependencies(graph, &b, &a, 1) != hipSuccess) return; // refused even earlier
  hipGraphExec_t executable = nullptr;
  EXPECT_NE(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
}

TEST_F(GraphTest, ACaptureRunsWhatTheStreamWasAskedForAndNotBefore) {
  const DeviceArray<unsigned> data(Words(count, 1));
  Words sent(count, 4), received(count, 0);
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipSuccess);
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  ASSERT_EQ(hipStreamIsCapturing(stream, &status), hipSuccess);
  EXPECT_EQ(status, hipStreamCaptureStatusActive);
  EXPECT_EQ(hipMemcpyAsync(data.pointer(), sent.data(), data.bytes(), hipMemcpyHostToDevice, stream),
            hipSuccess);
  launch_captured(module["scale"], data.pointer(), 3, stream);
  launch_captured(module["shift"], data.pointer(), 1, stream);
  EXPECT_EQ(hipMemcpyAsync(received.data(), data.pointer(), data.bytes(), hipMemcpyDeviceToHost, stream),
            hipSuccess);
  hipGraph_t captured = nullptr;
  ASSERT_EQ(hipStreamEndCapture(stream, &captured), hipSuccess);
  EXPECT_EQ(data.read(), Words(count, 1)) << "capturing does nothing";
  EXPECT_EQ(received, Words(count, 0));
  std::size_t nodes = 0;
  ASSERT_EQ(hipGraphGetNodes(captured, nullptr, &nodes), hipSuccess);
  EXPECT_EQ(nodes, 4u);
  EXPECT_EQ(after(captured, data), Words(count, 13));
  EXPECT_EQ(received, Words(count, 13));
  EXPECT_EQ(hipGraphDestroy(captured), hipSuccess);
  ASSERT_EQ(hipStreamIsCapturing(stream, &status), hipSuccess);
  EXPECT_EQ(status, hipStreamCaptureStatusNone);
}

TEST_F(GraphTest, AStreamJoinsACaptureThroughAnEvent) {
  const DeviceArray<unsigned> one(Words(count, 1)), two(Words(count, 1));
  hipStream_t side = nullptr;
  hipEvent_t fork = nullptr, join = nullptr;
  ASSERT_EQ(hipStreamCreate(&side), hipSuccess);
  ASSERT_EQ(hipEventCreate(&fork), hipSuccess);
  ASSERT_EQ(hipEventCreate(&join), hipSuccess);
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipSuccess);
  launch_captured(module["shift"], one.pointer(), 4, stream);
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(side, fork, 0), hipSuccess);
  launch_captured(module["scale"], two.pointer(), 6, side);
  launch_captured(module["scale"], one.pointer(), 2, stream);
  ASSERT_EQ(hipEventRecord(join, side), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(stream, join, 0), hipSuccess);
  hipGraph_t captured = nullptr;
  ASSERT_EQ(hipStreamEndCapture(stream, &captured), hipSuccess);
  std::size_t edges = 0;
  ASSERT_EQ(hipGraphGetEdges(captured, nullptr, nullptr, &edges), hipSuccess);
  EXPECT_EQ(edges, 2u) << "both scales follow the shift";
  EXPECT_EQ(after(captured, one), Words(count, 10));
  EXPECT_EQ(two.read(), Words(count, 6));
  EXPECT_EQ(hipGraphDestroy(captured), hipSuccess);
  EXPECT_EQ(hipEventDestroy(fork), hipSuccess);
  EXPECT_EQ(hipEventDestroy(join), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(side), hipSuccess);
}

TEST_F(GraphTest, ACaptureWithAStreamLeftBehindFails) {
  const DeviceArray<unsigned> data(Words(count, 1));
  hipStream_t side = nullptr;
  hipEvent_t fork = nullptr;
  ASSERT_EQ(hipStreamCreate(&side), hipSuccess);
  ASSERT_EQ(hipEventCreate(&fork), hipSuccess);
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipSuccess);
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(side, fork, 0), hipSuccess);
  launch_captured(module["shift"], data.pointer(), 4, side);
  hipGraph_t captured = nullptr;
  EXPECT_EQ(hipStreamEndCapture(stream, &captured), hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(captured, nullptr);
  EXPECT_EQ(hipEventDestroy(fork), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(side), hipSuccess);
}

TEST_F(GraphTest, CapturingIsChecked) {
  hipGraph_t captured = nullptr;
  EXPECT_EQ(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(hipStreamEndCapture(stream, &captured), hipErrorIllegalState);
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipSuccess);
  EXPECT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  ASSERT_EQ(hipStreamEndCapture(stream, &captured), hipSuccess);
  std::size_t nodes = 1;
  ASSERT_EQ(hipGraphGetNodes(captured, nullptr, &nodes), hipSuccess);
  EXPECT_EQ(nodes, 0u);
  EXPECT_EQ(hipGraphDestroy(captured), hipSuccess);
}

TEST_F(GraphTest, WaitingForACapturedStreamEndsItsCapture) {
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
  hipGraph_t captured = nullptr;
  EXPECT_EQ(hipStreamEndCapture(stream, &captured), hipErrorStreamCaptureInvalidated);
}

TEST_F(GraphTest, HandlesThatDoNotLiveAreRefused) {
  hipGraphNode_t node = nullptr;
  hipGraph_t ended = nullptr;
  ASSERT_EQ(hipGraphCreate(&ended, 0), hipSuccess);
  ASSERT_EQ(hipGraphAddEmptyNode(&node, ended, nullptr, 0), hipSuccess);
  hipGraphNode_t mine = nullptr;
  EXPECT_EQ(hipGraphAddEmptyNode(&mine, graph, &node, 1), hipErrorInvalidValue) << "another graph's node";
  ASSERT_EQ(hipGraphDestroy(ended), hipSuccess);
  EXPECT_EQ(hipGraphCreate(nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(nullptr, graph, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddKernelNode(&mine, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
}

} // namespace
