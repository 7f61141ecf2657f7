// Program control: waits, barriers, messages and traps, in whole kernels.
#include "tests/emulator/support/assembled.hpp"
#include "tests/emulator/support/coverage.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// The first load is complete after vmcnt(1), the second only after vmcnt(0).
TEST(Control, WaitCompletesAsManyAsItSays) {
  const std::string body = R"(
  v_mov_b32_e32 v1, 7
  v_mov_b32_e32 v2, 7
  global_load_dword v1, v126, s[4:5]
  global_load_dword v2, v126, s[4:5] offset:256
  s_waitcnt vmcnt(1)
  v_mov_b32_e32 v3, v1
  v_mov_b32_e32 v4, v2
  s_waitcnt vmcnt(0)
  global_store_dword v126, v3, s[6:7]
  global_store_dword v126, v4, s[6:7] offset:256
  global_store_dword v126, v2, s[6:7] offset:512)";
  for (const Target target : all_targets) {
    Bench bench(target, {{"waits", body}});
    for (unsigned i = 0; i < 128; ++i) bench.in()[i] = 1000 + i;
    const auto report = bench.run("waits");
    ASSERT_FALSE(report.stop) << report.stop->line;
    EXPECT_EQ(report.violations.size(), 1u) << "v2 was read before its load was waited for";
    for (unsigned l = 0; l < 64; ++l) {
      EXPECT_EQ(bench.out()[l], 1000 + l) << "lane " << l;
      EXPECT_EQ(bench.out()[64 + l], 7u) << "lane " << l << ": still the old value";
      EXPECT_EQ(bench.out()[128 + l], 1064 + l) << "lane " << l;
    }
    note_instruction(target, "s_waitcnt");
  }
}

/// Each of two waves writes its LDS words and reads the other's after the barrier.
TEST(Control, BarrierWaitsForTheOtherWave) {
  const std::string body = R"(
  v_add_u32_e32 v1, 100, v0
  ds_write_b32 v126, v1
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_xor_b32_e32 v2, 0x100, v126
  ds_read_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v126, v3, s[6:7])";
  for (const Target target : all_targets) {
    Bench bench(target, {{"meets", body, 512}});
    const auto report = bench.run("meets", 128);
    ASSERT_FALSE(report.stop) << report.stop->line;
    for (unsigned t = 0; t < 128; ++t) EXPECT_EQ(bench.out()[t], 100 + (t ^ 64)) << "thread " << t;
    note_instruction(target, "s_barrier");
  }
}

TEST(Control, TrapStops) {
  for (const Target target : all_targets) {
    Bench bench(target, {{"traps", "s_trap 2"}});
    const auto report = bench.run("traps");
    ASSERT_TRUE(report.stop);
    EXPECT_EQ(report.stop->kind, Stop::Kind::trap);
    note_instruction(target, "s_trap");
  }
}

TEST(Control, MessagesAndCacheMaintenancePass) {
  for (const Target target : all_targets) {
    Bench bench(target, {{"passes", "s_sendmsg sendmsg(MSG_INTERRUPT)\ns_icache_inv"}});
    const auto report = bench.run("passes");
    EXPECT_FALSE(report.stop) << report.stop->line;
    for (const char* mnemonic : {"s_sendmsg", "s_icache_inv"})
      note_instruction(target, mnemonic, Tested::executed);
  }
}

} // namespace
} // namespace cts::emulator::testing
