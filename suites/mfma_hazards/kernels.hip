// MFMAs that depend on each other. In the first part the compiler has to space them (code checks read what it
// did), in padded.hip.hpp inline assembly spaces them itself (run checks).
#include "common/hip/vectors.hip.hpp"
#include "suites/mfma_hazards/padded.hip.hpp"

#define PRODUCT(a, b, c) __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0)
// FP16 16x16x16 with everything that it reads in registers, so that loads and their waits are over.
#define FP16_KERNEL(name, ...)                                                                               \
  CDNA_CTS_KERNEL name(const half4* a, const half4* b, const float4* c, float4* d __VA_OPT__(, ) __VA_ARGS__)
#define LOADED_OPERANDS                                                                                      \
  const unsigned i = lane_of_launch();                                                                       \
  half4 x = a[i], y = b[i];                                                                                  \
  float4 z = c[i];                                                                                           \
  asm volatile("" : "+v"(x), "+v"(y), "+v"(z))

/// D's registers as A or B: the bits of two F32 results.
__attribute__((device)) inline half4 low_bits(float4 d) { return __builtin_bit_cast(half4, d.xy); }
__attribute__((device)) inline half4 high_bits(float4 d) { return __builtin_bit_cast(half4, d.zw); }

FP16_KERNEL(exact_c) {
  LOADED_OPERANDS;
  d[i] = PRODUCT(x, y, PRODUCT(x, y, PRODUCT(x, y, PRODUCT(x, y, z))));
}

// D is the first quarter of the C of a four-block instruction.
CDNA_CTS_KERNEL partial_c(const half4* a, const half4* b, const float16* c, float16* d) {
  const unsigned i = lane_of_launch();
  float16 wide = c[i];
  wide.s0123 = PRODUCT(a[i], b[i], wide.s89ab);
  d[i] = __builtin_amdgcn_mfma_f32_16x16x4f16(a[i], b[i], wide, 0, 0, 0);
}

FP16_KERNEL(d_to_a) {
  LOADED_OPERANDS;
  d[i] = PRODUCT(low_bits(PRODUCT(x, y, z)), y, z);
}

FP16_KERNEL(d_to_b) {
  LOADED_OPERANDS;
  d[i] = PRODUCT(x, high_bits(PRODUCT(x, y, z)), z);
}

FP16_KERNEL(d_to_valu) {
  LOADED_OPERANDS;
  d[i] = 2.0f + PRODUCT(x, y, z);
}

FP16_KERNEL(d_to_store) {
  LOADED_OPERANDS;
  d[i] = PRODUCT(x, y, z);
}

// C in registers that a VALU instruction is to write next.
FP16_KERNEL(c_overwritten) {
  LOADED_OPERANDS;
  asm volatile("" : "+{v[20:23]}"(z));
  float4 product = PRODUCT(x, y, z);
  const float other = static_cast<float>(i);
  float4 next{other, other, other, other};
  asm volatile("" : "+{v[20:23]}"(next), "+{v[24:27]}"(product));
  d[2 * i] = product;
  d[2 * i + 1] = next;
}

FP16_KERNEL(valu_to_a) {
  LOADED_OPERANDS;
  x += y;
  d[i] = PRODUCT(x, y, z);
}

FP16_KERNEL(around_loop, int n) {
  LOADED_OPERANDS;
  float4 product;
#pragma clang loop unroll(disable)
  do {
    product = PRODUCT(x, y, z);
    x = low_bits(product);
  } while (--n > 0);
  d[i] = product;
}

FP16_KERNEL(across_branch, int n) {
  LOADED_OPERANDS;
  const float4 product = PRODUCT(x, y, z);
  if (n > 3) asm volatile("s_sleep 1");
  d[i] = PRODUCT(low_bits(product), y, z);
}

// Four wait states in an asm statement between the two.
FP16_KERNEL(asm_between) {
  LOADED_OPERANDS;
  float4 product = PRODUCT(x, y, z);
  asm volatile("s_nop 3" : "+v"(product));
  d[i] = PRODUCT(low_bits(product), y, z);
}

// An MFMA that the compiler does not see; it makes the instruction that reads the result. The address of the
// store is kept in registers of its own: it must not be written over the result too early. Nothing in the
// second asm statement is left for the compiler to repair.
#define OUTPUT_ADDRESS                                                                                       \
  float4* out = d + i;                                                                                       \
  asm volatile("" : "+v"(out))
FP16_KERNEL(asm_hidden) {
  LOADED_OPERANDS;
  OUTPUT_ADDRESS;
  float4 product;
  asm volatile("s_nop 1\n\tv_mfma_f32_16x16x16_f16 %0, %1, %2, %3" : "=&v"(product) : "v"(x), "v"(y), "v"(z));
  *out = 2.0f + product;
}
FP16_KERNEL(asm_repaired) {
  LOADED_OPERANDS;
  OUTPUT_ADDRESS;
  float4 product;
  asm volatile("s_nop 1\n\tv_mfma_f32_16x16x16_f16 %0, %1, %2, %3\n\t" WAITS(XDL_4_TO_REST)
               : "=&v"(product)
               : "v"(x), "v"(y), "v"(z));
  *out = 2.0f + product;
}
