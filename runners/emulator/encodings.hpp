// Machine words for every opcode of every encoding: what a disassembler is asked to find out which
// instructions a target has.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cts::emulator {

/// One encoding of an opcode, with operand fields that name registers of every alignment.
struct Candidate {
  std::string_view encoding; ///< "SOP2", "VOP1 SDWA", "GLOBAL", ... as the ISA names it
  std::vector<std::uint32_t> words;
};

/// All opcodes of all encodings, each with the few operand fields that suit one instruction or another: a
/// disassembler accepts some of them, and none where the opcode is free. [CDNA3 ISA 13, CDNA4 ISA 13]
std::vector<Candidate> encoding_candidates();

} // namespace cts::emulator
