#include "tests/emulator/matrix/matrix_shape.hpp"

#include "common/error.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <vector>

namespace cts::emulator::testing {
namespace {

Type type_of(const std::string& word) {
  static const std::map<std::string, Type> types{
      {"f64", Type::f64}, {"f32", Type::f32}, {"xf32", Type::xf32}, {"f16", Type::f16}, {"bf16", Type::bf16},
      {"i8", Type::i8},   {"fp8", Type::fp8}, {"bf8", Type::bf8},   {"i32", Type::i32}};
  const auto found = types.find(word);
  if (found == types.end()) throw Error("'{}' is no element type", word);
  return found->second;
}

/// Exponent and mantissa bits, and the exponent's bias. FP8 and BF8 are FNUZ on gfx942, OCP on gfx950.
struct Float {
  int exponent, mantissa, bias;
};
Float float_of(Type type, Target target) {
  const int fnuz = target == Target::gfx942 ? 1 : 0;
  switch (type) {
  case Type::f16: return {5, 10, 15};
  case Type::bf16: return {8, 7, 127};
  case Type::fp8: return {4, 3, 7 + fnuz};
  case Type::bf8: return {5, 2, 15 + fnuz};
  case Type::fp6: return {2, 3, 1};
  case Type::bf6: return {3, 2, 3};
  case Type::fp4: return {2, 1, 1};
  default: return {8, 23, 127};
  }
}

/// Lane and item of place `k` of row (or column) `line`: lanes hold `per_lane` consecutive ones.
Slot consecutive(const Shape& s, unsigned block, unsigned line, unsigned k, unsigned per_lane) {
  return {line + s.m * (block + s.blocks * (k / per_lane)), k % per_lane};
}

/// The wide forms that put chunks of `chunk` k's side by side over the lane groups first. [CDNA4
/// ISA 7.2, 7.5]
Slot chunked(const Shape& s, unsigned line, unsigned k, unsigned chunk) {
  const unsigned groups = 64 / s.m, group = k / chunk % groups;
  return {line + s.m * group, chunk * (k / (chunk * groups)) + k % chunk};
}

} // namespace

unsigned bits_of(Type type) {
  switch (type) {
  case Type::f64: return 64;
  case Type::f16:
  case Type::bf16: return 16;
  case Type::i8:
  case Type::fp8:
  case Type::bf8: return 8;
  case Type::fp6:
  case Type::bf6: return 6;
  case Type::fp4: return 4;
  default: return 32;
  }
}

std::uint64_t encoded(Type type, double value, Target target) {
  if (type == Type::f64) return std::bit_cast<std::uint64_t>(value);
  if (type == Type::i8) return static_cast<std::uint8_t>(static_cast<int>(value));
  if (type == Type::i32) return static_cast<std::uint32_t>(static_cast<int>(value));
  const Float f = float_of(type, target);
  if (value == 0) return 0;
  const int exponent = std::ilogb(value);
  const double fraction = std::fabs(value) / std::exp2(exponent) - 1;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, f.mantissa));
  return (value < 0 ? 1ull << (f.exponent + f.mantissa) : 0) |
         static_cast<std::uint64_t>(exponent + f.bias) << f.mantissa | mantissa;
}

Shape shape_of(const std::string& mnemonic) {
  std::vector<std::string> words;
  std::istringstream stream(mnemonic);
  for (std::string word; std::getline(stream, word, '_');) words.push_back(word);
  Shape s;
  s.sparse = words.at(1) == "smfmac";
  s.scaled = words.at(2) == "scale";
  std::size_t at = s.scaled ? 3 : 2;
  s.d = type_of(words.at(at++));
  unsigned n = 0;
  if (std::sscanf(words.at(at++).c_str(), "%ux%ux%u", &s.m, &n, &s.k) != 3 || s.m != n)
    throw Error("{}: expected a shape such as 16x16x4", mnemonic);
  if (words.at(at).ends_with("b")) s.blocks = static_cast<unsigned>(std::stoul(words.at(at++)));
  if (words.at(at) == "f8f6f4") {
    s.by_field = true;
  } else {
    s.a = type_of(words.at(at));
    s.b = type_of(words.back());
  }
  return s;
}

Slot a_slot(const Shape& s, unsigned block, unsigned i, unsigned k) {
  if (s.by_field && bits_of(s.a) == 8) return chunked(s, i, k, 16);
  return consecutive(s, block, i, k, a_items(s));
}

Slot b_slot(const Shape& s, unsigned block, unsigned k, unsigned j) {
  if (s.by_field && bits_of(s.b) == 8) return chunked(s, j, k, 16);
  if (s.sparse && b_items(s) * bits_of(s.b) > 128) return chunked(s, j, k, 128 / bits_of(s.b));
  return consecutive(s, block, j, k, b_items(s));
}

Slot d_slot(const Shape& s, unsigned block, unsigned i, unsigned j) {
  if (s.d == Type::f64) // [CDNA3 ISA 7.1.4 and the tables for F64]
    return s.m == 16 ? Slot{j + 16 * (i % 4), i / 4} : Slot{j + 4 * block + 16 * i, 0};
  if (s.m == 4) return {j + 4 * block, i};
  if (s.m == 16) return {j + 16 * (i / 4), 4 * block + i % 4};
  return {j + 32 * (i / 4 % 2), 16 * block + 4 * (i / 8) + i % 4};
}

unsigned a_items(const Shape& s) { return s.k * s.m * s.blocks / 64 / (s.sparse ? 2 : 1); }
unsigned b_items(const Shape& s) { return s.k * s.m * s.blocks / 64; }
unsigned d_items(const Shape& s) { return s.m * s.m * s.blocks / 64; }

} // namespace cts::emulator::testing
