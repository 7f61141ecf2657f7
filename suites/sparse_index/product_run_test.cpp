// Whole sparse products of whole numbers, exact in any order of additions.
#include "suites/sparse_index/claimed.hpp"
#include "suites/sparse_index/smfmac.hpp"

#include <algorithm>

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Pair;
using reference::RegisterImage;
using reference::Type;

void check_random_products(TestContext& context, const std::function<bool(const Smfmac&)>& chosen) {
  hip::Module module(context, "sparse_index");
  int instructions = 0;
  for (const Smfmac& s : all_smfmacs(context)) {
    if (!chosen(s)) continue;
    Products products = s.products();
    for (int n = 0; n < 8; ++n) {
      const SparseInputs inputs = random_sparse_inputs(context, s);
      products.add(wave_of(s, inputs), expected_of(s, inputs), fmt::format("random product {}", n));
    }
    products.run(context, module, s.kernel());
    ++instructions;
  }
  context.metric("instructions", instructions);
}

/// A group of four: which of its elements are not zero, and a pair that keeps those.
struct Pattern {
  int non_zero; ///< bit n for position n
  Pair pair;
};

/// Every way to have no more than two non-zeros in a group, with every legal pair that keeps them.
std::vector<Pattern> all_patterns() {
  std::vector<Pattern> patterns;
  for (int non_zero = 0; non_zero < 16; ++non_zero)
    for (const Pair& pair : reference::legal_pairs)
      if ((non_zero & ~(1 << pair.first | 1 << pair.second)) == 0) patterns.push_back({non_zero, pair});
  return patterns;
}

/// Each group of each row goes through all patterns. The product does not depend on which pair kept the
/// non-zeros.
void check_patterns(TestContext& context) {
  hip::Module module(context, "sparse_index");
  const std::vector<Pattern> patterns = all_patterns();
  expect_equal(context, "patterns of up to two non-zeros with their pairs", std::size_t{24}, patterns.size());
  for (const Smfmac& s : all_smfmacs(context)) {
    Products products = s.products();
    for (std::size_t n = 0; n < patterns.size(); ++n) {
      reference::Inputs dense = reference::random_inputs(s.row(), context.rng()());
      std::vector<Pair> pairs;
      for (int i = 0; i < s.row().m; ++i)
        for (int g = 0; g < s.groups(); ++g) {
          const Pattern& pattern = patterns[(n + static_cast<std::size_t>(5 * i + 7 * g)) % patterns.size()];
          pairs.push_back(pattern.pair);
          for (int p = 0; p < reference::sparse_group; ++p) {
            double& value = dense.a.at({0, i, reference::sparse_group * g + p});
            if ((pattern.non_zero >> p & 1) == 0)
              value = 0;
            else if (value == 0)
              value = 1;
          }
        }
      const auto expected = reference::multiply(s.row(), dense.a, dense.b, dense.c);
      products.add({s.pack_a(reference::keep(dense.a, pairs).kept),
                    s.pack_b(dense.b),
                    s.pack_d(dense.c),
                    {s.index_of(pairs)}},
                   s.pack_d(expected), fmt::format("patterns of non-zeros {}", n));
    }
    products.run(context, module, s.kernel());
  }
}

/// The document's index literals, and its reading of them: kept items are at positions 0 and 2.
void check_positions_0_and_2(TestContext& context) {
  hip::Module module(context, "sparse_index");
  for (const Smfmac& s : all_smfmacs(context)) {
    const bool fp16 = s.row().a == Type::f16 && s.row().k == 32 && s.row().m == 16,
               fp8 = (s.row().a == Type::fp8 || s.row().a == Type::bf8) && s.row().k == 64 && s.row().m == 16;
    if (!fp16 && !fp8) continue;
    Products products = s.products();
    for (int n = 0; n < 4; ++n) {
      const SparseInputs inputs = random_sparse_inputs(context, s);
      WaveInputs wave = wave_of(s, inputs);
      std::ranges::fill(wave.more[0].words,
                        fp16 ? positions_0_and_2_of_fp16_k32 : positions_0_and_2_of_fp8_k64);
      RegisterImage d(s.row().vgprs_d);
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
          double sum = inputs.c.at({0, i, j});
          for (int c = 0; c < s.kept(); ++c)
            sum += inputs.a.kept.at({0, i, c}) * inputs.b.at({0, k_of_positions_0_and_2(c), j});
          s.put_d(d, i, j, sum);
        }
      products.add(std::move(wave), std::move(d), fmt::format("random product {}", n));
    }
    products.run(context, module, s.kernel());
  }
}

/// The kernels whose operands are in architecture or accumulation VGPRs, in all eight ways.
void check_placed(TestContext& context) {
  hip::Module module(context, "sparse_index");
  const Smfmac s(reference::find_instruction("smfmac_f32_16x16x64_fp8_fp8"), context.target());
  Products products = s.products();
  const SparseInputs inputs = random_sparse_inputs(context, s);
  products.add(wave_of(s, inputs), expected_of(s, inputs), "a product of operands in chosen registers");
  for (const char* kernel : {"placed_vvv", "placed_vva", "placed_vav", "placed_vaa", "placed_avv",
                             "placed_ava", "placed_aav", "placed_aaa"})
    products.run(context, module, kernel);
}

/// A 64 x 256 by 256 x 96 product through tiles in LDS.
void check_tiled_product(TestContext& context) {
  constexpr int m = 64, n = 96, k = 256;
  const auto codec = reference::exact_codec(reference::format_of(reference::Type::fp8, context.target()));
  std::vector<double> a(m * k / 2), b(k * n);
  std::vector<std::uint8_t> bytes_a, bytes_b;
  for (double& v : a) {
    v = context.integer(-15, 15);
    bytes_a.push_back(static_cast<std::uint8_t>(codec.encode(v)));
  }
  for (double& v : b) {
    v = context.integer(-15, 15);
    bytes_b.push_back(static_cast<std::uint8_t>(codec.encode(v)));
  }
  const hip::DeviceBuffer device_a(bytes_a), device_b(bytes_b), device_d(m * n * sizeof(float));
  hip::Module module(context, "sparse_index");
  module.launch("tiled_sparse_product", m / 32 * n / 32, 256, device_a, device_b, device_d, unsigned{n},
                unsigned{k});

  const auto got = device_d.download<float>();
  Comparison comparison(context, "tiled_sparse_product");
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int c = 0; c < k / 2; ++c)
        sum += a[static_cast<std::size_t>(i * k / 2 + c)] *
               b[static_cast<std::size_t>(k_of_positions_0_and_2(c) * n + j)];
      const float value = got[static_cast<std::size_t>(i * n + j)];
      comparison.equal_at(
          std::bit_cast<std::uint32_t>(static_cast<float>(sum)), std::bit_cast<std::uint32_t>(value),
          [&] { return Where{.note = fmt::format("D[{}][{}]: {}, expected {}", i, j, value, sum)}; });
    }
  for (const auto* buffer : {&device_a, &device_b, &device_d})
    buffer->check_canaries(context, "tiled_sparse_product");
}

bool is_fp8(const Smfmac& s) { return s.row().a == Type::fp8 || s.row().a == Type::bf8; }

const bool added = add({
    {.suite = "EverySmfmac",
     .name = "WholeProduct",
     .check = Check::run,
     .claims = {"CDNA-2.9"_claim},
     .body = [](TestContext& t) { check_random_products(t, [](const Smfmac&) { return true; }); }},
    {.suite = "Fp8Smfmac",
     .name = "WholeProductOfEachPairOfTypes",
     .check = Check::run,
     .claims = {"SPARSE-1"_claim},
     .targets = {Target::gfx942},
     .body = [](TestContext& t) { check_random_products(t, is_fp8); }},
    {.suite = "EverySmfmac",
     .name = "GroupsOfUpToTwoNonZeros",
     .check = Check::run,
     .claims = {"SPARSE-3"_claim},
     .body = check_patterns},
    {.suite = "SmfmacF32_16x16x64_FP8_FP8",
     .name = "OperandsInEitherKindOfVgpr",
     .check = Check::run,
     .claims = {"CDNA-2.9"_claim},
     .body = check_placed},
    {.suite = "Smfmac16x16",
     .name = "IndexLiteralsKeepPositions0And2",
     .check = Check::run,
     .claims = {"SPARSE-5"_claim},
     .body = check_positions_0_and_2},
    {.suite = "SmfmacF32_16x16x64_FP8_FP8",
     .name = "TiledProductThroughLds",
     .check = Check::run,
     .claims = {"SPARSE-11"_claim},
     .targets = {Target::gfx942},
     .body = check_tiled_product},
});

} // namespace
} // namespace cts::sparse_index
