// What a report says of one test: all of its records of a claim on a target, or of several claims, as one.
#pragma once

#include "common/statistics.hpp"
#include "runners/report/report.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cts::gate {

/// Stands for a value that a report does not have.
inline const std::string absent = "absent";

/// "a, b".
std::string join(const std::set<std::string>& texts);

/// Times that GPUs of one name took, each as the metrics "<what>_us" (median), "<what>_low_us" and
/// "<what>_high_us" (its interval) of a record.
struct Times {
  std::set<std::string> devices;
  std::map<std::string, std::vector<statistics::Summary>> by_what; ///< one for each record
};

/// What all records of one test say.
struct TestSummary {
  std::set<std::string> outcomes;
  std::set<std::string> details;  ///< what failed, was wrong or was skipped
  std::set<std::string> observed; ///< details of observed behaviour
  Times times;
  std::map<std::string, std::set<std::string>>
      metrics; ///< values by name; times differ on every run and are left out
  std::map<std::string, std::set<std::string>> facts; ///< what a compiler answered, by what it was asked
};

using Tests = std::map<std::string, TestSummary>;

/// Adds the records of a claim on a target to `tests`, by "suite.Suite.Name (O3) [run, gpu]". A GPU's results
/// are tests of their own: a model's must not stand in for them. Throws Error for a time that is none.
void add_tests(const report::TargetReport& on, Tests& tests);

/// A test's result: one failure decides, a pass needs no error beside it. "absent" for none.
std::string outcome_of(const TestSummary* test);

} // namespace cts::gate
