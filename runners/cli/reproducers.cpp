// cdna-cts reproducers: each cell in which the compiler keeps fewer wait states than the manual asks for,
// with what the auditor finds in its code object and what came of running it.
//
//   code/mfma_hazards_looser.<target>.co ──► audit ──► rule, needed, have
//                    │
//                    └──► bin/mfma_hazards_run, a process for each test ──► wrong waves, violated rules
#include "common/code_files.hpp"
#include "common/error.hpp"
#include "common/evidence.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "runners/audit/audit.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/generated_page.hpp"
#include "runners/mir/hazard_kernels.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace cts::cli {
namespace {

constexpr std::string_view suite_run = "mfma_hazards_run";
constexpr std::array tests{"Reproducers.LooserCellsGiveWrongResults",
                           "Reproducers.LooserCellOfAGlobalAddress", "Reproducers.LooserCellOfAnLdsAddress"};

struct Options {
  std::string target, format = "text", output, check;
};

/// A looser cell and what was made of it.
struct Shown {
  mir::LooserCell cell;
  std::string audit = {};                ///< rule of the finding with these numbers; empty: none
  std::optional<int> wrong_waves = {};   ///< nothing: it was not run
  std::set<std::string> violations = {}; ///< rules that the emulator names in the kernel
};

struct Results {
  Target target;
  std::string runner = "nobody"; ///< who ran the kernels
  std::vector<Shown> cells;
};

void add_findings(Results& results, const std::filesystem::path& object) {
  const auto report =
      audit::audit_file(object.string(), results.target, audit::RuleSet::isa, {}, codeobject::find_tools());
  for (const audit::Finding& finding : report.findings)
    for (Shown& shown : results.cells)
      if (finding.kernel == shown.cell.kernel && finding.needed == shown.cell.needed &&
          finding.have == shown.cell.kept)
        shown.audit = finding.rule;
}

/// Runs the suite's tests of these cells, each in a process of its own, and takes what they recorded.
void add_runs(Results& results) {
  const auto binary = std::filesystem::read_symlink("/proc/self/exe").parent_path() / suite_run;
  if (!std::filesystem::exists(binary)) throw Error("reproducers: build {} first", suite_run);
  const TemporaryFolder folder("reproducers");
  const std::string target(name(results.target)), violations = (folder.path() / "violations").string();
  for (const char* test : tests)
    run_command({binary.string(), "--target", target, "--opt", "O3", std::string("--gtest_filter=") + test},
                std::chrono::minutes(5),
                {{"CDNA_CTS_TARGET", target},
                 {"CDNA_CTS_EVIDENCE", (folder.path() / "evidence").string()},
                 {"CDNA_CTS_VIOLATIONS", violations}});
  for (const Record& record : read_evidence(folder.path() / "evidence").records) {
    if (record.outcome == Outcome::skipped) continue;
    results.runner = name(record.runner);
    for (Shown& shown : results.cells)
      if (const auto found = record.metrics.find(shown.cell.kernel + ".wrong_waves");
          found != record.metrics.end())
        shown.wrong_waves = static_cast<int>(found->second);
  }
  if (!std::filesystem::exists(violations)) return;
  std::istringstream lines(read_file(violations));
  for (std::string line; std::getline(lines, line);) {
    const auto violation = nlohmann::json::parse(line);
    for (Shown& shown : results.cells)
      if (violation.at("kernel") == shown.cell.kernel)
        shown.violations.insert(violation.at("rule").get<std::string>());
  }
}

Results reproduce(Target target) {
  Results results{.target = target, .cells = {}};
  for (mir::LooserCell& cell : mir::read_looser_cells(target, code_folder()))
    results.cells.push_back({.cell = std::move(cell)});
  add_findings(results, mir::kernels_file(mir::looser_stem, target, code_folder()));
  add_runs(results);
  return results;
}

std::size_t audited(const Results& results) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results.cells, [](const Shown& s) { return !s.audit.empty(); }));
}
std::size_t wrong(const Results& results) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results.cells, [](const Shown& s) { return s.wrong_waves.value_or(0) > 0; }));
}

std::string came_of_it(const Shown& shown) {
  if (!shown.wrong_waves) return "not run";
  if (*shown.wrong_waves == 0) return "right";
  return shown.violations.empty() ? "wrong" : fmt::format("wrong: {}", fmt::join(shown.violations, ", "));
}

std::string summary(const Results& results) {
  return fmt::format("{}: {} cells; the audit finds {}, run by {} {} give a wrong result",
                     name(results.target), results.cells.size(), audited(results), results.runner,
                     wrong(results));
}

std::string as_text(const std::vector<Results>& all) {
  std::string text;
  for (const Results& results : all) {
    for (const Shown& shown : results.cells)
      text += fmt::format("{} {} needs {}, kept {}: audit {}; {}\n", name(results.target), shown.cell.kernel,
                          shown.cell.needed, shown.cell.kept, shown.audit.empty() ? "nothing" : shown.audit,
                          came_of_it(shown));
    text += summary(results) + "\n";
  }
  return text;
}

constexpr std::string_view page_head = R"(# Hazard reproducers

Written by `cdna-cts reproducers --format md` with LLVM {}. Every cell of [hazard-thresholds.md](hazard-thresholds.md) in which the compiler
keeps fewer wait states than the manual asks for is a kernel in `code/mfma_hazards_looser.<target>.co`: llc made it from the pair, at the
spacing at which it keeps least, and its own hazard pass put the S_NOPs in. Beside each is a twin, `<kernel>_padded`, with 48 wait states.
A CTest entry fails when this page is stale.

*Audit*: the rule that `cdna-cts audit` names in the kernel with exactly these numbers; it names nothing in a twin. *Emulator*: the kernel's
registers, memory, LDS and scalar results against the twin's, and the rule that it broke. The emulator goes by the manual, so this shows what
these numbers lead to, **not what a GPU does**: nothing here ran on one.

A SMFMAC's index is held as long as C here, since the manual's row says SrcC. That is one reading; by itself the emulator takes the row for C
(`CDNA_CTS_SMFMAC_INDEX` in [emulator.md](emulator.md)).
)";

std::string as_markdown(const std::vector<Results>& all, const std::string& llvm) {
  std::string text = fmt::format(page_head, llvm);
  for (const Results& results : all) {
    text += fmt::format(
        "\n## {}\n\nOf {} cells the audit finds {}, and {} give a wrong result on the emulator.\n\n"
        "| first | then | needed | kept | audit | emulator |\n|---|---|---|---|---|---|\n",
        name(results.target), results.cells.size(), audited(results), wrong(results));
    for (const Shown& shown : results.cells)
      text +=
          fmt::format("| {}{} | {} | {} | {} | {} | {} |\n", shown.cell.probe.first,
                      shown.cell.probe.passes > 0 ? fmt::format(", {} passes", shown.cell.probe.passes) : "",
                      shown.cell.probe.second, shown.cell.needed, shown.cell.kept,
                      shown.audit.empty() ? "nothing" : "`" + shown.audit + "`", came_of_it(shown));
  }
  return text;
}

std::string as_json(const std::vector<Results>& all, const std::string& llvm) {
  nlohmann::ordered_json json{{"schema", 1}, {"llvm", llvm}};
  for (const Results& results : all) {
    auto& target = json["targets"][std::string(name(results.target))];
    target = {{"runner", results.runner}, {"cells", nlohmann::ordered_json::array()}};
    for (const Shown& shown : results.cells) {
      nlohmann::ordered_json cell{{"kernel", shown.cell.kernel}, {"needed", shown.cell.needed},
                                  {"kept", shown.cell.kept},     {"audit", shown.audit},
                                  {"wrong_waves", nullptr},      {"violations", shown.violations}};
      if (shown.wrong_waves) cell["wrong_waves"] = *shown.wrong_waves;
      target["cells"].push_back(std::move(cell));
    }
  }
  return json.dump() + "\n";
}

Exit run_reproducers(const Options& options) {
  const std::string format = page_format("reproducers", options.format, options.check);
  const std::string llvm = mir::compiler_version();
  std::vector<Results> all;
  for (const Target target : chosen_targets("reproducers", options.target)) all.push_back(reproduce(target));
  const std::string text = format == "text" ? as_text(all)
                           : format == "md" ? as_markdown(all, llvm)
                                            : as_json(all, llvm);
  if (!options.check.empty())
    return compare_page(text, options.check, fmt::format("LLVM {}.", llvm), "reproducers");
  print_or_write(text, options.output);
  return std::ranges::all_of(all, [](const Results& r) { return audited(r) == r.cells.size(); })
             ? Exit::fine
             : Exit::found;
}

void add_reproducers(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "reproducers",
      "Code in which the compiler keeps too few wait states: audited, and run beside a padded twin");
  command->add_option("--target", options->target, "gfx942 or gfx950 [both]");
  command->add_option("--format", options->format, "text, md or json")->capture_default_str();
  command->add_option("--output", options->output, "File to write instead of standard output");
  command->add_option("--check", options->check, "Compare with this file; exit status 1 when it differs");
  command->callback([options, &status] { status = static_cast<int>(run_reproducers(*options)); });
}

const Command registration{"reproducers", add_reproducers};

} // namespace
} // namespace cts::cli
