// One wave a workgroup, one SMFMAC a wave: lane l brings its VGPRs of A, B and C and its index from its own
// place in memory and leaves its VGPRs of D there. Nothing is judged here.
#include "common/hip/vectors.hip.hpp"
#include "suites/shared/matrix_kernels.hip.hpp"
#include "suites/sparse_index/tiled_product.hip.hpp"

// Two kernels for each instruction. <builtin>: CBSZ and ABID are 0. <builtin>_fields: each wave takes the
// pair of CBSZ and ABID whose number it reads (field_pairs in smfmac.hpp).
#define ONE_SMFMAC(builtin, A, B, D)                                                                         \
  CDNA_CTS_KERNEL builtin(const A* a, const B* b, const D* c, const int* index, D* d) {                      \
    const unsigned i = lane_of_launch();                                                                     \
    d[i] = __builtin_amdgcn_##builtin(a[i], b[i], c[i], index[i], 0, 0);                                     \
  }                                                                                                          \
  CDNA_CTS_KERNEL builtin##_fields(const A* a, const B* b, const D* c, const int* index, const int* fields,  \
                                   D* d) {                                                                   \
    const unsigned i = lane_of_launch();                                                                     \
    D acc = c[i];                                                                                            \
    switch (__builtin_amdgcn_readfirstlane(fields[i])) {                                                     \
    case 0: acc = __builtin_amdgcn_##builtin(a[i], b[i], acc, index[i], 0, 0); break;                        \
    case 1: acc = __builtin_amdgcn_##builtin(a[i], b[i], acc, index[i], 0, 1); break;                        \
    case 2: acc = __builtin_amdgcn_##builtin(a[i], b[i], acc, index[i], 0, 2); break;                        \
    case 3: acc = __builtin_amdgcn_##builtin(a[i], b[i], acc, index[i], 0, 3); break;                        \
    case 4: acc = __builtin_amdgcn_##builtin(a[i], b[i], acc, index[i], 1, 0); break;                        \
    case 5: acc = __builtin_amdgcn_##builtin(a[i], b[i], acc, index[i], 1, 1); break;                        \
    case 6: acc = __builtin_amdgcn_##builtin(a[i], b[i], acc, index[i], 2, 3); break;                        \
    }                                                                                                        \
    SETTLE(acc);                                                                                             \
    d[i] = acc;                                                                                              \
  }

ONE_SMFMAC(smfmac_f32_16x16x32_f16, half4, half8, float4)
ONE_SMFMAC(smfmac_f32_32x32x16_f16, half4, half8, float16)
ONE_SMFMAC(smfmac_f32_16x16x32_bf16, short4, short8, float4)
ONE_SMFMAC(smfmac_f32_32x32x16_bf16, short4, short8, float16)
ONE_SMFMAC(smfmac_i32_16x16x64_i8, int2, int4, int4)
ONE_SMFMAC(smfmac_i32_32x32x32_i8, int2, int4, int16)
ONE_SMFMAC(smfmac_f32_16x16x64_bf8_bf8, int2, int4, float4)
ONE_SMFMAC(smfmac_f32_16x16x64_bf8_fp8, int2, int4, float4)
ONE_SMFMAC(smfmac_f32_16x16x64_fp8_bf8, int2, int4, float4)
ONE_SMFMAC(smfmac_f32_16x16x64_fp8_fp8, int2, int4, float4)
ONE_SMFMAC(smfmac_f32_32x32x32_bf8_bf8, int2, int4, float16)
ONE_SMFMAC(smfmac_f32_32x32x32_bf8_fp8, int2, int4, float16)
ONE_SMFMAC(smfmac_f32_32x32x32_fp8_bf8, int2, int4, float16)
ONE_SMFMAC(smfmac_f32_32x32x32_fp8_fp8, int2, int4, float16)

// Dense instructions of the same tiles and half the K, whose accumulators a sparse one shares the layout of.
ONE_MFMA(mfma_f32_16x16x16f16, half4, float4)
ONE_MFMA(mfma_f32_32x32x8f16, half4, float16)
ONE_MFMA(mfma_f32_16x16x16bf16_1k, short4, float4)
ONE_MFMA(mfma_f32_32x32x8bf16_1k, short4, float16)
ONE_MFMA(mfma_i32_16x16x32_i8, long, int4)
ONE_MFMA(mfma_i32_32x32x16_i8, long, int16)
ONE_MFMA(mfma_f32_16x16x32_bf8_bf8, long, float4)
ONE_MFMA(mfma_f32_16x16x32_bf8_fp8, long, float4)
ONE_MFMA(mfma_f32_16x16x32_fp8_bf8, long, float4)
ONE_MFMA(mfma_f32_16x16x32_fp8_fp8, long, float4)
ONE_MFMA(mfma_f32_32x32x16_bf8_bf8, long, float16)
ONE_MFMA(mfma_f32_32x32x16_bf8_fp8, long, float16)
ONE_MFMA(mfma_f32_32x32x16_fp8_bf8, long, float16)
ONE_MFMA(mfma_f32_32x32x16_fp8_fp8, long, float16)

#if defined(__gfx950__)
ONE_SMFMAC(smfmac_f32_16x16x64_f16, half8, half16, float4)
ONE_SMFMAC(smfmac_f32_32x32x32_f16, half8, half16, float16)
ONE_SMFMAC(smfmac_f32_16x16x64_bf16, bfloat8, bfloat16, float4)
ONE_SMFMAC(smfmac_f32_32x32x32_bf16, bfloat8, bfloat16, float16)
ONE_SMFMAC(smfmac_i32_16x16x128_i8, int4, int8, int4)
ONE_SMFMAC(smfmac_i32_32x32x64_i8, int4, int8, int16)
ONE_SMFMAC(smfmac_f32_16x16x128_bf8_bf8, int4, int8, float4)
ONE_SMFMAC(smfmac_f32_16x16x128_bf8_fp8, int4, int8, float4)
ONE_SMFMAC(smfmac_f32_16x16x128_fp8_bf8, int4, int8, float4)
ONE_SMFMAC(smfmac_f32_16x16x128_fp8_fp8, int4, int8, float4)
ONE_SMFMAC(smfmac_f32_32x32x64_bf8_bf8, int4, int8, float16)
ONE_SMFMAC(smfmac_f32_32x32x64_bf8_fp8, int4, int8, float16)
ONE_SMFMAC(smfmac_f32_32x32x64_fp8_bf8, int4, int8, float16)
ONE_SMFMAC(smfmac_f32_32x32x64_fp8_fp8, int4, int8, float16)

ONE_MFMA(mfma_f32_16x16x32_f16, half8, float4)
ONE_MFMA(mfma_f32_32x32x16_f16, half8, float16)
ONE_MFMA(mfma_f32_16x16x32_bf16, bfloat8, float4)
ONE_MFMA(mfma_f32_32x32x16_bf16, bfloat8, float16)
ONE_MFMA(mfma_i32_16x16x64_i8, int4, int4)
ONE_MFMA(mfma_i32_32x32x32_i8, int4, int16)
#endif

// Operands in architecture VGPRs (v) or accumulation VGPRs (a), in the order D, A, B. Each is made to be in
// such a register when the instruction comes; which one the instruction reads is the compiler's choice.
#define PLACED_SMFMAC(name, in_d, in_a, in_b)                                                                \
  CDNA_CTS_KERNEL name(const int2* a, const int4* b, const float4* c, const int* index, float4* d) {         \
    const unsigned i = lane_of_launch();                                                                     \
    int2 x = a[i];                                                                                           \
    int4 y = b[i];                                                                                           \
    float4 acc = c[i];                                                                                       \
    asm volatile("" : "+" in_a(x), "+" in_b(y), "+" in_d(acc));                                              \
    acc = __builtin_amdgcn_smfmac_f32_16x16x64_fp8_fp8(x, y, acc, index[i], 0, 0);                           \
    asm volatile("" : "+" in_d(acc));                                                                        \
    d[i] = acc;                                                                                              \
  }

PLACED_SMFMAC(placed_vvv, "v", "v", "v")
PLACED_SMFMAC(placed_vva, "v", "v", "a")
PLACED_SMFMAC(placed_vav, "v", "a", "v")
PLACED_SMFMAC(placed_vaa, "v", "a", "a")
PLACED_SMFMAC(placed_avv, "a", "v", "v")
PLACED_SMFMAC(placed_ava, "a", "v", "a")
PLACED_SMFMAC(placed_aav, "a", "a", "v")
PLACED_SMFMAC(placed_aaa, "a", "a", "a")
