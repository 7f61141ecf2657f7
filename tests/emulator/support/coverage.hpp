// Which instructions the tests of one binary run, and whether they compare what comes out with an expectation
// of their own. When the whole binary has run, that must be what manifests/instruction_tests/ says.
#pragma once

#include "runners/emulator/instruction_list.hpp"

#include <string_view>

namespace cts::emulator::testing {

/// How a test looked at an instruction.
enum class Tested {
  executed, ///< it ran, and there is nothing to compare: s_sleep, cache maintenance
  checked,  ///< its results were compared with an independent expectation
};

/// Notes that a test looked at `mnemonic` (with or without encoding suffix) on `target`.
void note_instruction(Target target, std::string_view mnemonic, Tested how = Tested::checked);

/// Makes this binary answer for the instructions that `belongs` picks from both targets' lists: when all its
/// tests have run, one that the emulator supports and no test looked at is a failure, and so is a difference
/// from manifests/instruction_tests/<part>.txt, which is written anew when
/// CDNA_CTS_WRITE_INSTRUCTION_TESTS=1. Prints "<part>_instructions_checked=N of M". Returns true.
bool answer_for(const char* part, bool (*belongs)(const ListedInstruction&));

} // namespace cts::emulator::testing
