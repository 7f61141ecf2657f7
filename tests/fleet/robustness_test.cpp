// What killed tasks, broken disks, wrong clocks and copied folders leave: each is named, none hides a result.
#include "tests/fleet/crafted.hpp"

#include <algorithm>
#include <fstream>

namespace cts::fleet {
namespace {

using namespace crafted;

bool any_has(const std::vector<std::string>& lines, const std::string& part) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != line.npos; });
}

/// Appends bytes without a newline, as a write that was cut short.
void tear(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::app) << bytes; }

const char* const records_file = "lane_ownership.gfx942.O3.jsonl";

TEST(FleetRobustness, KilledAttemptKeepsWhatWasFinishedAndLeavesTheShardMissing) {
  const Agreeing run(3);
  fs::remove_all(shard_folder(run.path(), 1));
  run.begin(1);
  run.leave(1, record("n1", "uuid1", "Mfma.A"));
  append_begun(run.evidence(1), record("n1", "uuid1", "Mfma.B"));
  tear(run.evidence(1) / records_file, R"({"schema":1,"claim":"CDNA)");
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  ASSERT_EQ(1u, report.missing.size());
  EXPECT_EQ(1u, report.missing[0].shard);
  EXPECT_EQ("attempt 1 did not end (killed, or at work); it left 1 records", report.missing[0].state);
  EXPECT_EQ(7u, report.records);
  EXPECT_TRUE(report.problems.empty()) << "a kill is no fault of the evidence";
  EXPECT_TRUE(any_has(report.interrupted, "lane_ownership.Mfma.B was at work"));
  EXPECT_TRUE(any_has(report.interrupted, "jsonl:2: a record of which 25 bytes are here"));
  EXPECT_TRUE(std::ranges::all_of(report.devices, [](const Device& d) { return d.disagreements.empty(); }));
}

TEST(FleetRobustness, SecondAttemptMakesItWholeAndForgetsNoFailure) {
  const Agreeing run(3);
  fs::remove(run.attempt_folder(1) / end_file);
  append_begun(run.evidence(1), record("n1", "uuid1", "Mfma.Z"));
  tear(run.evidence(1) / records_file, "{");
  run.complete(1, 2);
  EXPECT_EQ(0, exit_status(run.merged())) << to_text(run.merged(), 20);
  EXPECT_EQ(12u, run.merged().records);

  const Agreeing failing(3);
  fs::remove(failing.attempt_folder(1) / end_file);
  failing.leave(1, with(record("n1", "uuid1", "Mfma.A"), Outcome::failed));
  failing.complete(1, 2);
  const FleetReport report = failing.merged();
  EXPECT_EQ(DeviceVerdict::flaky, report.devices[0].verdict);
  EXPECT_EQ("n1", report.devices[0].host);
}

TEST(FleetRobustness, TornRecordInACompleteAttemptIsAProblem) {
  const Agreeing run(3);
  tear(run.evidence(2) / records_file, R"({"schema":1,"cl)");
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  EXPECT_TRUE(any_has(report.problems, "shard-00002/attempt-1/evidence/lane_ownership.gfx942.O3.jsonl:4: "));
  EXPECT_EQ(9u, report.records);
}

TEST(FleetRobustness, TextThatIsNoRecordIsOneProblem) {
  const Agreeing run(3);
  tear(run.evidence(2) / records_file, "# a note\nand another\n");
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  EXPECT_EQ(1u, report.problems.size());
  EXPECT_TRUE(
      any_has(report.problems, "jsonl:4: no record; expected one JSON object a line and nothing else"));
  EXPECT_EQ(9u, report.records);
}

TEST(FleetRobustness, CrashInACompleteAttemptIsAnError) {
  const Agreeing run(3);
  for (unsigned i = 0; i < 2; ++i) run.leave(i, record(CraftedRun::node(i), CraftedRun::uuid(i), "Mfma.D"));
  append_begun(run.evidence(2), record("n2", "uuid2", "Mfma.D"));
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  EXPECT_EQ("n2", report.devices[0].host);
  EXPECT_NE(std::string::npos,
            to_text(report, 5).find("error (1 of 3 devices, most: passed)\n       began and left no record"));
}

TEST(FleetRobustness, TestsThatNeverCameToAnEndHaveNoRecordsFile) {
  const Agreeing run(3);
  fs::remove(run.evidence(2) / records_file);
  const FleetReport report = run.merged();
  EXPECT_EQ("n2", report.devices[0].host);
  EXPECT_EQ(3u, report.devices[0].disagreements.size());
  EXPECT_EQ(1, exit_status(report));
}

TEST(FleetRobustness, EmptyFolders) {
  const TemporaryFolder empty("fleet-test");
  EXPECT_EQ(1, exit_status(merge({empty.path()}, {})));
  EXPECT_TRUE(any_has(merge({empty.path()}, {}).problems, ": no records"));
  EXPECT_THROW(merge({empty.path() / "absent"}, {}), Error);

  const Agreeing run(3);
  fs::remove_all(run.evidence(0)); // ended, and nothing in it
  fs::remove_all(run.attempt_folder(1));
  const FleetReport report = run.merged();
  ASSERT_EQ(2u, report.missing.size());
  EXPECT_EQ("ended without a record of a device", report.missing[0].state);
  EXPECT_EQ("never started", report.missing[1].state);
}

TEST(FleetRobustness, NodeWithoutADeviceIsMissingForThatReason) {
  const Agreeing run(3);
  fs::remove_all(run.evidence(1));
  Record none =
      with(record("n1", ""), Outcome::skipped, "hipGetDeviceCount: no ROCm-capable device is detected (100)");
  none.origin = {{"opt", "O3"}, {"host", "n1"}};
  run.leave(1, none);
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  ASSERT_EQ(1u, report.missing.size());
  EXPECT_EQ("no device: hipGetDeviceCount: no ROCm-capable device is detected (100)",
            report.missing[0].state);
}

TEST(FleetRobustness, UnreadableFilesAreNamedAndTheRestIsUsed) {
  const Agreeing run(3);
  fs::create_directory(run.evidence(0) / "broken.jsonl"); // reads as an error whoever asks, root too
  fs::create_symlink("nowhere", run.evidence(1) / "dangling.jsonl");
  write_file(run.evidence(2) / "other.jsonl", "{\"schema\":2}\n[1]\n");
  const FleetReport report = run.merged();
  EXPECT_EQ(2, exit_status(report));
  EXPECT_TRUE(any_has(report.unreadable, "broken.jsonl: is a folder, expected a file"));
  EXPECT_TRUE(any_has(report.unreadable, "dangling.jsonl: cannot open: No such file"));
  EXPECT_TRUE(any_has(report.unreadable, "other.jsonl:1: field 'claim' is missing"));
  EXPECT_TRUE(any_has(report.unreadable, "other.jsonl:2: expected a JSON object"));
  EXPECT_EQ(9u, report.records);
  EXPECT_EQ(3u, report.devices.size());
}

TEST(FleetRobustness, BrokenAttemptFileLeavesItsShardMissing) {
  const Agreeing run(3);
  write_file(run.attempt_folder(1) / attempt_file, "{\"schema\":1,");
  const FleetReport report = run.merged();
  EXPECT_EQ(2, exit_status(report));
  EXPECT_TRUE(any_has(report.unreadable, "attempt.json: not a JSON object"));
  ASSERT_EQ(1u, report.missing.size());
  EXPECT_EQ(1u, report.missing[0].shard);
}

TEST(FleetRobustness, DeviceTestedByTwoShardsIsNamed) {
  const Agreeing run(3);
  fs::remove_all(run.evidence(1));
  for (const std::string& test : tests) run.leave(1, record("n0", "uuid0", test));
  const FleetReport report = run.merged();
  EXPECT_EQ(1, exit_status(report));
  EXPECT_EQ(2u, report.devices.size());
  EXPECT_TRUE(
      any_has(report.duplicates, "n0 0000:c1:00 uuid0 (simulated) was tested in shard 0 and shard 1"));
  ASSERT_EQ(1u, report.missing.size()) << "another device was not tested at all";
  EXPECT_EQ("tested the device of shard 0 again", report.missing[0].state);
}

TEST(FleetRobustness, FolderGivenTwiceCountsOnceAndACopyIsNamed) {
  const Agreeing run(2);
  EXPECT_EQ(6u, merge({run.path(), run.path(), shard_folder(run.path(), 1)}, {}).records);
  EXPECT_EQ(0, exit_status(merge({run.path(), run.path()}, {})));
  const TemporaryFolder copies("fleet-test");
  fs::copy(run.path(), copies.path() / "copy", fs::copy_options::recursive);
  const FleetReport report = merge({run.path(), copies.path() / "copy"}, {});
  EXPECT_EQ(6u, report.records);
  EXPECT_EQ(2u, report.planned);
  EXPECT_TRUE(any_has(report.duplicates, "attempt 1 at shard 0 is in "));
  EXPECT_EQ(1, exit_status(report));
}

TEST(FleetRobustness, ClocksDecideNothing) {
  const Agreeing right(3), wrong(3);
  for (unsigned i = 0; i < 3; ++i) {
    Attempt attempt = CraftedRun::attempt(i);
    attempt.started = i == 0 ? "1970-01-01T00:00:00Z" : i == 1 ? "2099-12-31T23:59:59Z" : "";
    write_attempt(wrong.attempt_folder(i), attempt);
    fs::last_write_time(wrong.evidence(i) / records_file,
                        fs::file_time_type::clock::now() + std::chrono::hours(100000 * i));
  }
  EXPECT_EQ(to_json(right.merged()).dump(), to_json(wrong.merged()).dump());
}

TEST(FleetRobustness, HostsOfOneNameAreToldApartByTheirDevices) {
  const TemporaryFolder folder("fleet-test");
  for (const std::string part : {"a", "b", "c"})
    append_record(folder.path() / part, record("node", "uuid-" + part));
  const FleetReport apart = merge({folder.path()}, {});
  EXPECT_EQ(3u, apart.devices.size());
  EXPECT_EQ(0, exit_status(apart));
  // Same name, same address, no UUID: nothing tells them apart, and that is said.
  const TemporaryFolder same("fleet-test");
  for (const std::string part : {"a", "b"}) append_record(same.path() / part, record("node", ""));
  const FleetReport report = merge({same.path()}, {});
  EXPECT_EQ(1u, report.devices.size());
  EXPECT_TRUE(any_has(report.duplicates, "was tested in "));
  EXPECT_EQ(1, exit_status(report));
}

TEST(FleetRobustness, DifferentManifestsAndTargetsAreRefusedUnlessTold) {
  const Agreeing run(3);
  Attempt other = CraftedRun::attempt(1);
  other.manifests = "fedcba9876543210";
  write_attempt(run.attempt_folder(1), other);
  try {
    (void)run.merged();
    ADD_FAILURE() << "merged";
  } catch (const Error& e) {
    EXPECT_NE(std::string::npos,
              std::string(e.what()).find("shard-00001/attempt-1 was made with other manifests "
                                         "(fedcba987654"))
        << e.what();
  }
  EXPECT_EQ(0, exit_status(run.merged({.allow_different = true})));

  const TemporaryFolder folder("fleet-test");
  append_record(folder.path() / "a", record("n0", "a"));
  Record gfx950 = record("n1", "b");
  gfx950.target = "gfx950";
  append_record(folder.path() / "b", gfx950);
  EXPECT_THROW(merge({folder.path()}, {}), Error);
  EXPECT_EQ(2u, merge({folder.path()}, {.allow_different = true}).devices.size());
}

TEST(FleetRobustness, ShardOnAnotherNodeThanPlannedIsAProblem) {
  const Agreeing run(2);
  Attempt moved = CraftedRun::attempt(1);
  moved.host = "n9";
  write_attempt(run.attempt_folder(1), moved);
  EXPECT_TRUE(any_has(run.merged().problems, "shard 1 was planned on n1 and ran on n9"));
  EXPECT_EQ(1, exit_status(run.merged()));
}

TEST(FleetRobustness, ManyDifferentObservationsTakeBoundedRoom) {
  const TemporaryFolder folder("fleet-test");
  for (int i = 0; i < 300; ++i) {
    Record seen = record("n", "u" + std::to_string(i));
    seen.observed = true;
    seen.detail = "saw " + std::to_string(i);
    append_record(folder.path(), seen);
  }
  const FleetReport report = merge({folder.path()}, {});
  ASSERT_EQ(1u, report.questions.size());
  EXPECT_EQ(201u, report.questions[0].answers.size());
  EXPECT_EQ(100u, report.questions[0].answers.back().devices);
}

} // namespace
} // namespace cts::fleet
