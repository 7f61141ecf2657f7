// The claims' formulas for FP16 16x16x16 and 16x16x32, written out by hand from their text (CDNA-3.1 to 3.6),
// apart from the reference. One block, CBSZ = ABID = BLGP = 0; q = floor(lane / 16), t = lane mod 16.
#pragma once

namespace cts::lane_ownership {

struct RowCol {
  int row, col;
  friend bool operator==(RowCol, RowCol) = default;
};

/// A[t][items*q + e]: CDNA-3.1 with 4 items a lane, CDNA-3.3 with 8.
constexpr RowCol a_element(int items, int lane, int e) { return {lane % 16, items * (lane / 16) + e}; }

/// B[items*q + e][t]: CDNA-3.2 with 4 items a lane, CDNA-3.4 with 8.
constexpr RowCol b_element(int items, int lane, int e) { return {items * (lane / 16) + e, lane % 16}; }

/// C and D[4q + g][t]: CDNA-3.5.
constexpr RowCol d_element(int lane, int g) { return {4 * (lane / 16) + g, lane % 16}; }

/// The register of a 16-bit item and its lowest bit: CDNA-3.6.
struct HalfOfVgpr {
  int vgpr, low_bit;
  friend bool operator==(HalfOfVgpr, HalfOfVgpr) = default;
};
constexpr HalfOfVgpr half_of_item(int e) { return {e / 2, e % 2 == 0 ? 0 : 16}; }

} // namespace cts::lane_ownership
