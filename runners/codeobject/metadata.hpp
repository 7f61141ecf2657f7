// Kernels: the MessagePack metadata note and the 64-byte kernel descriptors.
#pragma once

#include "runners/codeobject/code_object.hpp"

namespace cts::codeobject {

/// Kernels that the note of type NT_AMDGPU_METADATA announces, by name, each joined with its descriptor in
/// `object` (segments, symbols and target must be read already). Throws Error: not MessagePack, a field
/// missing or out of range, another target than the ELF header's, a descriptor outside of the file or in
/// disagreement with the metadata. [LLVM AMDGPUUsage, "Code Object V5 Metadata" and "Kernel Descriptor"]
std::vector<Kernel> read_kernels(std::span<const std::byte> note, const CodeObject& object,
                                 std::string_view where, Purpose purpose = Purpose::run);

} // namespace cts::codeobject
