// cdna-cts vectors: the host reference against conversions and products that other implementations made.
#include "runners/vectors/vectors.hpp"
#include "common/error.hpp"
#include "common/nearest.hpp"
#include "runners/cli/commands.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace cts::cli {
namespace {

using reference::Rule;

struct Options {
  std::vector<std::string> files, rules;
  std::string format;
  bool rate = false;
};

/// The rules that `names` name, all when there are none; "none" names none.
std::vector<Rule> chosen_rules(const std::vector<std::string>& names) {
  std::vector<std::string_view> known{"list", "none"};
  for (const auto& [rule, name, text] : reference::rules()) known.push_back(name);
  std::vector<Rule> chosen;
  for (const std::string& wanted : names)
    if (std::ranges::find(known, wanted) == known.end())
      throw Error("vectors: there is no rule '{}'{} ('--rule list' shows them)", wanted,
                  did_you_mean(wanted, known));
  for (const auto& [rule, name, text] : reference::rules())
    if (names.empty() || std::ranges::find(names, name) != names.end()) chosen.push_back(rule);
  return chosen;
}

void print_rules() {
  for (const auto& [rule, name, text] : reference::rules()) fmt::print("{:<26}{}\n", name, text);
}

void print(const std::string& file, const vectors::Report& report) {
  fmt::print("{}: {}: {} {}: {} matches, {} mismatches, {} unexplained\n", file, report.what,
             report.matches + report.mismatches, report.unit, report.matches, report.mismatches,
             report.unexplained());
  for (const auto& [rule, count] : report.explained) fmt::print("  {} by {}\n", count, name(rule));
  for (const std::string& line : report.first) fmt::print("  {}\n", line);
}

void print_rate(const vectors::Vectors& file) {
  if (const auto* products = std::get_if<vectors::Products>(&file))
    fmt::print("  {:.3g} dot products per second\n", vectors::dot_products_per_second(*products, 1));
}

std::optional<reference::Format> parse_format_option(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto format = reference::parse_format(text)) return format;
  std::vector<std::string_view> known;
  for (const auto format : reference::all_formats) known.push_back(name(format));
  throw Error("vectors: there is no format '{}'{} (known: {})", text, did_you_mean(text, known),
              fmt::join(known, ", "));
}

Exit run_vectors(const Options& options) {
  const std::vector<Rule> rules = chosen_rules(options.rules);
  if (std::ranges::find(options.rules, "list") != options.rules.end()) {
    print_rules();
    return Exit::fine;
  }
  if (options.files.empty()) throw Error("vectors: no FILE ('cdna-cts vectors --help' shows the usage)");
  const auto format = parse_format_option(options.format);
  std::vector<vectors::Vectors> files; // all are read before the first is judged
  for (const std::string& file : options.files) files.push_back(vectors::read(file, format));
  std::vector<vectors::Report> reports;
  reports.reserve(files.size());
  for (std::size_t n = 0; n < files.size(); ++n) {
    reports.push_back(vectors::check(files[n], rules));
    if (reports[n].matches + reports[n].mismatches == 0) throw Error("{}: no data in it", options.files[n]);
  }
  bool found = false;
  for (std::size_t n = 0; n < files.size(); ++n) {
    print(options.files[n], reports[n]);
    if (options.rate) print_rate(files[n]);
    found = found || reports[n].unexplained() > 0;
  }
  return found ? Exit::found : Exit::fine;
}

void add_vectors(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("vectors", "Compare the host reference with what other implementations computed");
  command->add_option("FILE", options->files,
                      "decode_FMT.csv, encode_rne_FMT.csv, columns of conversions, or products (.jsonl)");
  command
      ->add_option("--rule", options->rules,
                   "Only this difference explains a mismatch (repeatable); list or none")
      ->allow_extra_args(false); // what follows the name is a file
  command->add_option("--format", options->format, "Format of files whose name has none, for example e4m3fn");
  command->add_flag("--rate", options->rate, "Also measure dot products per second for products");
  command->callback([options, &status] { status = static_cast<int>(run_vectors(*options)); });
}

const Command registration{"vectors", add_vectors};

} // namespace
} // namespace cts::cli
