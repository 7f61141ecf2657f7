// IEEE formats as bit patterns: what modifiers, denormal modes and NaN rules act on.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace cts::emulator {

/// An IEEE half: only its bits. Arithmetic on halves is done in double, which holds every sum and product of
/// halves (and every fused multiply-add that does not overflow), and rounded once.
struct Half {
  std::uint16_t bits = 0;
};

/// Facts of a format: its sign bit, infinity and one as bits, and its significand's stored bits.
template <typename T> struct Format;
template <> struct Format<Half> {
  using Bits = std::uint16_t;
  static constexpr Bits sign = 0x8000, infinity = 0x7c00, one = 0x3c00, quiet = 0x0200;
  static constexpr int mantissa = 10, bias = 15;
};
template <> struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr Bits sign = 0x80000000, infinity = 0x7f800000, one = 0x3f800000, quiet = 0x00400000;
  static constexpr int mantissa = 23, bias = 127;
};
template <> struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr Bits sign = 1ull << 63, infinity = 0x7ffull << 52, one = 0x3ffull << 52,
                        quiet = 1ull << 51;
  static constexpr int mantissa = 52, bias = 1023;
};

template <typename T> inline constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <typename T> constexpr BitsOf<T> to_bits(T value) { return std::bit_cast<BitsOf<T>>(value); }

/// Magnitude: all bits but the sign.
template <typename T> constexpr BitsOf<T> magnitude(BitsOf<T> bits) {
  return static_cast<BitsOf<T>>(bits & static_cast<BitsOf<T>>(~Format<T>::sign));
}
template <typename T> constexpr bool is_nan(BitsOf<T> bits) {
  return magnitude<T>(bits) > Format<T>::infinity;
}
template <typename T> constexpr bool is_signaling(BitsOf<T> bits) {
  return is_nan<T>(bits) && (bits & Format<T>::quiet) == 0;
}
template <typename T> constexpr bool is_infinite(BitsOf<T> bits) {
  return magnitude<T>(bits) == Format<T>::infinity;
}
template <typename T> constexpr bool is_zero(BitsOf<T> bits) { return magnitude<T>(bits) == 0; }
/// Biased exponent field.
template <typename T> constexpr int exponent_field(BitsOf<T> bits) {
  return static_cast<int>(magnitude<T>(bits) >> Format<T>::mantissa);
}
template <typename T> constexpr bool is_denormal(BitsOf<T> bits) {
  return exponent_field<T>(bits) == 0 && !is_zero<T>(bits);
}
template <typename T> constexpr BitsOf<T> quieted(BitsOf<T> bits) {
  return static_cast<BitsOf<T>>(bits | Format<T>::quiet);
}

/// NaN of operations without a NaN input, as the ISA's examples print it: 0xffc00000 for V_SQRT_F32 of -INF.
template <typename T>
inline constexpr BitsOf<T> default_nan = static_cast<BitsOf<T>>(Format<T>::sign | Format<T>::infinity |
                                                                Format<T>::quiet);

/// Denormals become zeros of their sign.
template <typename T> constexpr BitsOf<T> flushed(BitsOf<T> bits) {
  return exponent_field<T>(bits) == 0 ? static_cast<BitsOf<T>>(bits & Format<T>::sign) : bits;
}

/// Round modes as MODE.FP_ROUND encodes them. [CDNA3 ISA 3.5]
enum class Round : std::uint8_t { nearest_even, up, down, toward_zero };

/// A half widened exactly; NaNs keep payload and signaling bit.
constexpr float widen(Half half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000) << 16;
  const std::uint32_t rest = static_cast<std::uint32_t>(half.bits & 0x7fff) << 13;
  // As a float the exponent is 112 too small: a product puts it right, for denormals too.
  const std::uint32_t scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112f);
  return std::bit_cast<float>(sign | (rest >= 0x0f800000u ? rest | 0x7f800000u : scaled));
}

/// The half nearest to `value` under `round`. An overflowing finite value gives infinity or the largest half
/// by the round mode, always the latter when `saturate` (MODE.FP16_OVFL). NaNs are quieted and keep their
/// upper payload.
Half narrow(double value, Round round, bool saturate);

/// `value` rounded to an integer multiple of 2^`ulp` under `round`, exactly.
double round_to(double value, int ulp, Round round);

} // namespace cts::emulator
