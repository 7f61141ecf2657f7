// The command itself: exit statuses, files written whole or not at all.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/report/environment.hpp"
#include "tests/report/crafted.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cts {
namespace {

using crafted::Folder;
using namespace std::chrono_literals;

/// A record of a claim that the real manifests have.
Record real_record() { return crafted::record("CDNA-1.1", Check::run); }

CommandResult cdna_cts(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{CDNA_CTS_COMMAND};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_command(argv, 120s);
}

class Command : public testing::Test {
protected:
  Folder folder;
  std::string evidence = (folder.path() / "evidence").string();

  void SetUp() override { std::filesystem::create_directories(evidence); }

  /// report.json of the evidence so far, under `name`.
  std::string report(const std::string& name) {
    const std::string file = (folder.path() / name).string();
    write_file(folder.path() / "environment.json", "{}");
    last = cdna_cts({"report", "--evidence", evidence, "--format", "json", "-o", file, "--environment",
                     (folder.path() / "environment.json").string()});
    return file;
  }
  CommandResult last;
};

TEST_F(Command, ReportEndsWithZeroWithoutFindings) {
  append_record(evidence, real_record());
  report("report.json");
  EXPECT_EQ(last.status, 0) << last.err;
}

TEST_F(Command, ReportEndsWithOneForAViolationAnUnfinishedTestOrATornRecord) {
  append_record(evidence, crafted::with(real_record(), Outcome::failed, "x"));
  report("report.json");
  EXPECT_EQ(last.status, 1) << last.err;
  std::filesystem::remove_all(evidence);
  append_begun(evidence, real_record());
  report("report.json");
  EXPECT_EQ(last.status, 1) << last.err;
  std::filesystem::remove_all(evidence);
  write_file(evidence + "/a.jsonl", "{\"schema\":1,");
  report("report.json");
  EXPECT_EQ(last.status, 1) << last.err;
}

TEST_F(Command, ReportEndsWithTwoForUnreadableInputAndWritesNothing) {
  write_file(evidence + "/a.jsonl", "{\"schema\":2}\n");
  const std::string file = report("report.json");
  EXPECT_EQ(last.status, 2);
  EXPECT_NE(last.err.find("a.jsonl:1: "), std::string::npos) << last.err;
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(cdna_cts({"report", "--evidence", evidence + "/absent"}).status, 2);
  EXPECT_EQ(cdna_cts({"report"}).status, 2);
}

TEST_F(Command, MarkdownIsTheSameOnEveryRun) {
  append_record(evidence, real_record());
  write_file(folder.path() / "environment.json", "{}");
  const std::vector<std::string> argv{"report", "--evidence", evidence, "--format", "md"};
  const CommandResult once = cdna_cts(argv), again = cdna_cts(argv);
  EXPECT_EQ(once.status, 0) << once.err;
  EXPECT_EQ(once.out, again.out);
  EXPECT_NE(once.out.find("| CDNA-1.1 |"), std::string::npos);
}

TEST_F(Command, GateComparesTwoReports) {
  append_record(evidence, crafted::record("CDNA-5.13", Check::host));
  const std::string baseline = report("baseline.json");
  const std::string copy = report("copy.json");
  const CommandResult same = cdna_cts({"gate", "--baseline", baseline, "--candidate", copy});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(same.out.ends_with("gate: pass, no difference\n")) << same.out;
  append_record(evidence, crafted::with(crafted::record("CDNA-5.13", Check::host), Outcome::failed, "x"));
  const std::string candidate = report("candidate.json");
  const CommandResult worse = cdna_cts({"gate", "--baseline", baseline, "--candidate", candidate});
  EXPECT_EQ(worse.status, 1) << worse.err;
  EXPECT_EQ(worse.out.substr(0, 27), "REGRESSION CDNA-5.13 gfx942") << worse.out;
  EXPECT_EQ(cdna_cts({"gate", "--baseline", baseline, "--candidate", baseline + ".absent"}).status, 2);
}

TEST_F(Command, GateTakesEachOptionOnceAndBothReports) {
  append_record(evidence, crafted::record("CDNA-5.13", Check::host));
  const std::string file = report("report.json");
  const std::vector<std::string> both{"gate", "--baseline", file, "--candidate", file};
  const auto refused = [&](std::vector<std::string> argv, const std::vector<std::string>& more = {}) {
    argv.insert(argv.end(), more.begin(), more.end());
    const CommandResult result = cdna_cts(argv);
    EXPECT_EQ(result.status, 2) << fmt::format("{}", fmt::join(argv, " "));
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_NE(refused({"gate", "--baseline", file}).find("--candidate"), std::string::npos);
  EXPECT_NE(refused({"gate", "--candidate", file}).find("--baseline"), std::string::npos);
  for (const char* option : {"--baseline", "--candidate"})
    EXPECT_NE(refused(both, {option, file}).find(option), std::string::npos);
  EXPECT_NE(refused(both, {"--format", "md", "--format", "json"}).find("--format"), std::string::npos);
  EXPECT_NE(refused(both, {"--format", "html"}).find("--format"), std::string::npos);
  EXPECT_NE(refused(both, {"--today", "tomorrow"}).find("'tomorrow' is no day"), std::string::npos);
  EXPECT_NE(refused(both, {"--today", "2026-02-29"}).find("is no day"), std::string::npos);
  EXPECT_NE(refused(both, {"--policy", file}).find("report.json:"), std::string::npos);
  EXPECT_NE(refused(both, {"--baselin", file}).find("--baselin"), std::string::npos);
  EXPECT_NE(refused({"gate", "--baseline", folder.path().string(), "--candidate", file})
                .find(folder.path().string()),
            std::string::npos);
}

TEST_F(Command, WaiversAreListedAndChecked) {
  append_record(evidence, crafted::record("CDNA-5.13", Check::host));
  const std::string manifests = (folder.path() / "manifests").string();
  std::filesystem::copy(manifest::manifest_folder(), manifests, std::filesystem::copy_options::recursive);
  const std::string entry =
      "waivers:\n  - id: known\n    claim: CDNA-5.13\n    target: gfx942\n    expected: failed\n"
      "    reason: A defect.\n    url: https://example.org/1\n    owner: somebody\n"
      "    expires: 2026-06-30\n...\n";
  write_file(manifests + "/waivers.yaml", entry);
  const std::string file = report("report.json");
  const auto waivers = [&](const std::vector<std::string>& more) {
    std::vector<std::string> argv{"waivers", "--manifests", manifests};
    argv.insert(argv.end(), more.begin(), more.end());
    return cdna_cts(argv);
  };
  const std::string
      passes = "manifests/waivers.yaml:2: waiver 'known': passes: CDNA-5.13 passes, expected failed\n",
      expired = "manifests/waivers.yaml:2: waiver 'known': expired: its last day was 2026-06-30\n";
  EXPECT_EQ(waivers({"--today", "2026-06-30", "--check"}).status, 0);
  CommandResult result = waivers({"--today", "2026-07-01"});
  EXPECT_EQ(result.status, 0) << "listed only";
  EXPECT_TRUE(result.out.starts_with(expired)) << result.out;
  EXPECT_EQ(waivers({"--today", "2026-07-01", "--check"}).status, 1);
  result = waivers({"--today", "2026-06-30", "--check", "--report", file});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(result.out.starts_with(passes)) << result.out;
  result = waivers({"--today", "2026-06-30", "--report", file, "--format", "json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::ordered_json::parse(result.out).at("waivers").at(0).at("state"), "passes");
  result = cdna_cts({"report", "--evidence", evidence, "--manifests", manifests, "--today", "2026-06-30"});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(result.err, "cdna-cts: " + passes);
  write_file(manifests + "/waivers.yaml", entry.substr(0, entry.size() - 4));
  result = waivers({"--check"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "cdna-cts: manifests/waivers.yaml:9: the file does not end with the line '...', so "
                        "it may be truncated\n");
}

TEST_F(Command, ReportIsNoEnvironment) {
  append_record(evidence, real_record());
  const std::string file = report("report.json");
  const CommandResult result = cdna_cts({"report", "--evidence", evidence, "--environment", file});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(
      result.err,
      "cdna-cts: " + file +
          ": no environment: it has a field 'schema'; expected what 'cdna-cts env --format json' prints\n");
}

TEST_F(Command, GateSaysInItsOwnWordsWhatIsWrongWithAFile) {
  append_record(evidence, crafted::record("CDNA-5.13", Check::host));
  const std::string good = report("good.json"), bad = (folder.path() / "bad.json").string();
  const auto refused = [&](const std::string& bytes) {
    write_file(bad, bytes);
    const CommandResult result = cdna_cts({"gate", "--baseline", good, "--candidate", bad});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_TRUE(result.err.starts_with("cdna-cts: " + bad + ":")) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_EQ(result.err.find("json.exception"), std::string::npos) << result.err;
    return result.err;
  };
  const std::string whole = read_file(good);
  EXPECT_NE(refused("{\n\"schema\": 1,\n").find("bad.json:3: not JSON, or not all of it"), std::string::npos);
  EXPECT_NE(refused("{\"schema\": 1}").find("field 'generated' is missing"), std::string::npos);
  auto json = nlohmann::ordered_json::parse(whole);
  json["claims"][0]["targets"]["gfx942"]["tests"] = 3;
  EXPECT_NE(refused(json.dump()).find("gfx942: field 'tests' is of type number, expected a list"),
            std::string::npos);
  json["claims"] = {1};
  EXPECT_NE(refused(json.dump()).find("claim 1 of the list: number in place of an object"),
            std::string::npos);
}

TEST_F(Command, EnvPrintsEveryField) {
  const CommandResult result = cdna_cts({"env", "--format", "json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::ordered_json::parse(result.out, nullptr, false);
  for (const char* field :
       {"os", "kernel", "cpu", "device_compiler", "device_flags", "llvm_objdump", "host_compiler", "commit",
        "dirty", "hip_runtime", "driver", "run_wrapper", "gpus"})
    EXPECT_TRUE(json.contains(field)) << field << " in " << result.out;
}

} // namespace
} // namespace cts
