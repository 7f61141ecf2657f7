// Bare machine words, read by the disassembler as if they were code.
#pragma once

#include "runners/codeobject/code_object.hpp"

namespace cts::codeobject {

/// What the disassembler of `target` reads at the first word of each of `pieces` (1 to 4 words each). A piece
/// that is no instruction gives one with mnemonic ".long". Throws Error when the tool fails or takes longer
/// than a minute.
std::vector<Instruction> disassemble_words(std::span<const std::vector<std::uint32_t>> pieces, Target target,
                                           const Tools& tools);

/// Version of the LLVM that `tools` belong to, as llvm-objdump prints it ("22.1.8"). Throws Error.
std::string llvm_version(const Tools& tools);

} // namespace cts::codeobject
