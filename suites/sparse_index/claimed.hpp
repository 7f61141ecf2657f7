// The claims' formulas for SMFMAC, written out by hand from their text (SPARSE-5, 6, 7 and 10), apart from
// the reference.
#pragma once

#include <cstdint>

namespace cts::sparse_index {

struct RowCol {
  int row, col;
  friend bool operator==(RowCol, RowCol) = default;
};

/// A lane and one of its registers (or items).
struct LaneItem {
  int lane, item;
  friend bool operator==(LaneItem, LaneItem) = default;
};

/// Where element (i, j) of a 16x16 accumulator is: SPARSE-6.
constexpr LaneItem place_in_16x16(int i, int j) { return {16 * (i / 4) + j, i % 4}; }
/// The element that register g of a lane holds: SPARSE-6, the inverse.
constexpr RowCol element_of_16x16(int lane, int g) { return {4 * (lane / 16) + g % 4, lane % 16}; }

/// The same of a 32x32 accumulator: SPARSE-7.
constexpr LaneItem place_in_32x32(int i, int j) { return {32 * (i / 4) % 64 + j, 4 * (i / 8) + i % 4}; }
constexpr RowCol element_of_32x32(int lane, int g) {
  return {8 * (g / 4) % 32 + 4 * (lane / 32) + g % 4, lane % 32};
}

/// Of the tile m x m, 16 or 32.
constexpr LaneItem place_in_tile(int m, int i, int j) {
  return m == 16 ? place_in_16x16(i, j) : place_in_32x32(i, j);
}
constexpr RowCol element_of_tile(int m, int lane, int g) {
  return m == 16 ? element_of_16x16(lane, g) : element_of_32x32(lane, g);
}

/// The index registers that keep positions 0 and 2 of every group: SPARSE-5.
inline constexpr std::uint32_t positions_0_and_2_of_fp16_k32 = 0x88, positions_0_and_2_of_fp8_k64 = 0x8888;

/// FP8 16x16x64: byte t of lane L is kept item 8*(L/16) + t of row L%16 of A: SPARSE-10.
constexpr RowCol kept_of_fp8_16x16x64(int lane, int t) { return {lane % 16, 8 * (lane / 16) + t}; }
/// Byte t of lane L is row 16*(L/16) + t of column L%16 of B: SPARSE-10.
constexpr RowCol b_of_fp8_16x16x64(int lane, int t) { return {16 * (lane / 16) + t, lane % 16}; }
/// The k of kept item c when every group keeps its positions 0 and 2.
constexpr int k_of_positions_0_and_2(int c) { return 4 * (c / 2) + 2 * (c % 2); }

} // namespace cts::sparse_index
