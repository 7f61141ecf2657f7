// What the device and its streams keep when they are asked to (limits, preferences, flags, masks of compute
// units), how the one device is chosen, and what hipDeviceReset ends.
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using Mask = std::vector<std::uint32_t>;

TEST(Limits, AreKept) {
  struct {
    hipLimit_t limit;
    std::size_t at_first;
  } const rows[] = {{hipLimitStackSize, 1024},
                    {hipLimitPrintfFifoSize, std::size_t{1} << 20},
                    {hipLimitMallocHeapSize, std::size_t{4} << 20}};
  for (const auto& row : rows) {
    std::size_t value = 0;
    ASSERT_EQ(hipDeviceGetLimit(&value, row.limit), hipSuccess) << row.limit;
    EXPECT_EQ(value, row.at_first) << row.limit;
    ASSERT_EQ(hipDeviceSetLimit(row.limit, row.at_first + 4096), hipSuccess) << row.limit;
    ASSERT_EQ(hipDeviceGetLimit(&value, row.limit), hipSuccess) << row.limit;
    EXPECT_EQ(value, row.at_first + 4096) << row.limit;
    EXPECT_EQ(hipDeviceSetLimit(row.limit, row.at_first), hipSuccess) << row.limit;
  }
}

TEST(Limits, UnknownOnesAreRefused) {
  std::size_t value = 7;
  const auto unknown = static_cast<hipLimit_t>(hipLimitMallocHeapSize + 1);
  EXPECT_EQ(hipDeviceGetLimit(&value, unknown), hipErrorUnsupportedLimit);
  EXPECT_EQ(value, 7u);
  EXPECT_EQ(hipDeviceGetLimit(nullptr, hipLimitStackSize), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceSetLimit(unknown, 1),
            unknown >= hipLimitRange ? hipErrorInvalidValue : hipErrorUnsupportedLimit);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitRange, 1), hipErrorInvalidValue);
}

TEST(Preferences, CacheIsKeptAndLdsBanksAreFourBytesWide) {
  hipFuncCache_t cache = hipFuncCachePreferEqual;
  ASSERT_EQ(hipDeviceGetCacheConfig(&cache), hipSuccess);
  EXPECT_EQ(cache, hipFuncCachePreferNone);
  ASSERT_EQ(hipDeviceSetCacheConfig(hipFuncCachePreferL1), hipSuccess);
  ASSERT_EQ(hipDeviceGetCacheConfig(&cache), hipSuccess);
  EXPECT_EQ(cache, hipFuncCachePreferL1);
  EXPECT_EQ(hipDeviceSetCacheConfig(hipFuncCachePreferNone), hipSuccess);

  EXPECT_EQ(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeEightByte), hipSuccess);
  EXPECT_EQ(hipDeviceSetSharedMemConfig(static_cast<hipSharedMemConfig>(3)), hipErrorInvalidValue);
  hipSharedMemConfig banks = hipSharedMemBankSizeEightByte;
  ASSERT_EQ(hipDeviceGetSharedMemConfig(&banks), hipSuccess);
  EXPECT_EQ(banks, hipSharedMemBankSizeFourByte) << "accepted and ignored";
}

TEST(DeviceFlags, OneWayOfWaitingIsKept) {
  unsigned flags = 99;
  ASSERT_EQ(hipGetDeviceFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, unsigned{hipDeviceScheduleAuto});
  ASSERT_EQ(hipSetDeviceFlags(hipDeviceScheduleBlockingSync | hipDeviceMapHost), hipSuccess);
  ASSERT_EQ(hipGetDeviceFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, unsigned{hipDeviceScheduleBlockingSync});
  EXPECT_EQ(hipSetDeviceFlags(hipDeviceScheduleSpin | hipDeviceScheduleYield), hipErrorInvalidValue);
  EXPECT_EQ(hipSetDeviceFlags(0x8000), hipErrorInvalidValue);
  EXPECT_EQ(hipSetDeviceFlags(hipDeviceScheduleAuto), hipSuccess);
}

/// The mask of a stream in two words.
Mask mask_of(hipStream_t stream) {
  Mask mask(2, 0xaaaaaaaa);
  EXPECT_EQ(hipExtStreamGetCUMask(stream, 2, mask.data()), hipSuccess);
  return mask;
}

TEST(ComputeUnitMask, IsKept) {
  hipStream_t stream = nullptr;
  const std::uint32_t two_units = 0b0110;
  ASSERT_EQ(hipExtStreamCreateWithCUMask(&stream, 1, &two_units), hipSuccess);
  EXPECT_EQ(mask_of(stream), (Mask{0b0110, 0}));
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST(ComputeUnitMask, WithoutOneAStreamHasAllOfThem) {
  hipStream_t stream = nullptr;
  EXPECT_EQ(mask_of(nullptr), (Mask{0b1111, 0}));
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  EXPECT_EQ(mask_of(stream), (Mask{0b1111, 0}));
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  const std::uint32_t none[] = {0, 0};
  ASSERT_EQ(hipExtStreamCreateWithCUMask(&stream, 2, none), hipSuccess);
  EXPECT_EQ(mask_of(stream), (Mask{0b1111, 0})) << "no unit at all means all, as in AMD's runtime";
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST(ComputeUnitMask, IsChecked) {
  hipStream_t stream = nullptr;
  const std::uint32_t one = 1;
  EXPECT_EQ(hipExtStreamCreateWithCUMask(nullptr, 1, &one), hipErrorInvalidHandle);
  EXPECT_EQ(hipExtStreamCreateWithCUMask(&stream, 0, &one), hipErrorInvalidValue);
  EXPECT_EQ(hipExtStreamCreateWithCUMask(&stream, 1, nullptr), hipErrorInvalidValue);
  std::uint32_t word = 0;
  EXPECT_EQ(hipExtStreamGetCUMask(nullptr, 0, &word), hipErrorInvalidValue);
  EXPECT_EQ(hipExtStreamGetCUMask(nullptr, 1, nullptr), hipErrorInvalidValue);
}

TEST(Choice, EveryWayLeadsToTheOneDevice) {
  int device = -1;
  ASSERT_EQ(hipGetDevice(&device), hipSuccess);
  EXPECT_EQ(device, 0);
  device = -1;
  ASSERT_EQ(hipDeviceGet(&device, 0), hipSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(hipDeviceGet(&device, 1), hipErrorInvalidDevice);
  char bus[13];
  ASSERT_EQ(hipDeviceGetPCIBusId(bus, sizeof bus, 0), hipSuccess);
  device = -1;
  ASSERT_EQ(hipDeviceGetByPCIBusId(&device, bus), hipSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(hipDeviceGetByPCIBusId(&device, "0000:01:00.0"), hipErrorInvalidDevice);
  hipDeviceProp_t wanted{};
  device = -1;
  ASSERT_EQ(hipChooseDevice(&device, &wanted), hipSuccess);
  EXPECT_EQ(device, 0);
  device = -1;
  ASSERT_EQ(hipStreamGetDevice(nullptr, &device), hipSuccess);
  EXPECT_EQ(device, 0);
}

TEST(Choice, DriverFormsAgreeWithProperties) {
  hipDeviceProp_t properties{};
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  std::size_t bytes = 0;
  ASSERT_EQ(hipDeviceTotalMem(&bytes, 0), hipSuccess);
  EXPECT_EQ(bytes, properties.totalGlobalMem);
  int major = 0;
  int minor = 0;
  ASSERT_EQ(hipDeviceComputeCapability(&major, &minor, 0), hipSuccess);
  EXPECT_EQ(major, properties.major);
  EXPECT_EQ(minor, properties.minor);
  hipUUID uuid{};
  ASSERT_EQ(hipDeviceGetUuid(&uuid, 0), hipSuccess);
  EXPECT_EQ(std::memcmp(uuid.bytes, properties.uuid.bytes, sizeof uuid.bytes), 0);
  EXPECT_EQ(std::string(uuid.bytes, 15), "cdna-cts-gfx942");
  int driver = 0;
  int runtime = 0;
  ASSERT_EQ(hipDriverGetVersion(&driver), hipSuccess);
  ASSERT_EQ(hipRuntimeGetVersion(&runtime), hipSuccess);
  EXPECT_EQ(driver, runtime);
  int least = 0;
  int greatest = 0;
  ASSERT_EQ(hipDeviceGetStreamPriorityRange(&least, &greatest), hipSuccess);
  EXPECT_EQ(least, 1);
  EXPECT_EQ(greatest, -1);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // contexts, in HIP
TEST(Contexts, AreAStackOfTheOneDevice) {
  hipCtx_t context = nullptr;
  hipCtx_t popped = nullptr;
  EXPECT_EQ(hipCtxPopCurrent(&popped), hipErrorInvalidContext);
  ASSERT_EQ(hipCtxCreate(&context, 0, 0), hipSuccess);
  EXPECT_EQ(hipCtxCreate(&popped, 0, 1), hipErrorInvalidDevice);
  ASSERT_EQ(hipCtxPushCurrent(context), hipSuccess);
  ASSERT_EQ(hipCtxPopCurrent(&popped), hipSuccess);
  EXPECT_EQ(popped, context);
  EXPECT_EQ(hipCtxSetCurrent(context), hipSuccess);
  int somewhere = 0;
  EXPECT_EQ(hipCtxSetCurrent(reinterpret_cast<hipCtx_t>(&somewhere)), hipErrorInvalidContext);
  EXPECT_EQ(hipCtxPushCurrent(nullptr), hipErrorInvalidContext);
  int device = -1;
  ASSERT_EQ(hipCtxGetDevice(&device), hipSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(hipCtxSynchronize(), hipSuccess);
  EXPECT_EQ(hipCtxDestroy(context), hipSuccess);
  EXPECT_EQ(hipCtxPopCurrent(&popped), hipErrorInvalidContext) << "hipCtxDestroy took it from the stack";
}

TEST(Contexts, ThePrimaryOneIsAlwaysInUse) {
  unsigned flags = 99;
  int active = 0;
  ASSERT_EQ(hipDevicePrimaryCtxGetState(0, &flags, &active), hipSuccess);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(flags, unsigned{hipDeviceScheduleAuto});
  EXPECT_EQ(hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleSpin), hipErrorContextAlreadyInUse);
  EXPECT_EQ(hipDevicePrimaryCtxReset(0), hipSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxRelease(0), hipSuccess);
  EXPECT_EQ(hipDevicePrimaryCtxRelease(1), hipErrorInvalidDevice);
}
#pragma GCC diagnostic pop

TEST(Reset, EndsMemoryStreamsAndEvents) {
  void* memory = nullptr;
  void* pinned = nullptr;
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  std::array<int, 16> registered{};
  ASSERT_EQ(hipMalloc(&memory, 64), hipSuccess);
  ASSERT_EQ(hipHostMalloc(&pinned, 64, 0), hipSuccess);
  ASSERT_EQ(hipHostRegister(registered.data(), sizeof registered, hipHostRegisterDefault), hipSuccess);
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  ASSERT_EQ(hipSetDeviceFlags(hipDeviceScheduleSpin), hipSuccess);
  ASSERT_EQ(hipDeviceReset(), hipSuccess);
  EXPECT_EQ(hipFree(memory), hipErrorInvalidValue);
  EXPECT_EQ(hipHostFree(pinned), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamQuery(stream), hipErrorContextIsDestroyed);
  EXPECT_EQ(hipEventQuery(event), hipErrorInvalidHandle);
  unsigned flags = 99;
  ASSERT_EQ(hipGetDeviceFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, unsigned{hipDeviceScheduleAuto});
  EXPECT_EQ(hipHostUnregister(registered.data()), hipSuccess)
      << "the program's own memory is not the device's";
}

} // namespace
