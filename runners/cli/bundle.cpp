// cdna-cts bundle: a report and all that it was made from, in one file.
#include "runners/bundle/bundle.hpp"
#include "common/file.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/terminal.hpp"
#include "runners/manifest/manifests.hpp"
#include "runners/report/report.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::vector<std::string> evidence, pages;
  std::string report, manifests = manifest::manifest_folder().string(), code, output;
};

Exit run_bundle(const Options& options) {
  report::read_report(options.report); // throws for what is none, by its own name
  const bundle::Members members =
      bundle::collect({.evidence = {options.evidence.begin(), options.evidence.end()},
                       .report = options.report,
                       .manifests = options.manifests,
                       .pages = {options.pages.begin(), options.pages.end()},
                       .code = options.code},
                      std::string("cdna-cts ") + CDNA_CTS_VERSION);
  const std::string file = bundle::pack(members);
  // A report of another run, or of records that have grown since, is no evidence: it is not packed.
  const bundle::Verification verified = bundle::verify(file, options.output);
  if (!verified.findings.empty()) {
    constexpr std::size_t most = 20;
    for (std::size_t n = 0; n < std::min(verified.findings.size(), most); ++n) complain(verified.findings[n]);
    if (verified.findings.size() > most)
      fmt::print(stderr, "cdna-cts: and {} more\n", verified.findings.size() - most);
    fmt::print(stderr, "cdna-cts: no bundle is written: {} does not follow from the evidence; make it anew\n",
               options.report);
    return Exit::found;
  }
  if (std::error_code none; std::filesystem::equivalent(options.output, options.report, none))
    throw Error("{}: is the report, the bundle does not go there", options.output);
  write_file(options.output, file);
  fmt::print("{}: {} members, {} bytes; {}\ndigest {}\n", options.output, members.size(), file.size(),
             verified.summary, verified.digest);
  return Exit::fine;
}

void add_bundle(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("bundle", "Pack a report and all that it was made from into one file");
  command->add_option("--evidence", options->evidence, "Folders of evidence, in the order of the report")
      ->required();
  command->add_option("--report", options->report, "report.json that was made from them")->required();
  command->add_option("--page", options->pages, "Further files: REPORT.md, index.html");
  command->add_option("--code", options->code, "Folder of code objects to take along (build/<preset>/code)")
      ->check(CLI::ExistingDirectory);
  command->add_option("--manifests", options->manifests, "Folder of manifests, in place of this build's");
  command->add_option("-o,--output", options->output, "File to write, NAME.tar.zst")->required();
  command->callback([options, &status] { status = static_cast<int>(run_bundle(*options)); });
}

const Command registration{"bundle", add_bundle};

} // namespace
} // namespace cts::cli
