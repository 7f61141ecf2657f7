// Device pointers, sizes and positions that a program gets wrong: each ends in an error code, and the process
// goes on.
#include "tests/emulator/support/assembled.hpp"

#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

extern "C" void** __hipRegisterFatBinary(const void* data);
extern "C" void __hipRegisterVar(void** handle, void* host, char* name, char* device_name, int, std::size_t,
                                 int, int);
extern "C" void __hipRegisterManagedVar(void* handle, void** pointer, void* initial, const char* name,
                                        std::size_t bytes, unsigned);

namespace cts::emulator::testing {
namespace {

std::byte* at(void* base, std::size_t offset) { return static_cast<std::byte*>(base) + offset; }

/// The target of the runtime's device.
Target device_target() {
  const char* const set = std::getenv("CDNA_CTS_TARGET");
  return parse_target(set != nullptr ? set : "").value_or(Target::gfx942);
}

/// A kernel that writes the address of its arguments to its second one.
std::vector<std::byte> tell_arguments() {
  return assemble({{"tell", "  v_mov_b32_e32 v2, s0\n  v_mov_b32_e32 v3, s1\n  v_mov_b32_e32 v4, 0\n"
                            "  global_store_dwordx2 v4, v[2:3], s[6:7]\n  s_waitcnt vmcnt(0)\n"}},
                  device_target());
}

struct Loaded {
  explicit Loaded(const std::vector<std::byte>& code) {
    EXPECT_EQ(hipModuleLoadData(&module, code.data()), hipSuccess);
    EXPECT_EQ(hipModuleGetFunction(&function, module, "tell"), hipSuccess);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() { EXPECT_EQ(hipModuleUnload(module), hipSuccess); }
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
};

TEST(HipPointers, WhatTheRuntimeAllocatedForItselfCannotBeFreed) {
  const std::vector<std::byte> code = tell_arguments();
  const Loaded loaded(code);
  void* out = nullptr;
  ASSERT_EQ(hipMalloc(&out, 8), hipSuccess);
  void* arguments[] = {&out, &out};
  for (int launch = 0; launch < 3; ++launch) { // a later one uses the block of an earlier one again
    ASSERT_EQ(hipModuleLaunchKernel(loaded.function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr),
              hipSuccess)
        << "launch " << launch;
    void* told = nullptr;
    ASSERT_EQ(hipMemcpy(&told, out, sizeof told, hipMemcpyDeviceToHost), hipSuccess);
    hipDeviceptr_t block = nullptr;
    ASSERT_EQ(hipMemGetAddressRange(&block, nullptr, told), hipErrorInvalidValue);
    std::size_t bytes = 0;
    ASSERT_EQ(hipMemGetAddressRange(&block, &bytes, told), hipSuccess);
    EXPECT_EQ(hipFree(block), hipErrorInvalidValue);
    EXPECT_EQ(hipHostFree(block), hipErrorInvalidValue);
    EXPECT_EQ(hipFreeAsync(block, nullptr), hipErrorInvalidValue);
  }
  EXPECT_EQ(hipFree(out), hipSuccess);
}

TEST(HipPointers, AnEndedBlockAndThePagesAroundALiveOneAreNoHostMemory) {
  constexpr std::size_t bytes = 4096;
  std::vector<std::byte> host(bytes);
  void *ended = nullptr, *live = nullptr;
  ASSERT_EQ(hipMalloc(&live, bytes), hipSuccess);
  ASSERT_EQ(hipMalloc(&ended, bytes), hipSuccess);
  ASSERT_EQ(hipFree(ended), hipSuccess);
  for (std::byte* const bad : {at(ended, 0), at(ended, 100), at(live, bytes), at(live, bytes + 4095)}) {
    SCOPED_TRACE(::testing::Message() << "address " << static_cast<void*>(bad));
    for (const hipMemcpyKind kind : {hipMemcpyDefault, hipMemcpyHostToHost, hipMemcpyHostToDevice})
      EXPECT_EQ(hipMemcpy(live, bad, 16, kind), hipErrorInvalidValue) << "from it, kind " << kind;
    for (const hipMemcpyKind kind : {hipMemcpyDefault, hipMemcpyHostToHost, hipMemcpyDeviceToHost})
      EXPECT_EQ(hipMemcpy(bad, live, 16, kind), hipErrorInvalidValue) << "to it, kind " << kind;
    EXPECT_EQ(hipMemset(bad, 0, 16), hipErrorInvalidValue);
    EXPECT_EQ(hipMemcpy2D(live, 64, bad, 64, 8, 4, hipMemcpyDefault), hipErrorInvalidValue);
  }
  EXPECT_EQ(hipMemcpy(at(live, 0) - 8, host.data(), 16, hipMemcpyDefault), hipErrorInvalidValue)
      << "from before a block into it";
  EXPECT_EQ(hipMemcpy(host.data(), live, bytes, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(hipFree(live), hipSuccess);
}

TEST(HipPointers, AGraphLeavesMemoryAloneThatHasEndedSinceItWasMade) {
  std::vector<std::byte> host(256);
  for (const bool fills : {false, true}) {
    void* block = nullptr;
    ASSERT_EQ(hipMalloc(&block, 256), hipSuccess);
    hipGraph_t graph = nullptr;
    ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
    hipGraphNode_t node = nullptr;
    if (fills) {
      hipMemsetParams p{};
      p.dst = block;
      p.elementSize = 1;
      p.width = 256;
      p.height = 1;
      ASSERT_EQ(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &p), hipSuccess);
    } else {
      ASSERT_EQ(
          hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, block, host.data(), 256, hipMemcpyHostToDevice),
          hipSuccess);
    }
    hipGraphExec_t executable = nullptr;
    ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
    EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
    ASSERT_EQ(hipFree(block), hipSuccess);
    EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipErrorInvalidValue) << (fills ? "fill" : "copy");
    EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
    EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  }
}

TEST(HipPointers, OnlyMappedMemoryCanBeRegistered) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const pages = ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(::mprotect(at(pages, page), page, PROT_NONE), 0);
  void* block = nullptr;
  ASSERT_EQ(hipMalloc(&block, 100), hipSuccess);
  EXPECT_EQ(hipHostRegister(reinterpret_cast<void*>(64), 64, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(reinterpret_cast<void*>(~std::uintptr_t{63}), 64, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(pages, page + 1, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(pages, SIZE_MAX, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(at(block, 0) - 64, 16, 0), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipHostRegister(pages, page, 0), hipSuccess);
  EXPECT_EQ(hipHostUnregister(pages), hipSuccess);
  EXPECT_EQ(hipFree(block), hipSuccess);
  ::munmap(pages, 2 * page);
}

/// Positions, pitches and heights whose products and sums are more than 64 bits.
TEST(HipPointers, ABoxWhoseAddressesWrapAroundIsRefused) {
  constexpr std::size_t half = std::size_t{1} << 63;
  std::vector<std::byte> host(4096);
  void* block = nullptr;
  ASSERT_EQ(hipMalloc(&block, 4096), hipSuccess);

  hip_Memcpy2D plane{};
  plane.srcMemoryType = hipMemoryTypeHost;
  plane.srcHost = host.data();
  plane.dstMemoryType = hipMemoryTypeDevice;
  plane.dstDevice = block;
  plane.WidthInBytes = 4;
  plane.Height = 2;
  ASSERT_EQ(hipMemcpyParam2D(&plane), hipSuccess);
  for (const std::size_t x : {SIZE_MAX, SIZE_MAX - 3}) {
    hip_Memcpy2D moved = plane;
    moved.dstXInBytes = x;
    EXPECT_EQ(hipMemcpyParam2D(&moved), hipErrorInvalidValue) << "x " << x;
  }
  hip_Memcpy2D far = plane;
  far.dstY = SIZE_MAX - 1;
  EXPECT_EQ(hipMemcpyParam2D(&far), hipErrorInvalidValue);

  HIP_MEMCPY3D box{};
  box.srcMemoryType = hipMemoryTypeHost;
  box.srcHost = host.data();
  box.dstMemoryType = hipMemoryTypeDevice;
  box.dstDevice = block;
  box.WidthInBytes = 4;
  box.Height = box.Depth = 2;
  ASSERT_EQ(hipDrvMemcpy3D(&box), hipSuccess);
  box.dstPitch = 1 << 16;
  box.dstHeight = half;
  EXPECT_EQ(hipDrvMemcpy3D(&box), hipErrorInvalidValue);

  hipMemcpy3DParms p{};
  p.srcPtr = {host.data(), 64, 64, 4};
  p.dstPtr = {block, 64, 64, 4};
  p.extent = {8, 2, 2};
  p.kind = hipMemcpyHostToDevice;
  ASSERT_EQ(hipMemcpy3D(&p), hipSuccess);
  for (const hipPos& position : {hipPos{SIZE_MAX - 3, 0, 0}, hipPos{0, SIZE_MAX / 64 + 1, 0},
                                 hipPos{0, 0, SIZE_MAX / 256 + 1}, hipPos{0, 0, SIZE_MAX}}) {
    p.dstPos = position;
    EXPECT_EQ(hipMemcpy3D(&p), hipErrorInvalidValue)
        << position.x << ", " << position.y << ", " << position.z;
  }
  EXPECT_EQ(hipMemset3D({block, 64, 64, half}, 0, {8, 2, 2}), hipErrorInvalidValue);
  EXPECT_NE(hipMemset2D(block, half, 0, 8, 3), hipSuccess);
  EXPECT_NE(hipMemset2D(block, 64, 0, 8, SIZE_MAX), hipSuccess);
  EXPECT_EQ(hipMemsetD32(block, 0, SIZE_MAX / 4 + 1), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(block), hipSuccess);
}

TEST(HipPointers, OccupancyOfAKernelThatAllowsNoThreads) {
  std::vector<std::byte> code = tell_arguments();
  constexpr std::string_view field = ".max_flat_workgroup_size";
  const auto name = std::as_bytes(std::span(field));
  const auto found = std::search(code.begin(), code.end(), name.begin(), name.end());
  ASSERT_NE(found, code.end());
  const auto value = found + static_cast<std::ptrdiff_t>(field.size());
  ASSERT_EQ(*value, std::byte{0xcd}) << "expected a 16-bit number"; // of MessagePack
  value[1] = value[2] = std::byte{0};
  const Loaded loaded(code);
  int grid = -1, block = -1;
  EXPECT_EQ(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, loaded.function, 0, 0), hipSuccess);
  EXPECT_EQ(grid, 0);
  EXPECT_EQ(block, 0);
}

/// The device's pointer to a managed variable has 8 bytes; this one says 1, and has a neighbour.
TEST(HipPointers, AManagedVariableWithoutRoomForItsPointerIsLeftAlone) {
  const std::vector<std::byte> code = assemble({{"tell", R"(
  .pushsection .data
  .globl small
  .type small,@object
  .size small, 1
small: .byte 1
  .globl neighbour
  .type neighbour,@object
  .size neighbour, 8
neighbour: .quad 0x1122334455667788
  .popsection
)"}},
                                               device_target());
  const struct {
    std::uint32_t magic = 0x48495046, version = 1; // of __CudaFatBinaryWrapper's counterpart in clang
    const void* binary;
    const void* unused = nullptr;
  } wrapper{.binary = code.data()};
  void** const handle = __hipRegisterFatBinary(&wrapper);
  ASSERT_NE(handle, nullptr);
  void* managed = nullptr;
  std::uint64_t initial = 0, host_neighbour = 0, read = 0;
  char name[] = "neighbour";
  const void* const symbol = &host_neighbour;
  __hipRegisterManagedVar(handle, &managed, &initial, "small", sizeof initial, 0);
  __hipRegisterVar(handle, &host_neighbour, name, name, 0, sizeof host_neighbour, 0, 0);
  ASSERT_EQ(hipMemcpyFromSymbol(&read, symbol, sizeof read, 0, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(read, 0x1122334455667788u);
}

} // namespace
} // namespace cts::emulator::testing
