// cdna-cts matrix-instructions: which suites' tests execute each matrix instruction, from code that the
// compiler made of its builtin, and which refuse it; the page docs/matrix-instructions.md, and whether it is
// complete.
#include "common/code_files.hpp"
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "reference/instructions.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/generated_page.hpp"
#include "runners/cli/suite_tests.hpp"
#include "runners/codeobject/code_object.hpp"
#include "runners/manifest/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>

namespace cts::cli {
namespace {

using reference::Instruction;

constexpr std::array<std::string_view, 2> optimisations{"O1", "O3"};

/// A line of the table. Of F8F6F4 there is one for the unscaled and one for the scaled form.
struct Row {
  std::string mnemonic;
  const Instruction* instruction;
};

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const Instruction& i : reference::instructions()) {
    all.push_back({std::string(i.mnemonic), &i});
    if (i.kind == reference::Kind::f8f6f4)
      all.push_back({"v_mfma_scale_" + std::string(i.mnemonic).substr(sizeof "v_mfma_" - 1), &i});
  }
  return all;
}

/// Suites of which the instructions are the compiler's choice. The run tests of mfma_hazards are assembly.
std::vector<std::string> suites_from_builtins() {
  std::vector<std::string> suites(manifest::suites.begin(), manifest::suites.end());
  std::erase(suites, "mfma_hazards");
  return suites;
}

/// Mnemonics in the code objects of each suite for `target`, at both optimisation levels.
std::map<std::string, std::set<std::string>> emitted(Target target) {
  const codeobject::Tools tools = codeobject::find_tools();
  std::map<std::string, std::set<std::string>> by_suite;
  for (const std::string& suite : suites_from_builtins()) {
    std::vector<std::set<std::string>> levels;
    for (const auto opt : optimisations) {
      const auto path = code_object_path(suite, target, opt);
      const std::string bytes = read_code_file(path, suite);
      std::set<std::string>& mnemonics = levels.emplace_back();
      for (const auto& i :
           codeobject::read_code_object(std::as_bytes(std::span(bytes)), path.string(), tools).instructions)
        if (i.mnemonic.starts_with("v_mfma") || i.mnemonic.starts_with("v_smfmac"))
          mnemonics.emplace(i.mnemonic);
    }
    std::ranges::set_intersection(levels[0], levels[1],
                                  std::inserter(by_suite[suite], by_suite[suite].end()));
  }
  return by_suite;
}

/// How often each mnemonic was executed by each test: executed[mnemonic][suite][test].
using Executed = std::map<std::string, std::map<std::string, std::map<std::string, std::uint64_t>>>;

std::filesystem::path binary_of(const std::string& suite, const char* kind) {
  const std::string file = suite + kind;
  for (const auto& binary : suite_binaries())
    if (binary.filename() == file) return binary;
  throw Error("matrix-instructions: {} is not beside this command; build it", file);
}

/// Runs a test alone, and adds what it executed.
void run_test(const std::string& suite, const SuiteTest& test, Target target, std::string_view opt,
              Executed& executed) {
  const TemporaryFolder folder("profile");
  const auto file = folder.path() / "profile.json";
  const CommandResult result =
      run_command({binary_of(suite, "_run").string(), "--target", std::string(name(target)), "--opt",
                   std::string(opt), "--gtest_filter=" + test.name},
                  std::chrono::seconds(300),
                  {{"CDNA_CTS_PROFILE", file.string()},
                   {"CDNA_CTS_EVIDENCE", folder.path().string()},
                   {"CDNA_CTS_TARGET", std::string(name(target))}});
  if (result.status != 0)
    throw Error("matrix-instructions: {} {} of {} on {} ended with status {}", suite, test.name, opt,
                name(target), result.status);
  if (!std::filesystem::exists(file)) return; // skipped before it used the device
  const auto profile = nlohmann::json::parse(read_file(file));
  for (const auto& kernel : profile.at("kernels"))
    for (const auto& [mnemonic, count] : kernel.at("instructions").at("by_mnemonic").items())
      executed[mnemonic][suite][test.name] += count.get<std::uint64_t>();
}

/// Everything that the suites with matrix instructions execute on `target`, at both optimisation levels.
Executed execute(Target target) {
  Executed executed;
  for (const auto& [suite, mnemonics] : emitted(target)) {
    if (mnemonics.empty()) continue;
    for (const SuiteTest& test : list_suite_tests(binary_of(suite, "_run"), std::string(name(target))))
      if (test.check == "run")
        for (const auto opt : optimisations) run_test(suite, test, target, opt, executed);
  }
  return executed;
}

/// The test of target_support that has an instruction refused on the other target.
std::string refusal_of(const Row& row) {
  const Target other =
      reference::exists_on(*row.instruction, Target::gfx942) ? Target::gfx950 : Target::gfx942;
  const std::string own = reference::short_name(*row.instruction) + ".IsWhereItIsClaimed";
  const auto tests = list_suite_tests(binary_of("target_support", "_host"), std::string(name(other)));
  const auto listed = [&](const std::string& test) {
    return std::ranges::any_of(tests, [&](const SuiteTest& t) { return t.name == test; });
  };
  for (const std::string& test : {own, std::string("MatrixBuiltins.InventoryCompiles")})
    if (listed(test)) return fmt::format("target_support.{}.{}", name(other), test);
  throw Error("matrix-instructions: no test of target_support refuses {} on {}", row.mnemonic, name(other));
}

constexpr std::string_view page_head = R"(# Matrix instructions

Written by `cdna-cts matrix-instructions` from runs of the suites: each run test of the suites whose code objects hold matrix
instructions, on the emulator, at -O1 and -O3, and how often it executed each of them (`CDNA_CTS_PROFILE`). All of them were emitted
by the compiler for a builtin; the assembly of `mfma_hazards` is not counted. Tests that need a GPU (`throughput`) execute nothing here.
A CTest entry fails when an instruction of the reference's table is missing here, or is not in the code objects of a suite that is
named. Where one exists is what the ISA manuals' tables say; the other target's compiler has to refuse it, in the test that is named.

)";

/// "lane_ownership (`EveryF16.AItemMeetsItsBItems` and 6 more)"
std::string tests_of(const std::map<std::string, std::map<std::string, std::uint64_t>>& by_suite) {
  std::vector<std::string> texts;
  for (const auto& [suite, tests] : by_suite) {
    std::string text = fmt::format("{} (`{}`", suite, tests.begin()->first);
    if (tests.size() > 1) text += fmt::format(" and {} more", tests.size() - 1);
    texts.push_back(text + ")");
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::uint64_t total(const std::map<std::string, std::map<std::string, std::uint64_t>>& by_suite) {
  std::uint64_t sum = 0;
  for (const auto& [suite, tests] : by_suite)
    for (const auto& [test, count] : tests) sum += count;
  return sum;
}

std::string page() {
  std::array<Executed, all_targets.size()> executed;
  std::string table = fmt::format("| instruction | {} | executed by | refused by |\n|---|---|---|---|---|\n",
                                  fmt::join(std::vector{name(all_targets[0]), name(all_targets[1])}, " | "));
  for (const Target target : all_targets) executed[static_cast<std::size_t>(target)] = execute(target);
  std::array<int, all_targets.size()> instructions{}, refused{};
  std::array<std::uint64_t, all_targets.size()> executions{};
  for (const Row& row : rows()) {
    std::vector<std::string> cells;
    std::map<std::string, std::map<std::string, std::uint64_t>> by_suite; // of both targets
    for (const Target target : all_targets) {
      const auto t = static_cast<std::size_t>(target);
      if (!reference::exists_on(*row.instruction, target)) {
        cells.push_back("refused");
        ++refused[t];
        continue;
      }
      const auto& tests = executed[t][row.mnemonic];
      if (total(tests) == 0)
        throw Error("matrix-instructions: no suite executes {} on {}", row.mnemonic, name(target));
      cells.push_back(fmt::format("{}", total(tests)));
      ++instructions[t];
      executions[t] += total(tests);
      for (const auto& [suite, counts] : tests)
        for (const auto& [test, count] : counts) by_suite[suite][test] += count;
    }
    const bool everywhere = std::ranges::count(cells, "refused") == 0;
    table += fmt::format("| `{}` | {} | {} | {} |\n", row.mnemonic, fmt::join(cells, " | "),
                         tests_of(by_suite), everywhere ? std::string("-") : "`" + refusal_of(row) + "`");
  }
  std::string text(page_head);
  text += "| target | instructions executed | executions | refused |\n|---|---|---|---|\n";
  for (const Target target : all_targets) {
    const auto t = static_cast<std::size_t>(target);
    text += fmt::format("| {} | {} | {} | {} |\n", name(target), instructions[t], executions[t], refused[t]);
  }
  return text + "\n" + table;
}

/// The cells of each line that begins with a mnemonic, by mnemonic.
std::map<std::string, std::vector<std::string>> table_of(const std::string& page) {
  std::map<std::string, std::vector<std::string>> table;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `v_")) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 2; at < line.size();) {
      const std::size_t end = std::min(line.find(" |", at), line.size());
      cells.push_back(line.substr(at, end - at));
      at = end + 3;
    }
    table[cells.at(0).substr(1, cells.at(0).size() - 2)] = cells;
  }
  return table;
}

/// What is wrong with a page, line by line: instructions without a line or an execution, lines of none, and
/// suites whose code objects do not hold what they are said to execute.
std::vector<std::string> problems(const std::string& page) {
  std::vector<std::string> found;
  auto table = table_of(page);
  for (const Target target : all_targets) {
    const auto by_suite = emitted(target);
    for (const Row& row : rows()) {
      const auto line = table.find(row.mnemonic);
      if (line == table.end() || line->second.size() != 5) {
        found.push_back(fmt::format("{}: no line of five cells", row.mnemonic));
        continue;
      }
      const std::string& cell = line->second[1 + static_cast<std::size_t>(target)];
      const bool exists = reference::exists_on(*row.instruction, target);
      const bool counted = !cell.empty() && cell != "0" &&
                           std::ranges::all_of(cell, [](char c) { return c >= '0' && c <= '9'; });
      if (exists ? !counted : cell != "refused")
        found.push_back(fmt::format("{} on {}: '{}' where {} should be", row.mnemonic, name(target), cell,
                                    exists ? "a count" : "'refused'"));
      int suites = 0;
      for (const auto& [suite, mnemonics] : by_suite) {
        const bool named = line->second[3].find(suite + " (") != std::string::npos;
        if (mnemonics.contains(row.mnemonic) && !exists)
          found.push_back(fmt::format("{} is in the code of {} for {}, which has none", row.mnemonic, suite,
                                      name(target)));
        suites += named && mnemonics.contains(row.mnemonic) ? 1 : 0;
      }
      if (exists && suites == 0)
        found.push_back(fmt::format("{} on {}: in the code objects of no suite that the page names",
                                    row.mnemonic, name(target)));
    }
  }
  for (const Row& row : rows()) table.erase(row.mnemonic);
  for (const auto& [mnemonic, cells] : table)
    found.push_back(fmt::format("{}: a line, but no such instruction", mnemonic));
  return found;
}

struct Options {
  std::string output, check;
};

Exit run_matrix_instructions(const Options& options) {
  if (!options.check.empty()) {
    const std::vector<std::string> found = problems(read_file(options.check));
    for (const std::string& problem : found) fmt::print("{}: {}\n", options.check, problem);
    fmt::print("{} of {} lines: {} problems\n", rows().size(), options.check, found.size());
    return found.empty() ? Exit::fine : Exit::found;
  }
  print_or_write(page(), options.output);
  return Exit::fine;
}

void add_matrix_instructions(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "matrix-instructions", "Run the suites and list which tests execute each matrix instruction");
  command->add_option("--output", options->output, "File to write instead of standard output");
  command->add_option(
      "--check", options->check,
      "Run nothing: exit status 1 when this page lacks an instruction, or names a suite whose "
      "code objects lack it");
  command->callback([options, &status] { status = static_cast<int>(run_matrix_instructions(*options)); });
}

const Command registration{"matrix-instructions", add_matrix_instructions};

} // namespace
} // namespace cts::cli
