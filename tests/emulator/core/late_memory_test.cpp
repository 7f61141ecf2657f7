// Memory results arrive when a wait asks for them and not before: a missing or wrong wait reads old data,
// every time.
#include "tests/emulator/support/assembled.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// Loads in[lane] into v1 (which holds 7 before), waits as told, stores v1.
AssembledKernel load_then_use(const char* name, const char* wait) {
  return {name,
          fmt::format(
              "  v_mov_b32_e32 v1, 7\n  global_load_dword v1, v126, s[4:5]\n  {}\n  v_mov_b32_e32 v2, v1\n"
              "  global_store_dword v126, v2, s[6:7]\n",
              wait)};
}

bool has_rule(const LaunchReport& report, std::string_view rule) {
  return std::any_of(report.violations.begin(), report.violations.end(),
                     [&](const Violation& v) { return v.rule == rule; });
}

TEST(LateMemory, AGlobalLoadNeedsItsVmcnt) {
  Bench bench(Target::gfx942,
              {load_then_use("waited", "s_waitcnt vmcnt(0)"), load_then_use("missing", "s_nop 0"),
               load_then_use("wrong_counter", "s_waitcnt lgkmcnt(0)"),
               load_then_use("one_too_high", "s_waitcnt vmcnt(1)")});
  for (unsigned lane = 0; lane < 64; ++lane) bench.in()[lane] = 1000 + lane;
  EXPECT_TRUE(bench.run("waited").violations.empty());
  for (unsigned lane = 0; lane < 64; ++lane) EXPECT_EQ(bench.out()[lane], 1000 + lane) << "lane " << lane;
  for (const char* broken : {"missing", "wrong_counter", "one_too_high"}) {
    EXPECT_TRUE(has_rule(bench.run(broken), "vmcnt-not-waited")) << broken;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(bench.out()[lane], 7u) << broken << ": lane " << lane << " must see the old value";
  }
}

TEST(LateMemory, ACountAboveZeroIsEnoughForTheOlderOfTwoLoads) {
  const std::string loads =
      "  v_mov_b32_e32 v1, 7\n  v_mov_b32_e32 v2, 8\n  global_load_dword v1, v126, s[4:5]\n"
      "  global_load_dword v2, v126, s[4:5] offset:256\n  s_waitcnt vmcnt(1)\n";
  Bench bench(Target::gfx950,
              {{"older", loads + "  v_mov_b32_e32 v3, v1\n  global_store_dword v126, v3, s[6:7]\n"},
               {"younger", loads + "  v_mov_b32_e32 v3, v2\n  global_store_dword v126, v3, s[6:7]\n"}});
  for (unsigned i = 0; i < 128; ++i) bench.in()[i] = 1000 + i;
  EXPECT_TRUE(bench.run("older").violations.empty());
  EXPECT_EQ(bench.out()[5], 1005u);
  EXPECT_TRUE(has_rule(bench.run("younger"), "vmcnt-not-waited"));
  EXPECT_EQ(bench.out()[5], 8u);
}

TEST(LateMemory, AFullCounterCompletesTheOldest) {
  std::string body = "  v_mov_b32_e32 v1, 7\n  global_load_dword v1, v126, s[4:5]\n";
  for (unsigned i = 0; i < 63; ++i)
    body += "  global_load_dword v2, v126, s[4:5]\n"; // 64 outstanding: one more than VM_CNT holds
  Bench bench(
      Target::gfx942,
      {{"k",
        body + "  v_mov_b32_e32 v3, v1\n  s_waitcnt vmcnt(0)\n  global_store_dword v126, v3, s[6:7]\n"}});
  bench.in()[9] = 1234;
  EXPECT_FALSE(has_rule(bench.run("k"), "vmcnt-not-waited"));
  EXPECT_EQ(bench.out()[9], 1234u);
}

TEST(LateMemory, LdsResultsNeedLgkmcntAndAWriteIsSeenByALaterReadOfTheSameWave) {
  const auto body = [](const char* wait) {
    return fmt::format("  v_mov_b32_e32 v2, 7\n  v_add_u32_e32 v1, 100, v0\n  ds_write_b32 v126, v1\n  "
                       "ds_read_b32 v2, v126\n  {}\n"
                       "  v_mov_b32_e32 v3, v2\n  global_store_dword v126, v3, s[6:7]\n",
                       wait);
  };
  Bench bench(Target::gfx942,
              {{"waited", body("s_waitcnt lgkmcnt(0)"), 256}, {"missing", body("s_waitcnt vmcnt(0)"), 256}});
  EXPECT_TRUE(bench.run("waited").violations.empty());
  EXPECT_EQ(bench.out()[63], 163u);
  EXPECT_TRUE(has_rule(bench.run("missing"), "lgkmcnt-not-waited"));
  EXPECT_EQ(bench.out()[63], 7u);
}

TEST(LateMemory, ScalarLoadsNeedLgkmcntZero) {
  const auto body = [](const char* wait) {
    return fmt::format("  s_mov_b32 s8, 7\n  s_load_dword s8, s[4:5], 0x0\n  {}\n  v_mov_b32_e32 v3, s8\n  "
                       "global_store_dword v126, v3, s[6:7]\n",
                       wait);
  };
  Bench bench(Target::gfx942, {{"waited", body("s_waitcnt lgkmcnt(0)")}, {"missing", body("s_nop 0")}});
  bench.in()[0] = 4321;
  EXPECT_TRUE(bench.run("waited").violations.empty());
  EXPECT_EQ(bench.out()[0], 4321u);
  EXPECT_TRUE(has_rule(bench.run("missing"), "lgkmcnt-not-waited"));
  EXPECT_EQ(bench.out()[0], 7u);
}

TEST(LateMemory, ABarrierDrainsNoCounter) {
  const auto body = [](const char* wait) { // each lane writes, the other wave's lane reads
    return fmt::format(
        "  v_add_u32_e32 v1, 100, v0\n  ds_write_b32 v126, v1\n  {}\n  s_barrier\n  v_xor_b32_e32 v2, 0x100, "
        "v126\n"
        "  ds_read_b32 v3, v2\n  s_waitcnt lgkmcnt(0)\n  global_store_dword v126, v3, s[6:7]\n",
        wait);
  };
  Bench bench(Target::gfx942,
              {{"waited", body("s_waitcnt lgkmcnt(0)"), 512}, {"missing", body("s_nop 0"), 512}});
  bench.run("waited", 128);
  for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(bench.out()[t], 100 + (t ^ 64)) << "thread " << t;
  bench.run("missing", 128);
  EXPECT_EQ(bench.out()[0], poison) << "the other wave's write has not arrived: LDS still holds poison";
}

TEST(LateMemory, ADirectToLdsLoadIsCountedByVmcnt) {
  const auto body = [](const char* wait) {
    return fmt::format(
        "  s_mov_b32 m0, 0\n  s_nop 0\n  global_load_lds_dword v126, s[4:5]\n  {}\n  ds_read_b32 v3, v126\n"
        "  s_waitcnt lgkmcnt(0)\n  global_store_dword v126, v3, s[6:7]\n",
        wait);
  };
  Bench bench(Target::gfx942, {{"waited", body("s_waitcnt vmcnt(0)"), 256},
                               {"lgkm_only", body("s_waitcnt lgkmcnt(0)"), 256}});
  for (unsigned lane = 0; lane < 64; ++lane) bench.in()[lane] = 1000 + lane;
  bench.run("waited");
  EXPECT_EQ(bench.out()[33], 1033u);
  bench.run("lgkm_only");
  EXPECT_EQ(bench.out()[33], poison);
}

} // namespace
} // namespace cts::emulator::testing
