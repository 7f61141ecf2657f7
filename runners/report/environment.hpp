// The machine and the tools that evidence comes from. Capturing never fails: what cannot be found out is
// "unknown".
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cts::report {

/// A GPU that the kernel driver shows, whether or not a HIP runtime can use it.
struct Gpu {
  std::string target;    ///< "gfx942", from gfx_target_version 90402
  std::string name;      ///< the driver's name of the node
  std::string unique_id; ///< serial number as the driver prints it
  bool operator==(const Gpu&) const = default;
};

/// Each text is one line; "unknown" where it could not be found out.
struct Environment {
  std::string os;              ///< /etc/os-release: PRETTY_NAME
  std::string kernel;          ///< "Linux 6.1.0-18-amd64"
  std::string cpu;             ///< /proc/cpuinfo: model name
  std::string device_compiler; ///< first line of its --version
  std::string llvm_objdump;    ///< version line of llvm-objdump --version
  std::string host_compiler;   ///< what compiled this command
  std::string commit;          ///< of the source folder
  std::string dirty;           ///< "yes" when that folder had changes, else "no"
  std::string hip_runtime;     ///< "emulator", "libamdhip64.so.7.0.51831" or "none"
  std::string driver;          ///< version of the amdgpu module, or "none"
  std::string run_wrapper;     ///< $CDNA_CTS_RUN_WRAPPER, or "none"
  std::vector<Gpu> gpus;
};

/// What can be found out here. The device compiler is $CDNA_CTS_DEVICE_COMPILER, else the configured one; a
/// tool that does not answer in 20 seconds is "unknown".
Environment capture_environment();

/// GPUs of the driver's topology folder (/sys/class/kfd/kfd/topology/nodes), in the order of node numbers;
/// none when there is no such folder. Nodes without a gfx_target_version are CPUs.
std::vector<Gpu> gpus_of(const std::filesystem::path& topology_nodes);

/// "gfx942" of 90402: major * 10000 + minor * 100 + stepping, the last two as hexadecimal digits.
std::string target_of_version(unsigned long gfx_target_version);

/// {"os":…,"kernel":…,…,"gpus":[{"target","name","unique_id"}]}, in the order of the struct.
nlohmann::ordered_json to_json(const Environment& environment);

/// What `cdna-cts env --format json` printed into `path`; fields may be missing. Throws Error when it is
/// something else, say a report.json.
nlohmann::ordered_json read_environment(const std::filesystem::path& path);

/// The text of a JSON file of ours: indented, ending in a newline, bytes that are no UTF-8 replaced.
std::string dump(const nlohmann::ordered_json& json);

/// One `name: value` a line.
std::string to_text(const Environment& environment);

} // namespace cts::report
