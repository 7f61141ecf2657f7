// The manifests: what is claimed, of which product, which faults are planted, what is waived, what a gate
// does. docs/manifests.md explains every field of the files; the structs below mirror them one to one.
#pragma once

#include "common/evidence.hpp"
#include "common/target.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cts::manifest {

/// One of the source documents: manifests/claims/<name>.yaml.
struct Document {
  std::string name;  ///< "cdna"; the ids of its claims begin with "CDNA-"
  std::string title; ///< as printed on the document
};

/// One checkable statement of a document.
struct Claim {
  std::string id;                           ///< "CDNA-3.3"
  std::string document;                     ///< "cdna"
  std::string section;                      ///< of the document: "3", "A", "Structured sparsity"
  std::vector<Target> targets;              ///< targets that the statement is about
  std::string suite;                        ///< suite that tests it
  std::map<std::string, std::string> label; ///< evidence state that the document itself gives, by key
  std::vector<Check> checks;                ///< how a result can be had
  std::string needs;                        ///< "gpu": only a GPU's run decides; empty: any runner's does
  std::string text;                         ///< the statement, one paragraph
  std::string untested;                     ///< part of the sentence that no check can see, and why, or empty
  std::string trap;                   ///< wrong reading that a test must tell from the right one, or empty
  std::string note;                   ///< what a tester has to know besides, or empty
  std::vector<std::string> authority; ///< sources that decide where sources disagree; empty where none do
  std::vector<std::string> see;       ///< ids of claims on the same matter
  std::vector<std::string> pictures;  ///< layouts that it is about: arguments of `cdna-cts layout`
  std::string file;                   ///< "manifests/claims/cdna.yaml"
  int line = 0;                       ///< of the entry, from 1
};

/// A stated number and who states it.
struct Fact {
  double value = 0;
  std::string source; ///< document and table or section
};

/// A device that one can buy. A fact that no source states is absent.
struct Product {
  std::string name; ///< "MI300X"
  Target target = Target::gfx942;
  std::optional<Fact> xcds, active_cus, io_dies;
  std::optional<Fact> peak_clock_mhz;
  std::optional<Fact>
      fp64_matrix_tflops; ///< theoretical peak of FP64 matrix operations, 1e12 operations a second
  std::optional<Fact> lds_bytes_per_cu;
  std::string file;
  int line = 0;
};

/// A planted fault: `CDNA_CTS_FAULT=<name>` makes one part misbehave in one known way.
struct Fault {
  enum class Kind { emulator, reference };
  std::string name;
  Kind kind = Kind::emulator;      ///< which part misbehaves
  std::vector<std::string> claims; ///< each has a test that must fail under the fault
  std::vector<Target> targets;     ///< targets on which the fault shows
  std::string what;                ///< what happens, precisely
  std::string like;                ///< the real mistake that it imitates
  std::string file;
  int line = 0;
};

std::string_view name(Fault::Kind kind);

/// A known failure that a gate reports as waived.
struct Waiver {
  std::string id;
  std::string claim; ///< a claim id; or empty, and
  std::string test;  ///< a test name with * and ?
  Target target = Target::gfx942;
  std::string device;   ///< device name with * and ?; empty: any
  std::string driver;   ///< range for version_in_range(); empty: any
  std::string compiler; ///< range for version_in_range(); empty: any
  Outcome expected = Outcome::failed;
  std::string reason, url, owner;
  std::string expires; ///< last day on which it counts, "2026-12-31": compares as text
  std::string file;
  int line = 0;
};

/// True when `version` ("22.1.8-1") satisfies every comparison of `range` (">=22 <23"; < <= == >= >,
/// separated by blanks). Numbers are compared part by part, a missing part is 0, anything after the dotted
/// numbers is ignored. Throws Error when either is malformed.
bool version_in_range(std::string_view version, std::string_view range);

/// How a candidate's result for one claim and target differs from the baseline's.
enum class Difference { regression, missing, changed, fix, added, waived };
/// What a gate does about it.
enum class Action { fail, warn, pass };

inline constexpr std::array all_differences{Difference::regression, Difference::missing, Difference::changed,
                                            Difference::fix,        Difference::added,   Difference::waived};

/// "REGRESSION", "MISSING", "CHANGED", "FIX", "NEW", "WAIVED".
std::string_view name(Difference difference);
/// "fail", "warn", "pass".
std::string_view name(Action action);

/// One action for each difference.
struct GatePolicy {
  std::map<Difference, Action> actions;
};

/// All manifests, checked against each other.
struct Manifests {
  std::vector<Document> documents; ///< by name
  std::vector<Claim> claims;       ///< by document, then as in its file
  std::vector<Product> products;
  std::vector<Fault> faults;
  std::vector<Waiver> waivers;
  GatePolicy gate;
  /// SHA-256 over names and bytes of the files that say what is tested (all but waivers.yaml and gate.yaml,
  /// which only judge differences): the same everywhere for the same files.
  std::string hash;
};

/// The claim with this id, or nullptr.
const Claim* find_claim(const Manifests& manifests, std::string_view id);

/// Where the manifests are: $CDNA_CTS_MANIFESTS, else the folder of the sources that this was built from.
std::filesystem::path manifest_folder();

/// Bytes of manifest files by name below their folder ("claims/cdna.yaml").
using Files = std::map<std::string, std::string>;

/// The manifest files below `folder`. Throws Error when it is no folder of manifests.
Files read_files(const std::filesystem::path& folder);

/// load() of files that are read already; errors name them below `shown`.
Manifests load(const Files& files, const std::filesystem::path& shown);

/// Reads and checks claims/*.yaml, products.yaml, faults.yaml, waivers.yaml and gate.yaml below `folder`.
/// Throws Error "<file>:<line>: what was found and what was expected" for the first thing that the schema
/// does not allow: an unknown or missing field, a value of the wrong kind, an unknown word, a repeated id, a
/// reference to no claim, a malformed or truncated file, or a YAML file that is no manifest.
Manifests load(const std::filesystem::path& folder);

/// Reads a gate policy alone, from a file of the format of gate.yaml. Throws Error as load() does.
GatePolicy load_gate_policy(const std::filesystem::path& file);

} // namespace cts::manifest
