// Vector types of the matrix builtins, for device code. HIP's own headers have types of the same names: a
// kernel that includes one of them includes kernel.hip.hpp only.
// The matrix builtins take FP16 vectors of __fp16 or _Float16 up to clang 22, of _Float16 alone later; the
// bits are the same.
#pragma once

#include "common/hip/kernel.hip.hpp"

#if __clang_major__ >= 23
typedef _Float16 half_item;
#else
typedef __fp16 half_item;
#endif

typedef half_item half4 __attribute__((ext_vector_type(4)));
typedef half_item half8 __attribute__((ext_vector_type(8)));
typedef __bf16 bfloat8 __attribute__((ext_vector_type(8)));
typedef short short4 __attribute__((ext_vector_type(4))); // BF16 of the builtins that end in _1k
typedef short short8 __attribute__((ext_vector_type(8)));
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float16 __attribute__((ext_vector_type(16)));
typedef float float32 __attribute__((ext_vector_type(32)));
typedef double double4 __attribute__((ext_vector_type(4)));
typedef half_item half16 __attribute__((ext_vector_type(16)));
typedef __bf16 bfloat16 __attribute__((ext_vector_type(16)));
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int3 __attribute__((ext_vector_type(3)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef int int8 __attribute__((ext_vector_type(8)));
typedef int int16 __attribute__((ext_vector_type(16)));
typedef int int32 __attribute__((ext_vector_type(32)));
typedef unsigned uint4 __attribute__((ext_vector_type(4)));
