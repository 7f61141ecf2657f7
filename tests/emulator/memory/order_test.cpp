// Instructions of the memory encodings that move nothing, and what reads under a partial EXEC do.
#include "tests/emulator/support/assembled.hpp"
#include "tests/emulator/support/coverage.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

/// Memory is coherent here: cache maintenance only has to pass, and clocks to go on.
TEST(MemoryOrder, CacheMaintenancePasses) {
  const char* lines[] = {"s_dcache_inv",
                         "s_dcache_wb",
                         "s_dcache_inv_vol",
                         "s_dcache_wb_vol",
                         "s_dcache_discard s[4:5], 0x0",
                         "s_dcache_discard_x2 s[4:5], 0x0",
                         "s_atc_probe 7, s[4:5], 0x0",
                         "s_atc_probe_buffer 7, s[4:7], 0x0",
                         "buffer_inv sc0 sc1",
                         "buffer_wbl2 sc0 sc1"};
  for (const Target target : all_targets) {
    std::string body;
    for (const char* line : lines) body += std::string(line) + "\n";
    Bench bench(target, {{"passes", body}});
    const auto report = bench.run("passes");
    EXPECT_FALSE(report.stop) << report.stop->line;
    for (const std::string_view line : lines)
      note_instruction(target, line.substr(0, line.find(' ')), Tested::executed);
  }
}

TEST(MemoryOrder, ClocksGoOn) {
  std::string body;
  for (const auto& [clock, first] : {std::pair{"s_memtime", 20}, std::pair{"s_memrealtime", 24}})
    for (const int again : {0, 2})
      body += fmt::format(
          "{0} s[{1}:{2}]\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v1, s{1}\nv_mov_b32_e32 v2, s{2}\n"
          "global_store_dword v126, v1, s[6:7] offset:{3}\n"
          "global_store_dword v126, v2, s[6:7] offset:{4}\ns_sleep 1\n",
          clock, first + again, first + again + 1, 256 * (first - 20 + again), 256 * (first - 19 + again));
  for (const Target target : all_targets) {
    Bench bench(target, {{"clocks", body}});
    const auto report = bench.run("clocks");
    ASSERT_FALSE(report.stop) << report.stop->line;
    const auto value = [&](unsigned i) {
      return bench.out()[64 * i] | std::uint64_t{bench.out()[64 * (i + 1)]} << 32;
    };
    EXPECT_LE(value(0), value(2));
    EXPECT_LE(value(4), value(6));
    for (const char* clock : {"s_memtime", "s_memrealtime"}) note_instruction(target, clock);
  }
}

/// A transpose read needs EXEC all ones. With lanes inactive the launch goes on, says so, and gives poison
/// where their elements would be; inactive lanes keep their registers. [CDNA4 ISA 11.4]
TEST(MemoryOrder, TransposeReadUnderPartialExec) {
  const std::string body = R"(
  v_lshlrev_b32_e32 v1, 3, v0
  v_mov_b32_e32 v2, v0
  v_add_u32_e32 v3, 100, v0
  ds_write_b64 v1, v[2:3]
  v_mov_b32_e32 v4, 7
  v_mov_b32_e32 v5, 8
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, 0xffff
  s_mov_b32 exec_lo, 0xfffffffe
  s_nop 4
  ds_read_b64_tr_b16 v[4:5], v1
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, -1
  s_nop 4
  global_store_dword v126, v4, s[6:7]
  global_store_dword v126, v5, s[6:7] offset:256)";
  Bench bench(Target::gfx950, {{"partial", body, 512}});
  const auto report = bench.run("partial");
  ASSERT_FALSE(report.stop) << report.stop->line;
  const auto found = std::ranges::count_if(
      report.violations, [](const Violation& v) { return v.rule == "transpose-read-partial-exec"; });
  EXPECT_EQ(found, 1);
  EXPECT_EQ(bench.out()[0], 7u) << "lane 0 is inactive and keeps its register";
  EXPECT_EQ(bench.out()[64], 8u);
  // Lane 1's item 0 is element 1 of the 4 x 16 matrix: lane 0's second half, which is poison. Its item 1 is
  // element 17: the second 16 bits of lane 4's chunk.
  EXPECT_EQ(bench.out()[1] & 0xffff, poison & 0xffff);
  EXPECT_EQ(bench.out()[1] >> 16, 0u) << "the upper half of 4";
  EXPECT_EQ(bench.out()[4] & 0xffff, 1u) << "element 4 is lane 1's first";
}

} // namespace
} // namespace cts::emulator::testing
