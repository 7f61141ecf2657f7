#include "runners/emulator/float_bits.hpp"

#include <algorithm>

namespace cts::emulator {

Half narrow(double value, Round round, bool saturate) {
  const std::uint64_t bits = to_bits(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
  const std::uint64_t size = magnitude<double>(bits);
  const int exponent = exponent_field<double>(bits) - Format<double>::bias;
  if (round == Round::nearest_even && exponent >= -14 && exponent < 15) { // the common case: a normal half
    constexpr unsigned dropped = 42;
    const std::uint64_t kept = (size + (1ull << (dropped - 1)) - 1 + (size >> dropped & 1)) >> dropped;
    return {static_cast<std::uint16_t>(sign | (kept - ((Format<double>::bias - Format<Half>::bias) << 10)))};
  }
  if (is_nan<double>(bits)) return {static_cast<std::uint16_t>(sign | 0x7e00 | (size >> 42 & 0x3ff))};
  if (is_infinite<double>(bits)) return {static_cast<std::uint16_t>(sign | 0x7c00)};

  // The significand as an integer, and how many of its low bits the half cannot hold.
  if (exponent_field<double>(bits) == 0 && size == 0) return {sign};
  const std::uint64_t significand = (size & ((1ull << 52) - 1)) | 1ull << 52;
  const int half_exponent = std::max(exponent, -14);
  const int dropped = std::min(42 + half_exponent - exponent, 63);
  const std::uint64_t kept = significand >> dropped;
  const std::uint64_t rest = significand & ((1ull << dropped) - 1);
  const std::uint64_t tie = 1ull << (dropped - 1);
  bool up = false;
  switch (round) {
  case Round::nearest_even: up = rest > tie || (rest == tie && (kept & 1) != 0); break;
  case Round::up: up = rest != 0 && sign == 0; break;
  case Round::down: up = rest != 0 && sign != 0; break;
  case Round::toward_zero: break;
  }
  // A normal's hidden bit adds one to the exponent field; a carry out of the mantissa adds another.
  const std::int64_t field =
      static_cast<std::int64_t>(half_exponent + 14) * 1024 + static_cast<std::int64_t>(kept + (up ? 1 : 0));
  if (field >= 0x7c00) {
    const bool inward = round == Round::toward_zero || (round == Round::up && sign != 0) ||
                        (round == Round::down && sign == 0);
    return {static_cast<std::uint16_t>(sign | (inward || saturate ? 0x7bff : 0x7c00))};
  }
  return {static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(field))};
}

double round_to(double value, int ulp, Round round) {
  const double scaled = std::ldexp(value, -ulp);
  const double below = std::floor(scaled);
  const double above = std::ceil(scaled);
  double chosen = scaled;
  switch (round) {
  case Round::nearest_even:
    if (scaled - below != above - scaled)
      chosen = scaled - below < above - scaled ? below : above;
    else
      chosen = std::fmod(below, 2) == 0 ? below : above;
    break;
  case Round::up: chosen = above; break;
  case Round::down: chosen = below; break;
  case Round::toward_zero: chosen = scaled < 0 ? above : below; break;
  }
  return std::copysign(std::ldexp(chosen, ulp), value);
}

} // namespace cts::emulator
