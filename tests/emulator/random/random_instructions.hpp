// Random encodings of every instruction of a target.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace cts::emulator::testing {

using Random = std::mt19937_64;

/// A number in [0, limit), limit at least 1. Not std::uniform_int_distribution, whose results differ between
/// libraries.
inline std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

/// At least `count` instructions of `target`, every mnemonic that its disassembler knows among them where
/// `count` is large enough: opcodes as they come, operands and modifiers random, all of them accepted by the
/// disassembler in one run of it for a few thousand. Each has the pc at which the disassembler read it.
/// Throws Error when the tool fails.
std::vector<codeobject::Instruction> random_instructions(Target target, std::size_t count, Random& random);

} // namespace cts::emulator::testing
