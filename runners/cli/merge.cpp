// cdna-cts merge: the evidence of many devices, and which device answers otherwise than the rest.
#include "common/file.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/terminal.hpp"
#include "runners/fleet/fleet.hpp"
#include "runners/report/environment.hpp"

#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::vector<std::string> folders;
  std::string format = "text", output;
  std::size_t most = 20;
  bool allow_different = false;
};

void run_merge(const Options& options, int& status) {
  const fleet::FleetReport report = fleet::merge({options.folders.begin(), options.folders.end()},
                                                 {.allow_different = options.allow_different});
  const std::string text = options.format == "json" ? report::dump(fleet::to_json(report))
                           : options.format == "md" ? fleet::to_markdown(report, options.most)
                                                    : fleet::to_text(report, options.most);
  if (options.output.empty())
    print_text(text);
  else
    write_file(options.output, text);
  for (const std::string& line : report.unreadable) complain(line);
  status = fleet::exit_status(report);
}

void add_merge(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("merge", "Compare the devices of a fleet, from folders of evidence");
  command->add_option("folders", options->folders, "Folders of a fleet run, or of evidence")->required();
  command->add_option("--format", options->format, "text, md or json")
      ->check(CLI::IsMember({"text", "md", "json"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write, in place of standard output");
  command->add_option("--most", options->most, "Lines of each list in text and md")->capture_default_str();
  command->add_flag("--allow-different", options->allow_different,
                    "Merge even what was made with different manifests or for different targets");
  command->callback([options, &status] { run_merge(*options, status); });
}

const Command registration{"merge", add_merge};

} // namespace
} // namespace cts::cli
