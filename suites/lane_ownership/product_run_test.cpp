// Whole products: exact integers against the reference, the same bits on both targets, and one block in place
// of four.
#include "common/file.hpp"
#include "suites/lane_ownership/relation.hpp"
#include "suites/lane_ownership/single_block.hpp"

namespace cts::lane_ownership {
namespace {

using namespace literals;
using reference::Inputs;
using reference::Operand;
using reference::RegisterImage;

/// Sixteen products of random exact integers; C is not zero.
void check_random_products(TestContext& context, const std::string& instruction) {
  const Variant variant = variant_of(instruction);
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  for (int n = 0; n < 16; ++n) {
    const Inputs held = reference::random_inputs(variant.row, context.rng()());
    waves.push_back(images_of(context, variant, held));
    expected.push_back(expected_d(variant, held));
  }
  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, waves, 4);
  for (std::size_t w = 0; w < waves.size(); ++w)
    compare_d(context, variant, expected[w], d[w], fmt::format("random product {}", w));
}

/// All items 1, but for one: D is K everywhere, and K - 1 along the row or column of the item left out. So
/// each of the 64 lanes supplies `items` values that count, and holds 4 results.
void check_every_item_counts(TestContext& context, const std::string& instruction) {
  const Variant variant = variant_of(instruction);
  Inputs ones = zeros(variant);
  std::ranges::fill(ones.a.values, 1);
  std::ranges::fill(ones.b.values, 1);
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  std::vector<std::string> what;
  for (const Operand operand : {Operand::a, Operand::b}) {
    const reference::Layout layout = reference::dense_layout(variant.row, operand);
    for (int lane = 0; lane < 64; ++lane) {
      for (int item = 0; item < layout.items; ++item) {
        const reference::Element left_out = layout.element_of({lane, item});
        Inputs held = ones;
        (operand == Operand::a ? held.a : held.b).at(left_out) = 0;
        waves.push_back(images_of(context, variant, held));
        reference::Matrix d = ones.c;
        for (int i = 0; i < 16; ++i)
          for (int j = 0; j < 16; ++j)
            d.at({0, i, j}) =
                variant.row.k - ((operand == Operand::a ? i == left_out.row : j == left_out.col) ? 1 : 0);
        expected.push_back(registers_of_d(variant, d));
        what.push_back(
            fmt::format("all ones but item {} of lane {} of {}", item, lane, reference::name(operand)));
      }
    }
    context.metric(fmt::format("items_of_{}", reference::name(operand)), layout.items);
  }
  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, waves, 4);
  for (std::size_t w = 0; w < waves.size(); ++w) compare_d(context, variant, expected[w], d[w], what[w]);
}

/// Small integers by a fixed rule, so that every target and machine has the same.
Inputs common_inputs(const Variant& variant) {
  Inputs held = zeros(variant);
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 16; ++k) {
      held.a.at({0, i, k}) = (i * 7 + k * 3) % 31 - 15;
      held.b.at({0, k, i}) = (k * 5 + i * 11) % 29 - 14;
      held.c.at({0, i, k}) = i * 100 + k;
    }
  return held;
}

/// SHA-256 of the table of D that both targets are held to; made with the formulas of CDNA-3.1, 3.2 and 3.5.
constexpr std::string_view common_table = "4e269040279b6c3e48960a984a5a43e9d39260710187394ab5209b80e6083422";

void check_same_on_both(TestContext& context) {
  const Variant variant = variant_of("MfmaF32_16x16x16_F16");
  const Inputs held = common_inputs(variant);
  RegisterImage table(4);
  for (int lane = 0; lane < 64; ++lane)
    for (int g = 0; g < 4; ++g) {
      const RowCol e = d_element(lane, g);
      double sum = held.c.at({0, e.row, e.col});
      for (int k = 0; k < 16; ++k) sum += held.a.at({0, e.row, k}) * held.b.at({0, k, e.col});
      const auto f = static_cast<float>(sum);
      std::memcpy(&table.word(g, lane), &f, sizeof f);
    }
  const auto hash = [](const RegisterImage& image) {
    std::string bytes;
    for (const std::uint32_t word : image.words)
      for (int b = 0; b < 4; ++b) bytes += static_cast<char>(word >> (8 * b) & 0xff);
    return sha256(bytes);
  };
  expect_equal(context, "hash of the common table", std::string(common_table), hash(table));
  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, {images_of(context, variant, held)}, 4);
  compare_d(context, variant, table, d[0], "the common product");
  context.origin("d_sha256", hash(d[0]));
  context.metric("d_sha256_first_48_bits",
                 static_cast<double>(std::stoull(hash(d[0]).substr(0, 12), nullptr, 16)));
}

/// Four blocks would give each lane group 4 rows of its own and only its own 4 values of K.
void check_one_block(TestContext& context) {
  const Variant variant = variant_of("MfmaF32_16x16x16_F16");
  const Inputs held = reference::random_inputs(variant.row, context.rng()());
  const reference::Matrix one = reference::multiply(variant.row, held.a, held.b, held.c);
  reference::Matrix four = held.c;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      for (int k = 4 * (i / 4); k < 4 * (i / 4) + 4; ++k)
        four.at({0, i, j}) += held.a.at({0, i, k}) * held.b.at({0, k, j});
  std::size_t told_apart = 0;
  for (std::size_t n = 0; n < one.values.size(); ++n) told_apart += one.values[n] != four.values[n] ? 1 : 0;
  ASSERT_GT(told_apart, 250u) << "these inputs do not tell one block from four";

  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, {images_of(context, variant, held)}, 4);
  RegisterImage expected(4);
  for (int lane = 0; lane < 64; ++lane)
    for (int g = 0; g < 4; ++g) {
      const RowCol e = d_element(lane, g);
      const auto f = static_cast<float>(one.at({0, e.row, e.col}));
      std::memcpy(&expected.word(g, lane), &f, sizeof f);
    }
  compare_d(context, variant, expected, d[0], "one 16x16x16 product");
}

const std::string k16 = "MfmaF32_16x16x16_F16", k32 = "MfmaF32_16x16x32_F16";
const std::vector<Target> both(all_targets.begin(), all_targets.end()), only_gfx950{Target::gfx950};

const bool added = add({
    {k16,
     "WholeProduct",
     Check::run,
     {"CDNA-2.10"_claim, "CDNA-8.3"_claim},
     both,
     [](TestContext& t) { check_random_products(t, k16); }},
    {k32,
     "WholeProduct",
     Check::run,
     {"CDNA-2.10"_claim, "CDNA-8.3"_claim},
     only_gfx950,
     [](TestContext& t) { check_random_products(t, k32); }},
    {k16,
     "EveryItemOfEveryLaneCounts",
     Check::run,
     {"CDNA-1.1"_claim, "CDNA-2.10"_claim},
     both,
     [](TestContext& t) { check_every_item_counts(t, k16); }},
    {k32,
     "EveryItemOfEveryLaneCounts",
     Check::run,
     {"CDNA-1.1"_claim, "CDNA-2.10"_claim},
     only_gfx950,
     [](TestContext& t) { check_every_item_counts(t, k32); }},
    {k16, "SameBitsOnBothTargets", Check::run, {"CDNA-3.9"_claim}, both, check_same_on_both},
    {k16, "OneBlockNotFour", Check::run, {"CDNA-A.1"_claim}, both, check_one_block},
});

} // namespace
} // namespace cts::lane_ownership
