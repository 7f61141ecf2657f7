#include "runners/emulator/matrix_numbers.hpp"

#include "runners/emulator/fault.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace cts::emulator {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Normalises a value (normal as a double) whose smallest normal exponent is `min_exponent`.
Number number(double value, int min_exponent) {
  const int field = static_cast<int>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff);
  if (field == 0 || field == 0x7ff) return {value, value, field == 0 ? -126 : 128};
  const int exponent = std::max(field - 1023, min_exponent);
  return {value, value * power_of_two(-exponent), exponent};
}

/// Towards zero, for |x| < 2^62: a conversion, since a call for each product is what takes the time.
double truncated(double x) {
  if (planted(Fault::mfma_products_rounded)) return std::nearbyint(x);
  return static_cast<double>(static_cast<std::int64_t>(x));
}

/// Sign, exponent and fraction fields of a small format without special codes.
double fields(unsigned raw, unsigned exponent_bits, unsigned fraction_bits, int bias) {
  const unsigned fraction = raw & ((1u << fraction_bits) - 1);
  const unsigned exponent = (raw >> fraction_bits) & ((1u << exponent_bits) - 1);
  const bool negative = ((raw >> (fraction_bits + exponent_bits)) & 1) != 0;
  const double magnitude =
      exponent == 0 ? std::ldexp(static_cast<double>(fraction), 1 - bias - static_cast<int>(fraction_bits))
                    : std::ldexp(static_cast<double>(fraction + (1u << fraction_bits)),
                                 static_cast<int>(exponent) - bias - static_cast<int>(fraction_bits));
  return negative ? -magnitude : magnitude;
}

/// What FNUZ makes of 0x80.
double no_minus_zero() { return planted(Fault::fnuz_nan_as_minus_zero) ? -0.0 : nan; }

/// E4M3 and E5M2: FNUZ (0x80 is the only NaN, no infinity, no -0) or OCP.
double fp8(unsigned raw, bool fnuz) {
  if (fnuz) return raw == 0x80 ? no_minus_zero() : fields(raw, 4, 3, 8);
  return (raw & 0x7f) == 0x7f ? nan : fields(raw, 4, 3, 7);
}
double bf8(unsigned raw, bool fnuz) {
  if (fnuz) return raw == 0x80 ? no_minus_zero() : fields(raw, 5, 2, 16);
  if ((raw & 0x7c) == 0x7c && !planted(Fault::bf8_infinity_as_number))
    return (raw & 3) != 0 ? nan : (raw & 0x80) != 0 ? -infinity : infinity;
  return fields(raw, 5, 2, 15);
}

float f32(std::uint64_t raw) { return std::bit_cast<float>(static_cast<std::uint32_t>(raw)); }

struct Sum {
  double significand;
  int exponent;
};

/// Sum of products from `first` in steps of `step`, each truncated to 24 fraction bits below the largest
/// exponent.
Sum sum_products(std::span<const Number> a, std::span<const Number> b, unsigned first, unsigned step) {
  int largest = std::numeric_limits<int>::min();
  for (std::size_t k = first; k < a.size(); k += step)
    largest = std::max(largest, a[k].exponent + b[k].exponent);
  double sum = 0; // in units of 2^-24
  for (std::size_t k = first; k < a.size(); k += step) {
    const int shift = 24 + a[k].exponent + b[k].exponent - largest;
    if (shift > -64) sum += truncated(a[k].significand * b[k].significand * power_of_two(shift));
  }
  return {sum * power_of_two(-24), largest};
}

double floor_at(double significand, int fraction_bits, int shift) {
  const double scaled = shift + fraction_bits > -1000 ? significand * power_of_two(fraction_bits + shift)
                        : significand < 0             ? -std::numeric_limits<double>::denorm_min()
                                                      : 0.0;
  return floored(scaled) * power_of_two(-fraction_bits);
}

} // namespace

int lowest_exponent(Element e, Target target) {
  const int fnuz = target == Target::gfx942 ? 1 : 0;
  switch (e) {
  case Element::fp8: return -6 - fnuz;
  case Element::bf8: return -14 - fnuz;
  case Element::bf6: return -2;
  default: return 0; // FP6 and FP4
  }
}

const float* code_values(Element e, Target target) {
  using Values = std::array<float, 256>;
  const auto all = [](auto value) {
    Values values;
    for (unsigned code = 0; code < 256; ++code) values[code] = static_cast<float>(value(code));
    return values;
  };
  static const std::array fp8_values{all([](unsigned c) { return fp8(c, true); }),
                                     all([](unsigned c) { return fp8(c, false); })};
  static const std::array bf8_values{all([](unsigned c) { return bf8(c, true); }),
                                     all([](unsigned c) { return bf8(c, false); })};
  static const Values fp6_values = all([](unsigned c) { return fields(c, 2, 3, 1); });
  static const Values bf6_values = all([](unsigned c) { return fields(c, 3, 2, 3); });
  static const Values fp4_values = all([](unsigned c) { return fields(c, 2, 1, 1); });
  const std::size_t ocp = target == Target::gfx942 ? 0 : 1;
  switch (e) {
  case Element::fp8: return fp8_values[ocp].data();
  case Element::bf8: return bf8_values[ocp].data();
  case Element::fp6: return fp6_values.data();
  case Element::bf6: return bf6_values.data();
  default: return fp4_values.data();
  }
}

Number decode(Element e, Target target, std::uint64_t raw) {
  const auto bits = static_cast<unsigned>(raw);
  switch (e) {
  case Element::f16:
    return number(static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits))), -14);
  case Element::bf16: return number(f32(raw << 16), -126);
  case Element::xf32: return number(f32(raw & 0xffffe000u), -126);
  case Element::f32: return number(f32(raw), -126);
  case Element::fp8:
  case Element::bf8:
  case Element::fp6:
  case Element::bf6:
  case Element::fp4: return number(code_values(e, target)[bits & 0xff], lowest_exponent(e, target));
  default: return {};
  }
}

float accumulated(double sum) {
  const auto nearest = static_cast<float>(sum);
  if (planted(Fault::mfma_sum_truncated) && std::fabs(static_cast<double>(nearest)) > std::fabs(sum))
    return std::nextafter(nearest, 0.0f);
  return nearest;
}

float fused_group(std::span<const Number> a, std::span<const Number> b, float acc, bool split) {
  double plain = 0;
  bool plus = false, minus = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double product = a[k].value * b[k].value;
    plain += product;
    plus |= product >= 0x1p128;
    minus |= product <= -0x1p128;
  }
  plain += static_cast<double>(acc);
  if (!std::isfinite(plain)) return static_cast<float>(plain);
  if (plus && minus) return std::numeric_limits<float>::quiet_NaN();
  if (plus || minus)
    return plus ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();

  const Number c = number(acc, -126);
  Sum sum{};
  if (split) {
    const Sum even = sum_products(a, b, 0, 2), odd = sum_products(a, b, 1, 2);
    sum.exponent = std::max(even.exponent, odd.exponent);
    sum.significand = floor_at(even.significand, 24, even.exponent - sum.exponent) +
                      floor_at(odd.significand, 24, odd.exponent - sum.exponent);
  } else {
    sum = sum_products(a, b, 0, 1);
  }
  const int exponent = std::max(sum.exponent, c.exponent);
  const double products = floor_at(sum.significand, 31, sum.exponent - exponent);
  const bool c_counts = !split || c.exponent >= exponent - 25;
  const double addend = c_counts ? floor_at(c.significand, 24, c.exponent - exponent) : 0.0;
  return accumulated((products + addend) * power_of_two(exponent));
}

unsigned group_size(Element e, unsigned k) {
  if (e == Element::xf32) return std::min(4u, k);
  if (bits_of(e) == 16) return std::min(8u, k);
  return std::min(16u, k);
}

} // namespace cts::emulator
