// The rules by id, for --explain and for the options that name one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cts::audit {

/// Ids of all rules, those of the tables too.
std::vector<std::string> rule_ids();

/// One paragraph about a rule with its source. Throws Error for an unknown id, naming the nearest.
std::string explain(std::string_view rule);

} // namespace cts::audit
