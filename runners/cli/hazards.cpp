// cdna-cts hazards: the wait states that the compiler's hazard pass wants, beside those of the ISA manuals.
#include "common/error.hpp"
#include "runners/cli/commands.hpp"
#include "runners/cli/generated_page.hpp"
#include "runners/mir/cells.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace cts::cli {
namespace {

using mir::Cell;
using mir::Table;
using mir::Verdict;

struct Options {
  std::string target, format = "text", output, check;
};

constexpr std::array verdicts{Verdict::equal, Verdict::stricter, Verdict::looser, Verdict::refused};

std::string isa_text(const Cell& cell) { return cell.isa ? std::to_string(*cell.isa) : "-"; }

/// "20 (19 left at a spacing of 19)" where the pass forgets one; "refused" where it was not given the pair.
std::string compiler_text(const Cell& cell) {
  if (cell.verdict == Verdict::refused) return "refused";
  if (cell.missed_at.empty()) return std::to_string(cell.needed);
  return fmt::format("{} ({} left at a spacing of {})", cell.needed, cell.given,
                     fmt::join(cell.missed_at, ", "));
}

std::string question(const Cell& cell) {
  return fmt::format("{}{}; {}", cell.first, cell.passes > 0 ? fmt::format(", {} passes", cell.passes) : "",
                     cell.second);
}

std::vector<const Cell*> all_cells(const Table& table) {
  std::vector<const Cell*> cells;
  for (const auto* list : {&table.matrix, &table.software})
    for (const Cell& cell : *list) cells.push_back(&cell);
  return cells;
}

std::string as_text(const std::vector<Table>& tables) {
  std::string text;
  for (const Table& table : tables)
    for (const Cell* cell : all_cells(table))
      text += fmt::format("{} {:<8} ISA {:>2} compiler {:>2}  {}{}\n", name(table.target),
                          mir::name(cell->verdict), isa_text(*cell), compiler_text(*cell), question(*cell),
                          cell->refused.empty() ? "" : ": " + cell->refused);
  return text;
}

constexpr std::string_view page_head =
    R"(# Hazard thresholds

Written by `cdna-cts hazards --format md`: LLVM {0}'s hazard pass was given every pair of instructions that the ISA manuals' tables of
wait states are about, at every spacing from 0 to {1}, and what it added is the number here. A CTest entry fails when this page is stale.

A *cell* is a question: what the first instruction does, how many passes it has, what the second one does. *ISA* is the number of
ISA3 7.5 Table 37 or ISA4 7.6 Table 38 (below: Table 11 of section 4.5), `-` where they have no row, which asks for nothing.
*Compiler* is what the pass adds to two adjacent instructions; it then adds what is missing of it at every spacing, unless the
cell says otherwise. An empty entry is a pair that the target does not have.

| entry | meaning |
|---|---|
| `7` | both ask for 7 wait states |
| `- / 7` | stricter: no row, the compiler wants 7 |
| **`5 / 0`** | looser: the ISA asks for 5, the compiler wants none |

)";

/// Why the compiler may be right, or what a looser cell is: by the cell's question.
struct Remark {
  std::string_view first, second; ///< parts of the question
  std::string_view text;
};
constexpr Remark remarks[] = {
    {"", "same registers",
     "The manual calls C exact only between instructions of as many passes, and has no exact row for SGEMM "
     "behind XDL. LLVM 22 takes the "
     "registers alone (llvm/llvm-project pull request 218363 is about that)."},
    {"SGEMM writes D", "overlapping", "By ISA3's row. ISA4 has 0 there, and LLVM 0 for both targets."},
    {"XDL writes D", "",
     "The pass wants 20 and looks back 19: where 19 are there, it adds none (llvm/llvm-project pull request "
     "222040)."},
    {"F64 16x16x4 writes D", "VALU overwrites",
     "LLVM has gfx950's longer number for what reads D, and CDNA 3's for what overwrites it."},
    {"SMFMAC reads its index", "",
     "The manual's row names SrcC of SMFMAC, which is the index. LLVM applies the row to matrix C, that is "
     "D."},
    {"dot product writes", "",
     "The manual says any other opcode. LLVM does not look for dot products in front of matrix "
     "instructions."},
    {"", "",
     "Rows of Table 11 that LLVM does not have, or not for this second instruction. It never sets vskip, and "
     "never reads VCCZ or "
     "EXECZ as data."},
};

std::string_view remark_on(const Cell& cell) {
  for (const Remark& remark : remarks)
    if (cell.first.starts_with(remark.first) && cell.second.find(remark.second) != std::string::npos)
      return remark.text;
  return "";
}

/// "2, 4 and 8 passes" of the cells that share everything but the number of passes.
struct Group {
  std::string first, second;
  std::vector<const Cell*> cells;
};

std::vector<Group> groups_of(const std::vector<Cell>& cells) {
  std::vector<Group> groups;
  for (const Cell& cell : cells) {
    auto found = std::ranges::find_if(
        groups, [&](const Group& g) { return g.first == cell.first && g.second == cell.second; });
    if (found == groups.end()) found = groups.insert(groups.end(), Group{cell.first, cell.second, {}});
    found->cells.push_back(&cell);
  }
  for (Group& group : groups) std::ranges::stable_sort(group.cells, {}, &Cell::passes);
  return groups;
}

/// One entry of a table: both numbers, or the one that both have.
std::string entry(const Cell& cell) {
  std::string both = fmt::format("{} / {}", isa_text(cell), compiler_text(cell));
  switch (cell.verdict) {
  case Verdict::equal: return cell.needed == 0 && !cell.isa ? "0" : compiler_text(cell);
  case Verdict::stricter:
  case Verdict::refused: return both;
  case Verdict::looser: return "**" + both + "**";
  }
  return both;
}

std::string entries(const Group& group, int passes) {
  std::vector<std::string> words;
  for (const Cell* cell : group.cells)
    if (cell->passes == passes) words.push_back(entry(*cell));
  return fmt::format("{}", fmt::join(words, "; "));
}

/// Tables of a target's matrix cells: one for each thing that the first instruction does.
std::string matrix_tables(const Table& table) {
  std::string text, first;
  std::vector<Group> groups = groups_of(table.matrix);
  std::vector<std::string> order;
  for (const Group& group : groups)
    if (std::ranges::find(order, group.first) == order.end()) order.push_back(group.first);
  for (const std::string& what : order) {
    std::vector<int> columns;
    for (const Group& group : groups)
      if (group.first == what)
        for (const Cell* cell : group.cells)
          if (std::ranges::find(columns, cell->passes) == columns.end()) columns.push_back(cell->passes);
    std::ranges::sort(columns);
    text += fmt::format("\n### {}\n\n| then |", what);
    for (const int passes : columns)
      text += passes == 0 ? " wait states |" : fmt::format(" {} passes |", passes);
    text += "\n|---|";
    for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
    text += "\n";
    for (const Group& group : groups) {
      if (group.first != what) continue;
      text += fmt::format("| {} |", group.second);
      for (const int passes : columns) text += fmt::format(" {} |", entries(group, passes));
      text += "\n";
    }
  }
  return text;
}

std::string software_table(const Table& table) {
  std::string text =
      "\n### Other instructions\n\n| first | then | asked of | wait states |\n|---|---|---|---|\n";
  for (const Cell& cell : table.software)
    text += fmt::format("| {} | {} | {}; {} | {} |\n", cell.first, cell.second,
                        fmt::join(cell.instructions, ", "), fmt::join(cell.consumers, ", "), entry(cell));
  return text;
}

/// The looser cells of a target, those with the same remark together.
std::string looser_list(const Table& table) {
  std::vector<Cell> looser;
  for (const Cell* cell : all_cells(table))
    if (cell->verdict == Verdict::looser) looser.push_back(*cell);
  std::string text = fmt::format("\n## Looser than the manual on {}\n", name(table.target));
  std::vector<std::string_view> order;
  for (const Cell& cell : looser)
    if (std::ranges::find(order, remark_on(cell)) == order.end()) order.push_back(remark_on(cell));
  for (const std::string_view remark : order) {
    text += fmt::format("\n{}\n\n| first | then | ISA / compiler |\n|---|---|---|\n", remark);
    for (const Group& group : groups_of(looser)) {
      if (remark_on(*group.cells.front()) != remark) continue;
      std::vector<std::string> numbers;
      for (const Cell* cell : group.cells)
        numbers.push_back(fmt::format("{} / {}{}", isa_text(*cell), compiler_text(*cell),
                                      cell->passes > 0 ? fmt::format(" ({} passes)", cell->passes) : ""));
      text += fmt::format("| {} | {} | {} |\n", group.first, group.second, fmt::join(numbers, ", "));
    }
  }
  return text;
}

/// The pairs that llc takes no MIR of, each question with what it says.
std::string refused_list(const Table& table) {
  if (table.count(Verdict::refused) == 0) return "";
  std::string text = fmt::format(
      "\n## Refused on {}\n\nllc takes no MIR with these pairs: there is no number of this compiler.\n\n"
      "| pair | instructions | llc |\n|---|---|---|\n",
      name(table.target));
  for (const Cell* cell : all_cells(table))
    if (cell->verdict == Verdict::refused)
      text += fmt::format("| {} | {}; {} | `{}` |\n", question(*cell), fmt::join(cell->instructions, ", "),
                          fmt::join(cell->consumers, ", "), cell->refused);
  return text;
}

std::string as_markdown(const std::vector<Table>& tables, const std::string& llvm) {
  std::string text = fmt::format(page_head, llvm, mir::widest_spacing);
  text += "| target | pairs | cells | equal | stricter | looser |\n|---|---|---|---|---|---|\n";
  for (const Table& table : tables)
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name(table.target), table.probes(),
                        all_cells(table).size(), table.count(Verdict::equal), table.count(Verdict::stricter),
                        table.count(Verdict::looser));
  text += R"(
Two more differences have no cell, because they are about ways through the code and not about pairs; `suites/mfma_hazards` tests them: a
taken S_CBRANCH with an S_BRANCH behind it counts as two wait states though one is executed, and of two ways from one block to
another only the one that the search takes first counts. A third is about operands with registers of two producers: only the nearer
producer counts. Inline assembly is opaque: nothing in it is a producer, a consumer or a wait state.

Left out: )";
  std::vector<std::string> left_out;
  for (const auto& [id, reason] : mir::software_rows_left_out())
    left_out.push_back(fmt::format("`{}` ({})", id, reason));
  text += fmt::format("{}.\n", fmt::join(left_out, ", "));
  for (const Table& table : tables) text += refused_list(table);
  for (const Table& table : tables) text += looser_list(table);
  for (const Table& table : tables)
    text += fmt::format("\n## {}\n", name(table.target)) + matrix_tables(table) + software_table(table);
  return text;
}

nlohmann::ordered_json as_json(const Cell& cell, bool matrix) {
  nlohmann::ordered_json json{{"kind", matrix ? "matrix" : "software"},
                              {"first", cell.first},
                              {"passes", cell.passes},
                              {"second", cell.second}};
  json["isa"] = cell.isa ? nlohmann::ordered_json(*cell.isa) : nlohmann::ordered_json(nullptr);
  json["isa_row"] = cell.isa_row;
  const bool refused = cell.verdict == Verdict::refused;
  json["needed"] = refused ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(cell.needed);
  json["given"] = refused ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(cell.given);
  json["missed_at"] = cell.missed_at;
  if (refused) json["refused"] = cell.refused;
  json["verdict"] = mir::name(cell.verdict);
  json["pairs"] = cell.probes;
  json["instructions"] = cell.instructions;
  json["consumers"] = cell.consumers;
  if (cell.verdict == Verdict::looser) json["remark"] = remark_on(cell);
  return json;
}

/// `passes` 0: they do not matter. `needed`: added to two adjacent instructions. `given`: the fewest wait
/// states left at any spacing, which the verdict is about. Both null where llc refused, with its words in
/// `refused`.
std::string as_json(const std::vector<Table>& tables, const std::string& llvm) {
  nlohmann::ordered_json json{{"schema", 1}, {"llvm", llvm}, {"widest_spacing", mir::widest_spacing}};
  for (const Table& table : tables) {
    nlohmann::ordered_json& target = json["targets"][std::string(name(table.target))];
    for (const Verdict verdict : verdicts)
      target["counts"][std::string(mir::name(verdict))] = table.count(verdict);
    target["cells"] = nlohmann::ordered_json::array();
    for (const Cell& cell : table.matrix) target["cells"].push_back(as_json(cell, true));
    for (const Cell& cell : table.software) target["cells"].push_back(as_json(cell, false));
  }
  return json.dump() + "\n";
}

/// Says on standard error which table is not whole, because llc refused pairs; whether there is any.
bool told_of_refusals(const std::vector<Table>& tables, const std::string& llvm) {
  bool any = false;
  for (const Table& table : tables)
    if (const std::size_t refused = table.count(Verdict::refused); refused > 0) {
      fmt::print(stderr, "cdna-cts hazards: {}: LLVM {} refused {} of {} cells; the others were measured\n",
                 name(table.target), llvm, refused, all_cells(table).size());
      any = true;
    }
  return any;
}

Exit run_hazards(const Options& options) {
  const std::string format = page_format("hazards", options.format, options.check);
  const std::vector<Target> targets = chosen_targets("hazards", options.target);
  const std::string llvm = mir::compiler_version();
  std::vector<Table> tables;
  for (const Target target : targets) tables.push_back(mir::measure(target));
  const std::string text = format == "text" ? as_text(tables)
                           : format == "md" ? as_markdown(tables, llvm)
                                            : as_json(tables, llvm);
  if (!options.check.empty())
    return compare_page(text, options.check, fmt::format("LLVM {}'s", llvm), "hazards");
  print_or_write(text, options.output);
  return told_of_refusals(tables, llvm) ? Exit::found : Exit::fine;
}

void add_hazards(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "hazards", "Wait states that the compiler's hazard pass wants, beside those of the ISA manuals");
  command->add_option("--target", options->target, "gfx942 or gfx950 [both]");
  command->add_option("--format", options->format, "text, md or json")->capture_default_str();
  command->add_option("--output", options->output, "File to write instead of standard output");
  command->add_option("--check", options->check, "Compare with this file; exit status 1 when it differs");
  command->callback([options, &status] { status = static_cast<int>(run_hazards(*options)); });
}

const Command registration{"hazards", add_hazards};

} // namespace
} // namespace cts::cli
