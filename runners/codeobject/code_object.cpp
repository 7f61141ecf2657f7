#include "runners/codeobject/code_object.hpp"

#include "runners/codeobject/elf.hpp"
#include "runners/codeobject/listing.hpp"

namespace cts::codeobject {

CodeObject read_code_object(std::span<const std::byte> elf, std::string_view where, const Tools& tools,
                            Purpose purpose) {
  CodeObject object = read_elf_parts(elf, where, purpose);
  object.instructions = read_instructions(disassemble(elf, object.sha256, where, tools), object, where);
  return object;
}

} // namespace cts::codeobject
