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

/// Hardware registers as the tables of the ISA lay them out, in a workgroup of two waves with 1000 bytes of
/// LDS, 128 VGPRs and AGPRs, 96 SGPRs and 64 bytes of private memory a lane.
TEST(Control, HardwareRegisters) {
  struct Case {
    const char* field;
    std::uint32_t gfx942, gfx950;
  };
  const Case cases[] = {
      {"HW_REG_LDS_ALLOC, 12, 9", 1024 / 256, 1280 / 256},
      {"HW_REG_LDS_ALLOC, 0, 8", 0, 0},
      {"HW_REG_GPR_ALLOC, 6, 6", 128 / 4 - 1, 128 / 4 - 1},
      {"HW_REG_GPR_ALLOC, 12, 6", 128 / 4, 128 / 4},
      {"HW_REG_GPR_ALLOC, 24, 4", 96 / 16 - 1, 96 / 16 - 1},
      {"HW_REG_IB_STS, 0, 4", 3, 3},  // VM_CNT: three loads below
      {"HW_REG_IB_STS, 22, 2", 0, 0}, // its upper bits
      {"HW_REG_IB_STS, 8, 4", 1, 1},  // LGKM_CNT: one LDS read
      {"HW_REG_STATUS, 0, 1", 1, 1},  // SCC
      {"HW_REG_STATUS, 9, 1", 0, 0},  // EXECZ
      {"HW_REG_STATUS, 10, 1", 1, 1}, // VCCZ
      {"HW_REG_STATUS, 11, 1", 1, 1}, // IN_TG
      {"HW_REG_STATUS, 16, 1", 1, 1}, // VALID
      {"HW_REG_STATUS, 28, 1", 1, 1}, // SCRATCH_EN
      {"HW_REG_STATUS, 31, 1", 0, 0}, // IDLE
      {"HW_REG_TRAPSTS, 0, 9", 0, 0},
      {"HW_REG_SH_MEM_BASES", 0x10002, 0x10002}, // bits 63:48 of the LDS and private apertures
      {"HW_REG_TBA_LO", 0, 0},
      {"HW_REG_MODE, 0, 10", 0x3c0, 0x3c0}, // what the assembled kernels ask for
  };
  constexpr std::size_t count = std::size(cases);
  std::string body = R"(
  v_mov_b32_e32 v2, 0
  global_load_dword v10, v126, s[4:5]
  global_load_dword v11, v126, s[4:5]
  global_load_dword v12, v126, s[4:5]
  ds_write_b32 v2, v2
  s_mov_b64 vcc, 0
  s_cmp_eq_u32 0, 0
)";
  for (std::size_t i = 0; i < count; ++i)
    body += fmt::format("s_getreg_b32 s{}, hwreg({})\n", 20 + i, cases[i].field);
  for (std::size_t i = 0; i < count; ++i)
    body +=
        fmt::format("v_mov_b32_e32 v1, s{}\nglobal_store_dword v2, v1, s[6:7] offset:{}\n", 20 + i, 4 * i);
  for (const Target target : all_targets) {
    Bench bench(target, {{"registers", body, 1000, 64}});
    const auto report = bench.run("registers", 128);
    ASSERT_FALSE(report.stop) << report.stop->line;
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(bench.out()[i], target == Target::gfx942 ? cases[i].gfx942 : cases[i].gfx950)
          << cases[i].field << " on " << name(target);
  }
}

/// What the emulator does not do with MODE must stop, not be ignored.
TEST(Control, SetregRefuses) {
  for (const Target target : all_targets) {
    Bench bench(target, {{"enables", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 1"},
                         {"writes", "s_setreg_imm32_b32 hwreg(HW_REG_STATUS), 1"},
                         {"clears", "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 9), 0"}});
    for (const char* kernel : {"enables", "writes"}) {
      const auto report = bench.run(kernel);
      ASSERT_TRUE(report.stop) << kernel;
      EXPECT_EQ(report.stop->kind, Stop::Kind::unsupported) << report.stop->line;
    }
    EXPECT_FALSE(bench.run("clears").stop);
  }
}

/// Vector instructions are passed over from two wait states after VSKIP is set to two after it is cleared.
TEST(Control, VskipPassesOverVectorInstructions) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    const auto run = [&](const std::string& body) {
      Bench bench(target,
                  {{"skips", "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\ns_mov_b32 s4, 1\n" + body +
                                 "\nv_lshl_or_b32 v4, v5, 1, v4\n" + "global_store_dword v126, v4, s[6:7]"}});
      const auto report = bench.run("skips");
      EXPECT_FALSE(report.stop) << (report.stop ? report.stop->line : "");
      return std::pair(bench.out()[0], report.violations.size());
    };
    const std::string clear = "\ns_setvskip 0, 0\ns_nop 1";
    EXPECT_EQ(run("s_setvskip s4, 0\ns_nop 1\nv_mov_b32 v4, 1" + clear),
              (std::pair<std::uint32_t, std::size_t>{0, 0}));
    EXPECT_EQ(run("s_setvskip s4, 1\ns_nop 1\nv_mov_b32 v4, 1" + clear),
              (std::pair<std::uint32_t, std::size_t>{1, 0}))
        << "the other bit";
    EXPECT_EQ(run("s_setvskip s4, 0\ns_nop 0\nv_mov_b32 v4, 1\nv_mov_b32 v5, 1" + clear),
              (std::pair<std::uint32_t, std::size_t>{1, 1}))
        << "one wait state: not yet for v4, but for v5";
    note_instruction(target, "s_setvskip");
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
