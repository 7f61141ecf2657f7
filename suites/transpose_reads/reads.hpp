// Launches of the reads of kernels.hip, on images of LDS that the host made.
#pragma once

#include "common/hip/hip.hpp"
#include "reference/transpose_read.hpp"

#include <array>
#include <string>
#include <vector>

namespace cts::transpose_reads {

inline constexpr std::uint32_t lds_bytes = 8192;

/// The widths of items that there are reads for, in bits.
inline constexpr int widths[] = {4, 6, 8, 16};

/// What one wave is given: LDS, and an address for each lane.
struct Wave {
  std::vector<std::uint8_t> lds;
  std::array<std::uint32_t, 64> addresses{};
};

/// Random bytes everywhere, addresses 0.
Wave random_wave(TestContext& context);

/// Sets `bits` bits of `lds` from bit `bit` of byte `byte` on.
void put_bits(std::vector<std::uint8_t>& lds, std::uint32_t byte, int bit, int bits, std::uint64_t value);

/// Launches `kernel` with one workgroup for each wave, and returns their registers, `vgprs` each.
std::vector<reference::RegisterImage> run_reads(TestContext& context, hip::Module& module,
                                                const std::string& kernel, const std::vector<Wave>& waves,
                                                int vgprs);

/// The kernels of a width: the builtin, and assembly with offset 64.
struct ReadKernel {
  std::string name;
  std::uint32_t offset = 0;
};
std::vector<ReadKernel> kernels_of(int bits);

/// Bytes and VGPRs that a lane reads: 8 and 2, of 6-bit items 12 and 3.
std::uint32_t chunk_bytes(int bits);
int vgprs_of(int bits);

/// Addresses of 64 chunks that do not overlap, in the order of the lanes from `first` on, or in any order.
std::array<std::uint32_t, 64> addresses_in_order(int bits, std::uint32_t first);
std::array<std::uint32_t, 64> addresses_in_any_order(TestContext& context, int bits);

} // namespace cts::transpose_reads
