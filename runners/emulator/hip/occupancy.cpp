// How many blocks fit a compute unit at once: arithmetic on registers and LDS, measured on nothing.
#include "runners/emulator/hip/runtime.hpp"

#include <algorithm>
#include <climits>

namespace {

using namespace cts::hip;

// One compute unit: 4 SIMDs, each with 512 VGPRs of 64 lanes, allocated by eights, and room for 8 waves.
// [CDNA3 ISA 3.6.4 "VGPR allocation and alignment": groups of eight, 512 a wave; waves a SIMD as ROCm's
// runtime counts]
constexpr unsigned simds = 4, waves_per_simd = 8, vgprs_per_simd = 512, vgpr_granule = 8, lanes = 64;

/// Blocks of `threads` that are resident on one compute unit; 0 when such a block cannot run.
int resident_blocks(Runtime& runtime, const Function& function, unsigned threads, std::size_t dynamic_lds) {
  const auto& info = function.info;
  if (threads == 0 || threads > std::min(info.max_threads, cts::emulator::max_threads_per_block)) return 0;
  const unsigned vgprs = std::max(1U, (info.vgprs + vgpr_granule - 1) / vgpr_granule) * vgpr_granule;
  const unsigned waves = simds * std::min(waves_per_simd, vgprs_per_simd / vgprs);
  const unsigned by_registers = waves / ((threads + lanes - 1) / lanes);
  const std::size_t lds = info.static_lds + dynamic_lds;
  const std::size_t by_lds = lds ? cts::emulator::lds_bytes(runtime.device().target()) / lds : INT_MAX;
  return static_cast<int>(std::min<std::size_t>(by_registers, by_lds));
}

hipError_t active_blocks(Runtime& runtime, const std::shared_ptr<Function>& function, int* blocks,
                         int threads, std::size_t dynamic_lds) {
  if (!blocks) return hipErrorInvalidValue;
  if (!function) return hipErrorInvalidDeviceFunction;
  if (threads <= 0) return hipErrorInvalidValue;
  *blocks = resident_blocks(runtime, *function, static_cast<unsigned>(threads), dynamic_lds);
  return hipSuccess;
}

/// The largest block that fits, and the grid that fills the device with such blocks.
hipError_t best_block(Runtime& runtime, const std::shared_ptr<Function>& function, int* grid, int* block,
                      std::size_t dynamic_lds, int limit) {
  if (!grid || !block) return hipErrorInvalidValue;
  if (!function) return hipErrorInvalidDeviceFunction;
  unsigned threads = std::min(function->info.max_threads, cts::emulator::max_threads_per_block);
  if (limit > 0) threads = std::min(threads, static_cast<unsigned>(limit));
  int blocks = resident_blocks(runtime, *function, threads, dynamic_lds);
  while (blocks == 0 && threads > lanes) {
    threads = (threads - 1) / lanes * lanes;
    blocks = resident_blocks(runtime, *function, threads, dynamic_lds);
  }
  *grid = blocks * compute_units;
  *block = static_cast<int>(threads);
  return hipSuccess;
}

bool known_flags(unsigned flags) {
  return flags == hipOccupancyDefault || flags == hipOccupancyDisableCachingOverride;
}

} // namespace

CTS_HIP_API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function,
                                                                          int threads,
                                                                          std::size_t dynamic_lds) {
  return api([&](Runtime& runtime) {
    return active_blocks(runtime, runtime.functions.find(function), blocks, threads, dynamic_lds);
  });
}

CTS_HIP_API hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, hipFunction_t function, int threads, std::size_t dynamic_lds, unsigned flags) {
  return api([&](Runtime& runtime) {
    if (!known_flags(flags)) return hipErrorInvalidValue;
    return active_blocks(runtime, runtime.functions.find(function), blocks, threads, dynamic_lds);
  });
}

CTS_HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                    int threads, std::size_t dynamic_lds) {
  return api([&](Runtime& runtime) {
    return active_blocks(runtime, any_function(runtime, function), blocks, threads, dynamic_lds);
  });
}

CTS_HIP_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t dynamic_lds, unsigned flags) {
  return api([&](Runtime& runtime) {
    if (!known_flags(flags)) return hipErrorInvalidValue;
    return active_blocks(runtime, any_function(runtime, function), blocks, threads, dynamic_lds);
  });
}

CTS_HIP_API hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t function,
                                                               std::size_t dynamic_lds, int limit) {
  return api([&](Runtime& runtime) {
    return best_block(runtime, runtime.functions.find(function), grid, block, dynamic_lds, limit);
  });
}

CTS_HIP_API hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                                        hipFunction_t function,
                                                                        std::size_t dynamic_lds, int limit,
                                                                        unsigned flags) {
  return api([&](Runtime& runtime) {
    if (!known_flags(flags)) return hipErrorInvalidValue;
    return best_block(runtime, runtime.functions.find(function), grid, block, dynamic_lds, limit);
  });
}

CTS_HIP_API hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* function,
                                                         std::size_t dynamic_lds, int limit) {
  return api([&](Runtime& runtime) {
    return best_block(runtime, any_function(runtime, function), grid, block, dynamic_lds, limit);
  });
}

CTS_HIP_API hipError_t hipOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                                int blocks, int threads) {
  return api([&](Runtime& runtime) {
    if (!bytes || blocks <= 0 || threads <= 0) return hipErrorInvalidValue;
    const auto found = any_function(runtime, function);
    if (!found) return hipErrorInvalidDeviceFunction;
    const std::size_t each =
        cts::emulator::lds_bytes(runtime.device().target()) / static_cast<unsigned>(blocks);
    *bytes = each > found->info.static_lds ? each - found->info.static_lds : 0;
    return hipSuccess;
  });
}
