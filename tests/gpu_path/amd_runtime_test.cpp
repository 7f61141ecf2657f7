// The same binaries that run on the emulator, started on AMD's own HIP library where there is no GPU: nothing
// runs, and everything says why.
#include "tests/gpu_path/started.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace cts::gpu_path {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view reason = "hipGetDeviceCount: no ROCm-capable device is detected (100)";

class AmdRuntime : public testing::Test {
protected:
  void SetUp() override {
    if (!no_amd().empty()) GTEST_SKIP() << no_amd();
  }
};

class AmdRuntimeOn : public AmdRuntime, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, AmdRuntimeOn, testing::Values("gfx942", "gfx950"),
                         [](const auto& test) { return test.param; });

TEST_P(AmdRuntimeOn, EveryTestIsSkippedWithTheRuntimesReason) {
  const Started started(on_amd(suite_command(GetParam())));
  EXPECT_EQ(0, started.result.status) << started;
  const std::vector<std::string> listed = listed_tests(GetParam());
  EXPECT_LT(10u, listed.size());
  EXPECT_EQ(listed, started.tests());
  EXPECT_EQ(0u, started.evidence.unfinished.size());
  for (const Record& record : started.evidence.records) {
    const std::string what = record.claim + " " + record.test;
    EXPECT_EQ(Outcome::skipped, record.outcome) << what;
    EXPECT_EQ(reason, record.detail) << what;
    EXPECT_EQ(Runner::emulator, record.runner) << what << ": no GPU ran this";
    EXPECT_EQ("a HIP runtime without /dev/kfd", origin(record, "emulates")) << what;
    EXPECT_EQ("", origin(record, "device")) << what;
    EXPECT_TRUE(origin(record, "runtime").starts_with("7")) << what << ": HIP " << origin(record, "runtime");
  }
}

TEST_P(AmdRuntimeOn, ReportSaysNotExecutedWithThatReason) {
  const Started started(on_amd(suite_command(GetParam())));
  const Started::Report report = started.report();
  EXPECT_EQ(0, report.result.status) << "a skip is no finding: " << report.result.err;
  ASSERT_FALSE(started.evidence.records.empty()) << started;
  std::size_t explained = 0;
  for (const Record& record : started.evidence.records) {
    const nlohmann::json& claim = report.on(record.claim, GetParam());
    const nlohmann::json& run = claim.at("checks").at("run");
    EXPECT_EQ("not executed", text(claim, "verdict")) << record.claim;
    EXPECT_EQ("not executed", text(run, "verdict")) << record.claim;
    for (const char* column : {"model", "gpu"})
      EXPECT_EQ("not executed", text(claim.at("evidence").at(column), "verdict"))
          << record.claim << " " << column;
    for (const char* more_than_was_done : {"Model executed", "GPU tested"})
      EXPECT_NE(more_than_was_done, text(claim, "validation")) << record.claim;
    if (text(run, "reason") == "needs a GPU")
      continue; // what its manifest says goes before what a model's skip says
    ++explained;
    EXPECT_EQ("skipped: " + std::string(reason), text(run, "reason")) << record.claim;
    EXPECT_NE(std::string::npos, text(claim, "reason").find(reason))
        << record.claim << ": " << text(claim, "reason");
  }
  EXPECT_LT(10u, explained) << "records with the runtime's reason";
}

TEST_F(AmdRuntime, WrapperIsNamedAsWhatStandsInForTheGpu) {
  std::vector<std::string> command = on_amd(suite_command("gfx950"));
  command.insert(command.begin(), WRAPPER);
  const Started started(command, {{"CDNA_CTS_RUN_WRAPPER", WRAPPER}});
  ASSERT_FALSE(started.evidence.records.empty()) << started;
  for (const Record& record : started.evidence.records) {
    EXPECT_EQ(Runner::emulator, record.runner) << record.test;
    EXPECT_EQ("rocjitsu-run", origin(record, "emulates")) << record.test;
    EXPECT_EQ(WRAPPER, origin(record, "wrapper")) << record.test;
  }
}

TEST_F(AmdRuntime, PassThroughWrapperStandsInForNothing) {
  std::vector<std::string> command = on_amd(suite_command("gfx950"));
  command.insert(command.begin(), "env");
  const Started started(command, {{"CDNA_CTS_RUN_WRAPPER", "env"}});
  ASSERT_FALSE(started.evidence.records.empty()) << started;
  for (const Record& record : started.evidence.records)
    EXPECT_EQ("a HIP runtime without /dev/kfd", origin(record, "emulates")) << record.test;
}

TEST_F(AmdRuntime, FatBinaryProgramSaysThatThereIsNoDevice) {
  const CommandResult result = run_command(on_amd({SAXPY, "gfx950"}), 60s, clean({}));
  EXPECT_EQ(1, result.status);
  EXPECT_EQ("", result.out);
  EXPECT_NE(std::string::npos,
            result.err.find("hipMalloc(&device_x, n * sizeof(float)): no ROCm-capable device is detected"))
      << result.err;
}

TEST(FatBinaryProgram, PassesOnTheEmulatorUnchanged) {
  for (const std::string target : {"gfx942", "gfx950"}) {
    const CommandResult result = run_command({SAXPY, target}, 120s, clean({{"CDNA_CTS_TARGET", target}}));
    EXPECT_EQ(0, result.status) << result.err;
    EXPECT_TRUE(result.out.starts_with("saxpy on " + target)) << result.out;
    EXPECT_TRUE(result.out.ends_with(": 0 wrong\n")) << result.out;
  }
}

} // namespace
} // namespace cts::gpu_path
