// A wave has 64 lanes on these targets: a kernel cannot ask for 32.
#include "common/hip/vectors.hip.hpp"

__attribute__((target("wavefrontsize32"))) CDNA_CTS_KERNEL product(const half4* a, const half4* b,
                                                                   const float4* c, float4* d) {
  const unsigned i = lane_of_launch();
  d[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[i], b[i], c[i], 0, 0, 0);
}
