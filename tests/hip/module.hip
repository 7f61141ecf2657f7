// Kernels for tests of the runtime itself: arguments, globals, dynamic LDS, limits, and one fault.
#include <hip/hip_runtime.h>

__device__ unsigned counter = 41;
__device__ unsigned table[4] = {1, 2, 3, 4};

extern "C" __global__ void mix(unsigned char a, unsigned short b, unsigned* out, double c, unsigned d) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a + 1000u * b + static_cast<unsigned>(c) + d * i;
}

extern "C" __global__ void bump() { counter += table[3] - 3; }

extern "C" __global__ void reverse(unsigned* data) {
  extern __shared__ unsigned shared[];
  shared[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void __launch_bounds__(64) narrow(unsigned* out) { out[threadIdx.x] = threadIdx.x; }

extern "C" __global__ void keep(unsigned* out) {
  __shared__ unsigned local[512];
  local[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = local[511 - threadIdx.x];
}

/// Uses a loaded value before the wait that makes it valid.
extern "C" __global__ void early(unsigned* out) {
  unsigned loaded, sum;
  asm volatile("global_load_dword %0, %2, off\n"
               "v_add_u32 %1, 1, %0\n"
               "s_waitcnt vmcnt(0)"
               : "=&v"(loaded), "=&v"(sum)
               : "v"(out)
               : "memory");
  out[threadIdx.x] = sum;
}

extern "C" __global__ void fault(unsigned* out) { out[1u << 20] = 1; }
