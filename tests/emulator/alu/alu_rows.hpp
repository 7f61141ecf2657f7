// Rows of the ALU tests: an instruction and what it gives, as the test's own arithmetic says.
//
// Registers of every vector row:
//   a, b, c     v1, v2, v3         A, B, C   v[4:5], v[6:7], v[8:9]
//   carry in    s[20:21] and vcc   s         s30, the pair S s[32:33]
//   result      v10 or v[10:11] (wider ones up to v41), or a mask in s[22:23]
#pragma once

#include "tests/emulator/support/instruction_bench.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cts::emulator::testing {

/// What one lane has before the instruction.
struct In {
  std::uint32_t a, b, c, s;
  std::uint64_t A, B, C, S;
  std::uint64_t old; ///< v[10:11]
  bool carry;
  unsigned lane;
  Target target;
  std::uint32_t mode; ///< MODE

  float fa() const { return std::bit_cast<float>(a); }
  float fb() const { return std::bit_cast<float>(b); }
  float fc() const { return std::bit_cast<float>(c); }
  double dA() const { return std::bit_cast<double>(A); }
  double dB() const { return std::bit_cast<double>(B); }
  double dC() const { return std::bit_cast<double>(C); }
  _Float16 ha() const { return half(a); }
  _Float16 hb() const { return half(b); }
  _Float16 hc() const { return half(c); }
  static _Float16 half(std::uint32_t bits) {
    return std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits));
  }
};

/// What it must have after it.
struct Out {
  std::uint64_t value = 0;
  std::optional<bool> mask{}; ///< the lane's bit of the scalar result
};

/// What inputs are drawn from, besides random bits.
enum class Values { integers, halves, floats, doubles };

/// How results are compared: by bits; or as a half below equal upper bits, two halves, one float or double,
/// two floats, where any NaN is as good as another.
enum class Equal { bits, half, twin, single, floats };

using Expected = std::function<Out(const In&)>;

struct Row {
  std::string text;
  Expected expected;
  Values values = Values::integers;
  Equal equal = Equal::bits;
  std::optional<Target> only{};
};

/// Runs every row on both targets (or the row's own) over corner values and random ones, with full and with
/// random EXEC, and reports the first lane of each row that differs.
void check_rows(std::span<const Row> rows, std::uint32_t mode = hip_mode);

/// The same under each of these MODEs.
void check_rows(std::span<const Row> rows, std::span<const std::uint32_t> modes);

/// Bits of host values.
inline Out out(float v) { return {std::bit_cast<std::uint32_t>(v)}; }
inline Out out(double v) { return {std::bit_cast<std::uint64_t>(v)}; }
inline Out out(_Float16 v) { return {std::bit_cast<std::uint16_t>(v)}; }
inline Out out32(std::uint64_t v) { return {v & 0xffffffff}; }
inline Out mask(bool bit) { return {.value = 0, .mask = bit}; }

/// Seed of this process: $CDNA_CTS_SEED or 1; printed once.
std::uint64_t seed();

} // namespace cts::emulator::testing
