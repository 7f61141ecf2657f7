// What the user asked to see of the launches of a device, by variables. docs/emulator-trace.md describes
// them.
#pragma once

#include "runners/emulator/observer.hpp"
#include "runners/emulator/profile.hpp"
#include "runners/emulator/trace.hpp"

#include <atomic>
#include <memory>

namespace cts::emulator {

class Observation {
public:
  /// Reads CDNA_CTS_TRACE, CDNA_CTS_TRACE_* and CDNA_CTS_PROFILE. Throws Error for a value that means
  /// nothing.
  Observation();

  /// Called once a launch, before its workgroups run. Cheap when nothing was asked for.
  struct OfLaunch {
    Trace* trace = nullptr; ///< set in the launch whose wave is traced
    Profile* profile = nullptr;
    /// The observers of one WorkgroupRunner of the launch.
    Observers observers(const LaunchContext& context) const;
  };
  OfLaunch start(const Launch& launch, const LaunchContext& context);

  /// Writes the profile, and says on standard error when there was nothing to trace. Once; later calls do
  /// nothing. Throws Error when a file cannot be written.
  void finish();

private:
  std::unique_ptr<Trace> trace_;
  std::unique_ptr<Profile> profile_;
  std::atomic<bool> finished_ = false;
};

} // namespace cts::emulator
