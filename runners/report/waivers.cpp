#include "runners/report/waivers.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace cts::report {
namespace {

using manifest::Waiver;
using Json = nlohmann::ordered_json;

/// Shell-like: * is any text, ? any character. Each * gives way only to the next one, so time is at most the
/// product of the lengths.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string origin(const Record& record, const char* key) {
  const auto found = record.origin.find(key);
  return found == record.origin.end() ? "" : found->second;
}

std::string field(const Json& environment, const char* key) {
  const auto found = environment.find(key);
  return found != environment.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Whether the version in `text` ("clang version 22.1.8 (…)") lies in `range`; a text without one lies in no
/// range.
bool version_matches(const std::string& text, const std::string& range) {
  if (range.empty()) return true;
  const auto digit = text.find_first_of("0123456789");
  if (digit == std::string::npos) return false;
  const auto end = text.find_first_not_of("0123456789.", digit);
  return manifest::version_in_range(std::string_view(text).substr(digit, end - digit), range);
}

std::string said(const std::string& text) { return text.empty() ? "none" : "'" + text + "'"; }

/// Why a result does not come from where the waiver is for; empty when it does. The device that a model
/// stands for is no device.
std::string elsewhere(const Waiver& waiver, const Record& record, const Json& environment) {
  const std::string device = column_of(record) == Column::gpu ? origin(record, "device") : "";
  if (!waiver.device.empty() && (device.empty() || !matches(waiver.device, device)))
    return fmt::format("for device '{}', here: {}", waiver.device, said(device));
  const std::string driver = field(environment, "driver");
  if (!version_matches(driver, waiver.driver))
    return fmt::format("for driver {}, here: {}", waiver.driver, said(driver));
  const std::string own = origin(record, "compiler");
  const std::string compiler = own.empty() ? field(environment, "device_compiler") : own;
  if (!version_matches(compiler, waiver.compiler))
    return fmt::format("for compiler {}, here: {}", waiver.compiler, said(compiler));
  return "";
}

bool concerns(const Waiver& waiver, const Record& record) {
  return waiver.target == parse_target(record.target) &&
         (waiver.claim.empty() ? matches(waiver.test, record.test) : waiver.claim == record.claim);
}

std::string subject(const Waiver& waiver) {
  return waiver.claim.empty() ? fmt::format("test '{}'", waiver.test) : waiver.claim;
}

using Records = std::vector<const Record*>;

Records records_on(const Report& report, Target target) {
  Records records;
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets)
      if (on.target == name(target))
        for (const Record& r : on.tests) records.push_back(&r);
  return records;
}

bool any(const Records& records, Outcome outcome) {
  return std::ranges::any_of(records, [&](const Record* r) { return r->outcome == outcome; });
}

/// What results of the waived subject, all from the right place, say. A waiver for a claim needs one bad
/// result among the claim's tests; one for tests needs one of each test that it names.
WaiverFinding judge_results(const Waiver& waiver, const Records& results) {
  std::map<std::string, Records> subjects;
  for (const Record* r : results)
    subjects[waiver.claim.empty() ? fmt::format("{}.{}", r->suite, r->test) : waiver.claim].push_back(r);
  std::string counts, skipped;
  for (const auto& [subject, records] : subjects) {
    if (any(records, waiver.expected))
      counts = subject;
    else if (any(records, Outcome::failed) || any(records, Outcome::error))
      return {&waiver, WaiverState::other_outcome,
              fmt::format("{}: expected {}, got {}", subject, name(waiver.expected),
                          any(records, Outcome::failed) ? "failed" : "error")};
    else if (any(records, Outcome::passed))
      return {&waiver, WaiverState::passes,
              fmt::format("{} passes, expected {}", subject, name(waiver.expected))};
    else
      skipped = subject;
  }
  if (counts.empty()) return {&waiver, WaiverState::not_applicable, skipped + " was skipped"};
  return {&waiver, WaiverState::counts,
          fmt::format("{} {}, until {}", counts, name(waiver.expected), waiver.expires)};
}

WaiverFinding judge(const Waiver& waiver, const Report& report, std::string_view today) {
  if (waiver.expires < today)
    return {&waiver, WaiverState::expired, fmt::format("its last day was {}", waiver.expires)};
  const Records on_target = records_on(report, waiver.target);
  if (on_target.empty())
    return {&waiver, WaiverState::not_applicable,
            fmt::format("this run has no test on {}", name(waiver.target))};
  Records named;
  std::ranges::copy_if(on_target, std::back_inserter(named),
                       [&](const Record* r) { return concerns(waiver, *r); });
  Records here;
  std::string why;
  for (const Record* r : named.empty() ? on_target : named)
    if (const std::string reason = elsewhere(waiver, *r, report.environment); reason.empty())
      here.push_back(r);
    else
      why = reason;
  if (here.empty()) return {&waiver, WaiverState::not_applicable, why};
  if (!named.empty()) return judge_results(waiver, here);
  return {&waiver, WaiverState::matches_nothing,
          fmt::format("no result of {} on {} in this run", subject(waiver), name(waiver.target))};
}

} // namespace

std::string_view name(WaiverState state) {
  switch (state) {
  case WaiverState::counts: return "counts";
  case WaiverState::expired: return "expired";
  case WaiverState::passes: return "passes";
  case WaiverState::other_outcome: return "other outcome";
  case WaiverState::matches_nothing: return "matches nothing";
  case WaiverState::not_applicable: return "not applicable here";
  }
  throw Error("report: a state of a waiver outside its enumeration");
}

bool is_stale(WaiverState state) {
  return state != WaiverState::counts && state != WaiverState::not_applicable;
}

std::vector<WaiverFinding> judge_waivers(const Report& report, const std::vector<Waiver>& waivers,
                                         std::string_view today) {
  std::vector<WaiverFinding> findings;
  for (const Waiver& waiver : waivers) findings.push_back(judge(waiver, report, today));
  return findings;
}

std::vector<const Waiver*> waivers_of(const std::vector<TestRecord>& tests, const Json& environment,
                                      const std::vector<Waiver>& waivers) {
  Records bad, skipped;
  for (const Record& r : tests) {
    if (r.outcome == Outcome::failed || r.outcome == Outcome::error) bad.push_back(&r);
    if (r.outcome == Outcome::skipped) skipped.push_back(&r);
  }
  std::vector<const Waiver*> used;
  for (const Record* result : bad.empty() ? skipped : bad) {
    const auto waiver = std::ranges::find_if(waivers, [&](const Waiver& w) {
      return concerns(w, *result) && w.expected == result->outcome &&
             elsewhere(w, *result, environment).empty();
    });
    if (waiver == waivers.end()) return {};
    if (std::ranges::find(used, &*waiver) == used.end()) used.push_back(&*waiver);
  }
  return used;
}

std::string to_text(const WaiverFinding& finding) {
  return fmt::format("{}:{}: waiver '{}': {}: {}", finding.waiver->file, finding.waiver->line,
                     finding.waiver->id, name(finding.state), finding.text);
}

} // namespace cts::report
