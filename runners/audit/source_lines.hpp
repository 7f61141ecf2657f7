// Where in the source an instruction comes from.
#pragma once

#include "runners/audit/audit.hpp"

namespace cts::audit {

/// Appends " (file:line)" to the findings' lines, as llvm-symbolizer reads the debug information of `elf`;
/// without any, nothing.
void add_source_lines(std::vector<Finding>& findings, std::span<const std::byte> elf,
                      const codeobject::Tools& tools);

} // namespace cts::audit
