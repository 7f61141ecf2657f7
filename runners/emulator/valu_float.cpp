// Vector floating-point arithmetic: sums, products, fused multiply-adds, integral parts, exponents. [CDNA3
// ISA 12.7, 12.8, 12.11]
#include "runners/emulator/valu_float.hpp"

namespace cts::emulator {
namespace {

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto subtract = [](auto a, auto b) { return a - b; };
constexpr auto subtract_reversed = [](auto a, auto b) { return b - a; };
constexpr auto multiply = [](auto a, auto b) { return a * b; };
constexpr auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
constexpr auto truncated = [](auto a) { return std::trunc(a); };
constexpr auto ceiling = [](auto a) { return std::ceil(a); };
constexpr auto floored = [](auto a) { return std::floor(a); };
/// The host rounds to nearest even unless a RoundingScope says otherwise, and there is none around this.
constexpr auto nearest = [](auto a) { return std::nearbyint(a); };

/// Integral parts are exact: no round mode applies.
template <typename T, auto F> void integral(Exec& x, const Op& op) {
  FloatMode m = float_mode<T>(x.w);
  m.round = Round::nearest_even;
  finish<T>(x, op, compute<T, F>(m, float_source<T>(x, op, 0, m)), m);
}

/// DX9: 0 times anything is 0, a NaN too. [V_MUL_LEGACY_F32]
void multiply_legacy(Exec& x, const Op& op) {
  const FloatMode m = float_mode<float>(x.w);
  const auto a = float_source<float>(x, op, 0, m);
  const auto b = float_source<float>(x, op, 1, m);
  auto product = compute<float, multiply>(m, a, b);
  for (unsigned l = 0; l < lanes; ++l)
    if (a[l] == 0 || b[l] == 0) product[l] = 0;
  finish<float>(x, op, product, m);
}

/// x - floor(x), less than 1 however it rounds. [V_FRACT: "result clamped to 0x3f7fffff"]
template <typename T> void fraction(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  auto bits = narrow_lanes<T>(
      compute<T, [](auto a) { return a + -std::floor(a); }>(m, float_source<T>(x, op, 0, m)), m);
  for (unsigned l = 0; l < lanes; ++l)
    if (!is_nan<T>(bits[l]) && (bits[l] & Format<T>::sign) == 0)
      bits[l] = std::min(bits[l], static_cast<BitsOf<T>>(Format<T>::one - 1));
  finish_bits<T>(x, op, bits, m);
}

/// A multiply-add that rounds its product before it adds, denormals flushed throughout. [V_MAD_F16]
Lanes<double> unfused(const Lanes<double>& a, const Lanes<double>& b, const Lanes<double>& c,
                      const FloatMode& m) {
  Lanes<double> out;
  for (unsigned l = 0; l < lanes; ++l) {
    const double product =
        settled(widened(Half{flushed<Half>(narrow(a[l] * b[l], m.round, m.fp16_ovfl).bits)}), a[l], b[l]);
    out[l] = settled(product + c[l], product, c[l]);
  }
  return out;
}

FloatMode flushing_mode(const Exec& x) {
  FloatMode m = float_mode<Half>(x.w);
  m.keep_inputs = m.keep_outputs = false;
  return m;
}

template <OtherHalf Other> void multiply_add_half(Exec& x, const Op& op) {
  const FloatMode m = flushing_mode(x);
  const auto s = [&](unsigned i) { return float_source<Half>(x, op, i, m); };
  finish<Half>(x, op, unfused(s(0), s(1), s(2), m), m, Other);
}

void multiply_add_half_onto(Exec& x, const Op& op) {
  const FloatMode m = flushing_mode(x);
  const auto old = wide_lanes<Half>(float_bits(result<Half>(x, op), m));
  finish<Half>(x, op, unfused(float_source<Half>(x, op, 0, m), float_source<Half>(x, op, 1, m), old, m), m,
               OtherHalf::keep);
}

/// V_FMAMK: the literal is the second source, the addend the third; as written in the listing.
void bind_literal(Op& op, Target) { check_modifiers(op, take::whole); }

/// S0 * 2^S1, rounded once. Exponents beyond the format's reach are cut, so that double holds a half's
/// result.
template <typename T, typename Integer> void scale_by_power(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto a = float_source<T>(x, op, 0, m);
  const auto e = source<Integer>(x, op, 1);
  Lanes<Wide<T>> out;
  {
    const RoundingScope scope(std::is_same_v<T, Half> ? Round::nearest_even : m.round);
    for (unsigned l = 0; l < lanes; ++l) {
      const int by =
          std::clamp<int>(e[l], std::is_same_v<T, Half> ? -200 : -5000, std::is_same_v<T, Half> ? 200 : 5000);
      out[l] = settled(std::ldexp(a[l], by), a[l]);
    }
  }
  finish<T>(x, op, out, m);
}

/// Exponent that makes the significand lie in [0.5, 1); 0 for zeros, infinities and NaNs.
template <typename T, typename Integer> void exponent_of(Exec& x, const Op& op) {
  const auto a = float_source<T>(x, op, 0, float_mode<T>(x.w));
  Lanes<Integer> out;
  for (unsigned l = 0; l < lanes; ++l) {
    int e = 0;
    if (std::isfinite(a[l])) std::frexp(a[l], &e);
    out[l] = static_cast<Integer>(e);
  }
  write_as(x, op, out, OtherHalf::zero);
}

constexpr auto significand = [](auto a) {
  int e = 0;
  return std::isfinite(a) ? std::frexp(a, &e) : a;
};

/// 64 bits moved; as a double it may be negated. [V_MOV_B64]
void move64(Exec& x, const Op& op) {
  const bool as_float = op.src[0].negate || op.src[0].absolute;
  write(x, op,
        as_float ? std::bit_cast<Lanes<std::uint64_t>>(source<double>(x, op, 0))
                 : source<std::uint64_t>(x, op, 0));
}

} // namespace

std::vector<Semantics> valu_float() {
  constexpr auto real = permit<take::real>;
  constexpr auto halves = permit<take::real | take::op_sel>;
  constexpr auto keep = OtherHalf::keep;
  constexpr Unit u = Unit::valu;
  return {
      {"v_add_f32", floating<float, 2, add>, u, 1, real},
      {"v_sub_f32", floating<float, 2, subtract>, u, 1, real},
      {"v_subrev_f32", floating<float, 2, subtract_reversed>, u, 1, real},
      {"v_mul_f32", floating<float, 2, multiply>, u, 1, real},
      {"v_mul_legacy_f32", multiply_legacy, u, 1, real},
      {"v_fma_f32", floating<float, 3, fused>, u, 1, real},
      {"v_fmac_f32", floating_onto<float, fused>, u, 1, real, true},
      {"v_fmaak_f32", floating<float, 3, fused>, u, 1, bind_literal},
      {"v_fmamk_f32", floating<float, 3, fused>, u, 1, bind_literal},
      {"v_add_f64", floating<double, 2, add>, u, 1, real},
      {"v_mul_f64", floating<double, 2, multiply>, u, 1, real},
      {"v_fma_f64", floating<double, 3, fused>, u, 1, real},
      {"v_fmac_f64", floating_onto<double, fused>, u, 1, real, true},
      {"v_mov_b64", move64, u, 1, permit<take::negate>},
      {"v_add_f16", floating<Half, 2, add>, u, 1, real},
      {"v_sub_f16", floating<Half, 2, subtract>, u, 1, real},
      {"v_subrev_f16", floating<Half, 2, subtract_reversed>, u, 1, real},
      {"v_mul_f16", floating<Half, 2, multiply>, u, 1, real},
      {"v_fma_f16", floating<Half, 3, fused, keep>, u, 1, halves, true},
      {"v_fma_legacy_f16", floating<Half, 3, fused>, u, 1, halves},
      {"v_mad_f16", multiply_add_half<keep>, u, 1, halves, true},
      {"v_mad_legacy_f16", multiply_add_half<OtherHalf::zero>, u, 1, halves},
      {"v_mac_f16", multiply_add_half_onto, u, 1, real, true},
      {"v_madak_f16", multiply_add_half<keep>, u, 1, bind_literal, true},
      {"v_madmk_f16", multiply_add_half<keep>, u, 1, bind_literal, true},

      {"v_trunc_f32", integral<float, truncated>, u, 1, real},
      {"v_ceil_f32", integral<float, ceiling>, u, 1, real},
      {"v_floor_f32", integral<float, floored>, u, 1, real},
      {"v_rndne_f32", integral<float, nearest>, u, 1, real},
      {"v_fract_f32", fraction<float>, u, 1, real},
      {"v_trunc_f64", integral<double, truncated>, u, 1, real},
      {"v_ceil_f64", integral<double, ceiling>, u, 1, real},
      {"v_floor_f64", integral<double, floored>, u, 1, real},
      {"v_rndne_f64", integral<double, nearest>, u, 1, real},
      {"v_fract_f64", fraction<double>, u, 1, real},
      {"v_trunc_f16", integral<Half, truncated>, u, 1, real},
      {"v_ceil_f16", integral<Half, ceiling>, u, 1, real},
      {"v_floor_f16", integral<Half, floored>, u, 1, real},
      {"v_rndne_f16", integral<Half, nearest>, u, 1, real},
      {"v_fract_f16", fraction<Half>, u, 1, real},

      {"v_ldexp_f32", scale_by_power<float, std::int32_t>, u, 1, real},
      {"v_ldexp_f64", scale_by_power<double, std::int32_t>, u, 1, real},
      {"v_ldexp_f16", scale_by_power<Half, std::int16_t>, u, 1, real},
      {"v_frexp_exp_i32_f32", exponent_of<float, std::int32_t>, u, 1, permit<take::negate>},
      {"v_frexp_exp_i32_f64", exponent_of<double, std::int32_t>, u, 1, permit<take::negate>},
      {"v_frexp_exp_i16_f16", exponent_of<Half, std::int16_t>, u, 1, permit<take::negate>},
      {"v_frexp_mant_f32", integral<float, significand>, u, 1, real},
      {"v_frexp_mant_f64", integral<double, significand>, u, 1, real},
      {"v_frexp_mant_f16", integral<Half, significand>, u, 1, real},
  };
}

} // namespace cts::emulator
