#include "common/statistics.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>

namespace cts::statistics {
namespace {

/// The largest k for which at most 2.5 of 100 cases have fewer than k of n samples below the median; 0 if
/// none.
std::size_t rank_of_low(std::size_t n) {
  double probability = std::pow(0.5, static_cast<double>(n)), sum = 0; // of exactly k samples below
  for (std::size_t k = 0; k < n; ++k) {
    sum += probability;
    if (sum > 0.025) return k;
    probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return 0;
}

} // namespace

Summary summarize(std::vector<double> samples) {
  if (samples.empty()) throw Error("no samples to summarize");
  for (const double sample : samples)
    if (!(sample > 0) || std::isinf(sample))
      throw Error("a sample of {}: expected a positive number", sample);
  std::ranges::sort(samples);
  const std::size_t n = samples.size(), rank = std::max<std::size_t>(rank_of_low(n), 1);
  const double median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
  return {median, samples[rank - 1], samples[n - rank]};
}

std::string_view name(Change change) {
  constexpr std::string_view names[]{"SAME", "FASTER", "SLOWER", "AMBIGUOUS"};
  return names[static_cast<std::size_t>(change)];
}

Change compare(const Summary& baseline, const Summary& candidate, double tolerance) {
  if (baseline == candidate) return Change::same;
  const double least = candidate.low / baseline.high, most = candidate.high / baseline.low;
  if (least > 1 + tolerance) return Change::slower;
  if (most < 1 - tolerance) return Change::faster;
  if (least >= 1 - tolerance && most <= 1 + tolerance) return Change::same;
  return Change::ambiguous;
}

} // namespace cts::statistics
