// The waves of a workgroup share one path to device memory: what one has issued, the next one meets done,
// whatever the counters say. Registers and LDS are written as late as ever.
#include "tests/emulator/support/assembled.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// Where lane t of the other wave finds and leaves its things: v1 = 4 * (t ^ 64).
const std::string other_wave = "  v_xor_b32_e32 v1, 0x100, v126\n";

TEST(MemoryPath, AStoreBeforeABarrierIsSeenBehindItWithoutAWait) {
  Bench bench(Target::gfx942, {{"k", "  v_add_u32_e32 v2, 100, v0\n  global_store_dword v126, v2, s[6:7]\n"
                                     "  s_barrier\n" +
                                         other_wave +
                                         "  global_load_dword v3, v1, s[6:7]\n  s_waitcnt vmcnt(0)\n"
                                         "  global_store_dword v126, v3, s[6:7] offset:1024\n"}});
  EXPECT_TRUE(bench.run("k", 128).violations.empty());
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(bench.out()[256 + t], 100 + (t ^ 64)) << "lane " << t;
}

TEST(MemoryPath, ALoadBeforeABarrierReadsWhatWasThere) {
  Bench bench(Target::gfx942,
              {{"k", other_wave + "  global_load_dword v3, v1, s[4:5]\n  s_barrier\n"
                                  "  v_mov_b32_e32 v2, 7\n  global_store_dword v126, v2, s[4:5]\n"
                                  "  s_waitcnt vmcnt(0)\n  global_store_dword v126, v3, s[6:7]\n"}});
  for (unsigned t = 0; t < 128; ++t) bench.in()[t] = 1000 + t;
  EXPECT_TRUE(bench.run("k", 128).violations.empty());
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(bench.out()[t], 1000 + (t ^ 64)) << "lane " << t;
}

TEST(MemoryPath, AtomicsOfBothWavesAreDoneBehindTheBarrier) {
  Bench bench(Target::gfx942, {{"k", "  v_mov_b32_e32 v2, 1\n  v_mov_b32_e32 v4, 0\n"
                                     "  global_atomic_add v4, v2, s[4:5]\n  s_barrier\n"
                                     "  global_load_dword v3, v4, s[4:5]\n  s_waitcnt vmcnt(0)\n"
                                     "  global_store_dword v126, v3, s[6:7]\n"}});
  bench.in()[0] = 0;
  bench.run("k", 128);
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(bench.out()[t], 128u) << "lane " << t;
}

TEST(MemoryPath, AnAtomicReturnsItsOldValueWhenItIsWaitedFor) {
  Bench bench(Target::gfx942, {{"k", "  v_mov_b32_e32 v2, 1\n  v_mov_b32_e32 v3, 0\n"
                                     "  global_atomic_add v3, v126, v2, s[4:5] sc0\n  s_barrier\n"
                                     "  s_waitcnt vmcnt(0)\n  global_store_dword v126, v3, s[6:7]\n"}});
  for (unsigned t = 0; t < 128; ++t) bench.in()[t] = 50 + t;
  bench.run("k", 128);
  for (unsigned t = 0; t < 128; ++t) {
    EXPECT_EQ(bench.out()[t], 50 + t) << "lane " << t;
    EXPECT_EQ(bench.in()[t], 51 + t) << "lane " << t;
  }
}

TEST(MemoryPath, AResultStaysLate) {
  Bench bench(Target::gfx942,
              {{"k", "  v_mov_b32_e32 v3, 5\n  global_load_dword v3, v126, s[4:5]\n  s_barrier\n"
                     "  v_mov_b32_e32 v2, v3\n  s_waitcnt vmcnt(0)\n"
                     "  global_store_dword v126, v2, s[6:7]\n"}});
  for (unsigned t = 0; t < 128; ++t) bench.in()[t] = 1000 + t;
  const LaunchReport report = bench.run("k", 128);
  ASSERT_FALSE(report.violations.empty());
  EXPECT_EQ(report.violations[0].rule, "vmcnt-not-waited");
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(bench.out()[t], 5u) << "lane " << t;
}

TEST(MemoryPath, ADirectToLdsLoadStaysLateInLds) {
  Bench bench(Target::gfx942,
              {{"k",
                "  v_readfirstlane_b32 s8, v126\n  s_mov_b32 m0, s8\n  s_nop 0\n"
                "  global_load_lds_dword v126, s[4:5]\n  s_barrier\n" +
                    other_wave +
                    "  ds_read_b32 v3, v1\n  s_waitcnt lgkmcnt(0)\n  global_store_dword v126, v3, s[6:7]\n",
                512}});
  for (unsigned t = 0; t < 128; ++t) bench.in()[t] = 1000 + t;
  bench.run("k", 128);
  EXPECT_EQ(bench.out()[0], poison) << "the other wave's copy has not arrived";
}

} // namespace
} // namespace cts::emulator::testing
