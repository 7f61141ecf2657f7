// What these tests share: the suite's one run binary started in different surroundings, and what it leaves.
#pragma once

#include "common/evidence.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace cts::gpu_path {

using Environment = std::map<std::string, std::string>;

/// `more`, and empty every other variable of ours that a surrounding test run may have set.
Environment clean(Environment more);

/// Why nothing can be started on AMD's library to see what it says without a GPU; empty when it can.
std::string no_amd();

/// The command of lane_ownership's run tests for `target` at -O3.
std::vector<std::string> suite_command(const std::string& target);

/// `command` as AMD's loader starts it, so that it binds to AMD's library in place of ours.
std::vector<std::string> on_amd(std::vector<std::string> command);

/// The names of the suite's run tests for `target`, sorted.
std::vector<std::string> listed_tests(const std::string& target);

/// A command that ran with a folder of its own for evidence.
class Started {
public:
  /// Runs `command` for at most two minutes in a clean() environment.
  explicit Started(const std::vector<std::string>& command, const Environment& environment = {});

  CommandResult result;
  Evidence evidence;

  /// The names of the tests that left records, sorted, each once.
  std::vector<std::string> tests() const;

  /// What `cdna-cts report` says of the evidence.
  struct Report {
    CommandResult result;
    nlohmann::json json;
    /// A claim on a target, as the report has it. Throws Error when the report lacks it.
    const nlohmann::json& on(const std::string& claim, const std::string& target) const;
  };
  /// Throws Error with the command's words when it could not make one.
  Report report() const;

private:
  TemporaryFolder folder_{"gpu-path"};
};

/// object[key], a text.
std::string text(const nlohmann::json& object, const char* key);

/// origin[key] of a record, or empty.
std::string origin(const Record& record, const std::string& key);

/// Exit status and output, for messages.
std::ostream& operator<<(std::ostream& out, const Started& started);

} // namespace cts::gpu_path
