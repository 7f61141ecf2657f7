// Medians, their intervals, and what two of them say about each other.
#include "common/error.hpp"
#include "common/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cts::statistics {
namespace {

std::vector<double> up_to(int n) {
  std::vector<double> values;
  for (int i = n; i >= 1; --i) values.push_back(i);
  return values;
}

void expect_summary(const Summary& expected, const Summary& got) {
  EXPECT_EQ(expected.median, got.median);
  EXPECT_EQ(expected.low, got.low);
  EXPECT_EQ(expected.high, got.high);
}

TEST(Statistics, MedianAndOrderStatistics) {
  expect_summary({7, 7, 7}, summarize({7}));
  expect_summary({2.5, 1, 4}, summarize(up_to(4)));
  expect_summary({3.5, 1, 6}, summarize(up_to(6))); // ranks 1 and 6: 96.9 %
  expect_summary({8, 4, 12}, summarize(up_to(15))); // 96.5 %; ranks 5 and 11 would be 88.2 %
  expect_summary({50.5, 40, 61}, summarize(up_to(100)));
}

TEST(Statistics, IntervalHoldsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> skewed(1);
  int held = 0;
  for (int n = 0; n < 2000; ++n) {
    std::vector<double> samples(15);
    for (double& s : samples) s = skewed(random) + 1e-9;
    const Summary summary = summarize(samples);
    held += summary.low <= std::log(2.0) && std::log(2.0) <= summary.high ? 1 : 0;
  }
  EXPECT_LT(1900, held); // of 2000, at least 95 %
}

TEST(Statistics, RefusesWhatIsNoTime) {
  EXPECT_THROW(summarize({}), Error);
  EXPECT_THROW(summarize({1, 0}), Error);
  EXPECT_THROW(summarize({1, -1}), Error);
  EXPECT_THROW(summarize({1, NAN}), Error);
  EXPECT_THROW(summarize({1, INFINITY}), Error);
}

TEST(Statistics, ComparesIntervals) {
  const Summary base{100, 99.5, 100.5};
  const auto change = [&](const Summary& candidate) { return name(compare(base, candidate)); };
  EXPECT_EQ("SAME", change({100, 99.5, 100.5}));
  EXPECT_EQ("SAME", change({100.9, 100.5, 101.2}));
  EXPECT_EQ("SLOWER", change({104, 103.5, 104.5}));
  EXPECT_EQ("FASTER", change({96, 95.5, 96.5}));
  EXPECT_EQ("AMBIGUOUS", change({102, 101, 103})) << "about as much as is tolerated";
  EXPECT_EQ("AMBIGUOUS", change({104, 96, 112})) << "too wide to say";
  EXPECT_EQ("AMBIGUOUS", change({100, 90, 110})) << "the same median does not make it the same";
  EXPECT_EQ(Change::same, compare({100, 90, 110}, {100, 90, 110})) << "one measurement, however wide";
}

TEST(Statistics, ToleranceIsTheCallers) {
  const Summary base{100, 100, 100}, candidate{104, 104, 104};
  EXPECT_EQ(Change::slower, compare(base, candidate, 0.03));
  EXPECT_EQ(Change::same, compare(base, candidate, 0.05));
  EXPECT_EQ(Change::faster, compare(candidate, base, 0.03));
}

} // namespace
} // namespace cts::statistics
