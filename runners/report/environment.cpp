#include "runners/report/environment.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <sys/utsname.h>

namespace cts::report {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

const std::string unknown = "unknown";

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string or_unknown(const std::string& text) { return text.empty() ? unknown : text; }

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The file's bytes, or nothing: /sys and /proc differ between kernels and containers.
std::string contents(const fs::path& path) {
  try {
    return read_file(path);
  } catch (const Error&) {
    return "";
  }
}

/// The value after `key` and any of `separators` on the first line of `text` that starts with `key`.
std::string value_after(const std::string& text, const std::string& key, const char* separators) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const auto value = line.find_first_not_of(separators, key.size());
    if (value == std::string::npos || value == key.size()) continue; // a longer key, or no value
    return trimmed(line.substr(value));
  }
  return "";
}

/// Standard output of a command that ended well within its time, else "unknown".
std::string output_of(const std::vector<std::string>& argv) {
  try {
    const CommandResult result = run_command(argv, 20s);
    return result.status == 0 && !result.timed_out ? trimmed(result.out) : unknown;
  } catch (const Error&) {
    return unknown;
  }
}

/// The first line of `text` that holds `word`.
std::string line_with(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(word) != std::string::npos) return trimmed(line);
  return "";
}

std::string kernel_version() {
  utsname names{};
  return ::uname(&names) == 0 ? fmt::format("{} {}", names.sysname, names.release) : unknown;
}

std::string without_quotes(std::string text) {
  std::erase(text, '"');
  return text;
}

std::string device_compiler() {
  std::string compiler = variable("CDNA_CTS_DEVICE_COMPILER");
  if (compiler.empty()) compiler = CDNA_CTS_CONFIGURED_DEVICE_COMPILER;
  return or_unknown(line_with(output_of({compiler, "--version"}), "version"));
}

std::string host_compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

/// The runtime this build was configured for; a library's version is in the name that its link leads to.
std::string hip_runtime() {
  const std::string configured = CDNA_CTS_CONFIGURED_HIP_RUNTIME;
  if (configured.empty() || configured == "emulator") return configured.empty() ? "none" : configured;
  std::error_code failed;
  const fs::path library = fs::canonical(configured, failed);
  return failed ? unknown : library.filename().string();
}

std::string git(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{"git", "-C", CDNA_CTS_SOURCE_FOLDER};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return output_of(argv);
}

} // namespace

std::string target_of_version(unsigned long gfx_target_version) {
  return fmt::format("gfx{}{:x}{:x}", gfx_target_version / 10000, gfx_target_version / 100 % 100,
                     gfx_target_version % 100);
}

std::vector<Gpu> gpus_of(const fs::path& topology_nodes) {
  std::error_code failed;
  std::vector<std::pair<unsigned long, fs::path>> nodes;
  for (const auto& entry : fs::directory_iterator(topology_nodes, failed))
    nodes.emplace_back(std::strtoul(entry.path().filename().c_str(), nullptr, 10), entry.path());
  std::ranges::sort(nodes);
  std::vector<Gpu> gpus;
  for (const auto& [number, node] : nodes) {
    const std::string properties = contents(node / "properties");
    const unsigned long version =
        std::strtoul(value_after(properties, "gfx_target_version", " ").c_str(), nullptr, 10);
    if (version == 0) continue;
    gpus.push_back({target_of_version(version), or_unknown(trimmed(contents(node / "name"))),
                    or_unknown(value_after(properties, "unique_id", " "))});
  }
  return gpus;
}

Environment capture_environment() {
  Environment e;
  e.os = or_unknown(without_quotes(value_after(contents("/etc/os-release"), "PRETTY_NAME", "=")));
  e.kernel = kernel_version();
  e.cpu = or_unknown(value_after(contents("/proc/cpuinfo"), "model name", "\t :"));
  e.device_compiler = device_compiler();
  e.llvm_objdump = or_unknown(
      line_with(output_of({(fs::path(CDNA_CTS_CONFIGURED_LLVM_BIN) / "llvm-objdump").string(), "--version"}),
                "version"));
  e.host_compiler = host_compiler();
  e.commit = or_unknown(git({"rev-parse", "HEAD"}));
  const std::string changes = git({"status", "--porcelain"});
  e.dirty = changes.empty() ? "no" : changes == unknown ? unknown : "yes";
  e.hip_runtime = hip_runtime();
  const std::string driver = trimmed(contents("/sys/module/amdgpu/version"));
  e.driver = !driver.empty() ? driver : fs::exists("/sys/module/amdgpu") ? unknown : "none";
  const std::string wrapper = variable("CDNA_CTS_RUN_WRAPPER");
  e.run_wrapper = wrapper.empty() ? "none" : wrapper;
  e.gpus = gpus_of("/sys/class/kfd/kfd/topology/nodes");
  return e;
}

nlohmann::ordered_json to_json(const Environment& e) {
  nlohmann::ordered_json json{{"os", e.os},
                              {"kernel", e.kernel},
                              {"cpu", e.cpu},
                              {"device_compiler", e.device_compiler},
                              {"llvm_objdump", e.llvm_objdump},
                              {"host_compiler", e.host_compiler},
                              {"commit", e.commit},
                              {"dirty", e.dirty},
                              {"hip_runtime", e.hip_runtime},
                              {"driver", e.driver},
                              {"run_wrapper", e.run_wrapper},
                              {"gpus", nlohmann::ordered_json::array()}};
  for (const Gpu& gpu : e.gpus)
    json["gpus"].push_back({{"target", gpu.target}, {"name", gpu.name}, {"unique_id", gpu.unique_id}});
  return json;
}

nlohmann::ordered_json read_environment(const fs::path& path) {
  const auto refuse = [&](const std::string& why) {
    throw Error("{}: no environment: {}; expected what 'cdna-cts env --format json' prints", path.string(),
                why);
  };
  auto json = nlohmann::ordered_json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) refuse("not a JSON object");
  const nlohmann::ordered_json known = to_json(Environment{});
  for (const auto& [field, value] : json.items()) {
    if (!known.contains(field)) refuse(fmt::format("it has a field '{}'", field));
    if (value.type() != known.at(field).type())
      refuse(fmt::format("field '{}' is of type {}", field, value.type_name()));
  }
  return json;
}

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string to_text(const Environment& environment) {
  const auto json = to_json(environment);
  std::string text;
  for (const auto& [key, value] : json.items())
    if (value.is_string()) text += fmt::format("{}: {}\n", key, value.get<std::string>());
  for (const Gpu& gpu : environment.gpus)
    text += fmt::format("gpu: {} {} {}\n", gpu.target, gpu.name, gpu.unique_id);
  if (environment.gpus.empty()) text += "gpu: none\n";
  return text;
}

} // namespace cts::report
