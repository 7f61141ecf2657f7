// cdna-cts env: the machine and the tools that evidence from here comes from.
#include "runners/cli/commands.hpp"
#include "runners/report/environment.hpp"

#include <cstdio>
#include <memory>

namespace cts::cli {
namespace {

void add_env(CLI::App& app, int& status) {
  const auto format = std::make_shared<std::string>("text");
  CLI::App* command = app.add_subcommand("env", "Show the system, tools, driver and GPUs of this machine");
  command->add_option("--format", *format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([format, &status] {
    const report::Environment environment = report::capture_environment();
    fmt::print("{}",
               *format == "json" ? report::dump(report::to_json(environment)) : report::to_text(environment));
    status = static_cast<int>(Exit::fine);
  });
}

const Command registration{"env", add_env};

} // namespace
} // namespace cts::cli
