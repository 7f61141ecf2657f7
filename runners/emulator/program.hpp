// A code object's instructions, bound to handlers: done once per module, shared by all its launches.
#pragma once

#include "common/target.hpp"
#include "runners/emulator/op.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cts::emulator {

class Program {
public:
  /// Binds every instruction of `code`, which must outlive the program. An instruction without a handler, or
  /// with a modifier that its handler does not know, becomes an op that stops the launch when it is executed.
  Program(const codeobject::CodeObject& code, Target target);

  const Op& operator[](std::uint32_t index) const { return ops_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ops_.size()); }

  /// The op at `pc` (a code object address), or nothing when no instruction starts there.
  std::optional<std::uint32_t> find(std::uint64_t pc) const;

private:
  std::vector<Op> ops_; // ends with one op that stops: running past the last instruction lands there
};

/// Binds one instruction; `next` and `target` are left to Program.
Op bind_op(const codeobject::Instruction& instruction, Target target);

/// A mnemonic without its encoding suffix: v_add_f32_e64_dpp is v_add_f32.
std::string_view base_mnemonic(std::string_view mnemonic);

} // namespace cts::emulator
