#include "runners/report/summary.hpp"

#include <fmt/format.h>
#include <set>
#include <tuple>

namespace cts::report {
namespace {

bool is_settled(Verdict verdict) { return verdict == Verdict::holds || verdict == Verdict::observed; }

/// A fault is detected when each claim that it names saw it, undetected when one ran and did not.
void add_faults(const Report& report, TargetSummary& summary) {
  std::set<std::string> planted, missed, not_run;
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets) {
      if (on.target != summary.target) continue;
      planted.insert(on.faults.names.begin(), on.faults.names.end());
      missed.insert(on.faults.undetected.begin(), on.faults.undetected.end());
      not_run.insert(on.faults.not_run.begin(), on.faults.not_run.end());
    }
  for (const std::string& fault : planted) {
    summary.faults.names.push_back(fault);
    if (missed.contains(fault))
      summary.faults.undetected.push_back(fault);
    else if (not_run.contains(fault))
      summary.faults.not_run.push_back(fault);
    else
      summary.faults.detected.push_back(fault);
  }
}

} // namespace

std::size_t TargetSummary::count(Verdict verdict) const {
  const auto found = verdicts.find(verdict);
  return found == verdicts.end() ? 0 : found->second;
}

std::vector<TargetSummary> summaries(const Report& report) {
  std::vector<TargetSummary> result;
  for (const Target target : all_targets) {
    TargetSummary summary;
    summary.target = name(target);
    // One test bears on several claims: it counts once.
    std::map<Outcome, std::set<std::tuple<std::string, std::string, std::string, Runner>>> tests;
    for (const ClaimReport& claim : report.claims)
      for (const TargetReport& on : claim.targets) {
        if (on.target != summary.target) continue;
        ++summary.claims;
        ++summary.verdicts[on.judgement.verdict];
        ++summary.validations[on.validation];
        for (std::size_t column = 0; column < on.evidence.size(); ++column)
          if (is_settled(on.evidence[column].verdict)) ++summary.settled[column];
        for (const Record& r : on.tests) {
          const auto opt = r.origin.find("opt");
          tests[r.outcome].emplace(r.suite, r.test, opt == r.origin.end() ? "" : opt->second, r.runner);
        }
      }
    if (summary.claims == 0) continue;
    for (const auto& [outcome, names] : tests) summary.tests[outcome] = names.size();
    add_faults(report, summary);
    result.push_back(std::move(summary));
  }
  return result;
}

nlohmann::ordered_json to_json(const TargetSummary& summary) {
  nlohmann::ordered_json json;
  json["claims"] = summary.claims;
  for (const Verdict v : all_verdicts) json["verdicts"][std::string(name(v))] = summary.count(v);
  json["validation"] = summary.validations;
  for (const Column column : all_columns)
    json["evidence"][std::string(name(column))] = summary.settled[static_cast<std::size_t>(column)];
  for (const Outcome outcome : {Outcome::passed, Outcome::failed, Outcome::skipped, Outcome::error}) {
    const auto found = summary.tests.find(outcome);
    json["tests"][std::string(name(outcome))] = found == summary.tests.end() ? 0 : found->second;
  }
  json["faults"] = {{"planted", summary.faults.names.size()},
                    {"detected", summary.faults.detected.size()},
                    {"undetected", summary.faults.undetected},
                    {"not_run", summary.faults.not_run}};
  return json;
}

std::string one_line(const TargetSummary& s) {
  return fmt::format(
      "{}: {} claims: {} hold, {} violated, {}{} observed, {} not executed. Claims with passing "
      "evidence by host "
      "{}, compiler {}, model {}, GPU {}. Planted faults: {} of {} detected{}.",
      s.target, s.claims, s.count(Verdict::holds), s.count(Verdict::violated),
      s.count(Verdict::flaky) == 0 ? "" : fmt::format("{} flaky, ", s.count(Verdict::flaky)),
      s.count(Verdict::observed), s.count(Verdict::not_executed), s.settled[0], s.settled[1], s.settled[2],
      s.settled[3], s.faults.detected.size(), s.faults.names.size(),
      s.faults.not_run.empty() ? "" : fmt::format(" ({} not run)", s.faults.not_run.size()));
}

} // namespace cts::report
