// The matrix instructions whose presence on a target is claimed: one kernel each.
#include "common/hip/vectors.hip.hpp"
#include "suites/shared/matrix_kernels.hip.hpp"

ONE_MFMA(mfma_f32_16x16x16f16, half4, float4)
ONE_MFMA(mfma_f32_32x32x8f16, half4, float16)
ONE_MFMA(mfma_f32_16x16x16bf16_1k, short4, float4)
ONE_MFMA(mfma_f32_32x32x8bf16_1k, short4, float16)
ONE_MFMA(mfma_i32_16x16x32_i8, long, int4)
ONE_MFMA(mfma_i32_32x32x16_i8, long, int16)

#if defined(__gfx942__)
ONE_MFMA(mfma_f32_16x16x8_xf32, float2, float4)
ONE_MFMA(mfma_f32_32x32x4_xf32, float2, float16)
#endif

#if defined(__gfx950__)
// The XF32 products, of which this target has no instruction, from F32 ones of half the K: the two items of a
// lane are consecutive k, so the first items of all lanes are one half of K and the second ones the other.
#define PRODUCT_BY_F32(xf32, f32, Output)                                                                    \
  CDNA_CTS_KERNEL xf32##_by_f32(const float2* a, const float2* b, const Output* c, Output* d) {              \
    const unsigned i = lane_of_launch();                                                                     \
    const Output half = __builtin_amdgcn_##f32(a[i].x, b[i].x, c[i], 0, 0, 0);                               \
    d[i] = __builtin_amdgcn_##f32(a[i].y, b[i].y, half, 0, 0, 0);                                            \
  }
PRODUCT_BY_F32(mfma_f32_16x16x8_xf32, mfma_f32_16x16x4f32, float4)
PRODUCT_BY_F32(mfma_f32_32x32x4_xf32, mfma_f32_32x32x2f32, float16)

ONE_MFMA(mfma_f32_16x16x32_f16, half8, float4)
ONE_MFMA(mfma_f32_32x32x16_f16, half8, float16)
ONE_MFMA(mfma_f32_16x16x32_bf16, bfloat8, float4)
ONE_MFMA(mfma_f32_32x32x16_bf16, bfloat8, float16)
ONE_MFMA(mfma_i32_16x16x64_i8, int4, int4)
ONE_MFMA(mfma_i32_32x32x32_i8, int4, int16)
#endif

// Says that it ran: what the other target's runtime makes of this code object is to be seen.
CDNA_CTS_KERNEL leave_a_mark(unsigned* mark) { mark[lane_of_launch()] = 0x600d; }
