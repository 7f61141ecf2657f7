// Counts of a report, a target at a time: what the summaries of every format say.
#pragma once

#include "runners/report/report.hpp"

#include <cstddef>

namespace cts::report {

struct TargetSummary {
  std::string target;
  std::size_t claims = 0;
  std::map<Verdict, std::size_t> verdicts;               ///< claims by verdict
  std::map<std::string, std::size_t> validations;        ///< claims by strongest evidence
  std::array<std::size_t, all_columns.size()> settled{}; ///< claims that hold or are observed in a column
  std::map<Outcome, std::size_t> tests; ///< results by outcome, a test and optimisation level counted once
  FaultRuns faults;                     ///< by name; detected when every claim that a fault names saw it

  std::size_t count(Verdict verdict) const;
};

/// One for each target of the report, gfx942 first.
std::vector<TargetSummary> summaries(const Report& report);

nlohmann::ordered_json to_json(const TargetSummary& summary);

/// One line: "gfx950: 40 hold, 0 violated, …; evidence: …; planted faults: …".
std::string one_line(const TargetSummary& summary);

} // namespace cts::report
