// The three steps that make an exact division of V_RCP and fused multiply-adds: scale, multiply-add, fix up.
// [CDNA3 ISA 12.11, V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP]
//
// The manual's text is followed but for three places where the sequence could not give right quotients:
// - V_DIV_FMAS scales by 2^64 (f64: 2^128) up or down, towards the range that the quotient was scaled out of,
// and
//   not by a fixed 2^32 (2^64): V_DIV_SCALE moves the quotient by 64 (128) either way.
// - V_DIV_FIXUP takes a quotient with the highest exponent (infinity, or the NaN that the steps make of it)
// for an
//   overflow; the manual tests the denominator there, whose infinities and NaNs are gone by then.
// - A denominator whose reciprocal is denormal, with a denormal quotient, is scaled down: up, it would be
// infinite.
#include "runners/emulator/valu_float.hpp"

namespace cts::emulator {
namespace {

/// How far V_DIV_SCALE moves, and the exponent distances where it does.
template <typename T> struct Steps;
template <> struct Steps<float> { static constexpr int move = 64, far = 96, tiny = 23, lost = -150; };
template <> struct Steps<double> { static constexpr int move = 128, far = 768, tiny = 53, lost = -1075; };

template <typename T> struct Scaled {
  T value;
  bool vcc;
};

/// `value` is the one to scale: the denominator or the numerator.
template <typename T> Scaled<T> scaled(T value, T denominator, T numerator) {
  constexpr int move = Steps<T>::move;
  const auto d = to_bits(denominator), n = to_bits(numerator);
  const auto denormal = [](T t) { return is_denormal<T>(to_bits(t)); };
  if (is_zero<T>(d) || is_zero<T>(n)) return {std::bit_cast<T>(default_nan<T>), false};
  const bool is_denominator = value == denominator, is_numerator = value == numerator;
  if (exponent_field<T>(n) - exponent_field<T>(d) >= Steps<T>::far)
    return {is_denominator ? std::ldexp(value, move) : value, true};
  if (denormal(denominator)) return {std::ldexp(value, move), false};
  const bool small_reciprocal = denormal(1 / denominator), small_quotient = denormal(numerator / denominator);
  if (small_reciprocal && small_quotient) return {is_denominator ? std::ldexp(value, -move) : value, true};
  if (small_reciprocal) return {std::ldexp(value, -move), false};
  if (small_quotient) return {is_numerator ? std::ldexp(value, move) : value, true};
  if (exponent_field<T>(n) <= Steps<T>::tiny) return {std::ldexp(value, move), false};
  return {value, false};
}

template <typename T> void scale(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto value = source<T>(x, op, 0);
  const auto denominator = source<T>(x, op, 1);
  const auto numerator = source<T>(x, op, 2);
  Lanes<T> out;
  Lanes<bool> vcc;
  for (unsigned l = 0; l < lanes; ++l) {
    const auto r = scaled(value[l], denominator[l], numerator[l]);
    out[l] = settled(r.value, value[l]);
    vcc[l] = r.vcc;
  }
  finish<T>(x, op, out, m);
  write_mask(x, op, 1, pack(vcc));
}

/// Exact a + b = sum + error. [Knuth]
template <typename T> struct Sum {
  T sum, error;
  Sum(T a, T b) : sum(a + b) {
    const T from_b = sum - a;
    error = (a - (sum - from_b)) + (b - from_b);
  }
};

/// Error of r = fma(a, b, c): the exact value is r + error, to twice T's precision. [Boldo and Muller]
template <typename T> T fused_error(T a, T b, T c, T r) {
  const T product = a * b, product_error = std::fma(a, b, -product);
  const Sum<T> low(c, product_error), high(product, low.sum);
  return ((high.sum - r) + high.error) + low.error;
}

/// (value + error) * 2^by, rounded once. `value` is nearest to the sum; a result that is denormal has fewer
/// bits than it.
template <typename T> T scaled_once(T value, T error, int by, Round round) {
  const T result = std::ldexp(value, by);
  if (!std::isfinite(result)) return result;
  const T lost = value - std::ldexp(result, -by); // exact: zero unless the result is denormal
  const T side = lost != 0 ? lost : error;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  switch (round) {
  case Round::nearest_even: {
    const bool tie =
        lost != 0 && std::fabs(lost) * 2 == std::ldexp(std::numeric_limits<T>::denorm_min(), -by);
    // The tie went to even; the error shows that it was none.
    if (tie && error != 0 && std::signbit(error) == std::signbit(lost))
      return std::nextafter(result, lost > 0 ? infinity : -infinity);
    return result;
  }
  case Round::up: return side > 0 ? std::nextafter(result, infinity) : result;
  case Round::down: return side < 0 ? std::nextafter(result, -infinity) : result;
  case Round::toward_zero:
    return side != 0 && std::signbit(side) != std::signbit(result) ? std::nextafter(result, T{0}) : result;
  }
  return result;
}

/// The quotient, moved back where V_DIV_SCALE had moved it (VCC).
template <typename T> void multiply_add(Exec& x, const Op& op) {
  FloatMode m = float_mode<T>(x.w);
  m.keep_inputs = true; // input denormals are not flushed
  const auto a = float_source<T>(x, op, 0, m);
  const auto b = float_source<T>(x, op, 1, m);
  const auto c = float_source<T>(x, op, 2, m);
  const LaneMask moved = x.w.pair(sreg::vcc);
  Lanes<T> out;
  for (unsigned l = 0; l < lanes; ++l) {
    if ((moved >> l & 1) == 0) {
      const RoundingScope scope(m.round);
      out[l] = std::fma(a[l], b[l], c[l]);
    } else {
      const bool large = exponent_field<T>(to_bits(c[l])) > Format<T>::bias;
      const T value = std::fma(a[l], b[l], c[l]);
      out[l] = scaled_once(value, fused_error(a[l], b[l], c[l], value),
                           large ? Steps<T>::move : -Steps<T>::move, m.round);
    }
    out[l] = settled(out[l], a[l], b[l], c[l]);
  }
  finish<T>(x, op, out, m);
}

/// A result too small for the format, as it rounds.
template <typename T> BitsOf<T> underflow(bool negative, Round round) {
  const bool away = negative ? round == Round::down : round == Round::up;
  return static_cast<BitsOf<T>>((negative ? Format<T>::sign : 0) | (away ? 1 : 0));
}

/// A result too large for it.
template <typename T> BitsOf<T> overflow(bool negative, Round round) {
  const bool inward = round == Round::toward_zero || round == (negative ? Round::up : Round::down);
  return static_cast<BitsOf<T>>((negative ? Format<T>::sign : 0) |
                                (inward ? Format<T>::infinity - 1 : Format<T>::infinity));
}

template <typename T>
BitsOf<T> fixed_up(BitsOf<T> quotient, BitsOf<T> denominator, BitsOf<T> numerator, Round round) {
  const auto sign = static_cast<BitsOf<T>>((denominator ^ numerator) & Format<T>::sign);
  if (is_nan<T>(numerator)) return quieted<T>(numerator);
  if (is_nan<T>(denominator)) return quieted<T>(denominator);
  if (is_zero<T>(denominator) && is_zero<T>(numerator)) return default_nan<T>;
  if (is_infinite<T>(denominator) && is_infinite<T>(numerator)) return default_nan<T>;
  if (is_zero<T>(denominator) || is_infinite<T>(numerator))
    return static_cast<BitsOf<T>>(sign | Format<T>::infinity);
  if (is_infinite<T>(denominator) || is_zero<T>(numerator)) return sign;
  if constexpr (!std::is_same_v<T, Half>) {
    if (exponent_field<T>(numerator) - exponent_field<T>(denominator) < Steps<T>::lost)
      return underflow<T>(sign != 0, round);
    if (magnitude<T>(quotient) >= Format<T>::infinity) return overflow<T>(sign != 0, round);
  }
  return static_cast<BitsOf<T>>(sign | magnitude<T>(quotient));
}

template <typename T, OtherHalf Other> void fix_up(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto quotient = std::bit_cast<Lanes<BitsOf<T>>>(source<T>(x, op, 0));
  const auto denominator = std::bit_cast<Lanes<BitsOf<T>>>(source<T>(x, op, 1));
  const auto numerator = std::bit_cast<Lanes<BitsOf<T>>>(source<T>(x, op, 2));
  Lanes<BitsOf<T>> out;
  for (unsigned l = 0; l < lanes; ++l)
    out[l] = fixed_up<T>(quotient[l], denominator[l], numerator[l], m.round);
  finish_bits<T>(x, op, out, m, Other);
}

void bind_multiply_add(Op& op, Target) {
  check_modifiers(op, take::real);
  note_vcc_read(op);
}

} // namespace

std::vector<Semantics> valu_division() {
  constexpr auto real = permit<take::real>;
  constexpr auto halves = permit<take::real | take::op_sel>;
  constexpr Unit u = Unit::valu;
  return {
      {"v_div_scale_f32", scale<float>, u, 2, real},
      {"v_div_scale_f64", scale<double>, u, 2, real},
      {"v_div_fmas_f32", multiply_add<float>, u, 1, bind_multiply_add},
      {"v_div_fmas_f64", multiply_add<double>, u, 1, bind_multiply_add},
      {"v_div_fixup_f32", fix_up<float, OtherHalf::zero>, u, 1, real},
      {"v_div_fixup_f64", fix_up<double, OtherHalf::zero>, u, 1, real},
      {"v_div_fixup_f16", fix_up<Half, OtherHalf::keep>, u, 1, halves, true},
      {"v_div_fixup_legacy_f16", fix_up<Half, OtherHalf::zero>, u, 1, halves},
  };
}

} // namespace cts::emulator
