// Matrix products as gfx942 rounds them, bit for bit: what a kernel's D holds for any A, B and C.
//
// Source. No manual states the order and width of the additions. The published model MMA-Sim (its authors
// compared it with an MI300X) does, and this is written from a description of it: results equal its vectors,
// tests/vectors/mfma_gfx942.jsonl, bit for bit. Infinities and NaN follow the same source with less
// certainty. gfx950 has no such model: reference/error_bound.hpp says how far it may be from the exact
// result.
//
// F64 and F32: one fused multiply-add for each k, in order, rounded to nearest even each.
// I8: exact, modulo 2^32.
// Others: groups of k in order (XF32 4, F16 and BF16 8, FP8 and BF8 16, or K if that is less). Each group is
// added to an f32 accumulator by fixed-point sums, in which a term keeps so many bits below the leading one
// of the largest, and the accumulator is rounded to nearest even once a group:
//
//   products: significand a * significand b, at exponent ea + eb
//        | aligned to the largest exponent: 24 fraction bits, truncated toward 0
//   sum of the group
//        | aligned to the larger of its exponent and C's: 31 fraction bits, rounded down (toward -infinity)
//   + C, aligned likewise: 24 fraction bits, rounded down
//        | rounded to nearest even
//   accumulator
//
// Exponents are as stored: subnormal numbers share the smallest of their format. Zero has -126 in every
// format. FP8 and BF8 sum the even and the odd k apart, round both sums down to 24 fraction bits at the
// larger exponent, and leave out a C whose exponent is more than 25 below.
#pragma once

#include "reference/formats.hpp"
#include "reference/matmul.hpp"

namespace cts::reference {

/// D = A * B + C with the arithmetic of gfx942 in its default mode (MODE.FP16_OVFL 0, denormals kept). `a` is
/// m x k, `b` k x n, `c` and the result m x n, in any number of blocks; m and n may be any, k must be the
/// instruction's, for it says how terms are grouped. Values must be such as their type holds (F32 for XF32).
/// `xf32` says how XF32 inputs lose their low 13 mantissa bits: the model truncates, ISA3 7.1.2 says "round".
/// Result NaNs have no particular payload. Throws Error for shapes that do not fit, for an instruction that
/// is sparse (its order of additions is not known) or not on gfx942, and for a value that a type does not
/// hold.
Matrix multiply_gfx942(const Instruction& instruction, const Matrix& a, const Matrix& b, const Matrix& c,
                       Rounding xf32 = Rounding::toward_zero);

} // namespace cts::reference
