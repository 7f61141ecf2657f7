// Products of matrices as the matrix instructions form them, a row of D at a time: one element of A with a
// row of B.
#pragma once

#include "runners/emulator/matrix_operands.hpp"

namespace cts::emulator {

/// What a product needs to know besides the elements.
struct ProductShape {
  unsigned m = 0, k = 0, blocks = 0;
  Element a = Element::f32, b = Element::f32;
  Target target = Target::gfx942;
};

/// Powers of two that scale the 32-blocks of K: byte e is 2^(e - 127), 0xff is NaN.
struct BlockScales {
  std::uint8_t a[32][4], b[32][4]; ///< [row of A or column of B][block of K]
};

// In all of these A is at [block][i][k], B at [block][k][j], and `d` holds C before and D after, at
// [block][i][j], all as raw bits.

/// F16, BF16, XF32, FP8 and BF8: the step model of matrix_numbers.hpp. Where `quarters` is set only four k
/// take part, those of the row's number: the planted fault mfma_four_blocks.
void multiply_small_floats(const ProductShape& s, const std::uint32_t* a, const std::uint32_t* b,
                           std::uint32_t* d, bool quarters = false);

/// F8F6F4: each block of 32 products is summed in order in F64, scaled, and added to the accumulator with one
/// rounding. A NaN scale makes its block NaN. The stated model: nothing public says more. [docs/emulator.md]
void multiply_scaled(const ProductShape& s, const BlockScales& scales, const std::uint32_t* a,
                     const std::uint32_t* b, std::uint32_t* d);

/// F32 and F64: one fused multiply-add for each k, in order. `flush` makes zeros of F32 inputs that are
/// subnormal; C and D never are. [CDNA3 ISA 7.3]
void multiply_f32(const ProductShape& s, bool flush, const std::uint32_t* a, const std::uint32_t* b,
                  std::uint32_t* d);
void multiply_f64(const ProductShape& s, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* d);

/// I8: exact, then wrapped, or saturated. [CDNA3 ISA 7.3]
void multiply_i8(const ProductShape& s, bool saturate, const std::uint32_t* a, const std::uint32_t* b,
                 std::uint32_t* d);

} // namespace cts::emulator
