// The claims' formulas for the accumulator against each other and against the reference; each check is also
// shown a layout that is wrong, and must say so.
#include "common/claim_test.hpp"
#include "reference/sparse_layout.hpp"
#include "suites/sparse_index/claimed.hpp"

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Element;
using reference::Layout;
using reference::Slot;

/// Over all elements and all registers of a tile m x m: the formulas are each other's inverse, and `layout`
/// is what they say. Returns how often something differs.
std::size_t compare(TestContext& context, int m, const Layout& layout, bool report = true) {
  Comparison comparison(context, layout.name);
  const auto same = [&](int expected, int got, const std::string& what) {
    comparison.equal_at(static_cast<unsigned>(expected), static_cast<unsigned>(got),
                        [&] { return Where{.note = what}; });
  };
  const int registers = m * m / 64;
  same(registers, layout.items, "registers of a lane");
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const LaneItem place = place_in_tile(m, i, j);
      const RowCol back = element_of_tile(m, place.lane, place.item);
      const Slot slot = layout.slot_of({0, i, j});
      same(i, back.row, fmt::format("row of where D[{}][{}] is", i, j));
      same(j, back.col, fmt::format("column of where D[{}][{}] is", i, j));
      same(place.lane, slot.lane, fmt::format("lane of D[{}][{}]", i, j));
      same(place.item, slot.item, fmt::format("register of D[{}][{}]", i, j));
    }
  for (int lane = 0; lane < 64; ++lane)
    for (int g = 0; g < registers; ++g) {
      const RowCol claimed = element_of_tile(m, lane, g);
      const Element e = layout.element_of({lane, g});
      same(claimed.row, e.row, fmt::format("row of register {} of lane {}", g, lane));
      same(claimed.col, e.col, fmt::format("column of register {} of lane {}", g, lane));
    }
  if (!report) comparison.dismiss();
  return comparison.mismatches();
}

/// `layout` with rows and columns exchanged.
Layout transposed(const Layout& layout) {
  Layout wrong = layout;
  wrong.slot_of = [layout](const Element& e) { return layout.slot_of({0, e.col, e.row}); };
  return wrong;
}

/// `layout` of a 16x16 tile read with the formula of a 32x32 one, or the other way round.
Layout of_other_tile(const Layout& layout, int m) {
  Layout wrong = layout;
  wrong.slot_of = [m](const Element& e) {
    const LaneItem place = m == 16 ? place_in_32x32(e.row, e.col) : place_in_16x16(e.row, e.col);
    return Slot{place.lane, place.item};
  };
  return wrong;
}

void check_accumulator(TestContext& context, int m) {
  for (const auto& i : reference::instructions(reference::Kind::sparse, context.target())) {
    if (i.m != m) continue;
    const Layout layout = reference::sparse_layout(i, reference::Operand::d);
    compare(context, m, layout);
    EXPECT_GT(compare(context, m, transposed(layout), false), 0u) << "not noticed: D transposed";
    EXPECT_GT(compare(context, m, of_other_tile(layout, m), false), 0u)
        << "not noticed: the other tile's formula";
  }
}

const bool added = add({
    {.suite = "Smfmac16x16",
     .name = "AccumulatorIsWhereClaimed",
     .check = Check::host,
     .claims = {"SPARSE-6"_claim},
     .body = [](TestContext& t) { check_accumulator(t, 16); }},
    {.suite = "Smfmac32x32",
     .name = "AccumulatorIsWhereClaimed",
     .check = Check::host,
     .claims = {"SPARSE-7"_claim},
     .body = [](TestContext& t) { check_accumulator(t, 32); }},
});

} // namespace
} // namespace cts::sparse_index
