// The machine and the tools that evidence comes from. Capturing never fails: what cannot be found out is
// "unknown".
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cts::report {

/// A GPU, or a partition of one, that the kernel driver shows, whether or not a HIP runtime can use it.
struct Gpu {
  std::string target;            ///< "gfx942", from gfx_target_version 90402
  std::string name;              ///< the driver's name of the node
  std::string product;           ///< product_name of the board: "AMD Instinct MI300X OAM"
  std::string pci;               ///< bus address: "0000:c1:00.0"
  std::string unique_id;         ///< 16 hexadecimal digits, the last part of a HIP device's UUID
  std::string serial;            ///< serial_number of the board
  std::string vbios;             ///< vbios_version: "113-M3000100-102"
  std::string compute_partition; ///< "SPX", "CPX", …
  std::string memory_partition;  ///< "NPS1", "NPS4", …
  std::map<std::string, std::string>
      firmware; ///< version by part: {"mec", "0x000000b1"}; empty where unknown
  bool operator==(const Gpu&) const = default;
};

/// Each text is one line; "unknown" where it could not be found out.
struct Environment {
  std::string os;              ///< /etc/os-release: PRETTY_NAME
  std::string kernel;          ///< "Linux 6.1.0-18-amd64"
  std::string cpu;             ///< /proc/cpuinfo: model name
  std::string device_compiler; ///< first line of its --version
  std::string device_flags;    ///< what the suites' device code was compiled with
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
/// tool that does not answer in 20 seconds is "unknown". Driver and GPUs are read below `sys`.
Environment capture_environment(const std::filesystem::path& sys = "/sys");

/// GPUs that the driver's topology below `sys` lists (class/kfd/kfd/topology/nodes), in the order of node
/// numbers; none when there is no such folder. Nodes without a gfx_target_version are CPUs. What is known of
/// the board comes from its PCI device (bus/pci/devices).
std::vector<Gpu> gpus_of(const std::filesystem::path& sys);

/// Bus address of a topology node: its `location_id` is bus << 8 | device << 3 | function, where a partition
/// has its own number in place of the function (older drivers: in bits 28 to 31); the GPU is function 0.
std::string pci_address(unsigned long domain, unsigned long location_id);

/// Puts a hash in place of each unique id and serial number: the same device stays recognisable, its number
/// is not told.
void redact(Environment& environment);

/// "gfx942" of 90402: major * 10000 + minor * 100 + stepping, the last two as hexadecimal digits.
std::string target_of_version(unsigned long gfx_target_version);

/// {"os":…,"kernel":…,…,"gpus":[{"target","name",…,"firmware":{…}}]}, in the order of the structs.
nlohmann::ordered_json to_json(const Environment& environment);

/// What `cdna-cts env --format json` printed into `path`; fields may be missing. Throws Error when it is
/// something else, say a report.json.
nlohmann::ordered_json read_environment(const std::filesystem::path& path);

/// Throws Error naming `shown` unless `json` has no other fields than to_json() gives, each of its kind.
void require_environment(const nlohmann::ordered_json& json, const std::string& shown);

/// The text of a JSON file of ours: indented, ending in a newline, bytes that are no UTF-8 replaced.
std::string dump(const nlohmann::ordered_json& json);

/// One `name: value` a line.
std::string to_text(const Environment& environment);

} // namespace cts::report
