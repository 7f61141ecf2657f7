// A small bundle with everything in it: a violated claim, a planted fault, a crash, a page, a code object.
#pragma once

#include "runners/bundle/bundle.hpp"
#include "runners/report/environment.hpp"
#include "tests/manifest/small_manifests.hpp"
#include "tests/report/crafted.hpp"

namespace cts::bundle::tests {

inline Record run_record(const std::string& test, Outcome outcome, const std::string& target = "gfx942") {
  Record r = crafted::with(crafted::record("CDNA-1.1", Check::run), outcome,
                           outcome == Outcome::failed ? "lane 63: expected 1, got 0" : "");
  r.test = test;
  r.target = target;
  r.origin["code_object"] = sha256("code of " + target);
  return r;
}

/// Files from which a bundle is made.
class World {
public:
  World() {
    for (const char* target : {"gfx942", "gfx950"}) {
      Record built = crafted::record("CDNA-1.1", Check::compile);
      built.test = "Wave.Builds";
      built.target = target;
      built.origin.clear();
      add(built);
      add(run_record("Wave.HasLanes", Outcome::passed, target));
    }
    add(run_record("Wave.LastLane", Outcome::failed));
    Record crashed = run_record("Wave.Crashes", Outcome::passed);
    append_begun(evidence(), crashed);
    append_record(evidence() / "faults",
                  crafted::under_fault(run_record("Wave.HasLanes", Outcome::failed), "lane_dropped"));
    for (const char* target : {"gfx942", "gfx950"})
      write_file(path() / fmt::format("code/lane_ownership.{}.O3.co", target),
                 fmt::format("code of {}", target));
    write_report();
  }

  /// report.json and REPORT.md of the evidence so far.
  void write_report() const {
    const report::Report made = report();
    write_file(path() / "REPORT.md", report::to_markdown(made));
    write_file(path() / "report.json", report::dump(report::to_json(made)));
  }

  std::filesystem::path path() const { return folder_.path(); }
  std::filesystem::path evidence() const { return path() / "evidence"; }
  std::filesystem::path manifests() const { return manifests_.folder(); }

  Members members() const {
    return collect({.evidence = {evidence()},
                    .report = path() / "report.json",
                    .manifests = manifests(),
                    .pages = {path() / "REPORT.md"},
                    .code = path() / "code"},
                   "cdna-cts test");
  }

private:
  void add(const Record& record) {
    append_begun(evidence(), record);
    append_record(evidence(), record);
  }
  report::Report report() const {
    report::Environment environment;
    environment.commit = "0123";
    report::Gpu& gpu = environment.gpus.emplace_back();
    gpu.target = "gfx942";
    gpu.serial = "1";
    report::Report made = report::build_report(manifest::load(manifests()), read_evidence(evidence()),
                                               report::to_json(environment));
    made.generated = "2026-01-02T03:04:05Z";
    return made;
  }

  crafted::Folder folder_;
  manifest::tests::SmallManifests manifests_;
};

/// Members with their hashes put right again, as a careful forger does.
inline Members rehashed(Members members) {
  members[std::string(sums_name)] = sums_of(members);
  return members;
}

} // namespace cts::bundle::tests
