// What counts as exact reuse of C, and what it needs.
#include "suites/mfma_hazards/mir_support.hpp"

#include <algorithm>

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using mir::Matrix;

/// Plain and MAC forms are one opcode.
void check_same_tuple(TestContext& context) {
  std::vector<Asked> asked;
  const int partial = 9 + (context.target() == Target::gfx950 ? 1 : 0);
  for (const bool accumulators : {false, true}) {
    for (const bool first_mac : {false, true})
      for (const bool second_mac : {false, true}) {
        Matrix first = placed(first_of(f16_large), accumulators);
        first.mac = first_mac;
        if (first_mac) first.c = first.d;
        Matrix second = reading_d_as_c(placed(second_of(f16_large), accumulators), first);
        second.mac = second_mac;
        if (second_mac) second.d = second.c;
        asked.push_back(
            {fmt::format("{} then {}", mir::opcode(first), mir::opcode(second)), pair_of(first, second), 0});
      }
    const Matrix first = placed(first_of(f16_large), accumulators);
    asked.push_back({fmt::format("shared start, shorter, {}", file(accumulators)),
                     pair_of(first, reading_d_as_c(placed(second_of(f16), accumulators), first)), partial});
    asked.push_back(
        {fmt::format("shared start, longer, {}", file(accumulators)),
         pair_of(first, reading_d_as_c(placed(second_of("mfma_f32_32x32x4f16"), accumulators), first)),
         partial});
    asked.push_back({fmt::format("two later, {}", file(accumulators)),
                     pair_of(first, reading_d_as_c(placed(second_of(f16_large), accumulators), first, 2)),
                     partial});
  }
  check_thresholds(context, asked);
}

/// Two opcodes with the same registers of C: what the claim asks for, and what LLVM's rule for one opcode
/// does.
struct OtherOpcode {
  std::string_view first, second;
};

constexpr OtherOpcode same_unit[] = {{f16, "mfma_f32_16x16x16bf16_1k"},
                                     {f16, "mfma_i32_16x16x32_i8"},
                                     {f16, "mfma_f32_4x4x4f16"},
                                     {f16, "smfmac_f32_16x16x32_f16"},
                                     {"smfmac_f32_16x16x32_f16", f16},
                                     {f16, f32},
                                     {"mfma_f32_4x4x4f16", "mfma_f32_4x4x4bf16_1k"},
                                     {f16_large, "mfma_f32_16x16x4f16"},
                                     {"mfma_f32_32x32x4f16", "mfma_f32_32x32x4bf16_1k"},
                                     {"mfma_f32_32x32x2f32", "mfma_f32_16x16x1f32"}};

void check_other_opcode(TestContext& context) {
  note_compiler(context);
  const Target target = context.target();
  std::vector<mir::Pair> pairs;
  std::vector<int> claimed, by_tuple;
  for (const auto& [one, two] : same_unit) {
    const Matrix first = first_of(one), second = reading_d_as_c(second_of(two), first);
    const int passes = reference::passes(first.instruction, target);
    const auto wait = [&](reference::Overlap overlap) {
      return reference::llvm_wait(target, reference::write_of(first.instruction), passes,
                                  reference::read_c_of(second.instruction), overlap);
    };
    pairs.push_back(pair_of(first, second));
    by_tuple.push_back(wait(reference::Overlap::exact));
    claimed.push_back(std::max(by_tuple.back(), wait(reference::Overlap::partial)));
  }
  const auto sweeps = mir::sweep(target, pairs);
  std::vector<int> given;
  for (const mir::Sweep& sweep : sweeps) given.push_back(sweep.needed());
  context.metric("given_behind_another_opcode", given.front());
  context.metric("claimed_behind_another_opcode", claimed.front());
  context.compared(given.size());
  EXPECT_NE(claimed, by_tuple) << "not told apart: one opcode and two";
  if (given == claimed) return;
  if (given == by_tuple)
    context.known_violation(
        fmt::format("the same registers are exact whatever the opcodes: {} then {} needs {}, gave {}",
                    same_unit[0].first, same_unit[0].second, claimed[0], given[0]),
        "https://github.com/llvm/llvm-project/pull/218363");
  else
    EXPECT_EQ(claimed, given) << "wait states behind another opcode";
}

/// Families that need nothing, other opcode or not: XDL's C behind SGEMM and F64.
void check_families_of_zero(TestContext& context) {
  std::vector<Asked> asked;
  const auto ask = [&](std::string_view one, std::string_view two, int by, int needs) {
    const Matrix first = first_of(one);
    asked.push_back({fmt::format("{} then C of {}", one, two),
                     pair_of(first, reading_d_as_c(second_of(two), first, by)), needs});
  };
  ask(f32, f16, 0, 0);
  ask(f32, f16, 2, 0);
  ask(f32, "smfmac_f32_16x16x32_f16", 2, 0);
  ask("mfma_f64_16x16x4f64", f16, 2, 0);
  ask("mfma_f64_4x4x4f64", f16, -2, 0);
  ask(f32, "mfma_f32_16x16x1f32", 0, 8); // and one that is not
  check_thresholds(context, asked);
}

void check_chains(TestContext& context) {
  const Target target = context.target();
  std::vector<Asked> asked;
  int two_pass = 0;
  for (const auto kind : {reference::Kind::dense, reference::Kind::sparse})
    for (const reference::Instruction& i : reference::instructions(kind, target))
      for (const bool accumulators : {false, true}) {
        const Matrix first = placed(mir::as_first(i), accumulators);
        const Matrix second = reading_d_as_c(placed(mir::as_second(i), accumulators), first);
        const bool short_one = reference::passes(i, target) == 2;
        two_pass += short_one ? 1 : 0;
        const int needs = i.builtin_tail == "mfma_f64_4x4x4f64" ? 4 : short_one ? 2 : 0;
        asked.push_back(
            {fmt::format("{}, {}", i.builtin_tail, file(accumulators)), pair_of(first, second), needs});
      }
  expect_equal(context, "two-pass instructions, in both kinds of registers", 8, two_pass);
  check_thresholds(context, asked);
}

const bool added = add({
    {.suite = "MirExactC",
     .name = "SameRegistersInAnyEncoding",
     .check = Check::mir,
     .claims = {"LLVM-5.6"_claim},
     .body = check_same_tuple},
    {.suite = "MirExactC",
     .name = "AnotherOpcodeIsPartial",
     .check = Check::mir,
     .claims = {"LLVM-5.6"_claim, "LLVM-5.7"_claim},
     .body = check_other_opcode},
    {.suite = "MirExactC",
     .name = "SomeFamiliesNeedNothing",
     .check = Check::mir,
     .claims = {"LLVM-5.7"_claim},
     .body = check_families_of_zero},
    {.suite = "MirExactC",
     .name = "ChainsOfEveryInstruction",
     .check = Check::mir,
     .claims = {"LLVM-5.8"_claim},
     .body = check_chains},
});

} // namespace
} // namespace cts::mfma_hazards
