// cdna-cts audit: judges machine code that anybody made.
#include "runners/audit/audit.hpp"

#include "common/error.hpp"
#include "common/nearest.hpp"
#include "runners/audit/rules.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/terminal.hpp"

#include <algorithm>
#include <memory>

namespace cts::cli {
namespace {

struct Options {
  std::string file, target, rules = "isa", format = "text", explain;
  std::vector<std::string> off;
  bool list = false;
};

Exit run_audit(const Options& options) {
  if (!options.explain.empty()) {
    fmt::print("{}: {}\n", options.explain, audit::explain(options.explain));
    return Exit::fine;
  }
  if (options.list) {
    fmt::print("{}\n", fmt::join(audit::rule_ids(), "\n"));
    return Exit::fine;
  }
  if (options.file.empty()) throw Error("audit: give a FILE, --explain RULE or --list");
  const auto target = options.target.empty() ? std::nullopt : parse_target(options.target);
  if (!options.target.empty() && !target)
    throw Error("audit: --target '{}': expected gfx942 or gfx950", options.target);
  if (options.rules != "isa" && options.rules != "llvm")
    throw Error("audit: --rules '{}': expected isa or llvm", options.rules);
  if (options.format != "text" && options.format != "json")
    throw Error("audit: --format '{}': expected text or json", options.format);
  for (const std::string& rule : options.off) audit::explain(rule); // throws for an unknown one
  const auto rules = options.rules == "isa" ? audit::RuleSet::isa : audit::RuleSet::llvm;
  const audit::Report report =
      audit::audit_file(options.file, target, rules, options.off, codeobject::find_tools());
  print_text(options.format == "json" ? audit::as_json(report) : audit::as_text(report, options.file));
  return report.findings.empty() ? Exit::fine : Exit::found;
}

void add_audit(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "audit", "Find hazards and missing waits in code objects, programs or assembly listings");
  command->add_option(
      "FILE", options->file,
      "A code object, offload bundle, program or object with fat binaries, or an assembly listing");
  command->add_option("--target", options->target,
                      "gfx942 or gfx950: what a listing is for, or which of several targets [all]");
  command
      ->add_option("--rules", options->rules, "isa: the manuals' wait states; llvm: those that LLVM 22 gives")
      ->capture_default_str();
  command->add_option("--format", options->format, "text or json")->capture_default_str();
  command->add_flag("--list", options->list, "List the rules instead");
  command->add_option("--explain", options->explain, "Explain a rule instead");
  command->add_option("--off", options->off, "A rule that is not looked at (may be repeated)")
      ->allow_extra_args(false); // else it would take FILE for a rule
  command->callback([options, &status] { status = static_cast<int>(run_audit(*options)); });
}

const Command registration{"audit", add_audit};

} // namespace
} // namespace cts::cli
