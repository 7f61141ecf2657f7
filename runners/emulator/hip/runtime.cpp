#include "runners/emulator/hip/runtime.hpp"
#include "runners/emulator/hazards.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>

namespace cts::hip {
namespace {

constexpr std::size_t reported_limit = 20; ///< distinct violations printed in full

Target configured_target() {
  const char* const text = std::getenv("CDNA_CTS_TARGET");
  if (!text) return Target::gfx942;
  for (const Target target : all_targets)
    if (text == name(target)) return target;
  throw Error("CDNA_CTS_TARGET='{}': no such device; expected gfx942 or gfx950", text);
}

/// $CDNA_CTS_VIOLATIONS, or null. Throws Error when nothing could be appended to it: what a launch finds must
/// not get lost.
const char* violations_file() {
  const char* const file = std::getenv("CDNA_CTS_VIOLATIONS");
  if (!file || !*file) return nullptr;
  const std::filesystem::path path(file);
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) {
    if (std::filesystem::is_directory(path, unknown) || access(file, W_OK) != 0)
      throw Error("CDNA_CTS_VIOLATIONS='{}': violations cannot be appended to it", file);
    return file;
  }
  std::filesystem::path folder = std::filesystem::absolute(path, unknown).parent_path();
  while (!std::filesystem::exists(folder, unknown)) folder = folder.parent_path(); // made when it is needed
  if (!std::filesystem::is_directory(folder, unknown) || access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error("CDNA_CTS_VIOLATIONS='{}': no file can be made in {}", file, folder.string());
  return file;
}

/// The error that the process sees after each kind of stop.
hipError_t fault_of(emulator::Stop::Kind kind) {
  using Kind = emulator::Stop::Kind;
  switch (kind) {
  case Kind::illegal_address: return hipErrorIllegalAddress;
  case Kind::time_limit: return hipErrorLaunchTimeOut;
  case Kind::assertion: return hipErrorAssert;
  case Kind::misaligned:
  case Kind::unsupported:
  case Kind::bad_code:
  case Kind::trap: break;
  }
  return hipErrorLaunchFailure;
}

nlohmann::json to_json(const emulator::Violation& violation) {
  return {
      {"rule", violation.rule},     {"kernel", violation.kernel}, {"pc", violation.pc},
      {"text", violation.text},     {"lane", violation.lane},     {"producer_pc", violation.producer_pc},
      {"needed", violation.needed}, {"have", violation.have},     {"source", violation.source},
      {"count", violation.count},   {"detail", violation.detail}, {"producer_text", violation.producer_text}};
}

std::string to_line(const emulator::Violation& violation) {
  std::string line = fmt::format("violation {} in kernel '{}' pc {:#x}: {}", violation.rule, violation.kernel,
                                 violation.pc, violation.text);
  if (!violation.detail.empty()) line += fmt::format("; {}", violation.detail);
  if (violation.producer_pc)
    line += fmt::format("; producer pc {:#x}: {}", violation.producer_pc, violation.producer_text);
  if (violation.needed)
    line += fmt::format("; needs {} wait states, has {}", violation.needed, violation.have);
  if (violation.lane >= 0) line += fmt::format("; lane {}", violation.lane);
  return line + fmt::format("; {} times [{}]", violation.count, violation.source);
}

} // namespace

Runtime& Runtime::instance() {
  static Runtime* const runtime = [] {
    auto* const made = new Runtime;
    std::atexit([] { Runtime::instance().finish_observation(); }); // since its destructor never runs
    return made;
  }();
  return *runtime;
}

void Runtime::finish_observation() {
  if (!device_) return;
  try {
    device_->finish_observation();
  } catch (const std::exception& error) {
    complain(error.what());
  }
}

Runtime::Runtime() {
  try {
    violations_file_ = violations_file();
    (void)emulator::smfmac_index_is_held(); // refuses what means nothing
    device_ = std::make_unique<emulator::Device>(configured_target());
  } catch (const std::exception& error) {
    complain(error.what());
  }
}

hipError_t Runtime::state() const { return device_ ? fault_.load() : hipErrorNoDevice; }

void Runtime::account(const emulator::LaunchReport& report) {
  const std::lock_guard lock(report_mutex_);
  const std::size_t printed_before = std::min(reported_.size(), reported_limit);
  const std::size_t known_before = reported_.size();
  for (const emulator::Violation& violation : report.violations) this->report(violation);
  const std::size_t found = reported_.size() - known_before;
  const std::size_t silent = found - std::min(found, reported_limit - printed_before);
  if (silent) complain(fmt::format("{} more distinct violations in this launch", silent));
  if (report.stop) {
    complain(report.stop->line);
    hipError_t none = hipSuccess;
    fault_.compare_exchange_strong(none, fault_of(report.stop->kind));
  }
}

void Runtime::report(const emulator::Violation& violation) {
  if (violations_file_) append_line(violations_file_, to_json(violation).dump());
  const bool fresh =
      reported_.emplace(violation.kernel, violation.rule, violation.pc, violation.producer_pc).second;
  if (fresh && reported_.size() <= reported_limit) complain(to_line(violation));
}

ThreadState& thread_state() {
  thread_local ThreadState state;
  return state;
}

void complain(std::string_view line) {
  const std::string text = fmt::format("cdna-cts emulator: {}\n", line);
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

hipError_t finish(hipError_t result) {
  const hipError_t state = Runtime::instance().state();
  if (state != hipSuccess && state != hipErrorNoDevice) result = state;
  ThreadState& thread = thread_state();
  thread.last_result = result;
  if (result != hipSuccess && result != hipErrorNotReady) thread.last_error = result;
  return result;
}

hipError_t translate_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return hipErrorOutOfMemory;
  } catch (const std::exception& error) {
    complain(error.what());
  } catch (...) {
    complain("an exception of unknown type");
  }
  return hipErrorUnknown;
}

int not_supported() noexcept {
  return api([](Runtime&) { return hipErrorNotSupported; });
}

bool is_stream(const Runtime& runtime, hipStream_t stream) {
  return stream == nullptr || stream == hipStreamLegacy || stream == hipStreamPerThread ||
         runtime.streams.find(stream) != nullptr;
}

} // namespace cts::hip
