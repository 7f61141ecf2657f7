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

} // namespace
} // namespace cts::mir
