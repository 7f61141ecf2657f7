// The very S_NOPs that the hazard pass puts between adjacent instructions, and what becomes of an opcode that
// the target lacks.
#include "suites/mfma_hazards/mir_support.hpp"

#include <algorithm>

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using mir::Matrix;
using mir::with_accumulators;

constexpr std::string_view i8 = "mfma_i32_16x16x32_i8";

/// What the pass puts between adjacent instructions, as lines.
std::vector<std::string> between(Target target, const std::vector<std::string>& instructions) {
  mir::Block block{instructions};
  block.lines.emplace_back("S_ENDPGM 0");
  std::vector<std::string> added;
  const auto result = mir::run_passes(target, {{"f", {block}}});
  for (const std::string_view line : result.lines("f"))
    if (line.starts_with("S_NOP")) added.emplace_back(line);
  return added;
}

Target other(Target target) { return target == Target::gfx942 ? Target::gfx950 : Target::gfx942; }

using Lines = std::vector<std::string>;

void check_listing_of_partial_c(TestContext& context) {
  note_compiler(context);
  const Matrix first = first_of(f16);
  const Lines code{mir::line(first), mir::line(reading_d_as_c(second_of(f16), first, 2))};
  const Lines expected{context.target() == Target::gfx942 ? "S_NOP 4" : "S_NOP 5"};
  expect_equal(context, "between the two", expected, between(context.target(), code));
  EXPECT_NE(expected, between(other(context.target()), code)) << "not told apart: the two targets";
}

void check_listing_of_a_and_b(TestContext& context) {
  note_compiler(context);
  const Matrix first = first_of(f16);
  const Lines expected{context.target() == Target::gfx942 ? "S_NOP 6" : "S_NOP 7"};
  for (const Matrix& second :
       {with_a(second_of(f16), first.d.first), with_b(second_of(f16), first.d.first)}) {
    const Lines code{mir::line(first), mir::line(second)};
    expect_equal(context, "between the two", expected, between(context.target(), code));
    EXPECT_NE(expected, between(other(context.target()), code)) << "not told apart: the two targets";
  }
}

void check_listing_of_a_chain(TestContext& context) {
  note_compiler(context);
  const Matrix first = with_accumulators(first_of(i8));
  Matrix link = first;
  link.c = link.d;
  const std::string chained = mir::line(link);
  expect_equal(context, "in a chain of four", Lines{},
               between(context.target(), {mir::line(first), chained, chained, chained}));
  const Matrix shifted = reading_d_as_c(with_accumulators(second_of(i8)), first, 2);
  const Lines expected{context.target() == Target::gfx942 ? "S_NOP 4" : "S_NOP 5"};
  EXPECT_EQ(expected, between(context.target(), {mir::line(first), chained, mir::line(shifted)}))
      << "not noticed: another C at the chain's end";
}

void check_listing_behind_valu(TestContext& context) {
  note_compiler(context);
  const Matrix sgemm = second_of("mfma_f32_4x4x1f32");
  const std::string mov = "$vgpr64 = V_MOV_B32_e32 1, implicit $exec";
  for (const Matrix& reader : {with_a(sgemm, 64), with_b(sgemm, 64)})
    expect_equal(context, "behind V_MOV", Lines{"S_NOP 1"},
                 between(context.target(), {mov, mir::line(reader)}));
  EXPECT_EQ(Lines{}, between(context.target(), {mov, mir::line(sgemm)})) << "behind V_MOV of something else";
}

/// The pass has an expectation for the wide opcode on gfx942 too; what is emitted there is no instruction.
void check_wide_fp16(TestContext& context) {
  note_compiler(context);
  constexpr std::string_view wide = "mfma_f32_16x16x32_f16";
  const Matrix first = first_of(wide), second = with_a(second_of(wide), first.d.first);
  const auto threshold = [&](Target target) {
    return mir::sweep(target, std::vector<mir::Pair>{pair_of(first, second)})[0].needed();
  };
  expect_equal(context, "the pass's expectation", to_ab.on(context.target()), threshold(context.target()));
  const auto count = [&](Target target, const Matrix& one, const std::string& mnemonic) {
    const mir::Block block{{mir::line(one), "S_ENDPGM 0"}};
    const auto emitted = mir::emitted_mnemonics(target, {{"f", {block}}});
    return std::ranges::count(emitted, mnemonic);
  };
  const bool there = context.target() == Target::gfx950;
  expect_equal(context, "wide instructions in the object file", there ? 1 : 0,
               count(context.target(), first, "v_mfma_f32_16x16x32_f16"));
  expect_equal(context, "words that are no instruction", there ? 0 : 1,
               count(context.target(), first, ".long"));
  EXPECT_EQ(1, count(context.target(), first_of(f16), "v_mfma_f32_16x16x16_f16")) << "the narrow one";
}

const bool added = add({
    {.suite = "MirListings",
     .name = "PartOfC",
     .check = Check::mir,
     .claims = {"LLVM-8.1"_claim, "CDNA-8.1"_claim},
     .body = check_listing_of_partial_c},
    {.suite = "MirListings",
     .name = "DAsAAndAsB",
     .check = Check::mir,
     .claims = {"LLVM-8.2"_claim, "CDNA-8.1"_claim},
     .body = check_listing_of_a_and_b},
    {.suite = "MirListings",
     .name = "ChainInAccumulators",
     .check = Check::mir,
     .claims = {"LLVM-8.3"_claim, "CDNA-8.1"_claim},
     .body = check_listing_of_a_chain},
    {.suite = "MirListings",
     .name = "ValuBeforeF32",
     .check = Check::mir,
     .claims = {"LLVM-8.4"_claim, "CDNA-8.1"_claim},
     .body = check_listing_behind_valu},
    {.suite = "MirMfmaF32_16x16x32_F16",
     .name = "ExpectationMakesNoInstruction",
     .check = Check::mir,
     .claims = {"LLVM-8.5"_claim},
     .body = check_wide_fp16},
});

} // namespace
} // namespace cts::mfma_hazards
