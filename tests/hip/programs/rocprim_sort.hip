// rocPRIM's sorting of a whole device: by digits and by merging.
#include "rocprim_support.hpp"

#include <rocprim/device/device_merge_sort.hpp>
#include <rocprim/device/device_radix_sort.hpp>

#include <algorithm>
#include <numeric>

using namespace cts::rocprim_checks;

namespace {

void try_radix_sort(std::size_t size) {
  std::vector<unsigned> keys = numbers(size, ~0U);
  const unsigned* in = on_device(keys);
  unsigned* out = room<unsigned>(size);
  run("radix_sort_keys", [&](void* temporary, std::size_t& bytes) {
    return rocprim::radix_sort_keys(temporary, bytes, in, out, size);
  });
  std::sort(keys.begin(), keys.end());
  expect("radix sort", out, keys);
}

/// Sorting is stable: equal keys keep the order of their values.
void try_radix_sort_of_pairs(std::size_t size) {
  const std::vector<unsigned> keys = numbers(size, 50);
  std::vector<unsigned> values(size);
  std::iota(values.begin(), values.end(), 0U);
  const unsigned* keys_in = on_device(keys);
  const unsigned* values_in = on_device(values);
  unsigned* keys_out = room<unsigned>(size);
  unsigned* values_out = room<unsigned>(size);
  run("radix_sort_pairs", [&](void* temporary, std::size_t& bytes) {
    return rocprim::radix_sort_pairs(temporary, bytes, keys_in, keys_out, values_in, values_out, size);
  });
  std::stable_sort(values.begin(), values.end(),
                   [&](unsigned left, unsigned right) { return keys[left] < keys[right]; });
  expect("radix sort of pairs", values_out, values);
}

void try_merge_sort(std::size_t size) {
  std::vector<unsigned> keys = numbers(size, 5000);
  const unsigned* in = on_device(keys);
  unsigned* out = room<unsigned>(size);
  run("merge_sort", [&](void* temporary, std::size_t& bytes) {
    return rocprim::merge_sort(temporary, bytes, in, out, size);
  });
  std::sort(keys.begin(), keys.end());
  expect("merge sort", out, keys);
}

} // namespace

int main() {
  for (const std::size_t size : {1U, 100U, 3000U}) {
    std::printf("%zu keys\n", size);
    try_radix_sort(size);
    try_radix_sort_of_pairs(size);
    try_merge_sort(size);
  }
  return finish();
}
