#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <thread>

namespace {

class Error : public ::testing::Test {
protected:
  Error() { static_cast<void>(hipGetLastError()); } // what other tests in this process left
};

TEST_F(Error, NamesAndTexts) {
  EXPECT_STREQ(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue");
  EXPECT_STREQ(hipGetErrorString(hipErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(hipGetErrorName(hipErrorIllegalAddress), "hipErrorIllegalAddress");
  EXPECT_STREQ(hipGetErrorString(hipErrorNoDevice), "no ROCm-capable device is detected");
  EXPECT_STREQ(hipGetErrorName(static_cast<hipError_t>(1500)), "hipErrorUnknown");
}

TEST_F(Error, DriverFormRefusesUnknownCodes) {
  const char* text = nullptr;
  ASSERT_EQ(hipDrvGetErrorName(hipErrorNotReady, &text), hipSuccess);
  EXPECT_STREQ(text, "hipErrorNotReady");
  EXPECT_EQ(hipDrvGetErrorString(static_cast<hipError_t>(1500), &text), hipErrorInvalidValue);
}

TEST_F(Error, LastFailureOutlivesLaterSuccess) {
  ASSERT_EQ(hipGetLastError(), hipSuccess);
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(0), hipSuccess);
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST_F(Error, ExtendedLastErrorIsThatOfTheLastCall) {
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  EXPECT_EQ(hipExtGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  EXPECT_EQ(hipSetDevice(0), hipSuccess);
  EXPECT_EQ(hipExtGetLastError(), hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
}

TEST_F(Error, EachThreadHasItsOwn) {
  EXPECT_EQ(hipSetDevice(7), hipErrorInvalidDevice);
  hipError_t other = hipErrorUnknown;
  std::thread([&] { other = hipGetLastError(); }).join();
  EXPECT_EQ(other, hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidDevice);
}

TEST_F(Error, UnsupportedFunctionsSaySo) {
  hipSurfaceObject_t surface = nullptr;
  EXPECT_EQ(hipCreateSurfaceObject(&surface, nullptr), hipErrorNotSupported);
  EXPECT_EQ(hipGetLastError(), hipErrorNotSupported);
}

} // namespace
