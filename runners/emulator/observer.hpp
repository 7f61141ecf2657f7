// Who wants to see what waves execute: the trace and the profile.
#pragma once

#include "runners/emulator/exec.hpp"

#include <memory>
#include <vector>

namespace cts::emulator {

/// Sees every instruction of the waves that one WorkgroupRunner runs.
class Observer {
public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// A wave stands before its first instruction.
  virtual void start(Exec& x) = 0;
  /// `op` is next. Memory operations may complete between this and its execution.
  virtual void before(Exec& x, const Op& op) = 0;
  /// `op` has been executed. Not called for one that stops the launch.
  virtual void after(Exec& x, const Op& op) = 0;
};

using Observers = std::vector<std::unique_ptr<Observer>>;

} // namespace cts::emulator
