// Assembly listings become code objects.
#pragma once

#include "runners/audit/audit.hpp"

namespace cts::audit {

/// The code object of a listing: source for the assembler, or what llvm-objdump printed, whose encodings are
/// taken as they stand. Throws Error: no target known, or the assembler's first error.
Part assemble(const std::string& text, const std::string& file, std::optional<Target> target,
              const codeobject::Tools& tools);

/// A relocatable object linked by itself; what it lacks stays undefined. Throws Error.
std::vector<std::byte> link(const std::string& object_file, const std::string& where,
                            const codeobject::Tools& tools, std::optional<std::uint64_t> text_address = {});

} // namespace cts::audit
