// What goes to the terminal: texts that come from files (details of records, names of kernels) must not paint
// on it.
#pragma once

#include <string>

namespace cts::cli {

/// `text` with a space in place of every control character, line ends and tabs included.
std::string one_line(std::string text);

/// `text` on standard output, with a space in place of every control character but line ends and tabs.
void print_text(std::string text);

/// "cdna-cts: `text`" as one line on standard error.
void complain(std::string text);

} // namespace cts::cli
