// CDNA_CTS_RUN_WRAPPER: in front of every device test that CTest starts, named in the records, and no way to
// make a model's result a GPU's. The entries are the suite's own, included into an empty CTest folder.
#include "common/file.hpp"
#include "tests/gpu_path/started.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cts::gpu_path {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

class Wrapper : public testing::Test {
protected:
  void SetUp() override {
    std::string entries;
    for (const std::string binary : {"lane_ownership_run", "lane_ownership_host"})
      entries += std::string("include([==[") + SUITE_ENTRIES + "/" + binary + ".ctest.cmake]==])\n";
    write_file(folder_.path() / "CTestTestfile.cmake", entries);
  }
  Words ctest(Words more) const {
    more.insert(more.begin(), {CTEST, "--test-dir", folder_.path().string()});
    return more;
  }
  /// The first run test, as CTest starts it.
  Started one_test(const std::string& wrapper) const {
    return Started(ctest({"--output-on-failure", "--no-tests=error", "-R",
                          "^lane_ownership\\.gfx942\\.O3\\." + test_ + "$"}),
                   {{"CDNA_CTS_RUN_WRAPPER", wrapper}, {"WRAPPER_LOG", log_}});
  }

  TemporaryFolder folder_{"gpu-path-ctest"};
  const std::string test_ = listed_tests("gfx942").front();
  const std::string log_ = (folder_.path() / "wrapper.log").string();
};

TEST_F(Wrapper, StandsInFrontOfEveryDeviceTestAndOfNoOther) {
  const Words wrapper{WRAPPER, "--speed", "very slow"};
  const CommandResult listing =
      run_command(ctest({"--show-only=json-v1"}), 60s,
                  clean({{"CDNA_CTS_RUN_WRAPPER", wrapper[0] + " " + wrapper[1] + " '" + wrapper[2] + "'"}}));
  ASSERT_EQ(0, listing.status) << listing.err;
  std::size_t run_tests = 0, other_tests = 0;
  const nlohmann::json listed = nlohmann::json::parse(listing.out);
  for (const nlohmann::json& test : listed.at("tests")) {
    const Words command = test.at("command").get<Words>();
    if (std::ranges::find(command, SUITE_RUN) == command.end()) {
      ++other_tests;
      EXPECT_EQ(SUITE_HOST, command.front()) << test.at("name");
      continue;
    }
    ++run_tests;
    EXPECT_EQ(wrapper, Words(command.begin(), std::ranges::find(command, SUITE_RUN))) << test.at("name");
  }
  // Both targets, each at two levels of optimisation.
  EXPECT_EQ(2 * (listed_tests("gfx942").size() + listed_tests("gfx950").size()), run_tests);
  EXPECT_LT(0u, other_tests);
}

TEST_F(Wrapper, ModelBehindItStaysAModel) {
  const Started started = one_test(WRAPPER);
  ASSERT_EQ(0, started.result.status) << started;
  EXPECT_EQ(std::string(SUITE_RUN) + " --target gfx942 --opt O3 --gtest_filter=" + test_ + "\n",
            read_file(log_))
      << "what the wrapper was given";
  ASSERT_EQ(Words{test_}, started.tests()) << started;
  const Started::Report report = started.report();
  EXPECT_EQ(0, report.result.status) << report.result.err;
  for (const Record& record : started.evidence.records) {
    EXPECT_EQ(Outcome::passed, record.outcome) << record.claim << ": " << record.detail;
    EXPECT_EQ(Runner::emulator, record.runner) << record.claim;
    EXPECT_EQ(WRAPPER, origin(record, "wrapper")) << record.claim;
    const nlohmann::json& claim = report.on(record.claim, "gfx942");
    EXPECT_EQ("Model executed", text(claim, "validation")) << record.claim;
    EXPECT_EQ(record.observed ? "observed" : "holds", text(claim.at("evidence").at("model"), "verdict"))
        << record.claim;
    EXPECT_EQ("not executed", text(claim.at("evidence").at("gpu"), "verdict")) << record.claim;
  }
}

TEST_F(Wrapper, TestWithoutADeviceIsSkippedForCTestToo) {
  if (!no_amd().empty()) GTEST_SKIP() << no_amd();
  std::string loader; // AMD's loader is a wrapper too: the suite's entries then run on AMD's library
  for (const std::string& word : on_amd({})) loader += (loader.empty() ? "'" : " '") + word + "'";
  const Started started = one_test(loader);
  EXPECT_EQ(0, started.result.status) << started;
  EXPECT_NE(std::string::npos, started.result.out.find("***Skipped")) << started;
  ASSERT_EQ(Words{test_}, started.tests()) << started;
  EXPECT_EQ(Outcome::skipped, started.evidence.records[0].outcome);
}

TEST_F(Wrapper, EnvChangesNothing) {
  Words alone_command = suite_command("gfx942");
  alone_command.push_back("--gtest_filter=" + test_);
  const Started alone(alone_command, {{"CDNA_CTS_TARGET", "gfx942"}}), wrapped = one_test("env");
  ASSERT_EQ(0, alone.result.status) << alone;
  ASSERT_EQ(0, wrapped.result.status) << wrapped;
  ASSERT_FALSE(alone.evidence.records.empty()) << alone;
  ASSERT_EQ(alone.evidence.records.size(), wrapped.evidence.records.size()) << wrapped;
  for (std::size_t i = 0; i < alone.evidence.records.size(); ++i) {
    Record record = wrapped.evidence.records[i];
    EXPECT_EQ("env", origin(record, "wrapper")) << record.claim;
    record.origin.erase("wrapper");
    EXPECT_EQ(to_json(alone.evidence.records[i]).dump(), to_json(record).dump());
  }
}

} // namespace
} // namespace cts::gpu_path
