// The sums of gfx942, step by step, with terms chosen so that each step's rounding shows. That whole products
// agree with an independent model bit for bit is vectors_command_test.cpp's business.
#include "common/error.hpp"
#include "reference/matmul_gfx942.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace cts::reference {
namespace {

/// A and B at some k.
struct Term {
  double a, b;
};
using Terms = std::map<int, Term>;

/// One output of an instruction: C and the given terms, all others 0.
double output(std::string_view instruction, const Terms& terms, double c,
              Rounding xf32 = Rounding::toward_zero) {
  const Instruction& i = find_instruction(instruction);
  Matrix a(Shape{1, 1, i.k}), b(Shape{1, i.k, 1}), start(Shape{1, 1, 1});
  for (const auto& [k, term] : terms) {
    a.at({0, 0, k}) = term.a;
    b.at({0, k, 0}) = term.b;
  }
  start.values = {c};
  return multiply_gfx942(i, a, b, start, xf32).values[0];
}

constexpr auto f16 = "v_mfma_f32_16x16x16_f16";
constexpr auto bf16 = "v_mfma_f32_16x16x16_bf16";
constexpr auto fp8 = "v_mfma_f32_16x16x32_fp8_fp8";
constexpr auto xf32 = "v_mfma_f32_16x16x8_xf32";
constexpr auto f32 = "v_mfma_f32_16x16x4_f32";
constexpr auto f64 = "v_mfma_f64_16x16x4_f64";
constexpr auto i8 = "v_mfma_i32_16x16x32_i8";

TEST(MatmulGfx942, ProductsKeep24BitsBelowTheLargest) {
  // 1 + 7 * 1.5 * 2^-24: each small term loses its half, 1 + 3.5 * 2^-23 goes to even.
  Terms terms{{0, {1, 1}}};
  for (int k = 1; k < 8; ++k) terms[k] = {0x1.8p-12, 0x1p-12};
  EXPECT_EQ(output(f16, terms, 0), 1 + 4 * 0x1p-23);
  // A negative one loses it too: toward 0, not down.
  EXPECT_EQ(output(f16, {{0, {1, 1}}, {1, {-0x1.8p-12, 0x1p-12}}}, 0), 1 - 0x1p-24);
}

TEST(MatmulGfx942, CIsRoundedDown) {
  EXPECT_EQ(output(f16, {{0, {1, 1}}}, 0x1p-30), 1);
  EXPECT_EQ(output(f16, {{0, {1, 1}}}, -0x1p-30), 1 - 0x1p-24);
}

TEST(MatmulGfx942, SumOfAGroupKeeps31Bits) {
  // C = 1 and half a unit of its last place, 2^-24, is a tie. 2^-31 more decides it, 2^-32 more is lost.
  const Term half{0x1p-12, 0x1p-12};
  EXPECT_EQ(output(f16, {{0, half}}, 1), 1);
  EXPECT_EQ(output(f16, {{0, half}, {1, {0x1p-16, 0x1p-15}}}, 1), 1 + 0x1p-23);
  EXPECT_EQ(output(f16, {{0, half}, {1, {0x1p-16, 0x1p-16}}}, 1), 1);
  // Down, not toward 0: 2^-32 less than half a unit below becomes all of it, and the tie goes to the even 1.
  EXPECT_EQ(output(f16, {{0, {-0x1p-12, 0x1p-12}}, {1, {0x1p-16, 0x1p-16}}}, 1 + 0x1p-23), 1);
}

TEST(MatmulGfx942, GroupsAreRoundedOneAfterTheOther) {
  EXPECT_EQ(output(f16, {{0, {1, 1}}, {7, {1, 1}}}, 0x1p24), 0x1p24 + 2) << "one group";
  EXPECT_EQ(output(f16, {{0, {1, 1}}, {8, {1, 1}}}, 0x1p24), 0x1p24) << "two groups";
  EXPECT_EQ(output(xf32, {{0, {1, 1}}, {3, {1, 1}}}, 0x1p24), 0x1p24 + 2);
  EXPECT_EQ(output(xf32, {{0, {1, 1}}, {4, {1, 1}}}, 0x1p24), 0x1p24);
  EXPECT_EQ(output(fp8, {{0, {1, 1}}, {15, {1, 1}}}, 0x1p24), 0x1p24 + 2);
  EXPECT_EQ(output(fp8, {{0, {1, 1}}, {16, {1, 1}}}, 0x1p24), 0x1p24);
}

TEST(MatmulGfx942, Fp8SumsEvenAndOddApart) {
  // 2^8 leaves units of 2^-16. -2^-20 beside it in the same sum is truncated to 0; the other sum is rounded
  // down.
  EXPECT_EQ(output(fp8, {{0, {16, 16}}, {2, {-0x1p-10, 0x1p-10}}}, 0), 256);
  EXPECT_EQ(output(fp8, {{0, {16, 16}}, {1, {-0x1p-10, 0x1p-10}}}, 0), 256 - 0x1p-16);
}

TEST(MatmulGfx942, Fp8LeavesOutASmallC) {
  EXPECT_EQ(output(fp8, {{0, {1, 1}}}, -0x1p-25), 1 - 0x1p-24);
  EXPECT_EQ(output(fp8, {{0, {1, 1}}}, -0x1p-26), 1);
}

TEST(MatmulGfx942, SubnormalFactorsKeepTheirStoredExponent) {
  // 2^-24 * 1 is stored with exponent -14, so units are 2^-38: the other product, 2^-39, is lost.
  EXPECT_EQ(output(f16, {{0, {0x1p-24, 1}}}, 0), 0x1p-24) << "not flushed";
  EXPECT_EQ(output(f16, {{0, {0x1p-24, 1}}, {1, {0x1p-14, 0x1p-25 * 2}}}, 0), 0x1p-24 + 0x1p-38);
  EXPECT_EQ(output(f16, {{0, {0x1p-24, 1}}, {1, {0x1.8p-14, 0x1p-24}}}, 0), 0x1p-24 + 0x1p-38);
}

TEST(MatmulGfx942, ZerosHaveTheSmallestExponent) {
  // Whatever the format, -126: beside F16's largest numbers it is of no account, beside BF16's it is.
  EXPECT_EQ(output(f16, {{0, {0, 0x1p15}}, {1, {0x1p-14, 0x1p-14}}}, 0), 0x1p-28);
  EXPECT_EQ(output(bf16, {{0, {0, 0x1p126}}, {1, {0x1p-12, 0x1p-12}}}, 0), 0x1p-24);
  EXPECT_EQ(output(bf16, {{0, {0, 0x1p127}}, {1, {0x1p-12, 0x1p-12}}}, 0), 0);
}

TEST(MatmulGfx942, Xf32InputsAreTruncated) {
  EXPECT_EQ(output(xf32, {{0, {1 + 0x1.8p-11, 1}}}, 0), 1);
  EXPECT_EQ(output(xf32, {{0, {1 + 0x1.8p-11, 1}}}, 0, Rounding::nearest_even), 1 + 0x1p-10);
}

TEST(MatmulGfx942, FusedInOrder) {
  EXPECT_EQ(output(f32, {{0, {1, 1}}, {1, {1, 1}}}, 0x1p24), 0x1p24) << "each rounded";
  EXPECT_EQ(output(f32, {{0, {1 + 0x1p-12, 1 + 0x1p-12}}}, -1 - 0x1p-11), 0x1p-24) << "the product is not";
  EXPECT_EQ(output(f32, {{0, {0x1p-75, 0x1p-74}}}, 0), 0x1p-149) << "subnormal results are kept";
  EXPECT_EQ(output(f64, {{0, {1, 1}}, {1, {1, 1}}}, 0x1p53), 0x1p53);
  EXPECT_EQ(output(f64, {{0, {1 + 0x1p-30, 1 + 0x1p-30}}}, -1 - 0x1p-29), 0x1p-60);
  EXPECT_EQ(output(f64, {{0, {1, 0x1p60}}, {1, {1, 1}}, {2, {-1, 0x1p60}}}, 0), 0) << "k ascends";
}

TEST(MatmulGfx942, IntegersWrap) {
  EXPECT_EQ(output(i8, {{0, {-128, -128}}, {31, {127, -128}}}, 5), 128 * 128 - 127 * 128 + 5);
  EXPECT_EQ(output(i8, {{0, {1, 1}}}, 0x1p31 - 1), -0x1p31);
}

TEST(MatmulGfx942, Specials) {
  EXPECT_EQ(output(bf16, {{0, {0x1p64, 0x1p64}}}, 0), INFINITY) << "a product beyond f32 is infinite";
  EXPECT_EQ(std::isnan(output(bf16, {{0, {0x1p64, 0x1p64}}, {1, {0x1p64, -0x1p64}}}, 0)), true);
  EXPECT_EQ(output(bf16, {{0, {0x1.8p63, 0x1.8p63}}, {1, {0x1.8p63, 0x1.8p63}}}, -0x1p127), 0x1.4p127)
      << "sums of a group may be beyond f32";
  EXPECT_EQ(output(bf16, {{0, {INFINITY, 1}}, {1, {0x1p64, -0x1p64}}}, 0), INFINITY)
      << "a true infinity comes first";
  EXPECT_EQ(output(f16, {{9, {-INFINITY, 2}}}, 1), -INFINITY);
  EXPECT_EQ(std::isnan(output(f16, {{0, {INFINITY, 0}}}, 1)), true);
  EXPECT_EQ(std::isnan(output(fp8, {{5, {NAN, 0}}}, 1)), true);
  EXPECT_EQ(std::isnan(output(f16, {{0, {INFINITY, 1}}}, -INFINITY)), true);
  EXPECT_EQ(std::isnan(output(f64, {{0, {INFINITY, 0}}}, 1)), true);
  EXPECT_EQ(output(f16, {{0, {1, 1}}}, -INFINITY), -INFINITY);
}

TEST(MatmulGfx942, ExactDataGiveTheExactProduct) {
  std::uint64_t seed = 100;
  for (const Instruction& i : instructions(Kind::dense, Target::gfx942)) {
    const auto [a, b, c] = random_inputs(i, ++seed);
    EXPECT_EQ(multiply_gfx942(i, a, b, c).values, multiply(i, a, b, c).values)
        << i.mnemonic << " seed " << seed;
  }
}

std::string refusal(std::string_view instruction, const Shape& a, double value = 0) {
  const Instruction& i = find_instruction(instruction);
  Matrix values(a);
  values.values[0] = value;
  try {
    multiply_gfx942(i, values, Matrix(Shape{1, i.k, 1}), Matrix(Shape{1, 1, 1}));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(MatmulGfx942, Refusals) {
  EXPECT_EQ(refusal(f16, {1, 1, 8}),
            "v_mfma_f32_16x16x16_f16 A: expected 1 blocks of 1 x 16, got 1 of 1 x 8 with 8 values");
  EXPECT_EQ(refusal("v_mfma_f32_16x16x32_f16", {1, 1, 32}),
            "v_mfma_f32_16x16x32_f16: only dense instructions of gfx942 have known sums");
  EXPECT_EQ(refusal("v_smfmac_f32_16x16x32_f16", {1, 1, 32}),
            "v_smfmac_f32_16x16x32_f16: only dense instructions of gfx942 have known sums");
  EXPECT_EQ(refusal(fp8, {1, 1, 32}, 448), "448 is no e4m3fnuz");
  EXPECT_EQ(refusal(i8, {1, 1, 32}, 128), "128 is no 8-bit signed integer");
}

} // namespace
} // namespace cts::reference
