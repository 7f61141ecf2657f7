#include "common/error.hpp"
#include "runners/gate/gate.hpp"
#include "runners/gate/tests.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace cts::gate {
namespace {

using manifest::Difference;
using report::ClaimReport;
using report::Report;
using report::TargetReport;
using report::Verdict;
using statistics::Summary;

Verdict verdict_of(const TargetReport* on) {
  return on == nullptr ? Verdict::not_executed : on->judgement.verdict;
}

std::string verdict_text(const TargetReport* on) {
  if (on == nullptr) return absent;
  const std::string verdict(name(on->judgement.verdict));
  return on->judgement.reason.empty() ? verdict : verdict + ": " + on->judgement.reason;
}

bool is_bad(Verdict verdict) { return verdict == Verdict::violated || verdict == Verdict::flaky; }

/// The class of two different verdicts; an absent claim is one that was not executed.
Difference verdict_difference(Verdict baseline, Verdict candidate) {
  if (is_bad(baseline) && is_bad(candidate)) return Difference::changed;
  if (is_bad(candidate)) return Difference::regression;
  if (candidate == Verdict::not_executed) return Difference::missing;
  if (baseline == Verdict::not_executed) return Difference::added;
  return is_bad(baseline) ? Difference::fix : Difference::changed;
}

/// "GPU tested (compiler holds, gpu holds)": which kinds of evidence there are, and what each says.
std::string evidence_text(const TargetReport& on) {
  std::vector<std::string> parts;
  for (const report::Column column : report::all_columns)
    if (const Verdict v = on.evidence[static_cast<std::size_t>(column)].verdict; v != Verdict::not_executed)
      parts.push_back(fmt::format("{} {}", name(column), name(v)));
  return parts.empty() ? on.validation : fmt::format("{} ({})", on.validation, fmt::join(parts, ", "));
}

/// Repeated measurements as one: the middle median, and an interval that holds all of theirs.
Summary joined(std::vector<Summary> all) {
  std::ranges::sort(all, {}, &Summary::median);
  return {all[all.size() / 2].median, std::ranges::min(all, {}, &Summary::low).low,
          std::ranges::max(all, {}, &Summary::high).high};
}

std::string time_text(const Summary& time) {
  return fmt::format("{:.4g} us ({:.4g} to {:.4g})", time.median, time.low, time.high);
}

Difference time_difference(statistics::Change change) {
  switch (change) {
  case statistics::Change::same: return Difference::same;
  case statistics::Change::faster: return Difference::faster;
  case statistics::Change::slower: return Difference::slower;
  case statistics::Change::ambiguous: break;
  }
  return Difference::ambiguous;
}

/// Collects the changes of one claim on one target.
class Comparer {
public:
  Comparer(std::string claim, std::string target, double time_threshold, Comparison& comparison)
      : claim_(std::move(claim)), target_(std::move(target)), time_threshold_(time_threshold),
        comparison_(comparison) {}

  void compare(const TargetReport* baseline, const TargetReport* candidate) {
    const Verdict before = verdict_of(baseline), after = verdict_of(candidate);
    if (before != after)
      add(verdict_difference(before, after), "verdict", verdict_text(baseline), verdict_text(candidate));
    if (baseline == nullptr || candidate == nullptr) return;
    Tests tests_before, tests_after;
    add_tests(*baseline, tests_before);
    add_tests(*candidate, tests_after);
    compare_facts(tests_before, tests_after);
    for (const auto& [test, old] : tests_before)
      if (const auto now = tests_after.find(test); now != tests_after.end())
        compare_times(test, old.times, now->second.times);
    if (before != after) return; // what is below follows from the verdict; what a compiler did explains it
    differs("evidence", evidence_text(*baseline), evidence_text(*candidate));
    compare_tests(tests_before, tests_after);
    compare_faults(baseline->faults, candidate->faults);
  }

private:
  void add(Difference kind, const std::string& what, const std::string& before, const std::string& after) {
    comparison_.changes.push_back({kind, claim_, target_, what, before, after, ""});
  }
  void differs(const std::string& what, const std::string& before, const std::string& after) {
    if (before != after) add(Difference::changed, what, before, after);
  }

  void compare_tests(const Tests& before, const Tests& after) {
    for (const auto& [test, summary] : before) {
      const auto found = after.find(test);
      const TestSummary* now = found == after.end() ? nullptr : &found->second;
      compare_outcome(test, outcome_of(&summary), outcome_of(now));
      if (now != nullptr) compare_values(test, summary, *now);
    }
    for (const auto& [test, summary] : after)
      if (!before.contains(test)) compare_outcome(test, absent, outcome_of(&summary));
  }

  /// Below an unchanged verdict: a test that no longer judges, or judges otherwise. A test that is new is no
  /// difference.
  void compare_outcome(const std::string& test, const std::string& before, const std::string& after) {
    if (before == after) return;
    const bool judged = before == "passed" || before == "failed";
    if (after == "failed")
      add(Difference::regression, "test " + test, before, after);
    else if (after == "passed" && before == "failed")
      add(Difference::fix, "test " + test, before, after);
    else if (after != "passed" && judged)
      add(Difference::missing, "test " + test, before, after);
  }

  void compare_values(const std::string& test, const TestSummary& before, const TestSummary& after) {
    differs("observed by " + test, join(before.observed), join(after.observed));
    compare_named("metric", test, before.metrics, after.metrics);
  }

  /// Of tests that are on both sides: one that is absent has its own difference. Where a test ended otherwise
  /// it may have come to fewer answers, so only those on both sides are compared.
  void compare_facts(const Tests& before, const Tests& after) {
    for (const auto& [test, summary] : before)
      if (const auto now = after.find(test); now != after.end())
        compare_named("fact", test, summary.facts, now->second.facts,
                      outcome_of(&summary) != outcome_of(&now->second));
  }

  /// Sets of values by name, of one kind and test.
  void compare_named(std::string_view kind, const std::string& test,
                     const std::map<std::string, std::set<std::string>>& before,
                     const std::map<std::string, std::set<std::string>>& after, bool only_common = false) {
    std::set<std::string> names;
    for (const auto* values : {&before, &after})
      for (const auto& [name, ignored] : *values) names.insert(name);
    const auto text = [](const auto& values, const std::string& name) {
      const auto found = values.find(name);
      return found == values.end() ? absent : join(found->second);
    };
    for (const std::string& name : names)
      if (!only_common || (before.contains(name) && after.contains(name)))
        differs(fmt::format("{} {} of {}", kind, name, test), text(before, name), text(after, name));
  }

  /// Runs under planted faults are rare next to ordinary ones: only a fault that ran on both sides can
  /// differ.
  void compare_faults(const report::FaultRuns& before, const report::FaultRuns& after) {
    const auto state = [](const report::FaultRuns& runs, const std::string& fault) -> std::string {
      if (std::ranges::find(runs.detected, fault) != runs.detected.end()) return "detected";
      return std::ranges::find(runs.undetected, fault) != runs.undetected.end() ? "undetected" : "";
    };
    for (const std::string& fault : before.names)
      if (!state(before, fault).empty() && !state(after, fault).empty())
        differs("planted fault " + fault, state(before, fault), state(after, fault));
  }

  /// Only a GPU's times, and only those of GPUs of one name.
  void compare_times(const std::string& test, const Times& before, const Times& after) {
    if (before.by_what.empty()) return;
    if (!after.devices.empty() && before.devices != after.devices) {
      note(fmt::format("times of different devices are not compared: {} and {}", join(before.devices),
                       join(after.devices)));
      return;
    }
    for (const auto& [what, times] : before.by_what) {
      const std::string title = fmt::format("time {} of {}", what, test);
      const Summary old = joined(times);
      const auto found = after.by_what.find(what);
      if (found == after.by_what.end()) {
        add(Difference::missing, title, time_text(old), absent);
        continue;
      }
      const Summary now = joined(found->second);
      add(time_difference(statistics::compare(old, now, time_threshold_)), title, time_text(old),
          fmt::format("{}, {:.3f} to {:.3f} of the baseline's", time_text(now), now.low / old.high,
                      now.high / old.low));
    }
  }

  void note(std::string text) {
    if (std::ranges::find(comparison_.notes, text) == comparison_.notes.end())
      comparison_.notes.push_back(std::move(text));
  }

  std::string claim_, target_;
  double time_threshold_;
  Comparison& comparison_;
};

using Targets = std::map<std::pair<std::string, std::string>, const TargetReport*>;

Targets targets_of(const Report& report) {
  Targets targets;
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets) targets[{claim.id, on.target}] = &on;
  return targets;
}

/// The targets that a run was about: those with a record of at least one test.
std::set<std::string> targets_run(const Report& report) {
  std::set<std::string> names;
  for (const auto& [key, on] : targets_of(report))
    if (!on->tests.empty()) names.insert(key.second);
  return names;
}

/// The targets that only one of the two runs was about. A run without a record is about all: everything is
/// missing from it.
std::set<std::string> targets_of_one(const std::set<std::string>& before,
                                     const std::set<std::string>& after) {
  std::set<std::string> one;
  if (!before.empty() && !after.empty())
    std::ranges::set_symmetric_difference(before, after, std::inserter(one, one.end()));
  return one;
}

void refuse_other_manifests(const Report& baseline, const Report& candidate) {
  if (baseline.manifests != candidate.manifests)
    throw Error("the reports were made with different manifests ({:.12} and {:.12}): make the baseline "
                "again, or give --allow-different-manifests",
                baseline.manifests, candidate.manifests);
}

void refuse_other_targets(const std::set<std::string>& before, const std::set<std::string>& after,
                          bool allowed) {
  if (before.empty() && after.empty())
    throw Error("neither report has a result of any test: there is nothing to compare");
  const std::set<std::string> one = targets_of_one(before, after);
  if (one.empty()) return;
  const bool shared = std::ranges::any_of(before, [&](const std::string& t) { return after.contains(t); });
  if (!shared || !allowed)
    throw Error("the runs are about different targets: the baseline's about {}, the candidate's about {}{}",
                join(before), join(after),
                shared ? "; give --allow-different-targets to compare what both ran" : "");
}

std::string field_text(const nlohmann::ordered_json& environment, const std::string& key) {
  if (!environment.contains(key)) return absent;
  return environment.at(key).is_string() ? environment.at(key).get<std::string>()
                                         : environment.at(key).dump();
}

} // namespace

Comparison compare(const Report& baseline, const Report& candidate, const Terms& terms) {
  if (!terms.different_manifests) refuse_other_manifests(baseline, candidate);
  const std::set<std::string> ran_before = targets_run(baseline), ran_after = targets_run(candidate);
  refuse_other_targets(ran_before, ran_after, terms.different_targets);

  Comparison comparison;
  if (baseline.manifests != candidate.manifests)
    comparison.notes.push_back(fmt::format("made with different manifests: {:.12} and {:.12}",
                                           baseline.manifests, candidate.manifests));
  const std::set<std::string> left_out = targets_of_one(ran_before, ran_after);
  for (const std::string& target : left_out)
    comparison.notes.push_back(fmt::format("{} is not compared: only the {} ran it", target,
                                           ran_before.contains(target) ? "baseline" : "candidate"));
  const Targets before = targets_of(baseline), after = targets_of(candidate);
  const auto compare_one = [&](const std::string& claim, const std::string& target) {
    if (left_out.contains(target)) return;
    const auto old = before.find({claim, target}), now = after.find({claim, target});
    Comparer(claim, target, terms.time_threshold, comparison)
        .compare(old == before.end() ? nullptr : old->second, now == after.end() ? nullptr : now->second);
  };
  for (const ClaimReport& claim : candidate.claims)
    for (const TargetReport& on : claim.targets) compare_one(claim.id, on.target);
  for (const ClaimReport& claim : baseline.claims)
    for (const TargetReport& on : claim.targets)
      if (!after.contains({claim.id, on.target})) compare_one(claim.id, on.target);

  std::set<std::string> fields;
  for (const Report* report : {&baseline, &candidate})
    for (const auto& [key, ignored] : report->environment.items()) fields.insert(key);
  for (const std::string& key : fields) {
    const std::string old = field_text(baseline.environment, key),
                      now = field_text(candidate.environment, key);
    if (old != now) comparison.environment[key] = {old, now};
  }
  return comparison;
}

} // namespace cts::gate
