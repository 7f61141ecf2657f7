// Where implementations of the same conversion or product differ by choice: each difference has a name.
//
// A rule explains a result of another implementation only when it is exactly what that choice gives for that
// input; docs/formats.md lists the rules with who chose what and why this project follows whom.
#pragma once

#include "reference/formats.hpp"

#include <span>
#include <string_view>

namespace cts::reference {

/// A named difference.
enum class Rule {
  nan_payload,
  nan_without_code,
  zero_sign,
  saturation,
  overflow_before_rounding,
  e8m0_domain,
  e8m0_rounding,
  xf32_rounding
};

/// What a rule is called, and one line on it.
struct RuleText {
  Rule rule;
  std::string_view name;
  std::string_view text;
};

/// Every rule, in the order in which they are tried.
std::span<const RuleText> rules();

std::string_view name(Rule rule);

/// A conversion that somebody else did.
struct Conversion {
  Format format;
  Rounding rounding;
  Overflow overflow;
  double value;         ///< what was converted
  std::uint64_t theirs; ///< the code that it became
};

/// Whether `rule` explains why a conversion gave `theirs`. Says nothing about codes that `encode` gives too.
/// `xf32_rounding` is about products and explains none.
bool explains(Rule rule, const Conversion& conversion);

} // namespace cts::reference
