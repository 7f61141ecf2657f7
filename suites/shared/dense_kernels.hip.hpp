// Every dense matrix instruction of the target, as lists: DENSE_MFMAS(MFMA) expands to MFMA(builtin, type of
// A and B, type of C and D) for each of fixed types, F8F6F4_MFMAS(MFMA) to MFMA(builtin, type of C and D,
// format code of A, format code of B) for each pair of formats.
#pragma once

#include "common/hip/vectors.hip.hpp"

#define DENSE_MFMAS_OF_BOTH(MFMA)                                                                            \
  MFMA(mfma_f64_16x16x4f64, double, double4)                                                                 \
  MFMA(mfma_f64_4x4x4f64, double, double)                                                                    \
  MFMA(mfma_f32_32x32x1f32, float, float32)                                                                  \
  MFMA(mfma_f32_16x16x1f32, float, float16)                                                                  \
  MFMA(mfma_f32_4x4x1f32, float, float4)                                                                     \
  MFMA(mfma_f32_32x32x2f32, float, float16)                                                                  \
  MFMA(mfma_f32_16x16x4f32, float, float4)                                                                   \
  MFMA(mfma_f32_32x32x4f16, half4, float32)                                                                  \
  MFMA(mfma_f32_16x16x4f16, half4, float16)                                                                  \
  MFMA(mfma_f32_4x4x4f16, half4, float4)                                                                     \
  MFMA(mfma_f32_32x32x8f16, half4, float16)                                                                  \
  MFMA(mfma_f32_16x16x16f16, half4, float4)                                                                  \
  MFMA(mfma_f32_32x32x4bf16_1k, short4, float32)                                                             \
  MFMA(mfma_f32_16x16x4bf16_1k, short4, float16)                                                             \
  MFMA(mfma_f32_4x4x4bf16_1k, short4, float4)                                                                \
  MFMA(mfma_f32_32x32x8bf16_1k, short4, float16)                                                             \
  MFMA(mfma_f32_16x16x16bf16_1k, short4, float4)                                                             \
  MFMA(mfma_i32_32x32x4i8, int, int32)                                                                       \
  MFMA(mfma_i32_16x16x4i8, int, int16)                                                                       \
  MFMA(mfma_i32_4x4x4i8, int, int4)                                                                          \
  MFMA(mfma_i32_32x32x16_i8, long, int16)                                                                    \
  MFMA(mfma_i32_16x16x32_i8, long, int4)                                                                     \
  MFMA(mfma_f32_16x16x32_bf8_bf8, long, float4)                                                              \
  MFMA(mfma_f32_16x16x32_bf8_fp8, long, float4)                                                              \
  MFMA(mfma_f32_16x16x32_fp8_bf8, long, float4)                                                              \
  MFMA(mfma_f32_16x16x32_fp8_fp8, long, float4)                                                              \
  MFMA(mfma_f32_32x32x16_bf8_bf8, long, float16)                                                             \
  MFMA(mfma_f32_32x32x16_bf8_fp8, long, float16)                                                             \
  MFMA(mfma_f32_32x32x16_fp8_bf8, long, float16)                                                             \
  MFMA(mfma_f32_32x32x16_fp8_fp8, long, float16)

#if defined(__gfx950__)
#define DENSE_MFMAS(MFMA)                                                                                    \
  DENSE_MFMAS_OF_BOTH(MFMA)                                                                                  \
  MFMA(mfma_f32_16x16x32_f16, half8, float4)                                                                 \
  MFMA(mfma_f32_32x32x16_f16, half8, float16)                                                                \
  MFMA(mfma_f32_16x16x32_bf16, bfloat8, float4)                                                              \
  MFMA(mfma_f32_32x32x16_bf16, bfloat8, float16)                                                             \
  MFMA(mfma_i32_16x16x64_i8, int4, int4)                                                                     \
  MFMA(mfma_i32_32x32x32_i8, int4, int16)

#define F8F6F4_MFMAS_WITH_A(MFMA, builtin, Output, a_format)                                                 \
  MFMA(builtin, Output, a_format, 0)                                                                         \
  MFMA(builtin, Output, a_format, 1)                                                                         \
  MFMA(builtin, Output, a_format, 2)                                                                         \
  MFMA(builtin, Output, a_format, 3)                                                                         \
  MFMA(builtin, Output, a_format, 4)
#define F8F6F4_MFMAS_OF(MFMA, builtin, Output)                                                               \
  F8F6F4_MFMAS_WITH_A(MFMA, builtin, Output, 0)                                                              \
  F8F6F4_MFMAS_WITH_A(MFMA, builtin, Output, 1)                                                              \
  F8F6F4_MFMAS_WITH_A(MFMA, builtin, Output, 2)                                                              \
  F8F6F4_MFMAS_WITH_A(MFMA, builtin, Output, 3)                                                              \
  F8F6F4_MFMAS_WITH_A(MFMA, builtin, Output, 4)
#define F8F6F4_MFMAS(MFMA)                                                                                   \
  F8F6F4_MFMAS_OF(MFMA, mfma_scale_f32_16x16x128_f8f6f4, float4)                                             \
  F8F6F4_MFMAS_OF(MFMA, mfma_scale_f32_32x32x64_f8f6f4, float16)
#else
#define DENSE_MFMAS(MFMA)                                                                                    \
  DENSE_MFMAS_OF_BOTH(MFMA)                                                                                  \
  MFMA(mfma_f32_16x16x8_xf32, float2, float4)                                                                \
  MFMA(mfma_f32_32x32x4_xf32, float2, float16)
#define F8F6F4_MFMAS(MFMA)
#endif
