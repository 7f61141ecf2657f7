#include "common/hip/runner.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

namespace cts::hip {
namespace {

/// Launchers that start a command elsewhere or otherwise, and compute nothing themselves.
constexpr std::array<std::string_view, 12> pass_through{"srun",        "docker", "podman",  "apptainer",
                                                        "singularity", "env",    "taskset", "numactl",
                                                        "timeout",     "nice",   "stdbuf",  "chrt"};
/// Programs that execute GPU code without a GPU; a word that holds one of these is enough.
constexpr std::array<std::string_view, 8> emulators{"rocjitsu", "gem5",    "qemu",    "tinygrad",
                                                    "emulat",   "simulat", "mgpusim", "accel-sim"};

std::vector<std::string> words(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string base_name(const std::string& word) { return std::filesystem::path(word).filename().string(); }

bool names_an_emulator(const std::string& word) {
  return std::ranges::any_of(
      emulators, [low = lower(word)](std::string_view name) { return low.find(name) != low.npos; });
}

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

} // namespace

Decision decide(const Surroundings& s) {
  if (!s.emulator_version.empty()) return {Runner::emulator, s.emulator_version};
  const std::vector<std::string> wrapper = words(s.wrapper);
  if (const auto emulator = std::ranges::find_if(wrapper, names_an_emulator);
      emulator != wrapper.end() && s.wrapper_runner != "gpu")
    return {Runner::emulator, base_name(*emulator)};
  const bool transparent = wrapper.empty() || s.wrapper_runner == "gpu" ||
                           std::ranges::find(pass_through, base_name(wrapper[0])) != pass_through.end();
  if (!transparent) return {Runner::emulator, base_name(wrapper[0])};
  if (!s.kernel_driver) return {Runner::emulator, "a HIP runtime without /dev/kfd"};
  return {Runner::gpu, ""};
}

Surroundings look_around() {
  Surroundings s;
  if (const void* version = ::dlsym(RTLD_DEFAULT, "cdna_cts_emulator_version"))
    s.emulator_version = std::string("cdna-cts emulator ") + *static_cast<const char* const*>(version);
  s.kernel_driver = std::filesystem::exists("/dev/kfd");
  s.wrapper = environment("CDNA_CTS_RUN_WRAPPER");
  s.wrapper_runner = environment("CDNA_CTS_RUN_WRAPPER_RUNNER");
  return s;
}

} // namespace cts::hip
