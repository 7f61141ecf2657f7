// What the claims say of FP8 and BF8, written out by hand from their text (CDNA-2.5 and CDNA-4.1 to 4.6),
// apart from the reference.
#pragma once

#include "common/claim_id.hpp"
#include "common/target.hpp"
#include "reference/formats.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace cts::fp8_bytes {

/// FP8 and BF8 of a target, and the claim that says what they are.
struct Encoding {
  reference::Type type;
  Target target;
  reference::Format format;
  ClaimId claim;
  const char* name; ///< as the document calls it
  const char* kernel_suffix;
};

inline std::vector<Encoding> encodings() {
  using namespace literals;
  using reference::Format;
  using reference::Type;
  return {{Type::fp8, Target::gfx942, Format::e4m3fnuz, "CDNA-4.1"_claim, "E4M3FNUZ", "fp8"},
          {Type::fp8, Target::gfx950, Format::e4m3fn, "CDNA-4.2"_claim, "E4M3FN", "fp8"},
          {Type::bf8, Target::gfx942, Format::e5m2fnuz, "CDNA-4.3"_claim, "E5M2FNUZ", "bf8"},
          {Type::bf8, Target::gfx950, Format::e5m2, "CDNA-4.4"_claim, "E5M2", "bf8"}};
}

/// The same type's encoding on the other target.
inline reference::Format other_format(reference::Format format) {
  using enum reference::Format;
  switch (format) {
  case e4m3fnuz: return e4m3fn;
  case e4m3fn: return e4m3fnuz;
  case e5m2fnuz: return e5m2;
  default: return e5m2fnuz;
  }
}

/// A byte and the number that the claim gives it, zeros with their sign.
struct ClaimedByte {
  int byte;
  double value;
};

/// Smallest and largest numbers, 1, zeros, infinities and NaNs of an encoding.
inline std::vector<ClaimedByte> claimed_bytes(reference::Format format) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
  switch (format) {
  case reference::Format::e4m3fnuz: // bias 8, largest 240, one unsigned zero, 0x80 is NaN
    return {{0x00, 0.0}, {0x01, 0x1p-10}, {0x08, 0x1p-7}, {0x38, 0.5},      {0x40, 1},   {0x7e, 224},
            {0x7f, 240}, {0x80, nan},     {0xc0, -1},     {0x81, -0x1p-10}, {0xff, -240}};
  case reference::Format::e4m3fn: // bias 7, largest 448, signed zero
    return {{0x00, 0.0}, {0x01, 0x1p-9}, {0x08, 0x1p-6}, {0x38, 1},       {0x40, 2},    {0x7e, 448},
            {0x7f, nan}, {0x80, -0.0},   {0xb8, -1},     {0x81, -0x1p-9}, {0xfe, -448}, {0xff, nan}};
  case reference::Format::e5m2fnuz: // bias 16, no infinity, unsigned zero
    return {{0x00, 0.0},    {0x01, 0x1p-17}, {0x04, 0x1p-15}, {0x3c, 0.5}, {0x40, 1},
            {0x7c, 0x1p15}, {0x7f, 57344},   {0x80, nan},     {0xc0, -1},  {0xff, -57344}};
  default: // E5M2: bias 15, infinity and signed zero
    return {{0x00, 0.0},    {0x01, 0x1p-16},   {0x04, 0x1p-14}, {0x3c, 1},    {0x40, 2},
            {0x7b, 57344},  {0x7c, infinity},  {0x7e, nan},     {0x80, -0.0}, {0xbc, -1},
            {0xfb, -57344}, {0xfc, -infinity}, {0xfe, nan}};
  }
}

/// Fields of an encoding: bits of exponent and mantissa, bias.
struct Fields {
  int exponent, mantissa, bias;
};
constexpr Fields fields_of(reference::Format format) {
  switch (format) {
  case reference::Format::e4m3fnuz: return {4, 3, 8};
  case reference::Format::e4m3fn: return {4, 3, 7};
  case reference::Format::e5m2fnuz: return {5, 2, 16};
  default: return {5, 2, 15};
  }
}

/// The number that sign, exponent and mantissa of a byte make with a bias, special codes not looked at.
inline double number_of_fields(const Fields& f, int byte) {
  const int exponent = (byte & 0x7f) >> f.mantissa, mantissa = byte & ((1 << f.mantissa) - 1);
  const double magnitude = exponent == 0
                               ? std::ldexp(mantissa, 1 - f.bias - f.mantissa)
                               : std::ldexp((1 << f.mantissa) + mantissa, exponent - f.bias - f.mantissa);
  return (byte & 0x80) != 0 ? -magnitude : magnitude;
}

/// The byte of CDNA-4.6, and its number on each target.
inline constexpr int byte_of_two_numbers = 0x38;
constexpr double number_of_that_byte(Target target) { return target == Target::gfx942 ? 0.5 : 1.0; }

} // namespace cts::fp8_bytes
