// Runs a kernel of runners/mir/pair_kernel: one pair of instructions at chosen spacings, by many waves that
// come to it at different times, each compared with the waves in which the pair is fully padded.
#pragma once

#include "common/claim_test.hpp"
#include "common/hip/hip.hpp"
#include "runners/mir/hazard_kernels.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cts::mfma_hazards {

/// Why tests of these kernels run once and not at each of clang's levels.
inline constexpr const char* only_once = "llc made this code, which is the same for O1 and O3: see O3";

/// Words for the pair's registers, register by register for all lanes: small whole numbers (of A, B and C in
/// their types), indices, scales, from the context's seed.
std::vector<std::uint32_t> stage(TestContext& context, const mir::PairKernel& kernel);

/// Executes `kernel` on `staged` once for each of `waves`, the number of the variant that a wave executes, in
/// one launch, each after another number of passes of the delay loop. Returns the words that each left.
/// Throws Failure when the launch ends by an illegal address.
std::vector<std::vector<std::uint32_t>> run_pair(TestContext& context, hip::Module& module,
                                                 const mir::PairKernel& kernel,
                                                 const std::vector<std::uint32_t>& staged,
                                                 const std::vector<int>& waves);

/// Where two waves' words differ first: "VGPR 3 lane 0: expected 0x40000000, got 0x7ffd7ffd"; empty when
/// nowhere.
std::string difference(const mir::PairKernel& kernel, const std::vector<std::uint32_t>& expected,
                       const std::vector<std::uint32_t>& got);

} // namespace cts::mfma_hazards
