// Functions by name.
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

namespace {

TEST(EntryPoints, AFunctionIsFoundAndWorks) {
  void* function = nullptr;
  hipDriverProcAddressQueryResult status = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  ASSERT_EQ(hipGetProcAddress("hipGetDeviceCount", &function, 600, 0, &status), hipSuccess);
  EXPECT_EQ(status, HIP_GET_PROC_ADDRESS_SUCCESS);
  int count = 0;
  ASSERT_EQ(reinterpret_cast<hipError_t (*)(int*)>(function)(&count), hipSuccess);
  int expected = 0;
  ASSERT_EQ(hipGetDeviceCount(&expected), hipSuccess);
  EXPECT_EQ(count, expected);
}

TEST(EntryPoints, PropertiesFollowTheProgramsVersion) {
  void *now = nullptr, *before = nullptr;
  ASSERT_EQ(hipGetProcAddress("hipGetDeviceProperties", &now, 600, 0, nullptr), hipSuccess);
  ASSERT_EQ(hipGetProcAddress("hipGetDeviceProperties", &before, 500, 0, nullptr), hipSuccess);
  EXPECT_NE(now, before);
  hipDeviceProp_t properties{}, expected{};
  ASSERT_EQ(reinterpret_cast<hipError_t (*)(hipDeviceProp_t*, int)>(now)(&properties, 0), hipSuccess);
  ASSERT_EQ(hipGetDeviceProperties(&expected, 0), hipSuccess);
  EXPECT_STREQ(properties.gcnArchName, expected.gcnArchName);
  EXPECT_EQ(properties.sharedMemPerBlock, expected.sharedMemPerBlock);
}

TEST(EntryPoints, UnknownNamesAreRefused) {
  void* function = &function;
  hipDriverProcAddressQueryResult status = HIP_GET_PROC_ADDRESS_SUCCESS;
  EXPECT_EQ(hipGetProcAddress("hipNoSuchFunction", &function, 600, 0, &status), hipErrorInvalidValue);
  EXPECT_EQ(status, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(hipGetProcAddress("malloc", &function, 600, 0, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipGetProcAddress(nullptr, &function, 600, 0, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipGetProcAddress("hipMalloc", nullptr, 600, 0, nullptr), hipErrorInvalidValue);
}

} // namespace
