// The variables in front of a HIP program that knows nothing of them: 8 workgroups of 128 threads, each of
// which writes one dword of LDS, 1000 of which read it.
#include "common/file.hpp"
#include "common/subprocess.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace cts {
namespace {

class HipProgram : public ::testing::Test {
protected:
  HipProgram() {
    std::string folder = (std::filesystem::temp_directory_path() / "cdna-cts-observe-XXXXXX").string();
    folder_ = ::mkdtemp(folder.data());
  }
  ~HipProgram() override { std::filesystem::remove_all(folder_); }

  std::string file(const char* name) const { return (folder_ / name).string(); }
  CommandResult run(std::map<std::string, std::string> variables) const {
    variables["CDNA_CTS_TARGET"] = "gfx942";
    return run_command({CDNA_CTS_PROGRAM, "gfx942"}, std::chrono::seconds(60), variables);
  }

  std::filesystem::path folder_;
};

TEST_F(HipProgram, WritesItsProfileWhenItEnds) {
  const CommandResult result = run({{"CDNA_CTS_PROFILE", file("profile.json")}});
  ASSERT_EQ(0, result.status) << result.err;
  const auto kernels = nlohmann::json::parse(read_file(file("profile.json")))["kernels"];
  ASSERT_EQ(1u, kernels.size());
  EXPECT_EQ("gfx942", kernels[0]["target"]);
  EXPECT_EQ(1, kernels[0]["launches"]);
  EXPECT_EQ(8, kernels[0]["workgroups"]);
  EXPECT_EQ(16, kernels[0]["waves"]);
  EXPECT_EQ(16, kernels[0]["instructions"]["by_mnemonic"]["s_endpgm"]);
  EXPECT_EQ(8 * 128 * 4, kernels[0]["bytes"]["lds"]["stores"]);
  EXPECT_EQ(1000 * 4, kernels[0]["bytes"]["lds"]["loads"]);
}

TEST_F(HipProgram, WritesTheTraceOfOneWave) {
  const CommandResult result =
      run({{"CDNA_CTS_TRACE", file("trace.txt")}, {"CDNA_CTS_TRACE_GROUP", "7,0,0"}});
  ASSERT_EQ(0, result.status) << result.err;
  const std::string trace = read_file(file("trace.txt"));
  EXPECT_NE(trace.npos, trace.find(", workgroup 7,0,0, wave 0 of 2, gfx942\n")) << trace.substr(0, 200);
  EXPECT_NE(trace.npos, trace.find("\nended after ")) << trace.substr(0, 200);
}

TEST_F(HipProgram, FailsWithOneLineForAValueThatMeansNothing) {
  const CommandResult result = run({{"CDNA_CTS_TRACE", file("trace.txt")}, {"CDNA_CTS_TRACE_WAVE", "first"}});
  EXPECT_EQ(1, result.status);
  EXPECT_EQ("cdna-cts emulator: CDNA_CTS_TRACE_WAVE='first': expected the number of a wave in its workgroup, "
            "0 to 15\n",
            result.err.substr(0, result.err.find('\n') + 1));
}

TEST_F(HipProgram, SaysWhenTheProfileCannotBeWritten) {
  write_file(file("in_the_way"), "");
  const CommandResult result = run({{"CDNA_CTS_PROFILE", file("in_the_way/profile.json")}});
  EXPECT_EQ(0, result.status);
  EXPECT_TRUE(result.err.starts_with("cdna-cts emulator: ")) << result.err;
  EXPECT_NE(result.err.npos, result.err.find("in_the_way")) << result.err;
}

} // namespace
} // namespace cts
