// Kernels in which every workgroup is one wave that executes one matrix instruction: lane l brings its VGPRs
// of A, B and C from its own place in memory and leaves its VGPRs of D there (suites/shared/mfma_waves.hpp
// launches them). The types are the including file's.
#pragma once

#include "common/hip/kernel.hip.hpp"

// The kernel is named as the builtin is.
#define ONE_MFMA(builtin, Input, Output)                                                                     \
  CDNA_CTS_KERNEL builtin(const Input* a, const Input* b, const Output* c, Output* d) {                      \
    const unsigned i = lane_of_launch();                                                                     \
    d[i] = __builtin_amdgcn_##builtin(a[i], b[i], c[i], 0, 0, 0);                                            \
  }

// The same with CBSZ, ABID and BLGP, which the name carries.
#define ONE_MFMA_FIELDS(builtin, Input, Output, cbsz, abid, blgp)                                            \
  CDNA_CTS_KERNEL builtin##_##cbsz##_##abid##_##blgp(const Input* a, const Input* b, const Output* c,        \
                                                     Output* d) {                                            \
    const unsigned i = lane_of_launch();                                                                     \
    d[i] = __builtin_amdgcn_##builtin(a[i], b[i], c[i], cbsz, abid, blgp);                                   \
  }

// Wait states enough for the result of any matrix instruction, for kernels that branch between it and its
// first use: LLVM 22 counts all branches at the end of a block, also those behind the one that is taken, and
// leaves one wait state too few. Spacing has a suite of its own (mfma_hazards).
#define SETTLE(result) asm volatile("s_nop 15\n\ts_nop 15" : "+v"(result))
