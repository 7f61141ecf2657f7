// How many wait states the hazard pass wants between two instructions: found by giving it the two at every
// spacing.
#pragma once

#include "common/target.hpp"
#include "runners/mir/passes.hpp"

#include <span>
#include <string>
#include <vector>

namespace cts::mir {

/// Two instructions, one line of MIR each.
struct Pair {
  std::string first, second;
};

/// What makes the spacing that is already there.
enum class Filler {
  nops,        ///< as few S_NOPs as possible
  independent, ///< S_MOV_B32 to a register that nothing else names
};

/// Spacings from 0 to this one are asked: more than any rule wants.
inline constexpr int widest_spacing = 22;

/// What the pass did with one pair.
struct Sweep {
  std::vector<int> added; ///< wait states that it added, by the spacing that was there
  std::string refused =
      {}; ///< why llc takes no MIR with this pair; then nothing was added, and all else throws Error

  /// What it adds to two adjacent instructions: the number that it holds to be needed.
  int needed() const;
  /// The fewest wait states between the two that it leaves, over all spacings that are short of needed().
  int least() const;
  /// The first spacing at which it leaves least().
  int least_at() const;
  /// The spacings that it leaves short of needed(); none in a pass that subtracts what is there.
  std::vector<int> missed() const;
};

/// Every pair at every spacing, in one run of the hazard pass, which is given `options` too. Where llc
/// refuses a pair, the others are asked without it, in some runs more. Throws Error when llc refuses
/// everything.
std::vector<Sweep> sweep(Target target, std::span<const Pair> pairs, Filler filler = Filler::nops,
                         const std::vector<std::string>& options = {}, std::string_view passes = hazard_pass);

/// Empty when the pass wants exactly `expected` wait states and adds what is missing of them at every
/// spacing; else one line: "needs 7, gave 6 at spacing 0", "refused: ...".
std::string why_not(const Sweep& sweep, int expected);

} // namespace cts::mir
