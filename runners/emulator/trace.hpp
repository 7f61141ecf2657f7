// The trace of one wave: its instructions, and what each changed in its registers, as text.
#pragma once

#include "runners/emulator/observer.hpp"

#include <atomic>
#include <filesystem>
#include <optional>

namespace cts::emulator {

/// Which wave is traced, and where to.
struct TraceSettings {
  std::filesystem::path file;
  std::optional<std::string> kernel; ///< by name; the kernel that is launched first when not given
  std::array<std::uint32_t, 3> group{};
  std::uint32_t wave = 0;
  std::uint64_t limit = 10000; ///< instructions
};

/// Traces the chosen wave in the first launch that has it.
class Trace {
public:
  explicit Trace(TraceSettings settings) : settings_(std::move(settings)) {}

  /// True for the one launch whose wave is traced.
  bool chooses(const Launch& launch);

  /// Follows the chosen wave in one runner of that launch, and writes the file when it is gone.
  std::unique_ptr<Observer> observer();

  /// Complains on standard error when no launch was chosen.
  void finish() const;

private:
  TraceSettings settings_;
  std::atomic<bool> chosen_ = false;
};

/// What CDNA_CTS_TRACE and CDNA_CTS_TRACE_KERNEL, _GROUP, _WAVE and _LIMIT ask for; nullptr when the first is
/// unset. Throws Error for a value that means nothing, and for one of the others without the first.
std::unique_ptr<Trace> trace_from_environment();

} // namespace cts::emulator
