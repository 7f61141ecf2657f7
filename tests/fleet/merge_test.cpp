// What a fleet report says: who disagrees, in which order, and with which exit status.
#include "tests/fleet/crafted.hpp"

#include <algorithm>

namespace cts::fleet {
namespace {

using namespace crafted;

TEST(FleetMerge, DevicesThatAgreeAndAreCompleteAreFine) {
  const FleetReport report = Agreeing(3).merged();
  EXPECT_EQ(0, exit_status(report));
  ASSERT_EQ(3u, report.devices.size());
  EXPECT_EQ(9u, report.records);
  EXPECT_EQ(3u, report.complete);
  for (const Device& d : report.devices) {
    EXPECT_EQ(DeviceVerdict::holds, d.verdict);
    EXPECT_EQ(3u, d.results);
    EXPECT_TRUE(d.disagreements.empty());
  }
  ASSERT_EQ(1u, report.claims.size());
  EXPECT_EQ((std::map<DeviceVerdict, std::size_t>{{DeviceVerdict::holds, 3}}), report.claims[0].devices);
}

TEST(FleetMerge, RarestFailureIsOnTop) {
  const CraftedRun run(10);
  for (unsigned i = 0; i < 10; ++i) {
    run.begin(i);
    for (const std::string& test : tests) {
      // Three devices fail A and B, one fails C alone: the one is rarer, though it fails less.
      const bool fails = i < 3 ? test != "Mfma.C" : i == 7 && test == "Mfma.C";
      run.leave(i, with(record(CraftedRun::node(i), CraftedRun::uuid(i), test),
                        fails ? Outcome::failed : Outcome::passed, fails ? "lane 3: expected 1, got 2" : ""));
    }
    write_end(run.attempt_folder(i), 8);
  }
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  EXPECT_EQ("n7", report.devices[0].host);
  EXPECT_EQ("n0", report.devices[1].host);
  EXPECT_EQ(2u, report.devices[1].disagreements.size());
  EXPECT_EQ(DeviceVerdict::violated, report.devices[0].verdict);
  EXPECT_EQ(DeviceVerdict::holds, report.devices[4].verdict);
  const std::string text = to_text(report, 20);
  EXPECT_NE(
      std::string::npos,
      text.find("  1. n7 0000:c1:00 uuid7 (simulated), shard 7: 1 of 3 results\n"
                "     CDNA-3.1 gfx942 lane_ownership.Mfma.C (O3): failed (1 of 10 devices, most: passed)\n"
                "       lane 3: expected 1, got 2\n"))
      << text;
}

TEST(FleetMerge, FailureGoesBeforeARarerObservation) {
  const Agreeing run(9);
  for (unsigned i = 0; i < 9; ++i) {
    Record seen = record(CraftedRun::node(i), CraftedRun::uuid(i), "Mfma.Open");
    seen.observed = true;
    seen.detail = i == 4 ? "rounds to odd" : "rounds to even";
    run.leave(i, seen);
    run.leave(i, with(record(CraftedRun::node(i), CraftedRun::uuid(i), "Mfma.D"),
                      i == 2 || i == 3 ? Outcome::failed : Outcome::passed));
  }
  const FleetReport report = run.merged();
  EXPECT_EQ("n2", report.devices[0].host);
  EXPECT_EQ("n3", report.devices[1].host);
  EXPECT_EQ("n4", report.devices[2].host) << "it observed something else, and violates nothing";
  EXPECT_EQ(DeviceVerdict::holds, report.devices[2].verdict);
  EXPECT_EQ(1, exit_status(report));
  EXPECT_NE(std::string::npos, to_text(report, 20)
                                   .find("observed \"rounds to odd\" (1 of 9 devices, most: observed "
                                         "\"rounds to even\")"));
}

TEST(FleetMerge, WhatAllDevicesViolateIsNoDisagreement) {
  const Agreeing run(3);
  for (unsigned i = 0; i < 3; ++i)
    run.leave(i, with(record(CraftedRun::node(i), CraftedRun::uuid(i), "Mfma.D", "CDNA-5.8"), Outcome::failed,
                      "x"));
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  for (const Device& d : report.devices) {
    EXPECT_TRUE(d.disagreements.empty());
    EXPECT_EQ(DeviceVerdict::violated, d.verdict);
  }
  EXPECT_NE(std::string::npos, to_text(report, 20).find("  CDNA-5.8 gfx942: 3 violated\n"));
}

TEST(FleetMerge, TwoDevicesThatDisagreeAreBothNamedAndNeitherIsRight) {
  const Agreeing run(2);
  run.leave(0, record("n0", "uuid0", "Mfma.D"));
  run.leave(1, with(record("n1", "uuid1", "Mfma.D"), Outcome::failed));
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  EXPECT_TRUE(report.devices[0].disagreements.empty());
  EXPECT_NE(std::string::npos,
            to_text(report, 20)
                .find("No answer is most devices'\n  CDNA-3.1 gfx942 lane_ownership.Mfma.D (O3): 1 "
                      "passed, 1 failed\n"))
      << to_text(report, 20);
}

TEST(FleetMerge, PassAndFailureOfOneDeviceIsFlaky) {
  const Agreeing run(3);
  run.leave(1, with(record("n1", "uuid1", "Mfma.B"), Outcome::failed, "now and then"));
  const FleetReport report = run.merged();
  EXPECT_EQ("n1", report.devices[0].host);
  EXPECT_EQ(DeviceVerdict::flaky, report.devices[0].verdict);
  EXPECT_EQ(1, exit_status(report));
}

TEST(FleetMerge, ErrorIsNoVerdictAndDisagrees) {
  const Agreeing run(3);
  run.leave(2, with(record("n2", "uuid2", "Mfma.D"), Outcome::error, "hipMalloc: out of memory (2)"));
  run.leave(0, record("n0", "uuid0", "Mfma.D"));
  run.leave(1, record("n1", "uuid1", "Mfma.D"));
  const FleetReport report = run.merged();
  EXPECT_EQ("n2", report.devices[0].host);
  EXPECT_EQ(DeviceVerdict::not_executed, report.devices[0].verdict);
  EXPECT_EQ(1, exit_status(report));
}

TEST(FleetMerge, ModelAndGpuAreNeverCompared) {
  const Agreeing run(2);
  Record gpu = with(record("n0", "uuid0", "Mfma.A"), Outcome::failed);
  gpu.runner = Runner::gpu;
  gpu.origin.erase("emulates");
  gpu.origin["uuid"] = "of a GPU";
  run.leave(0, gpu);
  const FleetReport report = run.merged();
  for (const Device& d : report.devices) EXPECT_TRUE(d.disagreements.empty()) << title(d);
}

TEST(FleetMerge, PlantedFaultCountsWhereItWasAnnouncedOnly) {
  const Agreeing run(3);
  Record faulty = with(record("n1", "uuid1", "Mfma.A"), Outcome::failed);
  faulty.fault = "halves_swapped";
  run.leave(1, faulty);
  EXPECT_EQ(0, exit_status(run.merged())) << "a test of the tests, in the same folder";
  EXPECT_EQ(1u, run.merged().faults_left_out);

  Attempt announced = CraftedRun::attempt(1);
  announced.fault = "halves_swapped";
  write_attempt(run.attempt_folder(1), announced);
  const FleetReport report = run.merged();
  EXPECT_EQ("n1", report.devices[0].host);
  EXPECT_EQ("halves_swapped", report.devices[0].fault);
  EXPECT_NE(std::string::npos, to_text(report, 20).find("[planted fault halves_swapped]"));
}

TEST(FleetMerge, ChecksWithoutADeviceAreTheHosts) {
  const Agreeing run(3);
  for (unsigned i = 0; i < 3; ++i) {
    Record host = record("", "", "Layout.Covers", "CDNA-3.8");
    host.runner = Runner::host;
    host.check = Check::host;
    host.origin.clear();
    run.leave(i, host);
  }
  const FleetReport report = run.merged();
  EXPECT_EQ(0, exit_status(report));
  EXPECT_EQ(6u, report.devices.size());
  EXPECT_EQ(3, std::ranges::count_if(report.devices, &Device::is_device));
}

TEST(FleetMerge, WhatACompilerDidIsAnAnswer) {
  const Agreeing run(3);
  for (unsigned i = 0; i < 3; ++i) {
    Record compiled = record("", "", "Compiles.To", "CDNA-2.1");
    compiled.runner = Runner::compiler;
    compiled.check = Check::compile;
    compiled.origin.clear();
    compiled.facts = {{"opcode", i == 1 ? "v_mfma_a" : "v_mfma_b"}};
    run.leave(i, compiled);
  }
  const FleetReport report = run.merged();
  EXPECT_EQ("n1", report.devices[0].host);
  EXPECT_FALSE(report.devices[0].is_device());
  EXPECT_NE(std::string::npos,
            to_text(report, 20)
                .find("passed \"opcode: v_mfma_a\" (1 of 3 devices, most: passed \"opcode: v_mfma_b\")"))
      << to_text(report, 20);
}

TEST(FleetMerge, LooseFoldersNeedNoPlan) {
  const TemporaryFolder folder("fleet-test");
  for (const std::string gpu : {"gpu0", "gpu1", "gpu2"})
    append_record(folder.path() / gpu,
                  with(record("host", gpu), gpu == "gpu1" ? Outcome::failed : Outcome::passed));
  const FleetReport report =
      merge({folder.path() / "gpu0", folder.path() / "gpu1", folder.path() / "gpu2"}, {});
  EXPECT_EQ(3u, report.devices.size());
  EXPECT_EQ("gpu1", report.devices[0].uuid);
  EXPECT_EQ(0u, report.planned);
  EXPECT_EQ(1, exit_status(report));
}

TEST(FleetMerge, EveryFormatNamesTheDeviceAndTheShard) {
  const Agreeing run(4);
  run.leave(2, with(record("n2", "uuid2", "Mfma.A"), Outcome::failed, "a | b"));
  fs::remove_all(shard_folder(run.path(), 3));
  const FleetReport report = run.merged();
  const nlohmann::ordered_json json = to_json(report);
  EXPECT_EQ("uuid2", json.at("devices").at(0).at("uuid"));
  EXPECT_EQ("flaky", json.at("devices").at(0).at("verdict"));
  EXPECT_EQ(1, json.at("devices").at(0).at("disagreements").at(0).at("devices_with_this_answer"));
  EXPECT_EQ(3, json.at("missing").at(0).at("shard"));
  EXPECT_EQ("never started", json.at("missing").at(0).at("state"));
  const std::string md = to_markdown(report, 20);
  EXPECT_NE(std::string::npos,
            md.find("| 1 | n2 0000:c1:00 uuid2 (simulated) | shard 2 | gfx942 lane_ownership.Mfma.A (O3) | "
                    "CDNA-3.1 | flaky | 1 of 3 devices, most: passed | a \\| b |"))
      << md;
  EXPECT_NE(std::string::npos, md.find("* shard 3 on n3: never started\n"));
}

TEST(FleetMerge, ListsAreCutAndSaySo) {
  const Agreeing run(5);
  for (unsigned i = 1; i < 5; ++i) fs::remove_all(shard_folder(run.path(), i));
  const std::string text = to_text(run.merged(), 2);
  EXPECT_NE(std::string::npos,
            text.find("  shard 2 on n2: never started\n  ... and 2 more (--format json has all)\n"))
      << text;
}

} // namespace
} // namespace cts::fleet
