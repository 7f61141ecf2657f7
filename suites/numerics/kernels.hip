// Every dense matrix instruction, one kernel each: one wave a workgroup, one instruction a wave. Nothing is
// judged here.
#include "common/hip/vectors.hip.hpp"
#include "suites/shared/matrix_kernels.hip.hpp"

ONE_MFMA(mfma_f64_16x16x4f64, double, double4)
ONE_MFMA(mfma_f64_4x4x4f64, double, double)

ONE_MFMA(mfma_f32_32x32x1f32, float, float32)
ONE_MFMA(mfma_f32_16x16x1f32, float, float16)
ONE_MFMA(mfma_f32_4x4x1f32, float, float4)
ONE_MFMA(mfma_f32_32x32x2f32, float, float16)
ONE_MFMA(mfma_f32_16x16x4f32, float, float4)

ONE_MFMA(mfma_f32_32x32x4f16, half4, float32)
ONE_MFMA(mfma_f32_16x16x4f16, half4, float16)
ONE_MFMA(mfma_f32_4x4x4f16, half4, float4)
ONE_MFMA(mfma_f32_32x32x8f16, half4, float16)
ONE_MFMA(mfma_f32_16x16x16f16, half4, float4)

ONE_MFMA(mfma_f32_32x32x4bf16_1k, short4, float32)
ONE_MFMA(mfma_f32_16x16x4bf16_1k, short4, float16)
ONE_MFMA(mfma_f32_4x4x4bf16_1k, short4, float4)
ONE_MFMA(mfma_f32_32x32x8bf16_1k, short4, float16)
ONE_MFMA(mfma_f32_16x16x16bf16_1k, short4, float4)

ONE_MFMA(mfma_i32_32x32x4i8, int, int32)
ONE_MFMA(mfma_i32_16x16x4i8, int, int16)
ONE_MFMA(mfma_i32_4x4x4i8, int, int4)
ONE_MFMA(mfma_i32_32x32x16_i8, long, int16)
ONE_MFMA(mfma_i32_16x16x32_i8, long, int4)

ONE_MFMA(mfma_f32_16x16x32_bf8_bf8, long, float4)
ONE_MFMA(mfma_f32_16x16x32_bf8_fp8, long, float4)
ONE_MFMA(mfma_f32_16x16x32_fp8_bf8, long, float4)
ONE_MFMA(mfma_f32_16x16x32_fp8_fp8, long, float4)
ONE_MFMA(mfma_f32_32x32x16_bf8_bf8, long, float16)
ONE_MFMA(mfma_f32_32x32x16_bf8_fp8, long, float16)
ONE_MFMA(mfma_f32_32x32x16_fp8_bf8, long, float16)
ONE_MFMA(mfma_f32_32x32x16_fp8_fp8, long, float16)

#if defined(__gfx942__)
ONE_MFMA(mfma_f32_16x16x8_xf32, float2, float4)
ONE_MFMA(mfma_f32_32x32x4_xf32, float2, float16)
#endif

#if defined(__gfx950__)
ONE_MFMA(mfma_f32_16x16x32_f16, half8, float4)
ONE_MFMA(mfma_f32_32x32x16_f16, half8, float16)
ONE_MFMA(mfma_f32_16x16x32_bf16, bfloat8, float4)
ONE_MFMA(mfma_f32_32x32x16_bf16, bfloat8, float16)
ONE_MFMA(mfma_i32_16x16x64_i8, int4, int4)
ONE_MFMA(mfma_i32_32x32x32_i8, int4, int16)

// F8F6F4 with the format codes of A and B in the kernel's name. Scales that are literal zeros make the
// unscaled instruction.
#define ONE_F8F6F4(builtin, Output, a_format, b_format)                                                      \
  CDNA_CTS_KERNEL builtin##_##a_format##_##b_format(const int8* a, const int8* b, const Output* c,           \
                                                    Output* d) {                                             \
    const unsigned i = lane_of_launch();                                                                     \
    d[i] = __builtin_amdgcn_##builtin(a[i], b[i], c[i], a_format, b_format, 0, 0, 0, 0);                     \
  }
#define ALL_B_FORMATS(builtin, Output, a_format)                                                             \
  ONE_F8F6F4(builtin, Output, a_format, 0)                                                                   \
  ONE_F8F6F4(builtin, Output, a_format, 1)                                                                   \
  ONE_F8F6F4(builtin, Output, a_format, 2)                                                                   \
  ONE_F8F6F4(builtin, Output, a_format, 3)                                                                   \
  ONE_F8F6F4(builtin, Output, a_format, 4)
#define ALL_FORMATS(builtin, Output)                                                                         \
  ALL_B_FORMATS(builtin, Output, 0)                                                                          \
  ALL_B_FORMATS(builtin, Output, 1)                                                                          \
  ALL_B_FORMATS(builtin, Output, 2)                                                                          \
  ALL_B_FORMATS(builtin, Output, 3)                                                                          \
  ALL_B_FORMATS(builtin, Output, 4)
ALL_FORMATS(mfma_scale_f32_16x16x128_f8f6f4, float4)
ALL_FORMATS(mfma_scale_f32_32x32x64_f8f6f4, float16)
#endif
