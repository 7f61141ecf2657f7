// One wave a workgroup, one matrix instruction a wave: lane l brings its VGPRs of A, B and C from its own
// place in memory and leaves its VGPRs of D there. Nothing is judged here.
#include "suites/lane_ownership/fields.hpp"
#include "suites/shared/dense_kernels.hip.hpp"
#include "suites/shared/matrix_kernels.hip.hpp"

// Every dense instruction. <builtin>: C and D in architecture VGPRs.
DENSE_MFMAS(ONE_MFMA)
F8F6F4_MFMAS(ONE_F8F6F4)

// <builtin>_acc: C and D in accumulation VGPRs.
#define ACCUMULATING(name, Input, Output, product)                                                           \
  CDNA_CTS_KERNEL name(const Input* a, const Input* b, const Output* c, Output* d) {                         \
    const unsigned i = lane_of_launch();                                                                     \
    Output acc = c[i];                                                                                       \
    asm volatile("" : "+a"(acc));                                                                            \
    acc = product;                                                                                           \
    asm volatile("" : "+a"(acc));                                                                            \
    d[i] = acc;                                                                                              \
  }
#define ACCUMULATING_MFMA(builtin, Input, Output)                                                            \
  ACCUMULATING(builtin##_acc, Input, Output, __builtin_amdgcn_##builtin(a[i], b[i], acc, 0, 0, 0))
#define ACCUMULATING_F8F6F4(builtin, Output, a_format, b_format)                                             \
  ACCUMULATING(builtin##_##a_format##_##b_format##_acc, int8, Output,                                        \
               __builtin_amdgcn_##builtin(a[i], b[i], acc, a_format, b_format, 0, 0, 0, 0))
DENSE_MFMAS(ACCUMULATING_MFMA)
#if defined(__gfx950__) // FP8 x FP8 and FP4 x FP4: formats have no part in where C and D are
ACCUMULATING_F8F6F4(mfma_scale_f32_16x16x128_f8f6f4, float4, 0, 0)
ACCUMULATING_F8F6F4(mfma_scale_f32_16x16x128_f8f6f4, float4, 4, 4)
ACCUMULATING_F8F6F4(mfma_scale_f32_32x32x64_f8f6f4, float16, 0, 0)
ACCUMULATING_F8F6F4(mfma_scale_f32_32x32x64_f8f6f4, float16, 4, 4)
#endif

// <builtin>_fields: the instruction with CBSZ, ABID and BLGP, of which each wave takes those whose number it
// reads (fields.hpp).
template <typename T, T... numbers> struct Sequence {};

template <typename Mfma, int most_cbsz, typename Input, typename Output, int... numbers>
__attribute__((device, always_inline)) inline void one_of(Sequence<int, numbers...>, int code, Input x,
                                                          Input y, Output& acc) {
  constexpr auto known = cts::lane_ownership::field_codes(most_cbsz);
  ((code == known.codes[numbers]
        ? static_cast<void>(acc = Mfma::template run<known.codes[numbers]>(x, y, acc))
        : void()),
   ...);
}

#define MFMA_BY_FIELDS(builtin, Input, Output, most_cbsz)                                                    \
  struct builtin##_of_fields {                                                                               \
    template <int code>                                                                                      \
    static __attribute__((device, always_inline)) Output run(Input x, Input y, Output acc) {                 \
      using namespace cts::lane_ownership;                                                                   \
      return __builtin_amdgcn_##builtin(x, y, acc, cbsz_of(code), abid_of(code), blgp_of(code));             \
    }                                                                                                        \
  };                                                                                                         \
  CDNA_CTS_KERNEL builtin##_fields(const Input* a, const Input* b, const Output* c, const int* codes,        \
                                   Output* d) {                                                              \
    const unsigned i = lane_of_launch();                                                                     \
    Output acc = c[i];                                                                                       \
    one_of<builtin##_of_fields, most_cbsz>(                                                                  \
        __make_integer_seq<Sequence, int, cts::lane_ownership::field_codes(most_cbsz).count>{},              \
        __builtin_amdgcn_readfirstlane(codes[i]), a[i], b[i], acc);                                          \
    SETTLE(acc);                                                                                             \
    d[i] = acc;                                                                                              \
  }

MFMA_BY_FIELDS(mfma_f32_32x32x1f32, float, float32, 1)
MFMA_BY_FIELDS(mfma_f32_16x16x1f32, float, float16, 2)
MFMA_BY_FIELDS(mfma_f32_4x4x1f32, float, float4, 4)
MFMA_BY_FIELDS(mfma_f32_32x32x2f32, float, float16, 0)
MFMA_BY_FIELDS(mfma_f32_16x16x4f32, float, float4, 0)
MFMA_BY_FIELDS(mfma_f32_32x32x4f16, half4, float32, 1)
MFMA_BY_FIELDS(mfma_f32_16x16x4f16, half4, float16, 2)
MFMA_BY_FIELDS(mfma_f32_4x4x4f16, half4, float4, 4)
MFMA_BY_FIELDS(mfma_f32_32x32x4bf16_1k, short4, float32, 1)
MFMA_BY_FIELDS(mfma_f32_16x16x4bf16_1k, short4, float16, 2)
MFMA_BY_FIELDS(mfma_f32_4x4x4bf16_1k, short4, float4, 4)
MFMA_BY_FIELDS(mfma_i32_32x32x4i8, int, int32, 1)
MFMA_BY_FIELDS(mfma_i32_16x16x4i8, int, int16, 2)
MFMA_BY_FIELDS(mfma_i32_4x4x4i8, int, int4, 4)

// FP64, where BLGP negates.
MFMA_BY_FIELDS(mfma_f64_16x16x4f64, double, double4, 0)
MFMA_BY_FIELDS(mfma_f64_4x4x4f64, double, double, 0)

// What a lane can see of its wave: facts[l] = {number of l by counting lanes, EXEC low, EXEC high, wave
// size}.
CDNA_CTS_KERNEL wave_facts(uint4* facts) {
  const unsigned long long exec = __builtin_amdgcn_read_exec();
  const unsigned below = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
  facts[lane_of_launch()] = uint4{below, static_cast<unsigned>(exec), static_cast<unsigned>(exec >> 32),
                                  __builtin_amdgcn_wavefrontsize()};
}
