// The gate: what changed between an accepted report and a new one, and whether a policy lets it through.
// docs/gate.md.
#pragma once

#include "runners/manifest/manifests.hpp"
#include "runners/report/report.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cts::gate {

/// One difference of one claim on one target, with both values.
struct Change {
  manifest::Difference kind = manifest::Difference::changed;
  std::string claim, target;
  std::string
      what; ///< "verdict", "evidence", "test …", "fact …", "observed …", "metric …", "planted fault …"
  std::string baseline, candidate; ///< "absent" where a report has nothing
  std::string waiver;              ///< id, when kind is waived
};

struct Comparison {
  std::vector<Change> changes; ///< in the candidate's order of claims, gfx942 first
  std::map<std::string, std::pair<std::string, std::string>>
      environment; ///< fields that differ; they gate nothing
};

/// Compares two reports claim by claim. Throws Error when they cannot be compared: different targets, or
/// different manifests unless `allow_different_manifests`.
Comparison compare(const report::Report& baseline, const report::Report& candidate,
                   bool allow_different_manifests);

/// Turns regressions and missing results that `waivers` expect into waived ones. A waiver counts until the
/// day it expires
/// (`today`, "2026-12-31"), for the claim or test, target, device, driver and compiler that it names, and
/// only when every bad result of the claim is one that a waiver expects.
void waive(Comparison& comparison, const report::Report& candidate,
           const std::vector<manifest::Waiver>& waivers, std::string_view today);

/// The strictest action that `policy` asks for; pass when nothing changed.
manifest::Action verdict(const Comparison& comparison, const manifest::GatePolicy& policy);

/// {"schema":1,"result","differences":[{"class","action","claim","target","what","baseline","candidate"}],"summary","environment"}
nlohmann::ordered_json to_json(const Comparison& comparison, const manifest::GatePolicy& policy);
std::string to_text(const Comparison& comparison, const manifest::GatePolicy& policy);
std::string to_markdown(const Comparison& comparison, const manifest::GatePolicy& policy);

} // namespace cts::gate
