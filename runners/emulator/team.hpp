// Host threads that help with a launch's workgroups.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace cts::emulator {

/// Threads that sleep until there is work, and join it only if they come in time: a short launch on a busy
/// machine is over before they wake, and waits for none of them. (OpenMP's own team spins at its barriers and
/// must be complete before a region can end: beside other busy processes a launch of two tiny workgroups then
/// takes milliseconds.)
class Team {
public:
  Team() = default;
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Calls `work` on this thread, and on up to `helpers` others at the same time; returns when every call
  /// that has begun has ended. `work` shares out what there is to do, finds nothing left when it comes late,
  /// and does not throw. Several threads may call run at once.
  void run(unsigned helpers, const std::function<void()>& work);

private:
  struct Job {
    const std::function<void()>& work;
    unsigned wanted = 0, active = 0;
  };
  void help();

  std::mutex mutex_; // guards all below
  std::condition_variable work_comes_, helper_leaves_;
  std::list<Job*> jobs_;
  std::vector<std::thread> threads_;
  bool ending_ = false;
};

} // namespace cts::emulator
