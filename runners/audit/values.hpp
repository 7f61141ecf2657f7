// Which values a 32-bit register may have: a few ranges of unsigned numbers.
#pragma once

#include "runners/codeobject/short_list.hpp"

#include <cstdint>
#include <vector>

namespace cts::audit {

/// A set of 32-bit values, as sorted ranges that do not touch. More than `most` ranges become fewer by adding
/// the smallest gaps, so a set may hold more than it should, never less.
class Values {
public:
  static constexpr std::size_t most = 4;

  /// All values.
  Values() : Values(0, ~std::uint32_t{0}) {}
  /// `first` to `last`, both included; around the end when `first` is the larger one.
  Values(std::uint32_t first, std::uint32_t last);

  bool none() const { return ranges_.empty(); }
  bool contains(const Values& other) const;
  bool operator==(const Values&) const = default;

  Values complement() const;
  Values both(const Values& other) const;   ///< values in this and in `other`
  Values either(const Values& other) const; ///< values in this or in `other`
  Values plus(std::uint32_t n) const;       ///< each value plus n, modulo 2^32

private:
  struct Range {
    std::uint32_t first = 0, last = 0;
    bool operator==(const Range&) const = default;
  };
  using Ranges = codeobject::ShortList<Range, most>;
  Ranges ranges_;

  static Values of(const std::vector<Range>& sorted);
};

} // namespace cts::audit
