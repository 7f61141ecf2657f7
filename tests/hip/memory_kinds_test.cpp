// Registered host memory, memory pools, advice on managed memory, attributes of pointers.
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

TEST(Registration, MakesHostMemoryKnown) {
  std::vector<std::uint32_t> words(100, 7);
  ASSERT_EQ(hipHostRegister(words.data(), 400, hipHostRegisterMapped), hipSuccess);
  void* on_device = nullptr;
  ASSERT_EQ(hipHostGetDevicePointer(&on_device, words.data(), 0), hipSuccess);
  ASSERT_NE(on_device, nullptr);
  EXPECT_EQ(hipMemset(on_device, 0x11, 400), hipSuccess);
  EXPECT_EQ(words, std::vector<std::uint32_t>(100, 0x11111111));
  hipPointerAttribute_t attributes{};
  ASSERT_EQ(hipPointerGetAttributes(&attributes, words.data()), hipSuccess);
  EXPECT_EQ(attributes.type, hipMemoryTypeHost);
  ASSERT_EQ(hipHostUnregister(words.data()), hipSuccess);
  EXPECT_EQ(hipHostUnregister(words.data()), hipErrorHostMemoryNotRegistered);
  EXPECT_EQ(words[99], 0x11111111u) << "it is the program's memory still";
}

TEST(Registration, IsChecked) {
  std::vector<std::uint8_t> bytes(64);
  EXPECT_EQ(hipHostRegister(nullptr, 64, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(bytes.data(), 0, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(bytes.data(), 64, 0x100), hipErrorInvalidValue);
  EXPECT_EQ(hipHostUnregister(nullptr), hipErrorInvalidValue);
  ASSERT_EQ(hipHostRegister(bytes.data(), 64, 0), hipSuccess);
  EXPECT_EQ(hipFree(bytes.data()), hipErrorInvalidValue) << "only what was allocated can be freed";
  EXPECT_EQ(hipHostUnregister(bytes.data()), hipSuccess);
}

std::uint64_t attribute(hipMemPool_t pool, hipMemPoolAttr which) {
  std::uint64_t value = ~0ull;
  EXPECT_EQ(hipMemPoolGetAttribute(pool, which, &value), hipSuccess);
  return value;
}

hipMemPoolProps properties() {
  hipMemPoolProps p{};
  p.allocType = hipMemAllocationTypePinned;
  p.location.type = hipMemLocationTypeDevice;
  return p;
}

TEST(MemoryPool, CountsWhatItGaveOut) {
  hipMemPool_t pool = nullptr;
  const hipMemPoolProps wanted = properties();
  ASSERT_EQ(hipMemPoolCreate(&pool, &wanted), hipSuccess);
  void *one = nullptr, *two = nullptr;
  ASSERT_EQ(hipMallocFromPoolAsync(&one, 1 << 20, pool, nullptr), hipSuccess);
  ASSERT_EQ(hipMallocFromPoolAsync(&two, 1 << 20, pool, nullptr), hipSuccess);
  EXPECT_EQ(hipMemset(two, 1, 1 << 20), hipSuccess);
  EXPECT_GE(attribute(pool, hipMemPoolAttrUsedMemCurrent), std::uint64_t{2} << 20);
  ASSERT_EQ(hipFreeAsync(one, nullptr), hipSuccess);
  ASSERT_EQ(hipFreeAsync(two, nullptr), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_GE(attribute(pool, hipMemPoolAttrUsedMemHigh), std::uint64_t{2} << 20);
  std::uint64_t zero = 0, one_byte = 1;
  EXPECT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh, &one_byte), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh, &zero), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrUsedMemHigh), 0u);
  EXPECT_EQ(hipMemPoolTrimTo(pool, 0), hipSuccess);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
}

TEST(MemoryPool, KeepsItsSettings) {
  hipMemPool_t pool = nullptr;
  const hipMemPoolProps wanted = properties();
  ASSERT_EQ(hipMemPoolCreate(&pool, &wanted), hipSuccess);
  std::uint64_t threshold = 1 << 16;
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReleaseThreshold), 0u);
  ASSERT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold), hipSuccess);
  EXPECT_EQ(attribute(pool, hipMemPoolAttrReleaseThreshold), threshold);
  int reuse = 0;
  ASSERT_EQ(hipMemPoolGetAttribute(pool, hipMemPoolReuseAllowOpportunistic, &reuse), hipSuccess);
  EXPECT_EQ(reuse, 1);
  reuse = 0;
  ASSERT_EQ(hipMemPoolSetAttribute(pool, hipMemPoolReuseAllowOpportunistic, &reuse), hipSuccess);
  reuse = 1;
  ASSERT_EQ(hipMemPoolGetAttribute(pool, hipMemPoolReuseAllowOpportunistic, &reuse), hipSuccess);
  EXPECT_EQ(reuse, 0);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
}

TEST(MemoryPool, TheDeviceHasOneThatCanBeReplaced) {
  hipMemPool_t standard = nullptr, current = nullptr, mine = nullptr;
  ASSERT_EQ(hipDeviceGetDefaultMemPool(&standard, 0), hipSuccess);
  ASSERT_EQ(hipDeviceGetMemPool(&current, 0), hipSuccess);
  EXPECT_EQ(current, standard);
  const hipMemPoolProps wanted = properties();
  ASSERT_EQ(hipMemPoolCreate(&mine, &wanted), hipSuccess);
  ASSERT_EQ(hipDeviceSetMemPool(0, mine), hipSuccess);
  void* block = nullptr;
  ASSERT_EQ(hipMallocAsync(&block, 4096, nullptr), hipSuccess);
  EXPECT_GE(attribute(mine, hipMemPoolAttrUsedMemCurrent), 4096u);
  ASSERT_EQ(hipFreeAsync(block, nullptr), hipSuccess);
  ASSERT_EQ(hipMemPoolDestroy(mine), hipSuccess);
  ASSERT_EQ(hipDeviceGetMemPool(&current, 0), hipSuccess);
  EXPECT_EQ(current, standard) << "the default takes a destroyed pool's place";
  EXPECT_EQ(hipMemPoolDestroy(standard), hipErrorInvalidValue);
}

TEST(MemoryPool, CreationIsChecked) {
  hipMemPool_t pool = nullptr;
  hipMemPoolProps wanted = properties();
  EXPECT_EQ(hipMemPoolCreate(nullptr, &wanted), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPoolCreate(&pool, nullptr), hipErrorInvalidValue);
  wanted.allocType = hipMemAllocationTypeInvalid;
  EXPECT_EQ(hipMemPoolCreate(&pool, &wanted), hipErrorInvalidValue);
  wanted = properties();
  wanted.location.type = hipMemLocationTypeInvalid;
  EXPECT_EQ(hipMemPoolCreate(&pool, &wanted), hipErrorInvalidValue);
  void* block = nullptr;
  EXPECT_EQ(hipMallocFromPoolAsync(&block, 16, nullptr, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipFreeAsync(nullptr, nullptr), hipErrorInvalidValue);
}

class Managed : public ::testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(hipMallocManaged(&block, 4096, hipMemAttachGlobal), hipSuccess); }
  void TearDown() override { EXPECT_EQ(hipFree(block), hipSuccess); }
  int attribute(hipMemRangeAttribute which) {
    int value = -99;
    EXPECT_EQ(hipMemRangeGetAttribute(&value, sizeof value, which, block, 4096), hipSuccess);
    return value;
  }
  void* block = nullptr;
};

TEST_F(Managed, AdviceIsKept) {
  EXPECT_EQ(attribute(hipMemRangeAttributeReadMostly), 0);
  ASSERT_EQ(hipMemAdvise(block, 4096, hipMemAdviseSetReadMostly, 0), hipSuccess);
  EXPECT_EQ(attribute(hipMemRangeAttributeReadMostly), 1);
  ASSERT_EQ(hipMemAdvise(block, 4096, hipMemAdviseUnsetReadMostly, 0), hipSuccess);
  EXPECT_EQ(attribute(hipMemRangeAttributeReadMostly), 0);
  EXPECT_EQ(attribute(hipMemRangeAttributePreferredLocation), hipInvalidDeviceId);
  ASSERT_EQ(hipMemAdvise(block, 4096, hipMemAdviseSetPreferredLocation, hipCpuDeviceId), hipSuccess);
  EXPECT_EQ(attribute(hipMemRangeAttributePreferredLocation), hipCpuDeviceId);
  ASSERT_EQ(hipMemPrefetchAsync(block, 4096, 0, nullptr), hipSuccess);
  EXPECT_EQ(attribute(hipMemRangeAttributeLastPrefetchLocation), 0);
  ASSERT_EQ(hipMemAdvise(block, 4096, hipMemAdviseSetAccessedBy, 0), hipSuccess);
  int devices[3] = {9, 9, 9};
  ASSERT_EQ(hipMemRangeGetAttribute(devices, sizeof devices, hipMemRangeAttributeAccessedBy, block, 4096),
            hipSuccess);
  EXPECT_EQ(devices[0], 0);
  EXPECT_EQ(devices[1], hipInvalidDeviceId);
}

TEST_F(Managed, AdviceIsChecked) {
  EXPECT_EQ(hipMemAdvise(nullptr, 4096, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemAdvise(block, 0, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemAdvise(block, 4097, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemAdvise(block, 4096, hipMemAdviseSetPreferredLocation, 99), hipErrorInvalidDevice);
  EXPECT_EQ(hipMemPrefetchAsync(block, 4096, 99, nullptr), hipErrorInvalidDevice);
  EXPECT_EQ(hipMemPrefetchAsync(nullptr, 4096, 0, nullptr), hipErrorInvalidValue);
}

template <typename T> T pointer_attribute(void* pointer, hipPointer_attribute which) {
  T value{};
  EXPECT_EQ(hipPointerGetAttribute(&value, which, pointer), hipSuccess);
  return value;
}

TEST_F(Managed, AttributesOfPointers) {
  auto* const inside = static_cast<std::byte*>(block) + 100;
  EXPECT_EQ(pointer_attribute<void*>(inside, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR), block);
  EXPECT_EQ(pointer_attribute<std::size_t>(inside, HIP_POINTER_ATTRIBUTE_RANGE_SIZE), 4096u);
  EXPECT_EQ(pointer_attribute<void*>(inside, HIP_POINTER_ATTRIBUTE_HOST_POINTER), inside);
  EXPECT_EQ(pointer_attribute<bool>(inside, HIP_POINTER_ATTRIBUTE_IS_MANAGED), true);
  EXPECT_EQ(pointer_attribute<int>(inside, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL), 0);
  void* plain = nullptr;
  ASSERT_EQ(hipMalloc(&plain, 64), hipSuccess);
  EXPECT_EQ(pointer_attribute<std::uint32_t>(plain, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE),
            static_cast<std::uint32_t>(hipMemoryTypeDevice));
  EXPECT_EQ(pointer_attribute<bool>(plain, HIP_POINTER_ATTRIBUTE_IS_MANAGED), false);
  EXPECT_NE(pointer_attribute<std::uint32_t>(plain, HIP_POINTER_ATTRIBUTE_BUFFER_ID),
            pointer_attribute<std::uint32_t>(block, HIP_POINTER_ATTRIBUTE_BUFFER_ID));
  ASSERT_EQ(hipFree(plain), hipSuccess);
  int on_stack = 0;
  std::uint32_t type = 99;
  EXPECT_EQ(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, &on_stack),
            hipErrorInvalidValue);
  EXPECT_EQ(hipPointerGetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, block), hipErrorInvalidValue);
}

} // namespace
