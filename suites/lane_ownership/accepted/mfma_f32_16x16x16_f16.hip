// FP16 16x16x16: 4 FP16 values a lane for A and for B, 4 FP32 outputs a lane. Both targets.
#include "common/hip/vectors.hip.hpp"

static_assert(sizeof(half4) == 4 * 2);
static_assert(sizeof(float4) == 4 * 4);

CDNA_CTS_KERNEL product(const half4* a, const half4* b, const float4* c, float4* d) {
  const unsigned i = lane_of_launch();
  d[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[i], b[i], c[i], 0, 0, 0);
}
