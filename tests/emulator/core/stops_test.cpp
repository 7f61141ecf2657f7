// Faults are precise: kind, kernel, pc, lane and address in one line; nothing outside the allocations is
// touched.
#include "tests/emulator/support/assembled.hpp"

#include "common/error.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// Runs `body` and expects it to stop so.
void expect_stop(const std::string& body, Stop::Kind kind, const std::vector<std::string>& words,
                 unsigned lds = 0) {
  Bench bench(Target::gfx942, {{"k", body, lds}}, 64, 64);
  const LaunchReport report = bench.run("k");
  ASSERT_TRUE(report.stop) << body;
  EXPECT_EQ(static_cast<int>(report.stop->kind), static_cast<int>(kind)) << report.stop->line;
  for (const std::string& word : words)
    EXPECT_NE(report.stop->line.find(word), std::string::npos) << word << " in: " << report.stop->line;
}

TEST(Stops, AStoreBeyondItsAllocationNamesLaneAndAddress) {
  expect_stop("  v_lshlrev_b32_e32 v1, 3, v0\n  global_store_dword v1, v0, s[6:7]\n",
              Stop::Kind::illegal_address,
              {"kernel 'k'", "pc 0x", "lane 32", "global_store_dword", "outside"});
}

TEST(Stops, ALoadFromNowhereNamesItsAddress) {
  expect_stop("  v_mov_b32_e32 v2, 0\n  v_mov_b32_e32 v3, 0\n  global_load_dword v1, v[2:3], off\n",
              Stop::Kind::illegal_address, {"lane 0", "address 0x0", "outside every live allocation"});
}

TEST(Stops, AMisalignedLdsAccessIsRefused) {
  expect_stop("  v_add_u32_e32 v1, 1, v126\n  ds_read_b32 v2, v1\n", Stop::Kind::misaligned,
              {"lane 0", "not aligned to 4"}, 512);
}

TEST(Stops, AnLdsAccessOutsideTheWorkgroupsShareIsRefused) {
  expect_stop("  ds_write_b32 v126, v0\n", Stop::Kind::illegal_address,
              {"lane 32", "outside the workgroup's 128 bytes"}, 128);
}

TEST(Stops, ATrapIsReported) { expect_stop("  s_trap 2\n", Stop::Kind::trap, {"s_trap 2"}); }

TEST(Stops, ARegisterBeyondTheAllocationIsRefused) {
  expect_stop("  v_mov_b32_e32 v200, v0\n", Stop::Kind::bad_code, {"uses 201 VGPRs", "allocates 128"});
}

TEST(Stops, VgprIndexingBeyondTheAllocationIsRefused) {
  const std::string index = "  s_movk_i32 s8, 255\n  s_set_gpr_idx_on s8, gpr_idx(SRC0,DST)\n";
  expect_stop(index + "  v_mov_b32_e32 v1, v100\n", Stop::Kind::bad_code,
              {"VGPR indexing reaches v355", "128 VGPRs"});
  expect_stop(index + "  v_accvgpr_read_b32 v1, a100\n", Stop::Kind::bad_code,
              {"VGPR indexing reaches a355", "128 AGPRs"});
  expect_stop(index + "  v_accvgpr_write_b32 a127, v1\n", Stop::Kind::bad_code,
              {"VGPR indexing reaches", "128"});
  expect_stop("  s_movk_i32 s8, 255\n  s_set_gpr_idx_on s8, gpr_idx(DST)\n  v_accvgpr_write_b32 a127, v1\n",
              Stop::Kind::bad_code, {"VGPR indexing reaches a382", "128 AGPRs"});
}

TEST(Stops, AKernelThatNeverEndsMeetsItsTimeLimit) {
  ASSERT_EQ(::setenv("CDNA_CTS_TIME_LIMIT", "0.3", 1), 0);
  expect_stop(".Lloop:\n  s_branch .Lloop\n", Stop::Kind::time_limit, {"CDNA_CTS_TIME_LIMIT"});
  ::unsetenv("CDNA_CTS_TIME_LIMIT");
}

TEST(Stops, OfSeveralWorkgroupsTheFirstOneIsReported) {
  Bench bench(Target::gfx942, {{"k", "  s_trap 3\n"}});
  const LaunchReport report = bench.run("k", 64, 8);
  ASSERT_TRUE(report.stop);
  EXPECT_EQ(static_cast<int>(report.stop->kind), static_cast<int>(Stop::Kind::trap));
}

TEST(Stops, ACodeObjectForTheOtherTargetIsRefused) {
  Device device(Target::gfx942);
  const auto elf = assemble({{"k", ""}}, Target::gfx950);
  try {
    device.load(elf);
    FAIL() << "a gfx950 code object was loaded by a gfx942 device";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "code object is for gfx950, this device is gfx942");
  }
}

} // namespace
} // namespace cts::emulator::testing
