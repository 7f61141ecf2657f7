// Conversions against the host's casts and the compiler's _Float16; transcendental functions against the
// manual's examples and bounds.
#include "tests/emulator/alu/alu_rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using half = _Float16;

constexpr Values F = Values::floats, D = Values::doubles, H = Values::halves;
constexpr Equal fuzzy = Equal::single, fuzzy16 = Equal::half;

/// Truncated and saturated to [low, high]; NaN gives 0.
u64 saturated(double v, double low, double high) {
  if (std::isnan(v)) return 0;
  return static_cast<u64>(static_cast<i64>(std::clamp(std::trunc(v), low, high)));
}
u64 bits(half h) { return std::bit_cast<u16>(h); }
u64 pair(u64 low, u64 high) { return (low & 0xffff) | (high & 0xffff) << 16; }
half toward_zero(float v) {
  half h = static_cast<half>(v);
  if (std::isnan(v) || std::isinf(v)) return h;
  if (std::fabs(static_cast<float>(h)) > std::fabs(v)) h = std::bit_cast<half>(static_cast<u16>(bits(h) - 1));
  return h;
}
u64 bf16(float v) {
  const u32 b = std::bit_cast<u32>(v);
  if (std::isnan(v)) return b >> 16 | 0x40;
  const u32 rest = b & 0xffff, kept = b >> 16;
  return kept + (rest > 0x8000 || (rest == 0x8000 && (kept & 1) != 0) ? 1 : 0);
}
u64 normalised(double v, double low, double top) {
  return std::isnan(v) ? 0
                       : static_cast<u64>(static_cast<i64>(std::nearbyint(std::clamp(v, low, 1.0) * top)));
}

const Row conversions[] = {
    {"v_cvt_i32_f32_e32 v10, v1", [](const In& i) { return out32(saturated(i.fa(), -0x1p31, 0x1p31 - 1)); },
     F},
    {"v_cvt_u32_f32_e32 v10, v1", [](const In& i) { return out32(saturated(i.fa(), 0, 0x1p32 - 1)); }, F},
    {"v_cvt_i32_f32_e64 v10, -|v1|",
     [](const In& i) { return out32(saturated(-std::fabs(i.fa()), -0x1p31, 0x1p31 - 1)); }, F},
    {"v_cvt_i32_f64_e32 v10, v[4:5]",
     [](const In& i) { return out32(saturated(i.dA(), -0x1p31, 0x1p31 - 1)); }, D},
    {"v_cvt_u32_f64_e32 v10, v[4:5]", [](const In& i) { return out32(saturated(i.dA(), 0, 0x1p32 - 1)); }, D},
    {"v_cvt_i16_f16_e32 v10, v1",
     [](const In& i) { return Out{saturated(double{i.ha()}, -32768, 32767) & 0xffff}; }, H},
    {"v_cvt_u16_f16_e32 v10, v1", [](const In& i) { return Out{saturated(double{i.ha()}, 0, 65535)}; }, H},
    {"v_cvt_flr_i32_f32_e32 v10, v1",
     [](const In& i) { return out32(saturated(std::floor(i.fa()), -0x1p31, 0x1p31 - 1)); }, F},
    {"v_cvt_rpi_i32_f32_e32 v10, v1",
     [](const In& i) { return out32(saturated(std::floor(i.fa() + 0.5f), -0x1p31, 0x1p31 - 1)); }, F},
    {"v_cvt_f32_i32_e32 v10, v1", [](const In& i) { return out(static_cast<float>(static_cast<i32>(i.a))); }},
    {"v_cvt_f32_u32_e32 v10, v1", [](const In& i) { return out(static_cast<float>(i.a)); }},
    {"v_cvt_f64_i32_e32 v[10:11], v1",
     [](const In& i) { return out(static_cast<double>(static_cast<i32>(i.a))); }},
    {"v_cvt_f64_u32_e32 v[10:11], v1", [](const In& i) { return out(static_cast<double>(i.a)); }},
    {"v_cvt_f16_i16_e32 v10, v1", [](const In& i) { return out(static_cast<half>(static_cast<i16>(i.a))); }},
    {"v_cvt_f16_u16_e32 v10, v1", [](const In& i) { return out(static_cast<half>(static_cast<u16>(i.a))); }},
    {"v_cvt_f32_ubyte0_e32 v10, v1", [](const In& i) { return out(static_cast<float>(i.a & 255)); }},
    {"v_cvt_f32_ubyte1_e32 v10, v1", [](const In& i) { return out(static_cast<float>(i.a >> 8 & 255)); }},
    {"v_cvt_f32_ubyte2_e32 v10, v1", [](const In& i) { return out(static_cast<float>(i.a >> 16 & 255)); }},
    {"v_cvt_f32_ubyte3_e32 v10, v1", [](const In& i) { return out(static_cast<float>(i.a >> 24)); }},
    {"v_cvt_f32_f64_e32 v10, v[4:5]", [](const In& i) { return out(static_cast<float>(i.dA())); }, D, fuzzy},
    {"v_cvt_f64_f32_e32 v[10:11], v1", [](const In& i) { return out(static_cast<double>(i.fa())); }, F,
     fuzzy},
    {"v_cvt_f16_f32_e32 v10, v1", [](const In& i) { return out(static_cast<half>(i.fa())); }, F, fuzzy16},
    {"v_cvt_f32_f16_e32 v10, v1", [](const In& i) { return out(static_cast<float>(i.ha())); }, H, fuzzy},
    {"v_cvt_off_f32_i4_e32 v10, v1",
     [](const In& i) {
       return out(static_cast<float>(static_cast<int>(i.a & 15) - static_cast<int>(i.a & 8) * 2) / 16.0f);
     }},
    {"v_cvt_norm_i16_f16_e32 v10, v1",
     [](const In& i) { return Out{normalised(double{i.ha()}, -1, 32767) & 0xffff}; }, H},
    {"v_cvt_norm_u16_f16_e32 v10, v1", [](const In& i) { return Out{normalised(double{i.ha()}, 0, 65535)}; },
     H},
    {"v_cvt_pknorm_i16_f32 v10, v1, v2",
     [](const In& i) { return Out{pair(normalised(i.fa(), -1, 32767), normalised(i.fb(), -1, 32767))}; }, F},
    {"v_cvt_pknorm_u16_f32 v10, v1, v2",
     [](const In& i) { return Out{pair(normalised(i.fa(), 0, 65535), normalised(i.fb(), 0, 65535))}; }, F},
    {"v_cvt_pknorm_i16_f16 v10, v1, v2",
     [](const In& i) {
       return Out{pair(normalised(double{i.ha()}, -1, 32767), normalised(double{i.hb()}, -1, 32767))};
     },
     H},
    {"v_cvt_pknorm_u16_f16 v10, v1, v2 op_sel:[1,0,0]",
     [](const In& i) {
       return Out{
           pair(normalised(double{In::half(i.a >> 16)}, 0, 65535), normalised(double{i.hb()}, 0, 65535))};
     },
     H},
    {"v_cvt_pkrtz_f16_f32 v10, v1, v2",
     [](const In& i) { return Out{pair(bits(toward_zero(i.fa())), bits(toward_zero(i.fb())))}; }, F,
     Equal::twin},
    {"v_cvt_pk_f16_f32 v10, v1, v2",
     [](const In& i) { return Out{pair(bits(static_cast<half>(i.fa())), bits(static_cast<half>(i.fb())))}; },
     F, Equal::twin, Target::gfx950},
    {"v_cvt_pk_bf16_f32 v10, v1, v2", [](const In& i) { return Out{pair(bf16(i.fa()), bf16(i.fb()))}; }, F,
     Equal::bits, Target::gfx950},
    {"v_cvt_f32_bf16_e32 v10, v1", [](const In& i) { return out32(u64{i.a} << 16); }, F, Equal::bits,
     Target::gfx950},
    {"v_cvt_pk_u16_u32 v10, v1, v2",
     [](const In& i) { return Out{pair(std::min(i.a, 65535u), std::min(i.b, 65535u))}; }},
    {"v_cvt_pk_i16_i32 v10, v1, v2",
     [](const In& i) {
       return Out{pair(saturated(static_cast<i32>(i.a), -32768, 32767),
                       saturated(static_cast<i32>(i.b), -32768, 32767))};
     }},
    {"v_sat_pk_u8_i16_e32 v10, v1",
     [](const In& i) {
       return Out{saturated(static_cast<i16>(i.a), 0, 255) | saturated(static_cast<i16>(i.a >> 16), 0, 255)
                                                                 << 8};
     }},
    {"v_ashr_pk_i8_i32 v10, v1, v2, v3",
     [](const In& i) {
       const auto byte = [&](u32 v) { return saturated(static_cast<i32>(v) >> (i.c & 31), -128, 127) & 255; };
       return Out{byte(i.a) | byte(i.b) << 8 | (i.old & 0xffff0000)};
     },
     Values::integers, Equal::bits, Target::gfx950},
    {"v_ashr_pk_u8_i32 v10, v1, v2, v3 op_sel:[0,0,0,1]",
     [](const In& i) {
       const auto byte = [&](u32 v) { return saturated(static_cast<i32>(v) >> (i.c & 31), 0, 255); };
       return Out{(byte(i.a) | byte(i.b) << 8) << 16 | (i.old & 0xffff)};
     },
     Values::integers, Equal::bits, Target::gfx950},
    {"v_cvt_pk_u8_f32 v10, v1, v2, v3",
     [](const In& i) {
       return Out{(i.c & ~(255u << (i.b % 4 * 8))) | saturated(i.fa(), 0, 255) << (i.b % 4 * 8)};
     },
     F},
    {"v_cvt_pkaccum_u8_f32 v10, v1, v2",
     [](const In& i) {
       return Out{(i.old & 0xffffffff & ~(u64{255} << (i.b % 4 * 8))) | saturated(i.fa(), 0, 255)
                                                                            << (i.b % 4 * 8)};
     },
     F},
    {"v_pack_b32_f16 v10, v1, v2", [](const In& i) { return Out{pair(i.a, i.b)}; }, H},
    {"v_pack_b32_f16 v10, -v1, v2 op_sel:[0,1,0]",
     [](const In& i) { return Out{pair(i.a ^ 0x8000, i.b >> 16)}; }, H},
    {"v_cubeid_f32 v10, v1, v2, v3",
     [](const In& i) {
       const float x = std::fabs(i.fa()), y = std::fabs(i.fb()), z = std::fabs(i.fc());
       if (z >= x && z >= y) return out(i.fc() < 0 ? 5.0f : 4.0f);
       if (y >= x) return out(i.fb() < 0 ? 3.0f : 2.0f);
       return out(i.fa() < 0 ? 1.0f : 0.0f);
     },
     F},
    {"v_cubesc_f32 v10, v1, v2, v3",
     [](const In& i) {
       const float x = std::fabs(i.fa()), y = std::fabs(i.fb()), z = std::fabs(i.fc());
       if (z >= x && z >= y) return out(i.fc() < 0 ? -i.fa() : i.fa());
       if (y >= x) return out(i.fa());
       return out(i.fa() < 0 ? i.fc() : -i.fc());
     },
     F, fuzzy},
    {"v_cubetc_f32 v10, v1, v2, v3",
     [](const In& i) {
       const float x = std::fabs(i.fa()), y = std::fabs(i.fb()), z = std::fabs(i.fc());
       if (z >= x && z >= y) return out(-i.fb());
       if (y >= x) return out(i.fb() < 0 ? -i.fc() : i.fc());
       return out(-i.fb());
     },
     F, fuzzy},
    {"v_cubema_f32 v10, v1, v2, v3",
     [](const In& i) {
       const float x = std::fabs(i.fa()), y = std::fabs(i.fb()), z = std::fabs(i.fc());
       if (z >= x && z >= y) return out(i.fc() * 2);
       return out((y >= x ? i.fb() : i.fa()) * 2);
     },
     F, fuzzy},
};

TEST(VectorConvert, GivesWhatHostCastsGive) { check_rows(conversions); }

// --- float dot products
// -------------------------------------------------------------------------------------------------

float no_denormal(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }
float h(u32 v, unsigned at) {
  const u16 b = static_cast<u16>(v >> at);
  return (b & 0x7c00) == 0 ? std::copysign(0.0f, static_cast<float>(In::half(b)))
                           : static_cast<float>(In::half(b));
}
float b(u32 v, unsigned at) { return no_denormal(std::bit_cast<float>((v >> at & 0xffff) << 16)); }
float acc(u32 v) { return no_denormal(std::bit_cast<float>(v)); }

const Row dots[] = {
    {"v_dot2_f32_f16 v10, v1, v2, v3",
     [](const In& i) { return out(no_denormal(acc(i.c) + h(i.a, 0) * h(i.b, 0) + h(i.a, 16) * h(i.b, 16))); },
     H, fuzzy},
    {"v_dot2_f32_f16 v10, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[0,1,0]",
     [](const In& i) { return out(no_denormal(acc(i.c) - h(i.a, 0) * h(i.b, 0) - h(i.a, 16) * h(i.b, 16))); },
     H, fuzzy},
    {"v_dot2c_f32_f16 v10, v1, v2",
     [](const In& i) {
       return out(
           no_denormal(acc(static_cast<u32>(i.old)) + h(i.a, 0) * h(i.b, 0) + h(i.a, 16) * h(i.b, 16)));
     },
     H, fuzzy},
    {"v_dot2_f32_bf16 v10, v1, v2, v3",
     [](const In& i) { return out(no_denormal(b(i.a, 0) * b(i.b, 0) + b(i.a, 16) * b(i.b, 16) + acc(i.c))); },
     F, fuzzy, Target::gfx950},
    {"v_dot2c_f32_bf16 v10, v1, v2",
     [](const In& i) {
       return out(
           no_denormal(acc(static_cast<u32>(i.old)) + b(i.a, 0) * b(i.b, 0) + b(i.a, 16) * b(i.b, 16)));
     },
     F, fuzzy, Target::gfx950},
};

TEST(VectorDot, FloatProductsSummed) { check_rows(dots); }

// --- transcendental functions
// -------------------------------------------------------------------------------------------

/// One instruction on one value a lane; 16- and 32-bit results in v10, 64-bit ones in v[10:11].
std::vector<u64> applied(const std::string& text, const std::vector<u64>& values, u32 mode_bits = hip_mode) {
  InstructionBench bench(Target::gfx950, {text});
  Wave& w = bench.wave();
  w.mode = mode_bits;
  std::vector<u64> results;
  for (std::size_t at = 0; at < values.size(); at += lanes) {
    for (unsigned l = 0; l < lanes && at + l < values.size(); ++l)
      w.vgpr[1][l] = static_cast<u32>(values[at + l]), w.vgpr[4][l] = static_cast<u32>(values[at + l]),
      w.vgpr[5][l] = static_cast<u32>(values[at + l] >> 32);
    bench.run(0);
    for (unsigned l = 0; l < lanes && at + l < values.size(); ++l)
      results.push_back(bench.op(0).dst[0].count == 2 ? w.vgpr[10][l] | static_cast<u64>(w.vgpr[11][l]) << 32
                                                      : w.vgpr[10][l]);
  }
  return results;
}

struct Example {
  const char* text;
  u64 in, want;
};

/// "Functional examples" of the manual's sections. [CDNA3 ISA 12.8]
const Example examples[] = {
    {"v_rcp_f32_e32 v10, v1", 0xff800000, 0x80000000},
    {"v_rcp_f32_e32 v10, v1", 0xc0000000, 0xbf000000},
    {"v_rcp_f32_e32 v10, v1", 0x80000000, 0xff800000},
    {"v_rcp_f32_e32 v10, v1", 0x00000000, 0x7f800000},
    {"v_rcp_f32_e32 v10, v1", 0x7f800000, 0x00000000},
    {"v_rcp_f32_e32 v10, v1", 0x00000001, 0x7f800000},
    {"v_rcp_f32_e32 v10, v1", 0x7f000001, 0x00000000},
    {"v_rcp_iflag_f32_e32 v10, v1", 0x40800000, 0x3e800000},
    {"v_rsq_f32_e32 v10, v1", 0xff800000, 0xffc00000},
    {"v_rsq_f32_e32 v10, v1", 0x80000000, 0xff800000},
    {"v_rsq_f32_e32 v10, v1", 0x00000000, 0x7f800000},
    {"v_rsq_f32_e32 v10, v1", 0x40800000, 0x3f000000},
    {"v_rsq_f32_e32 v10, v1", 0x7f800000, 0x00000000},
    {"v_sqrt_f32_e32 v10, v1", 0xff800000, 0xffc00000},
    {"v_sqrt_f32_e32 v10, v1", 0x80000000, 0x80000000},
    {"v_sqrt_f32_e32 v10, v1", 0x40800000, 0x40000000},
    {"v_sqrt_f32_e32 v10, v1", 0x7f800000, 0x7f800000},
    {"v_sqrt_f32_e32 v10, v1", 0x00000001, 0x00000000},
    {"v_exp_f32_e32 v10, v1", 0xff800000, 0x00000000},
    {"v_exp_f32_e32 v10, v1", 0x80000000, 0x3f800000},
    {"v_exp_f32_e32 v10, v1", 0x7f800000, 0x7f800000},
    {"v_exp_f32_e32 v10, v1", 0xc3000000, 0x00000000},
    {"v_exp_legacy_f32_e32 v10, v1", 0x40400000, 0x41000000},
    {"v_log_legacy_f32_e32 v10, v1", 0x41000000, 0x40400000},
    {"v_log_f32_e32 v10, v1", 0xff800000, 0xffc00000},
    {"v_log_f32_e32 v10, v1", 0xbf800000, 0xffc00000},
    {"v_log_f32_e32 v10, v1", 0x80000000, 0xff800000},
    {"v_log_f32_e32 v10, v1", 0x00000000, 0xff800000},
    {"v_log_f32_e32 v10, v1", 0x3f800000, 0x00000000},
    {"v_log_f32_e32 v10, v1", 0x7f800000, 0x7f800000},
    {"v_log_f32_e32 v10, v1", 0x00000001, 0xff800000},
    {"v_sin_f32_e32 v10, v1", 0xff800000, 0xffc00000},
    {"v_sin_f32_e32 v10, v1", 0xff7fffff, 0x00000000},
    {"v_sin_f32_e32 v10, v1", 0x80000000, 0x80000000},
    {"v_sin_f32_e32 v10, v1", 0x3e800000, 0x3f800000},
    {"v_sin_f32_e32 v10, v1", 0x3f400000, 0xbf800000},
    {"v_cos_f32_e32 v10, v1", 0xff800000, 0xffc00000},
    {"v_cos_f32_e32 v10, v1", 0xff7fffff, 0x3f800000},
    {"v_cos_f32_e32 v10, v1", 0x80000000, 0x3f800000},
    {"v_cos_f32_e32 v10, v1", 0x3e800000, 0x00000000},
    {"v_cos_f32_e32 v10, v1", 0x3f000000, 0xbf800000},
    {"v_rcp_f16_e32 v10, v1", 0xfc00, 0x8000},
    {"v_rcp_f16_e32 v10, v1", 0xc000, 0xb800},
    {"v_rcp_f16_e32 v10, v1", 0x8000, 0xfc00},
    {"v_sqrt_f16_e32 v10, v1", 0xfc00, 0xfe00},
    {"v_sqrt_f16_e32 v10, v1", 0x4400, 0x4000},
    {"v_rsq_f16_e32 v10, v1", 0x8000, 0xfc00},
    {"v_rsq_f16_e32 v10, v1", 0x4400, 0x3800},
    {"v_log_f16_e32 v10, v1", 0xbc00, 0xfe00},
    {"v_log_f16_e32 v10, v1", 0x8000, 0xfc00},
    {"v_exp_f16_e32 v10, v1", 0xfc00, 0x0000},
    {"v_exp_f16_e32 v10, v1", 0x8000, 0x3c00},
    {"v_sin_f16_e32 v10, v1", 0xfbff, 0x0000},
    {"v_sin_f16_e32 v10, v1", 0x3400, 0x3c00},
    {"v_cos_f16_e32 v10, v1", 0x3400, 0x0000},
    {"v_cos_f16_e32 v10, v1", 0x7bff, 0x3c00},
    {"v_rcp_f64_e32 v[10:11], v[4:5]", 0x4000000000000000, 0x3fe0000000000000},
    {"v_rsq_f64_e32 v[10:11], v[4:5]", 0x4010000000000000, 0x3fe0000000000000},
    {"v_sqrt_f64_e32 v[10:11], v[4:5]", 0x4010000000000000, 0x4000000000000000},
    {"v_rcp_f64_e32 v[10:11], v[4:5]", 0x8000000000000000, 0xfff0000000000000},
};

TEST(VectorTranscendental, ExamplesOfTheManual) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    std::vector<std::string> lines;
    for (const Example& e : examples) lines.emplace_back(e.text);
    InstructionBench bench(target, lines);
    Wave& w = bench.wave();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (unsigned l = 0; l < lanes; ++l) {
        w.vgpr[1][l] = w.vgpr[4][l] = static_cast<u32>(examples[i].in);
        w.vgpr[5][l] = static_cast<u32>(examples[i].in >> 32);
      }
      bench.run(i);
      const u64 got = bench.op(i).dst[0].count == 2 ? w.vgpr[10][9] | static_cast<u64>(w.vgpr[11][9]) << 32
                                                    : w.vgpr[10][9];
      EXPECT_EQ(got, examples[i].want) << fmt::format("{} of {:x}: got {:x}, expected {:x}", lines[i],
                                                      examples[i].in, got, examples[i].want);
    }
  }
}

/// Within 1 ulp of the long double function, over a range of ordinary values.
TEST(VectorTranscendental, OneUlp) {
  struct Function {
    const char* text;
    long double (*exact)(long double);
    float from, to;
  };
  const Function functions[] = {
      {"v_rcp_f32_e32 v10, v1", [](long double v) { return 1 / v; }, 0.01f, 1000},
      {"v_rsq_f32_e32 v10, v1", [](long double v) { return 1 / sqrtl(v); }, 0.01f, 1000},
      {"v_sqrt_f32_e32 v10, v1", [](long double v) { return sqrtl(v); }, 0.01f, 1000},
      {"v_exp_f32_e32 v10, v1", [](long double v) { return exp2l(v); }, -100, 100},
      {"v_log_f32_e32 v10, v1", [](long double v) { return log2l(v); }, 1.5f, 1e6f},
      {"v_sin_f32_e32 v10, v1", [](long double v) { return sinl(v * 6.283185307179586476925286766559L); },
       0.01f, 0.49f},
      {"v_cos_f32_e32 v10, v1", [](long double v) { return cosl(v * 6.283185307179586476925286766559L); },
       -0.24f, 0.24f},
  };
  for (const Function& f : functions) {
    std::vector<u64> values;
    for (int n = 0; n <= 1000; ++n)
      values.push_back(std::bit_cast<u32>(f.from + (f.to - f.from) * static_cast<float>(n) / 1000));
    const auto got = applied(f.text, values);
    for (std::size_t n = 0; n < values.size(); ++n) {
      const long double exact = f.exact(std::bit_cast<float>(static_cast<u32>(values[n])));
      const float result = std::bit_cast<float>(static_cast<u32>(got[n]));
      const long double ulp = std::nextafter(std::fabs(static_cast<float>(exact)), INFINITY) -
                              std::fabs(static_cast<float>(exact));
      ASSERT_LE(fabsl(result - exact), ulp)
          << f.text << fmt::format(" of {:08x}: got {:08x}", values[n], got[n]);
    }
  }
}

/// Payne and Hanek: the segments of 2/pi sum to it, for a small argument and for a huge one (whose leading
/// bits are dropped).
TEST(VectorTranscendental, SegmentsOfTwoOverPi) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target,
                           {"v_trig_preop_f64 v[10:11], v[4:5], 0", "v_trig_preop_f64 v[10:11], v[4:5], 1",
                            "v_trig_preop_f64 v[10:11], v[4:5], 2"});
    Wave& w = bench.wave();
    const auto segment = [&](std::size_t i, double argument) {
      const u64 a = std::bit_cast<u64>(argument);
      w.vgpr[4][0] = static_cast<u32>(a), w.vgpr[5][0] = static_cast<u32>(a >> 32);
      bench.run(i);
      return std::bit_cast<double>(w.vgpr[10][0] | static_cast<u64>(w.vgpr[11][0]) << 32);
    };
    const long double exact = 0.636619772367581343075535053490057448L;
    const long double sum = static_cast<long double>(segment(0, 1.0)) + segment(1, 1.0);
    EXPECT_LE(fabsl(sum - exact), 0x1p-64L);
    EXPECT_EQ(segment(0, 1.0), 0x1.45f306dc9c882p-1) << "truncated, not rounded";
    // 2^200: frac(2/pi * 2^200) from segments that drop bits of weight above one.
    const double big = 0x1p200;
    const long double reduced = fmodl(static_cast<long double>(segment(0, big)) * big, 8) +
                                fmodl(static_cast<long double>(segment(1, big)) * big, 8);
    const double angle = std::fmod(static_cast<double>(reduced), 4.0) * 1.5707963267948966;
    EXPECT_NEAR(std::sin(angle), std::sin(big), 1e-9);
  }
}

} // namespace
} // namespace cts::emulator::testing
