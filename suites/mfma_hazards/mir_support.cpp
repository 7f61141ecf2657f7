#include "suites/mfma_hazards/mir_support.hpp"

namespace cts::mfma_hazards {

mir::Matrix first_of(std::string_view builtin) { return mir::as_first(reference::find_instruction(builtin)); }

mir::Matrix second_of(std::string_view builtin) {
  return mir::as_second(reference::find_instruction(builtin));
}

mir::Matrix with_c(mir::Matrix second, const mir::Registers& registers) {
  (second.instruction.kind == reference::Kind::sparse ? second.d : second.c) = registers;
  return second;
}

mir::Matrix with_a(mir::Matrix second, int first_register) {
  second.a.first = first_register;
  return second;
}

mir::Matrix with_b(mir::Matrix second, int first_register) {
  second.b.first = first_register;
  return second;
}

mir::Matrix reading_d_as_c(const mir::Matrix& second, const mir::Matrix& first, int by) {
  return with_c(second, {first.d.first + by, second.instruction.vgprs_d});
}

mir::Matrix placed(const mir::Matrix& matrix, bool accumulators) {
  return accumulators ? mir::with_accumulators(matrix) : matrix;
}

const char* file(bool accumulators) { return accumulators ? "AccVGPRs" : "VGPRs"; }

const std::string producer = mir::line(first_of(f16)), consumer = mir::line(with_a(second_of(f16), 64)),
                  bystander = mir::line(second_of(f16)), end = "S_ENDPGM 0";

mir::Pair pair_of(const mir::Matrix& first, const mir::Matrix& second) {
  return {mir::line(first), mir::line(second)};
}

void note_compiler(TestContext& context) { context.origin("compiler", "LLVM " + mir::compiler_version()); }

void check_thresholds(TestContext& context, const std::vector<Asked>& asked) {
  note_compiler(context);
  std::vector<mir::Pair> pairs;
  for (const Asked& one : asked) pairs.push_back(one.pair);
  // A V_MOV of registers that no pair uses.
  for (const Asked& one : asked)
    pairs.push_back({one.pair.first, "$vgpr160 = V_MOV_B32_e32 $vgpr161, implicit $exec"});
  const Target target = context.target();
  const auto off = mir::sweep(target, pairs, mir::Filler::nops, {}, "none");
  for (const auto filler : {mir::Filler::nops, mir::Filler::independent}) {
    const auto sweeps = mir::sweep(target, pairs, filler);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto& [what, pair, needs] = asked[i];
      expect_equal(context, what, std::string(), mir::why_not(sweeps[i], needs));
      context.fact("wait states: " + what,
                   sweeps[i].refused.empty() ? std::to_string(sweeps[i].needed()) : "refused");
      EXPECT_NE("", mir::why_not(sweeps[i], needs + 1)) << what << ": not told apart from one more";
      EXPECT_EQ("", mir::why_not(off[i], 0)) << what << ": changed with the pass switched off";
      EXPECT_EQ("", mir::why_not(sweeps[asked.size() + i], 0)) << what << ": without a dependency";
      if (needs == 0) continue;
      EXPECT_NE("", mir::why_not(sweeps[i], needs - 1)) << what << ": not told apart from one less";
      EXPECT_NE("", mir::why_not(off[i], needs)) << what << ": not noticed: the pass is switched off";
    }
  }
}

void report(TestContext& context, const std::vector<std::string>& wrong, std::size_t compared) {
  context.compared(compared);
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, wrong.size()); ++i) text += wrong[i] + "\n";
  if (wrong.size() > shown) text += fmt::format("... and {} more\n", wrong.size() - shown);
  if (!wrong.empty()) ADD_FAILURE() << text;
}

} // namespace cts::mfma_hazards
