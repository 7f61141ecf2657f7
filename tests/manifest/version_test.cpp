// Version ranges of waivers.
#include "common/error.hpp"
#include "runners/manifest/manifests.hpp"

#include <gtest/gtest.h>

namespace cts::manifest {
namespace {

struct Case {
  const char* version;
  const char* range;
  bool inside;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.version << " in " << c.range; }

class VersionRange : public testing::TestWithParam<Case> {};

TEST_P(VersionRange, HoldsWhereAllComparisonsDo) {
  EXPECT_EQ(version_in_range(GetParam().version, GetParam().range), GetParam().inside);
}

INSTANTIATE_TEST_SUITE_P(Versions, VersionRange,
                         testing::Values(Case{"22.1.8", ">=22 <23", true}, Case{"23", ">=22 <23", false},
                                         Case{"21.9.9", ">=22 <23", false}, Case{"22", ">=22", true},
                                         Case{"22.0.0", "==22", true}, Case{"22.0.1", "==22", false},
                                         Case{"6.10", ">6.9", true}, Case{"6.10", "<6.9", false},
                                         Case{"6.9", "<=6.9", true},
                                         Case{"22.1.8-1~deb13u5", "==22.1.8", true},
                                         Case{"6.12.12", " >=6.10   <6.13 ", true}));

TEST(VersionRangeText, MalformedIsAnError) {
  EXPECT_THROW(version_in_range("22", ""), Error);
  EXPECT_THROW(version_in_range("22", ">="), Error);
  EXPECT_THROW(version_in_range("22", "=>22"), Error);
  EXPECT_THROW(version_in_range("22", "22"), Error);
  EXPECT_THROW(version_in_range("22", ">=22,<23"), Error);
  EXPECT_THROW(version_in_range("unknown", ">=22"), Error);
}

} // namespace
} // namespace cts::manifest
