// Two instructions and the wait states that the tables want between them.
#pragma once

#include "runners/audit/audit.hpp"
#include "runners/audit/effects.hpp"

namespace cts::audit {

/// A row of a table that two instructions fall under.
struct Need {
  std::string rule;
  int states = 0; ///< wait states between the two
  Severity severity = Severity::error;
  std::string source;
};

/// Fills Effects::first_rows and second_rows.
void find_rows(Effects& e, Target target);

/// The need of `second`, issued `have` wait states after `first`, that is not met. Of several rows the two
/// break the one that asks for most, an error before a warning; the same NOPs meet all of them. With
/// `rewritten`, what `first` wrote into scalars is no longer there.
std::optional<Need> need_beyond(unsigned have, const Effects& first, const Effects& second, Target target,
                                RuleSet rules, bool rewritten = false);

/// The rule id of a row of the table of matrix instructions: "xdl-write-to-matrix-ab",
/// "xdl-write-to-xdl-c-exact".
std::string matrix_rule(reference::First first, reference::Second second, reference::Overlap overlap);

/// The rule id of a row of Table 11: "valu-sgpr-vmem".
std::string software_rule(std::string_view row_id);

/// Where the manual of `target` has the table of matrix instructions, and Table 11.
std::string_view matrix_table(Target target);
std::string_view software_source(Target target, std::string_view row_id);

} // namespace cts::audit
