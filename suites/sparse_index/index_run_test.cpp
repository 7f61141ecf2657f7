// The part of the index register that CBSZ and ABID choose, which is all that they do.
#include "suites/sparse_index/smfmac.hpp"

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Pair;
using reference::RegisterImage;

/// Every set of the index register holds other pairs; the product of the same A and B then tells which set
/// was read. A broadcast of A's lanes, which CBSZ and ABID are to dense instructions, would show as well.
void check_sets(TestContext& context, hip::Module& module, const Smfmac& s) {
  const int sets = reference::index_sets(s.row());
  Products products = s.products();
  for (int n = 0; n < 4; ++n) {
    SparseInputs inputs = random_sparse_inputs(context, s);
    std::vector<std::vector<Pair>> pairs_of_set;
    RegisterImage index = zero_image(1);
    for (int set = 0; set < sets; ++set) {
      pairs_of_set.push_back(reference::random_pairs(s.row(), context.rng()()));
      reference::write_index(index, s.row(), pairs_of_set.back(), set);
    }
    for (std::size_t f = 0; f < field_pairs.size(); ++f) {
      const Fields fields = field_pairs[f];
      const int set = reference::index_set(s.row(), fields.cbsz, fields.abid);
      inputs.a.pairs = inputs.pairs = pairs_of_set[static_cast<std::size_t>(set)];
      WaveInputs wave = wave_of(s, inputs);
      wave.more = {index, zero_image(1)};
      for (std::uint32_t& word : wave.more[1].words) word = static_cast<std::uint32_t>(f);
      products.add(std::move(wave), expected_of(s, inputs),
                   fmt::format("CBSZ {} ABID {}, which read set {}", fields.cbsz, fields.abid, set));
    }
  }
  products.run(context, module, s.kernel() + "_fields");
}

const bool added = add({{.suite = "EverySmfmac",
                         .name = "CbszAndAbidChooseTheIndexSetOnly",
                         .check = Check::run,
                         .claims = {"SPARSE-9"_claim},
                         .body = [](TestContext& t) {
                           hip::Module module(t, "sparse_index");
                           for (const Smfmac& s : all_smfmacs(t)) check_sets(t, module, s);
                         }}});

} // namespace
} // namespace cts::sparse_index
