// The ELF side of a code object.
#pragma once

#include "runners/codeobject/code_object.hpp"

namespace cts::codeobject {

// Values of LLVM AMDGPUUsage, "Header", that <elf.h> may lack.
inline constexpr std::uint8_t osabi_amdgpu_hsa = 64, abi_v4 = 2, abi_v6 = 4;
inline constexpr std::uint16_t machine_amdgpu = 224;
inline constexpr std::uint32_t mach_gfx942 = 0x4c, mach_gfx950 = 0x4f;

/// Everything of a code object but its instructions: no tool is run. Throws Error as read_code_object does.
CodeObject read_elf_parts(std::span<const std::byte> elf, std::string_view where,
                          Purpose purpose = Purpose::run);

/// `size` bytes of a segment's file part from virtual address `address`; empty when they are not wholly
/// inside of one.
std::span<const std::byte> bytes_at(const std::vector<Segment>& segments, std::uint64_t address,
                                    std::uint64_t size);

} // namespace cts::codeobject
