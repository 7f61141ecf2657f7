// cdna-cts gate: what changed between two report.json, and whether the policy lets it through.
#include "runners/gate/gate.hpp"
#include "common/file.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/terminal.hpp"
#include "runners/cli/today.hpp"
#include "runners/report/environment.hpp"

#include <cstdio>
#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::string manifests = manifest::manifest_folder().string();
  std::string baseline, candidate, policy, today, format = "text";
  bool allow_different_manifests = false, allow_different_targets = false;
};

void run_gate(const Options& options, int& status) {
  const auto manifests = manifest::load(options.manifests);
  const auto policy = options.policy.empty() ? manifests.gate : manifest::load_gate_policy(options.policy);
  const std::string old_bytes = read_file(options.baseline), new_bytes = read_file(options.candidate);
  const report::Report baseline = report::parse_report(old_bytes, options.baseline),
                       candidate = report::parse_report(new_bytes, options.candidate);
  gate::Comparison comparison = gate::compare(baseline, candidate,
                                              {.different_manifests = options.allow_different_manifests,
                                               .different_targets = options.allow_different_targets,
                                               .time_threshold = policy.time_threshold});
  if (old_bytes == new_bytes)
    comparison.notes.push_back("baseline and candidate are the same report, byte for byte");
  gate::waive(comparison, candidate, manifests.waivers, options.today);
  print_text(options.format == "json" ? report::dump(gate::to_json(comparison, policy))
             : options.format == "md" ? gate::to_markdown(comparison, policy)
             : options.format == "overview"
                 ? gate::to_overview(baseline, candidate) + "\n" + gate::conclusion(comparison, policy)
                 : gate::to_text(comparison, policy));
  const bool fails = gate::verdict(comparison, policy) == manifest::Action::fail;
  status = static_cast<int>(fails ? Exit::found : Exit::fine);
}

void add_gate(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("gate", "Compare a report.json with an accepted one");
  command->add_option("--baseline", options->baseline, "The accepted report.json")->required();
  command->add_option("--candidate", options->candidate, "The new report.json")->required();
  command->add_option("--policy", options->policy, "Policy file, in place of manifests/gate.yaml");
  add_today(*command, options->today);
  command->add_option("--manifests", options->manifests, "Folder of manifests, in place of this build's");
  command->add_option("--format", options->format, "text, md, json or overview")
      ->check(CLI::IsMember({"text", "md", "json", "overview"}))
      ->capture_default_str();
  command->add_flag("--allow-different-manifests", options->allow_different_manifests,
                    "Compare reports that were made with different manifests");
  command->add_flag("--allow-different-targets", options->allow_different_targets,
                    "Compare what both runs have where one of them has a target more");
  command->callback([options, &status] { run_gate(*options, status); });
}

const Command registration{"gate", add_gate};

} // namespace
} // namespace cts::cli
