// A sweep says how many wait states a pass wants; what it says of itself, without the compiler and with it.
#include "runners/mir/sweep.hpp"

#include "runners/mir/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cts::mir {
namespace {

/// What a pass adds that wants `needed`, and takes spacings of `enough` and more for sufficient.
Sweep made(int needed, int enough = 100) {
  Sweep sweep;
  for (int spacing = 0; spacing <= widest_spacing; ++spacing)
    sweep.added.push_back(spacing >= enough ? 0 : std::max(0, needed - spacing));
  return sweep;
}

TEST(Sweep, KnowsItsThreshold) {
  const Sweep seven = made(7);
  EXPECT_EQ(7, seven.needed());
  EXPECT_EQ(7, seven.least());
  EXPECT_TRUE(seven.missed().empty());
  EXPECT_EQ("", why_not(seven, 7));
  EXPECT_EQ("needs 8, gave 7 at spacing 0 in place of 8", why_not(seven, 8));
  EXPECT_EQ("needs 6, gave 7 at spacing 0 in place of 6", why_not(seven, 6));
  EXPECT_EQ("", why_not(made(0), 0));
}

TEST(Sweep, KnowsWhereTooLittleIsLeft) {
  const Sweep short_sighted = made(20, 19);
  EXPECT_EQ(20, short_sighted.needed());
  EXPECT_EQ(19, short_sighted.least());
  EXPECT_EQ(std::vector<int>{19}, short_sighted.missed());
  EXPECT_EQ("needs 20, gave 0 at spacing 19 in place of 1", why_not(short_sighted, 20));
}

TEST(Sweep, AsksTheCompiler) {
  const reference::Instruction& i = reference::find_instruction("mfma_f32_16x16x16f16");
  Matrix reader = as_second(i);
  reader.a.first = 64;
  const std::vector<Pair> pairs{{line(as_first(i)), line(reader)}, {line(as_first(i)), line(as_second(i))}};
  for (const Filler filler : {Filler::nops, Filler::independent}) {
    const auto sweeps = sweep(Target::gfx950, pairs, filler);
    EXPECT_EQ("", why_not(sweeps[0], 8));
    EXPECT_EQ("", why_not(sweeps[1], 0));
  }
  EXPECT_EQ("", why_not(sweep(Target::gfx950, pairs, Filler::nops, {}, "none")[0], 0));
}

/// One pair that llc does not understand and one that its verifier refuses, of five: the other three are
/// measured as ever.
TEST(Sweep, TellsOfWhatIsRefusedAndMeasuresTheRest) {
  const reference::Instruction& i = reference::find_instruction("mfma_f32_16x16x16f16");
  Matrix reader = as_second(i);
  reader.a.first = 64;
  const Pair good{line(as_first(i)), line(reader)}, unknown{"V_NO_SUCH_INSTRUCTION", line(reader)},
      bad{line(as_first(i)), "$vgpr200 = V_MOV_B32_e32 0, 0, implicit $exec"};
  const auto sweeps = sweep(Target::gfx942, std::vector{good, unknown, good, bad, good});
  ASSERT_EQ(5u, sweeps.size());
  for (const std::size_t at : {0u, 2u, 4u}) EXPECT_EQ("", why_not(sweeps[at], 7)) << at;
  EXPECT_NE(std::string::npos, sweeps[1].refused.find("V_NO_SUCH_INSTRUCTION")) << sweeps[1].refused;
  EXPECT_NE(std::string::npos, sweeps[3].refused.find("Bad machine code: ")) << sweeps[3].refused;
  EXPECT_EQ("refused: " + sweeps[3].refused, why_not(sweeps[3], 7));
  EXPECT_THROW(sweeps[3].needed(), Error);
}

/// What is refused whatever the pair is said once, and no pair's fault.
TEST(Sweep, ThrowsWhereEverythingIsRefused) {
  const std::vector<Pair> pairs{{"S_NOP 0", "S_NOP 0"}, {"S_NOP 0", "S_NOP 0"}};
  EXPECT_THROW(sweep(Target::gfx942, pairs, Filler::nops, {}, "no-such-pass"), Refused);
}

} // namespace
} // namespace cts::mir
