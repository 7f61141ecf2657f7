// The bound's formula by hand, and that the one arithmetic that is known, gfx942's, stays within it and comes
// near.
#include "reference/error_bound.hpp"
#include "reference/matmul_gfx942.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cts::reference {
namespace {

const Instruction& f16() { return find_instruction("v_mfma_f32_16x16x32_f16"); }

TEST(ErrorBound, Formula) {
  BoundedSum sum(f16());
  sum.add_product(3, 2);
  sum.add_product(-1, 2);
  const Bounded d = sum.plus(-0.5);
  EXPECT_EQ(d.exact, 3.5);
  EXPECT_EQ(d.bound, 34 * 0x1p-23 * 8.5) << "(K + 2) * 2^-23 * (6 + 2 + 0.5)";

  BoundedSum f32(find_instruction("v_mfma_f32_16x16x4_f32"));
  f32.add_product(3, 2);
  EXPECT_EQ(f32.plus(0).bound, 6 * 0x1p-24 * 6);
  BoundedSum f64(find_instruction("v_mfma_f64_16x16x4_f64"));
  f64.add_product(3, 2);
  EXPECT_EQ(f64.plus(0).bound, 6 * 0x1p-53 * 6);
  BoundedSum i8(find_instruction("v_mfma_i32_16x16x64_i8"));
  i8.add_product(1, 1);
  EXPECT_EQ(i8.plus(0x1p31 - 1).exact, -0x1p31);
  EXPECT_EQ(i8.plus(0).bound, 0);
}

TEST(ErrorBound, SubnormalFactorsWidenIt) {
  BoundedSum sum(f16());
  sum.add_product(0x1p-24, 1); // aligned as if it were 2^-14
  EXPECT_EQ(sum.plus(0).bound, 34 * 0x1p-23 * 0x1p-14);
  BoundedSum nothing(f16());
  EXPECT_EQ(nothing.plus(0).bound, 34 * 0x1p-23 * 0x1p-126) << "never less than subnormal results need";
}

TEST(ErrorBound, ScalesAreExact) {
  const Instruction i = with_formats(find_instruction("v_mfma_f32_16x16x128_f8f6f4"), Type::fp4, Type::fp8);
  BoundedSum sum(i);
  sum.add_product(6, 448, 10);
  EXPECT_EQ(sum.plus(0).exact, 6 * 448 * 1024.0);
  EXPECT_EQ(sum.plus(0).bound, 130 * 0x1p-23 * 6 * 448 * 1024.0);
  BoundedSum small(i);
  small.add_product(6, 0, 20); // a zero is stored with exponent -6
  EXPECT_EQ(small.plus(0).bound, 130 * 0x1p-23 * 0x1p16);
}

TEST(ErrorBound, Within) {
  EXPECT_EQ(within({1, 0.25}, 1.25), true);
  EXPECT_EQ(within({1, 0.25}, 1.2500001), false);
  EXPECT_EQ(within({1, 0.25}, NAN), false);
  EXPECT_EQ(within({NAN, 0}, NAN), true);
  EXPECT_EQ(within({NAN, 0}, 1), false);
  EXPECT_EQ(within({INFINITY, 1}, INFINITY), true);
  EXPECT_EQ(within({INFINITY, 1}, -INFINITY), false);
  EXPECT_EQ(within({0, INFINITY}, NAN), true) << "overflow that depends on the order";
}

TEST(ErrorBound, Specials) {
  const auto d = [](std::vector<std::pair<double, double>> terms, double c) {
    BoundedSum sum(find_instruction("v_mfma_f32_16x16x32_bf16"));
    for (const auto& [a, b] : terms) sum.add_product(a, b);
    return sum.plus(c);
  };
  EXPECT_EQ(d({{INFINITY, 2}}, 1).exact, INFINITY);
  EXPECT_EQ(d({{1, 1}}, -INFINITY).exact, -INFINITY);
  EXPECT_EQ(std::isnan(d({{INFINITY, 0}}, 1).exact), true);
  EXPECT_EQ(std::isnan(d({{INFINITY, 1}}, -INFINITY).exact), true);
  EXPECT_EQ(std::isnan(d({{NAN, 1}, {0x1p100, 0x1p100}}, 0).exact), true) << "NaN stays NaN beyond the range";
  EXPECT_EQ(d({{0x1p100, 0x1p100}, {-0x1p100, 0x1p100}}, 0).bound, INFINITY);
  EXPECT_EQ(std::isfinite(d({{0x1p63, 0x1p63}}, 0).bound), true);
}

/// A value of `format` with a random code, finite.
double random_value(Format format, std::mt19937_64& random) {
  for (;;) {
    const int bits = descriptor(format).bits();
    const double value = decode(format, random() >> (64 - bits));
    if (std::isfinite(value)) return value;
  }
}

TEST(ErrorBound, HoldsForTheArithmeticOfGfx942) {
  // Any codes: the widest range, so that alignment loses most.
  std::mt19937_64 random(2024);
  for (const Instruction& i : instructions(Kind::dense, Target::gfx942)) {
    if (i.d == Type::i32) continue;
    const auto fill = [&](const Shape& shape, Type type) {
      Matrix matrix(shape);
      const Format format = type == Type::xf32 ? Format::xf32 : format_of(type, Target::gfx942);
      for (double& value : matrix.values) value = random_value(format, random);
      return matrix;
    };
    const Matrix a = fill({1, 16, i.k}, i.a), b = fill({1, i.k, 16}, i.b);
    Matrix c({1, 16, 16});
    const BoundedMatrix expected = multiply_bounded(i, a, b, c, Target::gfx942);
    EXPECT_EQ(first_beyond(expected, multiply_gfx942(i, a, b, c)).value_or(""), "") << i.mnemonic;
  }
}

TEST(ErrorBound, IsNoLargerThanNeeded) {
  // Seven terms that each lose almost a unit of 2^-24 in the one group of F16's narrow form.
  const Instruction& i = find_instruction("v_mfma_f32_32x32x8_f16");
  Matrix a(Shape{1, 1, 8}), b(Shape{1, 8, 1}), c(Shape{1, 1, 1});
  a.values = {1, 1, 1, 1, 1, 1, 1, 1};
  b.values = {1, 0x1.FFCp-14, 0x1.FFCp-14, 0x1.FFCp-14, 0x1.FFCp-14, 0x1.FFCp-14, 0x1.FFCp-14, 0x1.FFCp-14};
  for (std::size_t k = 1; k < 8; ++k) a.values[k] = 0x1.FFCp-12;
  const Matrix d = multiply_gfx942(i, a, b, c);
  const BoundedMatrix expected = multiply_bounded(i, a, b, c);
  const double error = std::fabs(d.values[0] - expected.exact.values[0]);
  EXPECT_GT(error / expected.bound.values[0], 0.2)
      << "error " << error << " bound " << expected.bound.values[0];
  Matrix far = d;
  far.values[0] += 2 * expected.bound.values[0];
  EXPECT_EQ(first_beyond(expected, far).has_value(), true) << "twice the bound away";
}

TEST(ErrorBound, FirstBeyondNamesTheElement) {
  const BoundedMatrix expected{Matrix(Shape{1, 2, 3}), Matrix(Shape{1, 2, 3})};
  Matrix got(Shape{1, 2, 3});
  got.at({0, 1, 2}) = 0.5;
  EXPECT_EQ(first_beyond(expected, got), "D[0][1][2]: got 0.5, expected 0 within 0");
}

} // namespace
} // namespace cts::reference
