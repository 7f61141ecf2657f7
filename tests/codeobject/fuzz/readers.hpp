// The ways by which untrusted bytes come into the process, each as a function that a fuzzer can call millions
// of times: no process is started, nothing is kept from one call to the next.
#pragma once

#include "common/error.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cts::codeobject::fuzz {

/// One way in.
struct Reader {
  std::string_view name;
  /// Reads `bytes` and does with them what a program would. True when they were accepted. Any exception is a
  /// defect.
  bool (*read)(std::span<const std::byte> bytes);
  /// Inputs that are accepted, made from the build's own code objects: where a fuzzer starts.
  std::vector<std::string> (*seeds)();
};

bool read_elf(std::span<const std::byte> bytes);    ///< a code object, loaded; its kernels are launched
bool read_bundle(std::span<const std::byte> bytes); ///< an offload bundle or fat binary, plain or compressed
bool read_listing(
    std::span<const std::byte> bytes); ///< the disassembler's text, bound as both targets' program
bool read_launch(std::span<const std::byte> bytes); ///< a kernel's descriptor, a launch's shape, the metadata

std::vector<std::string> elf_seeds();
std::vector<std::string> bundle_seeds();
std::vector<std::string> listing_seeds();
std::vector<std::string> launch_seeds();

inline constexpr Reader readers[] = {{"elf", read_elf, elf_seeds},
                                     {"bundle", read_bundle, bundle_seeds},
                                     {"listing", read_listing, listing_seeds},
                                     {"launch", read_launch, launch_seeds}};

/// True when `action` ends well, false when it throws Error.
template <typename Action> bool accepts(Action&& action) {
  try {
    action();
    return true;
  } catch (const Error&) {
    return false;
  }
}

} // namespace cts::codeobject::fuzz
