// A fleet: the same tests on many devices, and which device answers otherwise than the rest. Records are read
// one at a time and not kept: of a device there stays one small number for each result.
#pragma once

#include "runners/fleet/plan.hpp"
#include "runners/report/report.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cts::fleet {

/// What a device answered to one test on one claim. `flaky`: it passed and it failed, on the same device.
/// Later is worse.
enum class Kind { skipped, passed, observed, error, flaky, failed };

/// "skipped", "passed", "observed", "error", "flaky", "failed".
std::string_view name(Kind kind);

/// What is asked of every device: a claim by a test, a target, an optimisation level.
struct Question {
  std::string claim, suite, test, target, opt;
  report::Column column = report::Column::host; ///< a model's answer is never compared with a GPU's
};

/// One of the answers that a question got, and how many devices gave it.
struct Answer {
  Kind kind = Kind::passed;
  std::string observed; ///< what was seen, where the document leaves it open; what a compiler did
  std::size_t devices = 0;
};

struct Answers {
  Question question;
  std::vector<Answer> answers;
  std::size_t devices = 0; ///< that answered
  int common = -1;         ///< index of the answer of more than half of them, or -1
};

/// What a device answered otherwise than most.
struct Disagreement {
  std::uint32_t question = 0;
  std::uint16_t answer = 0;
};

/// How a device's results on a claim count together.
enum class DeviceVerdict { not_executed, holds, observed, flaky, violated };
std::string_view name(DeviceVerdict verdict);

/// A device, or a host's checks that need none.
struct Device {
  std::string host, pci, uuid, model;           ///< model: the device's own name; empty for a host's checks
  std::string emulates;                         ///< what stood in for a GPU; empty on a GPU
  std::string fault;                            ///< a fault that was planted into it on purpose
  std::vector<std::string> shards;              ///< where its records are: "shard 7", else folders
  std::vector<std::uint16_t> answers;           ///< by question: 0 for none, else 1 + index of its answer
  std::map<std::uint32_t, std::string> details; ///< of what did not pass: mismatch or reason, by question
  std::size_t results = 0, missing = 0;
  std::map<DeviceVerdict, std::size_t> claims;
  DeviceVerdict verdict = DeviceVerdict::not_executed; ///< of its worst claim
  std::vector<Disagreement> disagreements;             ///< rarest answer first

  bool is_device() const { return !model.empty(); }
};

/// "n3 gpu 0000:c1:00 4ab2…" with the name of what executed.
std::string title(const Device& device);

/// A planned shard that did not come to its end, or ended without a device.
struct ShardState {
  unsigned shard = 0;
  std::string node;
  std::string state; ///< "never started", "killed in attempt 2 after 31 records", "no device: …"
};

struct ClaimAcross {
  std::string claim, target;
  std::map<DeviceVerdict, std::size_t> devices;
};

struct FleetReport {
  std::string run, manifests;            ///< of the plan; empty without one
  std::size_t planned = 0, complete = 0; ///< shards
  std::size_t records = 0, folders = 0;
  std::size_t faults_left_out = 0; ///< records of planted faults that no attempt announced
  std::vector<Device> devices;     ///< the one most unlike the rest first
  std::vector<Answers> questions;
  std::vector<ClaimAcross> claims; ///< by claim and target
  std::vector<ShardState> missing;
  std::vector<std::string> duplicates; ///< a device in several shards, a node with fewer devices than planned
  std::vector<std::string> interrupted; ///< what killed attempts left torn or unfinished: nothing to mend
  std::vector<std::string> problems;    ///< torn records, tests that began and never ended
  std::vector<std::string> unreadable;  ///< files that could not be read or are no evidence
};

struct MergeOptions {
  bool allow_different = false; ///< manifests and targets may differ between the parts
};

/// Reads every folder of evidence below `folders`. Throws Error for a folder that does not exist, for
/// different manifests or targets unless allowed, and for two plans.
FleetReport merge(const std::vector<std::filesystem::path>& folders, const MergeOptions& options);

/// 0 all agree, nothing is missing and nothing is violated; 1 otherwise; 2 when a file could not be read.
int exit_status(const FleetReport& report);

/// At most `most` devices, claims and lines of each kind are shown in full; how many more there are is said.
std::string to_text(const FleetReport& report, std::size_t most);
std::string to_markdown(const FleetReport& report, std::size_t most);
/// {"schema":1,"kind":"fleet",…} with every device.
nlohmann::ordered_json to_json(const FleetReport& report);

} // namespace cts::fleet
