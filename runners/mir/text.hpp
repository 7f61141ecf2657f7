// Lines of LLVM's machine IR (MIR): registers, matrix instructions, and what separates two instructions.
#pragma once

#include "reference/instructions.hpp"
#include "reference/wait_states.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cts::mir {

using reference::Registers;

/// "$vgpr64_vgpr65" for VGPRs, "$agpr4" for AccVGPRs (which count from 256).
std::string name(const Registers& registers);

/// The same number of registers, `by` further on.
Registers moved(const Registers& registers, int by);

/// A matrix instruction and the registers of its operands. Of SMFMAC, `c` is not used: D is C.
struct Matrix {
  reference::Instruction instruction; ///< of an F8F6F4 instruction: with its formats chosen
  Registers d, a, b, c;
  int index = 0;       ///< VGPR of SMFMAC's index
  bool scaled = false; ///< F8F6F4 with scales in two VGPRs
  int scale_a = 0, scale_b = 0;
  bool mac = false; ///< the pseudo opcode that ties C to D, for which the two have to be the same registers
};

/// The instruction with all operands in VGPRs that no other operand of either place has: D from v64 and A, B,
/// C below and above for what comes first, D from v224 for what comes second.
Matrix as_first(const reference::Instruction& instruction);
Matrix as_second(const reference::Instruction& instruction);

/// D and C moved to the AccVGPRs of the same numbers.
Matrix with_accumulators(Matrix matrix);

/// LLVM's name of the opcode: "V_MFMA_F32_16X16X16F16_vgprcd_e64" with C and D in VGPRs,
/// "V_MFMA_F32_16X16X16F16_e64" with both in AccVGPRs.
std::string opcode(const Matrix& matrix);

/// The whole line.
std::string line(const Matrix& matrix);

/// Wait states that a line makes: n + 1 for S_NOP n, none for what is no instruction (KILL, IMPLICIT_DEF,
/// SCHED_BARRIER) and for inline assembly, else 1.
int wait_states(std::string_view line);

/// Sum over several lines.
int wait_states(const std::vector<std::string_view>& lines);

/// S_NOPs, as few as possible, that make `states` wait states.
std::vector<std::string> nops(int states);

} // namespace cts::mir
