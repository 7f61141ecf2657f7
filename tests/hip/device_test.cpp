#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

TEST(Device, ThereIsOneAndItSaysThatItIsNoGpu) {
  int count = -1;
  ASSERT_EQ(hipGetDeviceCount(&count), hipSuccess);
  EXPECT_EQ(count, 1);
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  EXPECT_STREQ(properties.name, "cdna-cts emulator (gfx942 model, no GPU)");
  EXPECT_STREQ(properties.gcnArchName, "gfx942:sramecc+:xnack-");
  EXPECT_EQ(properties.warpSize, 64);
  EXPECT_EQ(properties.sharedMemPerBlock, 65536U);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.multiProcessorCount, 4);
  EXPECT_EQ(properties.clockRate, 0);
  EXPECT_EQ(properties.pciBusID, 0);
  EXPECT_EQ(properties.totalGlobalMem, std::size_t{16} << 30);
}

TEST(Device, AttributesAgreeWithProperties) {
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  const auto attribute = [](hipDeviceAttribute_t which) {
    int value = -1;
    EXPECT_EQ(hipDeviceGetAttribute(&value, which, 0), hipSuccess) << "attribute " << which;
    return value;
  };
  EXPECT_EQ(attribute(hipDeviceAttributeWarpSize), properties.warpSize);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxThreadsPerBlock), properties.maxThreadsPerBlock);
  EXPECT_EQ(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock),
            static_cast<int>(properties.sharedMemPerBlock));
  EXPECT_EQ(attribute(hipDeviceAttributeComputeCapabilityMajor), 9);
  EXPECT_EQ(attribute(hipDeviceAttributeComputeCapabilityMinor), 4);
  int value = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeUnused1, 0), hipErrorInvalidValue);
}

TEST(Device, OldPropertiesHaveTheirOwnSymbolAndLayout) {
  // The layout before ROCm 6 starts with the name and the memory's size.
  struct Head {
    char name[256];
    std::size_t total;
    std::size_t lds;
    char rest[4096];
  } head{};
  using Get = hipError_t (*)(Head*, int);
  const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "hipGetDevicePropertiesR0000"));
  ASSERT_NE(get, nullptr);
  ASSERT_EQ(get(&head, 0), hipSuccess);
  EXPECT_STREQ(head.name, "cdna-cts emulator (gfx942 model, no GPU)");
  EXPECT_EQ(head.total, std::size_t{16} << 30);
  EXPECT_EQ(head.lds, 65536U);
}

TEST(Device, OnlyOrdinalZeroExists) {
  EXPECT_EQ(hipSetDevice(0), hipSuccess);
  EXPECT_EQ(hipSetDevice(1), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(-1), hipErrorInvalidDevice);
  hipDeviceProp_t properties;
  EXPECT_EQ(hipGetDeviceProperties(&properties, 1), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetDeviceProperties(nullptr, 0), hipErrorInvalidValue);
}

TEST(Device, NameIsCutToTheBuffer) {
  char name[5] = "????";
  ASSERT_EQ(hipDeviceGetName(name, 5, 0), hipSuccess);
  EXPECT_STREQ(name, "cdna");
  char bus[13];
  ASSERT_EQ(hipDeviceGetPCIBusId(bus, 13, 0), hipSuccess);
  EXPECT_STREQ(bus, "0000:00:00.0");
  EXPECT_EQ(hipDeviceGetPCIBusId(bus, 8, 0), hipErrorInvalidValue);
  EXPECT_STREQ(bus, "0000:00");
  EXPECT_EQ(bus[8], '0') << "beyond the buffer";
  EXPECT_EQ(hipDeviceGetPCIBusId(bus, 0, 0), hipErrorInvalidValue);
}

TEST(Device, CommonCodeCanTellTheLibrary) {
  const auto* const version =
      static_cast<const char* const*>(dlsym(RTLD_DEFAULT, "cdna_cts_emulator_version"));
  ASSERT_NE(version, nullptr);
  EXPECT_GE(std::strlen(*version), 5U);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // contexts, in HIP
TEST(Device, ContextIsTheDevice) {
  hipCtx_t retained = nullptr, current = nullptr;
  ASSERT_EQ(hipDevicePrimaryCtxRetain(&retained, 0), hipSuccess);
  EXPECT_NE(retained, nullptr);
  ASSERT_EQ(hipCtxGetCurrent(&current), hipSuccess);
  EXPECT_EQ(current, retained);
}
#pragma GCC diagnostic pop

/// Each body runs in a process of its own, where no HIP call was made before.
class TargetDeathTest : public ::testing::Test {
protected:
  TargetDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(TargetDeathTest, Gfx950HasItsOwnLdsAndName) {
  EXPECT_EXIT(
      {
        setenv("CDNA_CTS_TARGET", "gfx950", 1);
        hipDeviceProp_t properties{};
        if (hipGetDeviceProperties(&properties, 0) != hipSuccess) _exit(1);
        if (std::string_view(properties.gcnArchName) != "gfx950:sramecc+:xnack-") _exit(2);
        _exit(properties.sharedMemPerBlock == 163840 ? 0 : 3);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(TargetDeathTest, UnknownTargetMeansNoDeviceAndOneLine) {
  EXPECT_EXIT(
      {
        setenv("CDNA_CTS_TARGET", "gfx90a", 1);
        int count = -1;
        int version = 0;
        void* pointer = nullptr;
        if (hipGetDeviceCount(&count) != hipErrorNoDevice || count != 0) _exit(1);
        if (hipMalloc(&pointer, 4) != hipErrorNoDevice) _exit(2);
        if (hipInit(0) != hipErrorNoDevice || hipGetLastError() != hipErrorNoDevice) _exit(3);
        _exit(hipRuntimeGetVersion(&version) == hipSuccess && version == HIP_VERSION ? 0 : 4);
      },
      ::testing::ExitedWithCode(0),
      "^cdna-cts emulator: CDNA_CTS_TARGET='gfx90a': no such device; expected gfx942 or gfx950\n$");
}

TEST_F(TargetDeathTest, MemorySizeComesFromTheEnvironment) {
  EXPECT_EXIT(
      {
        setenv("CDNA_CTS_MEMORY", "1048576", 1);
        std::size_t free = 0;
        std::size_t total = 0;
        void* pointer = nullptr;
        if (hipMemGetInfo(&free, &total) != hipSuccess || total != 1048576 || free != total) _exit(1);
        if (hipMalloc(&pointer, total + 1) != hipErrorOutOfMemory || pointer) _exit(2);
        if (hipMalloc(&pointer, 1000) != hipSuccess) _exit(3);
        _exit(hipMemGetInfo(&free, &total) == hipSuccess && free == total - 1000 ? 0 : 4);
      },
      ::testing::ExitedWithCode(0), "");
}

} // namespace
