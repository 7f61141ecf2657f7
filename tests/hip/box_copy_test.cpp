// Copies and fills of boxes, described copies, peers.
#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes counting(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

/// A pitched box of device memory, width x height x depth bytes.
class DeviceBox {
public:
  DeviceBox(std::size_t width, std::size_t height, std::size_t depth) : extent{width, height, depth} {
    EXPECT_EQ(hipMalloc3D(&block, extent), hipSuccess);
  }
  ~DeviceBox() { EXPECT_EQ(hipFree(block.ptr), hipSuccess); }

  hipPitchedPtr block{};
  hipExtent extent;
};

/// Host bytes as a box without gaps.
hipPitchedPtr host_box(const Bytes& bytes, const hipExtent& extent) {
  return {const_cast<std::uint8_t*>(bytes.data()), extent.width, extent.width, extent.height};
}

hipMemcpy3DParms copy_of(hipPitchedPtr to, hipPitchedPtr from, hipExtent extent, hipMemcpyKind kind) {
  hipMemcpy3DParms p{};
  p.dstPtr = to;
  p.srcPtr = from;
  p.extent = extent;
  p.kind = kind;
  return p;
}

Bytes read_back(const DeviceBox& box) {
  Bytes bytes(box.extent.width * box.extent.height * box.extent.depth);
  const auto p = copy_of(host_box(bytes, box.extent), box.block, box.extent, hipMemcpyDeviceToHost);
  EXPECT_EQ(hipMemcpy3D(&p), hipSuccess);
  return bytes;
}

TEST(BoxCopy, ThereAndBackThroughPitchedMemory) {
  const DeviceBox one(5, 4, 3), two(5, 4, 3);
  ASSERT_GT(one.block.pitch, one.extent.width) << "rows without gaps would test nothing";
  const Bytes sent = counting(60);
  auto p = copy_of(one.block, host_box(sent, one.extent), one.extent, hipMemcpyHostToDevice);
  ASSERT_EQ(hipMemcpy3D(&p), hipSuccess);
  p = copy_of(two.block, one.block, one.extent, hipMemcpyDeviceToDevice);
  ASSERT_EQ(hipMemcpy3DAsync(&p, nullptr), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(read_back(two), sent);
}

TEST(BoxCopy, PositionsSelectAnInnerBox) {
  const DeviceBox box(6, 5, 4);
  ASSERT_EQ(hipMemset3D(box.block, 0, box.extent), hipSuccess);
  const Bytes sent = counting(120);
  auto p = copy_of(box.block, host_box(sent, box.extent), {2, 3, 1}, hipMemcpyHostToDevice);
  p.dstPos = {3, 1, 2};
  p.srcPos = {1, 2, 3};
  ASSERT_EQ(hipMemcpy3D(&p), hipSuccess);
  Bytes expected(120, 0);
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 2; ++x)
      expected[(2 * 5 + 1 + y) * 6 + 3 + x] = sent[(3 * 5 + 2 + y) * 6 + 1 + x];
  EXPECT_EQ(read_back(box), expected);
}

TEST(BoxCopy, ParametersAreChecked) {
  const DeviceBox box(8, 4, 2);
  const Bytes bytes = counting(64);
  EXPECT_EQ(hipMemcpy3D(nullptr), hipErrorInvalidValue);
  const auto good = copy_of(box.block, host_box(bytes, box.extent), box.extent, hipMemcpyHostToDevice);
  auto p = good;
  p.dstPtr.ptr = nullptr;
  EXPECT_EQ(hipMemcpy3D(&p), hipErrorInvalidValue);
  p = good;
  p.srcPtr.pitch = 7;
  EXPECT_EQ(hipMemcpy3D(&p), hipErrorInvalidPitchValue);
  p = good;
  p.srcPos.x = 1;
  EXPECT_EQ(hipMemcpy3D(&p), hipErrorInvalidValue) << "a row beyond the source's pitch";
  p = good;
  p.dstPos.z = 1;
  EXPECT_EQ(hipMemcpy3D(&p), hipErrorInvalidValue) << "a slice beyond the block";
  p = good;
  p.extent.depth = 0;
  EXPECT_EQ(hipMemcpy3D(&p), hipSuccess) << "nothing to copy";
}

TEST(BoxFill, FillsTheBoxAndNothingElse) {
  const DeviceBox box(6, 4, 3);
  ASSERT_EQ(hipMemset3D(box.block, 0x11, box.extent), hipSuccess);
  ASSERT_EQ(hipMemset3DAsync(box.block, 0x22, {4, 3, 2}, nullptr), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  const Bytes got = read_back(box);
  for (std::size_t z = 0; z < 3; ++z)
    for (std::size_t y = 0; y < 4; ++y)
      for (std::size_t x = 0; x < 6; ++x)
        ASSERT_EQ(got[(z * 4 + y) * 6 + x], x < 4 && y < 3 && z < 2 ? 0x22 : 0x11)
            << x << ' ' << y << ' ' << z;
  EXPECT_EQ(hipMemset3D(box.block, 0, {6, 4, 4}), hipErrorInvalidValue) << "one slice too many";
}

TEST(RowFill, ElementsOfEveryWidth) {
  void* block = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(hipMallocPitch(&block, &pitch, 12, 2), hipSuccess);
  const auto rows = [&] {
    Bytes bytes(24);
    EXPECT_EQ(hipMemcpy2D(bytes.data(), 12, block, pitch, 12, 2, hipMemcpyDeviceToHost), hipSuccess);
    return bytes;
  };
  ASSERT_EQ(hipMemsetD2D8(block, pitch, 0xab, 12, 2), hipSuccess);
  EXPECT_EQ(rows(), Bytes(24, 0xab));
  ASSERT_EQ(hipMemsetD2D16(block, pitch, 0x1234, 6, 2), hipSuccess);
  Bytes expected;
  for (int i = 0; i < 12; ++i) expected.insert(expected.end(), {0x34, 0x12});
  EXPECT_EQ(rows(), expected);
  ASSERT_EQ(hipMemsetD2D32Async(block, pitch, 0x89abcdef, 3, 2, nullptr), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  expected.clear();
  for (int i = 0; i < 6; ++i) expected.insert(expected.end(), {0xef, 0xcd, 0xab, 0x89});
  EXPECT_EQ(rows(), expected);
  EXPECT_EQ(hipFree(block), hipSuccess);
}

TEST(DescribedCopy, RowsWithOffsets) {
  void* block = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(hipMallocPitch(&block, &pitch, 16, 4), hipSuccess);
  ASSERT_EQ(hipMemset2D(block, pitch, 0, 16, 4), hipSuccess);
  const Bytes sent = counting(40); // 10 a row
  hip_Memcpy2D p{};
  p.srcMemoryType = hipMemoryTypeHost;
  p.srcHost = sent.data();
  p.srcPitch = 10;
  p.srcXInBytes = 2;
  p.srcY = 1;
  p.dstMemoryType = hipMemoryTypeDevice;
  p.dstDevice = block;
  p.dstPitch = pitch;
  p.dstXInBytes = 5;
  p.dstY = 2;
  p.WidthInBytes = 4;
  p.Height = 2;
  ASSERT_EQ(hipMemcpyParam2D(&p), hipSuccess);
  Bytes got(64), expected(64, 0);
  ASSERT_EQ(hipMemcpy2D(got.data(), 16, block, pitch, 16, 4, hipMemcpyDeviceToHost), hipSuccess);
  for (std::size_t y = 0; y < 2; ++y)
    for (std::size_t x = 0; x < 4; ++x) expected[(2 + y) * 16 + 5 + x] = sent[(1 + y) * 10 + 2 + x];
  EXPECT_EQ(got, expected);
  EXPECT_EQ(hipMemcpyParam2D(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(block), hipSuccess);
}

TEST(DescribedCopy, DriverBox) {
  const DeviceBox box(4, 3, 2);
  const Bytes sent = counting(24);
  HIP_MEMCPY3D p{};
  p.srcMemoryType = hipMemoryTypeHost;
  p.srcHost = sent.data();
  p.srcPitch = 4;
  p.srcHeight = 3;
  p.dstMemoryType = hipMemoryTypeDevice;
  p.dstDevice = box.block.ptr;
  p.dstPitch = box.block.pitch;
  p.dstHeight = 3;
  p.WidthInBytes = 4;
  p.Height = 3;
  p.Depth = 2;
  ASSERT_EQ(hipDrvMemcpy3D(&p), hipSuccess);
  EXPECT_EQ(read_back(box), sent);
  EXPECT_EQ(hipDrvMemcpy3D(nullptr), hipErrorInvalidValue);
}

TEST(Peer, CopiesToItself) {
  void *one = nullptr, *two = nullptr;
  ASSERT_EQ(hipMalloc(&one, 16), hipSuccess);
  ASSERT_EQ(hipMalloc(&two, 16), hipSuccess);
  const Bytes sent = counting(16);
  ASSERT_EQ(hipMemcpy(one, sent.data(), 16, hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(hipMemcpyPeer(two, 0, one, 0, 16), hipSuccess);
  Bytes got(16);
  ASSERT_EQ(hipMemcpy(got.data(), two, 16, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(got, sent);
  int devices = 0;
  ASSERT_EQ(hipGetDeviceCount(&devices), hipSuccess);
  EXPECT_EQ(hipMemcpyPeer(two, devices, one, 0, 16), hipErrorInvalidDevice);
  EXPECT_EQ(hipFree(one), hipSuccess);
  EXPECT_EQ(hipFree(two), hipSuccess);
}

TEST(Peer, NoDeviceIsItsOwn) {
  int can = 1, devices = 0;
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, 0), hipSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(hipDeviceCanAccessPeer(nullptr, 0, 0), hipErrorInvalidValue);
  ASSERT_EQ(hipGetDeviceCount(&devices), hipSuccess);
  EXPECT_EQ(hipDeviceCanAccessPeer(&can, 0, devices), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceEnablePeerAccess(0, 0), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceEnablePeerAccess(0, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceDisablePeerAccess(0), hipErrorInvalidDevice);
  int value = 0;
  EXPECT_EQ(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 0), hipErrorInvalidDevice);
}

} // namespace
