// The claims' formulas against the reference, both ways and for every lane and item; each check is also shown
// a layout that is wrong, and must say so.
#include "common/claim_test.hpp"
#include "common/error.hpp"
#include "reference/dense_layout.hpp"
#include "suites/lane_ownership/single_block.hpp"

#include <algorithm>
#include <functional>

namespace cts::lane_ownership {
namespace {

using namespace literals;
using reference::Element;
using reference::Layout;
using reference::Operand;
using reference::Slot;

using Formula = std::function<RowCol(int lane, int item)>;

Layout layout_of(std::string_view instruction, Operand operand) {
  return reference::dense_layout(reference::find_instruction(instruction), operand);
}

/// Compares a layout with a formula: slot to element and back, over all lanes and `items`. Returns how often
/// they differ.
std::size_t compare(TestContext& context, const Layout& layout, int items, const Formula& formula,
                    bool report = true) {
  expect_equal(context, layout.name + ": items of a lane", items, layout.items);
  Comparison comparison(context, layout.name);
  for (int lane = 0; lane < 64; ++lane) {
    for (int item = 0; item < items; ++item) {
      const RowCol claimed = formula(lane, item);
      const Element element = layout.element_of({lane, item});
      const Slot slot = layout.slot_of({0, claimed.row, claimed.col});
      const auto where = [&](const char* what) {
        return [=] { return Where{.lane = lane, .note = fmt::format("item {} {}", item, what)}; };
      };
      comparison.equal_at(0, static_cast<unsigned>(element.block), where("block"));
      comparison.equal_at(static_cast<unsigned>(claimed.row), static_cast<unsigned>(element.row),
                          where("row"));
      comparison.equal_at(static_cast<unsigned>(claimed.col), static_cast<unsigned>(element.col),
                          where("column"));
      comparison.equal_at(static_cast<unsigned>(lane), static_cast<unsigned>(slot.lane),
                          where("lane of the claimed element"));
      comparison.equal_at(static_cast<unsigned>(item), static_cast<unsigned>(slot.item),
                          where("item of the claimed element"));
    }
  }
  if (!report) comparison.dismiss();
  return comparison.mismatches();
}

/// The twin of compare(): the same comparison of a wrong layout must differ.
void expect_reported(TestContext& context, const std::string& mistake, const Layout& wrong, int items,
                     const Formula& formula) {
  context.compared();
  EXPECT_GT(compare(context, wrong, items, formula, false), 0u) << "not noticed: " << mistake;
}

/// `layout` with rows and columns exchanged.
Layout transposed(const Layout& layout) {
  Layout wrong = layout;
  wrong.name += " transposed";
  wrong.slot_of = [layout](const Element& e) {
    return layout.slot_of({e.block, e.col % layout.shape.rows, e.row % layout.shape.cols});
  };
  wrong.element_of = [layout](const Slot& s) {
    const Element e = layout.element_of(s);
    return Element{e.block, e.col, e.row};
  };
  return wrong;
}

/// `layout` with item and lane group exchanged in the K index: group q, item e holds k = 4*e + q.
Layout strided(const Layout& layout) {
  const auto moved = [items = layout.items](const Slot& s) {
    const int k = 4 * s.item + s.lane / 16;
    return Slot{16 * (k / items) + s.lane % 16, k % items};
  };
  Layout wrong = layout;
  wrong.name += " with item and lane group exchanged";
  wrong.element_of = [layout, moved](const Slot& s) { return layout.element_of(moved(s)); };
  return wrong;
}

void check_input(TestContext& context, std::string_view instruction, Operand operand, int items) {
  const Formula formula = [=](int lane, int item) {
    return operand == Operand::a ? a_element(items, lane, item) : b_element(items, lane, item);
  };
  const Layout layout = layout_of(instruction, operand);
  compare(context, layout, items, formula);
  expect_reported(context, "rows and columns exchanged", transposed(layout), items, formula);
  expect_reported(context, "item and lane group exchanged", strided(layout), items, formula);
}

void check_output(TestContext& context, std::string_view instruction) {
  for (const Operand operand : {Operand::c, Operand::d}) {
    const Layout layout = layout_of(instruction, operand);
    compare(context, layout, 4, d_element);
    expect_reported(context, "D transposed", transposed(layout), 4, d_element);
    expect_reported(context, "item and lane group exchanged", strided(layout), 4, d_element);
  }
}

/// Returns how many items of A or B are elsewhere than CDNA-3.6 says.
std::size_t compare_packing(TestContext& context, const Layout& layout, int items, int vgprs,
                            bool report = true) {
  Comparison comparison(context, layout.name + " packing");
  comparison.equal(static_cast<unsigned>(vgprs), static_cast<unsigned>(reference::vgprs_of(layout)),
                   {.note = "payload VGPRs"});
  for (int lane = 0; lane < 64; ++lane) {
    for (int item = 0; item < items; ++item) {
      const HalfOfVgpr claimed = half_of_item(item);
      const reference::Place place = reference::place_of(layout, {lane, item});
      const auto where = [&](const char* what) {
        return [=] { return Where{.lane = lane, .note = fmt::format("item {} {}", item, what)}; };
      };
      comparison.equal_at(static_cast<unsigned>(lane), static_cast<unsigned>(place.lane), where("lane"));
      comparison.equal_at(static_cast<unsigned>(claimed.vgpr), static_cast<unsigned>(place.vgpr),
                          where("VGPR"));
      comparison.equal_at(static_cast<unsigned>(claimed.low_bit), static_cast<unsigned>(place.low_bit),
                          where("lowest bit"));
      comparison.equal_at(16, static_cast<unsigned>(place.bits), where("bits"));
    }
  }
  if (!report) comparison.dismiss();
  return comparison.mismatches();
}

void check_packing(TestContext& context, std::string_view instruction, int items, int vgprs) {
  for (const Operand operand : {Operand::a, Operand::b}) {
    const Layout layout = layout_of(instruction, operand);
    compare_packing(context, layout, items, vgprs);
    Layout wrong = layout; // one item in each register, its upper half unused
    wrong.bits = 32;
    context.compared();
    EXPECT_GT(compare_packing(context, wrong, items, vgprs, false), 0u)
        << "not noticed: one item in each register";
  }
}

/// CDNA-3.7: what lane 18 holds, in literal coordinates.
void check_lane_18(TestContext& context, std::string_view instruction, std::vector<int> ks) {
  const Layout a = layout_of(instruction, Operand::a), b = layout_of(instruction, Operand::b),
               d = layout_of(instruction, Operand::d);
  for (int e = 0; e < static_cast<int>(ks.size()); ++e) {
    const int k = ks[static_cast<std::size_t>(e)];
    expect_equal(context, fmt::format("A item {} of lane 18 is A[2][{}]", e, k), true,
                 a.element_of({18, e}) == Element{0, 2, k});
    expect_equal(context, fmt::format("B item {} of lane 18 is B[{}][2]", e, k), true,
                 b.element_of({18, e}) == Element{0, k, 2});
  }
  for (int g = 0; g < 4; ++g)
    expect_equal(context, fmt::format("D item {} of lane 18 is D[{}][2]", g, 4 + g), true,
                 d.element_of({18, g}) == Element{0, 4 + g, 2});
  expect_equal(context, "item 2 is D[6][2]", true, d.slot_of({0, 6, 2}) == Slot{18, 2});
  context.compared();
  EXPECT_FALSE(transposed(a).element_of({18, 0}) == (Element{0, 2, ks[0]})) << "not noticed: A transposed";
}

/// CDNA-3.8, without the reference: how many of rows x cols elements 64 lanes of `items` do not hold exactly
/// once.
int not_held_once(int rows, int cols, int items, const Formula& formula) {
  std::vector<int> held(static_cast<std::size_t>(rows * cols), 0);
  int outside = 0;
  for (int lane = 0; lane < 64; ++lane) {
    for (int item = 0; item < items; ++item) {
      const RowCol e = formula(lane, item);
      if (e.row < 0 || e.row >= rows || e.col < 0 || e.col >= cols)
        ++outside;
      else
        ++held[static_cast<std::size_t>(e.row * cols + e.col)];
    }
  }
  return outside + static_cast<int>(std::ranges::count_if(held, [](int n) { return n != 1; }));
}

void check_cover(TestContext& context, std::string_view instruction, int items) {
  const int k = 4 * items;
  const Formula a = [=](int lane, int e) { return a_element(items, lane, e); };
  const Formula b = [=](int lane, int e) { return b_element(items, lane, e); };
  expect_equal(context, "elements of A not held exactly once", 0, not_held_once(16, k, items, a));
  expect_equal(context, "elements of B not held exactly once", 0, not_held_once(k, 16, items, b));
  expect_equal(context, "elements of D not held exactly once", 0, not_held_once(16, 16, 4, d_element));
  for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::d}) {
    const Layout layout = layout_of(instruction, operand);
    expect_equal(context, layout.name, std::vector<std::string>{}, reference::check_bijection(layout));
    Layout wrong = layout; // lane 63 repeats lane 62
    wrong.element_of = [layout](const Slot& s) { return layout.element_of({std::min(s.lane, 62), s.item}); };
    context.compared();
    EXPECT_FALSE(reference::check_bijection(wrong).empty())
        << "not noticed: " << layout.name << " with lane 63 as lane 62";
  }
  context.compared(2);
  EXPECT_GT(not_held_once(16, k, items,
                          [](int lane, int e) {
                            return RowCol{lane % 16, lane / 16 + e};
                          }),
            0)
      << "not noticed: overlapping K";
  EXPECT_GT(not_held_once(16, 16, 4,
                          [](int lane, int g) {
                            return RowCol{(lane / 16) + g, lane % 16};
                          }),
            0)
      << "not noticed: overlapping rows of D";
}

const std::vector<Target> both(all_targets.begin(), all_targets.end()), only_gfx950{Target::gfx950};
const char* const k16 = "MfmaF32_16x16x16_F16";
const char* const k32 = "MfmaF32_16x16x32_F16";

const bool added = add({
    {k16,
     "AItemIsClaimedElement",
     Check::host,
     {"CDNA-3.1"_claim},
     both,
     [](TestContext& t) { check_input(t, k16, Operand::a, 4); }},
    {k16,
     "BItemIsClaimedElement",
     Check::host,
     {"CDNA-3.2"_claim},
     both,
     [](TestContext& t) { check_input(t, k16, Operand::b, 4); }},
    {k32,
     "AItemIsClaimedElement",
     Check::host,
     {"CDNA-3.3"_claim},
     only_gfx950,
     [](TestContext& t) { check_input(t, k32, Operand::a, 8); }},
    {k32,
     "BItemIsClaimedElement",
     Check::host,
     {"CDNA-3.4"_claim},
     only_gfx950,
     [](TestContext& t) { check_input(t, k32, Operand::b, 8); }},
    {k16,
     "DItemIsClaimedElement",
     Check::host,
     {"CDNA-3.5"_claim},
     both,
     [](TestContext& t) { check_output(t, k16); }},
    {k32,
     "DItemIsClaimedElement",
     Check::host,
     {"CDNA-3.5"_claim},
     only_gfx950,
     [](TestContext& t) { check_output(t, k32); }},
    {k16,
     "ItemsArePackedLowHalfFirst",
     Check::host,
     {"CDNA-3.6"_claim},
     both,
     [](TestContext& t) { check_packing(t, k16, 4, 2); }},
    {k32,
     "ItemsArePackedLowHalfFirst",
     Check::host,
     {"CDNA-3.6"_claim},
     only_gfx950,
     [](TestContext& t) { check_packing(t, k32, 8, 4); }},
    {k16,
     "Lane18",
     Check::host,
     {"CDNA-3.7"_claim},
     both,
     [](TestContext& t) {
       check_lane_18(t, k16, {4, 5, 6, 7});
     }},
    {k32,
     "Lane18",
     Check::host,
     {"CDNA-3.7"_claim},
     only_gfx950,
     [](TestContext& t) {
       check_lane_18(t, k32, {8, 9, 10, 11, 12, 13, 14, 15});
     }},
    {k16,
     "EveryElementIsHeldOnce",
     Check::host,
     {"CDNA-3.8"_claim},
     both,
     [](TestContext& t) { check_cover(t, k16, 4); }},
    {k32,
     "EveryElementIsHeldOnce",
     Check::host,
     {"CDNA-3.8"_claim},
     only_gfx950,
     [](TestContext& t) { check_cover(t, k32, 8); }},
});

} // namespace
} // namespace cts::lane_ownership
