#include "suites/sparse_index/smfmac.hpp"

#include <algorithm>

namespace cts::sparse_index {

using reference::Instruction;
using reference::Layout;
using reference::Matrix;
using reference::Operand;
using reference::Pair;
using reference::RegisterImage;

namespace {

void put(RegisterImage& image, const Layout& layout, const reference::Element& element, std::uint64_t bits) {
  reference::write_bits(image, reference::place_of(layout, layout.slot_of(element)), bits);
}

} // namespace

Smfmac::Smfmac(const Instruction& instruction, Target target)
    : row_(instruction), target_(target), a_(reference::sparse_layout(instruction, Operand::a)),
      b_(reference::sparse_layout(instruction, Operand::b)),
      d_(reference::sparse_layout(instruction, Operand::d)), index_(reference::index_layout(instruction)),
      codec_a_(exact_codec(instruction.a, target)), codec_b_(exact_codec(instruction.b, target)),
      codec_d_(exact_codec(instruction.d, target)) {
  for (int i = 0; i < row_.m; ++i)
    for (int j = 0; j < row_.n; ++j) {
      const reference::Place place = reference::place_of(d_, d_.slot_of({0, i, j}));
      word_of_d_.push_back(static_cast<std::size_t>(place.vgpr * reference::lanes_of_wave + place.lane));
    }
}

void Smfmac::put_a(RegisterImage& image, int i, int c, double value) const {
  put_a_bits(image, i, c, codec_a_.encode(value));
}
void Smfmac::put_b(RegisterImage& image, int k, int j, double value) const {
  put_b_bits(image, k, j, codec_b_.encode(value));
}
void Smfmac::put_d(RegisterImage& image, int i, int j, double value) const {
  image.words[word_of_d_[static_cast<std::size_t>(i * row_.n + j)]] = bits_of_d(value);
}
void Smfmac::put_a_bits(RegisterImage& image, int i, int c, std::uint64_t bits) const {
  put(image, a_, {0, i, c}, bits);
}
void Smfmac::put_b_bits(RegisterImage& image, int k, int j, std::uint64_t bits) const {
  put(image, b_, {0, k, j}, bits);
}

RegisterImage Smfmac::pack_a(const Matrix& kept) const { return reference::pack(a_, kept, codec_a_); }
RegisterImage Smfmac::pack_b(const Matrix& b) const { return reference::pack(b_, b, codec_b_); }
RegisterImage Smfmac::pack_d(const Matrix& d) const { return reference::pack(d_, d, codec_d_); }

RegisterImage Smfmac::index_of(const std::vector<Pair>& pairs) const {
  RegisterImage index = zero_image(1);
  reference::write_index(index, row_, pairs, 0);
  return index;
}

void Smfmac::put_pair(RegisterImage& index, int i, int group, const Pair& pair) const {
  put(index, index_, {0, i, 2 * group}, static_cast<std::uint64_t>(pair.first));
  put(index, index_, {0, i, 2 * group + 1}, static_cast<std::uint64_t>(pair.second));
}

std::vector<Smfmac> all_smfmacs(const TestContext& context) {
  std::vector<Smfmac> all;
  for (const Instruction& i : reference::instructions(reference::Kind::sparse, context.target()))
    all.emplace_back(i, context.target());
  return all;
}

SparseInputs random_sparse_inputs(TestContext& context, const Smfmac& smfmac) {
  reference::Inputs dense = reference::random_inputs(smfmac.row(), context.rng()());
  SparseInputs inputs;
  inputs.pairs = reference::random_pairs(smfmac.row(), context.rng()());
  inputs.a = reference::keep(dense.a, inputs.pairs);
  inputs.b = std::move(dense.b);
  inputs.c = std::move(dense.c);
  return inputs;
}

WaveInputs wave_of(const Smfmac& smfmac, const SparseInputs& inputs) {
  return {smfmac.pack_a(inputs.a.kept),
          smfmac.pack_b(inputs.b),
          smfmac.pack_d(inputs.c),
          {smfmac.index_of(inputs.pairs)}};
}

RegisterImage expected_of(const Smfmac& smfmac, const SparseInputs& inputs) {
  return smfmac.pack_d(
      reference::multiply(smfmac.row(), reference::decompress(inputs.a), inputs.b, inputs.c));
}

} // namespace cts::sparse_index
