#include "runners/report/report.hpp"

#include "common/error.hpp"
#include "runners/report/waivers.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace cts::report {
namespace {

using Records = std::vector<const Record*>;

constexpr std::string_view no_record = "no record";

std::string origin(const Record& record, const char* key) {
  const auto found = record.origin.find(key);
  return found == record.origin.end() ? "" : found->second;
}

/// A test's name with the optimisation level it ran at: the same test at -O1 and -O3 is two results.
std::string full_name(const Record& record) {
  const std::string opt = origin(record, "opt");
  return fmt::format("{}.{}{}", record.suite, record.test, opt.empty() ? "" : " (" + opt + ")");
}

std::string with_detail(const std::string& text, const std::string& detail) {
  return detail.empty() ? text : text + ": " + detail.substr(0, detail.find('\n'));
}

/// What has to be equal before two different outcomes of a test are called flaky: on another device or with
/// another compiler a failure is that device's or that compiler's.
auto circumstances(const Record& record) {
  return std::tuple(full_name(record), record.runner, record.origin);
}

/// The records by their circumstances.
auto by_circumstances(const Records& records) {
  std::map<decltype(circumstances(Record{})), Records> groups;
  for (const Record* r : records) groups[circumstances(*r)].push_back(r);
  return groups;
}

/// The first record of `outcome`, or none.
const Record* first(const Records& records, Outcome outcome) {
  const auto found = std::ranges::find(records, outcome, &Record::outcome);
  return found == records.end() ? nullptr : *found;
}

std::size_t count(const Records& records, Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(records, outcome, &Record::outcome));
}

/// Of records of which one failed: violated by a test that failed each time, else flaky.
Judgement judge_failures(const Records& records) {
  std::optional<Judgement> flaky;
  for (const auto& [ignored, runs] : by_circumstances(records)) {
    const Record* failed = first(runs, Outcome::failed);
    if (failed == nullptr) continue;
    if (first(runs, Outcome::passed) == nullptr)
      return {Verdict::violated, with_detail(fmt::format("{} failed", full_name(*failed)), failed->detail)};
    if (!flaky)
      flaky = {Verdict::flaky, with_detail(fmt::format("{} failed in {} of {} runs", full_name(*failed),
                                                       count(runs, Outcome::failed), runs.size()),
                                           failed->detail)};
  }
  return *flaky;
}

/// What some records say together: one failure decides, then one error; a pass needs neither. Where nothing
/// but open behaviour was recorded, nothing was confirmed either.
Judgement judge(const Records& records) {
  if (first(records, Outcome::failed) != nullptr) return judge_failures(records);
  if (const Record* error = first(records, Outcome::error))
    return {Verdict::not_executed, with_detail(fmt::format("error in {}", full_name(*error)), error->detail)};
  if (first(records, Outcome::passed) != nullptr) {
    const bool confirmed = std::ranges::any_of(
        records, [](const Record* r) { return r->outcome == Outcome::passed && !r->observed; });
    return {confirmed ? Verdict::holds : Verdict::observed, ""};
  }
  if (const Record* skipped = first(records, Outcome::skipped))
    return {Verdict::not_executed, with_detail("skipped", skipped->detail)};
  return {Verdict::not_executed, std::string(no_record)};
}

template <typename Keep> Records chosen(const Records& records, Keep keep) {
  Records kept;
  std::ranges::copy_if(records, std::back_inserter(kept), [&](const Record* r) { return keep(*r); });
  return kept;
}

bool is_gpu(const Record& record) { return column_of(record) == Column::gpu; }

Judgement judge_check(const manifest::Claim& claim, Check check, const Records& records) {
  if (check == Check::source) return {Verdict::not_executed, "a fact about a source; recorded, not executed"};
  const Records own = chosen(records, [&](const Record& r) { return r.check == check; });
  if (check != Check::time && !(check == Check::run && claim.needs == "gpu")) return judge(own);
  Judgement judgement = judge(chosen(own, is_gpu));
  if (judgement.reason != no_record) return judgement;
  return {Verdict::not_executed, check == Check::time ? "Unmeasured, needs a GPU" : "needs a GPU"};
}

bool is_settled(Verdict verdict) { return verdict == Verdict::holds || verdict == Verdict::observed; }

/// Why the checks `needed` do not settle a claim: those without any record in one list, then each other
/// reason once.
std::string reason_of(const std::vector<std::pair<Check, Judgement>>& needed) {
  std::vector<std::string_view> without_record;
  std::vector<std::string> reasons;
  for (const auto& [check, judgement] : needed) {
    if (is_settled(judgement.verdict)) continue;
    const bool names_itself =
        judgement.reason.starts_with("skipped") || judgement.reason.starts_with("error in");
    const std::string reason =
        names_itself ? judgement.reason : fmt::format("{}: {}", name(check), judgement.reason);
    if (judgement.reason == no_record)
      without_record.push_back(name(check));
    else if (std::ranges::find(reasons, reason) == reasons.end())
      reasons.push_back(reason);
  }
  if (!without_record.empty())
    reasons.insert(reasons.begin(), fmt::format("no record for: {}", fmt::join(without_record, ", ")));
  return fmt::format("{}", fmt::join(reasons, "; "));
}

/// The claim's verdict from all its records and from the verdicts of its checks.
Judgement judge_claim(const Records& records, const std::vector<std::pair<Check, Judgement>>& checks,
                      bool unmeasured) {
  Judgement all = judge(records);
  const bool broken = all.verdict == Verdict::violated || all.verdict == Verdict::flaky ||
                      first(records, Outcome::error) != nullptr;
  if (broken) return all;
  // A fact about a source decides only where nothing else is listed, a time also where the document says
  // itself that nobody measured.
  std::vector<std::pair<Check, Judgement>> needed;
  for (const auto& entry : checks)
    if (entry.first != Check::source && (entry.first != Check::time || unmeasured)) needed.push_back(entry);
  if (needed.empty()) needed = checks;
  if (!std::ranges::all_of(needed, [](const auto& entry) { return is_settled(entry.second.verdict); }))
    return {Verdict::not_executed, reason_of(needed)};
  const bool observed = std::ranges::any_of(
      needed, [](const auto& entry) { return entry.second.verdict == Verdict::observed; });
  return {observed ? Verdict::observed : Verdict::holds, ""};
}

std::string validation_of(const manifest::Claim& claim, const Records& records) {
  std::optional<Column> strongest;
  for (const Record* r : records)
    if (r->outcome == Outcome::passed) strongest = std::max(strongest.value_or(Column::host), column_of(*r));
  if (strongest == Column::gpu) return "GPU tested";
  if (strongest == Column::model) return "Model executed";
  if (strongest == Column::compiler) return "Compiler checked";
  if (strongest == Column::host) return "CPU checked";
  const auto label = claim.label.find("validation");
  return label != claim.label.end() && label->second == "Source inspected" ? "Source inspected"
                                                                           : "Not executed";
}

std::string qualifier_of(const manifest::Claim& claim, const Records& records) {
  const auto label = claim.label.find("qualifier");
  if (label == claim.label.end()) return "";
  const bool measured = std::ranges::any_of(records, [](const Record* r) {
    return r->check == Check::time && r->outcome == Outcome::passed && is_gpu(*r);
  });
  return label->second == "Unmeasured" && measured ? "" : label->second;
}

bool names(const manifest::Fault& fault, const std::string& claim, Target target) {
  return std::ranges::find(fault.claims, claim) != fault.claims.end() &&
         std::ranges::find(fault.targets, target) != fault.targets.end();
}

FaultRuns fault_runs(const manifest::Manifests& manifests, const std::string& claim, Target target,
                     const Records& under_faults) {
  FaultRuns runs;
  for (const manifest::Fault& fault : manifests.faults) {
    if (!names(fault, claim, target)) continue;
    runs.names.push_back(fault.name);
    const Records own = chosen(under_faults, [&](const Record& r) { return r.fault == fault.name; });
    if (first(own, Outcome::failed) != nullptr)
      runs.detected.push_back(fault.name);
    else if (!own.empty())
      runs.undetected.push_back(fault.name);
    else
      runs.not_run.push_back(fault.name);
  }
  return runs;
}

/// A time that a model reports is no measurement: it is shown and decides nothing.
bool counts(const Record& record) { return record.check != Check::time || is_gpu(record); }

/// The records, those of the same kind once: a run that was repeated a thousand times is no thousand lines.
std::vector<TestRecord> tests_of(const Records& records) {
  const auto kind = [](const Record& r) {
    return std::tuple(circumstances(r), r.check, r.outcome, r.observed, r.observed ? r.detail : "", r.metrics,
                      r.facts);
  };
  std::map<decltype(kind(Record{})), std::size_t> place;
  std::vector<TestRecord> tests;
  for (const Record* r : records) {
    const auto [found, added] = place.try_emplace(kind(*r), tests.size());
    if (added)
      tests.push_back({*r});
    else
      ++tests[found->second].runs;
  }
  return tests;
}

TargetReport report_on(const manifest::Manifests& manifests, const manifest::Claim& claim, Target target,
                       const Records& records, const nlohmann::ordered_json& environment) {
  const Records real = chosen(records, [](const Record& r) { return r.fault.empty(); });
  const Records counted = chosen(real, counts);
  TargetReport report;
  report.target = name(target);
  report.validation = validation_of(claim, counted);
  report.qualifier = qualifier_of(claim, counted);
  for (const Check check : claim.checks)
    report.checks.emplace_back(check, judge_check(claim, check, counted));
  report.judgement = judge_claim(counted, report.checks, report.qualifier == "Unmeasured");
  for (const Column column : all_columns)
    report.evidence[static_cast<std::size_t>(column)] =
        judge(chosen(counted, [&](const Record& r) { return column_of(r) == column; }));
  report.tests = tests_of(real);
  report.faults = fault_runs(manifests, claim.id, target,
                             chosen(records, [](const Record& r) { return !r.fault.empty(); }));
  if (!is_settled(report.judgement.verdict))
    for (const manifest::Waiver* w : waivers_of(report.tests, environment, manifests.waivers))
      report.waivers.push_back({w->id, w->reason, w->url, w->owner, w->expires});
  return report;
}

/// Tests that fail under no planted fault have an empty list: nobody has seen that they can fail.
std::vector<SeenFaults> seen_faults(const std::vector<Record>& records) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> seen;
  const auto key = [](const Record& r) { return std::pair(r.target, fmt::format("{}.{}", r.suite, r.test)); };
  for (const Record& r : records)
    if (r.fault.empty() && r.check == Check::run && r.outcome == Outcome::passed &&
        column_of(r) == Column::model)
      seen[key(r)];
  for (const Record& r : records)
    if (const auto found = seen.find(key(r));
        found != seen.end() && !r.fault.empty() && r.outcome == Outcome::failed)
      found->second.insert(r.fault);
  std::vector<SeenFaults> result;
  result.reserve(seen.size());
  for (const auto& [test, faults] : seen)
    result.push_back({test.first, test.second, {faults.begin(), faults.end()}});
  return result;
}

/// The first few of the seeds of the records with `outcome`, each once.
std::vector<std::uint64_t> seeds(const Records& records, Outcome outcome) {
  std::set<std::uint64_t> found;
  for (const Record* r : records)
    if (r->outcome == outcome) found.insert(r->seed);
  std::vector<std::uint64_t> kept(found.begin(), found.end());
  if (kept.size() > flaky_seeds) kept.resize(flaky_seeds);
  return kept;
}

/// Every flaky test of the evidence. A test's records for its further claims are the same runs again.
std::vector<FlakyTest> flaky_tests(const std::vector<Record>& records) {
  std::map<std::tuple<std::string, std::string, std::string>, Records> by_test; // target, test, claim
  for (const Record& r : records)
    if (r.fault.empty() && counts(r)) by_test[{r.target, full_name(r), r.claim}].push_back(&r);
  std::vector<FlakyTest> flaky;
  std::set<std::tuple<std::string, std::string, Runner, std::map<std::string, std::string>>> known;
  for (const auto& [key, runs] : by_test)
    for (const auto& [ignored, same] : by_circumstances(runs)) {
      if (first(same, Outcome::passed) == nullptr || first(same, Outcome::failed) == nullptr) continue;
      const auto& [target, test, claim] = key;
      const Record& one = *same.front();
      if (!known.emplace(target, test, one.runner, one.origin).second) continue;
      FlakyTest found{target, test, origin(one, "device"), column_of(one), {}, {}, {}};
      for (const Record* r : same) ++found.outcomes[r->outcome];
      found.failed_seeds = seeds(same, Outcome::failed);
      found.passed_seeds = seeds(same, Outcome::passed);
      flaky.push_back(std::move(found));
    }
  return flaky;
}

/// Why a record cannot be what it says it is; empty when nothing is wrong with it.
std::string problem_of(const manifest::Manifests& manifests, const Record& record) {
  const manifest::Claim* claim = manifest::find_claim(manifests, record.claim);
  if (claim == nullptr) return "no manifest has this claim";
  if (std::ranges::find(claim->targets, *parse_target(record.target)) == claim->targets.end())
    return "the claim does not list this target";
  if (!record.fault.empty() &&
      std::ranges::find(manifests.faults, record.fault, &manifest::Fault::name) == manifests.faults.end())
    return fmt::format("no manifest has the planted fault '{}'", record.fault);
  if (record.runner == Runner::gpu && record.outcome == Outcome::passed &&
      origin(record, "emulates").empty() && column_of(record) != Column::gpu)
    return "the runner is gpu and no device of this target is named: taken as a model's";
  if (!counts(record) && record.outcome == Outcome::passed)
    return "a time that no GPU measured: it decides nothing";
  return "";
}

} // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
  case Verdict::holds: return "holds";
  case Verdict::violated: return "violated";
  case Verdict::flaky: return "flaky";
  case Verdict::observed: return "observed";
  case Verdict::not_executed: return "not executed";
  }
  throw Error("report: a verdict outside its enumeration");
}

std::string_view name(Column column) {
  switch (column) {
  case Column::host: return "host";
  case Column::compiler: return "compiler";
  case Column::model: return "model";
  case Column::gpu: return "gpu";
  }
  throw Error("report: a column outside its enumeration");
}

std::optional<Verdict> parse_verdict(std::string_view text) {
  for (const Verdict v : all_verdicts)
    if (name(v) == text) return v;
  return std::nullopt;
}

Column column_of(const Record& record) {
  switch (record.runner) {
  case Runner::host: return Column::host;
  case Runner::compiler: return Column::compiler;
  case Runner::emulator: return Column::model;
  case Runner::gpu: break;
  }
  const std::string device = origin(record, "device"), arch = origin(record, "gcn_arch");
  const bool named =
      device.find_first_not_of(' ') != device.npos && (arch.empty() || arch.starts_with(record.target));
  return named && origin(record, "emulates").empty() ? Column::gpu : Column::model;
}

Report build_report(const manifest::Manifests& manifests, const Evidence& evidence,
                    const nlohmann::ordered_json& environment) {
  Report report;
  report.manifests = manifests.hash;
  report.environment = environment;
  report.problems = evidence.problems;

  std::map<std::pair<std::string, std::string>, Records> by_claim;
  for (const std::vector<Record>* source : {&evidence.records, &evidence.unfinished})
    for (const Record& record : *source) {
      if (const std::string problem = problem_of(manifests, record); !problem.empty())
        report.problems.push_back(
            fmt::format("{} {} {}: {}", record.claim, record.target, full_name(record), problem));
      by_claim[{record.claim, record.target}].push_back(&record);
    }
  const auto order = [](const Record* r) {
    return std::tuple(r->suite, r->test, r->check, r->runner, r->origin, r->outcome, r->detail);
  };
  for (auto& [key, records] : by_claim)
    std::ranges::stable_sort(records, [&](const Record* a, const Record* b) { return order(a) < order(b); });

  report.seen_faults = seen_faults(evidence.records);
  report.flaky = flaky_tests(evidence.records);
  for (const manifest::Document& document : manifests.documents)
    report.documents.emplace_back(document.name, document.title);
  for (const manifest::Claim& claim : manifests.claims) {
    ClaimReport on_claim{claim.id,      claim.document, claim.section, claim.suite,
                         claim.text,    claim.label,    claim.checks,  {},
                         claim.untested};
    for (const Target target : all_targets)
      if (std::ranges::find(claim.targets, target) != claim.targets.end())
        on_claim.targets.push_back(report_on(
            manifests, claim, target, by_claim[{claim.id, std::string(cts::name(target))}], environment));
    report.claims.push_back(std::move(on_claim));
  }
  return report;
}

bool has_findings(const Report& report) {
  const auto calls_for_action = [](const TargetReport& on) {
    return on.judgement.verdict == Verdict::violated || on.judgement.verdict == Verdict::flaky ||
           std::ranges::any_of(on.tests, [](const Record& r) { return r.outcome == Outcome::error; });
  };
  return !report.problems.empty() || std::ranges::any_of(report.claims, [&](const ClaimReport& claim) {
    return std::ranges::any_of(claim.targets, calls_for_action);
  });
}

} // namespace cts::report
