// How many wait states does each pair of the ISA's tables need? Each cell's kernel has every spacing from 0
// to 22; the smallest one from which on every wave's result is that of the fully padded pair is recorded.
//
// On the emulator it is the table's number exactly, which proves the probe. On a GPU it is what the silicon
// was seen to need: less is no finding, since a result that arrives early by luck cannot be told from one
// that has to; more is.
//
//   spacing   0 1 2 3 4 5 6 7 8 9 ... 22
//   right     . . . . . x . x x x ...  x     ──► observed 7
#include "common/code_files.hpp"
#include "suites/mfma_hazards/pair_run.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <map>

namespace cts::mfma_hazards {
namespace {

using namespace literals;

/// Cells by what their first instruction does.
struct Group {
  const char* name;
  std::vector<std::string_view> firsts; ///< how Probe::first begins
  std::vector<ClaimId> claims;
};

/// Waves at each spacing: on a GPU several share every SIMD and come to the pair at different times; a model
/// has no time.
constexpr int waves_of_model = 1, waves_of_gpu = 128;

/// Pairs that give the same in either order: MFMAs ignore EXEC, F64 issues beside other registers, and the
/// parts of a sum in one register can be added in any order.
bool depends_on_order(const mir::Probe& probe) {
  const bool sum = probe.first == "dot product writes" &&
                   (probe.second == "C of the same opcode" || probe.second == "C of SMFMAC");
  return probe.first != "V_CMPX writes EXEC" && probe.first != "F64 issues" && !sum;
}

struct Threshold {
  int observed = 0;
  bool stale_differs = false; ///< a result that came much too early would have been seen
  std::string closest;        ///< what was wrong one wait state before
};

Threshold threshold_of(TestContext& context, hip::Module& module, const mir::SweptCell& cell,
                       int waves_each) {
  const mir::PairKernel kernel = mir::pair_kernel(cell.kernel, cell.probe);
  std::vector<int> waves;
  for (int n = 0; n < waves_each; ++n)
    for (int variant = 0; variant <= mir::swapped_variant; ++variant) waves.push_back(variant);
  std::ranges::shuffle(waves, context.rng());
  const auto left = run_pair(context, module, kernel, stage(context, kernel), waves);

  const auto& expected =
      left[static_cast<std::size_t>(std::ranges::find(waves, mir::padded_variant) - waves.begin())];
  Threshold threshold;
  for (std::size_t n = 0; n < waves.size(); ++n) {
    const std::string why = difference(kernel, expected, left[n]);
    if (waves[n] == mir::swapped_variant) {
      threshold.stale_differs = threshold.stale_differs || !why.empty();
    } else if (!why.empty() && waves[n] == mir::padded_variant) {
      throw Failure(fmt::format("{}: two padded pairs differ: {}", cell.kernel, why));
    } else if (!why.empty() && waves[n] >= threshold.observed) {
      threshold.observed = waves[n] + 1;
      threshold.closest = why;
    }
    context.compared();
  }
  return threshold;
}

void check_sweep(TestContext& context, const Group& group) {
  if (context.opt() != "O3") GTEST_SKIP() << only_once;
  if (const auto why = mir::why_no_kernels(context.target(), code_folder()); !why.empty())
    GTEST_SKIP() << why;
  const bool on_gpu = hip::find_device().runner == Runner::gpu;
  const int waves_each = on_gpu ? waves_of_gpu : waves_of_model;
  hip::Module module(context,
                     hip::CodeFile{mir::kernels_file(mir::sweep_stem, context.target(), code_folder())});
  std::map<int, int> cells; // by how the observed number stands to the table's
  std::vector<std::string> lower;
  for (const mir::SweptCell& cell : mir::swept_cells(context.target())) {
    if (std::ranges::none_of(group.firsts, [&](auto first) { return cell.probe.first.starts_with(first); }))
      continue;
    const Threshold t = threshold_of(context, module, cell, waves_each);
    const int table = cell.probe.isa.value_or(0);
    context.metric(cell.kernel + ".observed", t.observed);
    context.metric(cell.kernel + ".table", table);
    ++cells[t.observed < table ? -1 : t.observed > table ? 1 : 0];
    if (t.observed < table) lower.push_back(fmt::format("{} {} of {}", cell.kernel, t.observed, table));
    EXPECT_TRUE(t.stale_differs || !depends_on_order(cell.probe))
        << cell.kernel << ": the result does not depend on what comes first";
    if (!on_gpu) {
      expect_equal(context, fmt::format("{}: wait states; {}", cell.kernel, t.closest), table, t.observed);
    } else if (cell.probe.isa) { // where the manual has no row there is nothing to exceed
      EXPECT_LE(t.observed, table) << cell.kernel << " needs more than the manual says: " << t.closest;
    }
  }
  context.metric("cells", cells[-1] + cells[0] + cells[1]);
  context.metric("widest_spacing", mir::widest_spacing);
  context.metric("waves_a_spacing", waves_each);
  context.observe(fmt::format("{} cells: {} need what the table says, {} less, {} more{}{}",
                              cells[-1] + cells[0] + cells[1], cells[0], cells[-1], cells[1],
                              lower.empty() ? "" : ": ", fmt::join(lower, ", ")));
}

ClaimTest test(Group group) {
  return {.suite = "Sweep",
          .name = group.name,
          .check = Check::run,
          .claims = group.claims,
          .body = [group](TestContext& context) { check_sweep(context, group); }};
}

const bool added = add({
    test({"XdlResult", {"XDL writes D"}, {"CDNA-6.5"_claim}}),
    test({"SgemmResult", {"SGEMM writes D"}, {"CDNA-6.5"_claim}}),
    test({"F64Result", {"F64"}, {"CDNA-6.5"_claim}}),
    test({"OperandsOverwritten", {"XDL reads", "SGEMM reads", "SMFMAC reads"}, {"CDNA-6.5"_claim}}),
    test({"ValuAndCmpxBeforeMatrix",
          {"VALU writes", "V_CMPX writes EXEC"},
          {"CDNA-6.5"_claim, "CDNA-6.6"_claim}}),
    test({"DotProductResult", {"dot product writes"}, {"CDNA-6.5"_claim}}),
});

} // namespace
} // namespace cts::mfma_hazards
