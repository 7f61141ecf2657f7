// What the loops of kernels.hip execute, in numbers: operations are counted from here, and tests/throughput
// proves the counts by executing every kernel.
#pragma once

#include "reference/instructions.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cts::throughput {

inline constexpr unsigned waves_of_workgroup = 4; ///< one for each SIMD of a CU

/// A kernel of matrix instructions. Its arguments are A, B and the index of 64 lanes (`ones`, `positions`), D
/// of every thread, and the number of iterations.
struct Kernel {
  std::string name;
  reference::Instruction instruction;
  int per_iteration = 4; ///< matrix instructions of a wave
  int valu_each = 0;     ///< VALU instructions behind each of them
};

/// Every kernel of matrix instructions that `target` has.
std::vector<Kernel> matrix_kernels(Target target);

/// The kernel of that name. Throws Error when the target has none.
Kernel matrix_kernel(Target target, std::string_view name);

/// Registers of 64 lanes in which every element is 1.
std::vector<std::uint32_t> ones(reference::Type type, int vgprs, Target target);

/// What a D element holds after `iterations` with A and B all ones: the sum over the kernel's accumulators.
double result_of_ones(const Kernel& kernel, unsigned iterations);

/// The index that keeps the first and third of each four k, for any SMFMAC.
inline constexpr std::uint32_t first_and_third = 0x88888888;

/// A kernel of LDS reads. Its arguments are a sum of every thread, iterations, and the stride in dwords.
struct LdsKernel {
  std::string name;
  int bytes;             ///< of one lane's read
  int per_iteration = 4; ///< reads of a wave
};
inline const std::vector<LdsKernel> lds_kernels{
    {"lds_ds_read_b32", 4}, {"lds_ds_read_b64", 8}, {"lds_ds_read_b128", 16}};

/// Dwords of a workgroup's tile: lane l reads from dword l * stride mod this.
inline constexpr unsigned lds_tile_dwords = 4096;

} // namespace cts::throughput
