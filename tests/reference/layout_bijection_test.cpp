// Every layout is one-to-one, and the checks that say so see a wrong one.
#include "common/error.hpp"
#include "layout_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cts::reference {
namespace {

// ---- Every instruction
// ---------------------------------------------------------------------------------------------

/// All dense instructions of a target, F8F6F4 once for each format.
std::vector<Instruction> dense_instructions(Target target) {
  std::vector<Instruction> list = instructions(Kind::dense, target);
  for (const Instruction& i : instructions(Kind::f8f6f4, target))
    for (int code = 0; code < 5; ++code)
      list.push_back(with_formats(i, f8f6f4_format(code), f8f6f4_format(4 - code)));
  return list;
}

class LayoutBijection : public testing::TestWithParam<Target> {};

TEST_P(LayoutBijection, EveryOperandOfEveryInstruction) {
  std::size_t layouts = 0;
  for (const Instruction& i : dense_instructions(GetParam()))
    for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::d}) {
      const Layout layout = dense_layout(i, operand);
      for (const std::string& problem : check_bijection(layout)) ADD_FAILURE() << problem;
      EXPECT_EQ(64 * layout.items, layout.shape.blocks * layout.shape.rows * layout.shape.cols)
          << layout.name;
      ++layouts;
    }
  EXPECT_EQ(layouts, GetParam() == Target::gfx942 ? 4u * 32 : 4u * (36 + 10));
}

INSTANTIATE_TEST_SUITE_P(, LayoutBijection, testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

// ---- Wrong twins
// ---------------------------------------------------------------------------------------------------

const Instruction& fp16() { return find_instruction("v_mfma_f32_16x16x16_f16"); }

/// A twin of `layout` that sends elements elsewhere, while its slots still say what they should.
Layout twin(Layout layout, std::function<Slot(const Layout&, const Element&)> slot_of) {
  const Layout right = layout;
  layout.slot_of = [right, slot_of](const Element& e) { return slot_of(right, e); };
  return layout;
}

void expect_problem(const Layout& layout, const std::string& line) {
  const std::vector<std::string> problems = check_bijection(layout);
  const std::string whole = layout.name + ": " + line;
  EXPECT_NE(std::ranges::find(problems, whole), problems.end())
      << "not reported: " << whole << "\nfirst of " << problems.size() << ": "
      << (problems.empty() ? "" : problems[0]);
}

TEST(LayoutTwin, TransposedA) {
  const Layout wrong = twin(dense_layout(fp16(), Operand::a), [](const Layout& right, const Element& e) {
    return right.slot_of({e.block, e.col, e.row});
  });
  expect_problem(wrong, "element [0][2][4] goes to lane 4 item 2, which holds element [0][4][2]");
  expect_problem(wrong, "lane 18 item 0 holds element [0][2][4], which goes to lane 4 item 2");
}

TEST(LayoutTwin, TransposedD) {
  const Layout wrong = twin(dense_layout(fp16(), Operand::d), [](const Layout& right, const Element& e) {
    return right.slot_of({e.block, e.col, e.row});
  });
  expect_problem(wrong, "element [0][6][2] goes to lane 6 item 2, which holds element [0][2][6]");
  expect_problem(wrong, "lane 18 item 2 holds element [0][6][2], which goes to lane 6 item 2");
}

TEST(LayoutTwin, ItemAndLaneGroupExchanged) {
  const Layout wrong = twin(dense_layout(fp16(), Operand::a), [](const Layout&, const Element& e) {
    return Slot{e.row + 16 * (e.col % 4), e.col / 4};
  });
  expect_problem(wrong, "element [0][2][4] goes to lane 2 item 1, which holds element [0][2][1]");
  expect_problem(wrong, "lane 2 item 1 holds element [0][2][1], which goes to lane 18 item 0");
}

TEST(LayoutTwin, DuplicatedLane) {
  const Layout wrong = twin(dense_layout(fp16(), Operand::b), [](const Layout& right, const Element& e) {
    const Slot slot = right.slot_of(e);
    return Slot{slot.lane == 17 ? 18 : slot.lane, slot.item};
  });
  expect_problem(wrong, "lane 18 item 3 gets element [0][7][1] and element [0][7][2]");
  expect_problem(wrong, "no element goes to lane 17 item 3");
}

TEST(LayoutTwin, DroppedItem) {
  Layout wrong = dense_layout(fp16(), Operand::a);
  wrong.items = 3;
  expect_problem(wrong, "element [0][2][7] goes to lane 18 item 3, outside 64 lanes of 3 items");
  expect_problem(wrong, "no lane holds element [0][2][7]");
}

TEST(LayoutTwin, RepeatedItem) {
  Layout wrong = dense_layout(fp16(), Operand::d);
  wrong.element_of = [right = wrong.element_of](const Slot& slot) {
    return right({slot.lane, slot.item == 3 ? 2 : slot.item});
  };
  expect_problem(wrong, "element [0][6][2] is held by lane 18 item 2 and lane 18 item 3");
  expect_problem(wrong, "no lane holds element [0][7][2]");
}

TEST(LayoutTwin, SwappedHalves) {
  const Layout wrong = twin(dense_layout(fp16(), Operand::a), [](const Layout& right, const Element& e) {
    const Slot slot = right.slot_of(e);
    return Slot{slot.lane, slot.item ^ 1};
  });
  expect_problem(wrong, "element [0][2][4] goes to lane 18 item 1, which holds element [0][2][5]");
}

TEST(LayoutTwin, ElementOutside) {
  Layout wrong = dense_layout(fp16(), Operand::b);
  wrong.element_of = [right = wrong.element_of](const Slot& slot) {
    Element e = right(slot);
    e.row += 4; // one lane group too far
    return e;
  };
  expect_problem(wrong, "lane 50 item 1 holds element [0][17][2], outside 1 blocks of 16 x 16");
}

// F64 4x4x4_4B as the manual's general formula has it: still one-to-one, but not where the registers are.
TEST(LayoutTwin, ManualsFormulaForF64OfFourBlocks) {
  const Instruction& f64 = find_instruction("v_mfma_f64_4x4x4_4b_f64");
  const Layout wrong = twin(dense_layout(f64, Operand::d), [](const Layout&, const Element& e) {
    return Slot{e.col + 4 * e.row + 16 * e.block, 0};
  });
  expect_problem(wrong, "element [2][1][3] goes to lane 39 item 0, which holds element [1][2][3]");
}

// A layout that is wrong both ways in the same manner is one-to-one; only a table of the manual tells it.
TEST(LayoutTwin, ConsistentlyTransposedIsSeenByTheTable) {
  Layouts wrong(fp16());
  Layout& d = wrong[Operand::d];
  d.slot_of = [right = d.slot_of](const Element& e) { return right({e.block, e.col, e.row}); };
  d.element_of = [right = d.element_of](const Slot& s) {
    const Element e = right(s);
    return Element{e.block, e.col, e.row};
  };
  EXPECT_EQ(check_bijection(d), std::vector<std::string>{});
  EXPECT_EQ(mismatches(wrong, {{Operand::d, 18, 2, 0, {0, 6, 2}}}),
            (std::vector<std::string>{
                "v_mfma_f32_16x16x16_f16 d: the table has D[6][2] in lane 18 v2 bit 0, got lane 6 v2 bit 0",
                "v_mfma_f32_16x16x16_f16 d: the table has D[6][2] in lane 18 v2 bit 0, where the layout has "
                "D[2][6]"}));
}

TEST(LayoutTwin, SparseIsRefused) {
  EXPECT_THROW(dense_layout(find_instruction("v_smfmac_f32_16x16x32_f16"), Operand::a), Error);
}

} // namespace
} // namespace cts::reference
