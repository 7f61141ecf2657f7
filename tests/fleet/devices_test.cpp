// Several devices in one host, shown by the emulator: CTest deals tests out to them, or each device runs all.
#include "common/error.hpp"
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace cts {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Environment = std::map<std::string, std::string>;

/// Four tests, the same ones at -O1 and at -O3.
const char* const some_tests = R"(^lane_ownership\.gfx942\.O[13]\.MfmaF32_16x16x16_F16\.[AB]Item)";

Environment devices(const std::string& count, Environment more = {}) {
  more.insert({{"CDNA_CTS_EMULATED_DEVICES", count},
               {"CDNA_CTS_TARGET", "gfx942"},
               {"CDNA_CTS_EVIDENCE", ""},
               {"CDNA_CTS_FAULT", ""},
               {"CDNA_CTS_RUN_WRAPPER", ""}});
  return more;
}

CommandResult shown(const Environment& environment, const std::vector<std::string>& options = {}) {
  std::vector<std::string> command{DEVICES};
  command.insert(command.end(), options.begin(), options.end());
  return run_command(command, 60s, environment);
}

std::string uuid(const Record& record) { return record.origin.at("uuid"); }

TEST(EmulatedDevices, EachHasANameOfItsOwnThatSaysWhatItIs) {
  const CommandResult result = shown(devices("3"));
  EXPECT_EQ(0, result.status) << result.err;
  EXPECT_EQ("0 gfx942 0000:00:00 cdna-cts-gfx942 cdna-cts emulator (gfx942 model, no GPU)\n"
            "1 gfx942 0000:01:00 emulated-001 cdna-cts emulator (gfx942 model, no GPU)\n"
            "2 gfx942 0000:02:00 emulated-002 cdna-cts emulator (gfx942 model, no GPU)\n",
            result.out);
  EXPECT_EQ("3\n", shown(devices("3"), {"--count"}).out);
}

TEST(EmulatedDevices, VisibleOnesAreChosenAsRocmDoes) {
  const auto seen = [](const Environment& environment) {
    std::string buses;
    std::istringstream lines(shown(devices("4", environment)).out);
    for (std::string line; std::getline(lines, line);) buses += line.substr(line.find(':') + 1, 2) + " ";
    return buses;
  };
  EXPECT_EQ("02 ", seen({{"ROCR_VISIBLE_DEVICES", "2"}}));
  EXPECT_EQ("03 01 ", seen({{"ROCR_VISIBLE_DEVICES", "3,1"}}));
  EXPECT_EQ("01 ", seen({{"ROCR_VISIBLE_DEVICES", "3,1"}, {"HIP_VISIBLE_DEVICES", "1"}}));
  EXPECT_EQ("00 ", seen({{"ROCR_VISIBLE_DEVICES", "0,9,1"}})) << "a list ends where it names no device";
}

TEST(EmulatedDevices, CountThatIsNoneIsRefused) {
  for (const std::string wrong : {"0", "256", "two", "-1"}) {
    const CommandResult result = shown(devices(wrong));
    EXPECT_EQ(2, result.status) << wrong;
    EXPECT_NE(std::string::npos, result.err.find("CDNA_CTS_EMULATED_DEVICES='" + wrong + "': expected"))
        << result.err;
  }
}

TEST(CTestResources, TestsAreDealtOutAndEachRecordNamesItsDevice) {
  const TemporaryFolder folder("fleet-ctest");
  write_file(folder.path() / "CTestTestfile.cmake",
             std::string("include([==[") + SUITE_ENTRIES + "/lane_ownership_run.ctest.cmake]==])\n");
  const std::string specification = (folder.path() / "gpus.json").string();
  ASSERT_EQ(0, shown(devices("2"), {"--ctest-spec", specification}).status);
  const fs::path evidence = folder.path() / "evidence";
  const CommandResult result =
      run_command({CTEST, "--test-dir", folder.path().string(), "--resource-spec-file", specification, "-j4",
                   "--no-tests=error", "-R", some_tests},
                  300s, devices("2", {{"CDNA_CTS_EVIDENCE", evidence.string()}}));
  EXPECT_EQ(0, result.status) << result.out << result.err;
  std::set<std::string> used;
  const Evidence found = read_evidence(evidence);
  EXPECT_LE(4u, found.records.size());
  for (const Record& record : found.records) {
    EXPECT_EQ(Outcome::passed, record.outcome) << record.detail;
    EXPECT_EQ(Runner::emulator, record.runner);
    EXPECT_NE("", record.origin.at("host"));
    used.insert(uuid(record));
  }
  EXPECT_EQ((std::set<std::string>{"cdna-cts-gfx942", "emulated-001"}), used);
}

TEST(CTestResources, DeviceThatIsNotThereIsAnErrorAndNoSkip) {
  const TemporaryFolder folder("fleet-ctest");
  const CommandResult result = run_command(
      {SUITE_RUN, "--target", "gfx942", "--opt", "O3", "--gtest_filter=MfmaF32_16x16x16_F16.AItem*"}, 60s,
      devices("2", {{"CDNA_CTS_EVIDENCE", folder.path().string()},
                    {"CTEST_RESOURCE_GROUP_COUNT", "1"},
                    {"CTEST_RESOURCE_GROUP_0_GPUS", "id:2,slots:1"}}));
  EXPECT_EQ(1, result.status);
  const Evidence evidence = read_evidence(folder.path());
  ASSERT_FALSE(evidence.records.empty());
  for (const Record& record : evidence.records) {
    EXPECT_EQ(Outcome::error, record.outcome);
    EXPECT_EQ(0u, record.detail.find("CTest allotted device 2, and the HIP runtime shows 2: "))
        << record.detail;
  }
}

TEST(EachDevice, EveryDeviceRunsEveryTestAndAFaultyOneIsNamed) {
  const TemporaryFolder folder("fleet-each");
  const std::string run = (folder.path() / "run").string();
  const std::vector<std::string> command{EACH_DEVICE, BUILD, run, "gfx942", "-R", some_tests};
  const CommandResult result = run_command(command, 300s, devices("3"));
  EXPECT_EQ(0, result.status) << result.out << result.err;
  EXPECT_EQ(0u,
            result.out.find(
                "3 devices: 3 holds. 0 disagree with the rest. Shards: 3 planned, 3 complete, 0 missing."))
      << result.out;
  for (const std::string shard : {"shard-00000", "shard-00001", "shard-00002"}) {
    std::set<std::string> used;
    for (const Record& record : read_evidence(fs::path(run) / shard).records) used.insert(uuid(record));
    EXPECT_EQ(1u, used.size()) << shard;
  }
  // One shard again, on a device that misbehaves: only it runs, and it is on top.
  fs::remove_all(fs::path(run) / "shard-00001");
  const CommandResult again =
      run_command(command, 300s, devices("3", {{"CDNA_CTS_FAULT", "mfma_input_halves_swapped"}}));
  EXPECT_EQ(1, again.status) << again.err;
  EXPECT_NE(std::string::npos,
            again.out.find("0000:01:00 emulated-001 (cdna-cts emulator (gfx942 model, no GPU)), shard 1:"))
      << again.out;
  EXPECT_NE(std::string::npos, again.out.find("1 disagree with the rest.")) << again.out;
  EXPECT_FALSE(fs::exists(fs::path(run) / "shard-00000" / "attempt-2"));
}

TEST(EachDevice, TestsThatDoNotExistLeaveTheShardsMissing) {
  const TemporaryFolder folder("fleet-each");
  const CommandResult result =
      run_command({EACH_DEVICE, BUILD, (folder.path() / "run").string(), "gfx942", "-R", "no_such_test"},
                  120s, devices("2"));
  EXPECT_EQ(1, result.status);
  EXPECT_NE(std::string::npos, result.out.find("2 planned, 0 complete, 2 missing")) << result.out;
}

TEST(SimulatedFleet, OutlierAmongAHundredIsOnTop) {
  const TemporaryFolder folder("fleet-simulated");
  const std::string listing = (folder.path() / "listing").string(), run = (folder.path() / "run").string();
  write_file(listing, run_command({SUITE_RUN, "--target", "gfx942", "--list"}, 60s).out);
  const CommandResult made = run_command({MAKE_FLEET, listing, "gfx942", "100", "73", run}, 120s);
  ASSERT_EQ(0, made.status) << made.err;
  const CommandResult merged = run_command({CLI, "merge", run}, 120s);
  EXPECT_EQ(1, merged.status) << merged.err;
  EXPECT_EQ(0u, merged.out.find("100 devices: 1 violated, 99 holds. 1 disagree with the rest."))
      << merged.out;
  EXPECT_NE(std::string::npos,
            merged.out.find(
                "  1. node00009 0000:20:00 simulated0000073 (simulated, no device at all), shard 73: 1 of "))
      << merged.out;
}

} // namespace
} // namespace cts
