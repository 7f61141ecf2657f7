// What the documents' cycle counts make of an instruction: operations, rates, and how long VALU instructions
// can run beside it. Arithmetic, no measurement.
#pragma once

#include "reference/instructions.hpp"

namespace cts::throughput {

/// Matrix cores of a compute unit, one a SIMD. [CDNA 3 white paper, "CDNA 3 compute units"; CDNA 4 likewise]
inline constexpr int matrix_cores_of_cu = 4;

/// Multiplications and additions of one instruction; of a sparse one those of the dense product, as the
/// documents count.
constexpr double operations(const reference::Instruction& i) { return 2.0 * i.m * i.n * i.k * i.blocks; }

/// Operations of one matrix core in one cycle.
inline double operations_per_cycle(const reference::Instruction& i, Target target) {
  return operations(i) / reference::cycles(i, target);
}

/// Operations of a device in one second.
inline double peak(const reference::Instruction& i, Target target, double cus, double clock_hz) {
  return operations_per_cycle(i, target) * matrix_cores_of_cu * cus * clock_hz;
}

/// Cycles in which the SIMD can issue VALU instructions while the matrix core works: all but the 4 (SMFMAC:
/// 8) in which operands are read; none beside F32 and F64. [AMD matrix instruction calculator, "VALU
/// co-execution cycles possible"]
inline int valu_cycles(const reference::Instruction& i, Target target) {
  if (i.unit != reference::Unit::xdl) return 0;
  return reference::cycles(i, target) - (i.kind == reference::Kind::sparse ? 8 : 4);
}

} // namespace cts::throughput
