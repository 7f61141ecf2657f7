// What a bundle says follows from its records, or is named.
#include "runners/report/report.hpp"
#include "tests/bundle/damage.hpp"
#include "tests/bundle/world.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>

namespace cts::bundle {
namespace {

using tests::rehashed;
using tests::World;

constexpr const char* records_name = "records/001/lane_ownership.gfx942.O3.jsonl";
constexpr const char* begun_name = "records/001/lane_ownership.gfx942.O3.begun";

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
}

void remove_lines_with(std::string& text, const std::string& word) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(word) == std::string::npos) kept += line + "\n";
  ASSERT_NE(kept, text) << word;
  text = kept;
}

/// Changes report.json as a JSON document.
void edit_report(Members& members, const std::function<void(nlohmann::ordered_json&)>& edit) {
  auto json = nlohmann::ordered_json::parse(members.at("report.json"));
  edit(json);
  members["report.json"] = report::dump(json);
}

class Verify : public testing::Test {
protected:
  World world;
  Members members = world.members();

  /// All findings on the members as they are now, with right hashes.
  std::string findings() { return joined(verify(pack(rehashed(members)), "B").findings); }

  void expect_finding(const std::string& line) {
    const std::string all = findings();
    EXPECT_NE(("\n" + all + "\n").find("\n" + line + "\n"), std::string::npos)
        << "expected: " << line << "\ngot: " << all;
  }
};

TEST_F(Verify, AnHonestBundleFollows) {
  const Verification verified = verify(pack(members), "B");
  EXPECT_EQ(joined(verified.findings), "");
  EXPECT_EQ(verified.digest, sha256(members.at("SHA256SUMS")));
  EXPECT_EQ(verified.summary.substr(0, verified.summary.find("; manifests")),
            "6 records; 3 verdicts on 2 claims: 1 holds, 1 violated, 0 flaky, 0 observed, 1 not executed");
}

TEST_F(Verify, TheSameSourcesGiveTheSameBytes) {
  EXPECT_EQ(pack(members), pack(world.members()));
  EXPECT_EQ(pack(members), pack(World().members())) << "made in another folder at another time";
}

/// The place of a random change, and that verify() names it first.
TEST_F(Verify, EveryChangedByteIsNamed) {
  const char* given = std::getenv("CDNA_CTS_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 1234;
  std::mt19937_64 random(seed);
  const std::string whole = pack(members);
  const auto places = tests::places(whole);
  std::set<std::string> named;
  for (int n = 0; n < 2000; ++n) {
    const std::size_t offset = random() % whole.size();
    std::string file = whole;
    file[offset] = static_cast<char>(file[offset] ^ static_cast<char>(1 + random() % 255));
    const std::string& what = tests::place_of(places, offset).what;
    ASSERT_NE(tests::first_word_on(file).find(what), std::string::npos)
        << "seed " << seed << ", byte " << offset << " set to " << static_cast<int>(file[offset])
        << ": expected " << what << ", got '" << tests::first_word_on(file) << "'";
    named.insert(what);
  }
  EXPECT_EQ(named.size(), places.size()) << "each place was hit";
}

TEST_F(Verify, AChangedLineOfARecordFileIsNamed) {
  replace(members[records_name], "\"outcome\":\"failed\"", "\"outcome\":\"fai?ed\"");
  expect_finding(std::string(records_name) + ":2: field 'outcome' has the unknown value 'fai?ed'");
}

TEST_F(Verify, ChangesWithoutNewHashesNameTheMember) {
  members[records_name][10] ^= 1;
  const std::string all = joined(verify(pack(members), "B").findings);
  EXPECT_NE(all.find(fmt::format("member '{}': its SHA-256 is {}, SHA256SUMS says ", records_name,
                                 sha256(members[records_name]))),
            std::string::npos)
      << all;
}

TEST_F(Verify, AVerdictThatDoesNotFollow) {
  edit_report(members, [](auto& json) { json["claims"][0]["targets"]["gfx942"]["verdict"] = "holds"; });
  expect_finding(R"(CDNA-1.1 gfx942 verdict: the report says "holds", "violated" follows)");
}

TEST_F(Verify, EveryDerivedFieldIsDerived) {
  const struct {
    const char *pointer, *value, *finding;
  } forgeries[] = {
      {"/claims/0/targets/gfx942/validation", R"("GPU tested")",
       R"(CDNA-1.1 gfx942 validation: the report says "GPU tested", "Model executed" follows)"},
      {"/claims/0/targets/gfx942/reason", R"("")",
       R"(CDNA-1.1 gfx942 reason: the report says "", "lane_ownership.Wave.LastLane (O3) failed: lane 63: expected 1, got 0" follows)"},
      {"/claims/0/targets/gfx942/checks/run/verdict", R"("holds")",
       R"(CDNA-1.1 gfx942 checks run verdict: the report says "holds", "violated" follows)"},
      {"/claims/0/targets/gfx950/evidence/gpu/verdict", R"("holds")",
       R"(CDNA-1.1 gfx950 evidence gpu verdict: the report says "holds", "not executed" follows)"},
      {"/claims/0/targets/gfx942/faults/detected", "0",
       "CDNA-1.1 gfx942 faults detected: the report says 0, 1 follows"},
      {"/claims/1/targets/gfx950/verdict", R"("holds")",
       R"(CDNA-1.2 gfx950 verdict: the report says "holds", "not executed" follows)"},
      {"/claims/0/claim", R"("A wave has 32 lanes.")",
       R"(CDNA-1.1 claim: the report says "A wave has 32 lanes.", "A wave has 64 lanes." follows)"},
      {"/seen_faults/0/faults", "[]",
       R"(seen_faults lane_ownership.Wave.HasLanes gfx942 faults: the report says [], ["lane_dropped"] follows)"},
      {"/summary/gfx942/verdicts/violated", "0",
       "summary gfx942 verdicts violated: the report says 0, 1 follows"},
      {"/problems", R"(["invented"])", R"(problems: the report says ["invented"], [] follows)"},
      {"/verdict", R"("fine")", R"(verdict: the report says "fine", nothing of that kind follows)"},
  };
  for (const auto& [pointer, value, finding] : forgeries) {
    members = world.members();
    edit_report(members, [&](auto& json) {
      json[nlohmann::ordered_json::json_pointer(pointer)] = nlohmann::ordered_json::parse(value);
    });
    expect_finding(finding);
  }
}

TEST_F(Verify, AFailedRecordThatWasDeleted) {
  remove_lines_with(members[records_name], "Wave.LastLane");
  expect_finding(R"(CDNA-1.1 gfx942 verdict: the report says "violated", "not executed" follows)");
  expect_finding("CDNA-1.1 gfx942 tests lane_ownership.Wave.LastLane (O3) run outcome: the report says "
                 R"("failed", "error" follows)");
  // With its beginning too, nothing of it is left but what the report says.
  remove_lines_with(members[begun_name], "Wave.LastLane");
  expect_finding("CDNA-1.1 gfx942 tests lane_ownership.Wave.LastLane (O3) run: the report has it, no record "
                 "says so");
  // Deleted from the report too, and its beginning left: it began.
  members[begun_name] = world.members()[begun_name];
  edit_report(members, [](auto& json) {
    auto& tests = json["claims"][0]["targets"]["gfx942"]["tests"];
    for (auto test = tests.begin(); test != tests.end(); ++test)
      if ((*test)["test"] == "Wave.LastLane") {
        tests.erase(test);
        break;
      }
  });
  expect_finding("CDNA-1.1 gfx942 tests lane_ownership.Wave.LastLane (O3) run: records say it, the report "
                 "leaves it out");
}

TEST_F(Verify, ARecordThatIsNowAGpus) {
  replace(members[records_name], "\"runner\":\"emulator\"", "\"runner\":\"gpu\"");
  const std::string all = findings();
  EXPECT_NE(all.find(R"(runner: the report says "emulator", "gpu" follows)"), std::string::npos) << all;
}

TEST_F(Verify, ManifestsThatAskForLess) {
  replace(members["manifests/claims/cdna.yaml"], "check: [compile, run]", "check: [compile]");
  const std::string all = findings();
  EXPECT_NE(all.find("manifests: the report says "), std::string::npos) << all;
  EXPECT_NE(all.find("CDNA-1.1 check: the report says [\"compile\",\"run\"], [\"compile\"] follows"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("bundle.json:4: it says '  \"manifests\": "), std::string::npos) << all;
  members["manifests/claims/cdna.yaml"] += "more\n";
  EXPECT_NE(findings().find("manifests/claims/cdna.yaml:"), std::string::npos) << findings();
}

TEST_F(Verify, PagesCodeAndTheBundlesOwnFile) {
  replace(members["pages/REPORT.md"], "violated", "observed");
  EXPECT_NE(findings().find("pages/REPORT.md:"), std::string::npos) << findings();
  members = world.members();
  members["code/lane_ownership.gfx942.O3.co"] = "other code";
  expect_finding(
      fmt::format("member 'code/lane_ownership.gfx942.O3.co': its SHA-256 is {}, the records' tests "
                  "loaded [\"{}\"]",
                  sha256("other code"), sha256("code of gfx942")));
  members = world.members();
  replace(members["bundle.json"], "\"records\": 6", "\"records\": 5");
  expect_finding(R"(bundle.json:5: it says '  "records": 5,', '  "records": 6,' follows)");
}

TEST_F(Verify, AReportOfAnotherForm) {
  const std::string bytes = members["report.json"];
  // A key twice: readers may take either.
  replace(members["report.json"], "\"verdict\": \"violated\"",
          "\"verdict\": \"holds\", \"verdict\": \"violated\"");
  EXPECT_NE(findings().find("report.json:"), std::string::npos) << findings();
  members["report.json"] = "[]\n";
  EXPECT_NE(findings().find("report.json: not a report that can be read"), std::string::npos) << findings();
  members["report.json"] = bytes.substr(0, bytes.size() / 2);
  EXPECT_NE(findings().find("report.json:"), std::string::npos) << findings();
  for (const char* environment :
       {R"({"gpus": [1]})", R"({"gpus": [{"target": 3}]})", R"({"speed": "high"})"}) {
    members["report.json"] = bytes;
    edit_report(members,
                [&](auto& json) { json["environment"] = nlohmann::ordered_json::parse(environment); });
    EXPECT_NE(findings().find("report.json: no "), std::string::npos) << environment << findings();
  }
}

TEST_F(Verify, MembersThatAreMissingOrTooMany) {
  for (const char* name : {"report.json", "bundle.json", "manifests/faults.yaml"}) {
    members = world.members();
    members.erase(name);
    EXPECT_NE(findings().find(name), std::string::npos) << name << findings();
  }
  members = world.members();
  members.erase("manifests/claims/cdna.yaml");
  expect_finding("manifests/claims: holds no file of claims");
  members = world.members();
  members["notes.txt"] = "x";
  expect_finding("member 'notes.txt': a bundle has none of this name");
  // Without new hashes.
  const auto without_hashes = [&] { return joined(verify(pack(members), "B").findings); };
  EXPECT_NE(without_hashes().find("member 'notes.txt': SHA256SUMS does not list it"), std::string::npos);
  members.erase("notes.txt");
  members.erase(begun_name);
  EXPECT_NE(without_hashes().find(fmt::format("member '{}': is missing, SHA256SUMS lists it", begun_name)),
            std::string::npos)
      << without_hashes();
  members.erase("SHA256SUMS");
  EXPECT_EQ(without_hashes().substr(0, 31), "member 'SHA256SUMS': is missing") << without_hashes();
}

TEST_F(Verify, SwappedRecordsAreNamed) {
  std::swap(members[records_name], members["records/001/lane_ownership.gfx942.jsonl"]);
  const std::string all = joined(verify(pack(members), "B").findings);
  EXPECT_NE(all.find(fmt::format("member '{}': its SHA-256 is ", records_name)), std::string::npos) << all;
}

/// Who changes records, report and hashes alike has made another honest-looking bundle: only the digest that
/// was noted elsewhere tells.
TEST_F(Verify, AConsistentForgeryHasAnotherDigest) {
  const std::string noted = digest_of(members);
  std::string bytes = read_file(world.evidence() / "lane_ownership.gfx942.O3.jsonl");
  replace(bytes, "lane 63: expected 1, got 0", "lane 62: expected 1, got 0");
  write_file(world.evidence() / "lane_ownership.gfx942.O3.jsonl", bytes);
  world.write_report();
  const Verification forged = verify(pack(world.members()), "B");
  EXPECT_EQ(joined(forged.findings), "");
  EXPECT_NE(forged.digest, noted);
}

TEST_F(Verify, ProblemsOfTheEvidenceMayNameAnotherFolder) {
  append_line(world.evidence() / "lane_ownership.gfx942.O3.jsonl", "{\"schema\":1,\"cla");
  world.write_report();
  EXPECT_EQ(joined(verify(pack(world.members()), "B").findings), "");
}

} // namespace
} // namespace cts::bundle
