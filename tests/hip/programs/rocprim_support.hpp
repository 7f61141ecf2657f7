#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

/// What the programs on rocPRIM's kernels share: device memory, numbers, and comparison with what the
/// standard library gives.
namespace cts::rocprim_checks {

inline void must(hipError_t status, const char* what) {
  if (status == hipSuccess) {
    return;
  }
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
  std::exit(2);
}

/// Device memory for `size` values; lives until the process ends.
template <typename T> T* room(std::size_t size) {
  T* memory = nullptr;
  must(hipMalloc(&memory, size * sizeof(T)), "hipMalloc");
  return memory;
}

/// The values in device memory.
template <typename T> T* on_device(const std::vector<T>& values) {
  T* memory = room<T>(values.size());
  must(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice),
       "hipMemcpy to the device");
  return memory;
}

/// `size` numbers below `limit`, the same ones in every run.
inline std::vector<unsigned> numbers(std::size_t size, unsigned limit) {
  std::mt19937 generator(7);
  std::vector<unsigned> values(size);
  for (unsigned& value : values) {
    value = generator() % limit;
  }
  return values;
}

/// Calls a device-wide algorithm as rocPRIM wants it: first for the size of its temporary memory, then with
/// it.
template <typename Algorithm> void run(const char* name, Algorithm algorithm) {
  std::size_t bytes = 0;
  must(algorithm(nullptr, bytes), name);
  char* temporary = room<char>(bytes + 1);
  must(algorithm(temporary, bytes), name);
  must(hipDeviceSynchronize(), name);
}

inline int wrong = 0;

/// Compares what is in device memory with what is expected, bit for bit, and says so.
template <typename T>
void expect(const char* name, const std::type_identity_t<T>* device, const std::vector<T>& expected) {
  std::vector<T> got(expected.size());
  must(hipMemcpy(got.data(), device, got.size() * sizeof(T), hipMemcpyDeviceToHost), "hipMemcpy to the host");
  std::size_t item = 0;
  while (item < got.size() && got[item] == expected[item]) {
    ++item;
  }
  if (item == got.size()) {
    std::printf("%s: %zu as expected\n", name, got.size());
    return;
  }
  ++wrong;
  std::printf("%s: item %zu of %zu: expected %g, got %g\n", name, item, got.size(),
              static_cast<double>(expected[item]), static_cast<double>(got[item]));
}

/// The last line of a program, and its exit status.
inline int finish() {
  std::puts(wrong == 0 ? "all as expected" : "not all as expected");
  return wrong == 0 ? 0 : 1;
}

} // namespace cts::rocprim_checks
