// A report: what the evidence says about every claim on every target. docs/evidence.md explains each rule.
#pragma once

#include "common/evidence.hpp"
#include "runners/manifest/manifests.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cts::report {

enum class Verdict { holds, violated, flaky, observed, not_executed };
inline constexpr std::array all_verdicts{Verdict::holds, Verdict::violated, Verdict::flaky, Verdict::observed,
                                         Verdict::not_executed};

/// The kinds of evidence, kept apart from the record to the page; later is stronger.
enum class Column { host, compiler, model, gpu };
inline constexpr std::array all_columns{Column::host, Column::compiler, Column::model, Column::gpu};

/// "holds", "violated", "flaky", "observed", "not executed".
std::string_view name(Verdict verdict);
/// "host", "compiler", "model", "gpu".
std::string_view name(Column column);
std::optional<Verdict> parse_verdict(std::string_view text);

/// The column that a record belongs to. A record counts as a GPU's only when its runner is gpu, its origin
/// names a device and nothing there emulates one (origin "emulates"); otherwise what ran it was a model.
Column column_of(const Record& record);

struct Judgement {
  Verdict verdict = Verdict::not_executed;
  std::string reason; ///< one line for violated, flaky and not executed, else empty
};

/// Planted faults that name a claim on a target: detected (a test failed), undetected (tests ran and none
/// failed) or not run at all.
struct FaultRuns {
  std::vector<std::string> names, detected, undetected, not_run;
};

/// A test's record, and how many of the same kind it stands for: a run may be repeated many times over.
struct TestRecord : Record {
  std::size_t runs = 1;
};

/// A waiver that expects what keeps a claim from holding: said beside the verdict, which stays what it is.
struct WaiverNote {
  std::string id, reason, url, owner, expires;
};

/// A claim on one target.
struct TargetReport {
  std::string target;
  std::string validation; ///< strongest evidence that passed: "GPU tested" … "CPU checked", "Source
                          ///< inspected", "Not executed"
  std::string qualifier;  ///< the document's "Derived" or "Unmeasured"; a GPU's time record ends the latter
  Judgement judgement;
  std::vector<std::pair<Check, Judgement>> checks;    ///< in the manifest's order
  std::array<Judgement, all_columns.size()> evidence; ///< by Column
  std::vector<TestRecord> tests;                      ///< without planted faults; unfinished ones as errors
  FaultRuns faults;
  std::vector<WaiverNote> waivers; ///< those that together expect every bad result, expired or not; or none
};

struct ClaimReport {
  std::string id, doc, section, suite, claim;
  std::map<std::string, std::string> label; ///< the document's own, by axis
  std::vector<Check> check;
  std::vector<TargetReport> targets; ///< those that the claim lists, gfx942 first
  std::string untested;              ///< part of the claim that no check can see, or empty
};

/// A run test that a model passed, and the planted faults under which it failed.
struct SeenFaults {
  std::string target, test; ///< "gfx942", "<suite>.<Suite.Name>"
  std::vector<std::string> faults;
};

/// A test that both passed and failed in the same circumstances, and how often it ended in which way.
struct FlakyTest {
  std::string target, test; ///< "gfx942", "<suite>.<Suite.Name> (O3)"
  std::string device;       ///< the GPU or the model that ran it, empty where none did
  Column column = Column::model;
  std::map<Outcome, std::size_t> outcomes;
  std::vector<std::uint64_t> failed_seeds, passed_seeds; ///< each once, ascending, at most flaky_seeds
};
inline constexpr std::size_t flaky_seeds = 20;

struct Report {
  std::string generated; ///< time, UTC
  std::string manifests; ///< SHA-256 of the manifests
  nlohmann::ordered_json environment;
  std::vector<std::pair<std::string, std::string>> documents; ///< id and title, in the manifests' order
  std::vector<ClaimReport> claims;
  std::vector<SeenFaults> seen_faults; ///< by target, then by test
  std::vector<FlakyTest> flaky;        ///< by target, then by test
  std::vector<std::string> problems;   ///< one line each: what in the evidence could not be used
};

/// Joins manifests, evidence and environment.
Report build_report(const manifest::Manifests& manifests, const Evidence& evidence,
                    const nlohmann::ordered_json& environment);

/// Whether `report` calls for action: a claim violated or flaky, a test that could not judge, or a problem.
bool has_findings(const Report& report);

/// report.json, schema 1.
nlohmann::ordered_json to_json(const Report& report);

/// The report in `bytes`, which errors name `shown`. Throws Error when it is no report of schema 1, not all
/// of one, or one with a claim or a key twice.
Report parse_report(std::string_view bytes, const std::string& shown);

/// The report in the file `path`. Throws as parse_report() does.
Report read_report(const std::filesystem::path& path);

/// REPORT.md: the same bytes for the same evidence and tools, whatever the machine, the folder and the time.
std::string to_markdown(const Report& report);

/// JUnit XML.
std::string to_junit(const Report& report);

/// A table for a terminal of 100 columns.
std::string to_text(const Report& report);

} // namespace cts::report
