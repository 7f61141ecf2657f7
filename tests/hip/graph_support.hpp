// A graph, a stream, and kernels whose order can be told from their result, for tests of graphs.
#pragma once

#include "tests/hip/module_support.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cts::hip_test {

using Words = std::vector<unsigned>;

inline constexpr unsigned count = 64;

/// A graph, a stream, and the kernels `scale` (data[i] *= factor) and `shift` (data[i] += amount).
class GraphTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
    ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  }

  hipKernelNodeParams call(hipFunction_t function, void** arguments) const {
    hipKernelNodeParams p{};
    p.func = reinterpret_cast<void*>(function);
    p.gridDim = {1, 1, 1};
    p.blockDim = {count, 1, 1};
    p.kernelParams = arguments;
    return p;
  }
  /// A kernel node that follows `before`.
  hipGraphNode_t add(hipFunction_t function, unsigned* data, unsigned number,
                     const std::vector<hipGraphNode_t>& before = {}) {
    void* arguments[] = {&data, &number};
    const hipKernelNodeParams p = call(function, arguments);
    hipGraphNode_t node = nullptr;
    EXPECT_EQ(hipGraphAddKernelNode(&node, graph, before.data(), before.size(), &p), hipSuccess);
    return node;
  }
  hipGraphExec_t instantiate(hipGraph_t of) const {
    hipGraphExec_t executable = nullptr;
    EXPECT_EQ(hipGraphInstantiate(&executable, of, nullptr, nullptr, 0), hipSuccess);
    return executable;
  }
  void run(hipGraphExec_t executable) const {
    EXPECT_EQ(hipGraphLaunch(executable, stream), hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
  }
  /// What one launch of `of` makes of the array.
  Words after(hipGraph_t of, const DeviceArray<unsigned>& array) const {
    const hipGraphExec_t executable = instantiate(of);
    run(executable);
    EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
    return array.read();
  }
  void launch_captured(hipFunction_t function, unsigned* data, unsigned number, hipStream_t on) const {
    void* arguments[] = {&data, &number};
    EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, count, 1, 1, 0, on, arguments, nullptr), hipSuccess);
  }

  LoadedModule module{"graph.bundle"};
  hipGraph_t graph = nullptr;
  hipStream_t stream = nullptr;
};

} // namespace cts::hip_test
