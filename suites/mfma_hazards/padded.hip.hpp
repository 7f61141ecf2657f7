// Dependent MFMAs in inline assembly with exactly the wait states that the ISA's table asks for (ISA3 7.5
// Table 37, ISA4 7.6 Table 38). A code check holds the numbers against the reference's table.
//
// Registers are fixed: A v[16:17], B v[18:19], C v[20:23], first D from v24 on, second result from v60 on.
#pragma once

#include "common/hip/vectors.hip.hpp"

#define WAITS_EXPANDED(n) ".rept " #n "\n\ts_nop 0\n\t.endr\n\t"
#define WAITS(n) WAITS_EXPANDED(n)

// <class>_<passes>_TO_<use>; REST: A, B, VALU and memory.
#if defined(__gfx950__)
#define XDL_4_TO_C 6
#define XDL_4_TO_REST 8
#define XDL_16_TO_REST 20
#define DGEMM_16_TO_VALU 19
#else
#define XDL_4_TO_C 5
#define XDL_4_TO_REST 7
#define XDL_16_TO_REST 19
#define DGEMM_16_TO_VALU 11
#endif
#define XDL_4_C_TO_OVERWRITE 3
#define SGEMM_8_TO_REST 10
#define DGEMM_16_TO_MEMORY 18

// For what VALU instructions put into the inputs, and for whatever reads the outputs.
#define BEFORE "s_nop 1\n\t"
#define AFTER WAITS(20)

#define BF16_16X16X16 "v_mfma_f32_16x16x16_bf16 "
#define FIRST BF16_16X16X16 "v[24:27], v[16:17], v[18:19], v[20:23]\n\t"

#define PADDED_KERNEL(name, Output)                                                                          \
  CDNA_CTS_KERNEL padded_##name(const int2* a, const int2* b, const int4* c, Output* d)
#define INPUTS "{v[16:17]}"(a[i]), "{v[18:19]}"(b[i]), "{v[20:23]}"(c[i])

PADDED_KERNEL(d_to_a, int4) {
  const unsigned i = lane_of_launch();
  int4 first, second;
  asm volatile(BEFORE FIRST WAITS(XDL_4_TO_REST) BF16_16X16X16
               "v[60:63], v[24:25], v[18:19], v[20:23]\n\t" AFTER
               : "=&{v[24:27]}"(first), "=&{v[60:63]}"(second)
               : INPUTS);
  d[i] = second;
}

PADDED_KERNEL(d_to_b, int4) {
  const unsigned i = lane_of_launch();
  int4 first, second;
  asm volatile(BEFORE FIRST WAITS(XDL_4_TO_REST) BF16_16X16X16
               "v[60:63], v[16:17], v[24:25], v[20:23]\n\t" AFTER
               : "=&{v[24:27]}"(first), "=&{v[60:63]}"(second)
               : INPUTS);
  d[i] = second;
}

// Exactly the same C: no wait state at all.
PADDED_KERNEL(exact_c, int4) {
  const unsigned i = lane_of_launch();
  int4 sum;
  asm volatile(BEFORE FIRST BF16_16X16X16 "v[24:27], v[16:17], v[18:19], v[24:27]\n\t" BF16_16X16X16
                                          "v[24:27], v[16:17], v[18:19], v[24:27]\n\t" BF16_16X16X16
                                          "v[24:27], v[16:17], v[18:19], v[24:27]\n\t" AFTER
               : "=&{v[24:27]}"(sum)
               : INPUTS);
  d[i] = sum;
}

// D is the first quarter of a wider C; the other three quarters hold this kernel's C.
PADDED_KERNEL(partial_c, int16) {
  const unsigned i = lane_of_launch();
  int4 first;
  int16 second;
  asm volatile(BEFORE FIRST WAITS(
                   XDL_4_TO_C) "v_mfma_f32_16x16x4_4b_bf16 v[60:75], v[16:17], v[18:19], v[24:39]\n\t" AFTER
               : "=&{v[24:27]}"(first), "=&{v[60:75]}"(second)
               : INPUTS, "{v[28:31]}"(c[i]), "{v[32:35]}"(c[i]), "{v[36:39]}"(c[i]));
  d[i] = second;
}

#define DOUBLE_OF_FOUR                                                                                       \
  "v_add_f32 v60, v24, v24\n\tv_add_f32 v61, v25, v25\n\t"                                                   \
  "v_add_f32 v62, v26, v26\n\tv_add_f32 v63, v27, v27\n\t"

PADDED_KERNEL(d_to_valu, int4) {
  const unsigned i = lane_of_launch();
  int4 first, second;
  asm volatile(BEFORE FIRST WAITS(XDL_4_TO_REST) DOUBLE_OF_FOUR
               : "=&{v[24:27]}"(first), "=&{v[60:63]}"(second)
               : INPUTS);
  d[i] = second;
}

PADDED_KERNEL(d_to_store, int4) {
  const unsigned i = lane_of_launch();
  int4 first;
  asm volatile(BEFORE FIRST WAITS(XDL_4_TO_REST) "global_store_dwordx4 v[60:61], v[24:27], off\n\t"
                                                 "s_waitcnt vmcnt(0)"
               : "=&{v[24:27]}"(first)
               : INPUTS, "{v[60:61]}"(d + i)
               : "memory");
}

// VALU instructions overwrite the C that the MFMA still reads, the earliest one after as many wait states as
// it takes.
PADDED_KERNEL(c_overwritten, int4) {
  const unsigned i = lane_of_launch();
  int4 first, rest = c[i];
  asm volatile(BEFORE BF16_16X16X16 "v[24:27], v[16:17], v[18:19], v[20:23]\n\t" WAITS(
                   XDL_4_C_TO_OVERWRITE) "v_mov_b32 v23, 0x42280000\n\tv_mov_b32 v22, 0x42280000\n\t"
                                         "v_mov_b32 v21, 0x42280000\n\tv_mov_b32 v20, 0x42280000\n\t" AFTER
               : "=&{v[24:27]}"(first), "+{v[20:23]}"(rest)
               : "{v[16:17]}"(a[i]), "{v[18:19]}"(b[i]));
  d[i] = first;
}

// 16 passes.
PADDED_KERNEL(long_d_to_valu, int4) {
  const unsigned i = lane_of_launch();
  int32 first;
  int4 second;
  asm volatile(BEFORE "v_mfma_f32_32x32x4_2b_bf16 v[24:55], v[16:17], v[18:19], 0\n\t" WAITS(XDL_16_TO_REST)
                   DOUBLE_OF_FOUR
               : "=&{v[24:55]}"(first), "=&{v[60:63]}"(second)
               : INPUTS);
  d[i] = second;
}

// F32, 8 passes: what it needs is one less than XDL.
PADDED_KERNEL(f32_d_to_a, int4) {
  const unsigned i = lane_of_launch();
  int4 first, second;
  asm volatile(BEFORE "v_mfma_f32_16x16x4_f32 v[24:27], v16, v18, v[20:23]\n\t" WAITS(
                   SGEMM_8_TO_REST) "v_mfma_f32_16x16x4_f32 v[60:63], v24, v18, v[20:23]\n\t" AFTER
               : "=&{v[24:27]}"(first), "=&{v[60:63]}"(second)
               : INPUTS);
  d[i] = second;
}

PADDED_KERNEL(f64_d_to_valu, int8) {
  const unsigned i = lane_of_launch();
  int8 first, second;
  asm volatile(BEFORE "v_mfma_f64_16x16x4_f64 v[24:31], v[16:17], v[18:19], 0\n\t" WAITS(
                   DGEMM_16_TO_VALU) "v_add_f64 v[60:61], v[24:25], v[24:25]\n\tv_add_f64 v[62:63], "
                                     "v[26:27], v[26:27]\n\t"
                                     "v_add_f64 v[64:65], v[28:29], v[28:29]\n\tv_add_f64 v[66:67], "
                                     "v[30:31], v[30:31]\n\t"
               : "=&{v[24:31]}"(first), "=&{v[60:67]}"(second)
               : INPUTS);
  d[i] = second;
}

PADDED_KERNEL(f64_d_to_store, int8) {
  const unsigned i = lane_of_launch();
  int8 first;
  asm volatile(BEFORE "v_mfma_f64_16x16x4_f64 v[24:31], v[16:17], v[18:19], 0\n\t" WAITS(
                   DGEMM_16_TO_MEMORY) "global_store_dwordx4 v[60:61], v[24:27], off\n\t"
                                       "global_store_dwordx4 v[60:61], v[28:31], off offset:16\n\t"
                                       "s_waitcnt vmcnt(0)"
               : "=&{v[24:31]}"(first)
               : INPUTS, "{v[60:61]}"(d + i)
               : "memory");
}
