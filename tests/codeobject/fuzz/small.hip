// A small code object as compilers make them, where a fuzzer of the loader starts: a variable, LDS, hidden arguments.
#include <hip/hip_runtime.h>

__device__ unsigned counter = 3;

extern "C" __global__ void count(unsigned* out, unsigned step) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = step;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + counter;
}
