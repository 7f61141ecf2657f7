// Kernels with the work of real ones, for a comparison with another emulator (docs/peer-comparison.md): two
// tiled matrix products and a reduction. Sizes are multiples of a workgroup's tile.
#include "common/hip/vectors.hip.hpp"

#define DEVICE __attribute__((device)) inline
#define SHARED __attribute__((shared))
#define KERNEL_OF_256 extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256))) void

typedef int int8x32 __attribute__((ext_vector_type(8)));

namespace {

constexpr unsigned threads = 256, lanes = 64, waves = threads / lanes;

/// All of a workgroup's waves are here, and see what each other wrote.
DEVICE void workgroup_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// What a lane brings of A, and of B, to one product of side x side: `Operand` holds consecutive k. Its sums
// are rows of one column, four at a time.
struct Fp16 {
  static constexpr unsigned side = 16;
  using Sums = float4;
#if defined(__gfx950__)
  using Operand = half8;
  static DEVICE Sums product(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, 0, 0, 0);
  }
#else
  using Operand = half4;
  static DEVICE Sums product(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
  }
#endif
};

struct Fp16Wide {
  static constexpr unsigned side = 32;
  using Operand = half4;
  using Sums = float16;
  static DEVICE Sums product(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
  }
};

struct Fp8 {
  static constexpr unsigned side = 16;
  using Operand = long;
  using Sums = float4;
  static DEVICE Sums product(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a, b, c, 0, 0, 0);
  }
};

#if defined(__gfx950__)
struct Fp8Scaled {
  static constexpr unsigned side = 16;
  using Operand = int8x32;
  using Sums = float4;
  static DEVICE Sums product(Operand a, Operand b, Sums c) {
    constexpr int fp8 = 0, one = 0x7f7f7f7f; // E8M0 of 1 in each byte
    return __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, b, c, fp8, fp8, 0, one, 0, one);
  }
};
#endif

/// D = A * B: A is M rows of `k_bytes`, B is given by its N columns of `k_bytes`, D is M rows of N floats. A
/// workgroup makes 64x64 of D through tiles in LDS of 128 bytes along k; each wave makes 32x32 of that.
template <typename Format>
DEVICE void multiply(const char* a, const char* b, float* d, unsigned n, unsigned k_bytes) {
  using Operand = typename Format::Operand;
  constexpr unsigned tile = 64, depth = 128, padding = 16, side = Format::side, products = 32 / side;
  alignas(16) static SHARED char tiles[2][tile][depth + padding];

  const unsigned thread = __builtin_amdgcn_workitem_id_x(), lane = thread % lanes, wave = thread / lanes;
  const unsigned first_row = __builtin_amdgcn_workgroup_id_y() * tile;
  const unsigned first_column = __builtin_amdgcn_workgroup_id_x() * tile;
  const unsigned wave_row = wave / 2 * 32, wave_column = wave % 2 * 32;
  typename Format::Sums sums[products][products] = {};

  for (unsigned k = 0; k < k_bytes; k += depth) {
#pragma unroll
    for (unsigned first = 0; first < tile * depth; first += threads * sizeof(uint4)) {
      const unsigned at = first + thread * sizeof(uint4), row = at / depth, byte = at % depth;
      const auto copy = [&](char* to, const char* matrix, unsigned from_row) {
        const unsigned long from = static_cast<unsigned long>(from_row) * k_bytes + k + byte;
        *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(matrix + from);
      };
      copy(&tiles[0][row][byte], a, first_row + row);
      copy(&tiles[1][row][byte], b, first_column + row);
    }
    workgroup_barrier();
#pragma unroll
    for (unsigned step = 0; step < depth; step += lanes / side * sizeof(Operand)) {
      const unsigned byte = step + lane / side * sizeof(Operand);
      Operand rows[products], columns[products];
#pragma unroll
      for (unsigned i = 0; i < products; ++i) {
        rows[i] = *reinterpret_cast<const Operand*>(&tiles[0][wave_row + side * i + lane % side][byte]);
        columns[i] = *reinterpret_cast<const Operand*>(&tiles[1][wave_column + side * i + lane % side][byte]);
      }
#pragma unroll
      for (unsigned i = 0; i < products; ++i)
#pragma unroll
        for (unsigned j = 0; j < products; ++j) sums[i][j] = Format::product(rows[i], columns[j], sums[i][j]);
    }
    workgroup_barrier();
  }

#pragma unroll
  for (unsigned i = 0; i < products; ++i)
#pragma unroll
    for (unsigned j = 0; j < products; ++j)
#pragma unroll
      for (unsigned item = 0; item < side * side / lanes; ++item) {
        const unsigned in_product = item / 4 * (lanes / side * 4) + lane / side * 4 + item % 4;
        const unsigned row = first_row + wave_row + side * i + in_product;
        const unsigned column = first_column + wave_column + side * j + lane % side;
        d[static_cast<unsigned long>(row) * n + column] = sums[i][j][item];
      }
}

/// The sum over a wave, in every lane: halves exchanged, then quarters, ...
template <typename T> DEVICE T sum_of_wave(T value) {
  const unsigned lane = __builtin_amdgcn_workitem_id_x() % lanes;
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) {
    const int other =
        __builtin_amdgcn_ds_bpermute(static_cast<int>((lane ^ distance) * 4), __builtin_bit_cast(int, value));
    value += __builtin_bit_cast(T, other);
  }
  return value;
}

/// sums[w] is the sum of the w-th `count` values: a thread adds every 256th, then a wave its threads, then
/// the first thread the waves.
template <typename T> DEVICE void sum(const T* values, T* sums, unsigned count) {
  static SHARED T of_waves[waves];
  const unsigned thread = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
  T mine = 0;
  for (unsigned i = thread; i < count; i += threads)
    mine += values[static_cast<unsigned long>(group) * count + i];
  mine = sum_of_wave(mine);
  if (thread % lanes == 0) of_waves[thread / lanes] = mine;
  workgroup_barrier();
  if (thread != 0) return;
  T all = 0;
  for (const T& one : of_waves) all += one;
  sums[group] = all;
}

} // namespace

#define GEMM(name, Format)                                                                                   \
  KERNEL_OF_256 name(const char* a, const char* b, float* d, unsigned n, unsigned k_bytes) {                 \
    multiply<Format>(a, b, d, n, k_bytes);                                                                   \
  }

GEMM(gemm_fp16, Fp16)
GEMM(gemm_fp16_32x32, Fp16Wide)
GEMM(gemm_fp8, Fp8)
#if defined(__gfx950__)
GEMM(gemm_fp8_scaled, Fp8Scaled)
#endif

KERNEL_OF_256 sum_i32(const int* values, int* sums, unsigned count) { sum(values, sums, count); }
KERNEL_OF_256 sum_f32(const float* values, float* sums, unsigned count) { sum(values, sums, count); }
