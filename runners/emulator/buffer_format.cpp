#include "runners/emulator/buffer_format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace cts::emulator {
namespace {

enum Number : std::uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint64_t largest(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

/// Floats of 10, 11 and 16 bits have 5 bits of exponent; the two shorter ones have no sign.
std::uint32_t small_float_bits(float value, unsigned bits) {
  const auto half = std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
  if (bits == 16) return half;
  const unsigned dropped = 15 - bits; // mantissa bits of a half that the format lacks
  if (std::isnan(value)) return (31u << (bits - 5)) | 1;
  if (value <= 0) return 0;
  // Round the float itself: a half in between would round twice.
  const int exponent = std::max(std::ilogb(value), -14);
  const int mantissa = static_cast<int>(bits) - 5;
  const double units = std::nearbyint(std::ldexp(static_cast<double>(value), mantissa - exponent));
  const double rounded = std::isinf(value) ? value : std::ldexp(units, exponent - mantissa);
  return static_cast<std::uint32_t>(std::bit_cast<std::uint16_t>(static_cast<_Float16>(rounded)) >> dropped);
}

float small_float(std::uint32_t raw, unsigned bits) {
  const auto half = static_cast<std::uint16_t>(bits == 16 ? raw : raw << (15 - bits));
  return static_cast<float>(std::bit_cast<_Float16>(half));
}

std::int64_t sign_extended(std::uint64_t raw, unsigned bits) {
  return static_cast<std::int64_t>(raw << (64 - bits)) >> (64 - bits);
}

std::uint32_t read_component(Number number, unsigned bits, std::uint64_t raw) {
  const std::int64_t value = sign_extended(raw, bits);
  const auto top = static_cast<double>(largest(bits - 1));
  switch (number) {
  case unorm:
    return as_bits(static_cast<float>(static_cast<double>(raw) / static_cast<double>(largest(bits))));
  case snorm: return as_bits(std::max(static_cast<float>(static_cast<double>(value) / top), -1.0f));
  case uscaled: return as_bits(static_cast<float>(raw));
  case sscaled: return as_bits(static_cast<float>(value));
  case sint: return static_cast<std::uint32_t>(value);
  case floating:
    return bits == 32 ? static_cast<std::uint32_t>(raw)
                      : as_bits(small_float(static_cast<std::uint32_t>(raw), bits));
  default: return static_cast<std::uint32_t>(raw);
  }
}

/// `value`, rounded to an integer and kept between `low` and `high`; NaN is 0.
std::uint64_t nearest_integer(double value, double low, double high) {
  if (std::isnan(value)) return 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(std::clamp(value, low, high))));
}

std::uint64_t write_component(Number number, unsigned bits, std::uint32_t component) {
  const double value = as_float(component);
  const auto all = static_cast<double>(largest(bits)), top = static_cast<double>(largest(bits - 1));
  switch (number) {
  case unorm: return nearest_integer(value * all, 0, all);
  case snorm: return nearest_integer(value * top, -top, top);
  case uscaled: return nearest_integer(std::trunc(value), 0, all);
  case sscaled: return nearest_integer(std::trunc(value), -top - 1, top);
  case sint:
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(
        static_cast<std::int32_t>(component), -static_cast<std::int64_t>(largest(bits - 1)) - 1,
        static_cast<std::int64_t>(largest(bits - 1))));
  case floating: return bits == 32 ? component : small_float_bits(as_float(component), bits);
  default: return std::min<std::uint64_t>(component, largest(bits));
  }
}

bool holds_float(const BufferFormat& f) { return f.number != uint && f.number != sint; }

} // namespace

/// The names list fields from the most significant one: 2_10_10_10 has X in its low ten bits.
FormatLayout format_layout(std::uint8_t data_format) {
  switch (data_format) {
  case 1: return {1, 1, {8}, {0}};
  case 2: return {2, 1, {16}, {0}};
  case 3: return {2, 2, {8, 8}, {0, 8}};
  case 4: return {4, 1, {32}, {0}};
  case 5: return {4, 2, {16, 16}, {0, 16}};
  case 6: return {4, 3, {11, 11, 10}, {0, 11, 22}};        // 10_11_11
  case 7: return {4, 3, {10, 11, 11}, {0, 10, 21}};        // 11_11_10
  case 8: return {4, 4, {2, 10, 10, 10}, {0, 2, 12, 22}};  // 10_10_10_2
  case 9: return {4, 4, {10, 10, 10, 2}, {0, 10, 20, 30}}; // 2_10_10_10
  case 10: return {4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}};
  case 11: return {8, 2, {32, 32}, {0, 32}};
  case 12: return {8, 4, {16, 16, 16, 16}, {0, 16, 32, 48}};
  case 13: return {12, 3, {32, 32, 32}, {0, 32, 64}};
  case 14: return {16, 4, {32, 32, 32, 32}, {0, 32, 64, 96}};
  default: return {};
  }
}

bool is_valid(const BufferFormat& f) {
  const FormatLayout layout = format_layout(f.data);
  if (layout.components == 0 || f.number == reserved) return false;
  const unsigned widest = *std::max_element(layout.bits.begin(), layout.bits.end());
  const unsigned narrowest = *std::min_element(layout.bits.begin(), layout.bits.begin() + layout.components);
  if (f.number == floating) return widest == 32 || widest == 16 || (widest == 11 && narrowest == 10);
  return widest < 32 || f.number == uint || f.number == sint; // 32 bits are never converted
}

std::array<std::uint32_t, 4> read_format(const BufferFormat& f, const std::uint8_t* from) {
  const FormatLayout layout = format_layout(f.data);
  std::array<std::uint32_t, 4> components{};
  for (unsigned c = 0; c < layout.components; ++c) {
    std::uint64_t word = 0; // the element's 8 bytes, or fewer, that hold the component
    const unsigned first = layout.shift[c] / 32 * 4;
    std::memcpy(&word, from + first, std::min(layout.bytes - first, 8u));
    const std::uint64_t raw = word >> (layout.shift[c] % 32) & largest(layout.bits[c]);
    components[c] = read_component(static_cast<Number>(f.number), layout.bits[c], raw);
  }
  return components;
}

void write_format(const BufferFormat& f, const std::array<std::uint32_t, 4>& components, std::uint8_t* to) {
  const FormatLayout layout = format_layout(f.data);
  std::uint32_t words[4] = {};
  for (unsigned c = 0; c < layout.components; ++c) {
    const std::uint64_t raw = write_component(static_cast<Number>(f.number), layout.bits[c], components[c]) &
                              largest(layout.bits[c]);
    words[layout.shift[c] / 32] |= static_cast<std::uint32_t>(raw << (layout.shift[c] % 32));
  }
  std::memcpy(to, words, layout.bytes);
}

std::uint32_t format_one(const BufferFormat& f) { return holds_float(f) ? as_bits(1.0f) : 1; }

std::uint16_t narrow_component(const BufferFormat& f, std::uint32_t component) {
  if (!holds_float(f)) return static_cast<std::uint16_t>(component);
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(as_float(component)));
}

std::uint32_t widen_component(const BufferFormat& f, std::uint16_t component) {
  if (holds_float(f)) return as_bits(static_cast<float>(std::bit_cast<_Float16>(component)));
  return f.number == sint ? static_cast<std::uint32_t>(static_cast<std::int16_t>(component)) : component;
}

} // namespace cts::emulator
