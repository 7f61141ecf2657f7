// FP16 16x16x32: 8 FP16 values a lane for A and for B, 4 FP32 outputs a lane. gfx950 only.
#include "common/hip/vectors.hip.hpp"

static_assert(sizeof(half8) == 8 * 2);
static_assert(sizeof(float4) == 4 * 4);

CDNA_CTS_KERNEL product(const half8* a, const half8* b, const float4* c, float4* d) {
  const unsigned i = lane_of_launch();
  d[i] = __builtin_amdgcn_mfma_f32_16x16x32_f16(a[i], b[i], c[i], 0, 0, 0);
}
