// What atomics do to a value, by the end of their names: the tests' own reading of the ISA's pseudocode.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cts::emulator::testing {

/// `after(memory, data, data2)`: memory's new value. What a comparison takes as comparand and as new value is
/// said by the instruction's family.
struct AtomicKind {
  std::string name; ///< "add", "umax_x2", "pk_add_f16": as FLAT, GLOBAL and BUFFER name it
  unsigned bytes;
  std::function<std::uint64_t(std::uint64_t memory, std::uint64_t data, std::uint64_t data2)> after;
  bool is_float = false;
};

/// Integer operations of 4 and 8 bytes. `comparand_second`: data2 is compared with (FLAT and SMEM), else
/// data (DS).
std::vector<AtomicKind> integer_atomics(bool comparand_second);

/// Float operations; `denormals`: kept as inputs and results.
std::vector<AtomicKind> float_atomics(bool denormals = true);

/// Values that tell float operations apart: zeros of both signs, denormals, infinities, NaNs, ties.
const std::vector<std::uint32_t>& float_values();
const std::vector<std::uint64_t>& double_values();
const std::vector<std::uint16_t>& half_values();
const std::vector<std::uint16_t>& bf16_values();

} // namespace cts::emulator::testing
