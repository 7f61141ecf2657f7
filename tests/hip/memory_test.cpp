#include "runners/emulator/memory.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using cts::emulator::Memory;
using cts::emulator::poison;

std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

TEST(Memory, FreshBlockIsPoisonedToItsLastByte) {
  Memory memory;
  const std::size_t bytes = 4099;
  auto* const block = static_cast<unsigned char*>(memory.allocate(bytes));
  ASSERT_NE(block, nullptr);
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto expected = static_cast<unsigned char>(poison >> (8 * (i % 4)));
    ASSERT_EQ(block[i], expected) << "byte " << i;
  }
}

TEST(Memory, BlocksAreAlignedTo256Bytes) {
  Memory memory;
  for (std::size_t bytes : {1U, 255U, 256U, 257U, 4096U, 10000U})
    EXPECT_EQ(address(memory.allocate(bytes)) % 256, 0U) << bytes << " bytes";
}

TEST(Memory, ContainsExactlyTheBlock) {
  Memory memory;
  const std::uint64_t base = address(memory.allocate(100));
  EXPECT_TRUE(memory.contains(base, 100));
  EXPECT_TRUE(memory.contains(base + 99, 1));
  EXPECT_TRUE(memory.contains(base + 96, 4));
  EXPECT_FALSE(memory.contains(base + 97, 4));
  EXPECT_FALSE(memory.contains(base + 100, 1));
  EXPECT_FALSE(memory.contains(base - 1, 1));
  EXPECT_FALSE(memory.contains(base - 1, 2));
  EXPECT_FALSE(memory.contains(base + 4, UINT64_MAX)) << "a length that wraps around";
  EXPECT_FALSE(memory.contains(0, 1));
}

TEST(Memory, EndedBlockIsGoneAndItsAddressesAreNotReused) {
  Memory memory;
  void* const first = memory.allocate(5000);
  ASSERT_TRUE(memory.contains(address(first), 1));
  EXPECT_TRUE(memory.release(first));
  EXPECT_FALSE(memory.contains(address(first), 1));
  EXPECT_FALSE(memory.find(address(first)).has_value());
  EXPECT_FALSE(memory.release(first)) << "ended twice";
  for (int i = 0; i < 200; ++i) {
    void* const other = memory.allocate(5000);
    ASSERT_NE(address(other), address(first)) << "allocation " << i;
    memory.release(other);
  }
}

TEST(Memory, OnlyABaseCanBeReleased) {
  Memory memory;
  auto* const block = static_cast<std::byte*>(memory.allocate(64));
  EXPECT_FALSE(memory.release(block + 4));
  EXPECT_FALSE(memory.release(nullptr));
  EXPECT_TRUE(memory.contains(address(block), 64));
}

TEST(Memory, FindKnowsBaseBytesAndKind) {
  Memory memory;
  memory.allocate(300);
  const std::uint64_t base = address(memory.allocate(77, true));
  memory.allocate(300);
  const auto block = memory.find(base + 50);
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(block->base, base);
  EXPECT_EQ(block->bytes, 77U);
  EXPECT_EQ(block->host, true);
}

TEST(Memory, UsedCountsLiveBlocks) {
  Memory memory;
  void* const block = memory.allocate(1000);
  memory.allocate(24);
  EXPECT_EQ(memory.used(), 1024U);
  memory.release(block);
  EXPECT_EQ(memory.used(), 24U);
  EXPECT_EQ(memory.allocate(0), nullptr);
}

TEST(Memory, TwoMemoriesDoNotShareWhatAThreadRemembers) {
  Memory one, two;
  const std::uint64_t base = address(one.allocate(64));
  EXPECT_TRUE(one.contains(base, 64));
  EXPECT_FALSE(two.contains(base, 64));
  EXPECT_TRUE(one.contains(base, 64));
}

TEST(Memory, ThreadsSeeBlocksOfOthers) {
  Memory memory;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        void* const block = memory.allocate(256);
        ASSERT_TRUE(memory.contains(address(block), 256));
        ASSERT_TRUE(memory.release(block));
        ASSERT_FALSE(memory.contains(address(block), 1));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.used(), 0U);
}

using MemoryDeathTest = ::testing::Test;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(MemoryDeathTest, HostAccessBeyondABlockFaults) {
  Memory memory;
  auto* const block = static_cast<volatile char*>(memory.allocate(256));
  EXPECT_EXIT(block[256] = 1, ::testing::KilledBySignal(SIGSEGV), "");
}

TEST(MemoryDeathTest, HostAccessToAnEndedBlockFaults) {
  Memory memory;
  auto* const block = static_cast<volatile char*>(memory.allocate(256));
  memory.release(const_cast<char*>(block));
  EXPECT_EXIT(block[0] = 1, ::testing::KilledBySignal(SIGSEGV), "");
}
#endif

TEST(Memory, ReservedAreBlocksAndThePagesAroundThemAlsoAfterTheirEnd) {
  Memory memory;
  const std::size_t bytes = 4096;
  const std::uint64_t block = address(memory.allocate(bytes));
  std::vector<unsigned char> other(64);
  for (const bool live : {true, false}) {
    SCOPED_TRACE(live ? "live" : "ended");
    EXPECT_TRUE(memory.reserved(block, 1));
    EXPECT_TRUE(memory.reserved(block - 4096, 1));
    EXPECT_TRUE(memory.reserved(block + bytes, 1));
    EXPECT_TRUE(memory.reserved(block - 8192, 4097)) << "a range that ends in them";
    EXPECT_TRUE(memory.reserved(0, UINT64_MAX));
    EXPECT_TRUE(memory.reserved(block, UINT64_MAX)) << "a length that wraps around";
    EXPECT_FALSE(memory.reserved(block, 0));
    EXPECT_FALSE(memory.reserved(address(other.data()), other.size()));
    EXPECT_FALSE(memory.adopt(reinterpret_cast<void*>(block - 64), 16)) << "what lies around a block";
    if (live) memory.release(reinterpret_cast<void*>(block));
  }
}

TEST(MemoryDeathTest, CapacityComesFromTheEnvironment) {
  EXPECT_EXIT(
      {
        setenv("CDNA_CTS_MEMORY", "4096", 1);
        Memory memory;
        const bool right = memory.capacity() == 4096 && !memory.allocate(4097) && memory.allocate(4096) &&
                           !memory.allocate(1);
        _exit(right ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(MemoryDeathTest, UnreadableCapacityIsRefused) {
  EXPECT_EXIT(
      {
        for (const char* wrong : {"16G", "0", "-1", "70368744177665", "18446744073709551615"}) {
          setenv("CDNA_CTS_MEMORY", wrong, 1);
          try {
            Memory memory;
            _exit(1);
          } catch (const cts::Error& error) {
            if (std::string(error.what()).find(wrong) == std::string::npos) _exit(2);
          }
        }
        _exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

} // namespace
