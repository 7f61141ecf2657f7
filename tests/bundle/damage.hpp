// Ways to damage a bundle's file, and where its members are in it.
#pragma once

#include "common/error.hpp"
#include "runners/bundle/bundle.hpp"

#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace cts::bundle::tests {

/// What a file holds where: its head, or a member.
struct Place {
  std::string what; ///< "head", or a member's name in quotes
  std::size_t begin, end;
};

/// Places of a whole file, in order.
inline std::vector<Place> places(const std::string& file) {
  std::size_t head = 0;
  for (std::size_t i = 0; i < 4; ++i) head |= std::size_t{static_cast<unsigned char>(file[4 + i])} << 8 * i;
  std::vector<Place> all{{"head", 0, 8 + head}};
  std::istringstream lines(file.substr(8, head));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string hash, name;
    std::size_t packed = 0, size = 0;
    if (!(words >> hash >> packed >> size >> name)) break; // the last line
    all.push_back({"'" + name + "'", all.back().end, all.back().end + packed});
  }
  return all;
}

inline const Place& place_of(const std::vector<Place>& all, std::size_t offset) {
  for (const Place& place : all)
    if (offset >= place.begin && offset < place.end) return place;
  throw Error("offset {} is in no place", offset);
}

/// What verify() says first: the first finding, or the line of its Error.
inline std::string first_word_on(const std::string& file) {
  try {
    const Verification verified = verify(file, "B");
    return verified.findings.empty() ? "" : verified.findings.front();
  } catch (const Error& e) {
    return e.what();
  }
}

} // namespace cts::bundle::tests
