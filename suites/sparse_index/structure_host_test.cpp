// 4:2 form and the index register, from the claims' words against the reference. Each check is also shown
// something that must not pass.
#include "common/claim_test.hpp"
#include "common/error.hpp"
#include "reference/sparse_layout.hpp"
#include "suites/sparse_index/claimed.hpp"

#include <algorithm>

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Matrix;
using reference::Pair;
using reference::RegisterImage;
using reference::Type;

std::vector<Instruction> sparse_instructions(const TestContext& context) {
  return reference::instructions(reference::Kind::sparse, context.target());
}

/// A of an instruction with no zero in it.
Matrix full_a(const Instruction& i) {
  Matrix a(reference::Shape{1, i.m, i.k});
  for (std::size_t n = 0; n < a.values.size(); ++n) a.values[n] = 1 + static_cast<double>(n);
  return a;
}

bool refused(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error&) {
    return true;
  }
  return false;
}

/// Of every four contiguous k two are kept, so that kept A is half as wide: what is kept comes back, what is
/// dropped is zero.
void check_structure(TestContext& context) {
  for (const Instruction& i : sparse_instructions(context)) {
    const Matrix dense = full_a(i);
    const std::vector<Pair> pairs = reference::random_pairs(i, context.rng()());
    const reference::Compressed kept = reference::keep(dense, pairs);
    expect_equal(context, fmt::format("{}: kept elements of a row", i.mnemonic), i.k / 2,
                 kept.kept.shape.cols);
    expect_equal(context, fmt::format("{}: columns of A in registers", i.mnemonic), i.k / 2,
                 reference::sparse_layout(i, reference::Operand::a).shape.cols);
    const Matrix back = reference::decompress(kept);
    Comparison comparison(context, std::string(i.mnemonic), 64);
    for (int row = 0; row < i.m; ++row)
      for (int k = 0; k < i.k; ++k) {
        const Pair pair = pairs[static_cast<std::size_t>(row * (i.k / 4) + k / 4)];
        const bool is_kept = k % 4 == pair.first || k % 4 == pair.second;
        comparison.equal_at(static_cast<std::uint64_t>(is_kept ? dense.at({0, row, k}) : 0),
                            static_cast<std::uint64_t>(back.at({0, row, k})),
                            [&] { return Where{.note = fmt::format("A[{}][{}]", row, k)}; });
      }

    // Two of every four along m, which is no 4:2 form along k; and the same turned round, which is.
    Matrix along_m(dense.shape), along_k(dense.shape);
    for (int row = 0; row < i.m; ++row)
      for (int k = 0; k < i.k; ++k) {
        if (row % 4 < 2) along_m.at({0, row, k}) = 1;
        if (k % 4 < 2) along_k.at({0, row, k}) = 1;
      }
    context.compared(2);
    EXPECT_TRUE(refused([&] { reference::compress(along_m); })) << "not noticed: groups along m";
    EXPECT_FALSE(refused([&] { reference::compress(along_k); })) << i.mnemonic;
  }
}

/// Index bits of a lane as the claim and ISA4 7.5.1 have them: of A's items 2u and 2u + 1 of the same lane,
/// bits 4u + 1 to 4u the first position and 4u + 3 to 4u + 2 the second.
RegisterImage index_by_hand(const Instruction& i, const std::vector<Pair>& pairs) {
  RegisterImage index(1);
  std::ranges::fill(index.words, 0u);
  const int items = i.k / 2 * i.m / 64; // of A in a lane
  for (int lane = 0; lane < 64; ++lane)
    for (int u = 0; u < items / 2; ++u) {
      const int row = lane % i.m, group = (items * (lane / i.m) + 2 * u) / 2;
      const Pair& pair = pairs[static_cast<std::size_t>(row * (i.k / 4) + group)];
      index.word(0, lane) |= static_cast<std::uint32_t>(pair.first | pair.second << 2) << 4 * u;
    }
  return index;
}

/// How many groups an index register's set 0 gives another pair than `pairs`.
std::size_t misread(const Instruction& i, const RegisterImage& index, const std::vector<Pair>& pairs) {
  const auto read = reference::read_index(index, i, 0);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < pairs.size(); ++n) wrong += read[n] == pairs[n] ? 0 : 1;
  return wrong;
}

void check_index(TestContext& context) {
  for (const Instruction& i : sparse_instructions(context)) {
    const std::vector<Pair> pairs = reference::random_pairs(i, context.rng()());
    const RegisterImage index = index_by_hand(i, pairs);
    expect_equal(context, fmt::format("{}: groups with another pair", i.mnemonic), std::size_t{0},
                 misread(i, index, pairs));

    RegisterImage swapped = index, of_neighbour = index;
    for (int lane = 0; lane < 64; ++lane) {
      const std::uint32_t word = index.word(0, lane);
      swapped.word(0, lane) = (word & 0x33333333u) << 2 | (word >> 2 & 0x33333333u);
      of_neighbour.word(0, lane) = index.word(0, lane ^ 1);
    }
    context.compared(3);
    EXPECT_EQ(pairs.size(), misread(i, swapped, pairs)) << "not noticed: first and second exchanged";
    EXPECT_GT(misread(i, of_neighbour, pairs), pairs.size() / 2) << "not noticed: the neighbour's bits";
    EXPECT_GT(misread(i, index_by_hand(i, std::vector<Pair>(pairs.size(), Pair{0, 1})), pairs),
              pairs.size() / 2)
        << "not noticed: index ignored";

    // The row of B that an item meets is the one that its index names.
    const auto a = reference::sparse_layout(i, reference::Operand::a),
               b = reference::sparse_layout(i, reference::Operand::b);
    Comparison comparison(context, std::string(i.mnemonic));
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < a.items; ++item)
        for (int position = 0; position < 4; ++position) {
          const int c = a.element_of({lane, item}).col;
          const auto met = b.element_of(reference::b_slot_of(i, {lane, item}, position, 5));
          comparison.equal_at(
              static_cast<unsigned>(4 * (c / 2) + position), static_cast<unsigned>(met.row), [&] {
                return Where{.lane = lane, .note = fmt::format("item {} at position {}", item, position)};
              });
        }
  }
}

/// The literal that keeps positions 0 and 2, lane by lane, in the bits that the instruction reads.
void check_literal(TestContext& context, std::string_view builtin, std::uint32_t literal) {
  const Instruction& i = reference::find_instruction(builtin);
  const std::vector<Pair> pairs(static_cast<std::size_t>(i.m * (i.k / 4)), Pair{0, 2});
  const RegisterImage index = index_by_hand(i, pairs);
  Comparison comparison(context, std::string(i.mnemonic));
  for (int lane = 0; lane < 64; ++lane)
    comparison.equal(literal, index.word(0, lane), {.lane = lane, .note = "index that keeps 0 and 2"});
  RegisterImage filled(1);
  std::ranges::fill(filled.words, literal);
  expect_equal(context, "groups that the literal gives another pair", std::size_t{0},
               misread(i, filled, pairs));
  std::ranges::fill(filled.words, literal >> 1); // 0x44...: positions 0 and 1
  context.compared();
  EXPECT_EQ(pairs.size(), misread(i, filled, pairs)) << "not noticed: another literal";
}

void check_literals(TestContext& context) {
  expect_equal(context, "nibble of positions 0 and 2", 0b1000, reference::nibble_of({0, 2}));
  context.compared();
  EXPECT_FALSE(reference::pair_of(0b0010).has_value()) << "not noticed: first position 2, second 0";
  for (int c = 0; c < 32; ++c)
    expect_equal(context, fmt::format("k of kept item {}", c), reference::dense_k(c, {0, 2}),
                 k_of_positions_0_and_2(c));
  check_literal(context, "smfmac_f32_16x16x32_f16", positions_0_and_2_of_fp16_k32);
  check_literal(context, "smfmac_f32_16x16x64_fp8_fp8", positions_0_and_2_of_fp8_k64);
}

const bool added = add({
    {.suite = "EverySmfmac",
     .name = "KeepsTwoOfFourAlongK",
     .check = Check::host,
     .claims = {"SPARSE-3"_claim},
     .body = check_structure},
    {.suite = "EverySmfmac",
     .name = "IndexNamesThePositions",
     .check = Check::host,
     .claims = {"SPARSE-4"_claim},
     .body = check_index},
    {.suite = "Smfmac16x16",
     .name = "IndexLiteralsKeepPositions0And2",
     .check = Check::host,
     .claims = {"SPARSE-5"_claim},
     .body = check_literals},
});

} // namespace
} // namespace cts::sparse_index
