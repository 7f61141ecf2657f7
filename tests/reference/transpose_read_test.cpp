// Transpose reads: the exchange within 16 lanes, by hand and against the k ranges that ISA4 11.4 names.
#include "error_of.hpp"
#include "reference/transpose_read.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cts::reference {
namespace {

constexpr int sizes[] = {4, 6, 8, 16};

TEST(TransposeRead, OneToOne) {
  for (const int bits : sizes) {
    for (const Layout& layout : {transpose_chunks(bits), transpose_result(bits)}) {
      for (const std::string& problem : check_bijection(layout)) ADD_FAILURE() << problem;
      EXPECT_EQ(32 * vgprs_of(layout), bits == 6 ? 96 : 64) << layout.name;
    }
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < transpose_items(bits); ++item) {
        const Slot source = transpose_source(bits, {lane, item});
        EXPECT_EQ(source.lane / 16, lane / 16)
            << bits << " bits: lane " << lane << " reads from another group";
        EXPECT_EQ(transpose_destination(bits, source), (Slot{lane, item})) << bits << " bits";
      }
  }
}

// By hand. 16 bits: a row of 16 columns is four chunks of 4; lane 5 of group 1 (lane 21), item 2, is row 2,
// column 5: second chunk of row 2, lane 16 + 2 * 4 + 1, its item 1. 8 bits: two chunks a row. 6 and 4 bits:
// one.
TEST(TransposeRead, Sources) {
  EXPECT_EQ(transpose_source(16, {21, 2}), (Slot{25, 1}));
  EXPECT_EQ(transpose_source(16, {0, 3}), (Slot{12, 0}));
  EXPECT_EQ(transpose_source(16, {63, 0}), (Slot{51, 3}));
  EXPECT_EQ(transpose_source(8, {21, 2}), (Slot{20, 5}));
  EXPECT_EQ(transpose_source(8, {15, 7}), (Slot{15, 7}));
  EXPECT_EQ(transpose_source(8, {32, 1}), (Slot{34, 0}));
  for (const int bits : {4, 6}) {
    EXPECT_EQ(transpose_source(bits, {21, 2}), (Slot{18, 5})) << bits;
    EXPECT_EQ(transpose_source(bits, {48, 15}), (Slot{63, 0})) << bits;
  }
}

// ISA4 11.4: which k of an MFMA operand the first of two reads loads.
TEST(TransposeRead, FirstReadLoadsTheManualsK) {
  struct Case {
    int bits;
    Instruction instruction;
    std::vector<std::pair<int, int>> ranges;
  };
  const Instruction& wide = find_instruction("v_mfma_f32_32x32x64_f8f6f4");
  const std::vector<Case> cases{
      {16, find_instruction("v_mfma_f32_32x32x16_f16"), {{0, 3}, {8, 11}}},
      {8, find_instruction("v_mfma_i32_16x16x64_i8"), {{0, 7}, {16, 23}, {32, 39}, {48, 55}}},
      {6, with_formats(wide, Type::fp6, Type::fp6), {{0, 15}, {32, 47}}},
      {4, with_formats(wide, Type::fp4, Type::fp4), {{0, 15}, {32, 47}}}};
  for (const Case& c : cases) {
    std::set<int> want, got;
    for (const auto& [first, last] : c.ranges)
      for (int k = first; k <= last; ++k) want.insert(k);
    const Layout b = dense_layout(c.instruction, Operand::b);
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < transpose_items(c.bits); ++item) got.insert(b.element_of({lane, item}).row);
    EXPECT_EQ(got, want) << c.bits << " bits";
  }
}

TEST(TransposeRead, BitsOfLds) {
  std::array<std::uint32_t, 64> addresses{};
  for (std::uint32_t lane = 0; lane < 64; ++lane) addresses[lane] = 1000 * lane;
  EXPECT_EQ(transpose_lds_bits(16, {21, 2}, addresses), (LdsBits{25002, 0, 16}));
  EXPECT_EQ(transpose_lds_bits(8, {21, 2}, addresses, 64), (LdsBits{20069, 0, 8}));
  EXPECT_EQ(transpose_lds_bits(4, {21, 2}, addresses), (LdsBits{18002, 4, 4})); // fifth nibble
  EXPECT_EQ(transpose_lds_bits(6, {21, 2}, addresses), (LdsBits{18003, 6, 6})); // bits 35:30
}

TEST(TransposeRead, TileAddresses) {
  // Rows 100 bytes apart, from 40. 16 bits: chunks of 8 bytes, four to a row.
  const auto address = [](int bits, int lane) { return transpose_tile_address(bits, lane, 40, 100); };
  EXPECT_EQ(address(16, 0), 40u);
  EXPECT_EQ(address(16, 3), 40u + 24);
  EXPECT_EQ(address(16, 4), 140u);
  EXPECT_EQ(address(16, 15), 340u + 24);
  EXPECT_EQ(address(16, 20), address(16, 4));
  EXPECT_EQ(address(8, 1), 48u);
  EXPECT_EQ(address(8, 15), 740u + 8);
  EXPECT_EQ(address(6, 15), 1540u);
  EXPECT_EQ(address(4, 1), 140u);
}

/// Bits of `bytes` as items of `bits`, from bit 0 of byte 0.
std::uint64_t item_of(const std::vector<std::uint8_t>& bytes, std::size_t byte, int bits, int n) {
  std::uint64_t value = 0;
  for (int b = bits - 1; b >= 0; --b) {
    const int bit = bits * n + b;
    value = value << 1 | (bytes[byte + static_cast<std::size_t>(bit / 8)] >> bit % 8 & 1);
  }
  return value;
}

// Each group transposes a tile of its own in random LDS: row r, column c of the tile is item r of lane c.
TEST(TransposeRead, TransposesTiles) {
  std::mt19937 random(11);
  for (const int bits : sizes) {
    constexpr std::uint32_t stride = 48, group_bytes = 16 * stride;
    std::vector<std::uint8_t> lds(4 * group_bytes + 16);
    for (std::uint8_t& byte : lds) byte = static_cast<std::uint8_t>(random());
    std::array<std::uint32_t, 64> addresses{};
    for (int lane = 0; lane < 64; ++lane)
      addresses[static_cast<std::size_t>(lane)] =
          transpose_tile_address(bits, lane, group_bytes * static_cast<std::uint32_t>(lane / 16), stride);
    const RegisterImage image = transpose_read(bits, lds, addresses, 16);
    const Layout result = transpose_result(bits);
    EXPECT_EQ(image.vgprs, bits == 6 ? 3 : 2);
    for (int group = 0; group < 4; ++group)
      for (int row = 0; row < transpose_items(bits); ++row)
        for (int col = 0; col < 16; ++col) {
          const std::size_t start =
              16 + group_bytes * static_cast<std::size_t>(group) + stride * static_cast<std::size_t>(row);
          EXPECT_EQ(read_bits(image, place_of(result, {16 * group + col, row})),
                    item_of(lds, start, bits, col))
              << bits << " bits, group " << group << " row " << row << " column " << col;
        }
  }
}

TEST(TransposeRead, Refusals) {
  EXPECT_EQ(error_of([] { transpose_items(32); }), "transpose read of 32-bit items: expected 4, 6, 8 or 16");
  std::array<std::uint32_t, 64> addresses{};
  const std::vector<std::uint8_t> lds(64);
  addresses[5] = 4;
  EXPECT_EQ(error_of([&] { transpose_read(16, lds, addresses); }),
            "16-bit transpose read, result: lane 5 reads at 4: expected a multiple of 8");
  addresses[5] = 8;
  EXPECT_EQ(error_of([&] { transpose_read(6, lds, addresses); }),
            "6-bit transpose read, result: lane 5 reads at 8: expected a multiple of 16");
  addresses[5] = 64;
  EXPECT_EQ(error_of([&] { transpose_read(4, lds, addresses); }),
            "4-bit transpose read, result: lane 5 reads 8 bytes at 64 of 64 bytes of LDS");
}

} // namespace
} // namespace cts::reference
