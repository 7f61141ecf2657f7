// cdna-cts faults, with the sample suite in place of a suite on the emulator.
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace cts {
namespace {

class Faults : public testing::Test {
protected:
  CommandResult faults(std::vector<std::string> arguments, const std::string& target = "gfx942") {
    std::vector<std::string> argv{CDNA_CTS_CLI, "faults"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    argv.insert(argv.end(), {"--target", target, "--suite", "sample", "--bin", SAMPLE_SUITE});
    // Host.Crashes would end every run of the whole binary.
    return run_command(argv, std::chrono::seconds(120),
                       {{"GTEST_FILTER", "Run.*"}, {"CDNA_CTS_EVIDENCE", ""}, {"SAMPLE_DEVICE", target}});
  }
  CommandResult run(const std::string& fault) {
    return faults({"run", "--fault", fault, "--evidence", evidence_.path().string()});
  }

  TemporaryFolder evidence_{"faults-test"};
};

TEST_F(Faults, OneClaimThatNoticesIsNotEnoughAndRecordsAreKept) {
  const CommandResult result = run("mfma_d_transposed");
  EXPECT_EQ(1, result.status) << "CDNA-A.1 is listed for this fault, and its test sees nothing: "
                              << result.out;
  EXPECT_NE(std::string::npos, result.out.find("mfma_d_transposed CDNA-3.5: 1 tests failed"));
  EXPECT_NE(std::string::npos, result.out.find("not noticed by the tests of CDNA-A.1"));
  EXPECT_NE(std::string::npos, result.out.find("Run.SeesNothing"));
  const Evidence kept = read_evidence(evidence_.path());
  ASSERT_EQ(3u, kept.records.size());
  for (const Record& r : kept.records) EXPECT_EQ("mfma_d_transposed", r.fault);
}

TEST_F(Faults, FaultSeenByEveryListedClaimIsFine) {
  const CommandResult result = run("mfma_a_transposed");
  EXPECT_EQ(0, result.status) << result.out;
  EXPECT_NE(std::string::npos, result.out.find("mfma_a_transposed CDNA-3.1: 1 tests failed"));
}

TEST_F(Faults, CrashIsNoDetection) {
  const CommandResult result = run("mfma_lane_dropped");
  EXPECT_EQ(1, result.status);
  EXPECT_NE(std::string::npos, result.out.find("mfma_lane_dropped CDNA-3.1: 0 tests failed")) << result.out;
  EXPECT_NE(std::string::npos, result.out.find("began and left no record")) << result.out;
}

TEST_F(Faults, SecondRunReplacesTheFirst) {
  run("mfma_a_transposed");
  run("mfma_a_transposed");
  EXPECT_EQ(3u, read_evidence(evidence_.path()).records.size());
}

TEST_F(Faults, NothingFailsWhenNothingIsPlanted) {
  const CommandResult result = run("none");
  EXPECT_EQ(0, result.status);
  EXPECT_EQ("no fault planted: 3 of 3 run tests passed\n", result.out);
  EXPECT_TRUE(std::filesystem::is_empty(evidence_.path()));
}

TEST_F(Faults, CoverageNamesTheTestThatNeverFailed) {
  run("mfma_d_transposed");
  run("mfma_a_transposed");
  const CommandResult result = faults({"coverage", "--evidence", evidence_.path().string()});
  EXPECT_EQ(1, result.status);
  EXPECT_EQ("no planted fault makes this fail: sample Run.SeesNothing\n"
            "2 of 3 run tests of sample on gfx942 failed under some planted fault\n",
            result.out);
}

TEST_F(Faults, ListsWhatTheSuiteIsToNotice) {
  const CommandResult result = faults({"list"});
  EXPECT_EQ(0, result.status);
  EXPECT_TRUE(result.out.starts_with("none ")) << result.out;
  EXPECT_NE(std::string::npos, result.out.find("mfma_d_transposed "));
  EXPECT_EQ(std::string::npos, result.out.find("wave_half_active"))
      << "no test of the sample names its claims";
}

TEST_F(Faults, UnknownFaultIsWrongUsageAndSaysWhichIsMeant) {
  const CommandResult result = run("mfma_d_transpose");
  EXPECT_EQ(2, result.status);
  EXPECT_NE(std::string::npos,
            result.err.find("there is no fault 'mfma_d_transpose', did you mean 'mfma_d_transposed'?"));
}

TEST_F(Faults, UnknownSuiteIsWrongUsageAndSaysWhichIsMeant) {
  for (const auto& [suite, says] : {std::pair{"smaple", "there is no suite 'smaple', did you mean 'sample'?"},
                                    {"numerics", "is the binary of suite 'sample', not of 'numerics'"}}) {
    const CommandResult result =
        run_command({CDNA_CTS_CLI, "faults", "run", "--fault", "none", "--target", "gfx942", "--suite", suite,
                     "--bin", SAMPLE_SUITE, "--evidence", evidence_.path().string()},
                    std::chrono::seconds(60));
    EXPECT_EQ(2, result.status) << suite;
    EXPECT_NE(std::string::npos, result.err.find(says)) << result.err;
  }
  const CommandResult list =
      run_command({CDNA_CTS_CLI, "faults", "list", "--suite", "numeric"}, std::chrono::seconds(60));
  EXPECT_EQ(2, list.status);
  EXPECT_NE(std::string::npos, list.err.find("did you mean 'numerics'?")) << list.err;
}

} // namespace
} // namespace cts
