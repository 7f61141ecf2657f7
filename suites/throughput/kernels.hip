// Loops of matrix instructions and of LDS reads, to be timed. Four waves a workgroup, one on each SIMD.
// kernels.cpp says what one iteration of each executes; tests/throughput counts that it does.
#include "common/hip/vectors.hip.hpp"

#define DEVICE __attribute__((device, always_inline)) inline
#define LOOP_KERNEL extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256))) void
#define MATRIX_KERNEL(name, A, B, D)                                                                         \
  LOOP_KERNEL name(const A* a, const B* b, const int* index, D* d, unsigned iterations)

DEVICE unsigned lane() { return __builtin_amdgcn_workitem_id_x() % 64; }
DEVICE unsigned thread_of_launch() {
  return __builtin_amdgcn_workgroup_id_x() * 256u + __builtin_amdgcn_workitem_id_x();
}

/// One accumulator: each instruction waits for the one before.
template <typename D, typename Product>
DEVICE void one_chain(D* d, unsigned iterations, const Product& product) {
  D sum{};
  for (unsigned n = 0; n < iterations; ++n) sum = product(sum);
  d[thread_of_launch()] = sum;
}

/// Four accumulators, one instruction each in turn; `between` comes behind every one.
template <typename D, typename Product, typename Between>
DEVICE void four_chains(D* d, unsigned iterations, const Product& product, const Between& between) {
  D first{}, second{}, third{}, fourth{};
  for (unsigned n = 0; n < iterations; ++n) {
    first = product(first);
    between();
    second = product(second);
    between();
    third = product(third);
    between();
    fourth = product(fourth);
    between();
  }
  d[thread_of_launch()] = first + second + third + fourth;
}

#define DENSE(builtin) __builtin_amdgcn_##builtin(x, y, sum, 0, 0, 0)
#define SPARSE(builtin) __builtin_amdgcn_##builtin(x, y, sum, positions, 0, 0)
#define OPERANDS(A, B)                                                                                       \
  const A x = a[lane()];                                                                                     \
  const B y = b[lane()];                                                                                     \
  const int positions = index[lane()];                                                                       \
  (void)positions

#define RATE(builtin, product, A, B, D)                                                                      \
  MATRIX_KERNEL(rate_##builtin, A, B, D) {                                                                   \
    OPERANDS(A, B);                                                                                          \
    four_chains(                                                                                             \
        d, iterations, [=](D sum) { return product(builtin); }, [] {});                                      \
  }
#define CHAIN(builtin, product, A, B, D)                                                                     \
  MATRIX_KERNEL(chain_##builtin, A, B, D) {                                                                  \
    OPERANDS(A, B);                                                                                          \
    one_chain(d, iterations, [=](D sum) { return product(builtin); });                                       \
  }

RATE(mfma_f64_16x16x4f64, DENSE, double, double, double4)
RATE(mfma_f64_4x4x4f64, DENSE, double, double, double)
RATE(mfma_f32_16x16x4f32, DENSE, float, float, float4)
RATE(mfma_f32_16x16x4f16, DENSE, half4, half4, float16)
RATE(mfma_f32_16x16x16f16, DENSE, half4, half4, float4)
RATE(mfma_f32_32x32x8f16, DENSE, half4, half4, float16)
RATE(mfma_f32_16x16x16bf16_1k, DENSE, short4, short4, float4)
RATE(mfma_i32_16x16x32_i8, DENSE, long, long, int4)
RATE(mfma_f32_16x16x32_fp8_fp8, DENSE, long, long, float4)
RATE(smfmac_f32_16x16x64_fp8_fp8, SPARSE, int2, int4, float4)
RATE(smfmac_f32_32x32x32_fp8_fp8, SPARSE, int2, int4, float16)
CHAIN(mfma_f32_16x16x16f16, DENSE, half4, half4, float4)
CHAIN(mfma_f32_32x32x8f16, DENSE, half4, half4, float16)
CHAIN(mfma_f64_16x16x4f64, DENSE, double, double, double4)

#if defined(__gfx942__)
RATE(mfma_f32_16x16x8_xf32, DENSE, float2, float2, float4)
#endif
#if defined(__gfx950__)
RATE(mfma_f32_16x16x32_f16, DENSE, half8, half8, float4)
RATE(mfma_i32_16x16x64_i8, DENSE, int4, int4, int4)
RATE(smfmac_f32_16x16x128_fp8_fp8, SPARSE, int4, int8, float4)
#define FP8_FP8(builtin) __builtin_amdgcn_##builtin(x, y, sum, 0, 0, 0, 0, 0, 0)
RATE(mfma_scale_f32_16x16x128_f8f6f4, FP8_FP8, int8, int8, float4)
#endif

/// `count` VALU instructions on registers of their own, one after the other where the compiler cannot move
/// them.
template <int count> DEVICE void valu(float& a, float& b, float& c, float& e) {
  if constexpr (count > 0) {
    asm volatile("v_fma_f32 %0, %0, 1.0, 0" : "+v"(a));
    valu<count - 1>(b, c, e, a);
  }
}

#define WITH_VALU(builtin, product, A, B, D, count)                                                          \
  MATRIX_KERNEL(valu_##count##_##builtin, A, B, D) {                                                         \
    OPERANDS(A, B);                                                                                          \
    float v0 = 1, v1 = 2, v2 = 3, v3 = 4;                                                                    \
    four_chains(                                                                                             \
        d, iterations, [=](D sum) { return product(builtin); },                                              \
        [&] {                                                                                                \
          __builtin_amdgcn_sched_barrier(0);                                                                 \
          valu<count>(v0, v1, v2, v3);                                                                       \
          __builtin_amdgcn_sched_barrier(0);                                                                 \
        });                                                                                                  \
  }
#define WITH_VALUS(builtin, product, A, B, D)                                                                \
  WITH_VALU(builtin, product, A, B, D, 1)                                                                    \
  WITH_VALU(builtin, product, A, B, D, 2)                                                                    \
  WITH_VALU(builtin, product, A, B, D, 3)                                                                    \
  WITH_VALU(builtin, product, A, B, D, 4)                                                                    \
  WITH_VALU(builtin, product, A, B, D, 6)                                                                    \
  WITH_VALU(builtin, product, A, B, D, 8)
WITH_VALUS(mfma_f32_16x16x16f16, DENSE, half4, half4, float4)
WITH_VALUS(smfmac_f32_16x16x64_fp8_fp8, SPARSE, int2, int4, float4)
WITH_VALUS(smfmac_f32_32x32x32_fp8_fp8, SPARSE, int2, int4, float16)

#if defined(__gfx950__)
// A and B come from LDS in every iteration: the same K, by two narrow instructions or one wide one.
constexpr unsigned slots = 8;
template <typename Input, int steps, typename Product>
DEVICE void from_lds(const Input* a, const Input* b, float4* d, unsigned iterations, const Product& product) {
  __attribute__((shared)) static Input tile_a[slots * 64], tile_b[slots * 64];
  for (unsigned i = __builtin_amdgcn_workitem_id_x(); i < slots * 64; i += 256) {
    tile_a[i] = a[i % 64];
    tile_b[i] = b[i % 64];
  }
  __builtin_amdgcn_s_waitcnt(0);
  __builtin_amdgcn_s_barrier();
  asm volatile("" ::: "memory");
  float4 first{}, second{};
  for (unsigned n = 0; n < iterations; ++n)
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      const unsigned at = (2 * (n * steps + static_cast<unsigned>(step)) % slots) * 64 + lane();
      first = product(tile_a[at], tile_b[at], first);
      second = product(tile_a[at + 64], tile_b[at + 64], second);
    }
  d[thread_of_launch()] = first + second;
}
MATRIX_KERNEL(lds_mfma_f32_16x16x16f16, half4, half4, float4) {
  (void)index;
  from_lds<half4, 2>(a, b, d, iterations,
                     [](half4 x, half4 y, float4 sum) { return DENSE(mfma_f32_16x16x16f16); });
}
MATRIX_KERNEL(lds_mfma_f32_16x16x32_f16, half8, half8, float4) {
  (void)index;
  from_lds<half8, 1>(a, b, d, iterations,
                     [](half8 x, half8 y, float4 sum) { return DENSE(mfma_f32_16x16x32_f16); });
}
#endif

// LDS reads: lane l reads at dword l * stride, four times an iteration. What they read is summed, so that a
// test knows that they read it.
constexpr unsigned tile_dwords = 4096;
typedef __attribute__((address_space(3))) unsigned LdsWord;

DEVICE unsigned first_dword(unsigned value) { return value; }
DEVICE unsigned first_dword(int2 value) { return static_cast<unsigned>(value.x); }
DEVICE unsigned first_dword(int4 value) { return static_cast<unsigned>(value.x); }

#define LDS_READS(instruction, Value)                                                                        \
  LOOP_KERNEL lds_##instruction(unsigned* d, unsigned iterations, unsigned stride) {                         \
    __attribute__((shared, aligned(16))) static unsigned tile[tile_dwords];                                  \
    for (unsigned i = __builtin_amdgcn_workitem_id_x(); i < tile_dwords; i += 256) tile[i] = i;              \
    __builtin_amdgcn_s_waitcnt(0);                                                                           \
    __builtin_amdgcn_s_barrier();                                                                            \
    const LdsWord* at = (const LdsWord*)tile + lane() * stride % tile_dwords;                                \
    unsigned sum = 0;                                                                                        \
    for (unsigned n = 0; n < iterations; ++n) {                                                              \
      Value v0, v1, v2, v3;                                                                                  \
      asm volatile(#instruction " %0, %4\n\t" #instruction " %1, %4\n\t" #instruction                        \
                                " %2, %4\n\t" #instruction " %3, %4\n\ts_waitcnt lgkmcnt(0)"                 \
                   : "=&v"(v0), "=&v"(v1), "=&v"(v2), "=&v"(v3)                                              \
                   : "v"(at)                                                                                 \
                   : "memory");                                                                              \
      sum += first_dword(v0) + first_dword(v1) + first_dword(v2) + first_dword(v3);                          \
    }                                                                                                        \
    d[thread_of_launch()] = sum;                                                                             \
  }
LDS_READS(ds_read_b32, unsigned)
LDS_READS(ds_read_b64, int2)
LDS_READS(ds_read_b128, int4)
