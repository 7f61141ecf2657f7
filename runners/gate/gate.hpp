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

/// What the candidate says about one waiver.
struct WaiverLine {
  std::string id, state; ///< report::name(WaiverState)
  bool stale = false;    ///< somebody has to change it: the gate fails
  std::string text;      ///< with file and line
};

struct Comparison {
  std::vector<Change> changes;     ///< in the candidate's order of claims, gfx942 first
  std::vector<std::string> notes;  ///< one line each: what was left out of the comparison, and why
  std::vector<WaiverLine> waivers; ///< in the order of their file
  std::map<std::string, std::pair<std::string, std::string>>
      environment; ///< fields that differ; they gate nothing
};

/// How two reports are compared.
struct Terms {
  bool different_manifests = false; ///< compare although the claims may not be the same
  bool different_targets = false;   ///< compare what both ran, although one ran a target more
  double time_threshold = 0.05;     ///< relative, manifest::GatePolicy
};

/// Compares two reports claim by claim. Throws Error when they cannot be compared: made with different
/// manifests, or by runs of different targets (those that have a record), unless `terms` allow it; runs that
/// share no target never can. Also for a time that is none.
Comparison compare(const report::Report& baseline, const report::Report& candidate, const Terms& terms);

/// Turns regressions and missing results that `waivers` expect into waived ones, and says what became of
/// every waiver. One counts until the day it expires (`today` is "2026-12-31"), for the claim or test,
/// target, device, driver and compiler that it names, and only when every bad result of the claim is one that
/// a waiver expects.
void waive(Comparison& comparison, const report::Report& candidate,
           const std::vector<manifest::Waiver>& waivers, std::string_view today);

/// The strictest action that `policy` asks for; pass when nothing changed. A stale waiver fails whatever the
/// policy says.
manifest::Action verdict(const Comparison& comparison, const manifest::GatePolicy& policy);

/// {"schema":1,"result","differences":[{"class","action","claim","target","what","baseline","candidate"}],"summary","environment"}
nlohmann::ordered_json to_json(const Comparison& comparison, const manifest::GatePolicy& policy);
std::string to_text(const Comparison& comparison, const manifest::GatePolicy& policy);
std::string to_markdown(const Comparison& comparison, const manifest::GatePolicy& policy);

/// The last lines of to_text: notes, waivers, and the verdict with the differences counted.
std::string conclusion(const Comparison& comparison, const manifest::GatePolicy& policy);

/// Both reports test by test, on the targets that both ran, whatever the claims: which tests ended otherwise,
/// the bad news first, and how many facts, metrics and observations differ in which way. Gates nothing.
std::string to_overview(const report::Report& baseline, const report::Report& candidate);

} // namespace cts::gate
