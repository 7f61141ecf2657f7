// Planted faults: named wrong behaviours, so that every test can be seen to fail. `manifests/faults.yaml`
// describes each.
#pragma once

#include <string_view>

namespace cts::emulator {

enum class Fault {
  none,
  mfma_d_transposed,
  mfma_input_halves_swapped,
  mfma_lane_groups_mispaired,
  mfma_lane_dropped,
  mfma_a_transposed,
  mfma_four_blocks,
  mfma_result_early,
  mfma_broadcast_ignored,
  wave_half_active,
  memory_wait_ignored,
};

/// The fault that $CDNA_CTS_FAULT names; none when it is unset or empty. Throws Error for a name that is none
/// of ours.
Fault active_fault();

/// True when `fault` is planted in this process.
inline bool planted(Fault fault) {
  static const Fault active = active_fault();
  return active == fault;
}

} // namespace cts::emulator
