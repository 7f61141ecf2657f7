// The pipelines of docs/gate-in-ci.md: the YAML is YAML, the shell in it is shell, and both gate steps end as
// the page says, run with the real command.
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/manifest/yaml.hpp"
#include "runners/report/environment.hpp"
#include "tests/report/crafted.hpp"

#include <gtest/gtest.h>

namespace cts {
namespace {

using namespace std::chrono_literals;

/// The text between `begin` and the next `end` of docs/gate-in-ci.md, from the n-th `begin` on.
std::string between(const std::string& begin, const std::string& end, int n = 0) {
  const std::string page = read_file(CDNA_CTS_SOURCES "/docs/gate-in-ci.md");
  std::size_t at = page.find(begin);
  for (; n > 0 && at != std::string::npos; --n)
    at = page.find(begin, page.find(end, at + begin.size()) + end.size());
  const std::size_t from = at + begin.size(), to = page.find(end, from);
  if (at == std::string::npos || to == std::string::npos)
    throw Error("docs/gate-in-ci.md has no '{}'", begin);
  return page.substr(from, to - from);
}

/// The shell of the steps: of GitHub's workflow by the step's name, of the Jenkinsfile by the stage's.
std::string github_step(const std::string& step) {
  for (const YAML::Node& s : YAML::Load(between("```yaml\n", "```\n"))["jobs"]["gate"]["steps"])
    if (s["name"] && s["name"].as<std::string>() == step) return s["run"].as<std::string>();
  throw Error("no step '{}'", step);
}

std::string jenkins_step(int n) {
  std::string shell = between("sh '''", "'''", n);
  for (std::size_t at = 0; (at = shell.find("\\\\", at)) != std::string::npos; ++at)
    shell.erase(at, 1); // Groovy's
  return shell;
}

/// A checkout in which everything was run: build/gfx942 has the command, build/report the report.
class CiExample : public testing::TestWithParam<const char*> {
protected:
  crafted::Folder folder;
  const std::string summary = (folder.path() / "summary.md").string();

  static std::string report(Outcome outcome) {
    manifest::Manifests all = manifest::load(CDNA_CTS_SOURCES "/manifests");
    return report::dump(to_json(report::build_report(
        all, {{crafted::with(crafted::record("CDNA-5.13", Check::host), outcome, "x")}, {}, {}},
        {{"cpu", "a CPU"}})));
  }

  void SetUp() override {
    write_file(folder.path() / "build/report/report.json", report(Outcome::passed));
    std::filesystem::create_directories(folder.path() / "build/gfx942/bin");
    std::filesystem::create_symlink(CDNA_CTS_COMMAND, folder.path() / "build/gfx942/bin/cdna-cts");
    write_file(summary, "");
  }

  void baseline(const std::string& bytes) { write_file(folder.path() / "baselines/gfx942.json", bytes); }

  /// As GitHub's runner calls bash, and as Jenkins' #! line has it.
  CommandResult shell(const std::string& script) const {
    const std::string file = (folder.path() / "step.sh").string();
    write_file(file, "cd '" + folder.path().string() + "'\n" + script);
    std::vector<std::string> argv{"bash", "--noprofile", "--norc"};
    if (is_github()) argv.insert(argv.end(), {"-e", "-o", "pipefail"});
    argv.push_back(file);
    return run_command(argv, 120s,
                       {{"PRESET", "gfx942"},
                        {"TARGET", "gfx942"},
                        {"BASELINE", "baselines/gfx942.json"},
                        {"CDNA_CTS_MANIFESTS", CDNA_CTS_SOURCES "/manifests"},
                        {"GITHUB_STEP_SUMMARY", summary}});
  }

  bool is_github() const { return std::string_view(GetParam()) == "GitHub"; }
  CommandResult run_suites() const {
    return shell(is_github() ? github_step("Run every suite") : jenkins_step(0));
  }
  CommandResult gate() const { return shell(is_github() ? github_step("Gate") : jenkins_step(1)); }
  std::string shown(const CommandResult& result) const {
    return is_github() ? read_file(summary) : result.out;
  }
};

TEST_P(CiExample, PassesWhatDoesNotDiffer) {
  baseline(report(Outcome::passed));
  const CommandResult result = gate();
  EXPECT_EQ(0, result.status) << result.err;
  EXPECT_NE(std::string::npos, shown(result).find("### cdna-cts gate: pass\n")) << shown(result);
}

TEST_P(CiExample, FailsOnARegressionAndShowsIt) {
  baseline(report(Outcome::passed));
  write_file(folder.path() / "build/report/report.json", report(Outcome::failed));
  const CommandResult result = gate();
  EXPECT_EQ(1, result.status) << result.err;
  EXPECT_NE(std::string::npos, shown(result).find("### cdna-cts gate: fail\n")) << shown(result);
  EXPECT_NE(std::string::npos, shown(result).find("| REGRESSION | CDNA-5.13 | gfx942 |")) << shown(result);
}

TEST_P(CiExample, FailsWithoutABaselineOrAVerdict) {
  CommandResult result = gate();
  EXPECT_EQ(2, result.status) << result.err;
  EXPECT_NE(std::string::npos, shown(result).find("no baseline")) << shown(result);
  baseline("{");
  result = gate();
  EXPECT_EQ(2, result.status);
  EXPECT_NE(std::string::npos, result.err.find("baselines/gfx942.json:1: not JSON")) << result.err;
}

TEST_P(CiExample, LeavesAViolationToTheGateAndNothingElse) {
  for (const auto& [status, expected] : {std::pair{0, 0}, {1, 0}, {2, 2}, {137, 137}}) {
    write_file(folder.path() / "scripts/run.sh", fmt::format("#!/bin/sh\nexit {}\n", status));
    std::filesystem::permissions(folder.path() / "scripts/run.sh", std::filesystem::perms::owner_all);
    EXPECT_EQ(expected, run_suites().status) << status;
  }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, CiExample, testing::Values("GitHub", "Jenkins"),
                         [](const auto& info) { return std::string(info.param); });

TEST(CiExamples, TheYamlIsWhole) {
  const YAML::Node workflow = YAML::Load(between("```yaml\n", "```\n"));
  EXPECT_EQ("cdna-cts", workflow["name"].as<std::string>());
  EXPECT_EQ(4u, workflow["jobs"]["gate"]["steps"].size());
  const YAML::Node step = YAML::Load(between("```yaml\n", "```\n", 1));
  EXPECT_EQ("actions/download-artifact@v4", step[0]["uses"].as<std::string>());
}

} // namespace
} // namespace cts
