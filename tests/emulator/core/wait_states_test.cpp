// Wait states: for each row of the ISA's tables, a producer and a consumer with n s_nops between. The
// emulator must report the rule for every n below the number that the row states and for none from it on; too
// early must show in the data.
//
//     producer        v_mfma … v[0:3]
//     s_nop           n of them
//     consumer        v_mov_b32 v40, v0     <- n < needed: poison and a violation; n >= needed: D
#include "tests/emulator/support/assembled.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

struct Row {
  const char* name;
  const char* producer;
  const char* consumer;
  unsigned needed942, needed950; ///< CDNA3 ISA 7.5 and CDNA4 ISA 7.6
  const char* rule;
};

constexpr const char* xdl2 = "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[32:33], v[34:35], v[0:3]";
constexpr const char* xdl4 = "v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[0:3]";
constexpr const char* xdl8 = "v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[34:35], v[0:15]";
constexpr const char* xdl16 = "v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[34:35], v[0:31]";
constexpr const char* sgemm2 = "v_mfma_f32_4x4x1_16b_f32 v[0:3], v32, v34, v[0:3]";
constexpr const char* sgemm8 = "v_mfma_f32_16x16x4_f32 v[0:3], v32, v34, v[0:3]";
constexpr const char* sgemm16 = "v_mfma_f32_32x32x2_f32 v[0:15], v32, v34, v[0:15]";
constexpr const char* dgemm16 = "v_mfma_f64_16x16x4_f64 v[0:7], v[32:33], v[34:35], v[0:7]";
constexpr const char* dgemm4 = "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[32:33], v[34:35], v[0:1]";

constexpr const char* valu_read = "v_mov_b32_e32 v40, v0";
constexpr const char* valu_write = "v_mov_b32_e32 v0, v50";
constexpr const char* memory_read = "global_store_dword v126, v0, s[6:7]";
constexpr const char* xdl_c =
    "v_mfma_f32_16x16x16_f16 v[40:43], v[36:37], v[38:39], v[0:3]"; // starts at D, another D of its own
constexpr const char* xdl_c_part = "v_mfma_f32_16x16x16_f16 v[40:43], v[36:37], v[38:39], v[2:5]";
constexpr const char* sgemm_c_part = "v_mfma_f32_16x16x4_f32 v[40:43], v36, v38, v[2:5]";
constexpr const char* xdl_a = "v_mfma_f32_16x16x16_f16 v[40:43], v[0:1], v[38:39], v[44:47]";
constexpr const char* dgemm_c_part = "v_mfma_f64_16x16x4_f64 v[40:47], v[36:37], v[38:39], v[2:9]";

constexpr const char* dot = "v_dot2c_f32_f16_e32 v0, v32, v34";
constexpr const char* load = "global_load_dword v0, v126, s[4:5]";
constexpr const char* wide_store =
    "global_store_dwordx4 v126, v[0:3], s[6:7]"; // lanes overlap, which harms nobody

constexpr Row rows[] = {
    {"Xdl2_SameC", xdl2, xdl2, 2, 2, "mfma-d-to-same-c"},
    {"Xdl4_SameC", xdl4, xdl_c, 0, 0, "mfma-d-to-same-c"},
    {"Xdl2_OverlappingC", xdl2, xdl_c_part, 3, 4, "mfma-d-to-overlapping-c"},
    {"Xdl4_OverlappingC", xdl4, xdl_c_part, 5, 6, "mfma-d-to-overlapping-c"},
    {"Xdl8_OverlappingC", xdl8, xdl_c_part, 9, 10, "mfma-d-to-overlapping-c"},
    {"Xdl16_OverlappingC", xdl16, xdl_c_part, 17, 18, "mfma-d-to-overlapping-c"},
    {"Xdl8_SameStartOtherPasses", xdl8, xdl_c, 9, 10, "mfma-d-to-overlapping-c"},
    {"Xdl2_OverlappingCOfSgemm", xdl2, sgemm_c_part, 3, 3, "mfma-d-to-overlapping-c"},
    {"Xdl4_OverlappingCOfSgemm", xdl4, sgemm_c_part, 5, 6, "mfma-d-to-overlapping-c"},
    {"Xdl2_A", xdl2, xdl_a, 5, 5, "mfma-d-to-ab"},
    {"Xdl4_A", xdl4, xdl_a, 7, 8, "mfma-d-to-ab"},
    {"Xdl8_A", xdl8, xdl_a, 11, 12, "mfma-d-to-ab"},
    {"Xdl16_A", xdl16, xdl_a, 19, 20, "mfma-d-to-ab"},
    {"Xdl2_ValuRead", xdl2, valu_read, 5, 5, "mfma-d-to-valu-read"},
    {"Xdl4_ValuRead", xdl4, valu_read, 7, 8, "mfma-d-to-valu-read"},
    {"Xdl8_ValuRead", xdl8, valu_read, 11, 12, "mfma-d-to-valu-read"},
    {"Xdl16_ValuRead", xdl16, valu_read, 19, 20, "mfma-d-to-valu-read"},
    {"Xdl4_MemoryRead", xdl4, memory_read, 7, 8, "mfma-d-to-memory-read"},
    {"Xdl4_ValuWrite", xdl4, valu_write, 7, 8, "mfma-d-to-valu-write"},
    {"Sgemm2_SameC", sgemm2, sgemm2, 2, 2, "mfma-d-to-same-c"},
    {"Sgemm8_SameC", sgemm8, sgemm8, 0, 0, "mfma-d-to-same-c"},
    {"Sgemm8_OverlappingCOfXdl", sgemm8, xdl_c_part, 8, 0, "mfma-d-to-overlapping-c"},
    {"Sgemm8_OverlappingC", sgemm8, sgemm_c_part, 8, 8, "mfma-d-to-overlapping-c"},
    {"Sgemm16_A", sgemm16, xdl_a, 18, 18, "mfma-d-to-ab"},
    {"Sgemm8_ValuRead", sgemm8, valu_read, 10, 10, "mfma-d-to-valu-read"},
    {"Dgemm16_OverlappingC", dgemm16, dgemm_c_part, 9, 17, "mfma-d-to-overlapping-c"},
    {"Dgemm16_A", dgemm16, xdl_a, 11, 19, "mfma-d-to-ab"},
    {"Dgemm16_ValuRead", dgemm16, valu_read, 11, 19, "mfma-d-to-valu-read"},
    {"Dgemm16_MemoryRead", dgemm16, memory_read, 18, 18, "mfma-d-to-memory-read"},
    {"Dgemm4_SameC", dgemm4, dgemm4, 4, 4, "mfma-d-to-same-c"},
    {"Dgemm4_ValuRead", dgemm4, valu_read, 6, 6, "mfma-d-to-valu-read"},
    {"Dgemm4_MemoryRead", dgemm4, memory_read, 9, 9, "mfma-d-to-memory-read"},
    {"Xdl4_COverwritten", "v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[44:47]",
     "v_mov_b32_e32 v44, v50", 3, 3, "mfma-c-overwritten"},
    {"ValuWrite_Mfma", "v_mov_b32_e32 v32, v50", xdl4, 2, 2, "valu-write-to-mfma"},
    {"CmpxWrite_Mfma", "v_cmpx_eq_u32_e64 exec, v0, v0",
     "v_mfma_f32_16x16x16_f16 v[40:43], v[36:37], v[38:39], v[44:47]", 4, 4, "exec-write-to-mfma"},
    {"Dot_AOfTheSame", dot, "v_dot2c_f32_f16_e32 v40, v0, v38", 3, 3, "dot-result-early"},
    {"Dot_COfTheSame", dot, dot, 0, 0, "dot-result-early"},
    {"Dot_LoadOverwrites", dot, load, 3, 3, "dot-result-overwritten"},
    {"WideStore_LoadOverwrites", wide_store, load, 1, 1, "stored-data-overwritten"},
    {"WideStore_ValuWrite", wide_store, valu_write, 2, 2, "stored-data-overwritten"},
    {"MaskWrite_Vccz", "v_cmp_eq_u32_e32 vcc, v32, v34", "v_mov_b32_e32 v40, src_vccz", 5, 5,
     "valu-mask-to-zero-flag"},
};

constexpr unsigned most_nops = 22;

/// v1..v125 become integers that no product of them turns into poison.
std::string prepare() {
  std::string text;
  for (unsigned r = 1; r < 126; ++r) text += fmt::format("  v_mov_b32_e32 v{}, {}\n", r, r % 60);
  return text + "  s_nop 15\n  s_nop 15\n";
}

class WaitStates : public ::testing::TestWithParam<Target> {};

TEST_P(WaitStates, AreCountedAsTheIsaTableSays) {
  const Target target = GetParam();
  std::vector<AssembledKernel> kernels;
  for (const Row& row : rows)
    for (unsigned n = 0; n <= most_nops; ++n) {
      std::string body = prepare() + "  " + row.producer + "\n";
      for (unsigned i = 0; i < n; ++i) body += "  s_nop 0\n";
      kernels.push_back(
          {fmt::format("{}_{}", row.name, n), body + "  " + row.consumer + "\n  s_nop 15\n  s_nop 15\n"});
    }
  Bench bench(target, kernels);
  for (const Row& row : rows) {
    const unsigned needed = target == Target::gfx942 ? row.needed942 : row.needed950;
    for (unsigned n = 0; n <= most_nops; ++n) {
      const LaunchReport report = bench.run(fmt::format("{}_{}", row.name, n));
      ASSERT_FALSE(report.stop) << row.name << ": " << report.stop->line;
      const auto hit = std::find_if(report.violations.begin(), report.violations.end(),
                                    [&](const Violation& v) { return v.rule == row.rule; });
      EXPECT_EQ(hit != report.violations.end(), n < needed)
          << row.name << " on " << name(target) << " with " << n << " wait states, the table needs "
          << needed;
      if (hit == report.violations.end()) continue;
      EXPECT_EQ(hit->needed, needed) << row.name;
      EXPECT_EQ(hit->have, n) << row.name;
    }
  }
}

TEST_P(WaitStates, OneNopInstructionCountsItsOperandPlusOne) {
  const Target target = GetParam();
  const unsigned needed = target == Target::gfx942 ? 7 : 8;
  const auto body = [&](unsigned wait) {
    return prepare() + "  " + xdl4 + fmt::format("\n  s_nop {}\n", wait - 1) + "  " + valu_read +
           "\n  s_nop 15\n  global_store_dword v126, v40, s[6:7]\n";
  };
  Bench bench(target, {{"enough", body(needed)}, {"short", body(needed - 1)}});
  EXPECT_TRUE(bench.run("enough").violations.empty());
  EXPECT_NE(bench.out()[0], poison);
  const LaunchReport report = bench.run("short");
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].rule, "mfma-d-to-valu-read");
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(bench.out()[lane], poison) << "lane " << lane << " must read poison";
}

TEST_P(WaitStates, AnEarlyWriteAndAnEarlyOverwriteLeavePoison) {
  const std::string settle = "\n  s_nop 15\n  s_nop 15\n  global_store_dword v126, v0, s[6:7]\n";
  Bench bench(
      GetParam(),
      {{"write", prepare() + "  " + xdl4 + "\n  " + valu_write + settle},
       {"overwrite_c",
        prepare() +
            "  v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[44:47]\n  v_mov_b32_e32 v44, v50" +
            settle}});
  for (const auto& [kernel, rule] :
       {std::pair{"write", "mfma-d-to-valu-write"}, {"overwrite_c", "mfma-c-overwritten"}}) {
    const LaunchReport report = bench.run(kernel);
    EXPECT_TRUE(std::any_of(report.violations.begin(), report.violations.end(),
                            [rule = rule](const Violation& v) { return v.rule == rule; }))
        << kernel << ": no violation of " << rule;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(bench.out()[lane], poison) << kernel << " lane " << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, WaitStates, ::testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

} // namespace
} // namespace cts::emulator::testing
