// What the claims say of formats and scales, written out by hand from their text (CDNA-2.12, 2.13 and 2.14),
// apart from the reference.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace cts::e8m0_scales {

/// FP4 (E2M1), codes 0 to 7; 8 to 15 are their negatives.
inline constexpr std::array<double, 8> fp4_values{0, 0.5, 1, 1.5, 2, 3, 4, 6};

/// FP6 as E2M3, codes 0 to 31; 32 to 63 are their negatives.
inline constexpr std::array<double, 32> e2m3_values{
    0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
    2, 2.25,  2.5,  2.75,  3,   3.25,  3.5,  3.75,  4, 4.5,   5,    5.5,   6,   6.5,   7,    7.5};

/// FP6 as E3M2 (BF6).
inline constexpr std::array<double, 32> e3m2_values{
    0, 0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75, 0.875, 1,  1.25, 1.5, 1.75,
    2, 2.5,    3,     3.5,    4,    5,      6,     7,      8,   10,    12,   14,    16, 20,   24,  28};

/// The number that a scale byte multiplies by.
inline double scale_value(int byte) {
  return byte == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, byte - 127);
}

/// Elements along k that share a scale.
inline constexpr int elements_of_scale = 32;

/// The scale byte that means 1.
inline constexpr int scale_of_one = 0x7f;

} // namespace cts::e8m0_scales
