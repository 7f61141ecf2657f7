// Races in LDS between the waves of a workgroup: which pairs of accesses are ordered, and what is reported of
// those that are not.
#include "tests/emulator/support/assembled.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace cts::emulator::testing {
namespace {

/// v1 is the same address in both waves, 4 * (lane); v3 is defined.
constexpr const char* same_place = "v_and_b32 v1, 0xff, v126\nv_mov_b32 v3, v0\n";
constexpr const char* wait = "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n";

struct Row {
  const char* name;
  std::string body;
  const char *producer = "", *use = ""; ///< parts of the two lines, empty where nothing is to be reported
  unsigned threads = 128;
};

const std::string p = same_place;

const std::vector<Row> rows{
    {"two_writes", p + "ds_write_b32 v1, v3", "ds_write_b32", "ds_write_b32"},
    {"two_writes_of_one_value", "v_mov_b32 v1, 0\nv_mov_b32 v3, 5\nds_write_b32 v1, v3"},
    {"two_values_by_both_waves", // the second wave goes back to the first value
     "v_mov_b32 v1, 0\nv_mov_b32 v3, 5\nds_write_b32 v1, v3\nv_add_u32 v3, 1, v3\nds_write_b32 v1, v3",
     "ds_write_b32", "ds_write_b32"},
    {"one_wave_alone", p + "ds_write_b32 v1, v3\nds_write_b32 v1, v3", "", "", 64},
    {"own_places", "ds_write_b32 v126, v0\nds_read_b32 v3, v126"},
    {"write_then_read",
     p + "v_mov_b32 v2, v126\nds_write_b32 v2, v3\ns_waitcnt lgkmcnt(0)\nv_xor_b32 v2, 0x100, v2\n"
         "ds_read_b32 v4, v2",
     "ds_", "ds_"},
    {"reads_after_a_barrier", "ds_write_b32 v126, v0" + std::string(wait) +
                                  "s_barrier\nv_xor_b32 v2, 0x100, v126\n"
                                  "ds_read_b32 v4, v2"},
    {"write_ends_after_the_barrier",
     "ds_write_b32 v126, v0\ns_barrier\nv_xor_b32 v2, 0x100, v126\nds_read_b32 v4, v2", "ds_", "ds_"},
    {"read_ends_after_the_barrier", // wave 0 reads, wave 1 then writes the same place
     p + "v_readfirstlane_b32 s8, v0\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 .Lread\ns_barrier\nds_write_b32 v1, "
         "v3\n"
         "s_branch .Ljoin\n.Lread:\nds_read_b32 v4, v1\ns_barrier\ns_waitcnt lgkmcnt(0)\n.Ljoin:",
     "ds_", "ds_"},
    {"other_bytes_of_a_dword", "v_and_b32 v1, 0xff, v126\nv_lshrrev_b32 v2, 6, v0\nv_add_u32 v1, v1, v2\n"
                               "ds_write_b8 v1, v0"},
    {"the_same_byte", p + "ds_write_b8 v1, v3", "ds_write_b8", "ds_write_b8"},
    {"atomics", "v_mov_b32 v1, 0\nv_mov_b32 v3, 1\nds_add_u32 v1, v3"},
    {"atomic_and_read",
     "v_mov_b32 v1, 0\nv_mov_b32 v3, 1\nds_add_u32 v1, v3\ns_waitcnt lgkmcnt(0)\nds_read_b32 v4, v1", "ds_",
     "ds_"},
    {"flat_store",
     p + "s_mov_b64 s[8:9], src_shared_base\nv_mov_b32 v8, v1\nv_mov_b32 v9, s9\nflat_store_dword v[8:9], v0",
     "flat_store_dword", "flat_store_dword"},
    {"dma_to_one_place", "s_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dword v126, s[4:5]",
     "global_load_lds_dword", "global_load_lds_dword"},
    {"second_barrier_orders_too", "ds_write_b32 v126, v0" + std::string(wait) +
                                      "s_barrier\ns_barrier\nv_xor_b32 v2, 0x100, v126\nds_write_b32 v2, v0"},
};

class LdsRace : public ::testing::TestWithParam<Target> {};

INSTANTIATE_TEST_SUITE_P(Targets, LdsRace, ::testing::Values(Target::gfx942, Target::gfx950),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(LdsRace, IsReportedWithBothSites) {
  std::vector<AssembledKernel> kernels;
  for (const Row& row : rows) kernels.push_back({row.name, row.body, 1024});
  Bench bench(GetParam(), kernels);
  std::iota(bench.in(), bench.in() + 4096, 1000u);
  for (const Row& row : rows) {
    const LaunchReport report = bench.run(row.name, row.threads);
    EXPECT_FALSE(report.stop) << row.name << ": " << report.stop->line;
    std::vector<Violation> races;
    std::string all;
    for (const Violation& found : report.violations) {
      if (found.rule == "lds-race") races.push_back(found);
      all += fmt::format("\n  {} lane {} '{}' <- '{}' {}", found.rule, found.lane, found.text,
                         found.producer_text, found.detail);
    }
    EXPECT_EQ(races.empty(), *row.use == '\0') << row.name << all;
    for (const Violation& race : races) {
      EXPECT_NE(race.text.find(row.use), std::string::npos) << row.name << all;
      EXPECT_NE(race.producer_text.find(row.producer), std::string::npos) << row.name << all;
      EXPECT_GE(race.lane, 0) << row.name << all;
      EXPECT_NE(race.detail.find("wave 0"), std::string::npos) << row.name << all;
      EXPECT_NE(race.detail.find("wave 1"), std::string::npos) << row.name << all;
    }
  }
}

/// Workgroups do not race with each other: each has its own LDS, and what one leaves behind is forgotten.
TEST(LdsRaces, AWorkgroupDoesNotMeetThePreviousOne) {
  Bench bench(Target::gfx942, {{"k",
                                "v_readfirstlane_b32 s8, v0\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc0 .Lend\n"
                                "v_mov_b32 v1, 0\nds_write_b32 v1, v0\n.Lend:",
                                256}});
  for (const Violation& found : bench.run("k", 128, 64).violations)
    ADD_FAILURE() << found.rule << " at " << found.text << ": " << found.detail;
}

} // namespace
} // namespace cts::emulator::testing
