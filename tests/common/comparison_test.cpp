// How a mismatch is told, and that it fails the test.
#include "common/claim_test.hpp"

#include <gtest/gtest-spi.h>

#include <algorithm>

namespace cts {
namespace {

TestContext context() { return {Target::gfx942, "O3", "Suite.Name", {"CDNA-3.3", "CDNA-3.4"}}; }

TEST(Comparison, TellsClaimInstructionLaneRegisterByteExpectedGot) {
  TestContext t = context();
  Comparison comparison(t, "v_mfma_f32_16x16x32_f16", 16);
  EXPECT_TRUE(comparison.equal(7, 7));
  EXPECT_FALSE(comparison.equal(0x3c00, 0x10, {.lane = 18, .vgpr = 1, .byte = 2, .note = "D[6][2]"}));
  EXPECT_EQ(
      "CDNA-3.3 CDNA-3.4 v_mfma_f32_16x16x32_f16: lane 18 VGPR 1 byte 2 D[6][2]: expected 0x3c00, got 0x0010",
      comparison.text());
  EXPECT_EQ(2u, t.comparisons());
  comparison.dismiss();
}

TEST(Comparison, TellsTheSeedOnceRandomNumbersWereDrawn) {
  TestContext t = context();
  EXPECT_EQ(0u, t.seed());
  t.integer(0, 9);
  Comparison comparison(t, "v_mfma");
  comparison.equal(1, 2);
  EXPECT_EQ("CDNA-3.3 CDNA-3.4 v_mfma: expected 0x00000001, got 0x00000002 (seed 1234)", comparison.text());
  comparison.dismiss();
}

TEST(Comparison, StopsAfterEightLinesAndCountsTheRest) {
  TestContext t = context();
  Comparison comparison(t, "v_mfma");
  for (int lane = 0; lane < 11; ++lane) comparison.equal(0, 1, {.lane = lane});
  const std::string text = comparison.text();
  EXPECT_EQ(8, std::ranges::count(text, '\n'));
  EXPECT_NE(std::string::npos, text.find("lane 7:"));
  EXPECT_EQ(std::string::npos, text.find("lane 8:"));
  EXPECT_TRUE(text.ends_with("\n... and 3 more mismatches")) << text;
  comparison.dismiss();
}

TEST(Comparison, FailsTheTestAtItsEnd) {
  TestContext t = context();
  EXPECT_NONFATAL_FAILURE(Comparison(t, "v_mfma").equal(1, 2), "expected 0x00000001, got 0x00000002");
}

TEST(Comparison, IsSilentWhenAllAgreeOrWhenDismissed) {
  TestContext t = context();
  Comparison(t, "v_mfma").equal(2, 2);
  Comparison dismissed(t, "v_mfma");
  dismissed.equal(1, 2);
  dismissed.dismiss();
  EXPECT_EQ(1u, dismissed.mismatches());
  EXPECT_EQ(2u, t.comparisons());
}

TEST(ExpectEqual, CountsAndFails) {
  TestContext t = context();
  EXPECT_NONFATAL_FAILURE(expect_equal(t, "lanes", 64, 32), "lanes");
  expect_equal(t, "lanes", 64, 64);
  EXPECT_EQ(2u, t.comparisons());
}

TEST(TestContext, DrawsTheSameNumbersForTheSameNameOnEveryTarget) {
  TestContext one(Target::gfx942, "O1", "Suite.Name", {}), two(Target::gfx950, "O3", "Suite.Name", {}),
      other(Target::gfx942, "O1", "Suite.Other", {});
  const std::uint64_t first = one.rng()();
  EXPECT_EQ(first, two.rng()());
  EXPECT_NE(first, other.rng()());
  for (int n = 0; n < 1000; ++n) {
    const int drawn = one.integer(-3, 4);
    EXPECT_GE(drawn, -3);
    EXPECT_LE(drawn, 4);
  }
}

} // namespace
} // namespace cts
