// Launches of a code object's kernels on a small device in this process.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <array>
#include <cstdint>

namespace cts::codeobject::fuzz {

/// What a launch asks for.
struct Shape {
  std::array<std::uint32_t, 3> blocks{1, 1, 1}, threads{1, 1, 1};
  std::uint32_t dynamic_lds = 0;
};

/// Instructions that end every kernel of `object` where it starts: stands in for the disassembler, whose
/// process would cost more than all the rest.
std::vector<Instruction> endings(const CodeObject& object, std::string_view where);

/// Loads `object` and launches each of its first kernels once, with zeros as arguments. Throws Error.
void launch_kernels(CodeObject object, const Shape& shape);

} // namespace cts::codeobject::fuzz
