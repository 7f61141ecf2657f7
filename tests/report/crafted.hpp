// Manifests and records made by hand: a small world in which every verdict can be had.
#pragma once

#include "common/error.hpp"
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "runners/manifest/manifests.hpp"
#include "runners/report/report.hpp"

#include <filesystem>
#include <unistd.h>

namespace cts::crafted {

/// A folder of its own that goes away with the test.
class Folder {
public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("cdna-cts-report-test-{}-{}", ::getpid(), count()++)) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

private:
  static int& count() {
    static int n = 0;
    return n;
  }
  std::filesystem::path path_;
};

inline manifest::Claim claim(const std::string& id, std::vector<Check> checks) {
  manifest::Claim claim;
  claim.id = id;
  claim.document = "cdna";
  claim.section = "3";
  claim.targets = {Target::gfx942, Target::gfx950};
  claim.suite = "lane_ownership";
  claim.label = {{"isa", "Listed"}};
  claim.checks = std::move(checks);
  claim.text = "Sentence of " + id + ".";
  return claim;
}

/// Claims "CDNA-1" (run), "CDNA-2" (compile, code, run), "CDNA-3" (time), "CDNA-4" (source, host), "CDNA-5"
/// (run on a GPU) and two planted faults for CDNA-1.
inline manifest::Manifests manifests() {
  manifest::Manifests all;
  all.documents = {{"cdna", "A document"}};
  all.claims = {claim("CDNA-1", {Check::run}), claim("CDNA-2", {Check::compile, Check::code, Check::run}),
                claim("CDNA-3", {Check::time}), claim("CDNA-4", {Check::source, Check::host}),
                claim("CDNA-5", {Check::run})};
  all.claims[2].label = {{"qualifier", "Unmeasured"}};
  all.claims[3].label = {{"validation", "Source inspected"}};
  all.claims[4].needs = "gpu";
  for (const char* fault : {"first_fault", "second_fault"}) {
    manifest::Fault planted;
    planted.name = fault;
    planted.claims = {"CDNA-1"};
    planted.targets = {Target::gfx942};
    all.faults.push_back(planted);
  }
  for (const manifest::Difference difference : manifest::all_differences)
    all.gate.actions[difference] = manifest::Action::fail;
  all.gate.actions[manifest::Difference::fix] = manifest::Action::warn;
  all.gate.actions[manifest::Difference::added] = manifest::Action::pass;
  all.gate.actions[manifest::Difference::waived] = manifest::Action::pass;
  all.gate.actions[manifest::Difference::ambiguous] = manifest::Action::warn;
  all.gate.actions[manifest::Difference::faster] = manifest::Action::pass;
  all.gate.actions[manifest::Difference::same] = manifest::Action::pass;
  all.gate.time_threshold = 0.05;
  all.hash = "0123456789abcdef";
  return all;
}

/// A passed record of the emulator for `claim` on gfx942.
inline Record record(const std::string& claim = "CDNA-1", Check check = Check::run) {
  Record r;
  r.claim = claim;
  r.suite = "lane_ownership";
  r.test = "Mfma.Owns";
  r.target = "gfx942";
  r.runner = check == Check::host                              ? Runner::host
             : check == Check::compile || check == Check::code ? Runner::compiler
                                                               : Runner::emulator;
  r.check = check;
  r.outcome = Outcome::passed;
  r.seed = 7;
  r.origin = {{"opt", "O3"}};
  return r;
}

inline Record with(Record r, Outcome outcome, const std::string& detail = "") {
  r.outcome = outcome;
  r.detail = detail;
  return r;
}

/// The same record from a GPU.
inline Record on_gpu(Record r) {
  r.runner = Runner::gpu;
  r.origin["device"] = "AMD Instinct MI300X";
  return r;
}

inline Record under_fault(Record r, const std::string& fault) {
  r.fault = fault;
  return r;
}

inline report::Report report_of(std::vector<Record> records, std::vector<Record> unfinished = {},
                                std::vector<manifest::Waiver> waivers = {}) {
  manifest::Manifests all = manifests();
  all.waivers = std::move(waivers);
  return report::build_report(
      all, {std::move(records), std::move(unfinished), {}},
      {{"device_compiler", "clang version 22.1.8"}, {"driver", "6.10.5"}, {"cpu", "a CPU"}});
}

inline const report::TargetReport& on(const report::Report& report, const std::string& claim,
                                      const std::string& target = "gfx942") {
  for (const report::ClaimReport& c : report.claims)
    for (const report::TargetReport& t : c.targets)
      if (c.id == claim && t.target == target) return t;
  throw Error("{} {}: not in the report", claim, target);
}

} // namespace cts::crafted
