// The disassembler's listing of a code object, and the instructions in it.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <functional>

namespace cts::codeobject {

/// What `llvm-objdump -d` prints for `elf`, whose hash is `sha256`: from the cache, or by running the tool
/// and caching its text. A cache that cannot be read or written costs time, never an error. Throws Error when
/// the tool fails or takes longer than a minute.
std::string disassemble(std::span<const std::byte> elf, const std::string& sha256, std::string_view where,
                        const Tools& tools);

/// The same, handed to `take` piece by piece while the tool runs. What `take` throws ends the tool and is
/// passed on; nothing is cached then.
void disassemble(std::span<const std::byte> elf, const std::string& sha256, std::string_view where,
                 const Tools& tools, const std::function<void(std::string_view)>& take);

/// The instructions of a listing by pc, without the padding between functions:
/// - everything inside a function symbol with a size is kept;
/// - what no sized function covers is cut at function symbols and kernel entries, and of each piece the
/// trailing padding
///   (s_nop 0 and zero words) is dropped, as is the leading padding of a piece that no symbol begins.
/// Every encoding is compared with the bytes of `object`'s segments, so that a listing of another file is
/// noticed. Throws Error.
class InstructionReader {
public:
  /// `object` and `where`, the name of the input, must outlive it.
  InstructionReader(const CodeObject& object, std::string_view where);
  /// The next piece of the listing, cut anywhere.
  void take(std::string_view piece);
  /// All instructions, once the listing has ended.
  std::vector<Instruction> finish();

private:
  const CodeObject& object_;
  std::string_view where_;
  std::vector<Instruction> all_;
  std::string begun_; ///< a line whose end has not come yet
  std::size_t number_ = 0;

  void take_line(std::string_view line);
};

/// The same of a whole listing.
std::vector<Instruction> read_instructions(std::string_view listing, const CodeObject& object,
                                           std::string_view where);

} // namespace cts::codeobject
