// cdna-cts waivers: the known failures, and whether each still holds.
#include "runners/report/waivers.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/today.hpp"
#include "runners/report/environment.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace cts::cli {
namespace {

using manifest::Waiver;
using report::WaiverFinding;
using report::WaiverState;

struct Options {
  std::string manifests = manifest::manifest_folder().string();
  std::string report, today, format = "text";
  bool check = false;
};

/// Without a report only the day is known.
std::vector<WaiverFinding> judged_by_day(const std::vector<Waiver>& waivers, const std::string& today) {
  std::vector<WaiverFinding> findings;
  for (const Waiver& w : waivers)
    if (w.expires < today)
      findings.push_back({&w, WaiverState::expired, "its last day was " + w.expires});
    else
      findings.push_back({&w, WaiverState::counts, "until " + w.expires});
  return findings;
}

/// "gfx942, device 'AMD Instinct MI300X*', driver >=6.10 <6.12".
std::string scope(const Waiver& w) {
  std::string text(name(w.target));
  if (!w.device.empty()) text += fmt::format(", device '{}'", w.device);
  if (!w.driver.empty()) text += ", driver " + w.driver;
  if (!w.compiler.empty()) text += ", compiler " + w.compiler;
  return text;
}

void print_text(const std::vector<WaiverFinding>& findings) {
  for (const WaiverFinding& f : findings) {
    const Waiver& w = *f.waiver;
    fmt::print("{}\n    {} {} on {}\n    {} ({}, {})\n", report::to_text(f),
               w.claim.empty() ? "test '" + w.test + "'" : w.claim, name(w.expected), scope(w), w.reason,
               w.owner, w.url);
  }
  const auto stale = std::ranges::count_if(findings, [](const auto& f) { return report::is_stale(f.state); });
  fmt::print("{} waivers, {} to be changed\n", findings.size(), stale);
}

nlohmann::ordered_json to_json(const std::vector<WaiverFinding>& findings) {
  nlohmann::ordered_json json{{"schema", 1}, {"waivers", nlohmann::ordered_json::array()}};
  for (const WaiverFinding& f : findings) {
    const Waiver& w = *f.waiver;
    json["waivers"].push_back({{"id", w.id},
                               {"state", name(f.state)},
                               {"stale", report::is_stale(f.state)},
                               {"why", f.text},
                               {"claim", w.claim},
                               {"test", w.test},
                               {"target", name(w.target)},
                               {"device", w.device},
                               {"driver", w.driver},
                               {"compiler", w.compiler},
                               {"expected", name(w.expected)},
                               {"reason", w.reason},
                               {"url", w.url},
                               {"owner", w.owner},
                               {"expires", w.expires},
                               {"file", w.file},
                               {"line", w.line}});
  }
  return json;
}

void run_waivers(const Options& options, int& status) {
  const auto waivers = manifest::load(options.manifests).waivers;
  const auto findings = options.report.empty() ? judged_by_day(waivers, options.today)
                                               : report::judge_waivers(report::read_report(options.report),
                                                                       waivers, options.today);
  if (options.format == "json")
    fmt::print("{}", report::dump(to_json(findings)));
  else
    print_text(findings);
  const bool stale = std::ranges::any_of(findings, [](const auto& f) { return report::is_stale(f.state); });
  status = static_cast<int>(options.check && stale ? Exit::found : Exit::fine);
}

void add_waivers(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("waivers", "List known failures, and say which no longer hold");
  command->add_option("--report", options->report, "A report.json that says what became of them");
  command->add_flag(
      "--check", options->check,
      "Exit with 1 when a waiver is expired, or by the report matches nothing or a test that passes");
  add_today(*command, options->today);
  command->add_option("--manifests", options->manifests, "Folder of manifests, in place of this build's");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &status] { run_waivers(*options, status); });
}

const Command registration{"waivers", add_waivers};

} // namespace
} // namespace cts::cli
