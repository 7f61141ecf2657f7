// cdna-cts gate: what changed between two report.json, and whether the policy lets it through.
#include "runners/gate/gate.hpp"
#include "runners/cli/commands.hpp"
#include "runners/report/environment.hpp"

#include <chrono>
#include <cstdio>
#include <fmt/chrono.h>
#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::string manifests = manifest::manifest_folder().string();
  std::string baseline, candidate, policy, format = "text";
  bool allow_different_manifests = false;
};

std::string today() {
  return fmt::format("{:%Y-%m-%d}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

void run_gate(const Options& options, int& status) {
  const auto manifests = manifest::load(options.manifests);
  const auto policy = options.policy.empty() ? manifests.gate : manifest::load_gate_policy(options.policy);
  const report::Report candidate = report::read_report(options.candidate);
  gate::Comparison comparison =
      gate::compare(report::read_report(options.baseline), candidate, options.allow_different_manifests);
  gate::waive(comparison, candidate, manifests.waivers, today());
  fmt::print("{}", options.format == "json" ? report::dump(gate::to_json(comparison, policy))
                   : options.format == "md" ? gate::to_markdown(comparison, policy)
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
  command->add_option("--manifests", options->manifests, "Folder of manifests, in place of this build's");
  command->add_option("--format", options->format, "text, md or json")
      ->check(CLI::IsMember({"text", "md", "json"}))
      ->capture_default_str();
  command->add_flag("--allow-different-manifests", options->allow_different_manifests,
                    "Compare reports that were made with different manifests");
  command->callback([options, &status] { run_gate(*options, status); });
}

const Command registration{"gate", add_gate};

} // namespace
} // namespace cts::cli
