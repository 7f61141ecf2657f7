// The one exception type of our own code: a single clear line, and the exit status a command ends with.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace cts {

/// Exit statuses of every command of the project.
enum class Exit { fine = 0, found = 1, unusable = 2 };

/// What went wrong, in one line that names the file, line or pc, what was expected and what to do.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string& line) : std::runtime_error(line) {}

  /// As fmt::format: `throw Error("{}:{}: unknown field '{}'", file, line, field)`.
  template <typename... Args>
  requires(sizeof...(Args) > 0) explicit Error(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

} // namespace cts
