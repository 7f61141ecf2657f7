// Forms of copies and fills that take a stream, or are named for their direction: each does what its plain
// form does, and refuses a stream that does not live.
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t rows = 8, width = 32, bytes = rows * width;

hipDeviceptr_t device_pointer(void* pointer) { return pointer; }

/// Two blocks of device memory, and a stream.
class Stream : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc(&first, bytes), hipSuccess);
    ASSERT_EQ(hipMalloc(&second, bytes), hipSuccess);
    ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
    ASSERT_EQ(hipStreamCreate(&ended), hipSuccess);
    ASSERT_EQ(hipStreamDestroy(ended), hipSuccess);
    sent.resize(bytes);
    std::iota(sent.begin(), sent.end(), std::uint8_t{1});
  }
  void TearDown() override {
    EXPECT_EQ(hipFree(first), hipSuccess);
    EXPECT_EQ(hipFree(second), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  }

  void write(void* device, const Bytes& values) const {
    ASSERT_EQ(hipMemcpy(device, values.data(), bytes, hipMemcpyHostToDevice), hipSuccess);
  }
  Bytes read(const void* device) const {
    Bytes values(bytes);
    EXPECT_EQ(hipMemcpy(values.data(), device, bytes, hipMemcpyDeviceToHost), hipSuccess);
    return values;
  }

  void* first = nullptr;
  void* second = nullptr;
  hipStream_t stream = nullptr, ended = nullptr;
  Bytes sent;
};
using AsyncCopy = Stream;
using AsyncFill = Stream;

TEST_F(AsyncCopy, DeviceToDevice) {
  const hip_Memcpy2D described{
      0,     0,   hipMemoryTypeDevice, nullptr, device_pointer(first),  nullptr, width,
      0,     0,   hipMemoryTypeDevice, nullptr, device_pointer(second), nullptr, width,
      width, rows};
  HIP_MEMCPY3D box{};
  box.srcMemoryType = box.dstMemoryType = hipMemoryTypeDevice;
  box.srcDevice = device_pointer(first);
  box.dstDevice = device_pointer(second);
  box.srcPitch = box.dstPitch = box.WidthInBytes = width;
  box.srcHeight = box.dstHeight = box.Height = rows;
  box.Depth = 1;
  struct {
    const char* name;
    std::function<hipError_t(hipStream_t)> copy;
  } const forms[] = {
      {"hipMemcpyAsync",
       [&](hipStream_t on) { return hipMemcpyAsync(second, first, bytes, hipMemcpyDeviceToDevice, on); }},
      {"hipMemcpyWithStream",
       [&](hipStream_t on) {
         return hipMemcpyWithStream(second, first, bytes, hipMemcpyDeviceToDevice, on);
       }},
      {"hipMemcpyDtoDAsync",
       [&](hipStream_t on) {
         return hipMemcpyDtoDAsync(device_pointer(second), device_pointer(first), bytes, on);
       }},
      {"hipMemcpyPeerAsync",
       [&](hipStream_t on) { return hipMemcpyPeerAsync(second, 0, first, 0, bytes, on); }},
      {"hipMemcpy2DAsync",
       [&](hipStream_t on) {
         return hipMemcpy2DAsync(second, width, first, width, width, rows, hipMemcpyDeviceToDevice, on);
       }},
      {"hipMemcpyParam2DAsync", [&](hipStream_t on) { return hipMemcpyParam2DAsync(&described, on); }},
      {"hipDrvMemcpy3DAsync", [&](hipStream_t on) { return hipDrvMemcpy3DAsync(&box, on); }},
  };
  for (const auto& form : forms) {
    SCOPED_TRACE(form.name);
    write(first, sent);
    write(second, Bytes(bytes, 0));
    EXPECT_EQ(form.copy(ended), hipErrorContextIsDestroyed);
    EXPECT_EQ(read(second), Bytes(bytes, 0));
    EXPECT_EQ(form.copy(stream), hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
    EXPECT_EQ(read(second), sent);
  }
  write(second, Bytes(bytes, 0));
  EXPECT_EQ(hipMemcpyDtoD(device_pointer(second), device_pointer(first), bytes), hipSuccess);
  EXPECT_EQ(read(second), sent);
}

TEST_F(AsyncCopy, ToTheDeviceAndBackByDirection) {
  ASSERT_EQ(hipMemcpyHtoDAsync(device_pointer(first), sent.data(), bytes, stream), hipSuccess);
  Bytes received(bytes, 0);
  EXPECT_EQ(hipMemcpyDtoHAsync(received.data(), device_pointer(first), bytes, ended),
            hipErrorContextIsDestroyed);
  EXPECT_EQ(received, Bytes(bytes, 0));
  ASSERT_EQ(hipMemcpyDtoHAsync(received.data(), device_pointer(first), bytes, stream), hipSuccess);
  EXPECT_EQ(received, sent);
  EXPECT_EQ(hipMemcpyHtoDAsync(device_pointer(received.data()), sent.data(), bytes, stream),
            hipErrorInvalidValue)
      << "host memory as the device's side";
}

/// `count` bytes of a repeated element, the rest left at 0xee.
Bytes filled(std::vector<std::uint8_t> element, std::size_t count) {
  Bytes values(bytes, 0xee);
  for (std::size_t i = 0; i < count; ++i) values[i] = element[i % element.size()];
  return values;
}

TEST_F(AsyncFill, ElementsAreCountedInTheirOwnWidth) {
  struct {
    const char* name;
    std::function<hipError_t(hipStream_t)> fill;
    Bytes expected;
  } const forms[] = {
      {"hipMemsetAsync", [&](hipStream_t on) { return hipMemsetAsync(first, 0x1a5, 64, on); },
       filled({0xa5}, 64)},
      {"hipMemsetD8Async",
       [&](hipStream_t on) { return hipMemsetD8Async(device_pointer(first), 0x42, 64, on); },
       filled({0x42}, 64)},
      {"hipMemsetD16Async",
       [&](hipStream_t on) { return hipMemsetD16Async(device_pointer(first), 0x1234, 32, on); },
       filled({0x34, 0x12}, 64)},
      {"hipMemsetD32Async",
       [&](hipStream_t on) { return hipMemsetD32Async(device_pointer(first), 0x12345678, 16, on); },
       filled({0x78, 0x56, 0x34, 0x12}, 64)},
      {"hipMemset2DAsync", [&](hipStream_t on) { return hipMemset2DAsync(first, width, 7, width, 2, on); },
       filled({7}, 64)},
  };
  for (const auto& form : forms) {
    SCOPED_TRACE(form.name);
    write(first, Bytes(bytes, 0xee));
    EXPECT_EQ(form.fill(ended), hipErrorContextIsDestroyed);
    EXPECT_EQ(read(first), Bytes(bytes, 0xee));
    EXPECT_EQ(form.fill(stream), hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
    EXPECT_EQ(read(first), form.expected);
  }
  write(first, Bytes(bytes, 0xee));
  EXPECT_EQ(hipMemsetD8(device_pointer(first), 0x42, 64), hipSuccess);
  EXPECT_EQ(read(first), filled({0x42}, 64));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // its older names, in HIP
TEST(HostAllocation, EveryNameGivesPinnedMemory) {
  struct {
    const char* name;
    std::function<hipError_t(void**)> allocate;
  } const forms[] = {
      {"hipHostAlloc", [](void** pointer) { return hipHostAlloc(pointer, 64, hipHostAllocDefault); }},
      {"hipMemAllocHost", [](void** pointer) { return hipMemAllocHost(pointer, 64); }},
      {"hipMallocHost", [](void** pointer) { return hipMallocHost(pointer, 64); }},
  };
  for (const auto& form : forms) {
    SCOPED_TRACE(form.name);
    void* pointer = nullptr;
    ASSERT_EQ(form.allocate(&pointer), hipSuccess);
    hipPointerAttribute_t attributes{};
    ASSERT_EQ(hipPointerGetAttributes(&attributes, pointer), hipSuccess);
    EXPECT_EQ(attributes.type, hipMemoryTypeHost);
    EXPECT_EQ(attributes.devicePointer, pointer);
    EXPECT_EQ(hipFreeHost(pointer), hipSuccess);
    EXPECT_NE(hipFreeHost(pointer), hipSuccess);
  }
}

#pragma GCC diagnostic pop

TEST(DeviceAllocation, WithFlagsAndByTheDriversPitch) {
  void* pointer = nullptr;
  ASSERT_EQ(hipExtMallocWithFlags(&pointer, 64, hipDeviceMallocFinegrained), hipSuccess);
  hipPointerAttribute_t attributes{};
  ASSERT_EQ(hipPointerGetAttributes(&attributes, pointer), hipSuccess);
  EXPECT_EQ(attributes.type, hipMemoryTypeDevice);
  EXPECT_EQ(hipFree(pointer), hipSuccess);
  EXPECT_EQ(hipExtMallocWithFlags(&pointer, 64, 0x4000), hipErrorInvalidValue);

  hipDeviceptr_t pitched = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(hipMemAllocPitch(&pitched, &pitch, 300, 4, 4), hipSuccess);
  EXPECT_EQ(pitch, 512u);
  EXPECT_EQ(hipMemset2D(pitched, pitch, 1, 300, 4), hipSuccess);
  EXPECT_EQ(hipFree(pitched), hipSuccess);
}

} // namespace
