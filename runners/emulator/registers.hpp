// The registers of a wave64, by number.
#pragma once

#include <bit>
#include <cstdint>

namespace cts::emulator {

inline constexpr unsigned lanes = 64;
using LaneMask = std::uint64_t; ///< bit L is lane L

/// Vector registers in one index space: 0..255 are v0..v255, 256..511 are a0..a255.
inline constexpr unsigned vector_registers = 512;
inline constexpr unsigned first_agpr = 256;

/// Scalar registers by the ISA's encoding. [CDNA3 ISA, scalar source encodings]
namespace sreg {
inline constexpr unsigned flat_scratch = 102, xnack_mask = 104, vcc = 106, ttmp0 = 108, m0 = 124, exec = 126,
                          count = 128;
}

/// Calls `f(lane)` for each lane of `mask`, lowest first.
template <class F> void each_lane(LaneMask mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

} // namespace cts::emulator
