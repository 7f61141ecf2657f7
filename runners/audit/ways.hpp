// The ways on which a memory operation stays outstanding, without those whose branches contradict each other.
#pragma once

#include "runners/audit/facts.hpp"
#include "runners/audit/outstanding.hpp"

#include <functional>
#include <map>

namespace cts::audit {

/// A way from an operation to an instruction.
struct Way {
  std::vector<std::uint64_t> pcs; ///< both ends, and the first instruction of each block entered in between
  Pending pending;                ///< the operation, when the instruction is reached
};

/// The way to each of `places` (sorted) on which the operation at `producer` has the fewest younger ones;
/// none for those that it is complete before on every way that can be taken. Ways with EXEC = 0 are shown
/// only where there are no others.
///
/// Every way from the producer is followed with the facts that hold there. A way is left where a branch
/// contradicts them, where the operation completes or is issued again, and where an earlier way came with no
/// more facts and no more waits. From the 17th on, a way into a block keeps those facts only that it has in
/// common with the one before, so there is an end to it, and no way that can be taken is lost.
std::map<std::size_t, Way> ways_to(const Function& f, const BranchFacts& branches, std::size_t producer,
                                   const std::vector<std::size_t>& places,
                                   const std::function<bool(const Pending&, std::size_t)>& breaks);

} // namespace cts::audit
