#include "common/error.hpp"
#include "runners/gate/gate.hpp"

#include <algorithm>

namespace cts::gate {
namespace {

using manifest::Waiver;
using report::Report;

/// Shell-like: * is any text, ? any character.
bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*')
    return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         matches(pattern.substr(1), text.substr(1));
}

std::string origin(const Record& record, const char* key) {
  const auto found = record.origin.find(key);
  return found == record.origin.end() ? "" : found->second;
}

std::string field(const Report& report, const char* key) {
  const auto found = report.environment.find(key);
  return found != report.environment.end() && found->is_string() ? found->get<std::string>() : "";
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

bool expects(const Waiver& waiver, const Record& record, const Report& candidate, std::string_view today) {
  const std::string own_compiler = origin(record, "compiler");
  return waiver.expires >= today && waiver.target == parse_target(record.target) &&
         (waiver.claim.empty() ? matches(waiver.test, record.test) : waiver.claim == record.claim) &&
         waiver.expected == record.outcome &&
         (waiver.device.empty() || matches(waiver.device, origin(record, "device"))) &&
         version_matches(field(candidate, "driver"), waiver.driver) &&
         version_matches(own_compiler.empty() ? field(candidate, "device_compiler") : own_compiler,
                         waiver.compiler);
}

/// The candidate's results that keep a claim from holding: failures and errors, else skips.
std::vector<const Record*> bad_results(const Report& candidate, const Change& change) {
  std::vector<const Record*> bad, skipped;
  for (const report::ClaimReport& claim : candidate.claims) {
    if (claim.id != change.claim) continue;
    for (const report::TargetReport& on : claim.targets) {
      if (on.target != change.target) continue;
      for (const Record& r : on.tests) {
        if (r.outcome == Outcome::failed || r.outcome == Outcome::error) bad.push_back(&r);
        if (r.outcome == Outcome::skipped) skipped.push_back(&r);
      }
    }
  }
  return bad.empty() ? skipped : bad;
}

} // namespace

void waive(Comparison& comparison, const Report& candidate, const std::vector<Waiver>& waivers,
           std::string_view today) {
  for (Change& change : comparison.changes) {
    if (change.kind != manifest::Difference::regression && change.kind != manifest::Difference::missing)
      continue;
    const auto bad = bad_results(candidate, change);
    std::string used;
    const bool all_expected = std::ranges::all_of(bad, [&](const Record* record) {
      const auto waiver = std::ranges::find_if(
          waivers, [&](const Waiver& w) { return expects(w, *record, candidate, today); });
      if (waiver == waivers.end()) return false;
      used = waiver->id;
      return true;
    });
    if (bad.empty() || !all_expected) continue;
    change.kind = manifest::Difference::waived;
    change.waiver = used;
  }
}

} // namespace cts::gate
