#include "runners/cli/suite_tests.hpp"

#include "common/error.hpp"
#include "common/subprocess.hpp"
#include "runners/manifest/vocabulary.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

namespace cts::cli {

std::vector<SuiteTest> list_suite_tests(const std::filesystem::path& binary, const std::string& target) {
  const CommandResult result =
      run_command({binary.string(), "--target", target, "--list"}, std::chrono::seconds(60));
  if (result.timed_out || result.status != 0)
    throw Error("{} --list ended with status {}: {}", binary.string(), result.status, result.err);
  std::vector<SuiteTest> tests;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    try {
      const auto json = nlohmann::json::parse(line);
      tests.push_back({json.at("labels").at(0), json.at("test"), json.at("check"), json.at("claims")});
    } catch (const nlohmann::json::exception&) {
      throw Error("{} --list: expected a test as a line of JSON, got: {}", binary.string(), line);
    }
  }
  return tests;
}

std::vector<std::filesystem::path> suite_binaries() {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<std::filesystem::path> found;
  for (const std::string_view suite : manifest::suites)
    for (const char* kind : {"_host", "_run"})
      if (const auto binary = folder / (std::string(suite) + kind); std::filesystem::exists(binary, error))
        found.push_back(binary);
  return found;
}

} // namespace cts::cli
