// A one-kernel program around a matrix builtin, as text: what is asked of the compiler, without 68 files.
#pragma once

#include "reference/instructions.hpp"

#include <string>
#include <vector>

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

/// The compiler's features of which the builtin asks for one; which one depends on the version. [clang,
/// BuiltinsAMDGPU.td]
std::vector<std::string> gates_of(const reference::Instruction& instruction);

/// An expression that a refusal for want of one of `features` matches.
std::string needs_one_of(const std::vector<std::string>& features);

/// A kernel that calls the transpose read `builtin` once, on LDS of `pointee` values, for `result` values.
/// The compiler takes them only together: `builtin` reads and returns one type.
std::string transpose_read_source(const std::string& builtin, const std::string& pointee,
                                  const std::string& result);

/// A kernel whose body is these lines of assembly. It is for the assembler's yes or no only: nobody has told
/// the compiler which registers they use.
std::string assembly_source(const std::vector<std::string>& lines);

} // namespace cts
