// rocPRIM's algorithms of a whole device: sums, scans with look-back from block to block, selection,
// histograms.
#include "rocprim_support.hpp"

#include <rocprim/device/device_histogram.hpp>
#include <rocprim/device/device_reduce.hpp>
#include <rocprim/device/device_scan.hpp>
#include <rocprim/device/device_select.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

using namespace cts::rocprim_checks;

namespace {

struct IsOdd {
  __host__ __device__ bool operator()(unsigned value) const { return (value & 1) != 0; }
};

void try_reductions(const std::vector<unsigned>& values) {
  const unsigned* in = on_device(values);
  unsigned* out = room<unsigned>(1);
  run("reduce", [&](void* temporary, std::size_t& bytes) {
    return rocprim::reduce(temporary, bytes, in, out, 5U, values.size(), rocprim::plus<unsigned>());
  });
  expect<unsigned>("sum", out, {std::accumulate(values.begin(), values.end(), 5U)});
  run("reduce", [&](void* temporary, std::size_t& bytes) {
    return rocprim::reduce(temporary, bytes, in, out, 0U, values.size(), rocprim::maximum<unsigned>());
  });
  expect<unsigned>("maximum", out, {*std::max_element(values.begin(), values.end())});
}

void try_scans(const std::vector<unsigned>& values) {
  const unsigned* in = on_device(values);
  unsigned* out = room<unsigned>(values.size());
  std::vector<unsigned> expected(values.size());
  run("inclusive_scan", [&](void* temporary, std::size_t& bytes) {
    return rocprim::inclusive_scan(temporary, bytes, in, out, values.size(), rocprim::plus<unsigned>());
  });
  std::inclusive_scan(values.begin(), values.end(), expected.begin());
  expect("inclusive scan", out, expected);
  run("exclusive_scan", [&](void* temporary, std::size_t& bytes) {
    return rocprim::exclusive_scan(temporary, bytes, in, out, 9U, values.size(), rocprim::plus<unsigned>());
  });
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 9U);
  expect("exclusive scan", out, expected);
}

void try_selection(const std::vector<unsigned>& values) {
  const unsigned* in = on_device(values);
  unsigned* out = room<unsigned>(values.size());
  unsigned* count = room<unsigned>(1);
  std::vector<unsigned> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), IsOdd());
  run("select", [&](void* temporary, std::size_t& bytes) {
    return rocprim::select(temporary, bytes, in, out, count, values.size(), IsOdd());
  });
  expect<unsigned>("selected", count, {static_cast<unsigned>(expected.size())});
  expect("selection", out, expected);
}

/// Values below 64, counted.
void try_histogram(const std::vector<unsigned>& values) {
  const unsigned* in = on_device(values);
  unsigned* out = room<unsigned>(64);
  std::vector<unsigned> expected(64);
  for (const unsigned value : values) {
    ++expected[value];
  }
  run("histogram_even", [&](void* temporary, std::size_t& bytes) {
    return rocprim::histogram_even(temporary, bytes, in, static_cast<unsigned>(values.size()), out, 65U, 0U,
                                   64U);
  });
  expect("histogram", out, expected);
}

} // namespace

int main() {
  for (const std::size_t size : {1U, 63U, 5000U, 20000U}) {
    std::printf("%zu values\n", size);
    const std::vector<unsigned> values = numbers(size, 64);
    try_reductions(values);
    try_scans(values);
    try_selection(values);
    try_histogram(values);
  }
  return finish();
}
