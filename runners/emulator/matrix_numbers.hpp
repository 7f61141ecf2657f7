// Arithmetic of matrix instructions: how element bits read as numbers, and how products are summed.
#pragma once

#include "common/target.hpp"
#include "runners/emulator/matrix_table.hpp"

#include <bit>
#include <cstdint>
#include <span>

namespace cts::emulator {

/// 2^n for |n| < 1023.
inline double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// Towards minus infinity, for |x| < 2^51: adding 1.5 * 2^52 rounds to an integer. (A call of std::floor for
/// each element would take most of the time.)
inline double floored(double x) {
  constexpr double shifter = 0x1.8p52;
  const double nearest = (x + shifter) - shifter;
  return nearest - (nearest > x ? 1.0 : 0.0);
}

/// A decoded element: value = significand * 2^exponent, significand in [1, 2) for normal numbers, less for
/// subnormal ones. Zero has exponent -126, as the step model wants it.
struct Number {
  double value = 0;
  double significand = 0;
  int exponent = -126;
};

/// Decodes the low bits of `raw`. FP8 and BF8 are FNUZ on gfx942 and OCP on gfx950; XF32 keeps 10 fraction
/// bits (truncated). Not for f64, i8 and i32.
Number decode(Element e, Target target, std::uint64_t raw);

/// Values of all codes of an 8-bit or smaller format, exactly, indexed by code: 256 of them, codes above the
/// format's width repeat.
const float* code_values(Element e, Target target);

/// Exponent of the smallest normal number of an 8-bit or smaller format: subnormal ones have it too.
int lowest_exponent(Element e, Target target);

/// A sum as an F32 accumulator keeps it: rounded to nearest even (toward zero where the fault
/// mfma_sum_truncated is planted).
float accumulated(double sum);

/// acc + sum of a[k] * b[k] over one group of the step model, rounded once to nearest even.
///
/// Products keep 24 fraction bits below the largest product's exponent (truncated); their sum and acc are
/// then aligned to the larger exponent with 31 and 24 fraction bits (towards minus infinity) and added.
/// `split` sums even and odd k apart, as the 8-bit formats do. Bit-accurate for CDNA 3 by the published model
/// that was compared with an MI300X; for CDNA 4 the same steps are this emulator's stated assumption
/// (docs/emulator.md).
float fused_group(std::span<const Number> a, std::span<const Number> b, float acc, bool split);

/// Products of the group size that the step model uses for an element type: XF32 4, 16-bit min(8, K),
/// 8-bit 16.
unsigned group_size(Element e, unsigned k);

} // namespace cts::emulator
