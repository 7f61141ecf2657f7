// A fleet run on disk: what was planned, and what each attempt at a part of it says of itself. docs/fleet.md
// shows the folder.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cts::fleet {

/// A planned part of a run: one device.
struct Shard {
  unsigned number = 0;
  std::string node; ///< host that must run it; empty: the one that the run was planned on
  int device = 0;   ///< without a node: ordinal of the device; on a node any will do that no other shard had
};

/// What was planned when the run was submitted: plan.json in the run's folder.
struct Plan {
  std::string run;                ///< a name of its own: evidence of another run is not taken for this one's
  std::string manifests;          ///< hash of the manifests that the tests were built from
  std::string target;             ///< "gfx942"
  std::string build;              ///< build folder, the same path on every node
  std::vector<std::string> ctest; ///< further arguments of ctest: which tests
  std::vector<Shard> shards;
};

/// What an attempt says when it starts: attempt.json. An attempt without an end was killed, or is at work.
struct Attempt {
  std::string run;
  unsigned shard = 0, attempt = 0; ///< attempts count from 1
  std::string host, manifests, target;
  std::string fault;   ///< planted in this attempt on purpose; its records carry the same name
  std::string started; ///< by the host's clock: to read, never to compare
  std::string job;     ///< Slurm's name of the task, or empty
  std::string device;  ///< PCI address and UUID of the device that it was given, or empty
};

inline constexpr const char* plan_file = "plan.json";
inline constexpr const char* attempt_file = "attempt.json";
inline constexpr const char* end_file = "end.json";

/// RUN/shard-00007
std::filesystem::path shard_folder(const std::filesystem::path& run, unsigned shard);

/// Write the file whole or not at all. Throw Error.
void write_plan(const std::filesystem::path& run, const Plan& plan);
void write_attempt(const std::filesystem::path& folder, const Attempt& attempt);
void write_end(const std::filesystem::path& folder, int ctest_status);

/// Read the file in `folder`. Throw Error naming the file and the field that is missing or of the wrong kind.
Plan read_plan(const std::filesystem::path& folder);
Attempt read_attempt(const std::filesystem::path& folder);

/// Whether the attempt in `folder` came to its end.
bool has_ended(const std::filesystem::path& folder);

/// The planned shards that are to be run: of which no attempt came to its end on a device that no earlier
/// shard had. And the devices that are done, "HOST DEVICE" each.
struct Progress {
  std::vector<unsigned> unfinished; ///< in order
  std::set<std::string> done;
};

/// Throws Error as read_plan() does.
Progress progress(const std::filesystem::path& run, const Plan& plan);

/// What Progress::done calls a device.
std::string device_on(const std::string& host, const std::string& device);

/// "0-2,7": what Slurm's --array takes.
std::string array_of(const std::vector<unsigned>& shards);

} // namespace cts::fleet
