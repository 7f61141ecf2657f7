#include "reference/sparse_layout.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <random>

namespace cts::reference {
namespace {

void expect_sparse(const Instruction& i) {
  if (i.kind != Kind::sparse)
    throw Error("{} is not sparse: only SMFMAC instructions have a sparse layout", i.mnemonic);
}

// ---- Element to slot: formulas
// -------------------------------------------------------------------------------------

/// A is packed as a dense A of half the k (ISA4 7.5.1.3), so the general formula of ISA4 7.1.4.1 places its
/// kept elements: K_L of them, one after the other, in each lane.
Slot kept_slot(const Instruction& i, const Element& e) {
  const int kept = i.k / sparse_kept * i.m / lanes_of_wave; // K_L
  return {e.row + i.m * (e.col / kept), e.col % kept};
}

/// B fills four VGPRs of every lane group with consecutive k, then the next four of every group with those
/// that follow: ISA4 Tables 34 and 36, and the tables of 7.5.1.3 for eight VGPRs.
Slot b_slot(const Instruction& i, const Element& e) {
  const int run = 4 * 32 / bits_of(i.b); // items in four VGPRs
  const int groups = lanes_of_wave / i.n;
  return {e.col + i.n * (e.row / run % groups), run * (e.row / (run * groups)) + e.row % run};
}

/// The index of A's item t is two bits, t-th of a set, in the same lane.
Slot index_slot(const Instruction& i, const Element& e) {
  const int kept = i.k / sparse_kept * i.m / lanes_of_wave;
  const Slot a = kept_slot(i, {0, e.row, e.col});
  return {a.lane, kept * e.block + a.item};
}

// ---- Slot to element: written out
// ----------------------------------------------------------------------------------

/// Lanes of a shape that hold the same row of A or column of B: l % 32 or l % 16, in groups of so many lanes.
int width(const Instruction& i) {
  switch (i.m) {
  case 32: return 32;
  case 16: return 16;
  default: throw Error("{}: no sparse layout is known for m = {}", i.mnemonic, i.m);
  }
}

/// Items of A in a lane: two VGPRs hold 4 of 16 bits or 8 of 8, four VGPRs twice as many.
int items_of_a(const Instruction& i) { return i.vgprs_a * (bits_of(i.a) == 16 ? 2 : 4); }

Element kept_element(const Instruction& i, const Slot& s) {
  return {0, s.lane % width(i), items_of_a(i) * (s.lane / width(i)) + s.item};
}

/// ISA4 Table 34: v0 to v3 hold 8 k of 16 bits, those of the next lane group 8 further. Table 36: 16 k of 8
/// bits. 7.5.1.3: v4 to v7 go on in the upper half of k.
Element b_element(const Instruction& i, const Slot& s) {
  const int run = bits_of(i.b) == 16 ? 8 : 16;
  const int half = s.item < run ? 0 : i.k / 2;
  return {0, half + run * (s.lane / width(i)) + s.item % run, s.lane % width(i)};
}

Element d_element(const Instruction& i, const Slot& s) {
  const int l = s.lane;
  const int r = s.item;
  if (i.m == 32) return {0, 8 * (r / 4) + 4 * (l / 32) + r % 4, l % 32};
  return {0, 4 * (l / 16) + r, l % 16};
}

Element index_element(const Instruction& i, const Slot& s) {
  const int items = items_of_a(i);
  const Element kept = kept_element(i, {s.lane, s.item % items});
  return {s.item / items, kept.row, kept.col};
}

// ---- 4:2 form
// ------------------------------------------------------------------------------------------------------

bool legal(const Pair& pair) {
  return 0 <= pair.first && pair.first < pair.second && pair.second < sparse_group;
}

void expect_legal(const Pair& pair) {
  if (!legal(pair))
    throw Error("positions {} and {} of a group: expected 0 <= first < second <= 3", pair.first, pair.second);
}

void expect_groups(const Matrix& dense) {
  if (dense.shape.blocks != 1 || dense.shape.cols % sparse_group != 0)
    throw Error("{} blocks of {} x {} have no 4:2 form: expected 1 block and a multiple of 4 columns",
                dense.shape.blocks, dense.shape.rows, dense.shape.cols);
}

std::array<double, sparse_group> group_of(const Matrix& dense, int row, int group) {
  std::array<double, sparse_group> values{};
  for (int n = 0; n < sparse_group; ++n)
    values[static_cast<std::size_t>(n)] = dense.at({0, row, sparse_group * group + n});
  return values;
}

std::size_t groups_of(const Instruction& i) { return static_cast<std::size_t>(i.m * (i.k / sparse_group)); }

} // namespace

Layout sparse_layout(const Instruction& i, Operand operand) {
  expect_sparse(i);
  if (operand == Operand::c || operand == Operand::d) { // as the dense instruction of one block (ISA4 7.5)
    Instruction dense = i;
    dense.kind = Kind::dense;
    Layout layout = dense_layout(dense, operand);
    layout.element_of = [i](const Slot& s) { return d_element(i, s); };
    return layout;
  }
  Layout layout;
  layout.name = fmt::format("{} {}", i.mnemonic, name(operand));
  layout.shape = shape_of(i, operand);
  layout.bits = bits_of(type_of(i, operand));
  if (operand == Operand::a) {
    layout.shape.cols /= sparse_kept;
    layout.items = items_of_a(i);
    layout.slot_of = [i](const Element& e) { return kept_slot(i, e); };
    layout.element_of = [i](const Slot& s) { return kept_element(i, s); };
  } else {
    layout.items = 32 * i.vgprs_b / layout.bits;
    layout.slot_of = [i](const Element& e) { return b_slot(i, e); };
    layout.element_of = [i](const Slot& s) { return b_element(i, s); };
  }
  return layout;
}

Layout index_layout(const Instruction& i) {
  expect_sparse(i);
  return {fmt::format("{} index", i.mnemonic),
          {index_sets(i), i.m, i.k / sparse_kept},
          16,
          2,
          [i](const Element& e) { return index_slot(i, e); },
          [i](const Slot& s) { return index_element(i, s); }};
}

int index_sets(const Instruction& i) {
  expect_sparse(i);
  return 16 / items_of_a(i);
}

int index_set(const Instruction& i, int cbsz, int abid) {
  if (cbsz < 0 || cbsz > 7) throw Error("CBSZ {}: expected 0 to 7", cbsz);
  if (abid < 0 || abid > 15) throw Error("ABID {}: expected 0 to 15", abid);
  return (cbsz & 3) == 0 ? abid % index_sets(i) : 0;
}

int nibble_of(const Pair& pair) {
  expect_legal(pair);
  return pair.first | pair.second << 2;
}

std::optional<Pair> pair_of(int nibble) {
  const Pair pair{nibble & 3, nibble >> 2};
  return legal(pair) ? std::optional(pair) : std::nullopt;
}

int dense_k(int c, const Pair& pair) {
  return sparse_group * (c / sparse_kept) + (c % sparse_kept == 0 ? pair.first : pair.second);
}

std::vector<Pair> pairs_that_keep(std::span<const double, sparse_group> group) {
  std::vector<Pair> pairs;
  for (const Pair& pair : legal_pairs) {
    bool kept = true;
    for (int n = 0; n < sparse_group; ++n)
      kept = kept && (group[static_cast<std::size_t>(n)] == 0 || n == pair.first || n == pair.second);
    if (kept) pairs.push_back(pair);
  }
  return pairs;
}

Compressed compress(const Matrix& dense) {
  expect_groups(dense);
  std::vector<Pair> pairs;
  for (int row = 0; row < dense.shape.rows; ++row)
    for (int group = 0; group < dense.shape.cols / sparse_group; ++group) {
      const std::vector<Pair> possible = pairs_that_keep(group_of(dense, row, group));
      if (possible.empty())
        throw Error("row {}, columns {} to {}: more than two of four are not zero", row, sparse_group * group,
                    sparse_group * group + sparse_group - 1);
      pairs.push_back(possible.front());
    }
  return keep(dense, pairs);
}

Compressed keep(const Matrix& dense, std::span<const Pair> pairs) {
  expect_groups(dense);
  const Shape kept{1, dense.shape.rows, dense.shape.cols / sparse_group * sparse_kept};
  Compressed compressed{Matrix(kept), {pairs.begin(), pairs.end()}};
  if (pairs.size() != static_cast<std::size_t>(kept.rows * compressed.groups()))
    throw Error("expected {} pairs for {} rows of {} groups, got {}", kept.rows * compressed.groups(),
                kept.rows, compressed.groups(), pairs.size());
  std::ranges::for_each(pairs, expect_legal);
  for (Element e; e.row < kept.rows; ++e.row)
    for (e.col = 0; e.col < kept.cols; ++e.col)
      compressed.kept.at(e) =
          dense.at({0, e.row, dense_k(e.col, compressed.pair(e.row, e.col / sparse_kept))});
  return compressed;
}

Matrix decompress(const Compressed& compressed) {
  const Shape& kept = compressed.kept.shape;
  std::ranges::for_each(compressed.pairs, expect_legal);
  Matrix dense(Shape{1, kept.rows, kept.cols / sparse_kept * sparse_group});
  for (Element e; e.row < kept.rows; ++e.row)
    for (e.col = 0; e.col < kept.cols; ++e.col)
      dense.at({0, e.row, dense_k(e.col, compressed.pair(e.row, e.col / sparse_kept))}) =
          compressed.kept.at(e);
  return dense;
}

std::vector<Pair> random_pairs(const Instruction& i, std::uint64_t seed) {
  expect_sparse(i);
  std::mt19937_64 random(seed);
  std::vector<Pair> pairs(groups_of(i));
  for (Pair& pair : pairs) pair = legal_pairs[random() % legal_pairs.size()];
  return pairs;
}

void write_index(RegisterImage& image, const Instruction& i, std::span<const Pair> pairs, int set) {
  const Layout layout = index_layout(i);
  if (pairs.size() != groups_of(i))
    throw Error("{}: expected {} pairs, got {}", layout.name, groups_of(i), pairs.size());
  std::ranges::for_each(pairs, expect_legal);
  const int groups = i.k / sparse_group;
  write_set(image, layout, set, [&](const Element& e) {
    const Pair& pair = pairs[static_cast<std::size_t>(e.row * groups + e.col / sparse_kept)];
    return static_cast<std::uint64_t>(e.col % sparse_kept == 0 ? pair.first : pair.second);
  });
}

std::vector<std::optional<Pair>> read_index(const RegisterImage& image, const Instruction& i, int set) {
  std::vector<int> nibbles(groups_of(i));
  read_set(image, index_layout(i), set, [&](const Element& e, std::uint64_t bits) {
    const int group = e.row * (i.k / sparse_group) + e.col / sparse_kept;
    nibbles[static_cast<std::size_t>(group)] |= static_cast<int>(bits) << 2 * (e.col % sparse_kept);
  });
  std::vector<std::optional<Pair>> pairs;
  std::ranges::transform(nibbles, std::back_inserter(pairs), pair_of);
  return pairs;
}

Slot b_slot_of(const Instruction& i, const Slot& a, int position, int col) {
  if (position < 0 || position >= sparse_group) throw Error("index {}: expected 0 to 3", position);
  const int c = sparse_layout(i, Operand::a).element_of(a).col;
  return sparse_layout(i, Operand::b).slot_of({0, sparse_group * (c / sparse_kept) + position, col});
}

} // namespace cts::reference
