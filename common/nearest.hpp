// The word that somebody most likely meant.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace cts {

/// Number of insertions, deletions and replacements of one character that turn `a` into `b`.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// The first of `words` with the smallest edit distance to `word`, where a word that `word` begins is at
/// distance 1 ("lane" means lane_ownership). Empty when there are no words.
template <typename Words> std::string nearest(std::string_view word, const Words& words) {
  std::string best;
  std::size_t smallest = static_cast<std::size_t>(-1);
  for (const auto& candidate : words) {
    const bool begun = std::string_view(candidate).starts_with(word);
    if (const std::size_t distance = begun ? 1 : edit_distance(word, candidate); distance < smallest) {
      smallest = distance;
      best = candidate;
    }
  }
  return best;
}

} // namespace cts
