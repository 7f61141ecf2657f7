// Which lane and register holds what of the sparse instructions (SMFMAC), and matrices in 4:2 form.
//
// D += A * B, where at most two of every four consecutive k of A are not zero. Per row i and group of four,
// k = 4g to 4g + 3, A's registers hold two *kept* elements, numbers c = 2g and 2g + 1 of the row, and the
// index register holds for each of them its position k % 4 in two bits (ISA3 7.4, ISA4 7.5). So the index of
// c = 2g is less than that of c = 2g + 1; anything else is not legal (ISA4 7.5, restriction 3).
//
// As in dense_layout.hpp there are two derivations: `slot_of` by formulas, `element_of` written out from the
// tables of ISA3 7.4.1 and ISA4 7.5.1.
#pragma once

#include "reference/register_sets.hpp"

#include <array>
#include <span>

namespace cts::reference {

/// Size of a group along k, and how many of it are kept.
inline constexpr int sparse_group = 4, sparse_kept = 2;

/// The layout of A, B, C or D of a sparse instruction. Elements of A are [0][i][c], its kept ones, in m rows
/// of k / 2; those of B are [0][k][j] with all k; C and D are as in the dense instruction of one block.
/// Throws Error for an instruction that is not sparse.
Layout sparse_layout(const Instruction& instruction, Operand operand);

/// The layout of the index register, one VGPR: element [s][i][c] is the two-bit position of A's kept element
/// [i][c] in set s. The index of A's item t is in A's lane, at bits 2t + 1 to 2t of the set (ISA3 Tables 34
/// and 36, ISA4 Tables 35, 37 and 7.5.1.3). Throws Error for an instruction that is not sparse.
Layout index_layout(const Instruction& instruction);

/// Sets in the index register: 4 of 8 bits, 2 of 16 or 1 of 32.
int index_sets(const Instruction& instruction);

/// The set that the instruction reads: with CBSZ[1:0] = 0 the one of ABID's low bits, else 0 (ISA3 7.4;
/// ISA4 7.5 and its "Sparse Index Select", where the 16-bit instructions of gfx950 are given sets of 8 bits,
/// but its own table in 7.5.1.3 gives them 16, which is followed). Throws Error for CBSZ outside 0 to 7 or
/// ABID outside 0 to 15.
int index_set(const Instruction& instruction, int cbsz, int abid);

/// Positions k % 4 of the two kept elements of a group.
struct Pair {
  int first = 0;  ///< of the kept element with even number
  int second = 1; ///< of the next one
  auto operator<=>(const Pair&) const = default;
};

/// The pairs with 0 <= first < second <= 3.
inline constexpr std::array<Pair, 6> legal_pairs{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Four bits of an index set: first | second << 2. Throws Error for a pair that is not legal.
int nibble_of(const Pair& pair);

/// The pair that four bits mean; nothing when they are not legal.
std::optional<Pair> pair_of(int nibble);

/// The k of kept element `c` of a row when its group keeps `pair`.
int dense_k(int c, const Pair& pair);

/// A in 4:2 form.
struct Compressed {
  Matrix kept;             ///< 1 block of m x k / 2
  std::vector<Pair> pairs; ///< of group g of row i: pairs[i * k / 4 + g]

  int groups() const { return kept.shape.cols / sparse_kept; } ///< of a row
  const Pair& pair(int row, int group) const {
    return pairs[static_cast<std::size_t>(row * groups() + group)];
  }
};

/// The pairs that keep all non-zeros of a group, in the order of `legal_pairs`: all six for none, three for
/// one, one for two, none for more. A product does not depend on which is taken.
std::vector<Pair> pairs_that_keep(std::span<const double, sparse_group> group);

/// `dense` (1 block of m x k) in 4:2 form, each group with the first of its `pairs_that_keep`; a group with
/// fewer than two non-zeros keeps zeros beside them. Throws Error for a group with more than two, naming it,
/// and for a shape that cannot be.
Compressed compress(const Matrix& dense);

/// What `pairs` keep of `dense`; other elements are dropped. Throws Error for shapes that do not fit and for
/// pairs that are not legal.
Compressed keep(const Matrix& dense, std::span<const Pair> pairs);

/// The dense matrix, with zeros where nothing is kept. Throws Error for pairs that are not legal.
Matrix decompress(const Compressed& compressed);

/// One legal pair for each group of A, drawn evenly; the same seed gives the same ones everywhere.
std::vector<Pair> random_pairs(const Instruction& instruction, std::uint64_t seed);

/// Writes `pairs`, one for each group of A, into set `set` of an index register's image; its other bits stay.
/// Throws Error for a set that the instruction lacks, a wrong number of pairs or one that is not legal.
void write_index(RegisterImage& image, const Instruction& instruction, std::span<const Pair> pairs, int set);

/// The pairs in set `set` of an index register; nothing for four bits that are not legal. Throws Error for a
/// set that the instruction lacks.
std::vector<std::optional<Pair>> read_index(const RegisterImage& image, const Instruction& instruction,
                                            int set);

/// Where the element of B is that is multiplied with A's item `a` for column `col` of D, when the item's
/// index is `position` (0 to 3). Not in A's lanes with the instructions that only gfx950 has.
Slot b_slot_of(const Instruction& instruction, const Slot& a, int position, int col);

} // namespace cts::reference
