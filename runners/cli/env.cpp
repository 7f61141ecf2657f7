// cdna-cts env: the machine and the tools that evidence from here comes from.
#include "runners/cli/commands.hpp"
#include "runners/report/environment.hpp"

#include <cstdio>
#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::string format = "text", sys = "/sys";
  bool redact = false;
};

void add_env(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("env", "Show the system, tools, driver and GPUs of this machine");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--sys", options->sys, "Folder to read driver and GPUs from, in place of /sys")
      ->check(CLI::ExistingDirectory);
  command->add_flag("--redact", options->redact, "Hash unique ids and serial numbers");
  command->callback([options, &status] {
    report::Environment environment = report::capture_environment(options->sys);
    if (options->redact) report::redact(environment);
    fmt::print("{}", options->format == "json" ? report::dump(report::to_json(environment))
                                               : report::to_text(environment));
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"env", add_env};

} // namespace
} // namespace cts::cli
