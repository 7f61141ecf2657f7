// cdna-cts report: folders of evidence joined with the manifests, as a table, REPORT.md,
// report.json, a page or JUnit XML.
#include "runners/report/report.hpp"
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/pictures.hpp"
#include "runners/cli/terminal.hpp"
#include "runners/cli/today.hpp"
#include "runners/report/environment.hpp"
#include "runners/report/html/page.hpp"
#include "runners/report/waivers.hpp"

#include <chrono>
#include <cstdio>
#include <fmt/chrono.h>
#include <memory>
#include <set>

namespace cts::cli {
namespace {

struct Options {
  std::vector<std::string> evidence;
  std::string manifests = manifest::manifest_folder().string();
  std::string format = "text", output, environment, hazards, today;
};

Evidence read_all(const std::vector<std::string>& folders) {
  Evidence all;
  std::set<std::filesystem::path> read; // a folder that is given twice must not count twice
  for (const std::string& folder : folders)
    if (read.insert(std::filesystem::weakly_canonical(folder)).second) append(all, read_evidence(folder));
  if (all.records.empty() && all.unfinished.empty() && all.problems.empty())
    all.problems.push_back(fmt::format("{}: no records; run the suites with CDNA_CTS_EVIDENCE set to it",
                                       fmt::join(folders, ", ")));
  return all;
}

std::string as_html(const report::Report& report, const manifest::Manifests& manifests,
                    const Options& options) {
  report::PageData data{all_pictures(manifests), {}};
  if (!options.hazards.empty()) data.hazards = report::read_hazards(options.hazards);
  return report::to_html(report, manifests, data);
}

void run_report(const Options& options, int& status) {
  if (!options.hazards.empty() && options.format != "html")
    throw Error("report: --hazards goes with --format html only");
  const manifest::Manifests manifests = manifest::load(options.manifests);
  report::Report report =
      report::build_report(manifests, read_all(options.evidence),
                           options.environment.empty() ? report::to_json(report::capture_environment())
                                                       : report::read_environment(options.environment));
  report.generated =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  const std::string text = options.format == "json"    ? report::dump(report::to_json(report))
                           : options.format == "md"    ? report::to_markdown(report)
                           : options.format == "html"  ? as_html(report, manifests, options)
                           : options.format == "junit" ? report::to_junit(report)
                                                       : report::to_text(report);
  const std::string extension = std::filesystem::path(options.output).extension();
  if (extension == ".jsonl" || extension == ".begun" || extension == ".plan")
    throw Error("{}: that is the name of a file of evidence, a report does not go there", options.output);
  if (options.output.empty())
    print_text(text);
  else
    write_file(options.output, text);
  for (const std::string& problem : report.problems) complain(problem);
  bool found = report::has_findings(report);
  for (const report::WaiverFinding& waiver : report::judge_waivers(report, manifests.waivers, options.today))
    if (report::is_stale(waiver.state)) {
      complain(report::to_text(waiver));
      found = true;
    }
  status = static_cast<int>(found ? Exit::found : Exit::fine);
}

void add_report(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "Say which claims hold, from folders of evidence");
  command->add_option("--evidence", options->evidence, "Folders of evidence records (*.jsonl)")->required();
  command->add_option("--format", options->format, "text, md, json, html or junit")
      ->check(CLI::IsMember({"text", "md", "json", "html", "junit"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write, in place of standard output");
  command->add_option("--manifests", options->manifests, "Folder of manifests, in place of this build's");
  add_today(*command, options->today);
  command->add_option("--environment", options->environment,
                      "Environment of the evidence (cdna-cts env --format json), in place of this machine's");
  command->add_option("--hazards", options->hazards,
                      "Table of hazards for the page (cdna-cts hazards --format json)");
  command->callback([options, &status] { run_report(*options, status); });
}

const Command registration{"report", add_report};

} // namespace
} // namespace cts::cli
