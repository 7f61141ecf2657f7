// Exact products, their refusal, encodings, and matrices in registers.
#include "common/error.hpp"
#include "reference/matmul.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cts::reference {
namespace {

std::vector<Instruction> dense_instructions() {
  std::vector<Instruction> list;
  for (const Instruction& i : instructions()) {
    if (i.kind == Kind::dense) list.push_back(i);
    if (i.kind == Kind::f8f6f4)
      for (int code = 0; code < 5; ++code)
        list.push_back(with_formats(i, f8f6f4_format(code), f8f6f4_format(4 - code)));
  }
  return list;
}

/// The line of the error that multiplying gives; empty when it gives none.
std::string refusal(const Instruction& i, const Matrix& a, const Matrix& b, const Matrix& c) {
  try {
    multiply(i, a, b, c);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Inputs of FP16 16x16x16 with A[2][k] = a[k], B[k][5] = b[k], C[2][5] = c and zero elsewhere.
Inputs one_output(const std::vector<double>& a, const std::vector<double>& b, double c,
                  const Instruction& i) {
  Inputs in{Matrix(shape_of(i, Operand::a)), Matrix(shape_of(i, Operand::b)),
            Matrix(shape_of(i, Operand::c))};
  for (std::size_t k = 0; k < a.size(); ++k) {
    in.a.at({0, 2, static_cast<int>(k)}) = a[k];
    in.b.at({0, static_cast<int>(k), 5}) = b[k];
  }
  in.c.at({0, 2, 5}) = c;
  return in;
}

TEST(Multiply, AgreesWithIntegerLoops) {
  std::uint64_t seed = 7;
  for (const Instruction& i : dense_instructions()) {
    const auto [a, b, c] = random_inputs(i, ++seed);
    const Matrix d = multiply(i, a, b, c);
    const auto at = [](const Matrix& m, int block, int row, int col) {
      const std::size_t index = (static_cast<std::size_t>(block) * static_cast<std::size_t>(m.shape.rows) +
                                 static_cast<std::size_t>(row)) *
                                    static_cast<std::size_t>(m.shape.cols) +
                                static_cast<std::size_t>(col);
      return static_cast<std::int64_t>(m.values[index]);
    };
    for (int block = 0; block < i.blocks; ++block)
      for (int row = 0; row < i.m; ++row)
        for (int col = 0; col < i.n; ++col) {
          std::int64_t want = at(c, block, row, col);
          for (int k = 0; k < i.k; ++k) want += at(a, block, row, k) * at(b, block, k, col);
          ASSERT_EQ(at(d, block, row, col), want)
              << i.mnemonic << " seed " << seed << " D[" << block << "][" << row << "][" << col << "]";
        }
  }
}

TEST(Multiply, RandomInputsUseTheirRange) {
  for (const Instruction& i : dense_instructions()) {
    const auto [a, b, c] = random_inputs(i, 1);
    EXPECT_EQ(random_inputs(i, 1).a.values, a.values) << i.mnemonic << ": the same seed gives other data";
    EXPECT_NE(random_inputs(i, 2).a.values, a.values) << i.mnemonic << ": another seed gives the same data";
    for (const Matrix* matrix : {&a, &b, &c}) {
      EXPECT_NE(std::ranges::find_if(matrix->values, [](double v) { return v < 0; }), matrix->values.end())
          << i.mnemonic;
      EXPECT_NE(std::ranges::find_if(matrix->values, [](double v) { return v > 0; }), matrix->values.end())
          << i.mnemonic;
    }
  }
  // Fixed data: the generator may not depend on the platform's distributions. 2 * 724 + 1 values for A: 16 *
  // 724^2 <= 2^23.
  const Matrix a = random_inputs(find_instruction("v_mfma_f32_16x16x16_f16"), 1).a;
  const double largest = *std::ranges::max_element(a.values);
  EXPECT_GT(largest, 600);
  EXPECT_LE(largest, 724);
}

TEST(Multiply, RefusesWhatIsNotExactInEveryOrder) {
  const Instruction& f16 = find_instruction("v_mfma_f32_16x16x16_f16");
  const auto refused = [&](const std::vector<double>& a, const std::vector<double>& b, double c) {
    const Inputs in = one_output(a, b, c, f16);
    return refusal(f16, in.a, in.b, in.c);
  };
  // 2^24 units of 1 are the most.
  EXPECT_EQ(refused({2048, 2048, 2048, 1}, {2048, 2048, 2048, 1}, 0x1p22 - 1), "");
  EXPECT_EQ(refused({2048, 2048, 2048, 1}, {2048, 2048, 2048, 1}, 0x1p22),
            "v_mfma_f32_16x16x16_f16 D[0][2][5]: |A*B| + |C| sums to 16777217 units of 2^0, more than the "
            "16777216 that are "
            "exact in every order for f32");
  // Signs do not help: the sum is small, a partial sum is not.
  EXPECT_NE(refused({2048, 2048, 2048, 1}, {2048, -2048, 2048, 1}, -0x1p22), "");
  // Units are counted from the smallest product or C, so a common factor changes nothing and a finer C does.
  EXPECT_EQ(refused({0x1p11, 0x1p-2}, {0x1p3, 0x1p-2}, 0x1p14), "");
  EXPECT_EQ(refused({1}, {0x1p9}, 0x1p-14), "");
  EXPECT_NE(refused({1}, {0x1p10}, 0x1p-15), "");
  // Two terms, of which one is subnormal in f16 (10 mantissa bits): 2^14 units are left.
  EXPECT_EQ(refused({0x1p-20, 0x1p-8}, {1, 1}, 0), "");
  EXPECT_NE(refused({0x1p-20, 0x1p-5}, {1, 1}, 0), "");
  EXPECT_EQ(refused({0x1p-24}, {0x1p15}, 0), "");
  EXPECT_NE(refused({std::numeric_limits<double>::infinity()}, {1}, 0), "");
  EXPECT_NE(refused({std::numeric_limits<double>::quiet_NaN()}, {1}, 0), "");

  const Instruction& f64 = find_instruction("v_mfma_f64_16x16x4_f64");
  const auto refused64 = [&](const std::vector<double>& a, const std::vector<double>& b, double c) {
    const Inputs in = one_output(a, b, c, f64);
    return refusal(f64, in.a, in.b, in.c);
  };
  EXPECT_EQ(refused64({0x1p26, 1}, {0x1p26, 1}, 0x1p52 - 1), "");
  EXPECT_NE(refused64({0x1p26, 1}, {0x1p26, 1}, 0x1p52), "");
  EXPECT_NE(refused64({0x1p53 - 1}, {0x1p53 - 1}, 0), ""); // 106 bits
  EXPECT_NE(refused64({0x1p1000}, {0x1p1000}, 0), "");
  EXPECT_NE(refused64({0x1p-1000}, {0x1p-1000}, 0), "");
}

TEST(Multiply, I32Wraps) {
  const Instruction& i8 = find_instruction("v_mfma_i32_16x16x32_i8");
  const Inputs in = one_output({1, -128}, {1, -128}, 0x1p31 - 1, i8);
  EXPECT_EQ(multiply(i8, in.a, in.b, in.c).at({0, 2, 5}), -0x1p31 + 0x1p14);
  const Inputs low = one_output({1}, {-1}, -0x1p31, i8);
  EXPECT_EQ(multiply(i8, low.a, low.b, low.c).at({0, 2, 5}), 0x1p31 - 1);
}

TEST(Multiply, NoZeroIsNegative) {
  const Instruction& f16 = find_instruction("v_mfma_f32_16x16x16_f16");
  const Inputs in = one_output({-1, 1}, {0.0, -0.0}, -0.0, f16);
  for (const double value : multiply(f16, in.a, in.b, in.c).values) ASSERT_FALSE(std::signbit(value));
}

TEST(Multiply, RefusesOtherShapes) {
  const Instruction& f16 = find_instruction("v_mfma_f32_16x16x16_f16");
  const auto [a, b, c] = random_inputs(f16, 1);
  EXPECT_EQ(refusal(f16, Matrix({1, 16, 32}), b, c),
            "v_mfma_f32_16x16x16_f16 a: expected 1 blocks of 16 x 16, got 1 of 16 x "
            "32 with 512 values");
  EXPECT_NE(refusal(f16, a, Matrix({2, 16, 16}), c), "");
  EXPECT_NE(refusal(f16, a, b, Matrix({1, 4, 4})), "");
}

TEST(Encode, KnownBits) {
  struct Case {
    Type type;
    double value;
    std::uint64_t bits;
  };
  for (const Case& c : std::initializer_list<Case>{{Type::f16, 1, 0x3C00},
                                                   {Type::f16, -2, 0xC000},
                                                   {Type::f16, 65504, 0x7BFF},
                                                   {Type::f16, 2047, 0x67FF},
                                                   {Type::f16, 0x1p-14, 0x0400},
                                                   {Type::f16, 0x1p-14 - 0x1p-24, 0x03FF},
                                                   {Type::f16, 0x1p-24, 0x0001},
                                                   {Type::f16, -0.0, 0x8000},
                                                   {Type::bf16, 1, 0x3F80},
                                                   {Type::bf16, -255, 0xC37F},
                                                   {Type::bf16, 0x1p-133, 0x0001},
                                                   {Type::f32, 1.5, 0x3FC00000},
                                                   {Type::f32, -16777215, 0xCB7FFFFF},
                                                   {Type::f32, 0x1p-149, 0x00000001},
                                                   {Type::f32, 0x1.fffffep127, 0x7F7FFFFF},
                                                   {Type::xf32, 2047, 0x44FFE000},
                                                   {Type::f64, -1, 0xBFF0000000000000},
                                                   {Type::f64, 0x1p53 - 1, 0x433FFFFFFFFFFFFF},
                                                   {Type::i8, -128, 0x80},
                                                   {Type::i8, 127, 0x7F},
                                                   {Type::i8, -1, 0xFF},
                                                   {Type::i32, -0x1p31, 0x80000000},
                                                   {Type::i32, 0x1p31 - 1, 0x7FFFFFFF}}) {
    const Codec codec = exact_codec(c.type);
    EXPECT_EQ(codec.encode(c.value), c.bits) << name(c.type) << " " << c.value;
    EXPECT_EQ(codec.decode(c.bits), c.value) << name(c.type) << " " << c.value;
  }
  EXPECT_EQ(exact_codec(Type::f16).decode(0x7C00), std::numeric_limits<double>::infinity());
  EXPECT_EQ(exact_codec(Type::f16).decode(0xFC00), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(exact_codec(Type::bf16).decode(0x7FC1)));
}

TEST(Encode, EveryCodeOf16Bits) {
  for (const Type type : {Type::f16, Type::bf16})
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits)
      if (const double value = exact_codec(type).decode(bits); std::isfinite(value)) {
        ASSERT_EQ(exact_codec(type).encode(value), bits) << name(type);
      }
}

TEST(Encode, RefusesInexactValues) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<Type, std::vector<double>> cases[] = {
      {Type::f16, {2049, 65520, 65536, 0x1p-25, 0x1.8p-24, 0.1, inf, nan}},
      {Type::bf16, {257, 0x1p128, 0x1p-134, inf, nan}},
      {Type::f32, {16777217, 0x1p128, 0x1p-150, inf, nan}},
      {Type::xf32, {2049, inf, nan}},
      {Type::f64, {inf, nan}},
      {Type::i8, {128, -129, 0.5, inf, nan}},
      {Type::i32, {0x1p31, -0x1p31 - 1, 0.5, nan}}};
  for (const auto& [type, values] : cases)
    for (const double value : values)
      EXPECT_THROW(exact_codec(type).encode(value), Error) << name(type) << " " << value;
  for (const Type type : {Type::fp8, Type::bf8, Type::fp6, Type::bf6, Type::fp4})
    EXPECT_THROW(exact_codec(type), Error) << name(type);
  const Codec bf8 = exact_codec(Format::e5m2);
  EXPECT_EQ(bf8.encode(-57344), 0xFBu);
  EXPECT_EQ(bf8.decode(0x7C), inf);
  for (const double value : {57345.0, 0x1p-17, inf, nan}) EXPECT_THROW(bf8.encode(value), Error) << value;
}

TEST(Registers, RoundTripOfEveryInstruction) {
  // Data of the small formats: their own bit patterns, as numbers.
  const auto codec_of = [](Type type) {
    if (bits_of(type) >= 16 || type == Type::i8) return exact_codec(type);
    return Codec{[](double value) { return static_cast<std::uint64_t>(value); },
                 [](std::uint64_t bits) { return static_cast<double>(bits); }};
  };
  for (const Instruction& i : dense_instructions())
    for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::d}) {
      const Layout layout = dense_layout(i, operand);
      const int codes = bits_of(type_of(i, operand)) < 7 ? 1 << bits_of(type_of(i, operand)) : 97;
      Matrix matrix(layout.shape);
      for (std::size_t n = 0; n < matrix.values.size(); ++n)
        matrix.values[n] = static_cast<double>(n % static_cast<std::size_t>(codes));
      const RegisterImage image = pack(layout, matrix, codec_of(type_of(i, operand)));
      EXPECT_EQ(image.vgprs, vgprs_of(layout)) << layout.name;
      EXPECT_EQ(unpack(layout, image, codec_of(type_of(i, operand))).values, matrix.values) << layout.name;
    }
}

TEST(Registers, WordsOfLane18) {
  const Instruction& f16 = find_instruction("v_mfma_f32_16x16x16_f16");
  Matrix a(shape_of(f16, Operand::a));
  for (int k = 4; k < 8; ++k) a.at({0, 2, k}) = k; // 4, 5, 6, 7: 0x4400, 0x4500, 0x4600, 0x4700
  const RegisterImage image = pack(f16, Operand::a, a);
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(image.word(0, lane), lane == 18 ? 0x45004400u : 0u) << "v0 lane " << lane;
    EXPECT_EQ(image.word(1, lane), lane == 18 ? 0x47004600u : 0u) << "v1 lane " << lane;
  }
  const Instruction& f64 = find_instruction("v_mfma_f64_16x16x4_f64");
  Matrix d(shape_of(f64, Operand::d));
  d.at({0, 5, 0}) = -1.0 - 0x1p-52; // lane 16, item 1
  const RegisterImage wide = pack(f64, Operand::d, d);
  EXPECT_EQ(wide.word(2, 16), 0x00000001u);
  EXPECT_EQ(wide.word(3, 16), 0xBFF00000u);
}

TEST(Registers, PoisonWhereNoItemIs) {
  const Instruction fp6 = with_formats(find_instruction("v_mfma_f32_16x16x128_f8f6f4"), Type::fp6, Type::fp4);
  const Layout layout = dense_layout(fp6, Operand::a);
  const Codec ones{[](double) { return 0x3FULL; },
                   [](std::uint64_t bits) { return static_cast<double>(bits); }};
  const RegisterImage image = pack(layout, Matrix(layout.shape), ones, 8);
  ASSERT_EQ(image.vgprs, 8);
  for (int vgpr = 0; vgpr < 8; ++vgpr)
    for (int lane = 0; lane < 64; ++lane)
      ASSERT_EQ(image.word(vgpr, lane), vgpr < 6 ? 0xFFFFFFFFu : poison) << "v" << vgpr << " lane " << lane;
}

TEST(Registers, BitsOfAPlaceOnly) {
  RegisterImage image(2);
  write_bits(image, {5, 0, 30, 6}, 0b010110);
  EXPECT_EQ(image.word(0, 5), (poison & 0x3FFFFFFF) | 0b10u << 30);
  EXPECT_EQ(image.word(1, 5), (poison & ~0xFu) | 0b0101u);
  EXPECT_EQ(read_bits(image, {5, 0, 30, 6}), 0b010110u);
  EXPECT_EQ(image.word(0, 4), poison);
  EXPECT_EQ(image.word(1, 6), poison);
}

TEST(Registers, ErrorsNameTheElement) {
  const Instruction& f16 = find_instruction("v_mfma_f32_16x16x16_f16");
  Matrix a(shape_of(f16, Operand::a));
  a.at({0, 2, 7}) = 2049;
  try {
    pack(f16, Operand::a, a);
    ADD_FAILURE() << "2049 was packed";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "v_mfma_f32_16x16x16_f16 a[0][2][7]: 2049 has no exact encoding as f16");
  }
  EXPECT_THROW(pack(f16, Operand::a, Matrix({1, 4, 4})), Error);
  EXPECT_THROW(unpack(f16, Operand::a, RegisterImage(1)), Error);
}

// The registers of a product: packed inputs, multiplied as matrices, give the packed output, whatever the
// way.
TEST(Registers, ProductThroughRegisters) {
  for (const char* name : {"v_mfma_f32_16x16x16_f16", "v_mfma_f32_4x4x4_16b_bf16", "v_mfma_i32_32x32x32_i8",
                           "v_mfma_f64_4x4x4_4b_f64", "v_mfma_f32_32x32x4_xf32"}) {
    const Instruction& i = find_instruction(name);
    const auto [a, b, c] = random_inputs(i, 11);
    const Matrix d = multiply(i, unpack(i, Operand::a, pack(i, Operand::a, a)),
                              unpack(i, Operand::b, pack(i, Operand::b, b)),
                              unpack(i, Operand::c, pack(i, Operand::c, c)));
    const RegisterImage image = pack(i, Operand::d, d);
    const Layout layout = dense_layout(i, Operand::d);
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < layout.items; ++item) {
        const Element e = layout.element_of({lane, item});
        ASSERT_EQ(exact_codec(i.d).decode(read_bits(image, place_of(layout, {lane, item}))), d.at(e))
            << name << " lane " << lane << " item " << item;
      }
  }
}

} // namespace
} // namespace cts::reference
