// How many scales there are and what each covers, from the claim's words against the reference. Each check is
// also shown a reading that is wrong, and must say so.
#include "common/claim_test.hpp"
#include "reference/scaled_layout.hpp"
#include "suites/e8m0_scales/claimed.hpp"

#include <functional>

namespace cts::e8m0_scales {
namespace {

using namespace literals;
using reference::Element;
using reference::Instruction;
using reference::Operand;

/// Which scale an element of A or B has: {row or column, block of k}.
struct Owner {
  int row_or_column, block;
  friend bool operator==(Owner, Owner) = default;
};
using OwnerOf = std::function<Owner(Operand, const Element&)>;

/// The claim: 32 elements along k, separately for each row of A and column of B.
Owner claimed_owner(Operand operand, const Element& e) {
  return operand == Operand::a ? Owner{e.row, e.col / elements_of_scale}
                               : Owner{e.col, e.row / elements_of_scale};
}

/// What the reference has, turned into the same terms.
OwnerOf owner_of(const Instruction& i) {
  return [i](Operand operand, const Element& e) {
    const Element scale = reference::scale_of(i, operand, e, 0);
    return operand == Operand::a ? Owner{scale.row, scale.col} : Owner{scale.col, scale.row};
  };
}

/// How many elements of A and B have another scale than claimed.
int misplaced(const Instruction& i, const OwnerOf& owner) {
  int wrong = 0;
  for (const Operand operand : {Operand::a, Operand::b}) {
    const auto shape = reference::shape_of(i, operand);
    for (Element e; e.row < shape.rows; ++e.row)
      for (e.col = 0; e.col < shape.cols; ++e.col)
        wrong += owner(operand, e) == claimed_owner(operand, e) ? 0 : 1;
  }
  return wrong;
}

void check_instruction(TestContext& context, const Instruction& i, int scales_of_row) {
  const std::string name(i.mnemonic);
  for (const Operand operand : {Operand::a, Operand::b}) {
    const auto layout = reference::scale_layout(i, operand);
    const int size = operand == Operand::a ? layout.shape.rows : layout.shape.cols;
    const int blocks = operand == Operand::a ? layout.shape.cols : layout.shape.rows;
    expect_equal(context, name + ": rows (columns) with scales of their own", i.m, size);
    expect_equal(context, name + ": scales of a row (column)", scales_of_row, blocks);
    // One VGPR of 64 lanes holds each scale once: a scale block is no block of the product, of which there
    // is one.
    expect_equal(context, name + ": scales in one byte of the register", 64, size * blocks);
    expect_equal(context, name + ": lanes and bytes of scales", std::vector<std::string>{},
                 reference::check_bijection(layout));
    const Element scale = operand == Operand::a ? Element{0, 5, 1} : Element{0, 1, 5};
    const auto covered = reference::covered_by(i, operand, scale);
    expect_equal(context, name + ": elements of a scale", std::size_t{elements_of_scale}, covered.size());
    for (const Element& e : covered)
      expect_equal(context, fmt::format("{}: element [{}][{}] has that scale", name, e.row, e.col), true,
                   claimed_owner(operand, e) == Owner{5, 1});
  }
  expect_equal(context, name + ": blocks of the product", 1, i.blocks);

  const OwnerOf owner = owner_of(i);
  expect_equal(context, name + ": elements with another scale", 0, misplaced(i, owner));
  context.compared(4);
  for (const int size : {16, 64})
    EXPECT_GT(misplaced(i,
                        [&](Operand operand, const Element& e) {
                          const Owner right = owner(operand, e);
                          const int k = operand == Operand::a ? e.col : e.row;
                          return Owner{right.row_or_column, k / size};
                        }),
              0)
        << "not noticed: scales of " << size << " elements";
  EXPECT_GT(misplaced(i,
                      [&](Operand operand, const Element& e) {
                        const Owner right = owner(operand, e);
                        return Owner{right.row_or_column ^ 1, right.block};
                      }),
            0)
      << "not noticed: the scale of another row";
  EXPECT_GT(misplaced(i,
                      [&](Operand operand, const Element& e) {
                        const Owner right = owner(operand, e);
                        return operand == Operand::b ? Owner{right.block, right.row_or_column} : right;
                      }),
            0)
      << "not noticed: B's scales by row";
}

const bool added =
    add({.suite = "F8F6F4",
         .name = "ScaleCovers32OfOneRowOrColumn",
         .check = Check::host,
         .claims = {"CDNA-2.13"_claim},
         .targets = {Target::gfx950},
         .body = [](TestContext& t) {
           check_instruction(t, reference::find_instruction("mfma_scale_f32_16x16x128_f8f6f4"), 4);
           check_instruction(t, reference::find_instruction("mfma_scale_f32_32x32x64_f8f6f4"), 2);
         }});

} // namespace
} // namespace cts::e8m0_scales
