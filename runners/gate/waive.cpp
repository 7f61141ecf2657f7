#include "runners/gate/gate.hpp"
#include "runners/report/waivers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace cts::gate {
namespace {

using manifest::Waiver;
using report::Report;

const report::TargetReport* find(const Report& report, const Change& change) {
  for (const report::ClaimReport& claim : report.claims)
    for (const report::TargetReport& on : claim.targets)
      if (claim.id == change.claim && on.target == change.target) return &on;
  return nullptr;
}

/// Whether something is bad that has no result at all: no waiver can expect it.
bool without_result(const Change& change) {
  return change.candidate == "absent" || change.candidate.find("no record for: ") != std::string::npos;
}

} // namespace

void waive(Comparison& comparison, const Report& candidate, const std::vector<Waiver>& waivers,
           std::string_view today) {
  std::vector<Waiver> current;
  std::ranges::copy_if(waivers, std::back_inserter(current),
                       [&](const Waiver& w) { return w.expires >= today; });
  for (Change& change : comparison.changes) {
    if (change.kind != manifest::Difference::regression && change.kind != manifest::Difference::missing)
      continue;
    const report::TargetReport* on = find(candidate, change);
    if (on == nullptr || without_result(change)) continue;
    std::vector<std::string> ids;
    for (const Waiver* waiver : report::waivers_of(on->tests, candidate.environment, current))
      ids.push_back(waiver->id);
    if (ids.empty()) continue;
    change.kind = manifest::Difference::waived;
    change.waiver = fmt::format("{}", fmt::join(ids, ", "));
  }
  for (const report::WaiverFinding& finding : report::judge_waivers(candidate, waivers, today))
    comparison.waivers.push_back({finding.waiver->id, std::string(name(finding.state)),
                                  report::is_stale(finding.state), report::to_text(finding)});
}

} // namespace cts::gate
