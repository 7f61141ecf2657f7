// cdna-cts plan: writes into a folder of evidence which tests a run is going to make, so that a report of a
// run that was cut short can name what is missing.
#include "common/evidence.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/suite_tests.hpp"

#include <fmt/format.h>
#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::string evidence, target;
};

/// A test's records as they will be but for their results: one for each claim and optimisation level.
void add_records(const SuiteTest& test, const std::string& target, bool on_device,
                 std::vector<Record>& records) {
  for (const char* opt : on_device ? std::vector{"O1", "O3"} : std::vector{""})
    for (const std::string& claim : test.claims) {
      Record record;
      record.claim = claim;
      record.suite = test.suite;
      record.test = test.name;
      record.target = target;
      record.check = *parse_check(test.check);
      for (const Runner runner :
           {Runner::host, Runner::compiler, Runner::emulator}) // what will run it, is not known yet
        if (can_give(runner, record.check)) record.runner = runner;
      if (on_device) record.origin["opt"] = opt;
      records.push_back(std::move(record));
    }
}

void run_plan(const Options& options) {
  std::vector<Record> records;
  std::size_t tests = 0;
  for (const std::filesystem::path& binary : suite_binaries()) {
    const bool on_device = binary.filename().string().ends_with("_run");
    for (const SuiteTest& test : list_suite_tests(binary, options.target)) {
      add_records(test, options.target, on_device, records);
      tests += on_device ? 2 : 1;
    }
  }
  if (records.empty())
    throw Error("plan: no suite's binary stands beside this command: build the suites (cmake --build) first");
  require_writable_evidence(options.evidence);
  write_plan(options.evidence, options.target, records);
  fmt::print("{}: {} tests planned\n", options.target, tests);
}

void add_plan(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "plan", "Note which tests a run is going to make, so that a report can tell what is missing");
  command->add_option("--evidence", options->evidence, "Folder of the run's evidence")->required();
  command->add_option("--target", options->target, "gfx942 or gfx950")
      ->check(CLI::IsMember({"gfx942", "gfx950"}))
      ->required();
  command->callback([options, &status] {
    run_plan(*options);
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"plan", add_plan};

} // namespace
} // namespace cts::cli
