// Waivers and what a report says about them: which bad results they expect, and which of them no longer hold.
// docs/waivers.md.
#pragma once

#include "runners/report/report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cts::report {

/// What a run says about a waiver.
enum class WaiverState {
  counts,          ///< a result that it names ended as it expects
  expired,         ///< its last day is over
  passes,          ///< a test that it names passes
  other_outcome,   ///< a test that it names ended badly in another way
  matches_nothing, ///< it is for this run, which has no such claim or test
  not_applicable   ///< the run is of another target, device, driver or compiler, or skipped the test
};

struct WaiverFinding {
  const manifest::Waiver* waiver;
  WaiverState state;
  std::string text; ///< one line: why
};

/// "counts", "expired", "passes", "other outcome", "matches nothing", "not applicable here".
std::string_view name(WaiverState state);

/// Whether somebody has to change the waiver: all but those that count or are for another place.
bool is_stale(WaiverState state);

/// What `report` says about each of `waivers`, in their order, on the day `today` ("2026-12-31").
std::vector<WaiverFinding> judge_waivers(const Report& report, const std::vector<manifest::Waiver>& waivers,
                                         std::string_view today);

/// The waivers that together expect every bad result among `tests` (failures and errors, or where there are
/// none the skips) of a run in `environment`; none when a bad result is left, or there is none.
std::vector<const manifest::Waiver*> waivers_of(const std::vector<TestRecord>& tests,
                                                const nlohmann::ordered_json& environment,
                                                const std::vector<manifest::Waiver>& waivers);

/// "manifests/waivers.yaml:12: waiver 'known': expired: …", for an error or a list.
std::string to_text(const WaiverFinding& finding);

} // namespace cts::report
