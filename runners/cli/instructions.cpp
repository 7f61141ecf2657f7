// cdna-cts instructions: every instruction of the assembler, what the emulator does with it, and how far that
// is tested; or what a code object has that the emulator refuses.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/generated_page.hpp"
#include "runners/codeobject/machine_words.hpp"
#include "runners/emulator/instruction_list.hpp"
#include "runners/emulator/program.hpp"
#include "runners/emulator/tested_instructions.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

namespace cts::cli {
namespace {

using emulator::ListedInstruction;
using emulator::TestKind;

struct Options {
  std::string code_object, target, format = "text", output, check;
  bool refused_only = false;
};

/// One mnemonic with what each target has of it.
struct Row {
  std::string mnemonic;
  std::array<std::optional<ListedInstruction>, all_targets.size()> on;
  std::array<TestKind, all_targets.size()> tested{};

  const ListedInstruction& any() const { return on[0] ? *on[0] : *on[1]; }
};

std::vector<Row> rows(const codeobject::Tools& tools) {
  std::map<std::string, Row> all;
  for (const Target target : all_targets)
    for (ListedInstruction& i : emulator::list_instructions(target, tools)) {
      Row& row = all[i.mnemonic];
      row.mnemonic = i.mnemonic;
      row.on[static_cast<std::size_t>(target)] = std::move(i);
    }
  const auto tested = emulator::read_tested_instructions(emulator::tested_instructions_folder());
  std::vector<Row> result;
  for (auto& [mnemonic, row] : all) {
    if (const auto at = tested.find(mnemonic); at != tested.end()) row.tested = at->second;
    result.push_back(std::move(row));
  }
  return result;
}

/// "-" where the target has no such instruction; "refused"; else how it is tested.
std::string_view status(const Row& row, Target target) {
  const auto t = static_cast<std::size_t>(target);
  if (!row.on[t]) return "-";
  if (!row.on[t]->supported()) return "refused";
  constexpr std::array<std::string_view, 3> words{"untested", "runs", "checked"};
  return words[static_cast<std::size_t>(row.tested[t])];
}

bool is_refused(const Row& row) {
  return std::ranges::any_of(row.on, [](const auto& i) { return i && !i->supported(); });
}

/// Why, once for all encodings when they agree: "SDWA form: ..." where only some are refused.
std::string reason(const ListedInstruction& i) {
  const bool all = i.refused.size() >= i.encodings.size();
  std::vector<std::string> reasons;
  for (const auto& [encoding, why] : i.refused) {
    const std::string text = all ? why : fmt::format("as {}: {}", encoding, why);
    if (std::ranges::find(reasons, text) == reasons.end()) reasons.push_back(text);
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::string reason(const Row& row) {
  for (const auto& i : row.on)
    if (i && !i->supported()) return reason(*i);
  return {};
}

std::string unit(const Row& row) {
  return is_refused(row) ? std::string("-") : std::string(name(row.any().unit));
}

std::string encodings(const Row& row) { return fmt::format("{}", fmt::join(row.any().encodings, ", ")); }

std::size_t count(const std::vector<Row>& all, Target target, std::string_view word) {
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const Row& row) { return status(row, target) == word; }));
}

std::string as_text(const std::vector<Row>& all, const std::vector<Target>& targets) {
  std::string text;
  for (const Row& row : all) {
    text += fmt::format("{:<40} {:<6}", row.mnemonic, unit(row));
    for (const Target target : targets) text += fmt::format(" {} {:<8}", name(target), status(row, target));
    text += is_refused(row) ? fmt::format(" {}\n", reason(row)) : fmt::format(" {}\n", encodings(row));
  }
  return text;
}

constexpr std::string_view page_head =
    R"(# Instructions

Written by `cdna-cts instructions --format md` from the disassembler of LLVM {0}: every opcode of every encoding is given to it
for each target, and what it reads is bound as the emulator binds a program. A CTest entry fails when this page is stale.

| status | meaning |
|---|---|
| checked | executed, and a test compares its results with an expectation that is not the emulator's own code |
| runs | executed, and a test runs it; there is no result to compare (`s_sleep`, cache maintenance) |
| untested | executed, and no test looks at it |
| refused | executing it stops the launch; the reason is what the error line says |
| - | the target's assembler has no such instruction |

)";

std::string as_markdown(const std::vector<Row>& all, const std::string& llvm) {
  std::string text = fmt::format(page_head, llvm);
  constexpr std::array<std::string_view, 4> words{"checked", "runs", "untested", "refused"};
  text += fmt::format("| target | instructions | {} |\n|---|---|---|---|---|---|\n", fmt::join(words, " | "));
  for (const Target target : all_targets) {
    std::size_t sum = 0;
    std::vector<std::size_t> counts;
    for (const std::string_view word : words) {
      counts.push_back(count(all, target, word));
      sum += counts.back();
    }
    text += fmt::format("| {} | {} | {} |\n", name(target), sum, fmt::join(counts, " | "));
  }
  text += "\n## Refused\n\n| instruction | why |\n|---|---|\n";
  for (const Row& row : all)
    if (is_refused(row)) text += fmt::format("| `{}` | {} |\n", row.mnemonic, reason(row));
  text += "\n## All\n\n| instruction | unit | gfx942 | gfx950 | encodings |\n|---|---|---|---|---|\n";
  for (const Row& row : all)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.mnemonic, unit(row),
                        status(row, Target::gfx942), status(row, Target::gfx950), encodings(row));
  return text;
}

std::string as_json(const std::vector<Row>& all, const std::vector<Target>& targets,
                    const std::string& llvm) {
  nlohmann::ordered_json json{{"schema", 1}, {"llvm", llvm}};
  for (const Target target : targets) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Row& row : all) {
      const auto& i = row.on[static_cast<std::size_t>(target)];
      if (!i) continue;
      list.push_back(
          {{"mnemonic", row.mnemonic}, {"encodings", i->encodings}, {"status", status(row, target)}});
      if (i->supported())
        list.back()["unit"] = name(i->unit);
      else
        list.back()["reason"] = reason(*i);
    }
    json["targets"][std::string(name(target))] = std::move(list);
  }
  return json.dump() + "\n";
}

/// Prints every instruction of a code object (or of one in a bundle) that the emulator refuses.
Exit scan(const std::string& file, const std::string& target_word, const codeobject::Tools& tools) {
  const std::string bytes = read_file(file);
  std::vector<std::byte> elf(std::as_bytes(std::span(bytes)).begin(), std::as_bytes(std::span(bytes)).end());
  if (!target_word.empty())
    elf = codeobject::select_code_object(elf, chosen_targets("instructions", target_word)[0], file);
  const codeobject::CodeObject code = codeobject::read_code_object(elf, file, tools);
  std::size_t refused = 0;
  for (const codeobject::Instruction& instruction : code.instructions) {
    const emulator::Op op = emulator::bind_op(instruction, code.target);
    if (op.refusal == nullptr) continue;
    ++refused;
    fmt::print("{}: pc {:#x}: {}: {}\n", file, instruction.pc, instruction.text, op.refusal);
  }
  fmt::print("{}: {} instructions, {} refused\n", file, code.instructions.size(), refused);
  return refused == 0 ? Exit::fine : Exit::found;
}

Exit run_instructions(const Options& options) {
  const codeobject::Tools tools = codeobject::find_tools();
  if (!options.code_object.empty()) return scan(options.code_object, options.target, tools);
  const std::vector<Target> targets = chosen_targets("instructions", options.target);
  const std::string llvm = codeobject::llvm_version(tools);
  std::vector<Row> all = rows(tools);
  std::erase_if(all, [&](const Row& row) {
    const bool there = std::ranges::any_of(targets, [&](Target t) { return status(row, t) != "-"; });
    return !there || (options.refused_only && !is_refused(row));
  });

  std::string text;
  const std::string format = page_format("instructions", options.format, options.check);
  if (format == "text")
    text = as_text(all, targets);
  else if (format == "md")
    text = as_markdown(all, llvm);
  else
    text = as_json(all, targets, llvm);
  if (!options.check.empty())
    return compare_page(text, options.check, fmt::format("LLVM {}:", llvm), "instructions");
  print_or_write(text, options.output);
  return Exit::fine;
}

void add_instructions(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "instructions", "List the assembler's instructions, and which of them the emulator executes");
  command->add_option("FILE", options->code_object,
                      "A code object (or with --target a bundle): what the emulator refuses of it");
  command->add_option("--target", options->target, "gfx942 or gfx950 [both]");
  command->add_option("--format", options->format, "text, md or json")->capture_default_str();
  command->add_flag("--refused", options->refused_only, "Only those that the emulator refuses");
  command->add_option("--output", options->output, "File to write instead of standard output");
  command->add_option("--check", options->check, "Compare with this file; exit status 1 when it differs");
  command->callback([options, &status] { status = static_cast<int>(run_instructions(*options)); });
}

const Command registration{"instructions", add_instructions};

} // namespace
} // namespace cts::cli
