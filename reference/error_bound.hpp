// How far a matrix core may be from the exact product where its order and width of additions are not known.
//
// For gfx950 no bit-accurate description is public. Every implementation of a wide family stays within
//
//   |D - exact| <= (K + 2) * u * max(M, G)
//
//   M  sum over k of |A * B|, plus |C|: no partial sum is larger
//   G  largest power of two that a term is aligned to: the smallest normal number of D (2^-126, F64 2^-1022),
//   and but
//      for F32 and F64 every 2^(ea + eb), where a subnormal factor or zero has its format's smallest exponent
//   u  F64 2^-53, F32 2^-24: half a unit in the last place; others 2^-23: one unit
//
// The family: terms are added in any order and grouping, each addition either rounded to nearest (an error of
// half a unit of a partial sum, 2^-24 M) or done in fixed point at the exponent of the group's largest term
// with at least 24 fraction bits. Fixed point costs each of a group's g products 2^-24 G, once a group; the
// group's sum and the accumulator are aligned to each other, 2^-31 and 2^-24 of the larger, and rounded,
// 2^-24 M. K products in groups of at least 2 make K + 2.01 K / 2, in groups of one 2.01 K, all in units of
// 2^-24 max(M, G): both less than 2 K + 4 for K up to 256. For F32 and F64, K fused or K + 1 separate
// roundings are less than K + 2. What is left pays for the roundings of the exact result itself (formed in
// long double) and for errors of errors.
#pragma once

#include "reference/matmul.hpp"

#include <optional>
#include <string>

namespace cts::reference {

/// An exact result and how far from it a matrix core may be. `exact` is an infinity or NaN when inputs make
/// it one. `bound` is 0 for I32, and infinite when M is so near the largest finite D that the order of
/// additions decides whether a partial sum overflows: then any result is possible.
struct Bounded {
  double exact = 0;
  double bound = 0;
};

/// Whether a matrix core may give `got`: within the bound, NaN for NaN, the same infinity for an infinity.
bool within(const Bounded& expected, double got);

/// One output, term by term.
class BoundedSum {
public:
  /// `target` says what FP8 and BF8 are.
  explicit BoundedSum(const Instruction& instruction, Target target = Target::gfx950);

  /// Adds A * B * 2^scale. A and B must be values of their types (XF32: as the multiplier sees them); `scale`
  /// is the sum of the two E8M0 scales' exponents of a scaled instruction. A NaN scale is a NaN factor.
  void add_product(double a, double b, int scale = 0);

  /// With C: the output. The number of terms in the bound is the instruction's K, however many were added.
  Bounded plus(double c) const;

private:
  Instruction instruction_;
  Descriptor a_, b_;
  long double sum_ = 0;       ///< of finite terms
  long double magnitude_ = 0; ///< M without C
  long double largest_unit_;  ///< G
  double special_ = 0;        ///< sum of infinite and NaN terms
};

/// The exact matrix and the bounds of its elements.
struct BoundedMatrix {
  Matrix exact;
  Matrix bound;
};

/// D = A * B + C, unscaled, for any float or I8 instruction. `a` is m x k, `b` k x n, `c` m x n with the
/// instruction's k; m, n and blocks may be any. I32 results wrap modulo 2^32. Throws Error for shapes that do
/// not fit.
BoundedMatrix multiply_bounded(const Instruction& instruction, const Matrix& a, const Matrix& b,
                               const Matrix& c, Target target = Target::gfx950);

/// "D[0][2][5]: got 1.5, expected 1 within 1e-06" for the first element of `got` (of the same shape) that is
/// not within its bound; nothing when there is none.
std::optional<std::string> first_beyond(const BoundedMatrix& expected, const Matrix& got);

} // namespace cts::reference
