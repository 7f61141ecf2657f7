// The disassembler's listing of a code object, and the instructions in it.
#pragma once

#include "runners/codeobject/code_object.hpp"

namespace cts::codeobject {

/// What `llvm-objdump -d` prints for `elf`, whose hash is `sha256`: from the cache, or by running the tool
/// and caching its text. A cache that cannot be read or written costs time, never an error. Throws Error when
/// the tool fails or takes longer than a minute.
std::string disassemble(std::span<const std::byte> elf, const std::string& sha256, std::string_view where,
                        const Tools& tools);

/// The instructions of `listing` by pc, without the padding between functions:
/// - everything inside a function symbol with a size is kept;
/// - what no sized function covers is cut at function symbols and kernel entries, and of each piece the
/// trailing padding
///   (s_nop 0 and zero words) is dropped, as is the leading padding of a piece that no symbol begins.
/// Every encoding is compared with the bytes of `object`'s segments, so that a listing of another file is
/// noticed. Throws Error.
std::vector<Instruction> read_instructions(std::string_view listing, const CodeObject& object,
                                           std::string_view where);

} // namespace cts::codeobject
