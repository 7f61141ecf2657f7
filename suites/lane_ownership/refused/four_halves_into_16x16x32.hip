// FP16 16x16x32 does not take 4 values a lane.
#include "common/hip/vectors.hip.hpp"

CDNA_CTS_KERNEL product(const half4* a, const half4* b, const float4* c, float4* d) {
  const unsigned i = lane_of_launch();
  d[i] = __builtin_amdgcn_mfma_f32_16x16x32_f16(a[i], b[i], c[i], 0, 0, 0);
}
