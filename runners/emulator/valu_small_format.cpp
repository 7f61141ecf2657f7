#include "runners/emulator/small_float.hpp"

#include "runners/emulator/fault.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cts::emulator {
namespace {

using Specials = SmallFloat::Specials;

constexpr std::uint32_t sign_bit(const SmallFloat& f) { return 1u << (f.bits() - 1); }

/// Code of the largest number.
constexpr std::uint32_t largest(const SmallFloat& f) {
  const std::uint32_t all = sign_bit(f) - 1;
  switch (f.specials) {
  case Specials::fn: return all - 1;
  case Specials::ieee: return all - (1u << f.mantissa);
  default: return all;
  }
}

constexpr std::uint32_t nan_code(const SmallFloat& f, std::uint32_t sign) {
  switch (f.specials) {
  case Specials::none: return sign | largest(f);
  case Specials::fnuz: return sign_bit(f);
  case Specials::fn: return sign | (sign_bit(f) - 1);
  case Specials::ieee: return sign | (largest(f) + 1) | 1u << (f.mantissa - 1);
  }
  return 0;
}

/// What a value beyond the largest number becomes.
constexpr std::uint32_t overflow_code(const SmallFloat& f, std::uint32_t sign) {
  return f.specials == Specials::ieee ? sign | (largest(f) + 1) : nan_code(f, sign);
}

} // namespace

double decode(const SmallFloat& format, std::uint32_t code) {
  const bool negative = (code & sign_bit(format)) != 0;
  const std::uint32_t size = code & (sign_bit(format) - 1);
  if (format.specials == Specials::fnuz && negative && size == 0 && !planted(Fault::fnuz_nan_as_minus_zero))
    return std::numeric_limits<double>::quiet_NaN();
  const bool only_numbers = format.specials == Specials::ieee && planted(Fault::bf8_infinity_as_number);
  if (size > largest(format) && !only_numbers) {
    const bool infinite = format.specials == Specials::ieee && size == largest(format) + 1;
    const double special =
        infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    return negative ? -special : special;
  }
  const std::uint32_t field = size >> format.mantissa, rest = size & ((1u << format.mantissa) - 1);
  const std::uint32_t significand = field == 0 ? rest : rest | 1u << format.mantissa;
  const int exponent = std::max(static_cast<int>(field), 1) - format.bias - static_cast<int>(format.mantissa);
  const double value = std::ldexp(static_cast<double>(significand), exponent);
  if (value == 0 && planted(Fault::fp8_minus_zero_lost)) return 0;
  return negative ? -value : value;
}

std::uint32_t encode(const SmallFloat& format, double value, std::optional<std::uint32_t> random,
                     bool saturate) {
  const std::uint32_t sign = std::signbit(value) ? sign_bit(format) : 0;
  if (std::isnan(value)) return nan_code(format, sign);
  const bool stays = saturate || format.specials == Specials::none;
  std::uint32_t size = largest(format) + 1;
  if (std::isfinite(value)) {
    const double absolute = std::fabs(value);
    const int lowest = 1 - format.bias;
    const int exponent = absolute == 0 ? lowest : std::max(std::ilogb(absolute), lowest);
    const double units = std::ldexp(absolute, static_cast<int>(format.mantissa) - exponent);
    double rounded = planted(Fault::conversions_truncate) ? std::trunc(units) : std::nearbyint(units);
    if (random && !planted(Fault::stochastic_rounds_to_nearest)) {
      const unsigned spare = 23 - format.mantissa;
      rounded = std::floor(
          units + std::ldexp(static_cast<double>(*random >> (32 - spare)), -static_cast<int>(spare)));
    }
    // A normal's hidden bit adds one to the exponent field, a carry out of the mantissa another.
    const std::int64_t field = static_cast<std::int64_t>(exponent - lowest) << format.mantissa;
    size = static_cast<std::uint32_t>(
        std::min<std::int64_t>(field + static_cast<std::int64_t>(rounded), largest(format) + 1));
  }
  if (size > largest(format)) return stays ? sign | largest(format) : overflow_code(format, sign);
  if (format.specials == Specials::fnuz && size == 0) return 0;
  return sign | size;
}

} // namespace cts::emulator
