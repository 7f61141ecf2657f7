// A one-kernel program around a matrix builtin, as text: what is asked of the compiler, without 68 files.
#pragma once

#include "reference/instructions.hpp"

#include <string>

namespace cts {

/// The C++ types of a builtin's A, B and C (and result), as common/hip/vectors.hip.hpp names them.
struct BuiltinTypes {
  std::string a, b, d;
};

/// Types that clang's builtin of `instruction` takes. F8F6F4 takes 8 dwords whatever the format.
BuiltinTypes types_of_builtin(const reference::Instruction& instruction);

/// A kernel `kernel` that calls the builtin once with these types and all immediates 0 (a sparse one
/// with an index from memory, a scaled one with scales from memory).
std::string builtin_source(const reference::Instruction& instruction, const BuiltinTypes& types,
                           const std::string& kernel = "product");
inline std::string builtin_source(const reference::Instruction& instruction) {
  return builtin_source(instruction, types_of_builtin(instruction));
}

} // namespace cts
