// The shortest way between two instructions, for a finding to show.
#pragma once

#include "runners/audit/flow.hpp"

#include <functional>

namespace cts::audit {

/// What an instruction in between makes of the way's length; nothing: the way ends there.
using Lengthen = std::function<std::optional<unsigned>(unsigned length, std::size_t place)>;

/// Pcs on the shortest way from `from` to `to`: both, and the first instruction of each block entered in
/// between. With `with_lanes` ways on which EXEC is 0 are left out, unless the shortest of the others is
/// longer than `longest`.
std::vector<std::uint64_t> shortest_path(const Function& f, std::size_t from, std::size_t to, bool with_lanes,
                                         const Lengthen& lengthen, unsigned longest = ~0u);

} // namespace cts::audit
