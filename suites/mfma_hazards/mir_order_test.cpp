// The hazard pass beside others: padding by option, and the pass for memory waits.
#include "suites/mfma_hazards/mir_support.hpp"

#include <algorithm>

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using mir::Matrix;

/// A pair, what the hazard needs, and the passes of the first.
struct Padded {
  std::string what;
  mir::Pair pair;
  int hazard, passes;
};

void check_padding(TestContext& context) {
  note_compiler(context);
  const Target target = context.target();
  const auto independent = [&](std::string_view builtin) {
    return pair_of(first_of(builtin), second_of(f16));
  };
  const auto chain = [&](std::string_view builtin) {
    const Matrix first = first_of(builtin);
    return pair_of(first, with_c(second_of(builtin), first.d));
  };
  const Matrix first = first_of(f16);
  const std::vector<Padded> all{
      {"independent, 2 passes", independent("mfma_f32_4x4x4f16"), 0, 2},
      {"independent, 4 passes", independent(f16), 0, 4},
      {"independent, 8 passes", independent(f16_large), 0, 8},
      {"independent, 16 passes", independent(f16_longest), 0, 16},
      {"exact C, 16 passes", chain(f16_longest), 0, 16},
      {"exact C, 2 passes", chain("mfma_f32_4x4x4f16"), 2, 2},
      {"part of C, 4 passes", pair_of(first, with_c(second_of(f16), {66, 4})),
       target == Target::gfx942 ? 5 : 6, 4},
      {"A, 4 passes", pair_of(first, with_a(second_of(f16), 64)), to_ab.on(target), 4},
      {"A, 8 passes", pair_of(first_of(f16_large), with_a(second_of(f16), 64)), to_ab_of_8_passes.on(target),
       8}};
  std::vector<mir::Pair> pairs;
  for (const Padded& one : all) pairs.push_back(one.pair);

  const auto unset = mir::sweep(target, pairs);
  int larger = 0;
  for (const int ratio : {0, 25, 50, 100}) {
    const auto sweeps =
        mir::sweep(target, pairs, mir::Filler::nops, {fmt::format("-amdgpu-mfma-padding-ratio={}", ratio)});
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int needs = std::max(all[i].hazard, all[i].passes * ratio / 100);
      expect_equal(context, fmt::format("{}, ratio {}", all[i].what, ratio), std::string(),
                   mir::why_not(sweeps[i], needs));
      if (ratio == 0)
        expect_equal(context, all[i].what + ", without the option", sweeps[i].added, unset[i].added);
      larger += needs > all[i].hazard ? 1 : 0;
    }
  }
  EXPECT_LT(8, larger) << "cases where the padding is larger";
  EXPECT_THROW(mir::sweep(target, pairs, mir::Filler::nops, {"-amdgpu-mfma-padding-ratio=101"}), Error)
      << "a ratio above 100 was taken";
}

/// What is wrong with the order of passes; empty when the wait pass comes before the hazard pass.
std::string why_not_in_order(const std::vector<std::string>& passes) {
  const auto wait = std::ranges::find(passes, "si-insert-waitcnts"),
             hazard = std::ranges::find(passes, std::string(mir::hazard_pass));
  if (wait == passes.end() || hazard == passes.end()) return "one of the two passes is missing";
  if (std::ranges::count(passes, *wait) != 1 || std::ranges::count(passes, *hazard) != 1)
    return "one runs twice";
  const auto allocation = std::ranges::find_if(passes, [](const std::string& pass) {
    return pass == "virtregrewriter" || pass == "virt-reg-rewriter"; // the second since LLVM 24
  });
  if (allocation > hazard || allocation == passes.end())
    return "registers are not allocated before the hazard pass";
  return wait < hazard ? "" : "the hazard pass comes first";
}

/// The order of the default pipeline, and what it is good for: the S_WAITCNT for a load is a wait state for
/// the MFMA.
void check_order(TestContext& context) {
  note_compiler(context);
  auto passes = mir::default_pipeline(context.target());
  expect_equal(context, "default pipeline", std::string(), why_not_in_order(passes));
  std::ranges::reverse(passes);
  EXPECT_NE("", why_not_in_order(passes)) << "not noticed: the reverse order";

  const int needs = to_ab.on(context.target());
  const std::string load = "$vgpr40 = GLOBAL_LOAD_DWORD $vgpr200_vgpr201, 0, 0, implicit $exec";
  const std::string reader = mir::line(with_a(second_of(f16), 64)); // whose B is v40 and v41
  const auto between = [&](const std::string& order) {
    const mir::Block block{{load, producer, reader, end}};
    const auto result = mir::run_passes(context.target(), {{"f", {block}}}, order);
    const auto& lines = result.lines("f");
    const auto from =
        std::ranges::find_if(lines, [](std::string_view l) { return l.find("V_MFMA") != l.npos; });
    const std::vector<std::string_view> inner(from + 1, lines.end() - 2);
    return std::pair(mir::wait_states(inner), std::ranges::count_if(inner, [](std::string_view l) {
                       return l.starts_with("S_WAITCNT");
                     }));
  };
  const std::string hazard(mir::hazard_pass), wait = "si-insert-waitcnts";
  expect_equal(context, "wait states when the wait pass comes first", needs,
               between(wait + "," + hazard).first);
  expect_equal(context, "S_WAITCNTs among them", 1, between(wait + "," + hazard).second);
  expect_equal(context, "wait states of the hazard pass alone", needs, between(hazard).first);
  EXPECT_EQ(needs + 1, between(hazard + "," + wait).first) << "not told apart: the reverse order";
}

const bool added = add({
    {.suite = "MirPipeline",
     .name = "WaitPassComesFirst",
     .check = Check::mir,
     .claims = {"LLVM-4.1"_claim},
     .body = check_order},
    {.suite = "MirPadding",
     .name = "CombinesByMaximum",
     .check = Check::mir,
     .claims = {"LLVM-7.2"_claim},
     .body = check_padding},
});

} // namespace
} // namespace cts::mfma_hazards
