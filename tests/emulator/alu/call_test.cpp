// Program counters: calls and returns by device addresses, in whole kernels.
#include "tests/emulator/support/assembled.hpp"
#include "tests/emulator/support/instruction_bench.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// Stores s20 of the wave, and ends.
constexpr const char* store = R"(
  v_mov_b32_e32 v1, s20
  global_store_dword v126, v1, s[6:7]
  s_waitcnt vmcnt(0))";

TEST(Calls, GoAndComeBack) {
  const std::string by_address = std::string(R"(
  s_mov_b32 s20, 1
  s_getpc_b64 s[8:9]            ; the address of the next instruction
  s_add_u32 s8, s8, 40          ; the function below
  s_addc_u32 s9, s9, 0
  s_swappc_b64 s[10:11], s[8:9]
  s_add_u32 s20, s20, 100)") + store +
                                 R"(
  s_endpgm
  s_nop 0
  s_nop 0
  s_add_u32 s20, s20, 10
  s_setpc_b64 s[10:11])";
  const std::string by_offset = std::string(R"(
  s_mov_b32 s20, 1
  s_call_b64 s[10:11], 7        ; dwords after the next instruction
  s_add_u32 s20, s20, 100)") + store +
                                R"(
  s_endpgm
  s_add_u32 s20, s20, 10
  s_setpc_b64 s[10:11])";
  std::string saved = by_offset; // the other end of a program
  saved.replace(saved.find("s_endpgm"), std::strlen("s_endpgm"), "s_endpgm_saved");
  for (const Target target : all_targets) {
    Bench bench(target, {{"by_address", by_address}, {"by_offset", by_offset}, {"saved", saved}});
    for (const char* kernel : {"by_address", "by_offset", "saved"}) {
      const auto report = bench.run(kernel);
      ASSERT_FALSE(report.stop) << report.stop->line;
      EXPECT_EQ(bench.out()[5], 111u) << kernel << " on " << name(target);
    }
    for (const char* mnemonic :
         {"s_getpc_b64", "s_setpc_b64", "s_swappc_b64", "s_call_b64", "s_endpgm", "s_endpgm_saved"})
      note_instruction(target, mnemonic);
  }
}

TEST(Calls, ToNowhereStop) {
  Bench bench(Target::gfx942, {{"lost", "s_mov_b64 s[8:9], 0x1000\ns_setpc_b64 s[8:9]"}});
  const auto report = bench.run("lost");
  ASSERT_TRUE(report.stop);
  EXPECT_EQ(report.stop->kind, Stop::Kind::bad_code);
  EXPECT_NE(report.stop->line.find("s_setpc_b64"), std::string::npos) << report.stop->line;
}

/// Both sides of a fork run, the one with fewer lanes first; after the join EXEC is the second side's.
TEST(Forks, RunBothWays) {
  constexpr const char* sides = R"(
  v_add_u32_e32 v1, 1, v2       ; the lanes that fail
  v_mov_b32_e32 v2, 5
  s_branch .Ljoin_{0}
.Lpass_{0}:
  v_add_u32_e32 v1, 2, v2
  v_mov_b32_e32 v2, 6
.Ljoin_{0}:
  s_cbranch_join s40
  s_mov_b64 s[42:43], exec
  s_mov_b64 exec, -1
  v_mov_b32_e32 v3, s42
  v_mov_b32_e32 v4, s43
  global_store_dword v126, v1, s[6:7]
  global_store_dword v126, v3, s[6:7] offset:256
  global_store_dword v126, v4, s[6:7] offset:512
  s_waitcnt vmcnt(0))";
  const auto kernel = [&](const char* name, const std::string& mask, const std::string& fork) {
    std::string text =
        fmt::format("v_mov_b32_e32 v2, 10\ns_mov_b32 s40, 0\nv_cmp_gt_u32_e32 vcc, {}, v0\n", mask);
    return AssembledKernel{name, text + fork + fmt::format(fmt::runtime(sides), name)};
  };
  const std::string by_offset = "s_cbranch_i_fork vcc, 3\n";
  const std::string by_register = R"(
  s_getpc_b64 s[44:45]
  s_add_u32 s44, s44, 24        ; two adds, the fork, and three instructions
  s_addc_u32 s45, s45, 0
  s_cbranch_g_fork vcc, s[44:45]
)";
  const auto second_side = [](unsigned count) -> std::uint64_t {
    if (count == 0 || count == 64) return ~0ull;
    const std::uint64_t pass = (1ull << count) - 1;
    return count > 32 ? pass : ~pass;
  };
  for (const Target target : all_targets) {
    std::vector<AssembledKernel> kernels;
    std::vector<unsigned> passing;
    for (const unsigned lanes_that_pass : {0u, 10u, 32u, 50u, 64u})
      for (const auto& [way, fork] : {std::pair{"i", by_offset}, std::pair{"g", by_register}}) {
        kernels.push_back(
            kernel(fmt::format("{}{}", way, lanes_that_pass).c_str(), std::to_string(lanes_that_pass), fork));
        passing.push_back(lanes_that_pass);
      }
    Bench bench(target, kernels);
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      const auto report = bench.run(kernels[n].name);
      ASSERT_FALSE(report.stop) << report.stop->line;
      for (unsigned l = 0; l < 64; ++l) {
        EXPECT_EQ(bench.out()[l], l < passing[n] ? 12u : 11u) << kernels[n].name << " lane " << l;
        const std::uint64_t exec = bench.out()[64 + l] | std::uint64_t{bench.out()[128 + l]} << 32;
        EXPECT_EQ(exec, second_side(passing[n])) << kernels[n].name << ": EXEC after the join";
      }
    }
    for (const char* mnemonic : {"s_cbranch_i_fork", "s_cbranch_g_fork", "s_cbranch_join"})
      note_instruction(target, mnemonic);
  }
}

TEST(Halt, Stops) {
  for (const Target target : all_targets) {
    Bench bench(
        target,
        {{"halted", "s_sethalt 1"},
         {"killed", "s_setkill 1"},
         {"told", "s_sendmsghalt sendmsg(MSG_INTERRUPT)"},
         {"going", "s_sethalt 0\ns_setkill 0\ns_wakeup\ns_ttracedata\ns_incperflevel 1\ns_decperflevel 1"}});
    for (const char* kernel : {"halted", "killed", "told"}) EXPECT_TRUE(bench.run(kernel).stop) << kernel;
    EXPECT_FALSE(bench.run("going").stop);
    for (const char* mnemonic : {"s_sethalt", "s_setkill", "s_sendmsghalt"})
      note_instruction(target, mnemonic);
    for (const char* mnemonic : {"s_wakeup", "s_ttracedata", "s_incperflevel", "s_decperflevel"})
      note_instruction(target, mnemonic, Tested::executed);
  }
}

} // namespace
} // namespace cts::emulator::testing
