// cdna-cts layout, as a user meets it.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

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
             "lane 18: B[80..95][2] in v4[7:0] to v7[31:24]", "lane 18: D[4..7][2] in v0 v1 v2 v3",
             "lane 18: ScaleA[0][2][1] in v0[7:0]", "lane 18: ScaleA[1][2][1] in v0[15:8]",
             "lane 18: ScaleA[2][2][1] in v0[23:16]", "lane 18: ScaleA[3][2][1] in v0[31:24]",
             "lane 18: ScaleB[0][1][2] in v0[7:0]", "lane 18: ScaleB[1][1][2] in v0[15:8]",
             "lane 18: ScaleB[2][1][2] in v0[23:16]", "lane 18: ScaleB[3][1][2] in v0[31:24]"}));
  EXPECT_EQ(lines_with(text, "cycles"), (Lines{"  gfx950 32 cycles; only on gfx950"}));
}

TEST(LayoutCommand, Scales) {
  const std::string text =
      output({"v_mfma_f32_16x16x128_f8f6f4", "--lane", "18", "--opsel-a", "2", "--opsel-b", "1"});
  EXPECT_EQ(lines_with(text, "lane 18: Scale"),
            (Lines{"lane 18: ScaleA[2][2][1] in v0[23:16]", "lane 18: ScaleB[1][1][2] in v0[15:8]"}));
  EXPECT_EQ(lines_with(output({"v_mfma_scale_f32_32x32x64_f8f6f4", "--operand", "scale_b", "--element",
                               "1,31", "--opsel-b", "3"}),
                       "item"),
            (Lines{"ScaleB[3][1][31]: lane 63 item 3 in v0[31:24], scales B[32..63][31]"}));
  EXPECT_EQ(lines_with(output({"v_mfma_f32_32x32x64_f8f6f4", "--operand", "scale_a", "--element", "2,5,1"}),
                       "item"),
            (Lines{"ScaleA[2][5][1]: lane 37 item 2 in v0[23:16], scales A[5][32..63]"}));
}

TEST(LayoutCommand, Sparse) {
  EXPECT_EQ(lines_with(output({"v_smfmac_f32_16x16x64_fp8_fp8", "--lane", "37", "--abid", "1"}), "lane 37"),
            (Lines{"lane 37: Ac[5][16..23] in v0[7:0] to v1[31:24]",
                   "lane 37: B[32..47][5] in v0[7:0] to v3[31:24]", "lane 37: D[8..11][5] in v0 v1 v2 v3",
                   "lane 37: Index[1][5][16..23] in v0[17:16] to v0[31:30]"}));
  EXPECT_EQ(lines_with(output({"v_smfmac_f32_16x16x64_f16", "--element", "6,2", "--abid", "1"}), "item"),
            (Lines{"Ac[6][2]: lane 6 item 2 in v1.lo, one of A[6][4..7]", "B[6][2]: lane 2 item 6 in v3.lo",
                   "D[6][2]: lane 18 item 2 in v2",
                   "Index[1][6][2]: lane 6 item 10 in v0[21:20], k % 4 of Ac[6][2]"}));
  const auto sets = [](const std::vector<std::string>& arguments) {
    return lines_with(output(arguments), "sets of");
  };
  EXPECT_EQ(sets({"v_smfmac_f32_32x32x16_bf16", "--lane", "0", "--abid", "3"}),
            (Lines{"  index: 4 sets of 8 bits in 1 VGPR; CBSZ 0 and ABID 3 read set 3"}));
  EXPECT_EQ(sets({"v_smfmac_f32_32x32x16_bf16", "--lane", "0", "--abid", "3", "--cbsz", "1"}),
            (Lines{"  index: 4 sets of 8 bits in 1 VGPR; CBSZ 1 and ABID 3 read set 0"}));
  EXPECT_EQ(lines_with(output({"v_smfmac_i32_16x16x128_i8", "--operand", "index", "--lane", "0"}), "lane 0"),
            (Lines{"lane 0: Index[0][0..15] in v0[1:0] to v0[31:30]"}));
  const std::string table = output({"v_smfmac_i32_16x16x64_i8", "--operand", "index", "--abid", "1"});
  EXPECT_EQ(lines_with(table, "v0[").size(), 8u) << table;
  EXPECT_EQ(
      lines_with(table, "v0[31:30]"),
      (Lines{
          "v0[31:30]  Index[1][0..15][7]   Index[1][0..15][15]  Index[1][0..15][23]  Index[1][0..15][31]"}));
}

TEST(LayoutCommand, ElementOfABit) {
  EXPECT_EQ(lines_with(output({"v_smfmac_f32_16x16x32_f16", "--at", "18,0,9"}), "item"),
            (Lines{"Ac[2][4]: lane 18 item 0 in v0.lo, one of A[2][8..11]",
                   "B[8][2]: lane 18 item 0 in v0.lo", "D[4][2]: lane 18 item 0 in v0",
                   "Index[1][2][4]: lane 18 item 4 in v0[9:8], k % 4 of Ac[2][4]"}));
  EXPECT_EQ(lines_with(output({"v_mfma_f32_16x16x128_f8f6f4", "--cbsz", "2", "--at", "7,1,3"}), "item"),
            (Lines{"A[7][5]: lane 7 item 5 in v0[31:30]+v1[3:0]", "B[4][7]: lane 7 item 4 in v1[7:0]",
                   "D[1][7]: lane 7 item 1 in v1"}));
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
  EXPECT_EQ(json.at("subject"), "v_mfma_f32_16x16x16_f16");
  EXPECT_EQ(json.at("target"), "gfx942");
  EXPECT_EQ(json.at("kind"), "dense");
  EXPECT_EQ(
      (std::vector<int>{json.at("m"), json.at("n"), json.at("k"), json.at("blocks"), json.at("cycles")}),
      (std::vector<int>{16, 16, 16, 1, 16}));
  for (const auto& [name, vgprs, bits] : std::initializer_list<std::tuple<const char*, int, int>>{
           {"a", 2, 16}, {"b", 2, 16}, {"c", 4, 32}, {"d", 4, 32}}) {
    const auto& grid = json.at("grids").at(name);
    EXPECT_EQ(grid.at("vgprs"), vgprs) << name;
    EXPECT_EQ(grid.at("bits"), bits) << name;
    EXPECT_EQ(grid.at("elements").size(), 256u) << name;
  }
  const auto& a = json.at("grids").at("a");
  EXPECT_EQ(a.at("places"), nlohmann::json::parse(R"(["v0.lo","v0.hi","v1.lo","v1.hi"])"));
  EXPECT_EQ(a.at("fields"), nlohmann::json::parse(R"(["block","row","col","lane","item","vgpr","low_bit"])"));
  EXPECT_EQ(a.at("elements").at(2 * 16 + 7), nlohmann::json::parse("[0,2,7,18,3,1,16]"));
}

TEST(LayoutCommand, JsonOfIndexAndScales) {
  const auto sparse = nlohmann::json::parse(
      output({"v_smfmac_f32_16x16x32_f16", "--format", "json", "--cbsz", "0", "--abid", "2"}));
  EXPECT_EQ(sparse.at("index"), nlohmann::json::parse(R"({"sets":4,"bits_of_set":8,"set_read":2})"));
  EXPECT_EQ(sparse.at("grids").size(), 4u) << "a, b, d, index";
  const auto& index = sparse.at("grids").at("index");
  EXPECT_EQ(index.at("block_is"), "set");
  EXPECT_EQ(index.at("elements").size(), 256u) << "of one set";
  EXPECT_EQ(index.at("elements").at(2 * 16 + 7), nlohmann::json::parse("[2,2,7,18,11,0,22]"));
  EXPECT_EQ(sparse.at("grids").at("a").at("fields").back(), "index_low_bit");
  EXPECT_EQ(sparse.at("grids").at("a").at("elements").at(2 * 16 + 7),
            nlohmann::json::parse("[0,2,7,18,3,1,16,22]"))
      << "the position of Ac[2][7] is at bit 22 of the index register";
  const auto scaled =
      nlohmann::json::parse(output({"v_mfma_f32_32x32x64_f8f6f4", "--format", "json", "--opsel-b", "3"}));
  EXPECT_EQ(scaled.at("scale"),
            nlohmann::json::parse(R"({"k_of_block":32,"byte_read_a":0,"byte_read_b":3})"));
  EXPECT_EQ(scaled.at("grids").at("scale_a").at("elements").size(), 256u) << "of four bytes";
  EXPECT_EQ(scaled.at("grids").at("scale_b").at("type"), "e8m0");
  EXPECT_EQ(scaled.at("grids").at("b").at("fields"),
            nlohmann::json::parse(
                R"(["block","row","col","lane","item","vgpr","low_bit","scale_lane","scale_low_bit"])"));
  EXPECT_EQ(scaled.at("grids").at("b").at("elements").at(40 * 32 + 5),
            nlohmann::json::parse("[0,40,5,5,24,6,0,37,24]"))
      << "B[40][5] is scaled by byte 3 of lane 37";
}

TEST(LayoutCommand, Csv) {
  EXPECT_EQ(
      output({"v_smfmac_f32_16x16x32_f16", "--element", "2,3,4", "--operand", "index", "--format", "csv"}),
      "grid,bits,place,block,row,col,lane,item,vgpr,low_bit\nindex,2,v0[17:16],2,3,4,19,8,0,16\n");
  EXPECT_EQ(output({"v_mfma_f32_16x16x16_f16", "--element", "6,2", "--operand", "d", "--format", "csv"}),
            "grid,bits,place,block,row,col,lane,item,vgpr,low_bit\nd,32,v2,0,6,2,18,2,2,0\n");
  EXPECT_EQ(output({"v_mfma_f32_16x16x4_f32", "--element", "0,2", "--operand", "b", "--blgp", "3", "--format",
                    "csv"}),
            "grid,bits,place,block,row,col,lane,item,vgpr,low_bit,source_lane\nb,32,v0,0,0,2,2,0,0,0,18\n");
  EXPECT_EQ(output({"v_smfmac_f32_16x16x32_f16", "--element", "0,0", "--format", "csv"}),
            "grid,bits,place,block,row,col,lane,item,vgpr,low_bit,index_low_bit\n"
            "a,16,v0.lo,0,0,0,0,0,0,0,0\nb,16,v0.lo,0,0,0,0,0,0,0,\nd,32,v0,0,0,0,0,0,0,0,\n"
            "index,2,v0[1:0],0,0,0,0,0,0,0,\n");
}

TEST(LayoutCommand, Svg) {
  const std::string all = output({"v_mfma_f32_16x16x16_f16", "--format", "svg"});
  EXPECT_EQ(all.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0u);
  EXPECT_EQ(all.substr(all.size() - 7), "</svg>\n");
  EXPECT_EQ(lines_with(all, "<g>").size(), 3u * 256) << "cells of A, B and D";
  EXPECT_EQ(lines_with(all, ">18.2<").size(), 3u) << "item 2 of lane 18";
  EXPECT_EQ(lines_with(all, "opacity").size(), 0u);
  const std::string one =
      output({"v_mfma_f32_16x16x16_f16", "--operand", "d", "--lane", "18", "--format", "svg"});
  EXPECT_EQ(lines_with(one, "opacity").size(), 252u) << "cells of other lanes";
  const std::string sparse = output({"v_smfmac_f32_16x16x32_f16", "--lane", "18", "--format", "svg"});
  EXPECT_EQ(lines_with(sparse, "<g").size(), 256u + 512 + 256 + 4 * 256) << "cells of Ac, B, D and four sets";
  EXPECT_EQ(lines_with(sparse, "opacity").size(), 2048u - 4 - 8 - 4 - 16) << "cells of other lanes";
  EXPECT_EQ(lines_with(sparse, ">Index set 3: 16 x 16 2 bits<").size(), 1u);
  const std::string scale =
      output({"v_mfma_f32_16x16x128_f8f6f4", "--operand", "scale_a", "--opsel-a", "2", "--format", "svg"});
  EXPECT_EQ(lines_with(scale, "<title>ScaleA").size(), 64u) << "cells of one byte";
  EXPECT_EQ(lines_with(scale, ">63.2<").size(), 1u) << "byte 2 of lane 63";
}

// Two readings of CBSZ 1, ABID 1 with 16 blocks: the formula reads blocks 8 to 15 twice, the field table the
// odd ones.
TEST(LayoutCommand, BothReadingsOfABroadcast) {
  const auto source = [](const std::string& element, const std::string& reading) {
    return lines_with(output({"v_mfma_f32_4x4x4_16b_f16", "--operand", "a", "--cbsz", "1", "--abid", "1",
                              "--element", element, "--reading", reading}),
                      "item");
  };
  EXPECT_EQ(source("0,3,0", "lanes"), (Lines{"A[0][3][0]: lane 3 item 0 in v0.lo, read from lane 35"}));
  EXPECT_EQ(source("0,3,0", "blocks"), (Lines{"A[0][3][0]: lane 3 item 0 in v0.lo, read from lane 7"}));
  const auto json = nlohmann::json::parse(output(
      {"v_mfma_f32_4x4x4_16b_f16", "--cbsz", "1", "--abid", "1", "--reading", "blocks", "--format", "json"}));
  EXPECT_EQ(json.at("modifiers").at("reading"), "blocks");
  EXPECT_EQ(json.at("notes").size(), 1u);
}

TEST(LayoutCommand, NegationOfF64) {
  EXPECT_EQ(lines_with(output({"v_mfma_f64_16x16x4_f64", "--lane", "0", "--blgp", "5"}), "BLGP"),
            (Lines{"  CBSZ and ABID are ignored; BLGP 5 negates A, C"}));
}

TEST(LayoutCommand, List) {
  const std::string all = output({"--list"});
  EXPECT_EQ(std::ranges::count(all, '\n'), 82) << "70 matrix instructions and 12 others";
  EXPECT_EQ(lines_with(all, "lds-banks"),
            (Lines{"lds-banks                          lds banks      gfx942 gfx950"}));
  EXPECT_EQ(std::ranges::count(output({"--list", "--target", "gfx942"}), '\n'), 46 + 6);
  const auto json = nlohmann::json::parse(output({"--list", "--format", "json"}));
  EXPECT_EQ(json.at(0),
            nlohmann::json::parse(
                R"({"subject":"v_mfma_f32_32x32x1_2b_f32","kind":"dense","targets":["gfx942","gfx950"]})"));
}

TEST(LayoutCommand, LdsSubjects) {
  EXPECT_EQ(lines_with(output({"global_load_lds_dwordx3", "--lane", "5", "--m0", "256"}), "LDS["),
            (Lines{"LDS[1][4]: lane 5, item 0, memory bytes 0..3, lds byte 336",
                   "LDS[1][5]: lane 5, item 1, memory bytes 4..7, lds byte 340",
                   "LDS[1][6]: lane 5, item 2, memory bytes 8..11, lds byte 344"}));
  EXPECT_EQ(lines_with(output({"ds_read_b64_tr_b16", "--at", "21,1,3"}), "Result["),
            (Lines{"Result[1][2][5]: lane 21, item 2, v1.lo, read lane 25, read item 1"}));
  EXPECT_EQ(
      lines_with(output({"lds-banks", "--stride", "8", "--bytes", "8"}), "at most"),
      (Lines{"  64 lanes touch at most 4 different dwords of a bank; which lanes are served together is not "
             "documented, so this is no time"}));
}

TEST(LayoutCommand, OutputFile) {
  const TemporaryFolder folder("layout");
  const std::string file = (folder.path() / "picture.svg").string();
  EXPECT_EQ(output({"ds_read_b64_tr_b4", "--format", "svg", "-o", file}), "");
  EXPECT_EQ(read_file(file), output({"ds_read_b64_tr_b4", "--format", "svg"}));
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
      {{"v_smfmac_f32_16x16x33_f16"}, "nearest: v_smfmac_f32_16x16x32_f16"},
      {{"v_smfmac_f32_16x16x64_f16", "--target", "gfx942"}, "nearest there: v_smfmac_f32_16x16x32_f16"},
      {{"v_smfmac_f32_16x16x32_f16", "--operand", "c"}, "expected a, b, d, index or all"},
      {{"v_smfmac_f32_16x16x32_f16", "--abid", "16"}, "ABID 16: expected 0 to 15"},
      {{"v_smfmac_f32_16x16x64_fp8_fp8", "--abid", "9"},
       "ABID 9: v_smfmac_f32_16x16x64_fp8_fp8 has 2 index sets: expected 0 to 1"},
      {{"v_smfmac_f32_16x16x32_f16", "--abid", "4"}, "has 4 index sets: expected 0 to 3"},
      {{"v_smfmac_i32_16x16x128_i8", "--abid", "1"}, "has 1 index set: expected 0"},
      {{"v_mfma_f32_16x16x128_f8f6f4", "--abid", "2"}, "has 1 with scales, 0 without"},
      {{"v_smfmac_f32_16x16x32_f16", "--blgp", "1"}, "has no such field"},
      {{"v_smfmac_f32_16x16x32_f16", "--opsel-a", "1"}, "has no scales"},
      {{"v_mfma_f32_16x16x128_f8f6f4", "--opsel-b", "4"}, "--opsel-b 4: expected 0 to 3"},
      {{"v_mfma_f32_16x16x16_f16", "--operand", "index"}, "expected a, b, c, d or all"},
      {{"v_mfma_f32_16x16x16_f16", "--at", "18,0"}, "expected LANE,VGPR,BIT"},
      {{"v_mfma_f32_16x16x16_f16", "--at", "18,4,0"},
       "no operand of v_mfma_f32_16x16x16_f16 has an item there"},
      {{"v_mfma_f32_16x16x16_f16", "--at", "64,0,0"}, "lanes are 0 to 63"},
      {{}, "name an instruction; cdna-cts layout --list"},
      {{"global_load_lds_dwordx5"}, "nearest: global_load_lds_dwordx3, global_load_lds_dwordx4"},
      {{"16x16x32_f16"}, "nearest: v_mfma_f32_16x16x32_f16"},
      {{"lds-banks", "--target", "gfx90a"}, "expected gfx942 or gfx950"},
      {{"lds-banks", "--cbsz", "1"}, "--cbsz: lds-banks has no such option"},
      {{"v_mfma_f32_16x16x16_f16", "--m0", "1"}, "--m0: v_mfma_f32_16x16x16_f16 has no such option"},
      {{"v_mfma_f32_16x16x16_f16", "--stride", "1"}, "--stride: v_mfma_f32_16x16x16_f16 has no such option"},
      {{"v_mfma_f32_16x16x16_f16", "--reading", "rows"}, "--reading 'rows': expected lanes or blocks"},
      {{"v_mfma_f32_16x16x16_f16", "-o", "/dev/null/x"}, "/dev/null"},
      {{"--list", "v_mfma_f32_16x16x16_f16"}, "--list lists all subjects"},
      {{"--list", "--format", "svg"}, "--list --format 'svg': expected text or json"},
      {{"--list", "--target", "gfx90a"}, "expected gfx942 or gfx950"}};
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
