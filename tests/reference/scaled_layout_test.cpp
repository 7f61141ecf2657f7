// Scale registers of F8F6F4 against the manual's tables, and which data a scale covers.
#include "common/error.hpp"
#include "reference/scaled_layout.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cts::reference {
namespace {

constexpr Operand A = Operand::a, B = Operand::b;

const Instruction& narrow() { return find_instruction("v_mfma_f32_16x16x128_f8f6f4"); }
const Instruction& wide() { return find_instruction("v_mfma_f32_32x32x64_f8f6f4"); }

TEST(ScaleLayout, OneToOne) {
  for (const Instruction& i : instructions(Kind::f8f6f4, Target::gfx950))
    for (const Operand operand : {A, B}) {
      const Layout layout = scale_layout(i, operand);
      for (const std::string& problem : check_bijection(layout)) ADD_FAILURE() << problem;
      EXPECT_EQ(64 * layout.items, layout.shape.blocks * layout.shape.rows * layout.shape.cols)
          << layout.name;
      EXPECT_EQ(vgprs_of(layout), 1) << layout.name;
    }
}

// ISA4 7.2.1, "Scale data layout": each printed lane, in the same words for A (M) and B (N); bytes by OPSEL.
TEST(ScaleLayout, ManualsTables) {
  struct Line {
    int lane, index, first_k;
  };
  const auto expect = [](const Instruction& i, const std::vector<Line>& lines) {
    for (const Operand operand : {A, B})
      for (const Line& line : lines)
        for (int byte = 0; byte < 4; ++byte) {
          const Element data =
              operand == A ? Element{0, line.index, line.first_k} : Element{0, line.first_k, line.index};
          const Layout layout = scale_layout(i, operand);
          const Element scale = scale_of(i, operand, data, byte);
          EXPECT_EQ(place_of(layout, layout.slot_of(scale)), (Place{line.lane, 0, 8 * byte, 8}))
              << layout.name << " byte " << byte << " of index " << line.index << ", k from " << line.first_k;
          EXPECT_EQ(layout.element_of({line.lane, byte}), scale) << layout.name << " lane " << line.lane;
          EXPECT_EQ(covered_by(i, operand, scale).front(), data) << layout.name << " lane " << line.lane;
        }
  };
  expect(narrow(), {{0, 0, 0}, {1, 1, 0}, {15, 15, 0}, {16, 0, 32}, {32, 0, 64}, {63, 15, 96}});
  expect(wide(), {{0, 0, 0}, {1, 1, 0}, {15, 15, 0}, {16, 16, 0}, {32, 0, 32}, {63, 31, 32}});
}

TEST(ScaleLayout, CoversEveryElementOnce) {
  for (const Instruction& i : instructions(Kind::f8f6f4, Target::gfx950))
    for (const Operand operand : {A, B}) {
      const Layout layout = scale_layout(i, operand);
      std::set<Element> seen;
      for (int row = 0; row < layout.shape.rows; ++row)
        for (int col = 0; col < layout.shape.cols; ++col)
          for (const Element& e : covered_by(i, operand, {3, row, col})) {
            EXPECT_TRUE(seen.insert(e).second)
                << layout.name << " [" << e.row << "][" << e.col << "] is covered twice";
            EXPECT_EQ(scale_of(i, operand, e, 3), (Element{3, row, col})) << layout.name;
          }
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(i.m * i.k)) << layout.name;
    }
}

// Lanes and VGPRs of the data under one scale: of 6 and 4 bits one lane, that of the scale; of 8 bits two
// lanes, half of whose VGPRs belong to another block.
TEST(ScaleLayout, WhereTheCoveredDataAre) {
  struct Case {
    Instruction instruction;
    int block;
    std::set<int> lanes, vgprs;
  };
  const std::vector<Case> cases{
      {with_formats(narrow(), Type::fp8, Type::fp4), 0, {5, 21}, {0, 1, 2, 3}},
      {with_formats(narrow(), Type::fp8, Type::fp4), 1, {37, 53}, {0, 1, 2, 3}},
      {with_formats(narrow(), Type::bf8, Type::fp4), 2, {5, 21}, {4, 5, 6, 7}},
      {with_formats(narrow(), Type::bf8, Type::fp4), 3, {37, 53}, {4, 5, 6, 7}},
      {with_formats(wide(), Type::fp8, Type::fp4), 0, {5, 37}, {0, 1, 2, 3}},
      {with_formats(wide(), Type::fp8, Type::fp4), 1, {5, 37}, {4, 5, 6, 7}},
      {with_formats(narrow(), Type::fp6, Type::fp8), 2, {37}, {0, 1, 2, 3, 4, 5}},
      {with_formats(wide(), Type::bf6, Type::fp8), 1, {37}, {0, 1, 2, 3, 4, 5}},
      {with_formats(narrow(), Type::fp4, Type::fp8), 3, {53}, {0, 1, 2, 3}},
  };
  for (const Case& c : cases) {
    const Layout data = dense_layout(c.instruction, A);
    std::set<int> lanes, vgprs;
    for (const Element& e : covered_by(c.instruction, A, {0, 5, c.block})) {
      const Place place = place_of(data, data.slot_of(e));
      lanes.insert(place.lane);
      vgprs.insert(place.vgpr);
    }
    EXPECT_EQ(lanes, c.lanes) << data.name << " " << name(c.instruction.a) << " block " << c.block;
    EXPECT_EQ(vgprs, c.vgprs) << data.name << " " << name(c.instruction.a) << " block " << c.block;
  }
}

TEST(ScaleBytes, OpSel) {
  // ISA4 7.2.1: {OP_SEL_HI, OP_SEL} 00 is 7:0, 01 is 15:8, 10 is 23:16, 11 is 31:24.
  EXPECT_EQ(scale_byte({0, 0}), 0);
  EXPECT_EQ(scale_byte({1, 0}), 1);
  EXPECT_EQ(scale_byte({0, 1}), 2);
  EXPECT_EQ(scale_byte({1, 1}), 3);
  for (int byte = 0; byte < 4; ++byte) EXPECT_EQ(scale_byte(op_sel_of(byte)), byte);
  EXPECT_THROW(op_sel_of(4), Error);
  EXPECT_EQ(scale_of_constant(0x3F800000), 127); // 1.0
  EXPECT_EQ(scale_of_constant(0xC0000000), 128); // -2.0: the sign does not count
  EXPECT_EQ(scale_of_constant(0x3FC00000), 127); // 1.5: nor does the mantissa
  EXPECT_EQ(scale_of_constant(0x0000007F), 0);   // an integer 127 has no exponent
}

TEST(ScaleBytes, WrittenAndRead) {
  for (const Instruction& i : instructions(Kind::f8f6f4, Target::gfx950))
    for (const Operand operand : {A, B})
      for (int byte = 0; byte < 4; ++byte) {
        std::vector<std::uint8_t> scales(64);
        for (std::size_t n = 0; n < 64; ++n) scales[n] = static_cast<std::uint8_t>(100 + n);
        RegisterImage image(1);
        write_scales(image, i, operand, scales, byte);
        EXPECT_EQ(read_scales(image, i, operand, byte), scales) << i.mnemonic << " " << name(operand);
        for (int lane = 0; lane < 64; ++lane) {
          // A is written row by row, B block by block; lanes count rows (columns) first in both.
          const int blocks = i.k / 32;
          const int scale = operand == A ? lane % i.m * blocks + lane / i.m : lane;
          EXPECT_EQ(image.word(0, lane) >> 8 * byte & 0xFF, 100u + static_cast<unsigned>(scale))
              << i.mnemonic << " " << name(operand) << " lane " << lane << " byte " << byte;
          EXPECT_EQ(image.word(0, lane) & ~(0xFFu << 8 * byte), poison & ~(0xFFu << 8 * byte))
              << i.mnemonic << ": other bytes of lane " << lane;
        }
      }
}

TEST(ScaleBytes, Refusals) {
  const auto error_of = [](const std::function<void()>& act) -> std::string {
    try {
      act();
      return "no error";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_of([] { scale_layout(find_instruction("v_mfma_f32_16x16x16_f16"), A); }),
            "v_mfma_f32_16x16x16_f16 has no scales: only F8F6F4 instructions do");
  EXPECT_EQ(error_of([] { scale_layout(narrow(), Operand::d); }),
            "v_mfma_f32_16x16x128_f8f6f4: d has no scales: only A and B do");
  EXPECT_EQ(error_of([] { scale_of(narrow(), A, {}, 4); }), "byte 4 of a scale register: expected 0 to 3");
  RegisterImage image(1);
  EXPECT_EQ(error_of([&] { write_scales(image, narrow(), A, std::vector<std::uint8_t>(63), 0); }),
            "v_mfma_f32_16x16x128_f8f6f4 scale of a: expected 64 scales, got 63");
  EXPECT_EQ(error_of([&] { read_scales(image, narrow(), B, 4); }),
            "v_mfma_f32_16x16x128_f8f6f4 scale of b: set 4: expected 0 to 3");
}

} // namespace
} // namespace cts::reference
