// The word that somebody most likely meant.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cts {

/// Number of insertions, deletions and replacements of one character, and of swaps of two neighbours, that
/// turn `a` into `b`, upper and lower case alike. (No character is edited twice: optimal string alignment.)
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> two_above(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

/// The first of `words` with the smallest edit distance to `word`, where a word that `word` begins is at
/// distance 1 ("lane" means lane_ownership). Empty when none is near: more than a third of `word` would be
/// another one, and naming it would mislead.
template <typename Words> std::string nearest(std::string_view word, const Words& words) {
  std::string best;
  std::size_t smallest = (word.size() + 2) / 3 + 1;
  for (const auto& candidate : words) {
    const bool begun = word.size() > 1 && std::string_view(candidate).starts_with(word);
    if (const std::size_t distance = begun ? 1 : edit_distance(word, candidate); distance < smallest) {
      smallest = distance;
      best = candidate;
    }
  }
  return best;
}

/// The end of an error about an unknown `word`: ", did you mean 'lane_ownership'?", or empty when none of
/// `words` is near.
template <typename Words> std::string did_you_mean(std::string_view word, const Words& words) {
  const std::string meant = nearest(word, words);
  return meant.empty() ? "" : ", did you mean '" + meant + "'?";
}

} // namespace cts
