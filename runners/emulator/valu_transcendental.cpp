// Reciprocals, roots, powers of two, logarithms, sines: computed in double and rounded, which is well inside
// the manual's bounds (1 ulp for f32 and f16, 2^29 ulp for f64). [CDNA3 ISA 12.8]
#include "runners/emulator/valu_float.hpp"

#include <array>
#include <numbers>

namespace cts::emulator {
namespace {

double reciprocal(double a) { return 1 / a; }
double root(double a) { return std::sqrt(a); }
double reciprocal_root(double a) { return a == 0 ? std::copysign(1 / 0.0, a) : 1 / std::sqrt(a); }
double power_of_two(double a) { return std::exp2(a); }
double logarithm(double a) { return a == 0 ? -1 / 0.0 : std::log2(a); }

/// Sine of `turns` full turns, shifted by `quarters` quarter turns; exact at multiples of a quarter turn.
double sine_of_turns(double turns, int quarters) {
  if (!std::isfinite(turns)) return std::bit_cast<double>(default_nan<double>);
  const double nearest = std::nearbyint(turns * 4);
  const double angle = (turns - nearest / 4) * 2 * std::numbers::pi; // at most an eighth of a turn
  const int quadrant = (static_cast<int>(std::fmod(nearest, 4)) + quarters) & 3;
  const double value = (quadrant & 1) != 0 ? std::cos(angle) : std::sin(angle);
  const double r = (quadrant & 2) != 0 ? -value : value;
  return r == 0 ? 0.0 : r;
}
double sine(double turns) { return turns == 0 ? turns : sine_of_turns(turns, 0); }
double cosine(double turns) { return sine_of_turns(turns, 1); }

/// Rounds a double to T's bits.
template <typename T> BitsOf<T> rounded(double value, const FloatMode& m) {
  if constexpr (std::is_same_v<T, Half>)
    return narrow(value, m.round, m.fp16_ovfl).bits;
  else
    return to_bits(static_cast<T>(value));
}

/// F of the active lanes. `Flushes`: denormals are flushed whatever MODE says.
template <typename T, auto F, bool Flushes> void function(Exec& x, const Op& op) {
  FloatMode m = float_mode<T>(x.w);
  if (Flushes) m.keep_inputs = m.keep_outputs = false;
  const auto a = float_bits(source<T>(x, op, 0), m);
  const LaneMask exec = x.w.exec();
  Lanes<BitsOf<T>> out{};
  for (unsigned l = 0; l < lanes; ++l) {
    if ((exec >> l & 1) == 0) continue;
    if (is_nan<T>(a[l])) {
      out[l] = quieted<T>(a[l]);
      continue;
    }
    const double r = F(widened(std::bit_cast<T>(a[l])));
    out[l] = std::isnan(r) ? default_nan<T> : rounded<T>(r, m);
  }
  finish_bits<T>(x, op, out, m);
}

/// 2/pi as a binary fraction, 32 bits a word from the top.
constexpr std::array<std::uint32_t, 38> two_over_pi{
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

/// 53 bits of 2/pi from bit `shift` of the fraction on; the fraction has 1201 bits.
std::uint64_t segment(int shift) {
  std::uint64_t bits = 0;
  for (int i = shift; i < shift + 53; ++i) {
    const bool bit = i < 1201 && (two_over_pi[static_cast<std::size_t>(i / 32)] >> (31 - i % 32) & 1) != 0;
    bits = bits << 1 | (bit ? 1 : 0);
  }
  return bits;
}

/// V_TRIG_PREOP_F64.
void trigonometric_segment(Exec& x, const Op& op) {
  const auto a = std::bit_cast<Lanes<std::uint64_t>>(source<double>(x, op, 0));
  const auto number = source<std::uint32_t>(x, op, 1);
  Lanes<double> out;
  for (unsigned l = 0; l < lanes; ++l) {
    const int e = exponent_field<double>(a[l]);
    const int shift = static_cast<int>(number[l] & 31) * 53 + (e > 1077 ? e - 1077 : 0);
    out[l] = std::ldexp(static_cast<double>(segment(shift)), -53 - shift + (e >= 1968 ? 128 : 0));
  }
  finish<double>(x, op, out, float_mode<double>(x.w));
}

} // namespace

std::vector<Semantics> valu_transcendental() {
  constexpr auto real = permit<take::real>;
  constexpr Unit u = Unit::trans;
  return {
      {"v_rcp_f32", function<float, reciprocal, true>, u, 1, real},
      {"v_rcp_iflag_f32", function<float, reciprocal, true>, u, 1, real},
      {"v_rsq_f32", function<float, reciprocal_root, true>, u, 1, real},
      {"v_sqrt_f32", function<float, root, true>, u, 1, real},
      {"v_exp_f32", function<float, power_of_two, true>, u, 1, real},
      {"v_log_f32", function<float, logarithm, true>, u, 1, real},
      {"v_exp_legacy_f32", function<float, power_of_two, true>, u, 1, real},
      {"v_log_legacy_f32", function<float, logarithm, true>, u, 1, real},
      {"v_sin_f32", function<float, sine, false>, u, 1, real},
      {"v_cos_f32", function<float, cosine, false>, u, 1, real},
      {"v_rcp_f64", function<double, reciprocal, false>, u, 1, real},
      {"v_rsq_f64", function<double, reciprocal_root, false>, u, 1, real},
      {"v_sqrt_f64", function<double, root, false>, u, 1, real},
      {"v_rcp_f16", function<Half, reciprocal, false>, u, 1, real},
      {"v_rsq_f16", function<Half, reciprocal_root, false>, u, 1, real},
      {"v_sqrt_f16", function<Half, root, false>, u, 1, real},
      {"v_exp_f16", function<Half, power_of_two, false>, u, 1, real},
      {"v_log_f16", function<Half, logarithm, false>, u, 1, real},
      {"v_sin_f16", function<Half, sine, false>, u, 1, real},
      {"v_cos_f16", function<Half, cosine, false>, u, 1, real},
      {"v_trig_preop_f64", trigonometric_segment, Unit::valu, 1, permit<take::real>},
  };
}

} // namespace cts::emulator
