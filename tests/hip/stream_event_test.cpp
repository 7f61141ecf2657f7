#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

TEST(Stream, KeepsFlagsAndPriority) {
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -5), hipSuccess);
  unsigned flags = 0;
  int priority = 0;
  ASSERT_EQ(hipStreamGetFlags(stream, &flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipStreamNonBlocking));
  ASSERT_EQ(hipStreamGetPriority(stream, &priority), hipSuccess);
  EXPECT_EQ(priority, -1) << "clamped to the range's end";
  EXPECT_EQ(hipStreamQuery(stream), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST(Stream, DestroyedStreamIsRefused) {
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipErrorContextIsDestroyed);
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
  EXPECT_EQ(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hipStreamDestroy(hipStreamPerThread), hipErrorInvalidHandle);
}

TEST(Stream, BuiltInStreamsExist) {
  for (hipStream_t stream : {hipStream_t{nullptr}, hipStreamLegacy, hipStreamPerThread})
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
}

TEST(Stream, FlagsAreChecked) {
  hipStream_t stream = nullptr;
  EXPECT_EQ(hipStreamCreateWithFlags(&stream, 0x40), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamCreate(nullptr), hipErrorInvalidValue);
}

TEST(Stream, CallbacksRunInOrder) {
  std::vector<int> order;
  ASSERT_EQ(
      hipStreamAddCallback(
          nullptr,
          [](hipStream_t, hipError_t, void* data) { static_cast<std::vector<int>*>(data)->push_back(1); },
          &order, 0),
      hipSuccess);
  ASSERT_EQ(hipLaunchHostFunc(
                nullptr, [](void* data) { static_cast<std::vector<int>*>(data)->push_back(2); }, &order),
            hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(Event, MeasuresWallTime) {
  hipEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(hipEventCreate(&start), hipSuccess);
  ASSERT_EQ(hipEventCreate(&stop), hipSuccess);
  ASSERT_EQ(hipEventRecord(start, nullptr), hipSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(hipEventRecord(stop, nullptr), hipSuccess);
  ASSERT_EQ(hipEventSynchronize(stop), hipSuccess);
  float milliseconds = 0;
  ASSERT_EQ(hipEventElapsedTime(&milliseconds, start, stop), hipSuccess);
  EXPECT_GE(milliseconds, 20.0F);
  EXPECT_EQ(hipEventDestroy(start), hipSuccess);
  EXPECT_EQ(hipEventDestroy(stop), hipSuccess);
  EXPECT_EQ(hipEventDestroy(stop), hipErrorContextIsDestroyed);
}

TEST(Event, UnrecordedOrUntimedHasNoElapsedTime) {
  hipEvent_t timed = nullptr, untimed = nullptr;
  ASSERT_EQ(hipEventCreate(&timed), hipSuccess);
  ASSERT_EQ(hipEventCreateWithFlags(&untimed, hipEventDisableTiming), hipSuccess);
  float milliseconds = 0;
  EXPECT_EQ(hipEventQuery(timed), hipSuccess);
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, timed, timed), hipErrorInvalidHandle);
  ASSERT_EQ(hipEventRecord(timed, nullptr), hipSuccess);
  ASSERT_EQ(hipEventRecord(untimed, nullptr), hipSuccess);
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, timed, untimed), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventElapsedTime(nullptr, timed, timed), hipErrorInvalidValue);
  EXPECT_EQ(hipEventRecord(nullptr, nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventCreateWithFlags(&timed, 0x1000), hipErrorInvalidValue);
  EXPECT_EQ(hipEventDestroy(untimed), hipSuccess);
}

} // namespace
