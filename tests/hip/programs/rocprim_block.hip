// rocPRIM's algorithms of one block and of one wave.
#include "rocprim_support.hpp"

#include <rocprim/block/block_exchange.hpp>
#include <rocprim/block/block_radix_sort.hpp>
#include <rocprim/block/block_reduce.hpp>
#include <rocprim/block/block_scan.hpp>
#include <rocprim/block/block_sort.hpp>
#include <rocprim/warp/warp_reduce.hpp>
#include <rocprim/warp/warp_scan.hpp>
#include <rocprim/warp/warp_sort.hpp>

#include <algorithm>
#include <numeric>

using namespace cts::rocprim_checks;

namespace {

constexpr unsigned per_thread = 4;

struct Results {
  unsigned* sum;
  unsigned* scanned;
  unsigned* sorted;
  unsigned* striped;      // per_thread items a thread, from blocked to striped order
  unsigned* radix_sorted; // per_thread items a thread
};

template <unsigned size> __global__ void block_algorithms(const unsigned* in, Results out) {
  using Reduce = rocprim::block_reduce<unsigned, size>;
  using Scan = rocprim::block_scan<unsigned, size>;
  using Sort = rocprim::block_sort<unsigned, size>;
  using Exchange = rocprim::block_exchange<unsigned, size, per_thread>;
  using RadixSort = rocprim::block_radix_sort<unsigned, size, per_thread>;
  __shared__ typename Reduce::storage_type reduce_storage;
  __shared__ typename Scan::storage_type scan_storage;
  __shared__ typename Sort::storage_type sort_storage;
  __shared__ typename Exchange::storage_type exchange_storage;
  __shared__ typename RadixSort::storage_type radix_storage;

  const unsigned value = in[blockIdx.x * size + threadIdx.x];
  unsigned sum;
  Reduce().reduce(value, sum, reduce_storage, rocprim::plus<unsigned>());
  if (threadIdx.x == 0) {
    out.sum[blockIdx.x] = sum;
  }
  unsigned scanned;
  Scan().inclusive_scan(value, scanned, scan_storage, rocprim::plus<unsigned>());
  out.scanned[blockIdx.x * size + threadIdx.x] = scanned;
  unsigned key = value;
  Sort().sort(key, sort_storage);
  out.sorted[blockIdx.x * size + threadIdx.x] = key;

  unsigned items[per_thread];
  unsigned keys[per_thread];
  for (unsigned item = 0; item < per_thread; ++item) {
    items[item] = value * per_thread + item;
    keys[item] = value + 3 * item;
  }
  Exchange().blocked_to_striped(items, items, exchange_storage);
  RadixSort().sort(keys, radix_storage);
  for (unsigned item = 0; item < per_thread; ++item) {
    out.striped[(blockIdx.x * per_thread + item) * size + threadIdx.x] = items[item];
    out.radix_sorted[(blockIdx.x * size + threadIdx.x) * per_thread + item] = keys[item];
  }
}

__global__ void wave_algorithms(const unsigned* in, Results out) {
  using Reduce = rocprim::warp_reduce<unsigned, 64>;
  using Scan = rocprim::warp_scan<unsigned, 64>;
  using Sort = rocprim::warp_sort<unsigned, 64>;
  __shared__ typename Reduce::storage_type reduce_storage;
  __shared__ typename Scan::storage_type scan_storage;
  __shared__ typename Sort::storage_type sort_storage;
  unsigned value = in[threadIdx.x];
  unsigned result;
  Reduce().reduce(value, result, reduce_storage);
  if (threadIdx.x == 0) {
    *out.sum = result;
  }
  Scan().inclusive_scan(value, result, scan_storage);
  out.scanned[threadIdx.x] = result;
  Sort().sort(value, sort_storage);
  out.sorted[threadIdx.x] = value;
}

/// What `blocks` blocks of `size` threads must give for the values.
void expect_results(const std::vector<unsigned>& values, unsigned size, const Results& out) {
  std::vector<unsigned> sums;
  std::vector<unsigned> scanned(values.size());
  std::vector<unsigned> sorted = values;
  for (std::size_t first = 0; first < values.size(); first += size) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + size;
    sums.push_back(std::accumulate(begin, end, 0U));
    std::inclusive_scan(begin, end, scanned.begin() + static_cast<std::ptrdiff_t>(first));
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(first),
              sorted.begin() + static_cast<std::ptrdiff_t>(first + size));
  }
  expect("sums", out.sum, sums);
  expect("scans", out.scanned, scanned);
  expect("sorted", out.sorted, sorted);
}

template <unsigned size> void try_blocks() {
  constexpr unsigned blocks = 3;
  const std::vector<unsigned> values = numbers(blocks * size, 1000);
  const Results out{room<unsigned>(blocks), room<unsigned>(blocks * size), room<unsigned>(blocks * size),
                    room<unsigned>(blocks * size * per_thread), room<unsigned>(blocks * size * per_thread)};
  block_algorithms<size><<<blocks, size>>>(on_device(values), out);
  must(hipGetLastError(), "block_algorithms");
  std::printf("blocks of %u\n", size);
  expect_results(values, size, out);

  std::vector<unsigned> striped;
  std::vector<unsigned> sorted;
  for (const unsigned value : values) {
    for (unsigned item = 0; item < per_thread; ++item) {
      striped.push_back(value * per_thread + item);
      sorted.push_back(value + 3 * item);
    }
  }
  for (auto begin = sorted.begin(); begin != sorted.end(); begin += size * per_thread) {
    std::sort(begin, begin + size * per_thread);
  }
  expect("striped", out.striped, striped);
  expect("radix sorted", out.radix_sorted, sorted);
}

void try_waves() {
  const std::vector<unsigned> values = numbers(64, 500);
  const Results out{room<unsigned>(1), room<unsigned>(64), room<unsigned>(64), nullptr, nullptr};
  wave_algorithms<<<1, 64>>>(on_device(values), out);
  must(hipGetLastError(), "wave_algorithms");
  std::puts("waves");
  expect_results(values, 64, out);
}

} // namespace

int main() {
  try_waves();
  try_blocks<64>();
  try_blocks<256>();
  return finish();
}
