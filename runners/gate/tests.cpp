#include "runners/gate/tests.hpp"

#include "common/error.hpp"

#include <fmt/ranges.h>

namespace cts::gate {
namespace {

void add_times(const Record& record, Times& times) {
  if (record.check != Check::time || report::column_of(record) != report::Column::gpu) return;
  if (record.outcome != Outcome::passed && record.outcome != Outcome::failed) return;
  times.devices.insert(record.origin.at("device"));
  constexpr std::string_view unit = "_us";
  for (const auto& [metric, median] : record.metrics) {
    if (!metric.ends_with(unit)) continue;
    const std::string what = metric.substr(0, metric.size() - unit.size());
    const auto low = record.metrics.find(what + "_low_us"), high = record.metrics.find(what + "_high_us");
    if (low == record.metrics.end() || high == record.metrics.end()) continue; // no time, or an end of one
    if (!(0 < low->second && low->second <= median && median <= high->second))
      throw Error("{} {} {}.{}: the time {} is {} us, between {} and {}: expected 0 < low <= median <= high",
                  record.claim, record.target, record.suite, record.test, what, median, low->second,
                  high->second);
    times.by_what[what].push_back({median, low->second, high->second});
  }
}

} // namespace

std::string join(const std::set<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

void add_tests(const report::TargetReport& on, Tests& tests) {
  for (const Record& r : on.tests) {
    const auto opt = r.origin.find("opt");
    TestSummary& test = tests[fmt::format(
        "{}.{}{} [{}{}]", r.suite, r.test, opt == r.origin.end() ? "" : " (" + opt->second + ")",
        name(r.check), r.check == Check::run && report::column_of(r) == report::Column::gpu ? ", gpu" : "")];
    test.outcomes.emplace(name(r.outcome));
    if (r.outcome != Outcome::passed) test.details.insert(r.detail);
    if (r.observed && r.outcome == Outcome::passed) test.observed.insert(r.detail);
    for (const auto& [fact, value] : r.facts) test.facts[fact].insert(value);
    add_times(r, test.times);
    if (r.check == Check::time) continue;
    for (const auto& [metric, value] : r.metrics) test.metrics[metric].insert(fmt::format("{}", value));
  }
}

std::string outcome_of(const TestSummary* test) {
  if (test == nullptr) return absent;
  for (const char* outcome : {"failed", "error", "passed"})
    if (test->outcomes.contains(outcome)) return outcome;
  return "skipped";
}

} // namespace cts::gate
