// Kernels whose order can be told from their result.
#include <hip/hip_runtime.h>

extern "C" __global__ void scale(unsigned* data, unsigned factor) { data[threadIdx.x] *= factor; }
extern "C" __global__ void shift(unsigned* data, unsigned amount) { data[threadIdx.x] += amount; }

/// 20 bytes of arguments: the compiler reads up to the 32nd of them with its widest loads.
extern "C" __global__ void triple(unsigned* out, unsigned x, unsigned y, unsigned z) {
  if (threadIdx.x == 0) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }
}
