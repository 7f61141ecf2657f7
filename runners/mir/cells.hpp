// The table of wait states, cell by cell: the ISA's number, this compiler's, and which is larger.
#pragma once

#include "runners/mir/probes.hpp"

#include <span>
#include <string_view>

namespace cts::mir {

/// How the compiler's number stands to the ISA's; `refused`: it has none. No row in the manual counts as 0.
enum class Verdict { equal, stricter, looser, refused };
std::string_view name(Verdict verdict);

/// Probes that ask the same and were answered the same.
struct Cell {
  std::string first = {};
  int passes = 0; ///< 0 where they do not matter
  std::string second = {};
  std::optional<int> isa = {};
  std::string isa_row = {};
  int needed = 0; ///< what the pass wants of two adjacent instructions
  int given = 0;  ///< the fewest wait states that it leaves, whatever the spacing: never above needed
  std::vector<int> missed_at = {};  ///< spacings at which it leaves fewer than needed
  Verdict verdict = Verdict::equal; ///< of given
  std::string refused = {};         ///< why llc takes none of these pairs; then it gave no number
  std::vector<std::string> instructions = {}, consumers = {}; ///< mnemonics, each once
  std::size_t probes = 0;
  std::size_t first_probe = 0; ///< number of the first of them
  int least_at = 0;            ///< a spacing at which `given` is what it leaves
};

/// All cells of a target.
struct Table {
  Target target;
  std::vector<Cell> matrix, software;
  std::size_t count(Verdict verdict) const;
  std::size_t probes() const;
};

/// Groups `probes` by what they ask and what came out (`sweeps`, in the same order).
std::vector<Cell> cells_of(std::span<const Probe> probes, std::span<const Sweep> sweeps);

/// Measures the whole table: two runs of llc, more where it refuses a pair.
Table measure(Target target);

} // namespace cts::mir
