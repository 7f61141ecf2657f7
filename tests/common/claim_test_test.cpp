// A suite's binary from outside: what it lists, how it ends, and the evidence it leaves.
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

namespace cts {
namespace {

struct Ran {
  CommandResult result;
  Evidence evidence;
};

/// Runs one test of the sample suite with an evidence folder of its own.
Ran run_one(const std::string& test, const std::map<std::string, std::string>& environment = {},
            const std::string& target = "gfx942") {
  const TemporaryFolder folder("claim-test");
  std::map<std::string, std::string> variables{{"CDNA_CTS_EVIDENCE", folder.path().string()},
                                               {"CDNA_CTS_FAULT", ""}};
  for (const auto& [key, value] : environment) variables[key] = value;
  Ran ran;
  ran.result = run_command({SAMPLE_SUITE, "--target", target, "--opt", "O1", "--gtest_filter=" + test},
                           std::chrono::seconds(60), variables);
  ran.evidence = read_evidence(folder.path());
  return ran;
}

TEST(ClaimTest, WritesOneRecordForEachClaim) {
  const Ran ran = run_one("Host.Passes");
  EXPECT_EQ(0, ran.result.status) << ran.result.out;
  ASSERT_EQ(2u, ran.evidence.records.size());
  for (const Record& r : ran.evidence.records) {
    EXPECT_EQ(Outcome::passed, r.outcome);
    EXPECT_EQ("Host.Passes", r.test);
    EXPECT_EQ("sample", r.suite);
    EXPECT_EQ("gfx942", r.target);
    EXPECT_EQ(Runner::host, r.runner);
    EXPECT_EQ(Check::host, r.check);
    EXPECT_EQ("O1", r.origin.at("opt"));
    EXPECT_EQ(42, r.metrics.at("answers"));
    EXPECT_EQ((std::map<std::string, std::string>{{"sum at O3", "v_add_f32"}}), r.facts);
    EXPECT_EQ(0u, r.seed);
    EXPECT_EQ("", r.fault);
  }
  EXPECT_EQ("CDNA-3.1", ran.evidence.records[0].claim);
  EXPECT_EQ("CDNA-3.2", ran.evidence.records[1].claim);
  EXPECT_TRUE(ran.evidence.unfinished.empty());
}

TEST(ClaimTest, AFactHasOneAnswer) {
  const Ran ran = run_one("Host.ContradictsItself");
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::error, ran.evidence.records[0].outcome);
  EXPECT_EQ("Host.ContradictsItself: fact 'sum at O3': the answer 'v_add_f32' is there already, now it is "
            "'v_fma_f32'",
            ran.evidence.records[0].detail);
}

TEST(ClaimTest, WritesNothingWithoutAnEvidenceFolder) {
  const TemporaryFolder folder("claim-test");
  const CommandResult result = run_command({"env", "-C", folder.path().string(), SAMPLE_SUITE, "--target",
                                            "gfx942", "--opt", "O1", "--gtest_filter=Host.Passes"},
                                           std::chrono::seconds(60), {{"CDNA_CTS_EVIDENCE", ""}});
  EXPECT_EQ(0, result.status) << result.out;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ClaimTest, FailureKeepsItsFirstLine) {
  const Ran ran = run_one("Host.Fails");
  EXPECT_EQ(1, ran.result.status);
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::failed, ran.evidence.records[0].outcome);
  EXPECT_NE(std::string::npos, ran.evidence.records[0].detail.find("sum")) << ran.evidence.records[0].detail;
  EXPECT_EQ(std::string::npos, ran.evidence.records[0].detail.find('\n'));
}

TEST(ClaimTest, RecordKeepsTheFirstMismatchAlone) {
  const Ran ran = run_one("Host.Mismatches");
  EXPECT_EQ(1, ran.result.status);
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ("CDNA-3.1 CDNA-3.2 v_mfma: lane 3: expected 0x00000000, got 0x00000001",
            ran.evidence.records[0].detail);
}

TEST(ClaimTest, ComparingNothingFails) {
  const Ran ran = run_one("Host.ComparesNothing");
  EXPECT_EQ(1, ran.result.status);
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::failed, ran.evidence.records[0].outcome);
  EXPECT_EQ("Host.ComparesNothing: compared nothing", ran.evidence.records[0].detail);
}

TEST(ClaimTest, ExceptionIsAnErrorAndFails) {
  const Ran ran = run_one("Host.Throws");
  EXPECT_EQ(1, ran.result.status);
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::error, ran.evidence.records[0].outcome);
  EXPECT_EQ("Host.Throws: no such file: x.co", ran.evidence.records[0].detail);
}

TEST(ClaimTest, KernelThatFailsIsAFailureAndNoError) {
  const Ran ran = run_one("Host.SeesThatTheKernelFailed");
  EXPECT_EQ(1, ran.result.status);
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::failed, ran.evidence.records[0].outcome);
  EXPECT_EQ("Host.SeesThatTheKernelFailed: kernel k: illegal address", ran.evidence.records[0].detail);
}

TEST(ClaimTest, SkipKeepsItsReason) {
  const Ran ran = run_one("Host.Skips");
  EXPECT_EQ(0, ran.result.status);
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::skipped, ran.evidence.records[0].outcome);
  EXPECT_EQ("not today", ran.evidence.records[0].detail);
}

TEST(ClaimTest, CrashLeavesItsBeginning) {
  const Ran ran = run_one("Host.Crashes");
  EXPECT_EQ(128 + SIGKILL, ran.result.status);
  EXPECT_TRUE(ran.evidence.records.empty());
  ASSERT_EQ(2u, ran.evidence.unfinished.size());
  EXPECT_EQ("Host.Crashes", ran.evidence.unfinished[0].test);
  EXPECT_EQ(Outcome::error, ran.evidence.unfinished[0].outcome);
}

TEST(ClaimTest, ObservationIsMarked) {
  const Ran ran = run_one("Host.Observes");
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_TRUE(ran.evidence.records[0].observed);
  EXPECT_EQ("the larger one", ran.evidence.records[0].detail);
}

TEST(ClaimTest, KnownViolationFailsTheClaimAndIsASkippedTest) {
  const Ran ran = run_one("Host.IsViolatedAsReported");
  EXPECT_EQ(0, ran.result.status);
  EXPECT_NE(std::string::npos, ran.result.out.find("[  SKIPPED ]")) << ran.result.out;
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::failed, ran.evidence.records[0].outcome);
  EXPECT_EQ("2048 in place of 1280 (https://example.org/1)", ran.evidence.records[0].detail);
}

TEST(ClaimTest, KnownViolationHidesNoOtherFailure) {
  const Ran ran = run_one("Host.IsViolatedAndFails");
  EXPECT_EQ(1, ran.result.status);
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::failed, ran.evidence.records[0].outcome);
  EXPECT_NE(std::string::npos, ran.evidence.records[0].detail.find("sum")) << ran.evidence.records[0].detail;
}

TEST(ClaimTest, SeedComesFromTheEnvironmentAndGoesIntoTheRecord) {
  const Ran usual = run_one("Host.Draws"), again = run_one("Host.Draws", {{"CDNA_CTS_SEED", "1234"}}),
            other = run_one("Host.Draws", {{"CDNA_CTS_SEED", "99"}});
  ASSERT_EQ(2u, usual.evidence.records.size());
  ASSERT_EQ(2u, again.evidence.records.size());
  ASSERT_EQ(2u, other.evidence.records.size());
  EXPECT_EQ(1234u, usual.evidence.records[0].seed);
  EXPECT_EQ(99u, other.evidence.records[0].seed);
  EXPECT_EQ(usual.evidence.records[0].metrics, again.evidence.records[0].metrics);
  EXPECT_NE(usual.evidence.records[0].metrics, other.evidence.records[0].metrics);
}

TEST(ClaimTest, SeedThatIsNoNumberIsWrongUsage) {
  const Ran ran = run_one("Host.Draws", {{"CDNA_CTS_SEED", "12x"}});
  EXPECT_EQ(2, ran.result.status);
  EXPECT_EQ("CDNA_CTS_SEED='12x': expected a whole number that fits 64 bits\n", ran.result.err);
}

TEST(ClaimTest, FolderThatTakesNoRecordsIsWrongUsage) {
  const TemporaryFolder folder("claim-test");
  const std::string file = (folder.path() / "file").string();
  write_file(file, "");
  const CommandResult result = run_command({SAMPLE_SUITE, "--target", "gfx942", "--opt", "O1"},
                                           std::chrono::seconds(60), {{"CDNA_CTS_EVIDENCE", file}});
  EXPECT_EQ(2, result.status);
  EXPECT_EQ("CDNA_CTS_EVIDENCE=" + file + ": no records can be written there: Not a directory\n", result.err);
  EXPECT_EQ("", result.out);
}

TEST(ClaimTest, PlantedFaultIsNamedInTheRecord) {
  const Ran ran = run_one("Host.Passes", {{"CDNA_CTS_FAULT", "mfma_d_transposed"}});
  ASSERT_EQ(2u, ran.evidence.records.size());
  EXPECT_EQ("mfma_d_transposed", ran.evidence.records[0].fault);
}

TEST(ClaimTest, NoDeviceSkipsWithTheRuntimesWords) {
  const Ran ran = run_one("Run.SeesTransposition", {{"SAMPLE_DEVICE", "none"}});
  EXPECT_EQ(0, ran.result.status);
  EXPECT_NE(std::string::npos, ran.result.out.find("[  SKIPPED ]"));
  ASSERT_EQ(1u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::skipped, ran.evidence.records[0].outcome);
  EXPECT_EQ("hipGetDeviceCount: no ROCm-capable device is detected (100)", ran.evidence.records[0].detail);
}

TEST(ClaimTest, AnotherDeviceIsRefusedByName) {
  const Ran ran = run_one("Run.SeesTransposition", {{"SAMPLE_DEVICE", "gfx950:sramecc+:xnack-"}});
  EXPECT_EQ(1, ran.result.status);
  ASSERT_EQ(1u, ran.evidence.records.size());
  EXPECT_EQ(Outcome::error, ran.evidence.records[0].outcome);
  EXPECT_EQ("device 0 is gfx950, these tests are for gfx942: use that target's preset",
            ran.evidence.records[0].detail);
}

TEST(ClaimTest, RightDeviceIsNamedInTheRecord) {
  const Ran ran = run_one("Run.SeesTransposition");
  EXPECT_EQ(0, ran.result.status) << ran.result.out;
  ASSERT_EQ(1u, ran.evidence.records.size());
  EXPECT_EQ("made up", ran.evidence.records[0].origin.at("device"));
  EXPECT_EQ(Runner::emulator, ran.evidence.records[0].runner);
}

TEST(ClaimTest, ListsTheTestsOfATargetOnly) {
  const auto list = [](const std::string& target) {
    return run_command({SAMPLE_SUITE, "--target", target, "--list"}, std::chrono::seconds(60)).out;
  };
  const std::string gfx942 = list("gfx942"), gfx950 = list("gfx950");
  EXPECT_TRUE(gfx942.starts_with(
      R"({"test":"Host.Passes","check":"host","claims":["CDNA-3.1","CDNA-3.2"],"labels":["sample","host","gfx942"]})"))
      << gfx942;
  EXPECT_EQ(17, std::ranges::count(gfx942, '\n'));
  EXPECT_EQ(4, std::ranges::count(gfx950, '\n'));
}

TEST(ClaimTest, FilterThatSelectsNothingIsWrongUsage) {
  const Ran ran = run_one("Host.Passses");
  EXPECT_EQ(2, ran.result.status);
  EXPECT_NE(std::string::npos, ran.result.err.find("no test of sample for gfx942 matches 'Host.Passses'"));
}

TEST(ClaimTest, UnknownTargetIsWrongUsage) {
  const Ran ran = run_one("Host.Passes", {}, "gfx90a");
  EXPECT_EQ(2, ran.result.status);
  EXPECT_EQ("--target gfx90a: expected gfx942 or gfx950\n", ran.result.err);
}

} // namespace
} // namespace cts
