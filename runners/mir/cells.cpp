#include "runners/mir/cells.hpp"

#include "common/error.hpp"

#include <algorithm>

namespace cts::mir {
namespace {

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

bool same(const Cell& one, const Cell& other) {
  return one.first == other.first && one.passes == other.passes && one.second == other.second &&
         one.isa == other.isa && one.needed == other.needed && one.given == other.given &&
         one.refused == other.refused;
}

void judge(Cell& cell, const Sweep& sweep) {
  cell.needed = sweep.needed();
  cell.given = sweep.least();
  cell.missed_at = sweep.missed();
  cell.least_at = sweep.least_at();
  const int isa = cell.isa.value_or(0);
  cell.verdict = cell.given < isa ? Verdict::looser : cell.given > isa ? Verdict::stricter : Verdict::equal;
}

} // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
  case Verdict::equal: return "equal";
  case Verdict::stricter: return "stricter";
  case Verdict::looser: return "looser";
  case Verdict::refused: return "refused";
  }
  throw Error("verdict {} is none of mir::Verdict", static_cast<int>(verdict));
}

std::size_t Table::count(Verdict verdict) const {
  const auto in = [&](const std::vector<Cell>& cells) {
    return static_cast<std::size_t>(std::ranges::count(cells, verdict, &Cell::verdict));
  };
  return in(matrix) + in(software);
}

std::size_t Table::probes() const {
  std::size_t sum = 0;
  for (const auto* cells : {&matrix, &software})
    for (const Cell& cell : *cells) sum += cell.probes;
  return sum;
}

std::vector<Cell> cells_of(std::span<const Probe> probes, std::span<const Sweep> sweeps) {
  if (probes.size() != sweeps.size())
    throw Error("{} probes and {} sweeps: expected as many", probes.size(), sweeps.size());
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const Probe& probe = probes[i];
    Cell cell{.first = probe.first,
              .passes = probe.passes,
              .second = probe.second,
              .isa = probe.isa,
              .isa_row = probe.isa_row,
              .refused = sweeps[i].refused,
              .first_probe = i};
    if (cell.refused.empty())
      judge(cell, sweeps[i]);
    else
      cell.verdict = Verdict::refused;
    auto found = std::ranges::find_if(cells, [&](const Cell& other) { return same(cell, other); });
    if (found == cells.end()) found = cells.insert(cells.end(), std::move(cell));
    add_once(found->instructions, probe.instruction);
    add_once(found->consumers, probe.consumer);
    ++found->probes;
  }
  return cells;
}

Table measure(Target target) {
  Table table{target, {}, {}};
  const auto cells = [&](const std::vector<Probe>& probes) {
    return cells_of(probes, sweep(target, pairs_of(probes)));
  };
  table.matrix = cells(matrix_probes(target, Which::every));
  table.software = cells(software_probes(target));
  return table;
}

} // namespace cts::mir
