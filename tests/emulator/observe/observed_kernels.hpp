// Kernels run with the variables of the trace or the profile set, and what was written then.
#pragma once

#include "tests/emulator/support/assembled.hpp"

#include <functional>
#include <map>
#include <string>

namespace cts::emulator::testing {

/// Variables set while this lives, and unset after.
class Variables {
public:
  explicit Variables(const std::map<std::string, std::string>& values);
  ~Variables();
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

private:
  std::map<std::string, std::string> values_;
};

/// Assembles `kernels`, hands a bench with them to `run`, and returns what the device then wrote to the file
/// that `variable` names (empty when there is none). `more` are further variables.
std::string observed(const std::string& variable, Target target, const std::vector<AssembledKernel>& kernels,
                     const std::function<void(Bench&)>& run, std::map<std::string, std::string> more = {});

/// Runs `kernel` and fails the test if it stops or breaks a rule.
void run_cleanly(Bench& bench, const std::string& kernel, unsigned threads = 64, unsigned blocks = 1);

} // namespace cts::emulator::testing
