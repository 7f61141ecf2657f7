// A memory operation that may be outstanding, and what instructions make of it. [ISA 4.4] VM_CNT counts
// memory, LGKM_CNT LDS and scalar memory. A wait for n of a counter that returns in order completes what has
// n younger ones.
#pragma once

#include "runners/audit/flow.hpp"

namespace cts::audit {

inline constexpr unsigned most_vm = 63, most_lgkm = 15; ///< values of the counters; as a wait, "do not wait"

struct Pending {
  std::uint32_t place = 0;
  std::uint8_t younger = 0;      ///< operations of its kind issued since, at least
  bool vm = false, lgkm = false; ///< what it may still hold of each counter
  std::uint8_t waited = most_vm; ///< the smallest value that its counter was waited for since, at most
  std::uint32_t rewritten = 0;   ///< of the registers that it brings, a bit each: written again since
  bool operator==(const Pending&) const = default;

  void merge(const Pending& other);
  /// Whether all that `other` would break, this breaks too.
  bool covers(const Pending& other) const;
};

/// Operations that a counter counts in order: global memory without FLAT, and LDS.
bool counts_vm(const Effects& e);
bool counts_lds(const Effects& e);
bool in_order(const Effects& a, const Effects& b);

/// The registers that `operation` brings, a bit each, that are among those. No operation brings vectors and
/// scalars, and none more than 16.
std::uint32_t common_registers(const Effects& operation, const std::vector<VectorAccess>& vectors,
                               const std::vector<ScalarAccess>& scalars);

/// The operation at `place`, just issued.
Pending issued(const Function& f, std::size_t place);

/// What the instruction at `place` makes of `p`, a wait, one more operation or another write of its
/// registers; false when nothing of `p` is outstanding any more.
bool outlasts(const Function& f, Pending& p, std::size_t place);

} // namespace cts::audit
