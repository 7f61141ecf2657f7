// Several host threads use the runtime at the same time, each with its own memory, stream and events, all
// with one module and one pool. Run under the thread sanitizer this finds races in the runtime.
#include "tests/emulator/support/assembled.hpp"

#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <vector>

namespace cts::emulator::testing {
namespace {

constexpr unsigned threads = 4, rounds = 25, words = 64;

/// Says which call failed: assertions of GoogleTest in many threads at once would only be counted.
struct Failed {
  const char* call;
  hipError_t result;
};
#define TRY(call)                                                                                            \
  if (const hipError_t result = call; result != hipSuccess) throw Failed {                                   \
#call, result                                                                                          \
    }

/// Allocates, copies, launches, waits, reads back and frees. Two workgroups add each word of the input to
/// the output.
void one_round(hipModule_t module, hipMemPool_t pool, std::uint32_t number) {
  hipFunction_t function = nullptr;
  TRY(hipModuleGetFunction(&function, module, "accumulate"));
  hipStream_t stream = nullptr;
  TRY(hipStreamCreate(&stream));
  hipEvent_t event = nullptr;
  TRY(hipEventCreate(&event));
  std::array<void*, 2> buffers{};
  TRY(hipMalloc(&buffers[0], 4 * words));
  TRY(hipMallocFromPoolAsync(&buffers[1], 4 * words, pool, stream));
  std::uint64_t threshold = number, read = 0;
  TRY(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  TRY(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &read));
  std::vector<std::uint32_t> host(words, number);
  TRY(hipMemcpyAsync(buffers[0], host.data(), 4 * words, hipMemcpyHostToDevice, stream));
  TRY(hipMemsetD32Async(buffers[1], 0, words, stream));
  void* arguments[] = {&buffers[0], &buffers[1]};
  TRY(hipModuleLaunchKernel(function, 2, 1, 1, words, 1, 1, 0, stream, arguments, nullptr));
  TRY(hipEventRecord(event, stream));
  TRY(hipEventSynchronize(event));
  TRY(hipMemcpy(host.data(), buffers[1], 4 * words, hipMemcpyDeviceToHost));
  for (unsigned i = 0; i < words; ++i)
    if (host[i] != 2 * number) throw Failed{"a word that the kernel wrote", hipErrorUnknown};
  TRY(hipFreeAsync(buffers[1], stream));
  TRY(hipFree(buffers[0]));
  TRY(hipEventDestroy(event));
  TRY(hipStreamDestroy(stream));
}

TEST(HipThreads, ShareTheRuntime) {
  const char* const set = std::getenv("CDNA_CTS_TARGET");
  const std::vector<std::byte> code =
      assemble({{"accumulate", "  global_load_dword v1, v126, s[4:5]\n  s_waitcnt vmcnt(0)\n"
                               "  global_atomic_add v126, v1, s[6:7]\n"}},
               parse_target(set != nullptr ? set : "").value_or(Target::gfx942));
  hipModule_t module = nullptr;
  ASSERT_EQ(hipModuleLoadData(&module, code.data()), hipSuccess);
  hipMemPool_t pool = nullptr;
  ASSERT_EQ(hipDeviceGetDefaultMemPool(&pool, 0), hipSuccess);
  std::array<std::string, threads> failures;
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t)
    team.emplace_back([&, t] {
      try {
        for (unsigned r = 0; r < rounds; ++r) one_round(module, pool, 1000 * t + r);
      } catch (const Failed& failed) {
        failures[t] = fmt::format("{}: {}", failed.call, hipGetErrorString(failed.result));
      }
    });
  for (std::thread& thread : team) thread.join();
  for (unsigned t = 0; t < threads; ++t) EXPECT_EQ(failures[t], "") << "thread " << t;
  EXPECT_EQ(hipModuleUnload(module), hipSuccess);
}

} // namespace
} // namespace cts::emulator::testing
