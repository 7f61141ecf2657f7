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

// F8F6F4 with the format codes of A and B in the kernel's name. Scales that are literal zeros make the
// unscaled instruction.
#define ONE_F8F6F4(builtin, Output, a_format, b_format)                                                      \
  CDNA_CTS_KERNEL builtin##_##a_format##_##b_format(const int8* a, const int8* b, const Output* c,           \
                                                    Output* d) {                                             \
    const unsigned i = lane_of_launch();                                                                     \
    d[i] = __builtin_amdgcn_##builtin(a[i], b[i], c[i], a_format, b_format, 0, 0, 0, 0);                     \
  }

// Wait states enough for the result of any matrix instruction, for kernels that branch between it and its
// first use: LLVM 22 counts all branches at the end of a block, also those behind the one that is taken, and
// leaves one wait state too few. Spacing has a suite of its own (mfma_hazards).
#define SETTLE(result) asm volatile("s_nop 15\n\ts_nop 15" : "+v"(result))
