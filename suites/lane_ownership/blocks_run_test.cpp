// Where the single-block formulas do not hold: other shapes, several blocks, broadcasts, FP64. Each follows
// its own layout (dense_run_test.cpp and fields_run_test.cpp say in full which), and what the single-block
// formulas would predict of it is wrong.
#include "suites/lane_ownership/relation.hpp"
#include "suites/lane_ownership/single_block.hpp"

namespace cts::lane_ownership {
namespace {

using namespace literals;
using reference::Inputs;
using reference::Instruction;
using reference::Layout;
using reference::Operand;
using reference::RegisterImage;

/// D items 0 to 3 of each lane as the single-block formulas predict them from the registers: one product of a
/// 16 x K by a K x 16 matrix, K being four times the items that a lane holds.
std::vector<double> single_block_prediction(const Variant& variant, const WaveInputs& wave) {
  const Instruction& i = variant.row;
  const Layout a = reference::dense_layout(i, Operand::a), b = reference::dense_layout(i, Operand::b),
               c = reference::dense_layout(i, Operand::c);
  const auto value = [](const Layout& layout, reference::Type type, const RegisterImage& image, int lane,
                        int item) {
    return reference::exact_codec(type).decode(
        reference::read_bits(image, reference::place_of(layout, {lane, item})));
  };
  const int items = a.items, k_size = 4 * items;
  std::vector<double> a_values(static_cast<std::size_t>(16 * k_size)), b_values(a_values.size()), predicted;
  for (int lane = 0; lane < 64; ++lane)
    for (int e = 0; e < items; ++e) {
      const RowCol in_a = a_element(items, lane, e), in_b = b_element(items, lane, e);
      a_values[static_cast<std::size_t>(in_a.row * k_size + in_a.col)] = value(a, i.a, wave.a, lane, e);
      b_values[static_cast<std::size_t>(in_b.row * 16 + in_b.col)] = value(b, i.b, wave.b, lane, e);
    }
  for (int lane = 0; lane < 64; ++lane)
    for (int g = 0; g < 4; ++g) {
      const RowCol out = d_element(lane, g);
      double sum = value(c, i.d, wave.c, lane, g);
      for (int k = 0; k < k_size; ++k)
        sum += a_values[static_cast<std::size_t>(out.row * k_size + k)] *
               b_values[static_cast<std::size_t>(k * 16 + out.col)];
      predicted.push_back(sum);
    }
  return predicted;
}

void check_formulas_do_not_hold(TestContext& context, hip::Module& module, const Variant& variant) {
  const Instruction& i = variant.row;
  const Layout d_layout = reference::dense_layout(i, Operand::d);
  Inputs held = zeros(variant); // small, so that every reading of them is exact
  for (reference::Matrix* m : {&held.a, &held.b, &held.c})
    for (double& v : m->values) v = context.integer(-15, 15);
  const WaveInputs wave = images_of(context, variant, held);
  const auto d = run_waves(context, module, variant.kernel, {wave}, i.vgprs_d);
  compare_d(context, variant, expected_d(variant, held), d[0], "its own layout");

  const std::vector<double> predicted = single_block_prediction(variant, wave);
  const auto codec = reference::exact_codec(i.d);
  int wrong = 0;
  for (int lane = 0; lane < 64; ++lane)
    for (int g = 0; g < 4; ++g) {
      const double got = codec.decode(reference::read_bits(d[0], reference::place_of(d_layout, {lane, g})));
      wrong += got != predicted[static_cast<std::size_t>(lane * 4 + g)] ? 1 : 0;
    }
  context.compared(256);
  EXPECT_GT(wrong, 128) << variant.title << ": the single-block formulas describe " << 256 - wrong
                        << " of 256 results";
  context.metric("results_that_the_formulas_miss", wrong);

  if (variant.fields == reference::Broadcast{}) return;
  Comparison without_fields(context, variant.title);
  const RegisterImage plain = expected_d(variant_of(i.mnemonic), held);
  for (std::size_t n = 0; n < plain.words.size(); ++n) without_fields.equal(plain.words[n], d[0].words[n]);
  without_fields.dismiss();
  EXPECT_GT(without_fields.mismatches(), 0u) << variant.title << ": the fields changed nothing";
}

void check_each(TestContext& context, const std::vector<Variant>& variants) {
  hip::Module module(context, "lane_ownership");
  for (const Variant& v : variants) check_formulas_do_not_hold(context, module, v);
}

void check_shapes(TestContext& context) {
  std::vector<Variant> variants;
  for (const char* instruction : {"MfmaF32_32x32x8_F16", "MfmaF32_32x32x4_2B_F16", "MfmaF32_16x16x4_4B_F16",
                                  "MfmaF32_4x4x4_16B_F16", "MfmaF64_16x16x4_F64"})
    variants.push_back(variant_of(instruction));
  if (context.target() == Target::gfx950) variants.push_back(variant_of("MfmaF32_32x32x16_F16"));
  check_each(context, variants);
}

void check_fields(TestContext& context) {
  std::vector<Variant> variants{variant_of("MfmaF64_16x16x4_F64", {0, 0, 1})};
  for (const reference::Broadcast& f :
       {reference::Broadcast{2, 1, 0}, {2, 0, 0}, {2, 3, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}})
    variants.push_back(variant_of("MfmaF32_16x16x4_4B_F16", f));
  check_each(context, variants);
}

const bool added = add({
    {.suite = "SingleBlockFormulas",
     .name = "DoNotHoldForOtherShapes",
     .check = Check::run,
     .claims = {"CDNA-3.10"_claim},
     .body = check_shapes},
    {.suite = "SingleBlockFormulas",
     .name = "DoNotHoldWithFields",
     .check = Check::run,
     .claims = {"CDNA-3.10"_claim},
     .body = check_fields},
});

} // namespace
} // namespace cts::lane_ownership
