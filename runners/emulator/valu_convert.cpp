// Conversions between integers, floats and their packed forms. [CDNA3 ISA 12.7, 12.8, 12.11]
#include "runners/emulator/valu_float.hpp"

namespace cts::emulator {
namespace {

using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;

/// An integral value, saturated; NaN gives 0.
template <typename I> I saturated(double value) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  if (value >= static_cast<double>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  return static_cast<I>(value);
}

constexpr auto toward_zero = [](auto a) { return std::trunc(a); };
constexpr auto down = [](auto a) { return std::floor(a); };
constexpr auto half_up = [](float a) { return std::floor(a + 0.5f); };

/// Float of format T to integer I, made integral by F.
template <typename T, typename I, auto F> void to_integer(Exec& x, const Op& op) {
  const auto a = float_source<T>(x, op, 0, float_mode<T>(x.w));
  Lanes<I> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = saturated<I>(static_cast<double>(F(a[l])));
  write_as(x, op, out, OtherHalf::zero);
}

/// Integer I to format T, rounded by T's mode.
template <typename I, typename T> void from_integer(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto a = source<I>(x, op, 0);
  Lanes<Wide<T>> out;
  {
    const RoundingScope scope(m.round);
    for (unsigned l = 0; l < lanes; ++l) out[l] = static_cast<Wide<T>>(a[l]);
  }
  finish<T>(x, op, out, m);
}

/// V_CVT_F32_UBYTE0 to 3.
template <unsigned Byte> void from_byte(Exec& x, const Op& op) {
  const auto a = source<u32>(x, op, 0);
  Lanes<float> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = static_cast<float>(a[l] >> (8 * Byte) & 255);
  finish<float>(x, op, out, float_mode<float>(x.w));
}

/// Between float formats: inputs by the source's mode, rounding and output by the destination's.
template <typename From, typename To> void between_floats(Exec& x, const Op& op) {
  const FloatMode to = float_mode<To>(x.w);
  const auto a = float_source<From>(x, op, 0, float_mode<From>(x.w));
  Lanes<Wide<To>> out;
  {
    const RoundingScope scope(std::is_same_v<To, Half> ? Round::nearest_even : to.round);
    for (unsigned l = 0; l < lanes; ++l) out[l] = static_cast<Wide<To>>(a[l]);
  }
  finish<To>(x, op, out, to);
}

/// V_CVT_OFF_F32_I4: a signed nibble, in sixteenths.
constexpr auto nibble = [](u32 a) { return static_cast<float>(static_cast<i32>(a << 28) >> 28) / 16; };

/// Normalised integers: [-1, 1] to ±32767, [0, 1] to 65535, nearest even.
template <typename I> I normalised(double value) {
  constexpr double top = std::numeric_limits<I>::max();
  if (std::isnan(value)) return 0;
  return static_cast<I>(std::nearbyint(std::clamp(value, std::is_signed_v<I> ? -1.0 : 0.0, 1.0) * top));
}

template <typename I> void normalise_half(Exec& x, const Op& op) {
  const auto a = float_source<Half>(x, op, 0, float_mode<Half>(x.w));
  write_as(x, op, map<I, normalised<I>>(a), OtherHalf::zero);
}

u32 packed(u32 low, u32 high) { return (low & 0xffff) | high << 16; }

/// Two sources of format T, each made 16 bits by F.
template <typename T, auto F> void pack_two(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto a = float_source<T>(x, op, 0, m);
  const auto b = float_source<T>(x, op, 1, m);
  const FloatMode half = float_mode<Half>(x.w);
  Lanes<u32> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = packed(F(a[l], half), F(b[l], half));
  write(x, op, out);
}

template <typename I>
constexpr auto normalise = [](auto a, const FloatMode&) { return static_cast<u16>(normalised<I>(a)); };

/// Two floats as halves, rounded as R whatever MODE says. [V_CVT_PKRTZ_F16_F32, CDNA4 ISA V_CVT_PK_F16_F32]
template <Round R> void pack_as_halves(Exec& x, const Op& op) {
  const FloatMode half = float_mode<Half>(x.w);
  Lanes<u16> out[2];
  for (unsigned i = 0; i < 2; ++i) {
    const auto a = float_source<float>(x, op, i, float_mode<float>(x.w));
    for (unsigned l = 0; l < lanes; ++l) out[i][l] = narrow(a[l], R, half.fp16_ovfl).bits;
    modify_results<Half>(op, out[i], half);
  }
  write(x, op, map<u32, packed>(out[0], out[1]));
}

/// The upper half of a float, nearest even; NaNs are quieted. [CDNA4 ISA V_CVT_PK_BF16_F32]
constexpr auto bfloat_of = [](float a, const FloatMode&) {
  const u32 bits = to_bits(a);
  if (is_nan<float>(bits)) return static_cast<u16>(quieted<float>(bits) >> 16);
  return static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
};

/// V_PACK_B32_F16: a move of halves, but with float modifiers.
void pack_halves(Exec& x, const Op& op) {
  const FloatMode m = float_mode<Half>(x.w);
  const auto a = float_bits(source<Half>(x, op, 0), m);
  const auto b = float_bits(source<Half>(x, op, 1), m);
  Lanes<u32> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = packed(a[l], b[l]);
  write(x, op, out);
}

template <typename I> constexpr u32 packed_saturated(std::int64_t a, std::int64_t b) {
  return static_cast<u32>(static_cast<u16>(fit<I>(a, true))) |
         static_cast<u32>(static_cast<u16>(fit<I>(b, true))) << 16;
}

/// Saturates shifted values to 8 bits and packs two. [V_ASHR_PK_I8_I32, V_ASHR_PK_U8_I32]
template <typename I> constexpr u16 packed_bytes(i32 a, i32 b, u32 shift) {
  const auto byte = [&](i32 v) {
    return static_cast<u16>(static_cast<std::uint8_t>(fit<I>(v >> (shift & 31), true)));
  };
  return static_cast<u16>(byte(a) | byte(b) << 8);
}

/// `value` truncated to 8 bits, in byte `at` of `onto`. [V_CVT_PK_U8_F32]
constexpr auto byte_into = [](float value, u32 at, u32 onto) {
  const unsigned shift = (at & 3) * 8;
  return (onto & ~(255u << shift)) | u32{saturated<std::uint8_t>(std::trunc(static_cast<double>(value)))}
                                         << shift;
};

/// The sign of a BF16 is where a half has it.
void widen_bfloat(Exec& x, const Op& op) {
  const auto a = std::bit_cast<Lanes<u16>>(source<Half>(x, op, 0));
  finish_bits<float>(x, op, map<u32, ([](u16 bits) { return u32{bits} << 16; })>(a), float_mode<float>(x.w));
}

} // namespace

std::vector<Semantics> valu_convert() {
  constexpr auto real = permit<take::real>;
  constexpr auto numeric = permit<take::clamp | take::negate>; // clamp only enables the inexact exception
  constexpr auto result_modified = permit<take::clamp | take::omod>;
  constexpr auto plain = permit<take::none>;
  constexpr auto keep = OtherHalf::keep;
  constexpr Unit u = Unit::valu;
  return {
      {"v_cvt_i32_f32", to_integer<float, i32, toward_zero>, u, 1, numeric},
      {"v_cvt_u32_f32", to_integer<float, u32, toward_zero>, u, 1, numeric},
      {"v_cvt_i32_f64", to_integer<double, i32, toward_zero>, u, 1, numeric},
      {"v_cvt_u32_f64", to_integer<double, u32, toward_zero>, u, 1, numeric},
      {"v_cvt_i16_f16", to_integer<Half, i16, toward_zero>, u, 1, numeric},
      {"v_cvt_u16_f16", to_integer<Half, u16, toward_zero>, u, 1, numeric},
      {"v_cvt_flr_i32_f32", to_integer<float, i32, down>, u, 1, numeric},
      {"v_cvt_rpi_i32_f32", to_integer<float, i32, half_up>, u, 1, numeric},
      {"v_cvt_f32_i32", from_integer<i32, float>, u, 1, result_modified},
      {"v_cvt_f32_u32", from_integer<u32, float>, u, 1, result_modified},
      {"v_cvt_f64_i32", from_integer<i32, double>, u, 1, result_modified},
      {"v_cvt_f64_u32", from_integer<u32, double>, u, 1, result_modified},
      {"v_cvt_f16_i16", from_integer<i16, Half>, u, 1, result_modified},
      {"v_cvt_f16_u16", from_integer<u16, Half>, u, 1, result_modified},
      {"v_cvt_f32_ubyte0", from_byte<0>, u, 1, result_modified},
      {"v_cvt_f32_ubyte1", from_byte<1>, u, 1, result_modified},
      {"v_cvt_f32_ubyte2", from_byte<2>, u, 1, result_modified},
      {"v_cvt_f32_ubyte3", from_byte<3>, u, 1, result_modified},
      {"v_cvt_f32_f64", between_floats<double, float>, u, 1, real},
      {"v_cvt_f64_f32", between_floats<float, double>, u, 1, real},
      {"v_cvt_f16_f32", between_floats<float, Half>, u, 1, real},
      {"v_cvt_f32_f16", between_floats<Half, float>, u, 1, real},
      {"v_cvt_off_f32_i4", lanewise<nibble>, u, 1, plain},
      {"v_cvt_norm_i16_f16", normalise_half<i16>, u, 1, permit<take::negate>},
      {"v_cvt_norm_u16_f16", normalise_half<u16>, u, 1, permit<take::negate>},
      {"v_cvt_pknorm_i16_f32", pack_two<float, normalise<i16>>, u, 1, permit<take::negate>},
      {"v_cvt_pknorm_u16_f32", pack_two<float, normalise<u16>>, u, 1, permit<take::negate>},
      {"v_cvt_pknorm_i16_f16", pack_two<Half, normalise<i16>>, u, 1, permit<take::negate | take::op_sel>},
      {"v_cvt_pknorm_u16_f16", pack_two<Half, normalise<u16>>, u, 1, permit<take::negate | take::op_sel>},
      {"v_cvt_pkrtz_f16_f32", pack_as_halves<Round::toward_zero>, u, 1, real},
      {"v_cvt_pk_f16_f32", pack_as_halves<Round::nearest_even>, u, 1, permit_gfx950<take::real>},
      {"v_cvt_pk_bf16_f32", pack_two<float, bfloat_of>, u, 1, permit_gfx950<take::negate>},
      {"v_cvt_f32_bf16", widen_bfloat, u, 1, permit_gfx950<take::real>},
      {"v_cvt_pk_u16_u32", lanewise<([](u32 a, u32 b) { return packed_saturated<u16>(a, b); })>, u, 1, plain},
      {"v_cvt_pk_i16_i32", lanewise<([](i32 a, i32 b) { return packed_saturated<i16>(a, b); })>, u, 1, plain},
      {"v_sat_pk_u8_i16", lanewise<([](u32 a) {
         return packed_bytes<std::uint8_t>(static_cast<i16>(a), static_cast<i16>(a >> 16), 0);
       })>,
       u, 1, plain},
      {"v_ashr_pk_i8_i32",
       lanewise<([](i32 a, i32 b, u32 c) { return packed_bytes<std::int8_t>(a, b, c); }), keep>, u, 1,
       permit_gfx950<take::op_sel>, true},
      {"v_ashr_pk_u8_i32",
       lanewise<([](i32 a, i32 b, u32 c) { return packed_bytes<std::uint8_t>(a, b, c); }), keep>, u, 1,
       permit_gfx950<take::op_sel>, true},
      {"v_cvt_pk_u8_f32", lanewise<byte_into>, u, 1, permit<take::negate>},
      {"v_cvt_pkaccum_u8_f32", lanewise_onto<byte_into>, u, 1, permit<take::negate>, true},
      {"v_pack_b32_f16", pack_halves, u, 1, permit<take::negate | take::op_sel>},
  };
}

} // namespace cts::emulator
