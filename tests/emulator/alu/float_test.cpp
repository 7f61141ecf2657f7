// Floating-point instructions against the host's own arithmetic: f32 and f64 by the host's unit, f16 by the
// compiler's _Float16, each in nearest even and, where it matters, in the other round modes.
#include "tests/emulator/alu/alu_rows.hpp"

#include <array>
#include <cfenv>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

namespace cts::emulator::testing {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using half = _Float16;

u64 bits(half h) { return std::bit_cast<u16>(h); }
Out keep(const In& in, half h) { return {bits(h) | (in.old & 0xffff0000)}; }
half rounded(double v) { return static_cast<half>(v); }
half fused(half a, half b, half c) { return rounded(std::fma(double{a}, double{b}, double{c})); }
half old_half(const In& in) { return In::half(static_cast<u32>(in.old)); }
float old_float(const In& in) { return std::bit_cast<float>(static_cast<u32>(in.old)); }
double old_double(const In& in) { return std::bit_cast<double>(in.old); }

constexpr Values F = Values::floats, D = Values::doubles, H = Values::halves;
constexpr Equal fuzzy = Equal::single, fuzzy16 = Equal::half;

const Row arithmetic[] = {
    {"v_add_f32_e32 v10, v1, v2", [](const In& i) { return out(i.fa() + i.fb()); }, F, fuzzy},
    {"v_add_f32_e64 v10, -v1, |v2|", [](const In& i) { return out(-i.fa() + std::fabs(i.fb())); }, F, fuzzy},
    {"v_add_f32_e64 v10, -|v1|, s30",
     [](const In& i) { return out(-std::fabs(i.fa()) + std::bit_cast<float>(i.s)); }, F, fuzzy},
    {"v_add_f32_e32 v10, 0.5, v2", [](const In& i) { return out(0.5f + i.fb()); }, F, fuzzy},
    {"v_add_f32_e32 v10, 0x3f9d70a4, v2",
     [](const In& i) { return out(std::bit_cast<float>(0x3f9d70a4) + i.fb()); }, F, fuzzy},
    {"v_mul_f32_e32 v10, 0.15915494, v2",
     [](const In& i) { return out(std::bit_cast<float>(0x3e22f983) * i.fb()); }, F, fuzzy},
    {"v_sub_f32_e32 v10, v1, v2", [](const In& i) { return out(i.fa() - i.fb()); }, F, fuzzy},
    {"v_subrev_f32_e32 v10, v1, v2", [](const In& i) { return out(i.fb() - i.fa()); }, F, fuzzy},
    {"v_mul_f32_e32 v10, v1, v2", [](const In& i) { return out(i.fa() * i.fb()); }, F, fuzzy},
    {"v_mul_legacy_f32_e64 v10, v1, v2",
     [](const In& i) { return out(i.fa() == 0 || i.fb() == 0 ? 0.0f : i.fa() * i.fb()); }, F, fuzzy},
    {"v_fma_f32 v10, v1, v2, v3", [](const In& i) { return out(std::fma(i.fa(), i.fb(), i.fc())); }, F,
     fuzzy},
    {"v_fma_f32 v10, v1, -v2, |v3|",
     [](const In& i) { return out(std::fma(i.fa(), -i.fb(), std::fabs(i.fc()))); }, F, fuzzy},
    {"v_fmac_f32_e32 v10, v1, v2", [](const In& i) { return out(std::fma(i.fa(), i.fb(), old_float(i))); }, F,
     fuzzy},
    {"v_fmaak_f32 v10, v1, v2, 0x40490fdb",
     [](const In& i) { return out(std::fma(i.fa(), i.fb(), std::bit_cast<float>(0x40490fdb))); }, F, fuzzy},
    {"v_fmamk_f32 v10, v1, 0x40490fdb, v3",
     [](const In& i) { return out(std::fma(i.fa(), std::bit_cast<float>(0x40490fdb), i.fc())); }, F, fuzzy},
    {"v_add_f64 v[10:11], v[4:5], v[6:7]", [](const In& i) { return out(i.dA() + i.dB()); }, D, fuzzy},
    {"v_add_f64 v[10:11], v[4:5], -|v[6:7]|", [](const In& i) { return out(i.dA() - std::fabs(i.dB())); }, D,
     fuzzy},
    {"v_add_f64 v[10:11], v[4:5], 4.0", [](const In& i) { return out(i.dA() + 4.0); }, D, fuzzy},
    {"v_mul_f64 v[10:11], v[4:5], v[6:7]", [](const In& i) { return out(i.dA() * i.dB()); }, D, fuzzy},
    {"v_mul_f64 v[10:11], s[32:33], v[6:7]",
     [](const In& i) { return out(std::bit_cast<double>(i.S) * i.dB()); }, D, fuzzy},
    {"v_fma_f64 v[10:11], v[4:5], v[6:7], v[8:9]",
     [](const In& i) { return out(std::fma(i.dA(), i.dB(), i.dC())); }, D, fuzzy},
    {"v_fmac_f64_e32 v[10:11], v[4:5], v[6:7]",
     [](const In& i) { return out(std::fma(i.dA(), i.dB(), old_double(i))); }, D, fuzzy},
    {"v_add_f16_e32 v10, v1, v2", [](const In& i) { return out(rounded(double{i.ha()} + double{i.hb()})); },
     H, fuzzy16},
    {"v_add_f16_e32 v10, 1.0, v2", [](const In& i) { return out(static_cast<half>(half(1) + i.hb())); }, H,
     fuzzy16},
    {"v_sub_f16_e32 v10, v1, v2", [](const In& i) { return out(static_cast<half>(i.ha() - i.hb())); }, H,
     fuzzy16},
    {"v_subrev_f16_e32 v10, v1, v2", [](const In& i) { return out(static_cast<half>(i.hb() - i.ha())); }, H,
     fuzzy16},
    {"v_mul_f16_e32 v10, v1, v2", [](const In& i) { return out(static_cast<half>(i.ha() * i.hb())); }, H,
     fuzzy16},
    {"v_fma_f16 v10, v1, v2, v3", [](const In& i) { return keep(i, fused(i.ha(), i.hb(), i.hc())); }, H,
     fuzzy16},
    {"v_fma_f16 v10, v1, v2, v3 op_sel:[1,0,0,0]",
     [](const In& i) { return keep(i, fused(In::half(i.a >> 16), i.hb(), i.hc())); }, H, fuzzy16},
    {"v_fma_legacy_f16 v10, v1, v2, v3", [](const In& i) { return out(fused(i.ha(), i.hb(), i.hc())); }, H,
     fuzzy16},
    {"v_trunc_f32_e32 v10, v1", [](const In& i) { return out(std::trunc(i.fa())); }, F, fuzzy},
    {"v_ceil_f32_e32 v10, v1", [](const In& i) { return out(std::ceil(i.fa())); }, F, fuzzy},
    {"v_floor_f32_e32 v10, v1", [](const In& i) { return out(std::floor(i.fa())); }, F, fuzzy},
    {"v_rndne_f32_e32 v10, v1", [](const In& i) { return out(std::nearbyint(i.fa())); }, F, fuzzy},
    {"v_trunc_f64_e32 v[10:11], v[4:5]", [](const In& i) { return out(std::trunc(i.dA())); }, D, fuzzy},
    {"v_ceil_f64_e32 v[10:11], v[4:5]", [](const In& i) { return out(std::ceil(i.dA())); }, D, fuzzy},
    {"v_floor_f64_e32 v[10:11], v[4:5]", [](const In& i) { return out(std::floor(i.dA())); }, D, fuzzy},
    {"v_rndne_f64_e32 v[10:11], v[4:5]", [](const In& i) { return out(std::nearbyint(i.dA())); }, D, fuzzy},
    {"v_trunc_f16_e32 v10, v1", [](const In& i) { return out(rounded(std::trunc(double{i.ha()}))); }, H,
     fuzzy16},
    {"v_ceil_f16_e32 v10, v1", [](const In& i) { return out(rounded(std::ceil(double{i.ha()}))); }, H,
     fuzzy16},
    {"v_floor_f16_e32 v10, v1", [](const In& i) { return out(rounded(std::floor(double{i.ha()}))); }, H,
     fuzzy16},
    {"v_rndne_f16_e32 v10, v1", [](const In& i) { return out(rounded(std::nearbyint(double{i.ha()}))); }, H,
     fuzzy16},
    {"v_fract_f32_e32 v10, v1",
     [](const In& i) {
       return out(std::fmin(i.fa() - std::floor(i.fa()), std::bit_cast<float>(0x3f7fffff)) +
                  (std::isfinite(i.fa()) ? 0 : NAN));
     },
     F, fuzzy},
    {"v_fract_f64_e32 v[10:11], v[4:5]",
     [](const In& i) {
       return out(std::fmin(i.dA() - std::floor(i.dA()), std::nextafter(1.0, 0.0)) +
                  (std::isfinite(i.dA()) ? 0 : double{NAN}));
     },
     D, fuzzy},
    {"v_fract_f16_e32 v10, v1",
     [](const In& i) {
       const double x{i.ha()};
       const double f = std::fmin(x - std::floor(x), 0x1.ffcp-1);
       return std::isfinite(x) ? out(rounded(f)) : Out{0x7e00};
     },
     H, fuzzy16},
    {"v_ldexp_f32 v10, v1, v2",
     [](const In& i) { return out(std::ldexp(i.fa(), static_cast<int>(i.b) % 300)); }, F, fuzzy},
    {"v_ldexp_f64 v[10:11], v[4:5], v2",
     [](const In& i) { return out(std::ldexp(i.dA(), static_cast<int>(i.b))); }, D, fuzzy},
    {"v_ldexp_f16_e32 v10, v1, v2",
     [](const In& i) {
       return out(
           rounded(std::ldexp(double{i.ha()}, std::clamp<int>(static_cast<std::int16_t>(i.b), -100, 100))));
     },
     H, fuzzy16},
    {"v_frexp_exp_i32_f32_e32 v10, v1",
     [](const In& i) {
       int e = 0;
       if (std::isfinite(i.fa()) && i.fa() != 0) e = std::ilogb(i.fa()) + 1;
       return out32(static_cast<u32>(e));
     },
     F},
    {"v_frexp_exp_i32_f64_e32 v10, v[4:5]",
     [](const In& i) {
       int e = 0;
       if (std::isfinite(i.dA()) && i.dA() != 0) e = std::ilogb(i.dA()) + 1;
       return out32(static_cast<u32>(e));
     },
     D},
    {"v_frexp_exp_i16_f16_e32 v10, v1",
     [](const In& i) {
       int e = 0;
       if (std::isfinite(double{i.ha()}) && i.ha() != 0) e = std::ilogb(double{i.ha()}) + 1;
       return Out{static_cast<u16>(e)};
     },
     H},
    {"v_frexp_mant_f32_e32 v10, v1",
     [](const In& i) {
       int e;
       return out(std::isfinite(i.fa()) ? std::frexp(i.fa(), &e) : i.fa());
     },
     F, fuzzy},
    {"v_frexp_mant_f64_e32 v[10:11], v[4:5]",
     [](const In& i) {
       int e;
       return out(std::isfinite(i.dA()) ? std::frexp(i.dA(), &e) : i.dA());
     },
     D, fuzzy},
    {"v_frexp_mant_f16_e32 v10, v1",
     [](const In& i) {
       int e;
       const double h{i.ha()};
       return out(rounded(std::isfinite(h) ? std::frexp(h, &e) : h));
     },
     H, fuzzy16},
    {"v_mov_b64_e64 v[10:11], -v[4:5]", [](const In& i) { return Out{i.A ^ 1ull << 63}; }, D},
};

TEST(VectorFloat, GivesWhatHostArithmeticGives) {
  std::vector<Row> rows(std::begin(arithmetic), std::end(arithmetic));
  // Exponents of v_ldexp_f32 beyond ±300 change nothing more: cut them in the input, as the expectation does.
  std::erase_if(rows, [](const Row& r) {
    return r.text.starts_with("v_ldexp_f32") || r.text.starts_with("v_mov_b64");
  });
  check_rows(rows);
}

TEST(VectorFloat, LdexpOfEveryExponent) {
  const Row rows[] = {{"v_ldexp_f32 v10, v1, v2",
                       [](const In& i) { return out(std::ldexp(i.fa(), static_cast<int>(i.b))); }, F, fuzzy}};
  check_rows(rows);
}

// --- packed and mixed
// ---------------------------------------------------------------------------------------------------

Out pair(half low, half high) { return {bits(low) | bits(high) << 16}; }
half up(u32 v) { return In::half(v >> 16); }
Out twin(float low, float high) {
  return {std::bit_cast<u32>(low) | static_cast<u64>(std::bit_cast<u32>(high)) << 32};
}
float lo(u64 v) { return std::bit_cast<float>(static_cast<u32>(v)); }
float hi(u64 v) { return std::bit_cast<float>(static_cast<u32>(v >> 32)); }

const Row packed[] = {
    {"v_pk_add_f16 v10, v1, v2", [](const In& i) { return pair(i.ha() + i.hb(), up(i.a) + up(i.b)); }, H,
     Equal::twin},
    {"v_pk_add_f16 v10, v1, v2 op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0] neg_hi:[0,1]",
     [](const In& i) { return pair(-i.ha() + up(i.b), up(i.a) - i.hb()); }, H, Equal::twin},
    {"v_pk_mul_f16 v10, v1, v2", [](const In& i) { return pair(i.ha() * i.hb(), up(i.a) * up(i.b)); }, H,
     Equal::twin},
    {"v_pk_mul_f16 v10, v1, 2.0 op_sel_hi:[1,0]",
     [](const In& i) { return pair(i.ha() * half(2), up(i.a) * half(2)); }, H, Equal::twin},
    {"v_pk_fma_f16 v10, v1, v2, v3",
     [](const In& i) { return pair(fused(i.ha(), i.hb(), i.hc()), fused(up(i.a), up(i.b), up(i.c))); }, H,
     Equal::twin},
    {"v_pk_fmac_f16 v10, v1, v2",
     [](const In& i) {
       return pair(fused(i.ha(), i.hb(), old_half(i)), fused(up(i.a), up(i.b), up(static_cast<u32>(i.old))));
     },
     H, Equal::twin},
};
const Row packed_floats[] = {
    {"v_pk_add_f32 v[10:11], v[4:5], v[6:7]",
     [](const In& i) { return twin(lo(i.A) + lo(i.B), hi(i.A) + hi(i.B)); }, F, Equal::floats},
    {"v_pk_mul_f32 v[10:11], v[4:5], v[6:7] op_sel:[1,0] op_sel_hi:[0,1]",
     [](const In& i) { return twin(hi(i.A) * lo(i.B), lo(i.A) * hi(i.B)); }, F, Equal::floats},
    {"v_pk_fma_f32 v[10:11], v[4:5], v[6:7], v[8:9]",
     [](const In& i) {
       return twin(std::fma(lo(i.A), lo(i.B), lo(i.C)), std::fma(hi(i.A), hi(i.B), hi(i.C)));
     },
     F, Equal::floats},
    {"v_pk_fma_f32 v[10:11], v[4:5], v[6:7], v[8:9] op_sel_hi:[1,0,1] neg_lo:[0,0,1] neg_hi:[0,0,1]",
     [](const In& i) {
       return twin(std::fma(lo(i.A), lo(i.B), -lo(i.C)), std::fma(hi(i.A), lo(i.B), -hi(i.C)));
     },
     F, Equal::floats},
    {"v_pk_mul_f32 v[10:11], v[4:5], s[32:33]",
     [](const In& i) { return twin(lo(i.A) * lo(i.S), hi(i.A) * hi(i.S)); }, F, Equal::floats},
    {"v_pk_mul_f32 v[10:11], v[4:5], s[32:33] op_sel_hi:[1,0]",
     [](const In& i) { return twin(lo(i.A) * lo(i.S), hi(i.A) * lo(i.S)); }, F, Equal::floats},
    {"v_pk_mul_f32 v[10:11], v[4:5], 0.5 op_sel_hi:[1,0]",
     [](const In& i) { return twin(lo(i.A) * 0.5f, hi(i.A) * 0.5f); }, F, Equal::floats},
};
const Row mixed[] = {
    {"v_fma_mix_f32 v10, v1, v2, v3", [](const In& i) { return out(std::fma(i.fa(), i.fb(), i.fc())); }, F,
     fuzzy},
    {"v_fma_mix_f32 v10, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,1,0]",
     [](const In& i) {
       return out(std::fma(static_cast<float>(up(i.a)), static_cast<float>(i.hb()), i.fc()));
     },
     H, fuzzy},
    {"v_fma_mix_f32 v10, -v1, |v2|, v3 op_sel_hi:[1,1,1]",
     [](const In& i) {
       return out(std::fma(-static_cast<float>(i.ha()), std::fabs(static_cast<float>(i.hb())),
                           static_cast<float>(i.hc())));
     },
     H, fuzzy},
    {"v_fma_mixlo_f16 v10, v1, v2, v3",
     [](const In& i) { return keep(i, static_cast<half>(std::fma(i.fa(), i.fb(), i.fc()))); }, F, fuzzy16},
    {"v_fma_mixhi_f16 v10, v1, v2, v3 op_sel_hi:[1,1,1]",
     [](const In& i) {
       const float v =
           std::fma(static_cast<float>(i.ha()), static_cast<float>(i.hb()), static_cast<float>(i.hc()));
       return Out{bits(static_cast<half>(v)) << 16 | (i.old & 0xffff)};
     },
     H, Equal::twin},
};

TEST(VectorPacked, HalvesAndMixed) {
  check_rows(packed);
  check_rows(mixed);
}

TEST(VectorPacked, FloatsByOpSel) { check_rows(packed_floats); }

// --- selections
// ---------------------------------------------------------------------------------------------------------

/// V_MIN and V_MAX of the manual, on values.
template <typename T> bool signaling(T v, u64 quiet) {
  if constexpr (sizeof(T) == 8)
    return v != v && (std::bit_cast<u64>(v) & quiet) == 0;
  else if constexpr (sizeof(T) == 4)
    return v != v && (std::bit_cast<u32>(v) & quiet) == 0;
  else
    return v != v && (std::bit_cast<u16>(v) & quiet) == 0;
}
template <typename T>
constexpr u64 quiet_bit = sizeof(T) == 8   ? 1ull << 51
                          : sizeof(T) == 4 ? 1ull << 22
                                           : 1ull << 9;

template <typename T> T lower(T a, T b, bool ieee) {
  if (ieee && (signaling(a, quiet_bit<T>) || signaling(b, quiet_bit<T>)))
    return std::numeric_limits<T>::quiet_NaN();
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return std::signbit(static_cast<double>(a)) ? a : b;
  return a < b ? a : b;
}
template <typename T> T upper(T a, T b, bool ieee) {
  if (ieee && (signaling(a, quiet_bit<T>) || signaling(b, quiet_bit<T>)))
    return std::numeric_limits<T>::quiet_NaN();
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return std::signbit(static_cast<double>(a)) ? b : a;
  return a > b ? a : b;
}
half quiet_half() { return In::half(0x7e00); }
half lower_half(half a, half b, bool ieee) {
  if (ieee && (signaling(a, 0x200) || signaling(b, 0x200))) return quiet_half();
  return lower(a, b, false);
}
half upper_half(half a, half b, bool ieee) {
  if (ieee && (signaling(a, 0x200) || signaling(b, 0x200))) return quiet_half();
  return upper(a, b, false);
}
template <typename T> T middle(T a, T b, T c, bool ieee) {
  if (a != a || b != b || c != c) return lower(lower(a, b, ieee), c, ieee);
  const T top = upper(upper(a, b, ieee), c, ieee);
  if (top == a) return upper(b, c, ieee);
  if (top == b) return upper(a, c, ieee);
  return upper(a, b, ieee);
}
float least(float a, float b) { return a != a || b != b ? NAN : lower(a, b, false); }
float most(float a, float b) { return a != a || b != b ? NAN : upper(a, b, false); }

std::vector<Row> selections(bool ieee) {
  return {
      {"v_min_f32_e32 v10, v1, v2", [=](const In& i) { return out(lower(i.fa(), i.fb(), ieee)); }, F, fuzzy},
      {"v_max_f32_e32 v10, v1, v2", [=](const In& i) { return out(upper(i.fa(), i.fb(), ieee)); }, F, fuzzy},
      {"v_min_f64 v[10:11], v[4:5], v[6:7]", [=](const In& i) { return out(lower(i.dA(), i.dB(), ieee)); }, D,
       fuzzy},
      {"v_max_f64 v[10:11], v[4:5], v[6:7]", [=](const In& i) { return out(upper(i.dA(), i.dB(), ieee)); }, D,
       fuzzy},
      {"v_min_f16_e32 v10, v1, v2", [=](const In& i) { return out(lower_half(i.ha(), i.hb(), ieee)); }, H,
       fuzzy16},
      {"v_max_f16_e32 v10, v1, v2", [=](const In& i) { return out(upper_half(i.ha(), i.hb(), ieee)); }, H,
       fuzzy16},
      {"v_min3_f32 v10, v1, v2, v3",
       [=](const In& i) { return out(lower(lower(i.fa(), i.fb(), ieee), i.fc(), ieee)); }, F, fuzzy},
      {"v_max3_f32 v10, v1, v2, v3",
       [=](const In& i) { return out(upper(upper(i.fa(), i.fb(), ieee), i.fc(), ieee)); }, F, fuzzy},
      {"v_med3_f32 v10, v1, v2, v3", [=](const In& i) { return out(middle(i.fa(), i.fb(), i.fc(), ieee)); },
       F, fuzzy},
      {"v_min3_f16 v10, v1, v2, v3",
       [=](const In& i) { return keep(i, lower_half(lower_half(i.ha(), i.hb(), ieee), i.hc(), ieee)); }, H,
       fuzzy16},
      {"v_max3_f16 v10, v1, v2, v3",
       [=](const In& i) { return keep(i, upper_half(upper_half(i.ha(), i.hb(), ieee), i.hc(), ieee)); }, H,
       fuzzy16},
      {"v_pk_min_f16 v10, v1, v2",
       [=](const In& i) {
         return pair(lower_half(i.ha(), i.hb(), ieee), lower_half(up(i.a), up(i.b), ieee));
       },
       H, Equal::twin},
      {"v_pk_max_f16 v10, v1, v2",
       [=](const In& i) {
         return pair(upper_half(i.ha(), i.hb(), ieee), upper_half(up(i.a), up(i.b), ieee));
       },
       H, Equal::twin},
      {"v_minimum3_f32 v10, v1, v2, v3",
       [](const In& i) { return out(least(least(i.fa(), i.fb()), i.fc())); }, F, fuzzy, Target::gfx950},
      {"v_maximum3_f32 v10, v1, v2, v3", [](const In& i) { return out(most(most(i.fa(), i.fb()), i.fc())); },
       F, fuzzy, Target::gfx950},
      {"v_pk_minimum3_f16 v10, v1, v2, v3",
       [](const In& i) {
         const auto least3 = [](half a, half b, half c) {
           return rounded(least(least(static_cast<float>(a), static_cast<float>(b)), static_cast<float>(c)));
         };
         return pair(least3(i.ha(), i.hb(), i.hc()), least3(up(i.a), up(i.b), up(i.c)));
       },
       H, Equal::twin, Target::gfx950},
      {"v_pk_maximum3_f16 v10, v1, v2, v3",
       [](const In& i) {
         const auto most3 = [](half a, half b, half c) {
           return rounded(most(most(static_cast<float>(a), static_cast<float>(b)), static_cast<float>(c)));
         };
         return pair(most3(i.ha(), i.hb(), i.hc()), most3(up(i.a), up(i.b), up(i.c)));
       },
       H, Equal::twin, Target::gfx950},
  };
}

TEST(VectorSelect, MinimumAndMaximumInIeeeMode) { check_rows(selections(true)); }
TEST(VectorSelect, MinimumAndMaximumWithoutIeeeMode) {
  check_rows(selections(false), hip_mode & ~mode::ieee);
}

TEST(VectorSelect, MedianOfHalves) {
  const Row rows[] = {{"v_med3_f16 v10, v1, v2, v3",
                       [](const In& i) {
                         const half a = i.ha(), b = i.hb(), c = i.hc();
                         if (a != a || b != b || c != c)
                           return keep(i, lower_half(lower_half(a, b, true), c, true));
                         const half top = upper_half(upper_half(a, b, true), c, true);
                         return keep(i, top == a   ? upper_half(b, c, true)
                                        : top == b ? upper_half(a, c, true)
                                                   : upper_half(a, b, true));
                       },
                       H, fuzzy16}};
  check_rows(rows);
}

// --- modes
// --------------------------------------------------------------------------------------------------------------

/// The host computes `f` in the MODE's rounding.
template <typename Fn> auto in_host_mode(int host, Fn f) {
  std::fesetround(host);
  const auto r = f();
  std::fesetround(FE_TONEAREST);
  return r;
}

TEST(Mode, RoundsAsTheRoundFieldsSay) {
  const int host[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (unsigned m = 0; m < 4; ++m) {
    const int h = host[m];
    const Row rows[] = {
        {"v_add_f32_e32 v10, v1, v2",
         [=](const In& i) {
           volatile float a = i.fa(), b = i.fb();
           return in_host_mode(h, [&] { return out(a + b); });
         },
         F, fuzzy},
        {"v_mul_f32_e32 v10, v1, v2",
         [=](const In& i) {
           volatile float a = i.fa(), b = i.fb();
           return in_host_mode(h, [&] { return out(a * b); });
         },
         F, fuzzy},
        {"v_fma_f32 v10, v1, v2, v3",
         [=](const In& i) {
           volatile float a = i.fa(), b = i.fb(), c = i.fc();
           return in_host_mode(h, [&] { return out(std::fma(float{a}, float{b}, float{c})); });
         },
         F, fuzzy},
        {"v_cvt_f32_i32_e32 v10, v1",
         [=](const In& i) {
           volatile int a = static_cast<int>(i.a);
           return in_host_mode(h, [&] { return out(static_cast<float>(a)); });
         }},
    };
    check_rows(rows, hip_mode | m);
    const Row wide[] = {
        {"v_mul_f64 v[10:11], v[4:5], v[6:7]",
         [=](const In& i) {
           volatile double a = i.dA(), b = i.dB();
           return in_host_mode(h, [&] { return out(a * b); });
         },
         D, fuzzy},
        {"v_add_f64 v[10:11], v[4:5], v[6:7]",
         [=](const In& i) {
           volatile double a = i.dA(), b = i.dB();
           return in_host_mode(h, [&] { return out(a + b); });
         },
         D, fuzzy},
        {"v_add_f32_e32 v10, v1, v2", [](const In& i) { return out(i.fa() + i.fb()); }, F, fuzzy},
    };
    check_rows(wide, hip_mode | m << 2);
  }
}

/// One instruction on chosen inputs: registers v1, v2, v3 in, v10 out, the same in all lanes.
u64 one_on(Target target, const std::string& text, std::uint32_t mode_bits, u64 a, u64 b, u64 c) {
  InstructionBench bench(target, {text});
  Wave& w = bench.wave();
  w.mode = mode_bits;
  for (unsigned l = 0; l < lanes; ++l) {
    w.vgpr[1][l] = static_cast<u32>(a), w.vgpr[2][l] = static_cast<u32>(b),
    w.vgpr[3][l] = static_cast<u32>(c);
    w.vgpr[10][l] = 0xaaaa5555;
  }
  bench.run(0);
  return w.vgpr[10][7];
}

/// The same on both targets, which must agree.
u64 one(const std::string& text, std::uint32_t mode_bits, u64 a, u64 b = 0, u64 c = 0) {
  const u64 on942 = one_on(Target::gfx942, text, mode_bits, a, b, c);
  const u64 on950 = one_on(Target::gfx950, text, mode_bits, a, b, c);
  EXPECT_EQ(on942, on950) << text << ": the targets differ";
  return on942;
}

TEST(Mode, RoundsHalvesInEveryMode) {
  // 1 + 2^-11 is half way between 1 and the next half; 1 + 2^-10 is the next.
  const u64 tie = 0x3f801000;
  const auto convert = [](u64 f, unsigned round) {
    return one("v_cvt_f16_f32_e32 v10, v1", hip_mode | round << 2, f);
  };
  EXPECT_EQ(convert(tie, 0), 0x3c00u);
  EXPECT_EQ(convert(tie, 1), 0x3c01u);
  EXPECT_EQ(convert(tie, 2), 0x3c00u);
  EXPECT_EQ(convert(tie, 3), 0x3c00u);
  EXPECT_EQ(convert(tie | 1u << 31, 1), 0xbc00u);
  EXPECT_EQ(convert(tie | 1u << 31, 2), 0xbc01u);
  EXPECT_EQ(convert(0x3f803000, 0), 0x3c02u) << "a tie above an odd half goes up";
  EXPECT_EQ(convert(0x477fefff, 0), 0x7bffu) << "just below the overflow threshold 65520";
  EXPECT_EQ(convert(0x477ff000, 0), 0x7c00u) << "65520 rounds to infinity";
  EXPECT_EQ(convert(0x477ff000, 3), 0x7bffu) << "towards zero there is no overflow";
  EXPECT_EQ(convert(0x33000000, 0), 0x0000u) << "2^-25 is half of the smallest denormal: to even";
  EXPECT_EQ(convert(0x33000001, 0), 0x0001u);
  EXPECT_EQ(convert(0x33000000, 1), 0x0001u);
  EXPECT_EQ(convert(0x387fe000, 0), 0x0400u) << "a denormal that rounds to the smallest normal";
  EXPECT_EQ(one("v_cvt_f16_f32_e32 v10, v1", hip_mode | mode::fp16_ovfl, 0x47800000), 0x7bffu) << "FP16_OVFL";
  EXPECT_EQ(one("v_cvt_f16_f32_e32 v10, v1", hip_mode | mode::fp16_ovfl, 0x7f800000), 0x7c00u)
      << "a true infinity stays";
  EXPECT_EQ(one("v_cvt_f16_f32_e32 v10, v1", hip_mode, 0x7f812345) & 0x7e00, 0x7e00u)
      << "NaN comes out quiet";
}

TEST(Mode, FlushesDenormalsAsTheDenormFieldsSay) {
  const u32 keep_f32 = hip_mode, none = hip_mode & ~0xf0u, out_only = none | 0x20, in_only = none | 0x10;
  const std::string add = "v_add_f32_e32 v10, v1, v2", mul = "v_mul_f32_e32 v10, v1, v2";
  EXPECT_EQ(one(add, keep_f32, 0x00000001, 0x00000001), 0x00000002u);
  EXPECT_EQ(one(add, none, 0x00000001, 0x00000001), 0u);
  EXPECT_EQ(one(add, none, 0x80000001, 0x80000000), 0x80000000u) << "the flushed input keeps its sign";
  EXPECT_EQ(one(add, out_only, 0x00000001, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(one(mul, out_only, 0x00800000, 0x3f000000), 0x00400000u)
      << "a normal product that is denormal is kept";
  EXPECT_EQ(one(mul, in_only, 0x00800000, 0x3f000000), 0u) << "output denormals are flushed";
  EXPECT_EQ(one(mul, in_only, 0x00400000, 0x40800000), 0x01000000u) << "input denormals are read";
  EXPECT_EQ(one("v_add_f16_e32 v10, v1, v2", none, 0x0001, 0x0001), 0u);
  EXPECT_EQ(one("v_add_f16_e32 v10, v1, v2", hip_mode, 0x0001, 0x0001), 2u);
  EXPECT_EQ(one("v_max_f32_e32 v10, v1, v2", none, 0x00000001, 0x80000001), 0u) << "selections flush too";
  EXPECT_EQ(one("v_mad_f16 v10, v1, v2, v3", hip_mode, 0x0001, 0x3c00, 0x0001) & 0xffff, 0u)
      << "V_MAD_F16 flushes always";
}

TEST(Mode, ClampsToUnitInterval) {
  const std::string add = "v_add_f32_e64 v10, v1, v2 clamp";
  EXPECT_EQ(one(add, hip_mode, 0x40000000, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(one(add, hip_mode, 0xc0000000, 0x3f800000), 0u);
  EXPECT_EQ(one(add, hip_mode, 0x3e800000, 0x3e800000), 0x3f000000u);
  EXPECT_EQ(one(add, hip_mode, 0x7fc00000, 0x3e800000), 0u) << "DX10_CLAMP makes NaN 0";
  EXPECT_EQ(one(add, hip_mode & ~mode::dx10_clamp, 0x7fc00000, 0x3e800000), 0x7fc00000u);
  EXPECT_EQ(one("v_pk_mul_f16 v10, v1, v2 clamp", hip_mode, 0x40003c00, 0x3c00bc00), 0x3c000000u);
}

TEST(Mode, OutputModifierNeedsFlushedDenormalsAndNoIeeeMode) {
  const std::string doubled = "v_add_f32_e64 v10, v1, v2 mul:2";
  const u32 allowed = hip_mode & ~(mode::ieee | 0xf0u);
  EXPECT_EQ(one(doubled, allowed, 0x3f800000, 0x3f800000), 0x40800000u);
  EXPECT_EQ(one("v_add_f32_e64 v10, v1, v2 mul:4", allowed, 0x3f800000, 0x3f800000), 0x41000000u);
  EXPECT_EQ(one("v_add_f32_e64 v10, v1, v2 div:2", allowed, 0x3f800000, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(one(doubled, hip_mode, 0x3f800000, 0x3f800000), 0x40000000u) << "ignored in IEEE mode";
  EXPECT_EQ(one(doubled, hip_mode & ~mode::ieee, 0x3f800000, 0x3f800000), 0x40000000u)
      << "ignored with output denormals";
  EXPECT_EQ(one(doubled, allowed, 0x80000000, 0x80000000), 0u) << "-0 is flushed to +0";
}

TEST(Mode, FirstNanComesOutQuiet) {
  EXPECT_EQ(one("v_add_f32_e32 v10, v1, v2", hip_mode, 0x7f812345, 0xffc54321), 0x7fc12345u);
  EXPECT_EQ(one("v_add_f32_e32 v10, v1, v2", hip_mode, 0x3f800000, 0xffc54321), 0xffc54321u);
  EXPECT_EQ(one("v_mul_f32_e32 v10, v1, v2", hip_mode, 0xff800001, 0x7f800001), 0xffc00001u);
  EXPECT_EQ(one("v_fma_f32 v10, v1, v2, v3", hip_mode, 0x3f800000, 0x3f800000, 0x7f800042), 0x7fc00042u);
}

TEST(MadF16, RoundsTheProductFirst) {
  // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20: the last term is gone before -(1 + 2^-9) is added.
  EXPECT_EQ(one("v_mad_f16 v10, v1, v2, v3", hip_mode, 0x3c01, 0x3c01, 0xbc02) & 0xffff, 0u);
  EXPECT_EQ(one("v_fma_f16 v10, v1, v2, v3", hip_mode, 0x3c01, 0x3c01, 0xbc02) & 0xffff, 0x0010u)
      << "2^-20, fused";
  EXPECT_EQ(one("v_mad_f16 v10, v1, v2, v3", hip_mode, 0x3c00, 0x4000, 0x4000), 0xaaaa4400u)
      << "the high half stays";
  EXPECT_EQ(one("v_mad_legacy_f16 v10, v1, v2, v3", hip_mode, 0x3c00, 0x4000, 0x4000), 0x4400u);
  EXPECT_EQ(one("v_mac_f16_e32 v10, v1, v2", hip_mode, 0x3c00, 0x4000), 0xaaaa5575u) << "0x5555 is 85.3125";
  EXPECT_EQ(one("v_madak_f16 v10, v1, v2, 0x4000", hip_mode, 0x3c00, 0x4000), 0xaaaa4400u);
  EXPECT_EQ(one("v_madmk_f16 v10, v1, 0x4000, v3", hip_mode, 0x3c00, 0, 0x4000), 0xaaaa4400u);
}

} // namespace
} // namespace cts::emulator::testing
