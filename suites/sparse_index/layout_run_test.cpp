// Where the accumulator and the FP8 operands are, by the claims' own formulas, and that the accumulator is
// where the dense instruction of the same tile has it.
#include "suites/sparse_index/claimed.hpp"
#include "suites/sparse_index/smfmac.hpp"

#include <algorithm>
#include <optional>

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Pair;
using reference::RegisterImage;

/// D[i][j] is made to say i, then j, digit by digit, expected where the claim has D[i][j].
void check_accumulator(TestContext& context, hip::Module& module, const Smfmac& s) {
  const int m = s.row().m;
  const Digits digits = whole_digits(8, 2); // exact in every element type
  const std::vector<Pair> pairs(static_cast<std::size_t>(m * s.groups()), Pair{0, 1});
  Products products = s.products();
  for (const bool says_row : {true, false})
    for (int n = 0; n < digits.count; ++n) {
      WaveInputs wave{zero_image(s.row().vgprs_a),
                      zero_image(s.row().vgprs_b),
                      zero_image(s.row().vgprs_d),
                      {s.index_of(pairs)}};
      RegisterImage d(s.row().vgprs_d);
      for (int i = 0; i < m; ++i) {
        s.put_a(wave.a, i, 0, says_row ? digits.digit(i, n) : 1);
        s.put_b(wave.b, 0, i, says_row ? 1 : digits.digit(i, n));
        for (int j = 0; j < m; ++j) {
          const LaneItem place = place_in_tile(m, i, j);
          d.word(place.item, place.lane) = s.bits_of_d(digits.digit(says_row ? i : j, n));
        }
      }
      products.add(std::move(wave), std::move(d),
                   fmt::format("digit {} of the {}", n, says_row ? "row" : "column"));
    }
  products.run(context, module, s.kernel());
}

void check_accumulators(TestContext& context, int m) {
  hip::Module module(context, "sparse_index");
  for (const Smfmac& s : all_smfmacs(context))
    if (s.row().m == m) check_accumulator(context, module, s);
}

/// The dense instruction of the same tile and types with half the k; there is none for the FP8 forms of
/// gfx950.
std::optional<Instruction> dense_twin(const Smfmac& s, Target target) {
  for (const Instruction& i : reference::instructions(reference::Kind::dense, target))
    if (i.blocks == 1 && i.m == s.row().m && i.k == s.kept() && i.a == s.row().a && i.b == s.row().b)
      return i;
  return std::nullopt;
}

/// The same product by both: kept items are the dense instruction's A, and the rows of B at their k are its
/// B. The other rows of B hold something else. D is compared register by register, C not being zero.
void check_like_dense(TestContext& context, hip::Module& module, const Smfmac& s, const Instruction& dense) {
  const int m = s.row().m;
  std::vector<WaveInputs> dense_waves, sparse_waves;
  for (int n = 0; n < 4; ++n) {
    const reference::Inputs inputs = reference::random_inputs(dense, context.rng()());
    std::vector<Pair> of_group, pairs;
    for (int g = 0; g < s.groups(); ++g)
      of_group.push_back(reference::legal_pairs[static_cast<std::size_t>(context.integer(0, 5))]);
    for (int i = 0; i < m; ++i) pairs.insert(pairs.end(), of_group.begin(), of_group.end());
    reference::Matrix b(reference::Shape{1, s.row().k, m});
    std::ranges::fill(b.values, 3);
    for (int c = 0; c < s.kept(); ++c)
      for (int j = 0; j < m; ++j)
        b.at({0, reference::dense_k(c, of_group[static_cast<std::size_t>(c / 2)]), j}) =
            inputs.b.at({0, c, j});
    const RegisterImage c = s.pack_d(inputs.c);
    sparse_waves.push_back({s.pack_a(inputs.a), s.pack_b(b), c, {s.index_of(pairs)}});

    // A and B of the dense instruction are coded as those of the sparse one, item for item.
    WaveInputs wave{zero_image(dense.vgprs_a), zero_image(dense.vgprs_b), c};
    const auto a_layout = reference::dense_layout(dense, reference::Operand::a),
               b_layout = reference::dense_layout(dense, reference::Operand::b);
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < dense.k; ++k) {
        reference::write_bits(wave.a, reference::place_of(a_layout, a_layout.slot_of({0, i, k})),
                              s.bits_of_a(inputs.a.at({0, i, k})));
        reference::write_bits(wave.b, reference::place_of(b_layout, b_layout.slot_of({0, k, i})),
                              s.bits_of_b(inputs.b.at({0, k, i})));
      }
    dense_waves.push_back(std::move(wave));
  }
  const auto expected =
      run_waves(context, module, std::string(dense.builtin_tail), dense_waves, dense.vgprs_d);
  const auto got = run_waves(context, module, s.kernel(), sparse_waves, s.row().vgprs_d);
  Comparison comparison(context, fmt::format("{} as {}", s.mnemonic(), dense.mnemonic));
  for (std::size_t n = 0; n < got.size(); ++n)
    compare_d(comparison, s.d(), expected[n], got[n], fmt::format("product {}", n));
}

void check_all_like_dense(TestContext& context) {
  hip::Module module(context, "sparse_index");
  int pairs = 0;
  for (const Smfmac& s : all_smfmacs(context))
    if (const auto dense = dense_twin(s, context.target())) {
      check_like_dense(context, module, s, *dense);
      ++pairs;
    }
  expect_equal(context, "SMFMACs with a dense twin", context.target() == Target::gfx942 ? 14 : 20, pairs);
}

/// SPARSE-10: bytes put where the claim has them. In each product, every row of A (then every column of B)
/// has one byte that is not zero; the other operand says its row and column, digit by digit.
void check_fp8_operands(TestContext& context) {
  const Smfmac s(reference::find_instruction("smfmac_f32_16x16x64_fp8_fp8"), context.target());
  const Digits digits = whole_digits(16, 3); // 64 x 16 elements of B, 16 x 32 kept ones of A
  RegisterImage index(1);
  std::ranges::fill(index.words, positions_0_and_2_of_fp8_k64);
  const auto put = [&](RegisterImage& image, int lane, int t, std::uint64_t byte) {
    image.word(t / 4, lane) |= static_cast<std::uint32_t>(byte) << 8 * (t % 4);
  };
  std::vector<RegisterImage> coded_a, coded_b;
  for (int n = 0; n < digits.count; ++n) {
    RegisterImage &a = coded_a.emplace_back(zero_image(2)), &b = coded_b.emplace_back(zero_image(4));
    for (int lane = 0; lane < 64; ++lane) {
      for (int t = 0; t < 8; ++t) {
        const RowCol e = kept_of_fp8_16x16x64(lane, t);
        put(a, lane, t, s.bits_of_a(digits.digit(32 * e.row + e.col, n)));
      }
      for (int t = 0; t < 16; ++t) {
        const RowCol e = b_of_fp8_16x16x64(lane, t);
        put(b, lane, t, s.bits_of_b(digits.digit(16 * e.row + e.col, n)));
      }
    }
  }
  // The lane group that holds the byte differs from row to row (column to column).
  const auto lane_of = [](int row, int group) { return 16 * ((group + row) % 4) + row; };
  Products products = s.products();
  for (int group = 0; group < 4; ++group)
    for (int t = 0; t < 16; ++t)
      for (int n = 0; n < digits.count; ++n) {
        WaveInputs of_b{coded_a[static_cast<std::size_t>(n)], zero_image(4), zero_image(4), {index}},
            of_a{zero_image(2), coded_b[static_cast<std::size_t>(n)], zero_image(4), {index}};
        RegisterImage d_of_b = zero_image(4), d_of_a = zero_image(4);
        for (int x = 0; x < 16; ++x) {
          const int lane = lane_of(x, group);
          const RowCol b = b_of_fp8_16x16x64(lane, t), a = kept_of_fp8_16x16x64(lane, t % 8);
          put(of_b.b, lane, t, s.bits_of_b(1));
          put(of_a.a, lane, t % 8, s.bits_of_a(1));
          for (int y = 0; y < 16; ++y) {
            const LaneItem to_b = place_in_16x16(y, b.col), to_a = place_in_16x16(a.row, y);
            d_of_a.word(to_a.item, to_a.lane) =
                s.bits_of_d(digits.digit(16 * k_of_positions_0_and_2(a.col) + y, n));
            if (b.row % 2 == 0) // kept items 2g and 2g + 1 are at k 4g and 4g + 2
              d_of_b.word(to_b.item, to_b.lane) = s.bits_of_d(digits.digit(32 * y + b.row / 2, n));
          }
        }
        products.add(std::move(of_b), std::move(d_of_b), fmt::format("byte {} of B, digit {}", t, n));
        if (t < 8)
          products.add(std::move(of_a), std::move(d_of_a), fmt::format("byte {} of A, digit {}", t, n));
      }
  hip::Module module(context, "sparse_index");
  products.run(context, module, s.kernel());
}

const bool added = add({
    {.suite = "Smfmac16x16",
     .name = "AccumulatorIsWhereClaimed",
     .check = Check::run,
     .claims = {"SPARSE-6"_claim},
     .body = [](TestContext& t) { check_accumulators(t, 16); }},
    {.suite = "Smfmac32x32",
     .name = "AccumulatorIsWhereClaimed",
     .check = Check::run,
     .claims = {"SPARSE-7"_claim},
     .body = [](TestContext& t) { check_accumulators(t, 32); }},
    {.suite = "EverySmfmac",
     .name = "AccumulatorIsWhereTheDenseOneIs",
     .check = Check::run,
     .claims = {"SPARSE-8"_claim},
     .body = check_all_like_dense},
    {.suite = "SmfmacF32_16x16x64_FP8_FP8",
     .name = "BytesAreWhereClaimed",
     .check = Check::run,
     .claims = {"SPARSE-10"_claim},
     .targets = {Target::gfx942},
     .body = check_fp8_operands},
});

} // namespace
} // namespace cts::sparse_index
