// cdna-cts: one command for people. Exit status: 0 fine, 1 found something, 2 usage or unreadable input.
#include "common/error.hpp"
#include "common/nearest.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace cts::cli {

Command::Command(std::string_view command_name, Add command_add) : name(command_name), add(command_add) {
  const auto place = std::ranges::upper_bound(commands(), name, {}, &Command::name);
  commands().insert(place, *this);
}

std::vector<Command>& commands() {
  static std::vector<Command> all; // made at its first use: registrations run before main, in no order
  return all;
}

namespace {

/// Throws for a first argument that looks like a command and is none: CLI11 would not name the nearest.
void require_known_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  if (std::ranges::find(names, argv[1]) == names.end())
    throw Error("there is no command '{}'{} (known: {})", argv[1], did_you_mean(argv[1], names),
                fmt::join(names, ", "));
}

/// A full disk or a closed pipe must not pass for success.
void require_output_written() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout)
    throw Error("cannot write to standard output: {}", std::strerror(errno));
}

int run(int argc, char** argv) {
  CLI::App app("Which documented claims about AMD CDNA 3 and CDNA 4 hold here, and what changed.",
               "cdna-cts");
  app.set_version_flag("--version", std::string("cdna-cts ") + CDNA_CTS_VERSION);
  app.require_subcommand(1);
  app.footer("Exit status: 0 fine, 1 found (violated, regression, hazard), 2 usage or unreadable input.");
  int status = static_cast<int>(Exit::fine);
  for (const Command& command : commands()) command.add(app, status);
  try {
    require_known_command(argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
  } catch (const CLI::ParseError& e) {
    const auto chosen = app.get_subcommands();
    throw Error("{} ('cdna-cts{} --help' shows the usage)", one_line(e.what()),
                chosen.empty() ? "" : " " + chosen.front()->get_name());
  }
  require_output_written();
  return status;
}

} // namespace
} // namespace cts::cli

int main(int argc, char** argv) {
  try {
    return cts::cli::run(argc, argv);
  } catch (const std::exception& e) {
    cts::cli::complain(e.what());
    return static_cast<int>(cts::Exit::unusable);
  }
}
