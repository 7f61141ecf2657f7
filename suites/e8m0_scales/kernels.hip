// One wave a workgroup, one scaled MFMA a wave: lane l brings its VGPRs of A, B and C and its scales from its
// own place in memory and leaves its VGPRs of D there. Nothing is judged here. The instructions are gfx950's.
#include "common/hip/vectors.hip.hpp"
#include "suites/shared/matrix_kernels.hip.hpp"

#if defined(__gfx950__)

#define SCALED(name, shape, D, cbsz, blgp, byte_a, scale_a, byte_b, scale_b)                                 \
  CDNA_CTS_KERNEL name(const int8* a, const int8* b, const D* c, const int* in_a, const int* in_b, D* d) {   \
    const unsigned i = lane_of_launch();                                                                     \
    (void)in_a, (void)in_b;                                                                                  \
    d[i] = __builtin_amdgcn_mfma_scale_f32_##shape##_f8f6f4(a[i], b[i], c[i], cbsz, blgp, byte_a, scale_a,   \
                                                            byte_b, scale_b);                                \
  }

// Every pair of formats: scaled_<shape>_<A>_<B>, scales from lowest bytes of VGPRs.
#define SCALED_PAIR(shape, D, name_a, a, name_b, b)                                                          \
  SCALED(scaled_##shape##_##name_a##_##name_b, shape, D, a, b, 0, in_a[i], 0, in_b[i])
#define SCALED_PAIRS(shape, D, name_a, a)                                                                    \
  SCALED_PAIR(shape, D, name_a, a, fp8, 0)                                                                   \
  SCALED_PAIR(shape, D, name_a, a, bf8, 1)                                                                   \
  SCALED_PAIR(shape, D, name_a, a, fp6, 2)                                                                   \
  SCALED_PAIR(shape, D, name_a, a, bf6, 3)                                                                   \
  SCALED_PAIR(shape, D, name_a, a, fp4, 4)
#define ALL_PAIRS(shape, D)                                                                                  \
  SCALED_PAIRS(shape, D, fp8, 0)                                                                             \
  SCALED_PAIRS(shape, D, bf8, 1)                                                                             \
  SCALED_PAIRS(shape, D, fp6, 2)                                                                             \
  SCALED_PAIRS(shape, D, bf6, 3)                                                                             \
  SCALED_PAIRS(shape, D, fp4, 4)

ALL_PAIRS(16x16x128, float4)
ALL_PAIRS(32x32x64, float16)

// FP8 x FP4 with each pair of bytes of the scale registers, 4 * (byte of A) + (byte of B) being what a wave
// reads.
#define BYTE_CASE(shape, byte_a, byte_b)                                                                     \
  case 4 * byte_a + byte_b:                                                                                  \
    acc = __builtin_amdgcn_mfma_scale_f32_##shape##_f8f6f4(a[i], b[i], acc, 0, 4, byte_a, in_a[i], byte_b,   \
                                                           in_b[i]);                                         \
    break;
#define BYTE_CASES(shape, byte_a)                                                                            \
  BYTE_CASE(shape, byte_a, 0)                                                                                \
  BYTE_CASE(shape, byte_a, 1)                                                                                \
  BYTE_CASE(shape, byte_a, 2)                                                                                \
  BYTE_CASE(shape, byte_a, 3)
#define BYTES_OF_REGISTERS(shape, D)                                                                         \
  CDNA_CTS_KERNEL bytes_##shape(const int8* a, const int8* b, const D* c, const int* in_a, const int* in_b,  \
                                const int* bytes, D* d) {                                                    \
    const unsigned i = lane_of_launch();                                                                     \
    D acc = c[i];                                                                                            \
    switch (__builtin_amdgcn_readfirstlane(bytes[i])) {                                                      \
      BYTE_CASES(shape, 0)                                                                                   \
      BYTE_CASES(shape, 1)                                                                                   \
      BYTE_CASES(shape, 2)                                                                                   \
      BYTE_CASES(shape, 3)                                                                                   \
    }                                                                                                        \
    SETTLE(acc);                                                                                             \
    d[i] = acc;                                                                                              \
  }
BYTES_OF_REGISTERS(16x16x128, float4)
BYTES_OF_REGISTERS(32x32x64, float16)

// BF8 x BF8 with scales that the compiler knows: literal 0 (which it takes for no scale), other constants,
// and values that are the same in all lanes.
#define KNOWN_SCALES(shape, D)                                                                               \
  SCALED(literal_zero_##shape, shape, D, 1, 1, 0, 0, 0, 0)                                                   \
  SCALED(constants_##shape, shape, D, 1, 1, 0, 130, 0, 60)                                                   \
  SCALED(uniform_##shape, shape, D, 1, 1, 0, __builtin_amdgcn_readfirstlane(in_a[i]), 0,                     \
         __builtin_amdgcn_readfirstlane(in_b[i]))
KNOWN_SCALES(16x16x128, float4)
KNOWN_SCALES(32x32x64, float16)

#endif
