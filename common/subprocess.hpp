// External commands, always with a time limit.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cts {

/// How an external command ended.
struct CommandResult {
  int status = -1;        ///< exit status, or 128 + signal
  bool timed_out = false; ///< killed, with its children, at the time limit
  std::string out;        ///< standard output, whole
  std::string err;        ///< standard error, whole
};

/// Runs `argv` (looked up on PATH, no shell) in a process group of its own, standard input empty, with
/// `environment` added to ours. At the time limit the whole group is killed. Throws Error when the command
/// cannot be started.
CommandResult run_command(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                          const std::map<std::string, std::string>& environment = {});

/// The same, with standard output handed to `take` piece by piece while the command runs instead of being
/// collected. What `take` throws ends the command and is passed on.
CommandResult stream_command(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                             const std::function<void(std::string_view)>& take);

} // namespace cts
