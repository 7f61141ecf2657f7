// Times as they are measured: some samples, of which nothing is known but their order.
#pragma once

#include <string_view>
#include <vector>

namespace cts::statistics {

/// Median of repeated measurements, and an interval that holds the true median in at least 95 of 100 cases
/// whatever the distribution: two order statistics, chosen by the binomial distribution. Fewer than 6 samples
/// allow no such interval; theirs is the range.
struct Summary {
  double median = 0, low = 0, high = 0;
  bool operator==(const Summary&) const = default;
};

/// Throws Error for no samples and for one that is not a positive number.
Summary summarize(std::vector<double> samples);

/// How long a candidate takes beside a baseline.
enum class Change {
  same,     ///< surely within the tolerance
  faster,   ///< surely shorter by more than the tolerance
  slower,   ///< surely longer by more than the tolerance
  ambiguous ///< the intervals allow more than one of these
};

/// "SAME", "FASTER", "SLOWER", "AMBIGUOUS".
std::string_view name(Change change);

/// Compares by the extreme ratios that the two intervals allow; one and the same measurement is the same
/// however wide its interval. Clocks that follow temperature and power move repeated runs by a percent or
/// two, which is what the default tolerates.
Change compare(const Summary& baseline, const Summary& candidate, double tolerance = 0.02);

} // namespace cts::statistics
