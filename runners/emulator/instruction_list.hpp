// Every instruction that a target's assembler knows, and what the emulator does with it.
#pragma once

#include "runners/emulator/op.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cts::emulator {

/// One mnemonic, without its encoding suffix, on one target.
struct ListedInstruction {
  std::string mnemonic;
  std::vector<std::string_view> encodings; ///< that it has there: "VOP2", "VOP3", "VOP2 SDWA", ...
  Unit unit = Unit::other;                 ///< meaningful where some encoding is supported
  /// Encodings that the emulator refuses, each with the reason that the stop would give.
  std::vector<std::pair<std::string_view, std::string>> refused;

  bool supported() const { return refused.empty(); }
};

/// The instructions of `target` by mnemonic: every opcode of every encoding is given to the disassembler, and
/// what it reads is bound as a program's instructions are. Throws Error when the tool fails.
std::vector<ListedInstruction> list_instructions(Target target, const codeobject::Tools& tools);

/// "salu", "valu", ...
std::string_view name(Unit unit);

} // namespace cts::emulator
