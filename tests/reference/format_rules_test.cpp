// Each named difference explains what it says, and nothing next to it.
#include "reference/format_rules.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cts::reference {
namespace {

/// Names of the rules that explain `theirs`.
std::string explained(Format format, double value, std::uint64_t theirs,
                      Rounding rounding = Rounding::nearest_even, Overflow overflow = Overflow::special) {
  std::string names;
  for (const RuleText& rule : rules())
    if (explains(rule.rule, {format, rounding, overflow, value, theirs}))
      names += (names.empty() ? "" : " ") + std::string(rule.name);
  return names;
}

TEST(FormatRules, NaN) {
  EXPECT_EQ(explained(Format::e5m2, NAN, 0x7D), "nan-payload");
  EXPECT_EQ(explained(Format::e4m3fn, -NAN, 0x7F), "nan-payload");
  EXPECT_EQ(explained(Format::e5m2, NAN, 0x7C), "") << "an infinity is no NaN";
  EXPECT_EQ(explained(Format::e4m3fn, NAN, 0x7E), "");
  EXPECT_EQ(explained(Format::e2m3fn, NAN, 0x20), "nan-without-code");
  EXPECT_EQ(explained(Format::e2m3fn, NAN, 0x3F), "nan-without-code");
  EXPECT_EQ(explained(Format::e2m3fn, NAN, 0x1E), "");
  EXPECT_EQ(explained(Format::e2m3fn, 3, 0x1F), "");
}

TEST(FormatRules, ZeroSign) {
  EXPECT_EQ(explained(Format::e4m3fn, -1e-9, 0x00), "zero-sign");
  EXPECT_EQ(explained(Format::e4m3fn, 0x1p-9, 0x00), "") << "the smallest number is no zero";
  EXPECT_EQ(explained(Format::e4m3fnuz, -1e-9, 0x80), "") << "FNUZ's 0x80 is NaN";
}

TEST(FormatRules, Overflow) {
  EXPECT_EQ(explained(Format::e4m3fn, 1000, 0x7E), "saturation");
  EXPECT_EQ(explained(Format::e4m3fn, -1000, 0x7E), "") << "wrong sign";
  EXPECT_EQ(explained(Format::e5m2, INFINITY, 0x7B), "saturation");
  EXPECT_EQ(explained(Format::e5m2, 1e9, 0x7C, Rounding::nearest_even, Overflow::saturate), "saturation");
  EXPECT_EQ(explained(Format::e4m3fn, 1000, 0x7D), "");
  EXPECT_EQ(explained(Format::e4m3fn, 449, 0x7F), "overflow-before-rounding");
  EXPECT_EQ(explained(Format::e4m3fn, 447, 0x7F), "");
}

TEST(FormatRules, Scales) {
  EXPECT_EQ(explained(Format::e8m0fnu, 0, 0xFF), "e8m0-domain");
  EXPECT_EQ(explained(Format::e8m0fnu, -2, 0xFF), "e8m0-domain");
  EXPECT_EQ(explained(Format::e8m0fnu, 2, 0xFF), "");
  EXPECT_EQ(explained(Format::e8m0fnu, 0x1.4p-127, 0x01), "e8m0-rounding");
  EXPECT_EQ(explained(Format::e8m0fnu, 0x1.4p-126, 0x02), "") << "only subnormal f32";
  EXPECT_EQ(explained(Format::e8m0fnu, 1.25, 0x80), "");
}

} // namespace
} // namespace cts::reference
