#include "reference/formats.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cts::reference {
namespace {

constexpr int f32_mantissa_bits = descriptor(Format::f32).mantissa_bits;

/// `digits` (at least 0) as a whole number.
double whole(double digits, Rounding rounding) {
  switch (rounding) {
  case Rounding::nearest_even:
    return std::nearbyint(digits); // in the mode that every C++ program starts with
  case Rounding::toward_zero: return std::floor(digits);
  case Rounding::away_from_zero: return std::ceil(digits);
  }
  throw Error("rounding {} is none of reference::Rounding", static_cast<int>(rounding));
}

/// The code that a finite magnitude has, or would have if the exponent field went on: codes follow each other
/// as values do, so a mantissa that rounds up to 2 carries into the exponent by itself.
std::uint64_t unbounded_code(const Descriptor& d, double magnitude, Rounding rounding) {
  const int exponent = stored_exponent(d, magnitude);
  double digits = whole(std::ldexp(magnitude, d.mantissa_bits - exponent), rounding);
  if (d.scale) digits = std::max(digits, 1.0) - 1; // field 0 has its leading 1 as well
  return (static_cast<std::uint64_t>(exponent - d.smallest_exponent()) << d.mantissa_bits) +
         static_cast<std::uint64_t>(digits);
}

void expect_fits(const Descriptor& d, std::uint64_t code) {
  if ((code & ~(d.magnitude_mask() | d.sign_bit())) != 0)
    throw Error("{:#x} is no code of {}, which has {} bits", code, d.name, d.bits());
}

} // namespace

std::optional<Format> parse_format(std::string_view text) {
  const auto found = std::ranges::find(all_formats, text, [](Format format) { return name(format); });
  return found == all_formats.end() ? std::nullopt : std::optional(*found);
}

Format format_of(Type type, Target target) {
  const bool fnuz = target == Target::gfx942;
  switch (type) {
  case Type::f64: return Format::f64;
  case Type::f32:
  case Type::xf32: return Format::f32;
  case Type::f16: return Format::f16;
  case Type::bf16: return Format::bf16;
  case Type::fp8: return fnuz ? Format::e4m3fnuz : Format::e4m3fn;
  case Type::bf8: return fnuz ? Format::e5m2fnuz : Format::e5m2;
  case Type::fp6: return Format::e2m3fn;
  case Type::bf6: return Format::e3m2fn;
  case Type::fp4: return Format::e2m1fn;
  case Type::i32:
  case Type::i8: break;
  }
  throw Error("{} is no float type", name(type));
}

bool is_nan(Format format, std::uint64_t code) {
  const Descriptor& d = descriptor(format);
  expect_fits(d, code);
  const std::uint64_t magnitude = code & d.magnitude_mask();
  switch (d.specials) {
  case Specials::ieee: return magnitude > d.infinity_code();
  case Specials::fn: return magnitude > d.largest_code();
  case Specials::fnuz: return code == d.sign_bit();
  case Specials::finite: return false;
  }
  throw Error("{} has unknown special codes", d.name);
}

int stored_exponent(const Descriptor& d, double value) {
  return value == 0 ? d.smallest_exponent() : std::max(std::ilogb(value), d.smallest_exponent());
}

double decode(Format format, std::uint64_t code) {
  const Descriptor& d = descriptor(format);
  const bool nan = is_nan(format, code);
  const double sign = (code & d.sign_bit()) != 0 ? -1 : 1;
  const std::uint64_t magnitude = code & d.magnitude_mask();
  if (nan) return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (magnitude > d.largest_code()) return sign * std::numeric_limits<double>::infinity();
  const std::uint64_t one = 1ULL << d.mantissa_bits;
  const auto field = static_cast<int>(magnitude >> d.mantissa_bits);
  const std::uint64_t digits = magnitude % one + (field != 0 || d.scale ? one : 0);
  const int exponent = std::max(field - d.bias, d.smallest_exponent());
  return sign * std::ldexp(static_cast<double>(digits), exponent - d.mantissa_bits);
}

std::uint64_t nan_code(Format format, bool negative) {
  const Descriptor& d = descriptor(format);
  const std::uint64_t sign = negative ? d.sign_bit() : 0;
  switch (d.specials) {
  case Specials::ieee: return sign | d.infinity_code() | 1ULL << (d.mantissa_bits - 1);
  case Specials::fn:
  case Specials::finite: return sign | d.magnitude_mask();
  case Specials::fnuz: return d.sign_bit();
  }
  throw Error("{} has unknown special codes", d.name);
}

std::uint64_t encode(Format format, double value, Rounding rounding, Overflow overflow) {
  const Descriptor& d = descriptor(format);
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return nan_code(format, negative);
  const std::uint64_t sign = negative ? d.sign_bit() : 0;
  if (std::isfinite(value)) {
    const std::uint64_t magnitude = unbounded_code(d, std::fabs(value), rounding);
    if (magnitude == 0 && d.specials == Specials::fnuz) return 0;
    if (magnitude <= d.largest_code()) return sign | magnitude;
  }
  const bool stays_infinite = std::isinf(value) && d.bits() >= 16;
  if (overflow == Overflow::saturate && !stays_infinite) return sign | d.largest_code();
  // A format without special codes gets its largest number here as well.
  return d.specials == Specials::ieee ? sign | d.infinity_code() : nan_code(format, negative);
}

bool representable(Format format, double value) {
  const double kept = decode(format, encode(format, value));
  return kept == value || (std::isnan(kept) && std::isnan(value));
}

std::uint64_t encode_stochastic(Format format, double value, std::uint32_t random, Overflow overflow,
                                StochasticReading reading) {
  const Descriptor& d = descriptor(format);
  if (d.bits() > 16 || d.scale) throw Error("no instruction rounds stochastically to {}", d.name);
  if (!std::isfinite(value)) return encode(format, value, Rounding::toward_zero, overflow);
  const double magnitude = std::fabs(value);
  const int exponent = stored_exponent(descriptor(Format::f32), magnitude);
  double digits = std::ldexp(magnitude, f32_mantissa_bits - exponent); // the 24 bits of an f32's significand
  const double added = random >> (32 - (f32_mantissa_bits - d.mantissa_bits));
  Rounding rounding = Rounding::toward_zero;
  if (reading == StochasticReading::add_and_truncate) {
    digits += added;
  } else {
    constexpr double one = 1 << f32_mantissa_bits;
    const double leading = digits >= one ? one : 0;
    digits = leading + std::fmod(digits - leading + added, one);
    rounding = Rounding::nearest_even;
  }
  return encode(format, std::copysign(std::ldexp(digits, exponent - f32_mantissa_bits), value), rounding,
                overflow);
}

bool stochastic_readings_differ(Format format, double value, std::uint32_t random, Overflow overflow) {
  return encode_stochastic(format, value, random, overflow, StochasticReading::add_and_truncate) !=
         encode_stochastic(format, value, random, overflow, StochasticReading::wrap_and_round);
}

} // namespace cts::reference
