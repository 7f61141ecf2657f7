// Program counters: calls and returns by device addresses, in whole kernels.
#include "tests/emulator/support/assembled.hpp"
#include "tests/emulator/support/instruction_bench.hpp"

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
  for (const Target target : all_targets) {
    Bench bench(target, {{"by_address", by_address}, {"by_offset", by_offset}});
    for (const char* kernel : {"by_address", "by_offset"}) {
      const auto report = bench.run(kernel);
      ASSERT_FALSE(report.stop) << report.stop->line;
      EXPECT_EQ(bench.out()[5], 111u) << kernel << " on " << name(target);
    }
    for (const char* mnemonic : {"s_getpc_b64", "s_setpc_b64", "s_swappc_b64", "s_call_b64", "s_endpgm"})
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

TEST(Halt, Stops) {
  for (const Target target : all_targets) {
    Bench bench(target,
                {{"halted", "s_sethalt 1"},
                 {"going", "s_sethalt 0\ns_wakeup\ns_ttracedata\ns_incperflevel 1\ns_decperflevel 1"}});
    EXPECT_TRUE(bench.run("halted").stop);
    EXPECT_FALSE(bench.run("going").stop);
    note_instruction(target, "s_sethalt");
    for (const char* mnemonic : {"s_wakeup", "s_ttracedata", "s_incperflevel", "s_decperflevel"})
      note_instruction(target, mnemonic, Tested::executed);
  }
}

} // namespace
} // namespace cts::emulator::testing
