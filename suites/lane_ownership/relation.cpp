#include "suites/lane_ownership/relation.hpp"

namespace cts::lane_ownership {

using reference::dense_layout;
using reference::Inputs;
using reference::Instruction;
using reference::Layout;
using reference::Matrix;
using reference::Operand;
using reference::RegisterImage;
using reference::Slot;

const Instruction& row_of(const Variant& variant) { return reference::find_instruction(variant.instruction); }

std::string kernel_of(const Variant& variant) {
  std::string kernel(row_of(variant).builtin_tail);
  const auto& f = variant.fields;
  if (f != reference::Broadcast{}) kernel += fmt::format("_{}_{}_{}", f.cbsz, f.abid, f.blgp);
  return kernel;
}

RegisterImage expected_d(const Variant& variant, const Inputs& held) {
  const Instruction& i = row_of(variant);
  const auto read = [&](Operand operand, const Matrix& m) {
    return reference::as_read(i, operand, m, variant.fields);
  };
  return reference::pack(
      i, Operand::d,
      reference::multiply(i, read(Operand::a, held.a), read(Operand::b, held.b), read(Operand::c, held.c)));
}

WaveInputs images_of(const Variant& variant, const Inputs& held) {
  const Instruction& i = row_of(variant);
  return {reference::pack(i, Operand::a, held.a), reference::pack(i, Operand::b, held.b),
          reference::pack(i, Operand::c, held.c)};
}

Inputs zeros(const Variant& variant) {
  const Instruction& i = row_of(variant);
  return {Matrix(reference::shape_of(i, Operand::a)), Matrix(reference::shape_of(i, Operand::b)),
          Matrix(reference::shape_of(i, Operand::c))};
}

double code_of(const Layout& layout, const Slot& slot) { return 1 + slot.lane * layout.items + slot.item; }

void compare_d(TestContext& context, const Variant& variant, const RegisterImage& expected,
               const RegisterImage& got, const std::string& what) {
  const Instruction& i = row_of(variant);
  Comparison comparison(context, std::string(i.mnemonic));
  cts::compare_d(comparison, dense_layout(i, Operand::d), expected, got, what);
}

void check_relation(TestContext& context, const Variant& variant, Operand probed) {
  const Instruction& i = row_of(variant);
  const Operand other = probed == Operand::a ? Operand::b : Operand::a;
  const Layout probed_layout = dense_layout(i, probed), other_layout = dense_layout(i, other);
  const auto matrix = [](Inputs& inputs, Operand operand) -> Matrix& {
    return operand == Operand::a ? inputs.a : inputs.b;
  };

  std::vector<Slot> slots;
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  for (int lane = 0; lane < reference::lanes_of_wave; ++lane) {
    for (int item = 0; item < probed_layout.items; ++item) {
      Inputs held = zeros(variant);
      matrix(held, probed).at(probed_layout.element_of({lane, item})) = 1;
      for (int l = 0; l < reference::lanes_of_wave; ++l)
        for (int t = 0; t < other_layout.items; ++t)
          matrix(held, other).at(other_layout.element_of({l, t})) = code_of(other_layout, {l, t});
      slots.push_back({lane, item});
      waves.push_back(images_of(variant, held));
      expected.push_back(expected_d(variant, held));
    }
  }
  hip::Module module(context, "lane_ownership");
  const auto got = run_waves(context, module, kernel_of(variant), waves, i.vgprs_d);
  for (std::size_t w = 0; w < waves.size(); ++w)
    compare_d(context, variant, expected[w], got[w],
              fmt::format("the product with only item {} of lane {} of {} set", slots[w].item, slots[w].lane,
                          reference::name(probed)));
  context.metric("products", static_cast<double>(waves.size()));
}

} // namespace cts::lane_ownership
