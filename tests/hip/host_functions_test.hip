// Kernels and variables by their host names, as programs with `<<<>>>` have them: every way to launch a
// kernel, what is known of it, and variables in copies on streams and in graphs.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <vector>

namespace {

using Words = std::vector<unsigned>;

constexpr unsigned count = 64;

__managed__ unsigned words[count];
__device__ unsigned table[4] = {1, 2, 3, 4};

__global__ void fill(unsigned number, unsigned item) { words[threadIdx.x] = number + table[item]; }

__global__ void __launch_bounds__(128) bounded(unsigned* out) {
  __shared__ unsigned staged[256];
  staged[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = staged[255 - threadIdx.x];
}

__host__ void no_kernel() {}

const void* pointer_to(void (*function)(unsigned, unsigned)) {
  return reinterpret_cast<const void*>(function);
}

class HostFunctions : public ::testing::Test {
protected:
  void SetUp() override { std::fill_n(words, count, 0u); }
  /// What the last launch left, once it is over.
  Words result() const {
    EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
    return {words, words + count};
  }

  const void* const function = pointer_to(fill);
  unsigned number = 10, item = 2;
  void* arguments[2] = {&number, &item};
};

TEST_F(HostFunctions, EveryLaunchIsTheSame) {
  const hipLaunchConfig_t config{{1, 1, 1}, {count, 1, 1}, 0, nullptr, nullptr, 0};
  const std::function<hipError_t()> launches[] = {
      [&] {
        fill<<<1, count>>>(number, item);
        return hipGetLastError();
      },
      [&] {
        return hipLaunchKernel(function, {1, 1, 1}, {count, 1, 1}, arguments, 0, nullptr);
      },
      [&] {
        return hipExtLaunchKernel(function, {1, 1, 1}, {count, 1, 1}, arguments, 0, nullptr, nullptr, nullptr,
                                  0);
      },
      [&] { return hipLaunchKernelExC(&config, function, arguments); },
      [&] {
        hipFunction_t handle = nullptr;
        const hipError_t found = hipGetFuncBySymbol(&handle, function);
        if (found != hipSuccess) return found;
        return hipModuleLaunchKernel(handle, 1, 1, 1, count, 1, 1, 0, nullptr, arguments, nullptr);
      },
      [&] {
        hipError_t result = hipConfigureCall({1, 1, 1}, {count, 1, 1}, 0, nullptr);
        if (result == hipSuccess) result = hipSetupArgument(&number, sizeof number, 0);
        if (result == hipSuccess) result = hipSetupArgument(&item, sizeof item, sizeof number);
        return result == hipSuccess ? hipLaunchByPtr(function) : result;
      },
  };
  unsigned at = 0;
  for (const auto& launch : launches) {
    SCOPED_TRACE(at++);
    std::fill_n(words, count, 0u);
    number += 10;
    ASSERT_EQ(launch(), hipSuccess);
    EXPECT_EQ(result(), Words(count, number + 3));
  }
}

TEST_F(HostFunctions, AnExtendedLaunchRecordsItsEvents) {
  hipEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(hipEventCreate(&start), hipSuccess);
  ASSERT_EQ(hipEventCreate(&stop), hipSuccess);
  ASSERT_EQ(hipExtLaunchKernel(function, {1, 1, 1}, {count, 1, 1}, arguments, 0, nullptr, start, stop, 0),
            hipSuccess);
  float milliseconds = -1;
  ASSERT_EQ(hipEventElapsedTime(&milliseconds, start, stop), hipSuccess);
  EXPECT_GT(milliseconds, 0.0f);
  EXPECT_EQ(hipEventDestroy(start), hipSuccess);
  EXPECT_EQ(hipEventDestroy(stop), hipSuccess);
}

TEST_F(HostFunctions, WhatCannotBeLaunchedIsRefused) {
  const auto* const none = reinterpret_cast<const void*>(no_kernel);
  EXPECT_EQ(hipLaunchKernel(none, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr),
            hipErrorInvalidDeviceFunction);
  EXPECT_EQ(hipLaunchKernel(function, {0, 1, 1}, {1, 1, 1}, arguments, 0, nullptr),
            hipErrorInvalidConfiguration);
  EXPECT_EQ(hipLaunchKernel(function, {1, 1, 1}, {1025, 1, 1}, arguments, 0, nullptr),
            hipErrorInvalidConfiguration);
  EXPECT_EQ(hipLaunchKernelExC(nullptr, function, arguments), hipErrorInvalidConfiguration);
  EXPECT_EQ(hipLaunchByPtr(function), hipErrorMissingConfiguration);
  EXPECT_EQ(hipSetupArgument(&number, sizeof number, 0), hipErrorMissingConfiguration);
  EXPECT_EQ(hipLaunchCooperativeKernel(function, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr),
            hipErrorLaunchFailure);
  hipLaunchAttribute cooperative{};
  cooperative.id = hipLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  const hipLaunchConfig_t config{{1, 1, 1}, {count, 1, 1}, 0, nullptr, &cooperative, 1};
  EXPECT_EQ(hipLaunchKernelExC(&config, function, arguments), hipErrorLaunchFailure);
  EXPECT_EQ(result(), Words(count, 0));
}

TEST_F(HostFunctions, TheirAttributes) {
  const auto* const named = reinterpret_cast<const void*>(bounded);
  hipFuncAttributes attributes{};
  ASSERT_EQ(hipFuncGetAttributes(&attributes, named), hipSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
  EXPECT_EQ(attributes.sharedSizeBytes, 1024u);
  EXPECT_GT(attributes.numRegs, 0);
  hipDeviceProp_t properties{};
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  const int spare = static_cast<int>(properties.sharedMemPerBlock) - 1024;
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, spare);
  EXPECT_EQ(hipFuncSetAttribute(named, hipFuncAttributeMaxDynamicSharedMemorySize, spare), hipSuccess);
  EXPECT_EQ(hipFuncSetAttribute(named, hipFuncAttributeMaxDynamicSharedMemorySize, spare + 1),
            hipErrorInvalidValue);
  EXPECT_EQ(hipFuncSetAttribute(named, hipFuncAttributePreferredSharedMemoryCarveout, 101),
            hipErrorInvalidValue);
  EXPECT_EQ(hipFuncSetCacheConfig(named, hipFuncCachePreferShared), hipSuccess);
  EXPECT_EQ(hipFuncSetSharedMemConfig(named, hipSharedMemBankSizeFourByte), hipSuccess);
  EXPECT_EQ(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(no_kernel)),
            hipErrorInvalidDeviceFunction);
  EXPECT_NE(std::string_view(hipKernelNameRefByPtr(named, nullptr)).find("bounded"), std::string_view::npos);
  hipFunction_t handle = nullptr;
  ASSERT_EQ(hipGetFuncBySymbol(&handle, named), hipSuccess);
  EXPECT_NE(std::string_view(hipKernelNameRef(handle)).find("bounded"), std::string_view::npos);
}

TEST_F(HostFunctions, OccupancyIsArithmetic) {
  const auto* const named = reinterpret_cast<const void*>(bounded);
  hipDeviceProp_t properties{};
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  const int lds = static_cast<int>(properties.sharedMemPerBlock);
  int blocks = 0;
  ASSERT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, named, 128, 0), hipSuccess);
  EXPECT_EQ(blocks, 16) << "32 waves, two a block";
  const int a_third = lds / 3 - 1024;
  ASSERT_EQ(
      hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, named, 128, static_cast<std::size_t>(a_third)),
      hipSuccess);
  EXPECT_EQ(blocks, 3);
  ASSERT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, named, 64, 0, hipOccupancyDefault),
            hipSuccess);
  EXPECT_EQ(blocks, 32);
  EXPECT_EQ(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, named, 64, 0, 9),
            hipErrorInvalidValue);
  int grid = 0;
  int block = 0;
  ASSERT_EQ(hipOccupancyMaxPotentialBlockSize(&grid, &block, named, 0, 0), hipSuccess);
  EXPECT_EQ(block, 128);
  EXPECT_EQ(grid, 16 * properties.multiProcessorCount);
  std::size_t spare = 0;
  ASSERT_EQ(hipOccupancyAvailableDynamicSMemPerBlock(&spare, named, 2, 128), hipSuccess);
  EXPECT_EQ(spare, static_cast<std::size_t>(lds / 2 - 1024));
}

TEST_F(HostFunctions, VariablesAreCopiedInAStreamsOrder) {
  std::size_t bytes = 0;
  ASSERT_EQ(hipGetSymbolSize(&bytes, HIP_SYMBOL(table)), hipSuccess);
  EXPECT_EQ(bytes, 16u);
  Words sent{20, 30}, received(4, 0);
  ASSERT_EQ(hipMemcpyToSymbolAsync(HIP_SYMBOL(table), sent.data(), 8, 4, hipMemcpyHostToDevice, nullptr),
            hipSuccess);
  ASSERT_EQ(
      hipMemcpyFromSymbolAsync(received.data(), HIP_SYMBOL(table), 16, 0, hipMemcpyDeviceToHost, nullptr),
      hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(received, (Words{1, 20, 30, 4}));
  EXPECT_EQ(hipMemcpyToSymbolAsync(HIP_SYMBOL(table), sent.data(), 8, 12, hipMemcpyHostToDevice, nullptr),
            hipErrorInvalidValue)
      << "beyond the variable";
  EXPECT_EQ(hipMemcpyToSymbolAsync(&number, sent.data(), 4, 0, hipMemcpyHostToDevice, nullptr),
            hipErrorInvalidSymbol);
  sent = {2, 3};
  ASSERT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), sent.data(), 8, 4), hipSuccess);
}

TEST_F(HostFunctions, VariablesAreCopiedByNodes) {
  Words sent{100}, received(1, 0), other(1, 200);
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  hipGraphNode_t to = nullptr, from = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, HIP_SYMBOL(table), sent.data(), 4, 8,
                                          hipMemcpyHostToDevice),
            hipSuccess);
  ASSERT_EQ(hipGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, received.data(), HIP_SYMBOL(table), 4, 8,
                                            hipMemcpyDeviceToHost),
            hipSuccess);
  hipGraphExec_t executable = nullptr;
  ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
  const auto run = [&] {
    EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
    EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
    return received[0];
  };
  EXPECT_EQ(run(), 100u);
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParamsToSymbol(executable, to, HIP_SYMBOL(table), other.data(), 4, 8,
                                                    hipMemcpyHostToDevice),
            hipSuccess);
  EXPECT_EQ(run(), 200u);
  ASSERT_EQ(hipGraphExecMemcpyNodeSetParamsFromSymbol(executable, from, received.data(), HIP_SYMBOL(table), 4,
                                                      12, hipMemcpyDeviceToHost),
            hipSuccess);
  EXPECT_EQ(run(), 4u);
  EXPECT_EQ(
      hipGraphMemcpyNodeSetParamsToSymbol(to, HIP_SYMBOL(table), sent.data(), 8, 12, hipMemcpyHostToDevice),
      hipErrorInvalidValue)
      << "beyond the variable";
  EXPECT_EQ(hipGraphMemcpyNodeSetParamsFromSymbol(from, received.data(), HIP_SYMBOL(table), 4, 0,
                                                  hipMemcpyDeviceToHost),
            hipSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  const unsigned three = 3;
  ASSERT_EQ(hipMemcpyToSymbol(HIP_SYMBOL(table), &three, 4, 8), hipSuccess);
}

} // namespace
