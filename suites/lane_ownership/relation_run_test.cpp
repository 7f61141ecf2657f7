// Which slot of A meets which slot of B, and where the product goes: FP16 16x16x16 and 16x16x32, one block.
#include "suites/lane_ownership/relation.hpp"
#include "suites/lane_ownership/single_block.hpp"
#include "suites/shared/f32_bits.hpp"

namespace cts::lane_ownership {
namespace {

using namespace literals;
using reference::Inputs;
using reference::Operand;
using reference::RegisterImage;

constexpr std::uint32_t half_one = 0x3C00; // 1.0 as FP16

/// Runs a check of relation.hpp on one instruction.
template <typename Check> auto on(const std::string& instruction, Check check) {
  return [=](TestContext& context) {
    hip::Module module(context, "lane_ownership");
    check(context, module, variant_of(instruction));
  };
}

/// Every slot of `probed` alone.
auto each_slot_of(Operand probed) {
  return [probed](TestContext& context, hip::Module& module, const Variant& v) {
    check_relation(context, module, v, probed, Probe::slot_alone);
  };
}

/// D[i][j] = 16*i + j + 1 from two columns of A and two rows of B, expected where CDNA-3.5 says.
void check_d_items(TestContext& context, const std::string& instruction) {
  const Variant variant = variant_of(instruction);
  Inputs held = zeros(variant);
  for (int n = 0; n < 16; ++n) {
    held.a.at({0, n, 0}) = 16 * n;
    held.a.at({0, n, 1}) = 1;
    held.b.at({0, 0, n}) = 1;
    held.b.at({0, 1, n}) = n + 1;
  }
  RegisterImage expected(4);
  for (int lane = 0; lane < 64; ++lane)
    for (int g = 0; g < 4; ++g) {
      const RowCol e = d_element(lane, g);
      expected.word(g, lane) = f32_bits(16 * e.row + e.col + 1);
    }
  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, {images_of(context, variant, held)}, 4);
  compare_d(context, variant, expected, d[0], "16*i + j + 1");
}

/// One half of one register of one lane set to 1.0, by hand; the other operand holds 1 + 16*k + n at K index
/// k and row or column n. Expected from the claims' formulas alone.
void check_halves(TestContext& context, const std::string& instruction, int items) {
  const Variant variant = variant_of(instruction);
  const int k_size = 4 * items;
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  std::vector<std::string> what;
  for (const Operand probed : {Operand::a, Operand::b}) {
    Inputs held = zeros(variant);
    for (int k = 0; k < k_size; ++k)
      for (int n = 0; n < 16; ++n)
        (probed == Operand::a ? held.b.at({0, k, n}) : held.a.at({0, n, k})) = 1 + 16 * k + n;
    for (int lane = 0; lane < 64; ++lane) {
      for (int e = 0; e < items; ++e) {
        const HalfOfVgpr half = half_of_item(e);
        WaveInputs wave = images_of(context, variant, held);
        (probed == Operand::a ? wave.a : wave.b).word(half.vgpr, lane) = half_one << half.low_bit;
        waves.push_back(wave);
        RegisterImage d = zero_image(4);
        for (int l = 0; l < 64; ++l)
          for (int g = 0; g < 4; ++g) {
            const RowCol out = d_element(l, g);
            if (probed == Operand::a) {
              const RowCol in = a_element(items, lane, e); // D[i][n] = B[k][n] for A[i][k] = 1
              if (out.row == in.row) d.word(g, l) = f32_bits(1 + 16 * in.col + out.col);
            } else {
              const RowCol in = b_element(items, lane, e); // D[n][j] = A[n][k] for B[k][j] = 1
              if (out.col == in.col) d.word(g, l) = f32_bits(1 + 16 * in.row + out.row);
            }
          }
        expected.push_back(d);
        what.push_back(fmt::format("the product with bits {}:{} of VGPR {} of lane {} of {} set",
                                   half.low_bit + 15, half.low_bit, half.vgpr, lane,
                                   reference::name(probed)));
      }
    }
  }
  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, waves, 4);
  for (std::size_t w = 0; w < waves.size(); ++w) compare_d(context, variant, expected[w], d[w], what[w]);
}

/// CDNA-3.7 in literal coordinates; `ks` are the K indices that lane 18 supplies.
void check_lane_18(TestContext& context, const std::string& instruction, const std::vector<int>& ks) {
  const Variant variant = variant_of(instruction);
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  std::vector<std::string> what;
  Inputs coded = zeros(variant);
  const int k_size = coded.a.shape.cols;
  for (int k = 0; k < k_size; ++k)
    for (int n = 0; n < 16; ++n) coded.a.at({0, n, k}) = coded.b.at({0, k, n}) = 1 + 16 * k + n;
  const WaveInputs full = images_of(context, variant, coded),
                   none = images_of(context, variant, zeros(variant));

  for (std::size_t e = 0; e < ks.size(); ++e) {
    WaveInputs a_only{none.a, full.b, none.c}, b_only{full.a, none.b, none.c};
    a_only.a.word(static_cast<int>(e) / 2, 18) = b_only.b.word(static_cast<int>(e) / 2, 18) =
        half_one << (e % 2 == 0 ? 0 : 16);
    RegisterImage row_2 = zero_image(4), column_2 = zero_image(4);
    for (int n = 0; n < 16; ++n) {
      row_2.word(2, n) = f32_bits(1 + 16 * ks[e] + n);                       // D[2][n]: lanes 0..15, item 2
      column_2.word(n % 4, 16 * (n / 4) + 2) = f32_bits(1 + 16 * ks[e] + n); // D[n][2]: lanes 2, 18, 34, 50
    }
    waves.push_back(a_only);
    expected.push_back(row_2);
    what.push_back(fmt::format("lane 18 supplying A[2][{}] = 1", ks[e]));
    waves.push_back(b_only);
    expected.push_back(column_2);
    what.push_back(fmt::format("lane 18 supplying B[{}][2] = 1", ks[e]));
  }
  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, waves, 4);
  for (std::size_t w = 0; w < waves.size(); ++w) compare_d(context, variant, expected[w], d[w], what[w]);
}

/// What lane 18 holds of D[i][j] = 10*i + j: 42, 52, 62, 72.
void check_lane_18_d(TestContext& context, const std::string& instruction) {
  const Variant variant = variant_of(instruction);
  Inputs held = zeros(variant);
  for (int n = 0; n < 16; ++n) {
    held.a.at({0, n, 0}) = 10 * n;
    held.b.at({0, 0, n}) = 1;
    held.a.at({0, n, 1}) = 1;
    held.b.at({0, 1, n}) = n;
  }
  hip::Module module(context, "lane_ownership");
  const auto d = run_waves(context, module, variant.kernel, {images_of(context, variant, held)}, 4);
  Comparison comparison(context, instruction);
  for (int g = 0; g < 4; ++g)
    comparison.equal(f32_bits(10 * (4 + g) + 2), d[0].word(g, 18),
                     {.lane = 18, .vgpr = g, .note = fmt::format("D[{}][2]", 4 + g)});
}

std::vector<ClaimTest> tests(const std::string& instruction, int items, ClaimId a_claim, ClaimId b_claim,
                             const std::vector<int>& ks_of_lane_18, const std::vector<Target>& targets) {
  const auto test = [&](const char* name, std::vector<ClaimId> claims,
                        std::function<void(TestContext&)> body) {
    return ClaimTest{instruction, name, Check::run, std::move(claims), targets, std::move(body)};
  };
  return {
      test("AItemMeetsItsBItems", {a_claim}, on(instruction, each_slot_of(Operand::a))),
      test("BItemMeetsItsAItems", {b_claim}, on(instruction, each_slot_of(Operand::b))),
      test("CItemIsDItem", {"CDNA-3.5"_claim}, on(instruction, check_c_is_d)),
      test("DItemIsClaimedElement", {"CDNA-3.5"_claim},
           [=](TestContext& t) { check_d_items(t, instruction); }),
      test("EachHalfIsItsItem", {"CDNA-3.6"_claim, a_claim, b_claim},
           [=](TestContext& t) { check_halves(t, instruction, items); }),
      test("Lane18Supplies", {"CDNA-3.7"_claim},
           [=](TestContext& t) { check_lane_18(t, instruction, ks_of_lane_18); }),
      test("Lane18Holds", {"CDNA-3.7"_claim}, [=](TestContext& t) { check_lane_18_d(t, instruction); }),
  };
}

const bool added = add(tests("MfmaF32_16x16x16_F16", 4, "CDNA-3.1"_claim, "CDNA-3.2"_claim, {4, 5, 6, 7},
                             {Target::gfx942, Target::gfx950})) &&
                   add(tests("MfmaF32_16x16x32_F16", 8, "CDNA-3.3"_claim, "CDNA-3.4"_claim,
                             {8, 9, 10, 11, 12, 13, 14, 15}, {Target::gfx950}));

} // namespace
} // namespace cts::lane_ownership
