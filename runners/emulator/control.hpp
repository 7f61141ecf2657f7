// Program flow: where a device address leads.
#pragma once

#include "runners/emulator/exec.hpp"

namespace cts::emulator {

/// Index of the op at `device_address` (what s_getpc and s_swappc deal in). Stops the launch when none starts
/// there.
std::uint32_t op_index(const Exec& x, const Op& op, std::uint64_t device_address);

/// Device address of the instruction that follows `op`.
std::uint64_t next_address(const Exec& x, const Op& op);

} // namespace cts::emulator
