#include "runners/audit/values.hpp"

#include <algorithm>

namespace cts::audit {

Values::Values(std::uint32_t first, std::uint32_t last) {
  if (first <= last) {
    ranges_.push_back({first, last});
  } else if (last + 1 == first) {
    ranges_.push_back({0, ~std::uint32_t{0}});
  } else {
    ranges_.push_back({0, last});
    ranges_.push_back({first, ~std::uint32_t{0}});
  }
}

/// The set of the ranges `sorted` by their beginnings, which may overlap.
Values Values::of(const std::vector<Range>& sorted) {
  std::vector<Range> apart;
  for (const Range& r : sorted)
    if (!apart.empty() && (apart.back().last == ~std::uint32_t{0} || r.first <= apart.back().last + 1))
      apart.back().last = std::max(apart.back().last, r.last);
    else
      apart.push_back(r);
  while (apart.size() > most) {
    std::size_t narrowest = 1;
    const auto gap = [&](std::size_t i) { return apart[i].first - apart[i - 1].last; };
    for (std::size_t i = 2; i < apart.size(); ++i)
      if (gap(i) < gap(narrowest)) narrowest = i;
    apart[narrowest - 1].last = apart[narrowest].last;
    apart.erase(apart.begin() + static_cast<std::ptrdiff_t>(narrowest));
  }
  Values set;
  set.ranges_.clear();
  for (const Range& r : apart) set.ranges_.push_back(r);
  return set;
}

bool Values::contains(const Values& other) const {
  return std::ranges::all_of(other.ranges_, [&](const Range& inner) {
    return std::ranges::any_of(
        ranges_, [&](const Range& outer) { return outer.first <= inner.first && inner.last <= outer.last; });
  });
}

Values Values::complement() const {
  std::vector<Range> gaps;
  std::uint64_t next = 0;
  for (const Range& r : ranges_) {
    if (r.first > next) gaps.push_back({static_cast<std::uint32_t>(next), r.first - 1});
    next = std::uint64_t{r.last} + 1;
  }
  if (next <= ~std::uint32_t{0}) gaps.push_back({static_cast<std::uint32_t>(next), ~std::uint32_t{0}});
  return of(gaps);
}

Values Values::both(const Values& other) const {
  std::vector<Range> common;
  for (const Range& a : ranges_)
    for (const Range& b : other.ranges_)
      if (const Range r{std::max(a.first, b.first), std::min(a.last, b.last)}; r.first <= r.last)
        common.push_back(r);
  return of(common);
}

Values Values::either(const Values& other) const {
  std::vector<Range> together(ranges_.begin(), ranges_.end());
  together.insert(together.end(), other.ranges_.begin(), other.ranges_.end());
  std::ranges::sort(together, {}, &Range::first);
  return of(together);
}

Values Values::plus(std::uint32_t n) const {
  std::vector<Range> moved;
  for (const Range& r : ranges_) {
    const Range at{r.first + n, r.last + n};
    if (at.first <= at.last) {
      moved.push_back(at);
    } else {
      moved.push_back({0, at.last});
      moved.push_back({at.first, ~std::uint32_t{0}});
    }
  }
  std::ranges::sort(moved, {}, &Range::first);
  return of(moved);
}

} // namespace cts::audit
