// Runs workgroups one after another: their waves take turns, and every instruction passes the adversary's
// checks.
#pragma once

#include "runners/emulator/journal.hpp"
#include "runners/emulator/kernarg.hpp"
#include "runners/emulator/observer.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace cts::emulator {

/// Waves that ended launches leave for the next ones: each is large enough for the host's allocator to ask
/// the system for it.
class SpareWaves {
public:
  std::unique_ptr<Wave> take();
  void give_back(std::unique_ptr<Wave> wave);

private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Wave>> waves_;
};

class WorkgroupRunner {
public:
  /// All references must outlive the runner. `stopped` set by another thread ends a run early.
  WorkgroupRunner(const Launch& launch, const LaunchContext& context, const LaunchMemory& memory,
                  SpareWaves& spare, Observers observers, std::chrono::steady_clock::time_point deadline,
                  const std::atomic<bool>& stopped);
  ~WorkgroupRunner();

  /// Runs the workgroup with this id to its end. Throws StopError.
  void run(const std::array<std::uint32_t, 3>& id);

  /// Instructions that the waves of all finished runs have executed.
  std::uint64_t instructions() const { return instructions_; }

private:
  void run_wave(Wave& w, unsigned quantum);
  bool shares_memory_path() const;
  void step(Exec& x);
  bool skipped(Exec& x, const Op& op);
  void report_outstanding(Exec& x, const Op& op);
  void run_with_poison(Exec& x, const Op& op);
  void check_time(Exec& x, const Op& op);

  const Launch& launch_;
  const LaunchContext& context_;
  const LaunchMemory& memory_;
  SpareWaves& spare_;
  Observers observers_;
  std::chrono::steady_clock::time_point deadline_;
  const std::atomic<bool>& stopped_;
  Workgroup group_;
  std::vector<HazardHit> hits_;
  Dice dice_;
  std::uint64_t instructions_ = 0;
};

} // namespace cts::emulator
