#include "tests/gpu_path/started.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace cts::gpu_path {

using namespace std::chrono_literals;

Environment clean(Environment more) {
  for (const char* variable :
       {"CDNA_CTS_EVIDENCE", "CDNA_CTS_FAULT", "CDNA_CTS_RUN_WRAPPER", "CDNA_CTS_RUN_WRAPPER_RUNNER"})
    more.insert({variable, ""}); // leaves what is there
  return more;
}

std::string no_amd() {
  const std::string absent = AMD_ABSENT;
  if (absent.empty() && std::filesystem::exists("/dev/kfd"))
    return "/dev/kfd is here: AMD's library may find a GPU";
  return absent;
}

std::vector<std::string> suite_command(const std::string& target) {
  return {SUITE_RUN, "--target", target, "--opt", "O3"};
}

std::vector<std::string> on_amd(std::vector<std::string> command) {
  const std::vector<std::string> start{AMD_LOADER, "--library-path", AMD_LIBRARY_PATH};
  command.insert(command.begin(), start.begin(), start.end());
  return command;
}

std::vector<std::string> listed_tests(const std::string& target) {
  const CommandResult listing = run_command({SUITE_RUN, "--target", target, "--list"}, 60s);
  if (listing.status != 0) throw Error("{} --list: status {}, {}", SUITE_RUN, listing.status, listing.err);
  std::vector<std::string> names;
  std::istringstream lines(listing.out);
  for (std::string line; std::getline(lines, line);)
    names.push_back(nlohmann::json::parse(line).at("test").get<std::string>());
  std::ranges::sort(names);
  return names;
}

Started::Started(const std::vector<std::string>& command, const Environment& environment) {
  Environment all = clean(environment);
  all["CDNA_CTS_EVIDENCE"] = folder_.path().string();
  result = run_command(command, 120s, all);
  evidence = read_evidence(folder_.path());
}

std::vector<std::string> Started::tests() const {
  std::set<std::string> names;
  for (const Record& record : evidence.records) names.insert(record.test);
  return {names.begin(), names.end()};
}

const nlohmann::json& Started::Report::on(const std::string& claim, const std::string& target) const {
  for (const nlohmann::json& entry : json.at("claims"))
    if (entry.at("id") == claim) return entry.at("targets").at(target);
  throw Error("the report has no claim {}", claim);
}

Started::Report Started::report() const {
  const TemporaryFolder folder("gpu-path-report");
  const std::filesystem::path environment = folder.path() / "environment.json";
  write_file(environment, "{}"); // the machine's own is of no interest here
  Report report;
  report.result = run_command({CDNA_CTS_CLI, "report", "--evidence", folder_.path().string(), "--format",
                               "json", "--environment", environment.string()},
                              60s);
  if (report.result.status > 1)
    throw Error("cdna-cts report: status {}: {}", report.result.status, report.result.err);
  report.json = nlohmann::json::parse(report.result.out);
  return report;
}

std::string text(const nlohmann::json& object, const char* key) { return object.at(key).get<std::string>(); }

std::string origin(const Record& record, const std::string& key) {
  const auto found = record.origin.find(key);
  return found == record.origin.end() ? "" : found->second;
}

std::ostream& operator<<(std::ostream& out, const Started& started) {
  out << "exit status " << started.result.status << (started.result.timed_out ? ", timed out" : "") << "\n";
  std::istringstream lines(started.result.out + started.result.err);
  for (std::string line; std::getline(lines, line);)
    if (line.find("[  SKIPPED ]") == line.npos)
      out << line << "\n"; // CTest would call the failed test skipped
  return out;
}

} // namespace cts::gpu_path
