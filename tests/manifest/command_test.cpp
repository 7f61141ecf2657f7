// The commands as people run them: cdna-cts claims, and the build step that writes the claim ids.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "tests/manifest/small_manifests.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cts::manifest::tests {
namespace {

CommandResult claims(std::vector<std::string> arguments,
                     const std::map<std::string, std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {CDNA_CTS_COMMAND, "claims"});
  return run_command(arguments, std::chrono::seconds(60), environment);
}

std::ptrdiff_t lines(const std::string& text) { return std::ranges::count(text, '\n'); }

TEST(ClaimsCommand, ListsOneLineAClaim) {
  const CommandResult result = claims({});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines(result.out), 121);
  EXPECT_EQ(result.out.find("CDNA-1.1   gfx942 gfx950  lane_ownership"), 0u) << result.out.substr(0, 200);
}

TEST(ClaimsCommand, FiltersByEachField) {
  EXPECT_EQ(lines(claims({"--document", "sparse"}).out), 16);
  EXPECT_EQ(lines(claims({"--suite", "lane_ownership", "--target", "gfx942", "--check", "code"}).out),
            2);                                                                          // CDNA-1.1, 3.6
  EXPECT_EQ(lines(claims({"--suite", "transpose_reads", "--target", "gfx942"}).out), 1); // CDNA-5.9
}

TEST(ClaimsCommand, ShowsAClaimWhole) {
  const CommandResult result = claims({"CDNA-3.5"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* part : {"C/D item g of lane L is C[4q+g,t]", "D transposed", "SPARSE-6",
                           "mfma_d_transposed", "manifests/claims/cdna.yaml:"})
    EXPECT_NE(result.out.find(part), std::string::npos) << "expected " << part << " in:\n" << result.out;
}

/// The tests of a claim, or how to see them: which, depends on what has been built beside the command.
TEST(ClaimsCommand, NamesTheTestsOfAClaim) {
  const std::string out = claims({"CDNA-3.5"}).out;
  EXPECT_NE(out.find("\n  tested in  suites/lane_ownership/"), std::string::npos) << out;
  EXPECT_NE(out.find("\n  reference  reference/"), std::string::npos) << out;
  EXPECT_NE(out.find("\n  kernels    suites/lane_ownership/kernels.hip\n"), std::string::npos) << out;
  const bool built =
      std::filesystem::exists(std::filesystem::path(CDNA_CTS_COMMAND).parent_path() / "lane_ownership_run");
  EXPECT_NE(out.find(built ? "(lane_ownership, run) on gfx942" : "ctest -N -L lane_ownership"),
            std::string::npos)
      << out;
}

TEST(ClaimsCommand, WritesJson) {
  const auto json = nlohmann::json::parse(claims({"--format", "json"}).out);
  ASSERT_EQ(json.at("claims").size(), 121u);
  EXPECT_EQ(json.at("claims")[0].at("id"), "CDNA-1.1");
  EXPECT_EQ(json.at("claims")[0].at("check"), (std::vector<std::string>{"compile", "code", "run"}));
  EXPECT_EQ(json.at("manifests").get<std::string>().size(), 64u);
}

struct Usage {
  std::vector<std::string> arguments;
  const char* says;
};

TEST(ClaimsCommand, WrongUsageIsOneLineAndStatus2) {
  const Usage wrong[] = {{{"CDNA-3.33"}, "no claim has the id 'CDNA-3.33', did you mean 'CDNA-3.3'?"},
                         {{"--suite", "lane"}, "there is no suite 'lane', did you mean 'lane_ownership'?"},
                         {{"--document", "cnda"}, "there is no document 'cnda', did you mean 'cdna'?"},
                         {{"--target", "gfx940"}, "there is no target 'gfx940', did you mean 'gfx942'?"},
                         {{"--check", "runs"}, "there is no check 'runs', did you mean 'run'?"},
                         {{"--format", "yaml"}, "there is no format 'yaml'"},
                         {{"--sweet"}, "--sweet"},
                         {{"--suite", "numerics", "CDNA-8.5"}, "ID excludes --suite"}};
  for (const Usage& usage : wrong) {
    const CommandResult result = claims(usage.arguments);
    EXPECT_EQ(result.status, 2) << usage.says;
    EXPECT_EQ(result.out, "") << usage.says;
    EXPECT_EQ(result.err.find("cdna-cts: "), 0u) << result.err;
    EXPECT_NE(result.err.find(usage.says), std::string::npos)
        << "expected " << usage.says << "\ngot " << result.err;
    EXPECT_EQ(lines(result.err), 1) << result.err;
  }
}

TEST(ClaimsCommand, BrokenManifestIsOneLineAndStatus2) {
  const SmallManifests manifests;
  std::string text = small_files.at("claims/cdna.yaml");
  manifests.write("claims/cdna.yaml", text.replace(text.find("lds_geometry"), 12, "lds"));
  const CommandResult result = claims({}, {{"CDNA_CTS_MANIFESTS", manifests.folder()}});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err.find("cdna-cts: manifests/claims/cdna.yaml:16: unknown suite 'lds'"), 0u)
      << result.err;
}

TEST(Command, KnowsHelpVersionAndItsSubcommands) {
  const auto run = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), CDNA_CTS_COMMAND);
    return run_command(arguments, std::chrono::seconds(60));
  };
  EXPECT_EQ(run({"--help"}).status, 0);
  EXPECT_EQ(run({"claims", "--help"}).status, 0);
  EXPECT_EQ(run({"--version"}).out.find("cdna-cts 0."), 0u) << run({"--version"}).out;
  EXPECT_EQ(run({}).status, 2);
  const CommandResult unknown = run({"clams"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("no command 'clams', did you mean 'claims'?"), std::string::npos) << unknown.err;
}

TEST(ClaimIdsCommand, BrokenManifestFailsTheBuildStepAndWritesNothing) {
  const SmallManifests manifests;
  const std::filesystem::path header = manifests.folder() / "claim_ids.hpp";
  const auto generate = [&] {
    return run_command({CDNA_CTS_CLAIM_IDS_COMMAND, manifests.folder(), header}, std::chrono::seconds(60));
  };
  std::string text = small_files.at("faults.yaml");
  manifests.write("faults.yaml", text.replace(text.find("CDNA-1.1"), 8, "CDNA-1.7"));
  const CommandResult broken = generate();
  EXPECT_EQ(broken.status, 2);
  EXPECT_NE(broken.err.find("manifests/faults.yaml:5: no claim has the id 'CDNA-1.7'"), std::string::npos)
      << broken.err;
  EXPECT_FALSE(std::filesystem::exists(header));

  manifests.write("faults.yaml", small_files.at("faults.yaml"));
  EXPECT_EQ(generate().status, 0);
  EXPECT_NE(read_file(header).find("claim_ids{\n    \"CDNA-1.1\",\n    \"CDNA-1.2\",\n};"), std::string::npos)
      << read_file(header);
}

} // namespace
} // namespace cts::manifest::tests
