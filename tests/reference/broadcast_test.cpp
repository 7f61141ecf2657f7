// CBSZ, ABID and BLGP: which lane is read, where that is defined, and what the product sees.
#include "common/error.hpp"
#include "reference/matmul.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::reference {
namespace {

/// Each element its own number: 10000 * block + 100 * row + col + 1.
Matrix numbered(const Instruction& i, Operand operand) {
  Matrix matrix(shape_of(i, operand));
  for (int b = 0; b < matrix.shape.blocks; ++b)
    for (int r = 0; r < matrix.shape.rows; ++r)
      for (int c = 0; c < matrix.shape.cols; ++c) matrix.at({b, r, c}) = 10000 * b + 100 * r + c + 1;
  return matrix;
}

// ISA3 7.1.5.1: the examples in its text.
TEST(Broadcast, LanesOfCbszAndAbid) {
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(source_lane_a(lane, 0, 0), lane);
    EXPECT_EQ(source_lane_a(lane, 1, 0), lane % 32);
    EXPECT_EQ(source_lane_a(lane, 1, 1), 32 + lane % 32);
    EXPECT_EQ(source_lane_a(lane, 2, 1), 16 + lane % 16); // "lanes 16 to 31 are broadcast"
    EXPECT_EQ(source_lane_a(lane, 2, 3), 48 + lane % 16); // "lanes 48 to 63"
    EXPECT_EQ(source_lane_a(lane, 3, 0), lane % 8);       // "a block of 8 lanes"
    EXPECT_EQ(source_lane_a(lane, 4, 15), 60 + lane % 4);
  }
  EXPECT_THROW(source_lane_a(0, 5, 0), Error); // "the largest legal value of CBSZ is 4"
  EXPECT_THROW(source_lane_a(0, 2, 4), Error); // ABID >= 1 << CBSZ
  EXPECT_THROW(source_lane_a(0, 0, 1), Error);
  EXPECT_THROW(source_lane_a(0, -1, 0), Error);
}

// ISA3 Table 29, lanes 0, 15, 16, 31, 32, 47, 48 and 63 of each row, by hand.
TEST(Broadcast, LanesOfBlgp) {
  constexpr int lanes[] = {0, 15, 16, 31, 32, 47, 48, 63};
  constexpr int table[8][8] = {{0, 15, 16, 31, 32, 47, 48, 63},   // no broadcast
                               {0, 15, 16, 31, 0, 15, 16, 31},    // first 32 lanes
                               {32, 47, 48, 63, 32, 47, 48, 63},  // second 32 lanes
                               {16, 31, 32, 47, 48, 63, 0, 15},   // rotate 16 lanes left
                               {0, 15, 0, 15, 0, 15, 0, 15},      // first 16 lanes
                               {16, 31, 16, 31, 16, 31, 16, 31},  // second 16 lanes
                               {32, 47, 32, 47, 32, 47, 32, 47},  // third 16 lanes
                               {48, 63, 48, 63, 48, 63, 48, 63}}; // fourth 16 lanes
  for (int blgp = 0; blgp < 8; ++blgp)
    for (int n = 0; n < 8; ++n)
      EXPECT_EQ(source_lane_b(lanes[n], blgp), table[blgp][n]) << "BLGP " << blgp << ", lane " << lanes[n];
  EXPECT_THROW(source_lane_b(0, 8), Error);
  EXPECT_THROW(source_lane_b(0, -1), Error);
}

TEST(Broadcast, WhereItIsDefined) {
  struct Case {
    const char* instruction;
    Broadcast fields;
    bool defined;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"v_mfma_f32_32x32x1_2b_f32", {1, 1, 7}, true},
           {"v_mfma_f32_32x32x1_2b_f32", {2, 0, 0}, false}, // 4 > 2 blocks
           {"v_mfma_f32_32x32x1_2b_f32", {0, 1, 0}, false}, // ABID without CBSZ
           {"v_mfma_f32_4x4x4_16b_f16", {4, 15, 3}, true},
           {"v_mfma_f32_4x4x4_16b_f16", {5, 0, 0}, false},
           {"v_mfma_f32_16x16x4_f32", {0, 0, 3}, true}, // F32: BLGP also with one block
           {"v_mfma_f32_16x16x4_f32", {1, 0, 0}, false},
           {"v_mfma_f32_16x16x16_f16", {0, 0, 0}, true},
           {"v_mfma_f32_16x16x16_f16", {0, 0, 1}, false},
           {"v_mfma_f32_16x16x32_f16", {1, 0, 0}, false},
           {"v_mfma_f64_16x16x4_f64", {7, 15, 7}, true}, // CBSZ and ABID ignored, BLGP negates
           {"v_mfma_f32_16x16x128_f8f6f4", {4, 1, 2}, true},
           {"v_mfma_f32_16x16x128_f8f6f4", {5, 0, 0}, false},
           {"v_mfma_f32_16x16x128_f8f6f4", {0, 0, 5}, false},
           {"v_mfma_f32_16x16x128_f8f6f4", {0, 0, 8}, false}}) {
    const auto why = undefined_broadcast(find_instruction(c.instruction), c.fields);
    EXPECT_EQ(!why.has_value(), c.defined)
        << c.instruction << " CBSZ " << c.fields.cbsz << " ABID " << c.fields.abid << " BLGP "
        << c.fields.blgp << ": " << why.value_or("defined");
  }
}

// By the formula, block b of A is replaced by block b % (B >> CBSZ) + (B >> CBSZ) * ABID; by the field
// tables, by block b - b % (1 << CBSZ) + ABID. Nothing else changes.
TEST(Broadcast, BlocksOfAThatTheProductSees) {
  int cases = 0;
  for (const Instruction& i : instructions(Kind::dense, Target::gfx950)) {
    if (i.blocks == 1 || i.unit == Unit::dgemm) continue;
    const Matrix a = numbered(i, Operand::a);
    for (int cbsz = 0; 1 << cbsz <= i.blocks; ++cbsz)
      for (int abid = 0; abid < 1 << cbsz; ++abid, ++cases) {
        const Broadcast fields{cbsz, abid, 0};
        const Matrix by_lanes = as_read(i, Operand::a, a, fields);
        const Matrix by_blocks = as_read(i, Operand::a, a, fields, Reading::blocks);
        EXPECT_EQ(by_lanes.values != by_blocks.values, readings_differ(i, fields))
            << i.mnemonic << " CBSZ " << cbsz << " ABID " << abid;
        const int kept = i.blocks >> cbsz;
        for (int b = 0; b < i.blocks; ++b)
          for (int r = 0; r < i.m; ++r)
            for (int k = 0; k < i.k; ++k) {
              const std::string where =
                  fmt::format("{} CBSZ {} ABID {} A[{}][{}][{}]", i.mnemonic, cbsz, abid, b, r, k);
              ASSERT_EQ(by_lanes.at({b, r, k}), a.at({b % kept + kept * abid, r, k})) << where;
              ASSERT_EQ(by_blocks.at({b, r, k}), a.at({b - b % (1 << cbsz) + abid, r, k})) << where;
            }
      }
  }
  EXPECT_EQ(cases, 4 * (3 + 7 + 31)); // F32, F16, BF16, I8, each with 2, 4 and 16 blocks
}

// The examples of AMD's matrix instruction calculator for 16 blocks, and what the manuals' formula says
// instead.
TEST(Broadcast, ReadingsOfPartialBroadcasts) {
  const Instruction& i = find_instruction("v_mfma_f32_4x4x1_16b_f32");
  using List = std::vector<int>;
  const auto blocks = [&](const Broadcast& fields, Reading reading) {
    List from;
    for (int b = 0; b < 16; ++b) from.push_back(source_lane(i, Operand::a, 4 * b, fields, reading) / 4);
    return from;
  };
  EXPECT_EQ(blocks({1, 1, 0}, Reading::blocks), (List{1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15}));
  EXPECT_EQ(blocks({1, 1, 0}, Reading::lanes),
            (List{8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(blocks({2, 1, 0}, Reading::blocks), (List{1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13}));
  EXPECT_EQ(blocks({2, 1, 0}, Reading::lanes), (List{4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7}));
  for (const Reading reading : {Reading::lanes, Reading::blocks}) {
    EXPECT_EQ(blocks({4, 13, 0}, reading), List(16, 13));
    EXPECT_EQ(blocks({0, 0, 0}, reading), (List{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
  }
}

// ISA3 7.1.5.1's full example. Its text has block 1 of A "stored by the first 32 lanes"; by its own formula
// the lanes read are 32 to 63, where block 1 is.
TEST(Broadcast, ManualsExample) {
  const Instruction& i = find_instruction("v_mfma_f32_32x32x1_2b_f32");
  const Matrix read = as_read(i, Operand::a, numbered(i, Operand::a), {1, 1, 0});
  EXPECT_EQ(read.at({0, 5, 0}), 10501);
  EXPECT_EQ(read.at({1, 5, 0}), 10501);
}

TEST(Broadcast, RowsOfBThatTheProductSees) {
  // One block of F32 16x16x4: B[k][j] is in lane j + 16 * k.
  const Instruction& one = find_instruction("v_mfma_f32_16x16x4_f32");
  const Matrix b = numbered(one, Operand::b);
  const Matrix rotated = as_read(one, Operand::b, b, {0, 0, 3});
  const Matrix third = as_read(one, Operand::b, b, {0, 0, 6});
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 16; ++j) {
      EXPECT_EQ(rotated.at({0, k, j}), b.at({0, (k + 1) % 4, j})) << "B[" << k << "][" << j << "]";
      EXPECT_EQ(third.at({0, k, j}), b.at({0, 2, j})) << "B[" << k << "][" << j << "]";
    }
  // Two blocks of F16 32x32x4: lanes 0-31 hold block 0, so halves are blocks.
  const Instruction& two = find_instruction("v_mfma_f32_32x32x4_2b_f16");
  const Matrix b2 = numbered(two, Operand::b);
  const Matrix second = as_read(two, Operand::b, b2, {0, 0, 2});
  for (int block = 0; block < 2; ++block) EXPECT_EQ(second.at({block, 3, 30}), b2.at({1, 3, 30}));
  EXPECT_EQ(as_read(two, Operand::c, numbered(two, Operand::c), {1, 1, 2}).at({0, 3, 30}), 331);
}

TEST(Broadcast, BlgpNegatesF64) {
  const Instruction& i = find_instruction("v_mfma_f64_16x16x4_f64");
  for (int blgp = 0; blgp < 8; ++blgp)
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
      const bool negated = blgp >> static_cast<int>(operand) & 1;
      EXPECT_EQ(as_read(i, operand, numbered(i, operand), {3, 5, blgp}).at({0, 3, 2}), negated ? -303 : 303)
          << name(operand) << " BLGP " << blgp;
    }
}

} // namespace
} // namespace cts::reference
