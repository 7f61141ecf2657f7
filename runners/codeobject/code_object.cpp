#include "runners/codeobject/code_object.hpp"

#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/listing.hpp"

namespace cts::codeobject {

CodeObject read_code_object(std::span<const std::byte> elf, std::string_view where, const Tools& tools,
                            Purpose purpose) {
  CodeObject object = read_elf_parts(elf, where, purpose);
  InstructionReader reader(object, where);
  disassemble(elf, object.sha256, where, tools, [&](std::string_view piece) { reader.take(piece); });
  object.instructions = reader.finish();
  return object;
}

} // namespace cts::codeobject
