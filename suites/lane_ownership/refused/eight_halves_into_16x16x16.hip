// FP16 16x16x16 does not take 8 values a lane.
#include "common/hip/vectors.hip.hpp"

CDNA_CTS_KERNEL product(const half8* a, const half8* b, const float4* c, float4* d) {
  const unsigned i = lane_of_launch();
  d[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[i], b[i], c[i], 0, 0, 0);
}
