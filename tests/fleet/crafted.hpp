// Fleet runs made by hand: a plan, attempts and their records.
#pragma once

#include "common/file.hpp"
#include "common/temporary_folder.hpp"
#include "runners/fleet/fleet.hpp"

#include <gtest/gtest.h>

namespace cts::fleet::crafted {

namespace fs = std::filesystem;

inline constexpr const char* manifests = "0123456789abcdef";

/// A passed record of a simulated device of `host`.
inline Record record(const std::string& host, const std::string& uuid, const std::string& test = "Mfma.Owns",
                     const std::string& claim = "CDNA-3.1") {
  Record r;
  r.claim = claim;
  r.suite = "lane_ownership";
  r.test = test;
  r.target = "gfx942";
  r.runner = Runner::emulator;
  r.check = Check::run;
  r.outcome = Outcome::passed;
  r.origin = {{"opt", "O3"},  {"device", "simulated"}, {"emulates", "nothing"},
              {"host", host}, {"pci", "0000:c1:00"},   {"uuid", uuid}};
  return r;
}

inline Record with(Record r, Outcome outcome, const std::string& detail = "") {
  r.outcome = outcome;
  r.detail = detail;
  return r;
}

/// The names of the tests that a crafted device runs.
inline const std::vector<std::string> tests{"Mfma.A", "Mfma.B", "Mfma.C"};

/// A run in a folder of its own: shard i on node "n<i>".
class CraftedRun {
public:
  explicit CraftedRun(unsigned shards) {
    Plan plan{"run", manifests, "gfx942", "/nowhere", {}, {}};
    for (unsigned i = 0; i < shards; ++i) plan.shards.push_back({i, node(i), 0});
    write_plan(path(), plan);
  }
  const fs::path& path() const { return folder_.path(); }
  static std::string node(unsigned shard) { return "n" + std::to_string(shard); }
  static std::string uuid(unsigned shard) { return "uuid" + std::to_string(shard); }

  fs::path attempt_folder(unsigned shard, unsigned attempt = 1) const {
    return shard_folder(path(), shard) / ("attempt-" + std::to_string(attempt));
  }
  fs::path evidence(unsigned shard, unsigned attempt = 1) const {
    return attempt_folder(shard, attempt) / "evidence";
  }
  static Attempt attempt(unsigned shard, unsigned number = 1) {
    return {"run", shard, number, node(shard), manifests, "gfx942", "", "2026-11-30T06:00:00Z", "", ""};
  }
  void begin(unsigned shard, unsigned number = 1) const {
    write_attempt(attempt_folder(shard, number), attempt(shard, number));
  }
  /// A begin line and the record, as a test leaves them.
  void leave(unsigned shard, const Record& r, unsigned number = 1) const {
    append_begun(evidence(shard, number), r);
    append_record(evidence(shard, number), r);
  }
  /// An attempt that came to its end with all tests passed.
  void complete(unsigned shard, unsigned number = 1) const {
    begin(shard, number);
    for (const std::string& test : tests) leave(shard, record(node(shard), uuid(shard), test), number);
    write_end(attempt_folder(shard, number), 0);
  }

  FleetReport merged(const MergeOptions& options = {}) const { return merge({path()}, options); }

private:
  TemporaryFolder folder_{"fleet-test"};
};

/// A run of `shards` devices that all agree and are complete.
class Agreeing : public CraftedRun {
public:
  explicit Agreeing(unsigned shards) : CraftedRun(shards) {
    for (unsigned i = 0; i < shards; ++i) complete(i);
  }
};

} // namespace cts::fleet::crafted
