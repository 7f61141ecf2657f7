// cdna-cts layout, as a user meets it.
#include "common/subprocess.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cts {
namespace {

using namespace std::chrono_literals;

CommandResult layout(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {CDNA_CTS_CLI, "layout"});
  return run_command(arguments, 60s);
}

/// Standard output of a command that must succeed.
std::string output(const std::vector<std::string>& arguments) {
  const CommandResult result = layout(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

std::vector<std::string> lines_with(const std::string& text, std::string_view word) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const std::string line = text.substr(at, end - at); line.find(word) != std::string::npos)
      found.push_back(line);
    at = end + 1;
  }
  return found;
}

using Lines = std::vector<std::string>;

TEST(LayoutCommand, OneLane) {
  EXPECT_EQ(lines_with(output({"v_mfma_f32_16x16x16_f16", "--lane", "18"}), "lane 18"),
            (Lines{"lane 18: A[2][4..7] in v0.lo v0.hi v1.lo v1.hi",
                   "lane 18: B[4..7][2] in v0.lo v0.hi v1.lo v1.hi", "lane 18: D[4..7][2] in v0 v1 v2 v3"}));
  EXPECT_EQ(lines_with(output({"V_MFMA_F32_16X16X32_F16", "--lane", "18", "--operand", "a"}), "lane 18"),
            (Lines{"lane 18: A[2][8..15] in v0.lo v0.hi v1.lo v1.hi v2.lo v2.hi v3.lo v3.hi"}));
  EXPECT_EQ(lines_with(output({"mfma_f64_16x16x4f64", "--lane", "16", "--operand", "d"}), "lane 16"),
            (Lines{"lane 16: D[1][0] in v[0:1]", "lane 16: D[5][0] in v[2:3]", "lane 16: D[9][0] in v[4:5]",
                   "lane 16: D[13][0] in v[6:7]"}));
}

TEST(LayoutCommand, FormatsOfF8F6F4) {
  const std::string text =
      output({"v_mfma_f32_16x16x128_f8f6f4", "--cbsz", "2", "--blgp", "0", "--lane", "18"});
  EXPECT_EQ(
      lines_with(text, "lane 18"),
      (Lines{"lane 18: A[2][32..63] in v0[5:0] to v5[31:26]", "lane 18: B[16..31][2] in v0[7:0] to v3[31:24]",
             "lane 18: B[80..95][2] in v4[7:0] to v7[31:24]", "lane 18: D[4..7][2] in v0 v1 v2 v3"}));
  EXPECT_EQ(lines_with(text, "cycles"), (Lines{"  gfx950 32 cycles; only on gfx950"}));
}

TEST(LayoutCommand, OneElement) {
  EXPECT_EQ(lines_with(output({"v_mfma_f32_16x16x16_f16", "--element", "6,2"}), "item"),
            (Lines{"A[6][2]: lane 6 item 2 in v1.lo", "B[6][2]: lane 18 item 2 in v1.lo",
                   "D[6][2]: lane 18 item 2 in v2"}));
  EXPECT_EQ(lines_with(output({"v_mfma_f32_32x32x1_2b_f32", "--element", "0,5,0", "--operand", "a", "--cbsz",
                               "1", "--abid", "1"}),
                       "item"),
            (Lines{"A[0][5][0]: lane 5 item 0 in v0, read from lane 37"}));
}

TEST(LayoutCommand, Table) {
  const std::string text = output({"v_mfma_f32_32x32x2_f32", "--operand", "d"});
  EXPECT_EQ(lines_with(text, "lanes"), (Lines{"D      lanes 0..31    lanes 32..63"}));
  EXPECT_EQ(lines_with(text, "v4 "), (Lines{"v4     D[8][0..31]    D[12][0..31]"}));
  EXPECT_EQ(lines_with(text, "v15"), (Lines{"v15    D[27][0..31]   D[31][0..31]"}));
}

TEST(LayoutCommand, TargetsAreNamed) {
  EXPECT_EQ(
      lines_with(output({"v_mfma_f64_4x4x4_4b_f64", "--lane", "0"}), "cycles"),
      (Lines{"  gfx942 16 cycles, gfx950 32 cycles; shown for gfx942, the layout is the same on both"}));
  EXPECT_EQ(lines_with(output({"v_mfma_f64_4x4x4_4b_f64", "--lane", "0", "--target", "gfx950"}), "cycles"),
            (Lines{"  gfx942 16 cycles, gfx950 32 cycles; shown for gfx950"}));
  EXPECT_EQ(lines_with(output({"v_mfma_f32_16x16x8_xf32", "--lane", "0"}), "cycles"),
            (Lines{"  gfx942 16 cycles; only on gfx942"}));
}

TEST(LayoutCommand, Json) {
  const auto json = nlohmann::json::parse(output({"v_mfma_f32_16x16x16_f16", "--format", "json"}));
  EXPECT_EQ(json.at("instruction"), "v_mfma_f32_16x16x16_f16");
  EXPECT_EQ(json.at("target"), "gfx942");
  EXPECT_EQ((std::vector<int>{json.at("m"), json.at("n"), json.at("k"), json.at("blocks")}),
            (std::vector<int>{16, 16, 16, 1}));
  for (const auto& [name, vgprs, bits] : std::initializer_list<std::tuple<const char*, int, int>>{
           {"a", 2, 16}, {"b", 2, 16}, {"c", 4, 32}, {"d", 4, 32}}) {
    const auto& operand = json.at("operands").at(name);
    EXPECT_EQ(operand.at("vgprs"), vgprs) << name;
    EXPECT_EQ(operand.at("bits"), bits) << name;
    EXPECT_EQ(operand.at("elements").size(), 256u) << name;
  }
  EXPECT_EQ(json.at("operands").at("a").at("elements").at(2 * 16 + 7),
            nlohmann::json::parse(R"({"block":0,"row":2,"col":7,"lane":18,"item":3,"vgpr":1,"low_bit":16})"));
}

TEST(LayoutCommand, Csv) {
  EXPECT_EQ(output({"v_mfma_f32_16x16x16_f16", "--element", "6,2", "--operand", "d", "--format", "csv"}),
            "operand,block,row,col,lane,item,vgpr,low_bit,bits\nd,0,6,2,18,2,2,0,32\n");
  EXPECT_EQ(output({"v_mfma_f32_16x16x4_f32", "--element", "0,2", "--operand", "b", "--blgp", "3", "--format",
                    "csv"}),
            "operand,block,row,col,lane,item,vgpr,low_bit,bits,source_lane\nb,0,0,2,2,0,0,0,32,18\n");
}

TEST(LayoutCommand, Svg) {
  const std::string all = output({"v_mfma_f32_16x16x16_f16", "--format", "svg"});
  EXPECT_EQ(all.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0u);
  EXPECT_EQ(all.substr(all.size() - 7), "</svg>\n");
  EXPECT_EQ(lines_with(all, "<rect x=").size(), 3u * 256) << "cells of A, B and D";
  EXPECT_EQ(lines_with(all, ">18.2<").size(), 3u) << "item 2 of lane 18";
  EXPECT_EQ(lines_with(all, "opacity").size(), 0u);
  const std::string one =
      output({"v_mfma_f32_16x16x16_f16", "--operand", "d", "--lane", "18", "--format", "svg"});
  EXPECT_EQ(lines_with(one, "opacity").size(), 252u) << "cells of other lanes";
}

TEST(LayoutCommand, ErrorsAreOneLineAndStatus2) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"v_mfma_f32_16x16x17_f16"}, "nearest: v_mfma_f32_16x16x16_f16"},
      {{"v_mfma_f32_16x16x32_f16", "--target", "gfx942"}, "exists on gfx950 only, not on gfx942"},
      {{"v_mfma_f32_16x16x16_f16", "--target", "gfx90a"}, "expected gfx942 or gfx950"},
      {{"v_mfma_f32_16x16x16_f16", "--lane", "64"}, "--lane 64: expected 0 to 63"},
      {{"v_mfma_f32_16x16x16_f16", "--lane", "-1"}, "--lane -1: expected 0 to 63"},
      {{"v_mfma_f32_16x16x16_f16", "--lane", "two"}, "--lane"},
      {{"v_mfma_f32_16x16x16_f16", "--element", "16,0"}, "outside every operand"},
      {{"v_mfma_f32_16x16x16_f16", "--element", "3"}, "expected ROW,COLUMN or BLOCK,ROW,COLUMN"},
      {{"v_mfma_f32_16x16x16_f16", "--element", "1,2,"}, "expected ROW,COLUMN or BLOCK,ROW,COLUMN"},
      {{"v_mfma_f32_16x16x16_f16", "--operand", "q"}, "expected a, b, c, d or all"},
      {{"v_mfma_f32_16x16x16_f16", "--format", "xml"}, "expected text, json, csv or svg"},
      {{"v_mfma_f32_16x16x16_f16", "--cbsz", "1"}, "1 << CBSZ may not exceed 1"},
      {{"v_mfma_f32_16x16x128_f8f6f4", "--cbsz", "5"}, "formats 0 to 4"},
      {{"v_smfmac_f32_16x16x32_f16"}, "sparse"},
      {{}, "INSTRUCTION is required"}};
  for (const auto& [arguments, wanted] : cases) {
    const CommandResult result = layout(arguments);
    EXPECT_EQ(result.status, 2) << wanted;
    EXPECT_EQ(result.out, "") << wanted;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(wanted), std::string::npos) << "expected '" << wanted << "' in: " << result.err;
  }
}

} // namespace
} // namespace cts
