#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

TEST(Allocation, FreshDeviceMemoryIsPoisoned) {
  void* pointer = nullptr;
  ASSERT_EQ(hipMalloc(&pointer, 64), hipSuccess);
  std::uint32_t words[16];
  ASSERT_EQ(hipMemcpy(words, pointer, 64, hipMemcpyDeviceToHost), hipSuccess);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(words[i], 0x7ffd7ffdU) << "word " << i;
  EXPECT_EQ(hipFree(pointer), hipSuccess);
}

TEST(Allocation, NothingAndNowhere) {
  void* pointer = &pointer;
  EXPECT_EQ(hipMalloc(&pointer, 0), hipSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(hipMalloc(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(nullptr), hipSuccess);
  EXPECT_EQ(hipMalloc(&pointer, std::size_t{1} << 60), hipErrorOutOfMemory);
}

TEST(Allocation, FreeTakesALiveBaseOnly) {
  void* pointer = nullptr;
  ASSERT_EQ(hipMalloc(&pointer, 64), hipSuccess);
  EXPECT_EQ(hipFree(static_cast<std::byte*>(pointer) + 4), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(pointer), hipSuccess);
  EXPECT_EQ(hipFree(pointer), hipErrorInvalidValue);
  int local = 0;
  EXPECT_EQ(hipFree(&local), hipErrorInvalidValue);
}

TEST(Allocation, HostMemoryIsWritableAndIsItsOwnDevicePointer) {
  void *pointer = nullptr, *device = nullptr;
  ASSERT_EQ(hipHostMalloc(&pointer, 100, hipHostMallocMapped), hipSuccess);
  std::memset(pointer, 7, 100);
  ASSERT_EQ(hipHostGetDevicePointer(&device, pointer, 0), hipSuccess);
  EXPECT_EQ(device, pointer);
  unsigned flags = 0;
  ASSERT_EQ(hipHostGetFlags(&flags, pointer), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipHostMallocMapped));
  EXPECT_EQ(hipHostFree(pointer), hipSuccess);
}

TEST(Allocation, HostFreeRefusesDeviceMemory) {
  void* pointer = nullptr;
  ASSERT_EQ(hipMalloc(&pointer, 100), hipSuccess);
  EXPECT_EQ(hipHostFree(pointer), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(pointer), hipSuccess);
}

TEST(Allocation, PitchKeepsRowsAligned) {
  void* pointer = nullptr;
  std::size_t pitch = 0, bytes = 0;
  ASSERT_EQ(hipMallocPitch(&pointer, &pitch, 300, 5), hipSuccess);
  EXPECT_EQ(pitch, 512U);
  ASSERT_EQ(hipMemPtrGetInfo(pointer, &bytes), hipSuccess);
  EXPECT_EQ(bytes, 5 * 512U);
  EXPECT_EQ(hipFree(pointer), hipSuccess);
}

TEST(Allocation, PointerAttributes) {
  void *device = nullptr, *host = nullptr, *managed = nullptr;
  ASSERT_EQ(hipMalloc(&device, 16), hipSuccess);
  ASSERT_EQ(hipHostMalloc(&host, 16, 0), hipSuccess);
  ASSERT_EQ(hipMallocManaged(&managed, 16, hipMemAttachGlobal), hipSuccess);
  int local = 0;
  const auto type = [](const void* pointer) {
    hipPointerAttribute_t attributes{};
    EXPECT_EQ(hipPointerGetAttributes(&attributes, pointer), hipSuccess);
    return attributes.type;
  };
  EXPECT_EQ(type(device), hipMemoryTypeDevice);
  EXPECT_EQ(type(static_cast<std::byte*>(device) + 15), hipMemoryTypeDevice);
  EXPECT_EQ(type(host), hipMemoryTypeHost);
  EXPECT_EQ(type(managed), hipMemoryTypeManaged);
  EXPECT_EQ(type(&local), hipMemoryTypeUnregistered);

  hipDeviceptr_t base = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(hipMemGetAddressRange(&base, &bytes, static_cast<std::byte*>(device) + 9), hipSuccess);
  EXPECT_EQ(base, device);
  EXPECT_EQ(bytes, 16U);
  EXPECT_EQ(hipMemGetAddressRange(&base, &bytes, &local), hipErrorNotFound);
  for (void* pointer : {device, host, managed}) EXPECT_EQ(hipFree(pointer), hipSuccess);
}

} // namespace
