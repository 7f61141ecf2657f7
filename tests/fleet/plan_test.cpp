// The books of a run: what is missing, who may start what, on which device.
#include "common/error.hpp"
#include "common/host.hpp"
#include "runners/fleet/start.hpp"
#include "tests/fleet/crafted.hpp"

#include <cstdlib>

namespace cts::fleet {
namespace {

using namespace crafted;

/// Runs as the Slurm node `node`.
class OnNode {
public:
  explicit OnNode(const std::string& node) { ::setenv("SLURMD_NODENAME", node.c_str(), 1); }
  OnNode(const OnNode&) = delete;
  OnNode& operator=(const OnNode&) = delete;
  ~OnNode() { ::unsetenv("SLURMD_NODENAME"); }
};

std::string why(const auto& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(FleetPlan, IsReadAsItWasWritten) {
  const TemporaryFolder folder("fleet-test");
  write_plan(folder.path(), {"r", "m", "gfx950", "/b", {"-R", "a b"}, {{4, "n1", 0}, {5, "", 3}}});
  const Plan plan = read_plan(folder.path());
  EXPECT_EQ("r m gfx950 /b", plan.run + " " + plan.manifests + " " + plan.target + " " + plan.build);
  EXPECT_EQ((std::vector<std::string>{"-R", "a b"}), plan.ctest);
  ASSERT_EQ(2u, plan.shards.size());
  EXPECT_EQ(5u, plan.shards[1].number);
  EXPECT_EQ(3, plan.shards[1].device);
}

TEST(FleetPlan, RefusalNamesFileAndField) {
  const TemporaryFolder folder("fleet-test");
  write_file(folder.path() / plan_file, R"({"schema":1,"run":7})");
  EXPECT_EQ((folder.path() / plan_file).string() + ": field 'run' is missing or of the wrong kind",
            why([&] { read_plan(folder.path()); }));
  write_file(folder.path() / plan_file, R"({"schema":9})");
  EXPECT_EQ((folder.path() / plan_file).string() + ": schema 9 is not known here, expected 1",
            why([&] { read_plan(folder.path()); }));
}

TEST(FleetPlan, MissingShardsAsSlurmWritesThem) {
  EXPECT_EQ("", array_of({}));
  EXPECT_EQ("3", array_of({3}));
  EXPECT_EQ("0-2,7,9-10", array_of({0, 1, 2, 7, 9, 10}));
}

TEST(FleetPlan, OnlyAnEndCountsAndOnlyOnADeviceOfItsOwn) {
  const Agreeing run(4);
  fs::remove(run.attempt_folder(2) / end_file);
  EXPECT_EQ(std::vector<unsigned>{2}, progress(run.path(), read_plan(run.path())).unfinished);
  for (const unsigned shard : {0u, 1u}) { // the same device, as Slurm may give it twice
    Attempt attempt = CraftedRun::attempt(shard);
    attempt.host = "n0";
    attempt.device = "0000:c1:00 uuid";
    write_attempt(run.attempt_folder(shard), attempt);
  }
  EXPECT_EQ((std::vector<unsigned>{1, 2}), progress(run.path(), read_plan(run.path())).unfinished);
}

TEST(FleetStart, MakesEachAttemptAFolderAndCompleteShardsNone) {
  const CraftedRun run(1);
  const OnNode node("n0");
  const auto first = start_attempt(run.path(), 0, {{0, "0000:c1:00 u"}});
  const auto second = start_attempt(run.path(), 0, {{0, "0000:c1:00 u"}});
  ASSERT_TRUE(first && second);
  EXPECT_EQ("attempt-1", first->filename());
  EXPECT_EQ("attempt-2", second->filename());
  EXPECT_EQ(2u, read_attempt(*second).attempt);
  EXPECT_EQ("n0", read_attempt(*second).host);
  write_end(*first, 0);
  EXPECT_FALSE(start_attempt(run.path(), 0, {{0, "0000:c1:00 u"}}));
}

TEST(FleetStart, TakesTheDeviceThatNoShardWasDoneWith) {
  const TemporaryFolder folder("fleet-test");
  write_plan(folder.path(), {"r", "m", "gfx942", "/b", {}, {{0, "n0", 0}, {1, "n0", 0}}});
  const OnNode node("n0");
  const std::vector<Visible> visible =
      visible_devices("0 gfx942 0000:c1:00 a some name\n1 gfx942 0000:c2:00 b x\n");
  const auto first = start_attempt(folder.path(), 0, visible);
  ASSERT_TRUE(first);
  EXPECT_EQ(resource_specification({0}), read_file(*first / "ctest" / "gpus.json"));
  write_end(*first, 0);
  const auto second = start_attempt(folder.path(), 1, visible);
  ASSERT_TRUE(second);
  EXPECT_EQ("0000:c2:00 b", read_attempt(*second).device);
  EXPECT_EQ(resource_specification({1}), read_file(*second / "ctest" / "gpus.json"));
}

TEST(FleetStart, LocalShardTakesItsPlannedDevice) {
  const TemporaryFolder folder("fleet-test");
  write_plan(folder.path(), {"r", "m", "gfx942", "/b", {}, {{0, "", 0}, {1, "", 1}}});
  const auto attempt = start_attempt(folder.path(), 1, visible_devices("0 gfx942 p a x\n1 gfx942 q b x\n"));
  ASSERT_TRUE(attempt);
  EXPECT_EQ("q b", read_attempt(*attempt).device);
}

TEST(FleetStart, RefusesAnotherNodeAndAShardThatIsNotPlanned) {
  const CraftedRun run(2);
  const OnNode node("n1");
  EXPECT_EQ("shard 0 is planned on n0, and this is n1", why([&] { start_attempt(run.path(), 0, {}); }));
  EXPECT_EQ((run.path() / plan_file).string() + ": no shard 2; 2 shards are planned",
            why([&] { start_attempt(run.path(), 2, {}); }));
  EXPECT_EQ("'?': expected a line of cdna-cts-devices", why([] { visible_devices("?\n"); }));
}

} // namespace
} // namespace cts::fleet
