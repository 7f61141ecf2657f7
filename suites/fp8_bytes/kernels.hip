// FP8 and BF8 bytes through conversion instructions, matrix instructions and HIP's types. Nothing is judged
// here. A workgroup is one wave.
#include <hip/hip_fp8.h>

#include "suites/shared/matrix_kernels.hip.hpp"

typedef float floats2 __attribute__((ext_vector_type(2)));
typedef float floats4 __attribute__((ext_vector_type(4)));
typedef float floats16 __attribute__((ext_vector_type(16)));

ONE_MFMA(mfma_f32_16x16x32_fp8_fp8, long, floats4)
ONE_MFMA(mfma_f32_16x16x32_fp8_bf8, long, floats4)
ONE_MFMA(mfma_f32_16x16x32_bf8_fp8, long, floats4)
ONE_MFMA(mfma_f32_16x16x32_bf8_bf8, long, floats4)
ONE_MFMA(mfma_f32_32x32x16_fp8_fp8, long, floats16)
ONE_MFMA(mfma_f32_32x32x16_fp8_bf8, long, floats16)
ONE_MFMA(mfma_f32_32x32x16_bf8_fp8, long, floats16)
ONE_MFMA(mfma_f32_32x32x16_bf8_bf8, long, floats16)

// Bytes to floats. Of each lane's dword, out[8i] to [8i + 3] are bytes 0 to 3 one by one, [8i + 4] to
// [8i + 7] the same bytes by pairs.
#define WIDEN(type)                                                                                          \
  CDNA_CTS_KERNEL widen_##type(const unsigned* in, float* out) {                                             \
    const unsigned i = lane_of_launch();                                                                     \
    const int word = static_cast<int>(in[i]);                                                                \
    out[8 * i] = __builtin_amdgcn_cvt_f32_##type(word, 0);                                                   \
    out[8 * i + 1] = __builtin_amdgcn_cvt_f32_##type(word, 1);                                               \
    out[8 * i + 2] = __builtin_amdgcn_cvt_f32_##type(word, 2);                                               \
    out[8 * i + 3] = __builtin_amdgcn_cvt_f32_##type(word, 3);                                               \
    const floats2 low = __builtin_amdgcn_cvt_pk_f32_##type(word, false),                                     \
                  high = __builtin_amdgcn_cvt_pk_f32_##type(word, true);                                     \
    out[8 * i + 4] = low[0];                                                                                 \
    out[8 * i + 5] = low[1];                                                                                 \
    out[8 * i + 6] = high[0];                                                                                \
    out[8 * i + 7] = high[1];                                                                                \
  }
WIDEN(fp8)
WIDEN(bf8)

// Bit 23 of the wave's MODE register, FP16_OVFL: 1 makes conversions saturate. Nothing tells the compiler
// that a conversion depends on it, so what is converted passes through the statement that sets it, and what
// comes out through the one that sets it back.
#define SET_FP16_OVFL(value, ...)                                                                            \
  asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), " #value : __VA_ARGS__)

// Floats to bytes, to nearest even: in[2i] and in[2i + 1] to the low half of out[2i] and to the high half of
// out[2i + 1], whose other halves are those of `kept`.
#define NARROW(name, type, fp16_ovfl)                                                                        \
  CDNA_CTS_KERNEL name(const float* in, unsigned* out, int kept) {                                           \
    const unsigned i = lane_of_launch();                                                                     \
    float a = in[2 * i], b = in[2 * i + 1];                                                                  \
    SET_FP16_OVFL(fp16_ovfl, "+v"(a), "+v"(b));                                                              \
    int low = __builtin_amdgcn_cvt_pk_##type##_f32(a, b, kept, false),                                       \
        high = __builtin_amdgcn_cvt_pk_##type##_f32(a, b, kept, true);                                       \
    SET_FP16_OVFL(0, "+v"(low), "+v"(high));                                                                 \
    out[2 * i] = static_cast<unsigned>(low);                                                                 \
    out[2 * i + 1] = static_cast<unsigned>(high);                                                            \
  }
NARROW(narrow_fp8, fp8, 0)
NARROW(narrow_bf8, bf8, 0)
NARROW(narrow_fp8_saturating, fp8, 1)
NARROW(narrow_bf8_saturating, bf8, 1)

// One float a lane to bytes, stochastically: out[4i + n] is `kept` with byte n replaced.
#define ROUND(type)                                                                                          \
  CDNA_CTS_KERNEL round_##type(const float* in, const unsigned* random, unsigned* out, int kept) {           \
    const unsigned i = lane_of_launch();                                                                     \
    out[4 * i] = static_cast<unsigned>(__builtin_amdgcn_cvt_sr_##type##_f32(in[i], random[i], kept, 0));     \
    out[4 * i + 1] = static_cast<unsigned>(__builtin_amdgcn_cvt_sr_##type##_f32(in[i], random[i], kept, 1)); \
    out[4 * i + 2] = static_cast<unsigned>(__builtin_amdgcn_cvt_sr_##type##_f32(in[i], random[i], kept, 2)); \
    out[4 * i + 3] = static_cast<unsigned>(__builtin_amdgcn_cvt_sr_##type##_f32(in[i], random[i], kept, 3)); \
  }
ROUND(fp8)
ROUND(bf8)

// HIP's types of the target: bytes as numbers, and floats as bytes.
#if defined(__gfx942__)
typedef __hip_fp8_e4m3_fnuz hip_fp8;
typedef __hip_fp8_e5m2_fnuz hip_bf8;
#else
typedef __hip_fp8_e4m3 hip_fp8;
typedef __hip_fp8_e5m2 hip_bf8;
#endif

#define HIP_TYPE(type)                                                                                       \
  CDNA_CTS_KERNEL hip_type_##type(const unsigned char* bytes, const float* values, float* widened,           \
                                  unsigned char* narrowed) {                                                 \
    const unsigned i = lane_of_launch();                                                                     \
    hip_##type number;                                                                                       \
    number.__x = bytes[i];                                                                                   \
    widened[i] = static_cast<float>(number);                                                                 \
    narrowed[i] = hip_##type(values[i]).__x;                                                                 \
  }
HIP_TYPE(fp8)
HIP_TYPE(bf8)
