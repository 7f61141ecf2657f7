#include "runners/cli/generated_page.hpp"

#include "common/file.hpp"

namespace cts::cli {

std::vector<Target> chosen_targets(std::string_view command, const std::string& word) {
  if (word.empty()) return {all_targets.begin(), all_targets.end()};
  const auto target = parse_target(word);
  if (!target) throw Error("{}: --target '{}': expected gfx942 or gfx950", command, word);
  return {*target};
}

std::string page_format(std::string_view command, const std::string& format, const std::string& check) {
  if (format != "text" && format != "md" && format != "json")
    throw Error("{}: --format '{}': expected text, md or json", command, format);
  return check.empty() ? format : "md";
}

Exit compare_page(const std::string& text, const std::string& file, const std::string& made_with,
                  std::string_view command) {
  const std::string page = read_file(file);
  if (page == text) return Exit::fine;
  const bool ours = page.find(fmt::format("Written by `cdna-cts {}", command)) != page.npos;
  if (ours && page.find(made_with) == page.npos) {
    fmt::print("SKIPPED: {} was made with another LLVM, it lacks '{}'\n", file, made_with);
    return Exit::fine;
  }
  fmt::print("{} is stale: run cdna-cts {} --format md --output {}\n", file, command, file);
  return Exit::found;
}

void print_or_write(const std::string& text, const std::string& file) {
  if (file.empty())
    fmt::print("{}", text);
  else
    write_file(file, text);
}

} // namespace cts::cli
