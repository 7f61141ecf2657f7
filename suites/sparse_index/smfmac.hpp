// What the run checks of this suite are made of: a SMFMAC with its layouts, and registers filled by element.
#pragma once

#include "reference/sparse_layout.hpp"
#include "suites/shared/element_values.hpp"
#include "suites/shared/mfma_waves.hpp"

#include <array>
#include <string>
#include <vector>

namespace cts::sparse_index {

/// CBSZ and ABID of the kernels <builtin>_fields, by the number that a wave reads (kernels.hip).
struct Fields {
  int cbsz, abid;
};
inline constexpr std::array<Fields, 7> field_pairs{{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}, {2, 3}}};

/// One SMFMAC on one target.
class Smfmac {
public:
  Smfmac(const reference::Instruction& instruction, Target target);

  const reference::Instruction& row() const { return row_; }
  Target target() const { return target_; }
  std::string kernel() const { return std::string(row_.builtin_tail); }
  std::string mnemonic() const { return std::string(row_.mnemonic); }
  const reference::Layout& a() const { return a_; }
  const reference::Layout& b() const { return b_; }
  const reference::Layout& d() const { return d_; }
  /// None yet.
  Products products() const { return {mnemonic(), d_}; }
  /// Kept elements and groups of a row of A.
  int kept() const { return row_.k / reference::sparse_kept; }
  int groups() const { return row_.k / reference::sparse_group; }

  /// Sets kept element [i][c] of A, element [k][j] of B or [i][j] of D in a register image. Throws Error for
  /// a value that the type does not hold.
  void put_a(reference::RegisterImage& image, int i, int c, double value) const;
  void put_b(reference::RegisterImage& image, int k, int j, double value) const;
  void put_d(reference::RegisterImage& image, int i, int j, double value) const;
  /// The same bits of A, B.
  void put_a_bits(reference::RegisterImage& image, int i, int c, std::uint64_t bits) const;
  void put_b_bits(reference::RegisterImage& image, int k, int j, std::uint64_t bits) const;

  /// The bits of a value in A, in B, and in C or D.
  std::uint64_t bits_of_a(double value) const { return codec_a_.encode(value); }
  std::uint64_t bits_of_b(double value) const { return codec_b_.encode(value); }
  std::uint32_t bits_of_d(double value) const { return static_cast<std::uint32_t>(codec_d_.encode(value)); }

  /// Registers of whole matrices: kept A (m x k/2), B, and C or D.
  reference::RegisterImage pack_a(const reference::Matrix& kept) const;
  reference::RegisterImage pack_b(const reference::Matrix& b) const;
  reference::RegisterImage pack_d(const reference::Matrix& d) const;

  /// An index register whose set 0 holds `pairs`, one for each group of each row, and whose other bits are 0.
  reference::RegisterImage index_of(const std::vector<reference::Pair>& pairs) const;
  /// Writes one group's pair into set 0.
  void put_pair(reference::RegisterImage& index, int i, int group, const reference::Pair& pair) const;

private:
  reference::Instruction row_;
  Target target_;
  reference::Layout a_, b_, d_, index_;
  std::vector<std::size_t> word_of_d_; ///< of D[i][j] in a register image, at i * n + j
  reference::Codec codec_a_, codec_b_, codec_d_;
};

/// All SMFMACs of the context's target.
std::vector<Smfmac> all_smfmacs(const TestContext& context);

/// Whole numbers for a product in 4:2 form.
struct SparseInputs {
  std::vector<reference::Pair> pairs; ///< of every group of every row
  reference::Compressed a;
  reference::Matrix b, c;
};

/// Random whole numbers of which every order of additions gives the same bits; each group keeps a random
/// legal pair.
SparseInputs random_sparse_inputs(TestContext& context, const Smfmac& smfmac);

/// A wave of these inputs with `pairs` in set 0 of its index.
WaveInputs wave_of(const Smfmac& smfmac, const SparseInputs& inputs);
/// D as the reference has it.
reference::RegisterImage expected_of(const Smfmac& smfmac, const SparseInputs& inputs);

} // namespace cts::sparse_index
