// One wave a workgroup, one matrix instruction a wave: lane l brings its VGPRs of A, B and C from its own
// place in memory and leaves its VGPRs of D there. Nothing is judged here.
#include "common/hip/vectors.hip.hpp"
#include "suites/shared/matrix_kernels.hip.hpp"

ONE_MFMA(mfma_f32_16x16x16f16, half4, float4)
ONE_MFMA(mfma_f32_32x32x8f16, half4, float16)

// Several blocks.
ONE_MFMA(mfma_f32_32x32x4f16, half4, float32)
ONE_MFMA(mfma_f32_16x16x4f16, half4, float16)
ONE_MFMA(mfma_f32_4x4x4f16, half4, float4)

// Broadcasts of one of A's blocks to all, and of B's lanes. (How a broadcast to some blocks groups them is
// read in two ways, docs/layouts.md: none is here.)
ONE_MFMA_FIELDS(mfma_f32_16x16x4f16, half4, float16, 2, 1, 0)
ONE_MFMA_FIELDS(mfma_f32_16x16x4f16, half4, float16, 2, 0, 0)
ONE_MFMA_FIELDS(mfma_f32_16x16x4f16, half4, float16, 2, 3, 0)
ONE_MFMA_FIELDS(mfma_f32_16x16x4f16, half4, float16, 0, 0, 1)
ONE_MFMA_FIELDS(mfma_f32_16x16x4f16, half4, float16, 0, 0, 2)
ONE_MFMA_FIELDS(mfma_f32_16x16x4f16, half4, float16, 0, 0, 3)
ONE_MFMA_FIELDS(mfma_f32_16x16x4f16, half4, float16, 2, 1, 6)

// FP64, where BLGP negates.
ONE_MFMA(mfma_f64_16x16x4f64, double, double4)
ONE_MFMA_FIELDS(mfma_f64_16x16x4f64, double, double4, 0, 0, 1)

#if defined(__gfx950__)
ONE_MFMA(mfma_f32_16x16x32_f16, half8, float4)
ONE_MFMA(mfma_f32_32x32x16_f16, half8, float16)
#endif

// What a lane can see of its wave: facts[l] = {number of l by counting lanes, EXEC low, EXEC high, wave
// size}.
CDNA_CTS_KERNEL wave_facts(uint4* facts) {
  const unsigned long long exec = __builtin_amdgcn_read_exec();
  const unsigned below = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
  facts[lane_of_launch()] = uint4{below, static_cast<unsigned>(exec), static_cast<unsigned>(exec >> 32),
                                  __builtin_amdgcn_wavefrontsize()};
}
