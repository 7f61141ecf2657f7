#include "runners/fleet/start.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/host.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/chrono.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cts::fleet {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Slurm's name of the task: "1234_7".
std::string slurm_task() {
  const std::string array = variable("SLURM_ARRAY_JOB_ID");
  return array.empty() ? variable("SLURM_JOB_ID") : array + "_" + variable("SLURM_ARRAY_TASK_ID");
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

/// Makes the first attempt-N that is not there: whoever makes it has it, whatever the clocks say.
std::pair<fs::path, unsigned> next_attempt(const fs::path& shard) {
  std::error_code failed;
  fs::create_directories(shard, failed);
  for (unsigned number = 1; !failed; ++number) {
    fs::path folder = shard / fmt::format("attempt-{}", number);
    if (fs::create_directory(folder, failed)) return {std::move(folder), number};
  }
  throw Error("{}: cannot make a folder in it: {}", shard.string(), failed.message());
}

/// CTest's entries of the device tests of every suite that is built, and no others.
std::string test_file(const std::string& build) {
  return fmt::format("file(GLOB entries [==[{}]==])\n"
                     "foreach(entry IN LISTS entries)\n"
                     "  include(\"${{entry}}\")\n"
                     "endforeach()\n",
                     build + "/suites/*/*_run.ctest.cmake");
}

/// The tests that run on the device, for the plan's target; then what the plan asks for besides.
std::vector<std::string> ctest_arguments(const Plan& plan, const fs::path& folder) {
  std::vector<std::string> arguments{"--test-dir",
                                     folder.string(),
                                     "--resource-spec-file",
                                     (folder / "gpus.json").string(),
                                     "--no-tests=error",
                                     "--output-on-failure",
                                     "-L",
                                     "^(run|time)$",
                                     "-L",
                                     "^" + plan.target + "$"};
  arguments.insert(arguments.end(), plan.ctest.begin(), plan.ctest.end());
  return arguments;
}

/// The device for `shard` on this host. Where none is visible it is device 0, and the tests will say why it
/// is not there.
Visible device_for(const Shard& shard, const std::string& host, const std::vector<Visible>& visible,
                   const std::set<std::string>& done) {
  const auto chosen = std::ranges::find_if(visible, [&](const Visible& device) {
    return shard.node.empty() ? device.ordinal == shard.device : !done.contains(device_on(host, device.name));
  });
  if (chosen != visible.end()) return *chosen;
  return shard.node.empty() || visible.empty() ? Visible{shard.device, ""} : visible.front();
}

} // namespace

std::string resource_specification(const std::vector<int>& devices) {
  nlohmann::ordered_json gpus = nlohmann::ordered_json::array();
  for (const int device : devices) gpus.push_back({{"id", std::to_string(device)}, {"slots", 1}});
  nlohmann::ordered_json json{{"version", {{"major", 1}, {"minor", 0}}}};
  json["local"] = nlohmann::ordered_json::array();
  json["local"].push_back({{"gpus", gpus}});
  return json.dump(1) + "\n";
}

std::vector<Visible> visible_devices(const std::string& lines) {
  std::vector<Visible> devices;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    Visible device;
    std::string target, pci, uuid;
    if (!(words >> device.ordinal >> target >> pci >> uuid))
      throw Error("'{}': expected a line of cdna-cts-devices", line);
    device.name = pci + " " + uuid;
    devices.push_back(std::move(device));
  }
  return devices;
}

std::optional<fs::path> start_attempt(const fs::path& run, unsigned number,
                                      const std::vector<Visible>& visible) {
  const Plan plan = read_plan(run);
  const auto shard = std::ranges::find(plan.shards, number, &Shard::number);
  if (shard == plan.shards.end())
    throw Error("{}: no shard {}; {} shards are planned", (run / plan_file).string(), number,
                plan.shards.size());
  const std::string host = host_name();
  if (!shard->node.empty() && shard->node != host)
    throw Error("shard {} is planned on {}, and this is {}", number, shard->node, host);
  const Progress so_far = progress(run, plan);
  if (std::ranges::find(so_far.unfinished, number) == so_far.unfinished.end()) return std::nullopt;
  const Visible device = device_for(*shard, host, visible, so_far.done);

  const auto [folder, attempt] = next_attempt(fs::absolute(shard_folder(run, number)));
  write_attempt(folder, {plan.run, number, attempt, host, plan.manifests, plan.target,
                         variable("CDNA_CTS_FAULT"), now(), slurm_task(), device.name});
  fs::create_directory(folder / "evidence");
  const fs::path tests = folder / "ctest";
  std::string arguments;
  for (const std::string& argument : ctest_arguments(plan, tests)) arguments += argument + "\n";
  write_file(tests / "CTestTestfile.cmake", test_file(plan.build));
  write_file(tests / "gpus.json", resource_specification({device.ordinal}));
  write_file(tests / "arguments", arguments);
  return folder;
}

} // namespace cts::fleet
