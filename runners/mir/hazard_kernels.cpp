#include "runners/mir/hazard_kernels.hpp"

#include "common/error.hpp"
#include "common/file.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

namespace cts::mir {
namespace {

std::string word_of(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0)
      word += static_cast<char>(std::tolower(u));
    else if (!word.empty() && word.back() != '_')
      word += '_';
  }
  while (word.ends_with('_')) word.pop_back();
  return word;
}

/// A kernel's name by what its probe asks.
std::string kernel_name(const Probe& probe) {
  return fmt::format("{}{}__{}{}", word_of(probe.first),
                     probe.passes > 0 ? fmt::format("_{}_passes", probe.passes) : "", word_of(probe.second),
                     probe.accumulators ? "_acc" : "");
}

std::filesystem::path list_file(Target target, const std::filesystem::path& folder) {
  return folder / fmt::format("{}.{}.json", looser_stem, name(target));
}

std::vector<Probe> probes_of(Target target, bool matrix) {
  return matrix ? matrix_probes(target, Which::every) : software_probes(target);
}

/// A looser cell and the number of its probe, as the list has it.
struct Listed {
  LooserCell cell;
  bool matrix = true;
  std::size_t probe = 0;
};

std::vector<Listed> measured(Target target) {
  std::vector<Listed> all;
  std::set<std::string> names;
  for (const bool matrix : {true, false}) {
    const auto probes = probes_of(target, matrix);
    for (const Cell& cell : cells_of(probes, sweep(target, pairs_of(probes)))) {
      if (cell.verdict != Verdict::looser) continue;
      const Probe& probe = probes[cell.first_probe];
      std::string kernel = kernel_name(probe);
      if (!names.insert(kernel).second) kernel += fmt::format("_kept_{}", cell.given);
      if (!names.insert(kernel).second && kernel != kernel_name(probe))
        throw Error("two looser cells would be kernel {}", kernel);
      all.push_back({{kernel, probe, *cell.isa, cell.given, cell.least_at}, matrix, cell.first_probe});
    }
  }
  return all;
}

} // namespace

std::vector<SweptCell> swept_cells(Target target) {
  std::vector<SweptCell> cells;
  std::set<std::string> names;
  for (Probe& probe : matrix_probes(target, Which::representatives)) {
    if (probe.result_is_address) continue;
    std::string kernel = kernel_name(probe);
    if (names.insert(kernel).second) cells.push_back({std::move(probe), std::move(kernel)});
  }
  return cells;
}

std::vector<Variant> swept_variants() {
  std::vector<Variant> variants;
  for (int spacing = 0; spacing <= widest_spacing; ++spacing) variants.push_back({spacing});
  variants.push_back({padded_spacing});
  variants.push_back({.spacing = 0, .swapped = true});
  return variants;
}

std::vector<LooserCell> looser_cells(Target target) {
  std::vector<LooserCell> cells;
  for (Listed& listed : measured(target)) cells.push_back(std::move(listed.cell));
  return cells;
}

std::filesystem::path kernels_file(std::string_view stem, Target target,
                                   const std::filesystem::path& folder) {
  return folder / fmt::format("{}.{}.co", stem, name(target));
}

std::string why_no_kernels(Target target, const std::filesystem::path& folder) {
  const auto file = kernels_file(sweep_stem, target, folder);
  if (std::filesystem::exists(file)) return "";
  return fmt::format("{} was not built: that takes llc beside llvm-objdump", file.filename().string());
}

void write_hazard_kernels(Target target, const std::filesystem::path& folder) {
  const auto write = [&](std::string_view stem, const std::vector<Function>& kernels, bool with_hazard_pass) {
    write_file(kernels_file(stem, target, folder), code_object(target, kernels, with_hazard_pass));
  };
  std::vector<Function> swept;
  for (const SweptCell& cell : swept_cells(target))
    swept.push_back(kernel_of(pair_kernel(cell.kernel, cell.probe), swept_variants()));
  write(sweep_stem, swept, false);

  std::vector<Function> looser;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [cell, matrix, probe] : measured(target)) {
    PairKernel kernel = pair_kernel(cell.kernel, cell.probe);
    looser.push_back(kernel_of(kernel, {{cell.spacing}}));
    kernel.name += padded_twin;
    looser.push_back(kernel_of(kernel, {{padded_spacing}}));
    list.push_back({{"kernel", cell.kernel},
                    {"table", matrix ? "matrix" : "software"},
                    {"probe", probe},
                    {"question", describe(cell.probe)},
                    {"needed", cell.needed},
                    {"kept", cell.kept},
                    {"spacing", cell.spacing}});
  }
  write(looser_stem, looser, true);
  write_file(list_file(target, folder), list.dump(1) + "\n");
}

std::vector<LooserCell> read_looser_cells(Target target, const std::filesystem::path& folder) {
  const auto file = list_file(target, folder);
  if (!std::filesystem::exists(file))
    throw Error("{}: no such list in {}; build the target mfma_hazards_kernels", file.filename().string(),
                folder.string());
  const auto list = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!list.is_array()) throw Error("{}: expected a list of cells; build it again", file.string());
  std::vector<LooserCell> cells;
  const auto matrix = probes_of(target, true), software = probes_of(target, false);
  for (const auto& entry : list) {
    const auto& probes = entry.value("table", "") == "matrix" ? matrix : software;
    const auto number = entry.value("probe", probes.size());
    if (number >= probes.size() || describe(probes[number]) != entry.value("question", ""))
      throw Error("{}: cell {} is of another version of the tables; build it again", file.string(),
                  entry.dump());
    cells.push_back({entry.value("kernel", ""), probes[number], entry.value("needed", 0),
                     entry.value("kept", 0), entry.value("spacing", 0)});
  }
  return cells;
}

} // namespace cts::mir
