// Kernels that ask the host for something while they run: printf, assert, malloc and free.
#include <hip/hip_runtime.h>

#include <cassert>

extern "C" __global__ void say(int* counts) {
  counts[0] = printf("%d|%5u|%-6x|%+.3f|%c|%s|%%|%lld\n", -7, 42u, 0xbeefu, 3.25, 'q', "text", -5000000000ll);
  counts[1] = printf("no arguments\n");
}

/// Longer than one packet: more words than seven, and a string that is longer than they are.
extern "C" __global__ void say_much() {
  printf("%d %d %d %d %d %d %d %d %d %d %s\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
         "a string of more than fifty-six bytes, so that it needs several packets to arrive");
}

extern "C" __global__ void say_all() { printf("block %u lane %u\n", blockIdx.x, threadIdx.x); }

extern "C" __global__ void check(const int* values) { assert(values[threadIdx.x] < 3); }

/// Each lane fills memory of its own, of many sizes, and gives its sum.
extern "C" __global__ void grab(unsigned* sums, unsigned* failed) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, words = 1 + i % 97;
  auto* const own = static_cast<unsigned*>(malloc(words * sizeof(unsigned)));
  if (own == nullptr) {
    atomicAdd(failed, 1u);
    return;
  }
  for (unsigned k = 0; k < words; ++k) own[k] = i + k;
  unsigned sum = 0;
  for (unsigned k = 0; k < words; ++k) sum += own[k];
  sums[i] = sum;
  free(own);
}

/// Allocates for later launches; 64 KiB is beyond what the device library cuts from its slabs.
extern "C" __global__ void keep(unsigned** kept, unsigned bytes) {
  auto* const own = static_cast<unsigned*>(malloc(bytes));
  own[0] = 100 + threadIdx.x;
  own[bytes / 4 - 1] = 1;
  kept[threadIdx.x] = own;
}
extern "C" __global__ void read_kept(unsigned* const* kept, unsigned bytes, unsigned* out) {
  out[threadIdx.x] = kept[threadIdx.x][0] + kept[threadIdx.x][bytes / 4 - 1];
}
extern "C" __global__ void drop(unsigned* const* kept) { free(kept[threadIdx.x]); }
extern "C" __global__ void drop_wrong(unsigned* address) { free(address); }
