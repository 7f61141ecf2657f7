// What commands share whose output is a page of docs/: which targets, and whether the page is what they would
// write.
#pragma once

#include "common/error.hpp"
#include "common/target.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cts::cli {

/// The target that `word` names; both when it is empty. Throws Error naming `command`.
std::vector<Target> chosen_targets(std::string_view command, const std::string& word);

/// Compares `text` with the page in `file` and prints one line unless they agree: found when the page is
/// stale. A page without the words `made_with` was made with another LLVM and says nothing about this one:
/// SKIPPED, fine.
Exit compare_page(const std::string& text, const std::string& file, const std::string& made_with,
                  std::string_view command);

/// Writes `text` to `file`, or prints it when that is empty.
void print_or_write(const std::string& text, const std::string& file);

/// The format to write: `format`, which must be text, md or json, but Markdown where the page `check` is
/// compared. Throws Error for another word.
std::string page_format(std::string_view command, const std::string& format, const std::string& check);

} // namespace cts::cli
