// FP16 16x16x16 is one block: its accumulator has 4 FP32 values a lane, not the 16 of a four-block
// instruction.
#include "common/hip/vectors.hip.hpp"

CDNA_CTS_KERNEL product(const half4* a, const half4* b, const float16* c, float16* d) {
  const unsigned i = lane_of_launch();
  d[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[i], b[i], c[i], 0, 0, 0);
}
