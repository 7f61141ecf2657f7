#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

/// Device memory of `bytes`.
class DeviceBlock {
public:
  explicit DeviceBlock(std::size_t bytes) { EXPECT_EQ(hipMalloc(&pointer_, bytes), hipSuccess); }
  ~DeviceBlock() { EXPECT_EQ(hipFree(pointer_), hipSuccess); }
  std::byte* operator+(std::size_t offset) const { return static_cast<std::byte*>(pointer_) + offset; }
  void* get() const { return pointer_; }

private:
  void* pointer_ = nullptr;
};

std::vector<std::uint8_t> counting(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

std::vector<std::uint8_t> read_back(const DeviceBlock& block, std::size_t bytes) {
  std::vector<std::uint8_t> result(bytes);
  EXPECT_EQ(hipMemcpy(result.data(), block.get(), bytes, hipMemcpyDeviceToHost), hipSuccess);
  return result;
}

TEST(Copy, ThereAndBack) {
  const DeviceBlock one(100), two(100);
  const auto sent = counting(100);
  ASSERT_EQ(hipMemcpy(one.get(), sent.data(), 100, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpy(two.get(), one.get(), 100, hipMemcpyDeviceToDevice), hipSuccess);
  EXPECT_EQ(read_back(two, 100), sent);
  std::vector<std::uint8_t> received(100);
  ASSERT_EQ(hipMemcpyAsync(received.data(), two.get(), 100, hipMemcpyDefault, nullptr), hipSuccess);
  EXPECT_EQ(received, sent);
}

TEST(Copy, DeviceRangeMustStayInItsBlock) {
  const DeviceBlock block(100);
  auto bytes = counting(200);
  EXPECT_EQ(hipMemcpy(block.get(), bytes.data(), 101, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(block + 50, bytes.data(), 51, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(bytes.data(), block + 1, 100, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(bytes.data(), block + 1, 100, hipMemcpyDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyHtoD(block + 99, bytes.data(), 1), hipSuccess);
  EXPECT_EQ(bytes, counting(200)) << "a refused copy wrote";
}

TEST(Copy, FreedMemoryIsRefused) {
  void* pointer = nullptr;
  ASSERT_EQ(hipMalloc(&pointer, 16), hipSuccess);
  ASSERT_EQ(hipFree(pointer), hipSuccess);
  auto bytes = counting(16);
  EXPECT_EQ(hipMemcpy(pointer, bytes.data(), 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(bytes.data(), pointer, 16, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset(pointer, 0, 16), hipErrorInvalidValue);
}

TEST(Copy, KindMustNameADirectionAndAFittingOne) {
  const DeviceBlock block(16);
  auto one = counting(16);
  std::vector<std::uint8_t> two(16);
  EXPECT_EQ(hipMemcpy(two.data(), one.data(), 16, static_cast<hipMemcpyKind>(77)),
            hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpy(two.data(), one.data(), 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(two.data(), one.data(), 16, hipMemcpyHostToHost), hipSuccess);
  EXPECT_EQ(two, one);
  EXPECT_EQ(hipMemcpy(nullptr, one.data(), 16, hipMemcpyDefault), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(nullptr, nullptr, 0, hipMemcpyDefault), hipSuccess);
}

TEST(Copy, RowsKeepTheirPitch) {
  const DeviceBlock block(4 * 16);
  ASSERT_EQ(hipMemset(block.get(), 0xee, 64), hipSuccess);
  const auto sent = counting(3 * 5);
  ASSERT_EQ(hipMemcpy2D(block.get(), 16, sent.data(), 5, 5, 3, hipMemcpyHostToDevice), hipSuccess);
  const auto seen = read_back(block, 64);
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 16; ++column) {
      const int expected = row < 3 && column < 5 ? sent[row * 5 + column] : 0xee;
      EXPECT_EQ(int{seen[row * 16 + column]}, expected) << "row " << row << " column " << column;
    }
  EXPECT_EQ(hipMemcpy2D(block.get(), 4, sent.data(), 5, 5, 3, hipMemcpyHostToDevice),
            hipErrorInvalidPitchValue);
  EXPECT_EQ(hipMemcpy2D(block.get(), 30, sent.data(), 5, 5, 3, hipMemcpyHostToDevice), hipErrorInvalidValue);
}

TEST(Copy, FillsCountTheirOwnElements) {
  const DeviceBlock block(32);
  ASSERT_EQ(hipMemset(block.get(), 0x11, 32), hipSuccess);
  ASSERT_EQ(hipMemsetD16(block + 4, 0xaabb, 3), hipSuccess);
  ASSERT_EQ(hipMemsetD32(block + 16, 0x01020304, 2), hipSuccess);
  const std::vector<std::uint8_t> expected{0x11, 0x11, 0x11, 0x11, 0xbb, 0xaa, 0xbb, 0xaa, 0xbb, 0xaa, 0x11,
                                           0x11, 0x11, 0x11, 0x11, 0x11, 4,    3,    2,    1,    4,    3,
                                           2,    1,    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11};
  EXPECT_EQ(read_back(block, 32), expected);
  EXPECT_EQ(hipMemsetD32(block.get(), 0, 9), hipErrorInvalidValue);
  ASSERT_EQ(hipMemset2D(block.get(), 8, 0x22, 3, 4), hipSuccess);
  const auto seen = read_back(block, 32);
  for (std::size_t i = 0; i < 32; ++i)
    EXPECT_EQ(int{seen[i]}, i % 8 < 3 ? 0x22 : int{expected[i]}) << "byte " << i;
}

TEST(Copy, UnregisteredSymbolIsRefused) {
  int variable = 0;
  EXPECT_EQ(hipMemcpyToSymbol(&variable, &variable, 4, 0, hipMemcpyHostToDevice), hipErrorInvalidSymbol);
  void* address = nullptr;
  EXPECT_EQ(hipGetSymbolAddress(&address, &variable), hipErrorInvalidSymbol);
}

/// Uses device memory when static destructors run, after the thread's own variables have ended.
struct AtExit {
  void* pointer = nullptr;
  ~AtExit() {
    std::uint32_t word = 7;
    if (hipMemcpy(&word, pointer, 4, hipMemcpyDeviceToHost) != hipSuccess || word != 3) _exit(1);
    if (hipFree(pointer) != hipSuccess) _exit(2);
    if (hipMemcpy(&word, pointer, 4, hipMemcpyDeviceToHost) != hipErrorInvalidValue) _exit(3);
    _exit(42);
  }
};

TEST(CopyDeathTest, StaticDestructorsMayUseTheRuntime) {
  EXPECT_EXIT(
      {
        static AtExit last;
        if (hipMalloc(&last.pointer, 4) != hipSuccess) _exit(4);
        if (hipMemsetD32(last.pointer, 3, 1) != hipSuccess) _exit(5);
        exit(0);
      },
      ::testing::ExitedWithCode(42), "");
}

} // namespace
