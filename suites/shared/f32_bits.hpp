// Bits of an f32 as comparisons want them where no document promises all of them.
#pragma once

#include <bit>
#include <cstdint>

namespace cts {

/// The bits of a value as an f32, rounded to nearest.
inline std::uint32_t f32_bits(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

/// One code for every NaN: no document promises a payload.
inline std::uint32_t with_one_nan(std::uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits;
}

/// One code for every NaN and one for both zeros: in a sum, the sign of a zero depends on the order of
/// additions.
inline std::uint32_t with_one_nan_and_zero(std::uint32_t bits) {
  return (bits & 0x7fffffffu) == 0 ? 0 : with_one_nan(bits);
}

} // namespace cts
