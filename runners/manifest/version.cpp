// Version ranges of waivers.
#include "runners/manifest/manifests.hpp"

#include "common/error.hpp"

#include <charconv>
#include <compare>
#include <sstream>

namespace cts::manifest {
namespace {

/// The dotted numbers at the start of `text`, trailing zeros left out so that 22 equals 22.0. Empty when
/// there are none.
std::vector<unsigned> numbers(std::string_view text, std::string_view& rest) {
  std::vector<unsigned> parts;
  rest = text;
  for (unsigned part = 0;;) {
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), part);
    if (failure != std::errc()) break;
    parts.push_back(part);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with('.')) break;
    rest.remove_prefix(1);
  }
  if (parts.empty()) throw Error("'{}' is no version, expected numbers separated by dots", text);
  while (!parts.empty() && parts.back() == 0) parts.pop_back();
  return parts;
}

bool holds(std::strong_ordering order, std::string_view comparison) {
  if (comparison == "<") return order < 0;
  if (comparison == "<=") return order <= 0;
  if (comparison == "==") return order == 0;
  if (comparison == ">=") return order >= 0;
  if (comparison == ">") return order > 0;
  throw Error("'{}' is no comparison, expected one of < <= == >= >", comparison);
}

} // namespace

bool version_in_range(std::string_view version, std::string_view range) {
  std::string_view rest;
  const std::vector<unsigned> have = numbers(version, rest);
  std::istringstream terms{std::string(range)};
  bool inside = true, any = false;
  for (std::string term; terms >> term; any = true) {
    const std::size_t digits = std::min(term.find_first_of("0123456789"), term.size());
    const std::vector<unsigned> bound = numbers(std::string_view(term).substr(digits), rest);
    if (!rest.empty()) throw Error("'{}' is no version range, expected for example '>=22 <23'", range);
    inside &= holds(have <=> bound, std::string_view(term).substr(0, digits));
  }
  if (!any) throw Error("a version range is empty, expected for example '>=22 <23'");
  return inside;
}

} // namespace cts::manifest
