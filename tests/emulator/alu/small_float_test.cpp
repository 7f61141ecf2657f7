// Small formats: every code and thousands of values against tables that ml_dtypes and CUDA made
// (tests/vectors), then the addressing, scaling and stochastic rounding of the instructions by hand.
#include "tests/emulator/support/instruction_bench.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace cts::emulator::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Rows of a CSV file of hexadecimal numbers; "nan" is no number.
std::vector<std::vector<std::string>> rows_of(const std::string& name) {
  std::ifstream file(std::string(CDNA_CTS_VECTORS) + "/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  std::vector<std::vector<std::string>> rows;
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    rows.push_back(cells);
  }
  return rows;
}
u32 hex(const std::string& text) { return static_cast<u32>(std::stoul(text, nullptr, 16)); }

void fill(Wave& w, unsigned r, u32 value) {
  for (unsigned l = 0; l < lanes; ++l) w.vgpr[r][l] = value;
}

struct Decoder {
  const char* file;
  const char* text;
  Target target;
};
const Decoder decoders[] = {
    {"decode_e4m3fnuz.csv", "v_cvt_f32_fp8_e32 v10, v1", Target::gfx942},
    {"decode_e5m2fnuz.csv", "v_cvt_f32_bf8_e32 v10, v1", Target::gfx942},
    {"decode_e4m3fn.csv", "v_cvt_f32_fp8_e32 v10, v1", Target::gfx950},
    {"decode_e5m2.csv", "v_cvt_f32_bf8_e32 v10, v1", Target::gfx950},
    {"decode_e2m1fn.csv", "v_cvt_scalef32_pk_f32_fp4 v[10:11], v1, v2", Target::gfx950},
    {"decode_e2m3fn.csv", "v_cvt_scalef32_pk32_f32_fp6 v[10:41], v[50:55], v2", Target::gfx950},
    {"decode_e3m2fn.csv", "v_cvt_scalef32_pk32_f32_bf6 v[10:41], v[50:55], v2", Target::gfx950},
};

TEST(SmallFloat, EveryCodeDecodes) {
  for (const Decoder& d : decoders) {
    InstructionBench bench(d.target, {d.text});
    Wave& w = bench.wave();
    fill(w, 2, 0x3f800000); // scale 1
    for (const auto& row : rows_of(d.file)) {
      const u32 code = hex(row[0]);
      fill(w, 1, 0xffffff00 | code); // the upper bytes are none of its business
      fill(w, 50, code);             // item 0 of a six-bit string
      bench.run(0);
      const u32 got = w.vgpr[10][5];
      if (row[1] == "nan")
        EXPECT_TRUE(std::isnan(std::bit_cast<float>(got))) << d.text << " of " << row[0];
      else
        EXPECT_EQ(got, hex(row[1])) << d.text << " on " << name(d.target) << " of " << row[0];
    }
  }
}

struct Encoder {
  const char* file;
  const char* text;
  Target target;
  u32 field;
  bool saturates; ///< the table's overflow differs from the instruction's: values beyond the largest are left
                  ///< out
};
const Encoder encoders[] = {
    {"encode_rne_e4m3fnuz.csv", "v_cvt_pk_fp8_f32 v10, v1, v2", Target::gfx942, 255, false},
    {"encode_rne_e5m2fnuz.csv", "v_cvt_pk_bf8_f32 v10, v1, v2", Target::gfx942, 255, false},
    {"encode_rne_e4m3fn.csv", "v_cvt_pk_fp8_f32 v10, v1, v2", Target::gfx950, 255, false},
    {"encode_rne_e5m2.csv", "v_cvt_pk_bf8_f32 v10, v1, v2", Target::gfx950, 255, false},
    {"encode_rne_e2m1fn.csv", "v_cvt_scalef32_pk_fp4_f32 v10, v1, v2, v3", Target::gfx950, 15, true},
    {"encode_rne_e2m3fn.csv", "v_cvt_scalef32_2xpk16_fp6_f32 v[10:15], v[60:75], v[80:95], v3",
     Target::gfx950, 63, true},
    {"encode_rne_e3m2fn.csv", "v_cvt_scalef32_2xpk16_bf6_f32 v[10:15], v[60:75], v[80:95], v3",
     Target::gfx950, 63, true},
};

TEST(SmallFloat, EncodesToNearestEven) {
  for (const Encoder& e : encoders) {
    InstructionBench bench(e.target, {e.text});
    Wave& w = bench.wave();
    fill(w, 3, 0x3f800000);
    const auto rows = rows_of(e.file);
    for (std::size_t at = 0; at < rows.size(); at += lanes) {
      for (unsigned l = 0; l < lanes && at + l < rows.size(); ++l)
        w.vgpr[1][l] = w.vgpr[60][l] = hex(rows[at + l][0]);
      bench.run(0);
      for (unsigned l = 0; l < lanes && at + l < rows.size(); ++l) {
        const auto& row = rows[at + l];
        const float value = std::bit_cast<float>(hex(row[0]));
        if (e.saturates && !std::isfinite(value)) continue; // neither infinity nor NaN exists there
        const u32 got = w.vgpr[10][l] & e.field;
        const bool is_nan_code = row[1] == "nan";
        if (is_nan_code || std::isnan(value)) continue; // checked by SmallFloat.SpecialsAndOverflow
        EXPECT_EQ(got, hex(row[1])) << e.text << " on " << name(e.target) << " of " << row[0];
      }
    }
  }
}

TEST(SmallFloat, AgreesWithCudasConversions) {
  InstructionBench bench(Target::gfx950, {"v_cvt_pk_fp8_f32 v10, v1, v2", "v_cvt_pk_bf8_f32 v11, v1, v2",
                                          "v_cvt_scalef32_pk_fp4_f32 v12, v1, v2, v3"});
  Wave& w = bench.wave();
  fill(w, 3, 0x3f800000);
  const auto rows = rows_of("cuda_h200_encode.csv"); // f32,e4m3 sat,nosat,e5m2 sat,nosat,e2m3,e3m2,e2m1,...
  unsigned checked = 0;
  for (const bool saturate : {false, true}) {
    w.mode = saturate ? hip_mode | mode::fp16_ovfl : hip_mode;
    for (std::size_t at = 0; at + lanes <= rows.size(); at += lanes) {
      for (unsigned l = 0; l < lanes; ++l) w.vgpr[1][l] = hex(rows[at + l][0]);
      for (std::size_t i = 0; i < 3; ++i) bench.run(i);
      for (unsigned l = 0; l < lanes; ++l) {
        const auto& row = rows[at + l];
        const float value = std::bit_cast<float>(hex(row[0]));
        if (std::isnan(value)) continue;
        ++checked;
        ASSERT_EQ(w.vgpr[10][l] & 255, hex(row[saturate ? 1 : 2]))
            << "fp8 of " << row[0] << (saturate ? ", saturating" : "");
        ASSERT_EQ(w.vgpr[11][l] & 255, hex(row[saturate ? 3 : 4]))
            << "bf8 of " << row[0] << (saturate ? ", saturating" : "");
        ASSERT_EQ(w.vgpr[12][l] & 15, hex(row[7])) << "fp4 of " << row[0];
      }
    }
  }
  RecordProperty("values", static_cast<int>(checked));
  EXPECT_GT(checked, 1000u);
}

TEST(SmallFloat, SpecialsAndOverflow) {
  struct Case {
    const char* text;
    Target target;
    u32 value;
    u32 plain, saturating;
  };
  const char* fp8 = "v_cvt_pk_fp8_f32 v10, v1, v2";
  const char* bf8 = "v_cvt_pk_bf8_f32 v10, v1, v2";
  const Case cases[] = {
      {fp8, Target::gfx942, 0x7f800000, 0x80, 0x7f}, {fp8, Target::gfx942, 0xff800000, 0x80, 0xff},
      {fp8, Target::gfx942, 0x7fc00000, 0x80, 0x80}, {fp8, Target::gfx942, 0x43700000, 0x7f, 0x7f},
      {fp8, Target::gfx942, 0x43800000, 0x80, 0x7f}, {fp8, Target::gfx942, 0x80000000, 0x00, 0x00},
      {fp8, Target::gfx942, 0x90000000, 0x00, 0x00}, {bf8, Target::gfx942, 0x7f800000, 0x80, 0x7f},
      {bf8, Target::gfx942, 0x80000000, 0x00, 0x00}, {fp8, Target::gfx950, 0x7f800000, 0x7f, 0x7e},
      {fp8, Target::gfx950, 0xff800000, 0xff, 0xfe}, {fp8, Target::gfx950, 0x43e00000, 0x7e, 0x7e},
      {fp8, Target::gfx950, 0x43e80000, 0x7e, 0x7e}, {fp8, Target::gfx950, 0x43e80001, 0x7f, 0x7e},
      {fp8, Target::gfx950, 0x80000000, 0x80, 0x80}, {bf8, Target::gfx950, 0x7f800000, 0x7c, 0x7b},
      {bf8, Target::gfx950, 0xff800000, 0xfc, 0xfb}, {bf8, Target::gfx950, 0x47800000, 0x7c, 0x7b},
  };
  for (const Case& c : cases) {
    InstructionBench bench(c.target, {c.text});
    Wave& w = bench.wave();
    fill(w, 1, c.value);
    bench.run(0);
    EXPECT_EQ(w.vgpr[10][0] & 255, c.plain)
        << c.text << " on " << name(c.target) << fmt::format(" of {:08x}", c.value);
    w.mode |= mode::fp16_ovfl;
    bench.run(0);
    EXPECT_EQ(w.vgpr[10][0] & 255, c.saturating)
        << c.text << " on " << name(c.target) << fmt::format(" of {:08x}, FP16_OVFL", c.value);
  }
}

/// Instruction, inputs v1 to v3 and the old v10; the result of lane 0 in v10, and v11 where it is 64 bits.
struct Placed {
  const char* text;
  u32 a, b, c, old;
  u64 want;
};

void check_placed(Target target, const std::vector<Placed>& cases) {
  std::vector<std::string> lines;
  for (const Placed& c : cases) lines.emplace_back(c.text);
  InstructionBench bench(target, lines);
  Wave& w = bench.wave();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Placed& c = cases[i];
    fill(w, 1, c.a), fill(w, 2, c.b), fill(w, 3, c.c), fill(w, 10, c.old), fill(w, 11, 0);
    bench.run(i);
    const u64 got =
        bench.op(i).dst[0].count == 2 ? w.vgpr[10][0] | static_cast<u64>(w.vgpr[11][0]) << 32 : w.vgpr[10][0];
    EXPECT_EQ(got, c.want) << fmt::format("{}: a={:08x} b={:08x} c={:08x}: expected {:x}, got {:x}", c.text,
                                          c.a, c.b, c.c, c.want, got);
  }
}

TEST(SmallFloat, PlacesAndScales) {
  constexpr u32 one = 0x3f800000, two = 0x40000000, four = 0x40800000, half = 0x3f000000,
                minus_one = 0xbf800000;
  // On gfx950: fp8 1.0 = 0x38, 2.0 = 0x40, 0.5 = 0x30; bf8 1.0 = 0x3c, 2.0 = 0x40; fp4 1.0 = 2, 2.0 = 4, 0.5
  // = 1, -1.0 = 0xa.
  check_placed(
      Target::gfx950,
      {
          {"v_cvt_pk_fp8_f32 v10, v1, v2", one, two, 0, 0x11223344, 0x11224038},
          {"v_cvt_pk_fp8_f32 v10, v1, v2 op_sel:[0,0,1]", one, two, 0, 0x11223344, 0x40383344},
          {"v_cvt_pk_bf8_f32 v10, -v1, |v2|", one, 0xc0000000, 0, 0x11223344, 0x112240bc},
          {"v_cvt_sr_fp8_f32 v10, v1, v2", one, 0xffffffff, 0, 0x11223344, 0x11223338},
          {"v_cvt_sr_fp8_f32 v10, v1, v2 op_sel:[0,0,1,0]", one, 0xffffffff, 0, 0x11223344, 0x11223844},
          {"v_cvt_sr_fp8_f32 v10, v1, v2 op_sel:[0,0,0,1]", one, 0xffffffff, 0, 0x11223344, 0x11383344},
          {"v_cvt_sr_bf8_f32 v10, v1, v2 op_sel:[0,0,1,1]", two, 0, 0, 0x11223344, 0x40223344},
          {"v_cvt_pk_f32_fp8_e32 v[10:11], v1", 0xaaaa4038, 0, 0, 0, u64{two} << 32 | one},
          {"v_cvt_pk_f32_fp8_sdwa v[10:11], v1 src0_sel:WORD_1", 0x4038aaaa, 0, 0, 0, u64{two} << 32 | one},
          {"v_cvt_pk_f32_bf8_sdwa v[10:11], v1 src0_sel:WORD_1", 0x403caaaa, 0, 0, 0, u64{two} << 32 | one},
          {"v_cvt_f32_fp8_sdwa v10, v1 src0_sel:BYTE_2", 0xaa38aaaa, 0, 0, 0, one},
          {"v_cvt_f32_bf8_sdwa v10, v1 src0_sel:BYTE_3", 0x40aaaaaa, 0, 0, 0, two},
          {"v_cvt_scalef32_pk_fp8_f32 v10, v1, v2, v3", two, four, two, 0x11223344, 0x11224038},
          {"v_cvt_scalef32_pk_fp8_f32 v10, v1, v2, v3 op_sel:[0,0,0,1]", two, four, 0x407fffff, 0x11223344,
           0x40383344},
          {"v_cvt_scalef32_pk_bf8_f32 v10, v1, v2, v3", half, one, 0xbf000000, 0x11223344, 0x1122403c},
          {"v_cvt_scalef32_pk_fp8_f16 v10, v1, v2", 0x40003c00, one, 0, 0x11223344, 0x11224038},
          {"v_cvt_scalef32_pk_bf8_f16 v10, v1, v2 op_sel:[0,0,1]", 0x40003c00, one, 0, 0x11223344,
           0x403c3344},
          {"v_cvt_scalef32_pk_fp8_bf16 v10, v1, v2", 0x40003f80, one, 0, 0x11223344, 0x11224038},
          {"v_cvt_scalef32_pk_bf8_bf16 v10, v1, v2", 0x40003f80, one, 0, 0x11223344, 0x1122403c},
          {"v_cvt_scalef32_sr_fp8_f32 v10, v1, v2, v3 op_sel:[0,0,1,0]", two, 0, two, 0x11223344, 0x11223844},
          {"v_cvt_scalef32_sr_bf8_f32 v10, v1, v2, v3", two, 0, two, 0x11223344, 0x1122333c},
          {"v_cvt_scalef32_sr_fp8_f16 v10, v1, v2, v3 op_sel:[1,0,0,1]", 0x4000aaaa, 0, one, 0x11223344,
           0x11403344},
          {"v_cvt_scalef32_sr_bf8_f16 v10, v1, v2, v3", 0xaaaa4000, 0, one, 0x11223344, 0x11223340},
          {"v_cvt_scalef32_sr_fp8_bf16 v10, v1, v2, v3", 0xaaaa4000, 0, one, 0x11223344, 0x11223340},
          {"v_cvt_scalef32_sr_bf8_bf16 v10, v1, v2, v3 op_sel:[1,0,0,0]", 0x3f80aaaa, 0, one, 0x11223344,
           0x1122333c},
          {"v_cvt_scalef32_pk_fp4_f32 v10, v1, v2, v3", one, two, one, 0x11223344, 0x11223342},
          {"v_cvt_scalef32_pk_fp4_f32 v10, v1, v2, v3 op_sel:[0,0,1,1]", minus_one, 0x7f000000, one,
           0x11223344, 0x7a223344},
          {"v_cvt_scalef32_pk_fp4_f16 v10, v1, v2 op_sel:[0,0,1,0]", 0x40003c00, one, 0, 0x11223344,
           0x11224244},
          {"v_cvt_scalef32_pk_fp4_bf16 v10, v1, v2", 0x40003f80, one, 0, 0x11223344, 0x11223342},
          {"v_cvt_scalef32_sr_pk_fp4_f16 v10, v1, v2, v3", 0x40003c00, 0, one, 0x11223344, 0x11223342},
          {"v_cvt_scalef32_sr_pk_fp4_bf16 v10, v1, v2, v3 op_sel:[0,0,0,1]", 0x40003f80, 0, one, 0x11223344,
           0x11423344},
          {"v_cvt_scalef32_f32_fp8 v10, v1, v2", 0xaaaaaa38, two, 0, 0, two},
          {"v_cvt_scalef32_f32_bf8 v10, v1, v2 op_sel:[1,1]", 0x3caaaaaa, two, 0, 0, two},
          {"v_cvt_scalef32_f16_fp8 v10, v1, v2", 0xaaaaaa38, two, 0, 0x11223344, 0x11224000},
          {"v_cvt_scalef32_f16_bf8 v10, v1, v2 op_sel:[0,0,1]", 0xaaaaaa3c, two, 0, 0x11223344, 0x40003344},
          {"v_cvt_scalef32_pk_f32_fp8 v[10:11], v1, v2", 0xaaaa4038, half, 0, 0, u64{one} << 32 | half},
          {"v_cvt_scalef32_pk_f32_bf8 v[10:11], v1, v2 op_sel:[1,0]", 0x403caaaa, one, 0, 0,
           u64{two} << 32 | one},
          {"v_cvt_scalef32_pk_f16_fp8 v10, v1, v2", 0xaaaa4038, one, 0, 0, 0x40003c00},
          {"v_cvt_scalef32_pk_f16_bf8 v10, v1, v2", 0xaaaa403c, one, 0, 0, 0x40003c00},
          {"v_cvt_scalef32_pk_bf16_fp8 v10, v1, v2", 0xaaaa4038, one, 0, 0, 0x40003f80},
          {"v_cvt_scalef32_pk_bf16_bf8 v10, v1, v2", 0xaaaa403c, one, 0, 0, 0x40003f80},
          {"v_cvt_scalef32_pk_f32_fp4 v[10:11], v1, v2 op_sel:[0,1]", 0xaa42aaaa, one, 0, 0,
           u64{two} << 32 | one},
          {"v_cvt_scalef32_pk_f16_fp4 v10, v1, v2", 0xaaaaaa42, one, 0, 0, 0x40003c00},
          {"v_cvt_scalef32_pk_bf16_fp4 v10, v1, v2", 0xaaaaaa42, one, 0, 0, 0x40003f80},
          {"v_cvt_scalef32_pk_f32_fp8 v[10:11], v1, v2", 0x38, 0, 0, 0,
           0x0040'0000}, // scale 2^-127: a denormal result
          {"v_cvt_sr_f16_f32 v10, v1, v2", one, 0xffffffff, 0, 0x11223344, 0x11223c00},
          {"v_cvt_sr_f16_f32 v10, v1, v2 op_sel:[0,0,1]", one, 0, 0, 0x11223344, 0x3c003344},
          {"v_cvt_sr_bf16_f32 v10, v1, v2", 0x3f808000, 0x80000000, 0, 0x11223344, 0x11223f81},
          {"v_cvt_sr_bf16_f32 v10, v1, v2 op_sel:[0,0,1]", 0x3f808000, 0x7fffffff, 0, 0x11223344, 0x3f803344},
      });
}

/// The conversions that gfx942 has, with its codes: fp8 1.0 = 0x40, 2.0 = 0x48; bf8 1.0 = 0x40, 2.0 = 0x44.
TEST(SmallFloat, PlacesOnGfx942) {
  constexpr u32 one = 0x3f800000, two = 0x40000000;
  check_placed(
      Target::gfx942,
      {{"v_cvt_pk_fp8_f32 v10, v1, v2 op_sel:[0,0,1]", one, two, 0, 0x11223344, 0x48403344},
       {"v_cvt_pk_bf8_f32 v10, -v1, |v2|", one, 0xc0000000, 0, 0x11223344, 0x112244c0},
       {"v_cvt_sr_fp8_f32 v10, v1, v2 op_sel:[0,0,1,0]", one, 0xffffffff, 0, 0x11223344, 0x11224044},
       {"v_cvt_sr_bf8_f32 v10, v1, v2 op_sel:[0,0,1,1]", two, 0, 0, 0x11223344, 0x44223344},
       {"v_cvt_pk_f32_fp8_e32 v[10:11], v1", 0xaaaa4840, 0, 0, 0, u64{two} << 32 | one},
       {"v_cvt_pk_f32_bf8_sdwa v[10:11], v1 src0_sel:WORD_1", 0x4440aaaa, 0, 0, 0, u64{two} << 32 | one}});
}

/// A value a quarter of the way from 1.0 to the next fp8 (1.125) goes up for a quarter of all random numbers.
TEST(SmallFloat, StochasticRoundingIsUnbiased) {
  InstructionBench bench(
      Target::gfx950, {"v_cvt_sr_fp8_f32 v10, v1, v2", "v_cvt_scalef32_sr_pk_fp4_f32 v11, v[4:5], v2, v3"});
  Wave& w = bench.wave();
  fill(w, 1, std::bit_cast<u32>(1.03125f));
  fill(w, 3, 0x3f800000);
  fill(w, 4, std::bit_cast<u32>(1.25f)), fill(w, 5, std::bit_cast<u32>(1.25f)); // half way from 1.0 to 1.5
  unsigned up = 0, up4[2] = {0, 0};
  u32 random = 12345;
  constexpr unsigned rounds = 200;
  for (unsigned n = 0; n < rounds; ++n) {
    for (unsigned l = 0; l < lanes; ++l) w.vgpr[2][l] = random = random * 1664525u + 1013904223u;
    bench.run(0), bench.run(1);
    for (unsigned l = 0; l < lanes; ++l) {
      up += (w.vgpr[10][l] & 255) == 0x39;
      for (unsigned i = 0; i < 2; ++i) up4[i] += (w.vgpr[11][l] >> (4 * i) & 15) == 3;
    }
  }
  const double total = rounds * lanes;
  EXPECT_NEAR(up / total, 0.25, 0.02);
  EXPECT_NEAR(up4[0] / total, 0.5, 0.02);
  EXPECT_NEAR(up4[1] / total, 0.5, 0.02) << "the second item uses the next random number";
}

/// 32 items: item n of the string is bits 6n to 6n + 5.
u32 item(const Wave& w, unsigned first, unsigned n, unsigned lane) {
  u64 both = w.vgpr[first + 6 * n / 32][lane];
  if (6 * n / 32 < 5) both |= static_cast<u64>(w.vgpr[first + 6 * n / 32 + 1][lane]) << 32;
  return static_cast<u32>(both >> (6 * n % 32)) & 63;
}

TEST(SmallFloat, ThirtyTwoItems) {
  // FP6 (E2M3) n/8 for codes n = 0..7 and so on: codes are small integers' own bits up to 31 once scaled
  // by 8.
  const char* texts[] = {
      "v_cvt_scalef32_2xpk16_fp6_f32 v[200:205], v[60:75], v[80:95], v3",
      "v_cvt_scalef32_2xpk16_bf6_f32 v[206:211], v[60:75], v[80:95], v3",
      "v_cvt_scalef32_pk32_fp6_f16 v[200:205], v[100:115], v3",
      "v_cvt_scalef32_pk32_bf6_f16 v[206:211], v[100:115], v3",
      "v_cvt_scalef32_pk32_fp6_bf16 v[200:205], v[120:135], v3",
      "v_cvt_scalef32_pk32_bf6_bf16 v[206:211], v[120:135], v3",
      "v_cvt_scalef32_sr_pk32_fp6_f32 v[200:205], v[140:171], v2, v3",
      "v_cvt_scalef32_sr_pk32_bf6_f32 v[206:211], v[140:171], v2, v3",
      "v_cvt_scalef32_sr_pk32_fp6_f16 v[200:205], v[100:115], v2, v3",
      "v_cvt_scalef32_sr_pk32_bf6_f16 v[206:211], v[100:115], v2, v3",
      "v_cvt_scalef32_sr_pk32_fp6_bf16 v[200:205], v[120:135], v2, v3",
      "v_cvt_scalef32_sr_pk32_bf6_bf16 v[206:211], v[120:135], v2, v3",
  };
  std::vector<std::string> lines(std::begin(texts), std::end(texts));
  const std::size_t packers = lines.size();
  for (const char* kind : {"fp6", "bf6"})
    for (const char* wide : {"f32 v[10:41]", "f16 v[10:25]", "bf16 v[10:25]"}) {
      const std::string to(wide);
      lines.push_back(fmt::format("v_cvt_scalef32_pk32_{}_{} {}, v[{}], v3", to.substr(0, to.find(' ')), kind,
                                  to.substr(to.find(' ') + 1),
                                  std::string(kind) == "fp6" ? "200:205" : "206:211"));
    }
  InstructionBench bench(Target::gfx950, lines);
  Wave& w = bench.wave();
  // Item n of lane l: a value that all formats hold, so that any rounding leaves it.
  const float values[8] = {0, 0.25f, 0.5f, 1, 1.5f, 2, 3, 4};
  const u32 fp6[8] = {0, 2, 4, 8, 12, 16, 20, 24}, bf6[8] = {0, 4, 8, 12, 14, 16, 18, 20};
  const auto which = [](unsigned n, unsigned l) { return (n * 5 + l * 3) % 8; };
  fill(w, 2, 0x9e3779b9), fill(w, 3, 0x40000000); // scale 2
  for (unsigned l = 0; l < lanes; ++l)
    for (unsigned n = 0; n < 32; ++n) {
      const float v = 2 * values[which(n, l)];
      const u32 f = std::bit_cast<u32>(v), h = std::bit_cast<std::uint16_t>(static_cast<_Float16>(v)),
                b = f >> 16, shift = 16 * (n % 2);
      w.vgpr[(n % 2 == 0 ? 60 : 80) + n / 2][l] = f;
      w.vgpr[140 + n][l] = f;
      for (const auto& [first, bits] : {std::pair{100u, h}, std::pair{120u, b}})
        w.vgpr[first + n / 2][l] = (w.vgpr[first + n / 2][l] & ~(0xffffu << shift)) | bits << shift;
    }
  for (std::size_t i = 0; i < packers; ++i) {
    const bool is_fp6 = lines[i].find("_fp6_") != std::string::npos;
    bench.run(i);
    for (unsigned l = 0; l < lanes; ++l)
      for (unsigned n = 0; n < 32; ++n)
        ASSERT_EQ(item(w, is_fp6 ? 200 : 206, n, l), (is_fp6 ? fp6 : bf6)[which(n, l)])
            << lines[i] << " item " << n << " lane " << l;
  }
  for (std::size_t i = packers; i < lines.size(); ++i) {
    bench.run(i);
    const unsigned wide = bench.op(i).dst[0].count;
    const bool is_half = lines[i].find("pk32_f16") != std::string::npos;
    for (unsigned l = 0; l < lanes; ++l)
      for (unsigned n = 0; n < 32; ++n) {
        const float v = 2 * values[which(n, l)];
        const u32 got = wide == 32 ? w.vgpr[10 + n][l] : w.vgpr[10 + n / 2][l] >> (16 * (n % 2)) & 0xffff;
        const u32 want = wide == 32 ? std::bit_cast<u32>(v)
                         : is_half  ? u32{std::bit_cast<std::uint16_t>(static_cast<_Float16>(v))}
                                    : std::bit_cast<u32>(v) >> 16;
        ASSERT_EQ(got, want) << lines[i] << " item " << n << " lane " << l;
      }
  }
}

} // namespace
} // namespace cts::emulator::testing
