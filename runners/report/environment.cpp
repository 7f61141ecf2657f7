#include "runners/report/environment.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
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

/// Versions below a PCI device: its files fw_version/<part>_fw_version.
std::map<std::string, std::string> firmware_of(const fs::path& device) {
  constexpr std::string_view ending = "_fw_version";
  std::map<std::string, std::string> versions;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(device / "fw_version", failed)) {
    const std::string file = entry.path().filename().string();
    const std::string version = trimmed(contents(entry.path()));
    if (file.ends_with(ending) && !version.empty())
      versions[file.substr(0, file.size() - ending.size())] = version;
  }
  return versions;
}

/// The GPU of a topology node, or nothing for a CPU's node.
std::optional<Gpu> gpu_of(const fs::path& node, const fs::path& sys) {
  const std::string properties = contents(node / "properties");
  const auto number = [&](const char* property) -> std::optional<unsigned long> {
    const std::string digits = value_after(properties, property, " ");
    if (digits.empty()) return std::nullopt;
    return std::strtoul(digits.c_str(), nullptr, 10);
  };
  const unsigned long version = number("gfx_target_version").value_or(0);
  if (version == 0) return std::nullopt;
  const auto location = number("location_id");
  const std::string pci = location ? pci_address(number("domain").value_or(0), *location) : unknown;
  const unsigned long unique_id = number("unique_id").value_or(0);
  const fs::path device = sys / "bus/pci/devices" / pci;
  const auto file = [&](const char* name) { return or_unknown(trimmed(contents(device / name))); };
  return Gpu{target_of_version(version),
             or_unknown(trimmed(contents(node / "name"))),
             file("product_name"),
             pci,
             unique_id == 0 ? unknown : fmt::format("{:016x}", unique_id),
             file("serial_number"),
             file("vbios_version"),
             file("current_compute_partition"),
             file("current_memory_partition"),
             firmware_of(device)};
}

nlohmann::ordered_json to_json(const Gpu& gpu) {
  return {{"target", gpu.target},
          {"name", gpu.name},
          {"product", gpu.product},
          {"pci", gpu.pci},
          {"unique_id", gpu.unique_id},
          {"serial", gpu.serial},
          {"vbios", gpu.vbios},
          {"compute_partition", gpu.compute_partition},
          {"memory_partition", gpu.memory_partition},
          {"firmware", gpu.firmware}};
}

} // namespace

std::string target_of_version(unsigned long gfx_target_version) {
  return fmt::format("gfx{}{:x}{:x}", gfx_target_version / 10000, gfx_target_version / 100 % 100,
                     gfx_target_version % 100);
}

std::string pci_address(unsigned long domain, unsigned long location_id) {
  return fmt::format("{:04x}:{:02x}:{:02x}.0", domain, location_id >> 8 & 0xff, location_id >> 3 & 0x1f);
}

std::vector<Gpu> gpus_of(const fs::path& sys) {
  std::error_code failed;
  std::vector<std::pair<unsigned long, fs::path>> nodes;
  for (const auto& entry : fs::directory_iterator(sys / "class/kfd/kfd/topology/nodes", failed))
    nodes.emplace_back(std::strtoul(entry.path().filename().c_str(), nullptr, 10), entry.path());
  std::ranges::sort(nodes);
  std::vector<Gpu> gpus;
  for (const auto& [number, node] : nodes)
    if (std::optional<Gpu> gpu = gpu_of(node, sys)) gpus.push_back(std::move(*gpu));
  return gpus;
}

void redact(Environment& environment) {
  for (Gpu& gpu : environment.gpus)
    for (std::string* number : {&gpu.unique_id, &gpu.serial})
      if (*number != unknown) *number = "sha256:" + sha256(*number).substr(0, 16);
}

Environment capture_environment(const fs::path& sys) {
  Environment e;
  e.os = or_unknown(without_quotes(value_after(contents("/etc/os-release"), "PRETTY_NAME", "=")));
  e.kernel = kernel_version();
  e.cpu = or_unknown(value_after(contents("/proc/cpuinfo"), "model name", "\t :"));
  e.device_compiler = device_compiler();
  e.device_flags = or_unknown(CDNA_CTS_CONFIGURED_DEVICE_FLAGS);
  const std::string llvm_bin = variable("CDNA_CTS_LLVM_BIN"); // chosen for this run, as for every listing
  const fs::path tools = llvm_bin.empty() ? CDNA_CTS_CONFIGURED_LLVM_BIN : llvm_bin;
  e.llvm_objdump =
      or_unknown(line_with(output_of({(tools / "llvm-objdump").string(), "--version"}), "version"));
  e.host_compiler = host_compiler();
  e.commit = or_unknown(git({"rev-parse", "HEAD"}));
  const std::string changes = git({"status", "--porcelain"});
  e.dirty = changes.empty() ? "no" : changes == unknown ? unknown : "yes";
  e.hip_runtime = hip_runtime();
  const std::string driver = trimmed(contents(sys / "module/amdgpu/version"));
  e.driver = !driver.empty() ? driver : fs::exists(sys / "module/amdgpu") ? unknown : "none";
  const std::string wrapper = variable("CDNA_CTS_RUN_WRAPPER");
  e.run_wrapper = wrapper.empty() ? "none" : wrapper;
  e.gpus = gpus_of(sys);
  return e;
}

nlohmann::ordered_json to_json(const Environment& e) {
  nlohmann::ordered_json json{{"os", e.os},
                              {"kernel", e.kernel},
                              {"cpu", e.cpu},
                              {"device_compiler", e.device_compiler},
                              {"device_flags", e.device_flags},
                              {"llvm_objdump", e.llvm_objdump},
                              {"host_compiler", e.host_compiler},
                              {"commit", e.commit},
                              {"dirty", e.dirty},
                              {"hip_runtime", e.hip_runtime},
                              {"driver", e.driver},
                              {"run_wrapper", e.run_wrapper},
                              {"gpus", nlohmann::ordered_json::array()}};
  for (const Gpu& gpu : e.gpus) json["gpus"].push_back(to_json(gpu));
  return json;
}

nlohmann::ordered_json read_environment(const fs::path& path) {
  auto json = nlohmann::ordered_json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  require_environment(json, path.string());
  return json;
}

void require_environment(const nlohmann::ordered_json& json, const std::string& shown) {
  const auto require_fields_of = [&](const nlohmann::ordered_json& known,
                                     const nlohmann::ordered_json& object, std::string_view what) {
    const auto refuse = [&](const std::string& why) {
      throw Error("{}: no {}: {}; expected what 'cdna-cts env --format json' prints", shown, what, why);
    };
    if (!object.is_object()) refuse("not a JSON object");
    for (const auto& [field, value] : object.items()) {
      if (!known.contains(field)) refuse(fmt::format("it has a field '{}'", field));
      if (value.type() != known.at(field).type())
        refuse(fmt::format("field '{}' is of type {}", field, value.type_name()));
    }
  };
  require_fields_of(to_json(Environment{}), json, "environment");
  if (!json.contains("gpus")) return;
  for (const auto& gpu : json.at("gpus")) require_fields_of(to_json(Gpu{}), gpu, "GPU of an environment");
}

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string to_text(const Environment& environment) {
  const auto json = to_json(environment);
  std::string text;
  for (const auto& [key, value] : json.items())
    if (value.is_string()) text += fmt::format("{}: {}\n", key, value.get<std::string>());
  for (const Gpu& gpu : environment.gpus) {
    text += fmt::format("gpu: {}\n", gpu.target);
    const auto fields = to_json(gpu);
    for (const auto& [key, value] : fields.items())
      if (value.is_string() && key != "target")
        text += fmt::format("  {}: {}\n", key, value.get<std::string>());
    for (const auto& [part, version] : gpu.firmware)
      text += fmt::format("  firmware {}: {}\n", part, version);
  }
  if (environment.gpus.empty()) text += "gpu: none\n";
  return text;
}

} // namespace cts::report
