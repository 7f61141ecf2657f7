// The subcommands of cdna-cts. Each file of this folder adds one: it defines a function of type Add and
// registers it with
//   const Command registration{"layout", add_layout};
#pragma once

#include "common/error.hpp"

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

namespace cts::cli {

/// Adds a subcommand with its options to `app`. The subcommand's callback sets `status` to the command's exit
/// status (static_cast<int>(Exit::found)), prints to standard output, and throws Error for what it cannot
/// use. Both arguments live until the command ends.
using Add = void (*)(CLI::App& app, int& status);

/// A registered subcommand.
struct Command {
  Command(std::string_view name, Add add);
  std::string_view name;
  Add add;
};

/// Every registered subcommand, by name.
std::vector<Command>& commands();

} // namespace cts::cli
