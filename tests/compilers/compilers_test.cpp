// scripts/compare-compilers.sh from outside, and the parts that it joins: facts, reports, the gate.
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace cts {
namespace {

using namespace std::chrono_literals;

CommandResult script(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SCRIPT);
  return run_command(arguments, 60s);
}

/// The last line of what a command said.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
}

TEST(CompareCompilers, RefusesWhatItDoesNotUnderstand) {
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{"22"}, "two compilers are compared, 1 given"},
      {{"21", "22", "23"}, "two compilers are compared, 3 given"},
      {{"22", "gcc"}, "a compiler is a clang version such as 23, not 'gcc'"},
      {{"22", "023"}, "a compiler is a clang version such as 23, not '023'"},
      {{"--suites", "nope", "22", "23"}, "no suite 'nope'; there are cross_lane "},
      {{"--suites", "../x", "22", "23"}, "--suites takes names separated by commas, not '../x'"},
      {{"--suites"}, "--suites takes names separated by commas, not ''"},
      {{"--fast", "22", "23"}, "unknown option: --fast"}};
  for (const auto& [arguments, message] : wrong) {
    const CommandResult result = script(arguments);
    EXPECT_EQ(2, result.status) << fmt::format("{}", arguments);
    EXPECT_EQ("compare-compilers.sh: " + message, last_line(result.err).substr(0, 22 + message.size()))
        << fmt::format("{}", arguments);
  }
}

TEST(CompareCompilers, SaysHowItIsUsed) {
  const CommandResult result = script({"--help"});
  EXPECT_EQ(0, result.status);
  EXPECT_EQ(0u, result.out.find("usage: scripts/compare-compilers.sh ")) << result.out;
}

/// The kernels of the numerics suite as one compiler left them, and the record that comes of them.
class Kernels : public testing::Test {
protected:
  TemporaryFolder folder{"compilers"};
  const std::filesystem::path code = folder.path() / "code", evidence = folder.path() / "evidence";

  void SetUp() override {
    std::filesystem::create_directories(code);
    for (const char* opt : {"O1", "O3"}) {
      const std::string file = fmt::format("numerics.gfx942.{}.co", opt);
      std::filesystem::create_symlink(std::filesystem::path(CODE) / file, code / file);
    }
    write_file(code / "compiler.txt", "clang version 99\n");
  }
  /// As if a compiler had refused the build at `opt`.
  void refuse(const std::string& opt, const std::string& why) {
    std::filesystem::remove(code / fmt::format("numerics.gfx942.{}.co", opt));
    write_file(code / fmt::format("numerics.gfx942.{}.co.refused", opt), why + "\n");
  }
  Record ask() {
    std::filesystem::remove_all(evidence);
    run_command({SUITE_HOST, "--target", "gfx942", "--gtest_filter=Kernels.*"}, 120s,
                {{"CDNA_CTS_CODE", code.string()}, {"CDNA_CTS_EVIDENCE", evidence.string()}});
    const Evidence read = read_evidence(evidence);
    return read.records.size() == 1 ? read.records.front() : Record{};
  }
  /// The report of one record, in a file `name`.
  std::string report(const Record& record, const std::string& name) {
    const auto records = folder.path() / (name + ".evidence");
    std::filesystem::create_directories(records);
    append_record(records, record);
    write_file(folder.path() / "environment.json", "{}");
    std::string file = (folder.path() / name).string();
    run_command({CDNA_CTS_CLI, "report", "--evidence", records.string(), "--format", "json", "-o", file,
                 "--environment", (folder.path() / "environment.json").string()},
                120s);
    return file;
  }
  CommandResult gate(const std::string& baseline, const std::string& candidate) {
    return run_command({CDNA_CTS_CLI, "gate", "--baseline", baseline, "--candidate", candidate}, 120s);
  }
};

TEST_F(Kernels, FactsAreWhatTheCompilerMadeOfThem) {
  const Record record = ask();
  EXPECT_EQ(Outcome::passed, record.outcome) << record.detail;
  EXPECT_EQ("CDNA-8.2", record.claim);
  EXPECT_EQ("clang version 99", record.origin.at("compiler"));
  EXPECT_EQ("accepted, 32 of them", record.facts.at("kernels at O1"));
  EXPECT_EQ("accepted, 32 of them", record.facts.at("kernels at O3"));
  EXPECT_LT(2u, record.facts.size());
  for (const auto& [what, answer] : record.facts)
    EXPECT_EQ(std::string::npos, answer.find('/')) << "a path? " << what << ": " << answer;
  EXPECT_EQ(record.facts, ask().facts) << "another answer to the same question";
}

TEST_F(Kernels, OneThatIsRefusedIsAFailedRecordWithTheDiagnostic) {
  refuse("O1", "use of undeclared identifier '__builtin_amdgcn_x'");
  const Record record = ask();
  EXPECT_EQ(Outcome::failed, record.outcome);
  EXPECT_EQ(
      "numerics.gfx942.O1.co: the compiler refused it: use of undeclared identifier '__builtin_amdgcn_x'",
      record.detail);
  EXPECT_EQ("refused: use of undeclared identifier '__builtin_amdgcn_x'", record.facts.at("kernels at O1"));
  EXPECT_EQ("accepted, 32 of them", record.facts.at("kernels at O3")) << "the other build goes on";
}

TEST_F(Kernels, TheGateNamesWhatDiffersAndNothingOfAReportWithItself) {
  const Record record = ask();
  Record other = record;
  const auto emitted = std::ranges::find_if(
      other.facts, [](const auto& fact) { return fact.first.starts_with("emitted for "); });
  ASSERT_NE(other.facts.end(), emitted);
  emitted->second = "v_other";
  const std::string a = report(record, "a.json"), b = report(other, "b.json");
  const CommandResult same = gate(a, a), differs = gate(a, b);
  EXPECT_EQ(0, same.status) << same.err;
  EXPECT_TRUE(same.out.ends_with("\ngate: pass, no difference\n")) << same.out;
  EXPECT_EQ(1, differs.status) << differs.err;
  EXPECT_EQ(0u, differs.out.find(fmt::format(
                    "CHANGED    CDNA-8.2 gfx942 fact {} of numerics.Kernels.CompileForTheTarget [code]\n"
                    "    baseline:  {}\n    candidate: v_other\ngate: fail, 1 CHANGED (fail)\n",
                    emitted->first, record.facts.at(emitted->first))))
      << differs.out;
}

} // namespace
} // namespace cts
