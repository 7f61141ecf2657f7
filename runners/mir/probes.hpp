// Every pair of instructions that the tables of wait states are about, as MIR, with the numbers of the ISA
// manual and of LLVM's rule.
#pragma once

#include "reference/wait_states.hpp"
#include "runners/mir/sweep.hpp"
#include "runners/mir/text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cts::mir {

/// The memory that the second instruction of a pair accesses, and where its address is.
enum class Memory {
  none,
  global, ///< a pointer in v200 and v201
  buffer, ///< a descriptor in s0 to s3
  lds,    ///< an LDS address in v200
};

/// A pair and what is to be expected of it.
struct Probe {
  std::string first = {};       ///< what the first instruction does: "XDL writes D"
  int passes = 0;               ///< of the first, 0 where its number of passes does not matter
  std::string second = {};      ///< what the second one does: "C, same opcode, same registers"
  std::string instruction = {}; ///< mnemonic of the first (or of both)
  std::string consumer = {};    ///< mnemonic of the second
  bool accumulators = false;    ///< the registers in question are AccVGPRs
  std::optional<int> isa = {};  ///< wait states by the manual; nothing: it has no row for the pair
  std::string isa_row = {};     ///< the row, in short
  std::optional<int> llvm = {}; ///< by reference::llvm_wait() or the table's column; nothing: no expectation
  Pair pair = {};
  std::optional<Matrix> first_matrix = {}, second_matrix = {}; ///< of those that are matrix instructions
  Memory memory = Memory::none;
  bool sets_vskip = false;        ///< what follows has to clear MODE.VSKIP
  bool result_is_address = false; ///< the registers in question are the address, in place of v200
};

/// Which matrix instructions come first.
enum class Which {
  representatives, ///< one of each unit and number of passes, in VGPRs and AccVGPRs, before all of each other
  every,           ///< besides, every instruction in VGPRs, before one of each unit
};

/// What the tables of ISA3 7.5 and ISA4 7.6 are about: producers are matrix, VALU and dot instructions and
/// V_CMPX; consumers read as A, B, C, index or scale, in VALU or memory instructions, or overwrite.
std::vector<Probe> matrix_probes(Target target, Which which);

/// What Table 11 of section 4.5 is about. Rows that MIR cannot tell from others are in
/// software_rows_left_out().
std::vector<Probe> software_probes(Target target);

/// Rows of reference::software_waits() without a probe, each with its reason.
struct LeftOut {
  std::string_view id, reason;
};
std::vector<LeftOut> software_rows_left_out();

/// Their pairs, for sweep().
std::vector<Pair> pairs_of(const std::vector<Probe>& probes);

/// "v_mfma_f32_16x16x16_f16 and v_mov_b32, XDL writes D, VALU reads": which probe it is, for messages.
std::string describe(const Probe& probe);

} // namespace cts::mir
