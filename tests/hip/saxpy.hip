// A whole HIP program as a user writes it: it knows nothing of what runs it.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const hipError_t error = (call);                                                                         \
    if (error != hipSuccess) {                                                                               \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(error));          \
      std::exit(1);                                                                                          \
    }                                                                                                        \
  } while (false)

__constant__ float factor;
__device__ unsigned blocks_done;
__managed__ unsigned items_done = 40;

__global__ void saxpy(unsigned n, const float* x, float* y) {
  extern __shared__ float staged[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) {
    y[i] += factor * staged[threadIdx.x];
    atomicAdd(&items_done, 1u);
  }
  if (threadIdx.x == 0) atomicAdd(&blocks_done, 1u);
}

int main(int count, char** arguments) {
  constexpr unsigned n = 1000, threads = 128, blocks = (n + threads - 1) / threads;
  std::vector<float> x(n), y(n);
  for (unsigned i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 1.0f;
  }
  float *device_x = nullptr, *device_y = nullptr;
  CHECK(hipMalloc(&device_x, n * sizeof(float)));
  CHECK(hipMalloc(&device_y, n * sizeof(float)));
  CHECK(hipMemcpy(device_x, x.data(), n * sizeof(float), hipMemcpyHostToDevice));
  CHECK(hipMemcpy(device_y, y.data(), n * sizeof(float), hipMemcpyHostToDevice));
  const float two = 2.0f;
  const unsigned zero = 0;
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), &two, sizeof two));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(blocks_done), &zero, sizeof zero));

  hipEvent_t start, stop;
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  CHECK(hipEventRecord(start));
  saxpy<<<blocks, threads, threads * sizeof(float)>>>(n, device_x, device_y);
  CHECK(hipGetLastError());
  CHECK(hipEventRecord(stop));
  CHECK(hipEventSynchronize(stop));
  float milliseconds = 0;
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));

  unsigned done = 0;
  CHECK(hipMemcpyFromSymbol(&done, HIP_SYMBOL(blocks_done), sizeof done));
  CHECK(hipMemcpy(y.data(), device_y, n * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipFree(device_x));
  CHECK(hipFree(device_y));

  unsigned wrong = 0;
  const auto expect = [&](const char* what, unsigned at, double expected, double got) {
    if (expected != got && ++wrong <= 10)
      std::fprintf(stderr, "%s %u: expected %g, got %g\n", what, at, expected, got);
  };
  for (unsigned i = 0; i < n; ++i) expect("element", i, 1.0 + 2.0 * i, y[i]);
  expect("blocks counted, of", blocks, blocks, done);
  expect("items counted, of", n, 40 + n, items_done);
  if (!(milliseconds > 0)) expect("milliseconds, more than", 0, 1, milliseconds);

  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  const std::string_view arch = properties.gcnArchName;
  if (count > 1 && !arch.starts_with(arguments[1])) {
    std::fprintf(stderr, "expected a device %s, got %s\n", arguments[1], properties.gcnArchName);
    ++wrong;
  }
  std::printf("saxpy on %s: %u wrong\n", properties.gcnArchName, wrong);
  return wrong == 0 ? 0 : 1;
}
