// A small valid set of manifests in a folder of its own, for tests that break it in one place.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <unistd.h>

namespace cts::manifest::tests {

inline const std::map<std::string, std::string> small_files{{"claims/cdna.yaml", R"(document: cdna
title: A document
claims:
  - id: CDNA-1.1
    section: "1"
    targets: [gfx942, gfx950]
    suite: lane_ownership
    label: {isa: Listed}
    check: [compile, run]
    claim: A wave has 64 lanes.
    trap: a wave of 32 lanes
    see: [CDNA-1.2]
  - id: CDNA-1.2
    section: "1"
    targets: [gfx950]
    suite: lds_geometry
    label:
      llvm: gfx942 Not enabled, gfx950 Enabled
      validation: CPU checked
    check: [host]
    needs: gpu
    claim: >-
      LDS has
      64 banks.
    authority: [ISA4 11.1]
...
)"},
                                                            {"products.yaml", R"(products:
  - name: MI000X
    target: gfx942
    xcds: {value: 8, source: "a table"}
    peak_clock_mhz: {value: 2100.5, source: "a table"}
...
)"},
                                                            {"faults.yaml", R"(faults:
  - name: lane_dropped
    kind: emulator
    targets: [gfx942]
    claims: [CDNA-1.1]
    what: Lane 63 reads zero.
    like: A wave that is not whole.
...
)"},
                                                            {"waivers.yaml", R"(waivers:
  - id: known
    claim: CDNA-1.2
    target: gfx950
    compiler: ">=22 <23"
    expected: failed
    reason: The compiler drops a wait.
    url: https://example.org/1
    owner: somebody
    expires: 2026-12-31
...
)"},
                                                            {"gate.yaml", R"(policy:
  REGRESSION: fail
  MISSING: fail
  CHANGED: fail
  FIX: warn
  NEW: pass
  WAIVED: pass
  SLOWER: fail
  AMBIGUOUS: warn
  FASTER: pass
  SAME: pass
time_threshold: 0.05
...
)"}};

/// A folder ".../manifests" with the small set, removed at the end.
class SmallManifests {
public:
  SmallManifests() {
    std::string pattern = testing::TempDir() + "cdna-cts-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    parent_ = pattern;
    for (const auto& [file, text] : small_files) write(file, text);
  }
  SmallManifests(const SmallManifests&) = delete;
  SmallManifests& operator=(const SmallManifests&) = delete;
  ~SmallManifests() {
    std::error_code ignored;
    std::filesystem::remove_all(parent_, ignored);
  }

  std::filesystem::path folder() const { return parent_ / "manifests"; }

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((folder() / file).parent_path());
    std::ofstream(folder() / file, std::ios::binary | std::ios::trunc) << text;
  }

private:
  std::filesystem::path parent_;
};

} // namespace cts::manifest::tests
