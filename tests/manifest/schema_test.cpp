// Everything that the manifests' schema forbids is an Error with file and line. Each case breaks a valid set
// in one place.
#include "common/error.hpp"
#include "runners/manifest/manifests.hpp"
#include "tests/manifest/small_manifests.hpp"

#include <random>

namespace cts::manifest::tests {
namespace {

/// What load() throws, or "loaded".
std::string result_of_load(const std::filesystem::path& folder) {
  try {
    load(folder);
    return "loaded";
  } catch (const Error& e) {
    return e.what();
  }
}

struct Broken {
  const char* name;
  const char* file;
  const char* from; ///< replaced once; must be there
  const char* to;
  const char* begins;   ///< what the error begins with: file and line
  const char* contains; ///< what it says
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

constexpr const char* cdna = "claims/cdna.yaml";

const Broken broken_manifests[] = {
    // claims
    {"UnknownField", cdna, "trap:", "trop:", "manifests/claims/cdna.yaml:11: ",
     "unknown field 'trop' of a claim, did you mean 'trap'"},
    {"FieldTwice", cdna, "    trap: a", "    section: a",
     "manifests/claims/cdna.yaml:11: ", "field 'section' of a claim is given twice"},
    {"NoId", cdna, "- id: CDNA-1.2\n   ", "-",
     "manifests/claims/cdna.yaml:13: ", "a claim has no field 'id'"},
    {"NoTargets", cdna, "    targets: [gfx950]\n", "",
     "manifests/claims/cdna.yaml:13: ", "a claim has no field 'targets'"},
    {"NoCheck", cdna, "    check: [host]\n", "",
     "manifests/claims/cdna.yaml:13: ", "a claim has no field 'check'"},
    {"NoClaim", cdna, "    claim: A wave has 64 lanes.\n", "",
     "manifests/claims/cdna.yaml:4: ", "a claim has no field 'claim'"},
    {"ClaimIsList", cdna, "A wave has 64 lanes.", "[A wave]",
     "manifests/claims/cdna.yaml:10: ", "'claim' is a list, expected a text"},
    {"ClaimIsEmpty", cdna, "A wave has 64 lanes.", "\"\"",
     "manifests/claims/cdna.yaml:10: ", "'claim' is empty"},
    {"ClaimIsNothing", cdna, "A wave has 64 lanes.", "",
     "manifests/claims/cdna.yaml:10: ", "'claim' is nothing, expected a text"},
    {"ClaimOfTwoParagraphs", cdna, "LDS has\n", "LDS has\n\n",
     "manifests/claims/cdna.yaml:22: ", "several paragraphs"},
    {"TargetsIsText", cdna, "[gfx950]", "gfx950",
     "manifests/claims/cdna.yaml:15: ", "'targets' is 'gfx950', expected a list"},
    {"TargetsIsEmpty", cdna, "[gfx950]", "[]",
     "manifests/claims/cdna.yaml:15: ", "'targets' is an empty list"},
    {"UnknownTarget", cdna, "[gfx950]", "[gfx951]",
     "manifests/claims/cdna.yaml:15: ", "unknown target 'gfx951', expected one of gfx942, gfx950"},
    {"TargetWithFeature", cdna, "[gfx950]", "[\"gfx950:xnack-\"]",
     "manifests/claims/cdna.yaml:15: ", "unknown target 'gfx950:xnack-'"},
    {"TargetTwice", cdna, "[gfx942, gfx950]", "[gfx942, gfx942]",
     "manifests/claims/cdna.yaml:6: ", "'targets' has 'gfx942' twice"},
    {"UnknownSuite", cdna, "lds_geometry", "lds",
     "manifests/claims/cdna.yaml:16: ", "unknown suite 'lds', expected one of lane_ownership"},
    {"UnknownCheck", cdna, "[host]", "[hosts]", "manifests/claims/cdna.yaml:20: ",
     "unknown check 'hosts', expected one of host, compile, code, mir, run, time, source"},
    {"UnknownNeed", cdna, "needs: gpu", "needs: luck",
     "manifests/claims/cdna.yaml:21: ", "unknown needs 'luck'"},
    {"UnknownLabelKey", cdna, "{isa: Listed}", "{iso: Listed}",
     "manifests/claims/cdna.yaml:8: ", "unknown field 'iso' of a label"},
    {"UnknownLabelWord", cdna, "CPU checked", "CPU tested", "manifests/claims/cdna.yaml:19: ",
     "unknown word 'CPU tested' of the label 'validation', expected one of Source inspected"},
    {"UnknownLabelWordOfOneTarget", cdna, "gfx950 Enabled", "gfx950 On", "manifests/claims/cdna.yaml:18: ",
     "unknown word 'On' of the label 'llvm', expected one of Enabled, Not enabled"},
    {"LabelIsEmpty", cdna, "{isa: Listed}", "{}", "manifests/claims/cdna.yaml:8: ", "'label' is empty"},
    {"LabelIsText", cdna, "{isa: Listed}", "Listed",
     "manifests/claims/cdna.yaml:8: ", "a label is 'Listed', expected a mapping"},
    {"IdTwice", cdna, "- id: CDNA-1.2", "- id: CDNA-1.1",
     "manifests/claims/cdna.yaml:13: ", "claim 'CDNA-1.1' is already at manifests/claims/cdna.yaml:4"},
    {"IdOfOtherDocument", cdna, "- id: CDNA-1.2", "- id: LLVM-1.2",
     "manifests/claims/cdna.yaml:13: ", "claim id 'LLVM-1.2', expected 'CDNA-' and a number"},
    {"IdWithoutNumber", cdna, "- id: CDNA-1.2", "- id: CDNA-",
     "manifests/claims/cdna.yaml:13: ", "claim id 'CDNA-', expected"},
    {"SeeNamesNoClaim", cdna, "see: [CDNA-1.2]", "see: [CDNA-1.3]",
     "manifests/claims/cdna.yaml:12: ", "no claim has the id 'CDNA-1.3', did you mean 'CDNA-1.1'?"},
    {"DocumentNotAsItsFile", cdna, "document: cdna", "document: llvm",
     "manifests/claims/cdna.yaml:1: ", "document 'llvm', expected 'cdna'"},
    {"ClaimIsNoMapping", cdna, "- id: CDNA-1.1\n    section: \"1\"\n",
     "- CDNA-1.1\n  - id: CDNA-1.1\n    section: \"1\"\n", "manifests/claims/cdna.yaml:4: ",
     "a claim is 'CDNA-1.1', expected a mapping with the fields id, section"},
    {"Malformed", cdna, "[gfx942, gfx950]", "[gfx942, gfx950",
     "manifests/claims/cdna.yaml:", "malformed YAML"},
    {"Tab", cdna, "    trap:", "\ttrap:", "manifests/claims/cdna.yaml:", "malformed YAML"},
    {"TwoYamlDocuments", cdna, "title: A document\n", "title: A document\n---\n",
     "manifests/claims/cdna.yaml:1: ", "2 YAML documents"},
    {"NoEndMark", cdna, "\n...\n", "\n",
     "manifests/claims/cdna.yaml:25: ", "does not end with the line '...'"},
    // products
    {"UnknownFact", "products.yaml",
     "xcds:", "dies:", "manifests/products.yaml:4: ", "unknown field 'dies' of a product"},
    {"FactWithoutSource", "products.yaml", "{value: 8, source: \"a table\"}", "{value: 8}",
     "manifests/products.yaml:4: ", "a fact has no field 'source'"},
    {"FactIsNumber", "products.yaml", "{value: 8, source: \"a table\"}", "8",
     "manifests/products.yaml:4: ", "a fact is '8', expected a mapping"},
    {"FactIsNoNumber", "products.yaml", "2100.5", "2100.5 MHz",
     "manifests/products.yaml:5: ", "'value' is '2100.5 MHz', expected a number"},
    {"FactIsNaN", "products.yaml", "2100.5", "nan",
     "manifests/products.yaml:5: ", "'value' is 'nan', expected a number"},
    {"FactIsZero", "products.yaml", "value: 8", "value: 0",
     "manifests/products.yaml:4: ", "'xcds' is 0, expected a number above 0"},
    {"ProductWithoutName", "products.yaml", "name: MI000X\n    ", "",
     "manifests/products.yaml:2: ", "a product has no field 'name'"},
    // faults
    {"FaultNamesNoClaim", "faults.yaml", "[CDNA-1.1]", "[CDNA-1.1, CDNA-7.7]",
     "manifests/faults.yaml:5: ", "no claim has the id 'CDNA-7.7'"},
    {"FaultWithoutClaims", "faults.yaml", "[CDNA-1.1]", "[]",
     "manifests/faults.yaml:5: ", "'claims' is an empty list"},
    {"UnknownFaultKind", "faults.yaml", "kind: emulator", "kind: gpu",
     "manifests/faults.yaml:3: ", "unknown kind 'gpu', expected one of emulator, reference"},
    {"FaultNameNoWord", "faults.yaml", "lane_dropped", "Lane Dropped",
     "manifests/faults.yaml:2: ", "fault name 'Lane Dropped'"},
    {"FaultWithoutWhat", "faults.yaml", "what", "whot",
     "manifests/faults.yaml:6: ", "unknown field 'whot' of a fault, did you mean 'what'"},
    {"FaultTwice", "faults.yaml", "faults:\n",
     "faults:\n  - {name: lane_dropped, kind: reference, targets: [gfx950], claims: [CDNA-1.1], what: x, "
     "like: y}\n",
     "manifests/faults.yaml:3: ", "fault 'lane_dropped' is already at manifests/faults.yaml:2"},
    {"FaultsIsNothing", "faults.yaml", "faults:\n", "other: 1\nfaults:\n",
     "manifests/faults.yaml:1: ", "unknown field 'other' of a file of faults"},
    // waivers
    {"WaiverNamesNoClaim", "waivers.yaml", "CDNA-1.2", "CDNA-9.9",
     "manifests/waivers.yaml:3: ", "no claim has the id 'CDNA-9.9'"},
    {"WaiverOfClaimAndTest", "waivers.yaml", "    target", "    test: A.*\n    target",
     "manifests/waivers.yaml:2: ", "either 'claim' or 'test'"},
    {"WaiverOfNothing", "waivers.yaml", "    claim: CDNA-1.2\n", "",
     "manifests/waivers.yaml:2: ", "either 'claim' or 'test'"},
    {"WaiverOfPassed", "waivers.yaml", "expected: failed", "expected: passed",
     "manifests/waivers.yaml:6: ", "unknown expected 'passed', expected one of failed, skipped, error"},
    {"WaiverWithoutUrl", "waivers.yaml", "    url: https://example.org/1\n", "",
     "manifests/waivers.yaml:2: ", "a waiver has no field 'url'"},
    {"WaiverUrlNoAddress", "waivers.yaml", "https://example.org/1", "later",
     "manifests/waivers.yaml:8: ", "'url' is 'later', expected the address of a page"},
    {"WaiverUrlOfTwoWords", "waivers.yaml", "https://example.org/1", "https://example.org/1 and 2",
     "manifests/waivers.yaml:8: ", "expected the address of a page"},
    {"WaiverOfTargetNotListed", "waivers.yaml", "target: gfx950", "target: gfx942",
     "manifests/waivers.yaml:2: ",
     "waiver 'known' is for CDNA-1.2 on gfx942, and the claim does not list this target"},
    {"WaiverForEver", "waivers.yaml", "2026-12-31", "never",
     "manifests/waivers.yaml:10: ", "'expires' is 'never', expected a day"},
    {"WaiverNoSuchDay", "waivers.yaml", "2026-12-31", "2026-02-29",
     "manifests/waivers.yaml:10: ", "expected a day"},
    {"WaiverDayWithTail", "waivers.yaml", "2026-12-31", "2026-12-311",
     "manifests/waivers.yaml:10: ", "expected a day"},
    {"WaiverRangeMalformed", "waivers.yaml", ">=22 <23", "22-23",
     "manifests/waivers.yaml:5: ", "'compiler': '22-23' is no version range"},
    {"WaiverRangeUnknownComparison", "waivers.yaml", ">=22 <23", "~22",
     "manifests/waivers.yaml:5: ", "'~' is no comparison"},
    // gate
    {"GateClassMissing", "gate.yaml", "  FIX: warn\n", "",
     "manifests/gate.yaml:2: ", "a policy has no field 'FIX'"},
    {"GateUnknownClass", "gate.yaml", "FIX", "FIXED",
     "manifests/gate.yaml:5: ", "unknown field 'FIXED' of a policy, did you mean 'FIX'"},
    {"GateUnknownAction", "gate.yaml", "warn", "ignore",
     "manifests/gate.yaml:5: ", "unknown action 'ignore', expected one of fail, warn, pass"},
    {"GateTimeClassMissing", "gate.yaml", "  AMBIGUOUS: warn\n", "",
     "manifests/gate.yaml:2: ", "a policy has no field 'AMBIGUOUS'"},
    {"GateWithoutThreshold", "gate.yaml", "time_threshold: 0.05\n", "",
     "manifests/gate.yaml:1: ", "a gate policy file has no field 'time_threshold'"},
    {"GateThresholdInPercent", "gate.yaml", "0.05", "5",
     "manifests/gate.yaml:12: ", "'time_threshold' is 5, expected a number between 0 and 1"},
    {"GateThresholdNoNumber", "gate.yaml", "0.05", "5%",
     "manifests/gate.yaml:12: ", "'time_threshold' is '5%', expected a number"},
};

class BrokenManifest : public testing::TestWithParam<Broken> {};

TEST_P(BrokenManifest, IsAnErrorWithFileAndLine) {
  const Broken& broken = GetParam();
  std::string text = small_files.at(broken.file);
  const std::size_t place = text.find(broken.from);
  ASSERT_NE(place, std::string::npos)
      << "the valid " << broken.file << " has no '" << broken.from << "' to replace";
  const SmallManifests manifests;
  manifests.write(broken.file, text.replace(place, std::string(broken.from).size(), broken.to));
  const std::string result = result_of_load(manifests.folder());
  EXPECT_EQ(result.find(broken.begins), 0u)
      << "expected to begin with: " << broken.begins << "\ngot: " << result;
  EXPECT_NE(result.find(broken.contains), std::string::npos)
      << "expected to contain: " << broken.contains << "\ngot: " << result;
  EXPECT_EQ(result.find('\n'), std::string::npos) << "expected one line, got: " << result;
}

INSTANTIATE_TEST_SUITE_P(Schema, BrokenManifest, testing::ValuesIn(broken_manifests),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Folder, UnbrokenSmallSetLoads) {
  const SmallManifests manifests;
  EXPECT_EQ(result_of_load(manifests.folder()), "loaded");
  EXPECT_EQ(load(manifests.folder() / "").claims.front().file, "manifests/claims/cdna.yaml")
      << "with a slash at the end";
}

TEST(Folder, EveryFieldArrives) {
  const SmallManifests small;
  const Manifests all = load(small.folder());
  ASSERT_EQ(all.claims.size(), 2u);
  const Claim& first = all.claims[0];
  EXPECT_EQ(first.id, "CDNA-1.1");
  EXPECT_EQ(first.document, "cdna");
  EXPECT_EQ(first.section, "1");
  EXPECT_EQ(first.targets, (std::vector{Target::gfx942, Target::gfx950}));
  EXPECT_EQ(first.suite, "lane_ownership");
  EXPECT_EQ(first.label, (std::map<std::string, std::string>{{"isa", "Listed"}}));
  EXPECT_EQ(first.checks, (std::vector{Check::compile, Check::run}));
  EXPECT_EQ(first.needs, "");
  EXPECT_EQ(first.text, "A wave has 64 lanes.");
  EXPECT_EQ(first.trap, "a wave of 32 lanes");
  EXPECT_EQ(first.see, std::vector<std::string>{"CDNA-1.2"});
  EXPECT_EQ(first.line, 4);
  const Claim& second = all.claims[1];
  EXPECT_EQ(second.needs, "gpu");
  EXPECT_EQ(second.text, "LDS has 64 banks.");
  EXPECT_EQ(second.label.at("llvm"), "gfx942 Not enabled, gfx950 Enabled");
  EXPECT_EQ(second.authority, std::vector<std::string>{"ISA4 11.1"});
  EXPECT_EQ(second.line, 13);

  ASSERT_EQ(all.documents.size(), 1u);
  EXPECT_EQ(all.documents[0].title, "A document");
  ASSERT_EQ(all.products.size(), 1u);
  EXPECT_EQ(all.products[0].name, "MI000X");
  ASSERT_TRUE(all.products[0].xcds.has_value());
  EXPECT_EQ(all.products[0].xcds->value, 8);
  EXPECT_EQ(all.products[0].xcds->source, "a table");
  ASSERT_TRUE(all.products[0].peak_clock_mhz.has_value());
  EXPECT_EQ(all.products[0].peak_clock_mhz->value, 2100.5);
  EXPECT_FALSE(all.products[0].io_dies.has_value());

  ASSERT_EQ(all.faults.size(), 1u);
  EXPECT_EQ(all.faults[0].name, "lane_dropped");
  EXPECT_EQ(all.faults[0].kind, Fault::Kind::emulator);
  EXPECT_EQ(all.faults[0].claims, std::vector<std::string>{"CDNA-1.1"});
  EXPECT_EQ(all.faults[0].targets, std::vector{Target::gfx942});
  EXPECT_EQ(all.faults[0].what, "Lane 63 reads zero.");
  EXPECT_EQ(all.faults[0].like, "A wave that is not whole.");

  ASSERT_EQ(all.waivers.size(), 1u);
  EXPECT_EQ(all.waivers[0].id, "known");
  EXPECT_EQ(all.waivers[0].claim, "CDNA-1.2");
  EXPECT_EQ(all.waivers[0].test, "");
  EXPECT_EQ(all.waivers[0].target, Target::gfx950);
  EXPECT_EQ(all.waivers[0].compiler, ">=22 <23");
  EXPECT_EQ(all.waivers[0].driver, "");
  EXPECT_EQ(all.waivers[0].expected, Outcome::failed);
  EXPECT_EQ(all.waivers[0].expires, "2026-12-31");

  EXPECT_EQ(all.gate.actions.at(Difference::regression), Action::fail);
  EXPECT_EQ(all.gate.actions.at(Difference::fix), Action::warn);
  EXPECT_EQ(all.gate.actions.at(Difference::added), Action::pass);
  EXPECT_EQ(all.gate.actions.size(), all_differences.size());
}

TEST(Folder, MissingFileIsNamed) {
  const SmallManifests manifests;
  std::filesystem::remove(manifests.folder() / "gate.yaml");
  EXPECT_NE(result_of_load(manifests.folder()).find("gate.yaml: cannot open"), std::string::npos)
      << result_of_load(manifests.folder());
  std::filesystem::remove_all(manifests.folder() / "claims");
  EXPECT_NE(result_of_load(manifests.folder()).find("no folder of manifests"), std::string::npos)
      << result_of_load(manifests.folder());
}

TEST(Folder, FieldOfEntriesMustBeAList) {
  const SmallManifests manifests;
  manifests.write("waivers.yaml", "waivers: none\n...\n");
  EXPECT_EQ(result_of_load(manifests.folder()),
            "manifests/waivers.yaml:1: 'waivers' is 'none', expected a list");
}

TEST(Folder, FileThatIsNoManifestIsNamed) {
  const SmallManifests manifests;
  manifests.write("fault.yaml", small_files.at("faults.yaml"));
  EXPECT_NE(result_of_load(manifests.folder()).find("fault.yaml:1: no manifest has this name"),
            std::string::npos)
      << result_of_load(manifests.folder());
}

TEST(Truncated, EveryProperPrefixOfEveryFileIsRefused) {
  const SmallManifests manifests;
  for (const auto& [file, text] : small_files) {
    for (std::size_t size = 0; size < text.size(); ++size) {
      manifests.write(file, text.substr(0, size));
      const std::string result = result_of_load(manifests.folder());
      ASSERT_EQ(result.find("manifests/" + file + ":"), 0u)
          << "the first " << size << " bytes gave: " << result;
    }
    manifests.write(file, text);
  }
}

TEST(Damaged, AnyByteChangedGivesAnErrorOfOursOrLoads) {
  const char* chosen = std::getenv("CDNA_CTS_SEED");
  const auto seed = static_cast<std::uint32_t>(chosen == nullptr ? 1234 : std::strtoul(chosen, nullptr, 10));
  std::mt19937 random(seed);
  const SmallManifests manifests;
  for (const auto& [file, text] : small_files) {
    for (int round = 0; round < 200; ++round) {
      std::string damaged = text;
      const std::size_t place = random() % damaged.size();
      damaged[place] = static_cast<char>(random() % 256);
      manifests.write(file, damaged);
      try {
        load(manifests.folder());
      } catch (const Error& e) {
        ASSERT_EQ(std::string(e.what()).find("manifests/"), 0u)
            << e.what() << "\nseed " << seed << ", " << file << " byte " << place;
      } catch (const std::exception& e) {
        FAIL() << "not an Error: " << e.what() << "\nseed " << seed << ", " << file << " byte " << place;
      }
    }
    manifests.write(file, text);
  }
}

TEST(Hash, FollowsWhatIsTestedAndNothingElse) {
  const SmallManifests one, other;
  const std::string hash = load(one.folder()).hash;
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(load(other.folder()).hash, hash) << "the place of the folder must not count";
  for (const char* judging : {"waivers.yaml", "gate.yaml"}) {
    other.write(judging, "# a remark\n" + small_files.at(judging));
    EXPECT_EQ(load(other.folder()).hash, hash) << judging << " only judges differences";
  }
  for (const char* testing : {cdna, "faults.yaml", "products.yaml"}) {
    other.write(testing, "# a remark\n" + small_files.at(testing));
    EXPECT_NE(load(other.folder()).hash, hash) << testing << " has changed";
    other.write(testing, small_files.at(testing));
  }
}

TEST(GatePolicyFile, LoadsAloneUnderItsOwnName) {
  const SmallManifests manifests;
  manifests.write("strict.yaml", "policy: {REGRESSION: fail, MISSING: fail, CHANGED: fail, FIX: fail, NEW: "
                                 "fail, WAIVED: warn, SAME: pass, FASTER: pass, SLOWER: fail,\n"
                                 "  AMBIGUOUS: warn}\ntime_threshold: 0.1\n...\n");
  const GatePolicy policy = load_gate_policy(manifests.folder() / "strict.yaml");
  EXPECT_EQ(policy.actions.at(Difference::fix), Action::fail);
  EXPECT_EQ(policy.actions.at(Difference::waived), Action::warn);
  manifests.write("bad.yaml", "policy:\n  FIX: fail\ntime_threshold: 0.1\n...\n");
  try {
    load_gate_policy(manifests.folder() / "bad.yaml");
    FAIL() << "an incomplete policy loaded";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("bad.yaml:2: a policy has no field 'REGRESSION'"), std::string::npos)
        << e.what();
  }
}

} // namespace
} // namespace cts::manifest::tests
