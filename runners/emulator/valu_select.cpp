// Minimum, maximum and median of floats: they choose one of their inputs, so they work on bits. [CDNA3
// ISA 12.7, 12.11]
#include "runners/emulator/valu_float.hpp"

namespace cts::emulator {
namespace {

/// Unsigned order of the bits of non-NaN values, -0 below +0.
template <typename T> constexpr BitsOf<T> order(BitsOf<T> bits) {
  return static_cast<BitsOf<T>>((bits & Format<T>::sign) != 0 ? ~bits : bits | Format<T>::sign);
}

/// V_MIN and V_MAX: a number wins over a NaN; in IEEE mode a signaling NaN wins over everything, quieted.
template <typename T, bool Max> constexpr BitsOf<T> chosen(BitsOf<T> a, BitsOf<T> b, bool ieee) {
  const bool second = (order<T>(a) < order<T>(b)) == Max;
  BitsOf<T> r = second ? b : a;
  r = is_nan<T>(b) ? a : r;
  r = is_nan<T>(a) ? b : r;
  r = ieee && is_signaling<T>(b) ? quieted<T>(b) : r;
  return ieee && is_signaling<T>(a) ? quieted<T>(a) : r;
}

/// IEEE 754-2019 minimum() and maximum(): any NaN wins, quieted. [CDNA4 ISA V_MINIMUM3_F32]
template <typename T, bool Max> constexpr BitsOf<T> chosen_with_nan(BitsOf<T> a, BitsOf<T> b) {
  if (is_nan<T>(a)) return quieted<T>(a);
  if (is_nan<T>(b)) return quieted<T>(b);
  return (order<T>(a) < order<T>(b)) == Max ? b : a;
}

template <typename T, bool Max>
constexpr BitsOf<T> chosen3(BitsOf<T> a, BitsOf<T> b, BitsOf<T> c, bool ieee) {
  return chosen<T, Max>(chosen<T, Max>(a, b, ieee), c, ieee);
}

/// With a NaN the minimum of the three, as the ISA says.
template <typename T> constexpr BitsOf<T> median(BitsOf<T> a, BitsOf<T> b, BitsOf<T> c, bool ieee) {
  if (is_nan<T>(a) || is_nan<T>(b) || is_nan<T>(c)) return chosen3<T, false>(a, b, c, ieee);
  const BitsOf<T> top = chosen3<T, true>(a, b, c, ieee);
  const auto equal = [](BitsOf<T> p, BitsOf<T> q) { return p == q || (is_zero<T>(p) && is_zero<T>(q)); };
  if (equal(top, a)) return chosen<T, true>(b, c, ieee);
  if (equal(top, b)) return chosen<T, true>(a, c, ieee);
  return chosen<T, true>(a, b, ieee);
}

template <typename T> Lanes<BitsOf<T>> bits_of(const Exec& x, const Op& op, unsigned i, const FloatMode& m) {
  return float_bits(source<T>(x, op, i), m);
}

template <typename T, bool Max> void choose(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto a = bits_of<T>(x, op, 0, m);
  const auto b = bits_of<T>(x, op, 1, m);
  Lanes<BitsOf<T>> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = chosen<T, Max>(a[l], b[l], m.ieee);
  finish_bits<T>(x, op, out, m);
}

template <typename T, auto F> void choose3(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto a = bits_of<T>(x, op, 0, m);
  const auto b = bits_of<T>(x, op, 1, m);
  const auto c = bits_of<T>(x, op, 2, m);
  Lanes<BitsOf<T>> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = F(a[l], b[l], c[l], m.ieee);
  finish_bits<T>(x, op, out, m, OtherHalf::keep);
}

template <typename T, bool Max>
constexpr auto extreme_with_nan = [](BitsOf<T> a, BitsOf<T> b, BitsOf<T> c, bool) {
  return chosen_with_nan<T, Max>(chosen_with_nan<T, Max>(a, b), c);
};

} // namespace

std::uint16_t minimum_half(std::uint16_t a, std::uint16_t b, bool ieee) {
  return chosen<Half, false>(a, b, ieee);
}
std::uint16_t maximum_half(std::uint16_t a, std::uint16_t b, bool ieee) {
  return chosen<Half, true>(a, b, ieee);
}
std::uint16_t minimum3_half(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return extreme_with_nan<Half, false>(a, b, c, true);
}
std::uint16_t maximum3_half(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return extreme_with_nan<Half, true>(a, b, c, true);
}

std::vector<Semantics> valu_select() {
  constexpr auto real = permit<take::real>;
  constexpr auto halves = permit<take::real | take::op_sel>;
  constexpr Unit u = Unit::valu;
  return {
      {"v_min_f32", choose<float, false>, u, 1, real},
      {"v_max_f32", choose<float, true>, u, 1, real},
      {"v_min_f64", choose<double, false>, u, 1, real},
      {"v_max_f64", choose<double, true>, u, 1, real},
      {"v_min_f16", choose<Half, false>, u, 1, real},
      {"v_max_f16", choose<Half, true>, u, 1, real},
      {"v_min3_f32", choose3<float, chosen3<float, false>>, u, 1, real},
      {"v_max3_f32", choose3<float, chosen3<float, true>>, u, 1, real},
      {"v_med3_f32", choose3<float, median<float>>, u, 1, real},
      {"v_min3_f16", choose3<Half, chosen3<Half, false>>, u, 1, halves, true},
      {"v_max3_f16", choose3<Half, chosen3<Half, true>>, u, 1, halves, true},
      {"v_med3_f16", choose3<Half, median<Half>>, u, 1, halves, true},
      {"v_minimum3_f32", choose3<float, extreme_with_nan<float, false>>, u, 1, permit_gfx950<take::real>},
      {"v_maximum3_f32", choose3<float, extreme_with_nan<float, true>>, u, 1, permit_gfx950<take::real>},
  };
}

} // namespace cts::emulator
