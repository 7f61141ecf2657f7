// Writes a parsed instruction back and compares it with what the disassembler printed: whatever the parser
// lost, mistook or put in the wrong place shows up as a difference.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace cts::codeobject {

/// The ways in which the disassembler may print an operand of this value.
std::vector<std::string> spellings(const Operand& operand);
std::vector<std::string> spellings(const Modifier& modifier);

/// Empty when the parts of `i`, written one after another, give its text; else where they differ.
std::string round_trip_difference(const Instruction& i);

/// One line that shows every field of every operand and modifier, for comparing with what a test expects.
std::string describe(const Instruction& i);

} // namespace cts::codeobject
