// What the benchmark runs: a kernel for each thing that takes the emulator's time. The matrix products are
// ordinary ones: C (M x N, f32) = A (M x K) times B (N x K) transposed, workgroups of 4 waves, tiles of 64 x
// 64, staged in LDS.
#include "common/hip/vectors.hip.hpp"

#define DEVICE __attribute__((device)) inline
#define KERNEL(threads) extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void

typedef int int8_ __attribute__((ext_vector_type(8)));

DEVICE unsigned thread() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE unsigned block_x() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE unsigned block_y() { return __builtin_amdgcn_workgroup_id_y(); }

/// What is written to LDS before is read by all after.
DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

KERNEL(64) nothing(unsigned*) {}

/// Integer and float vector arithmetic, nothing else in the loop.
KERNEL(64) arithmetic(unsigned* out, unsigned rounds) {
  unsigned a = thread(), b = a * 7 + 3;
  float x = static_cast<float>(a), y = 1.0f;
  for (unsigned r = 0; r < rounds; ++r) {
    a = (a << 5) + (b ^ (a >> 3));
    b = a > b ? b + 0x9e3779b9u : b * 3 + r;
    x = __builtin_fmaf(x, 0.5f, y);
    y = __builtin_fminf(y * 1.25f, x + 2.0f);
  }
  out[block_x() * 64 + thread()] = a ^ b ^ __builtin_bit_cast(unsigned, x + y);
}

/// Contiguous loads and stores of 16 bytes a lane.
KERNEL(64) global_copy(const uint4* in, uint4* out, unsigned rounds) {
  for (unsigned r = 0; r < rounds; ++r) out[r % 16 * 64 + thread()] = in[r % 16 * 64 + thread()] + r;
}

/// One write and one read of LDS a round, a lane's dword goes to its neighbour.
KERNEL(64) lds_ring(unsigned* out, unsigned rounds) {
  __attribute__((shared)) static unsigned ring[64];
  unsigned value = thread();
  for (unsigned r = 0; r < rounds; ++r) {
    ring[thread()] = value;
    barrier();
    value = ring[(thread() + 1) % 64] + r;
    barrier();
  }
  out[thread()] = value;
}

/// Sums n floats: lanes, waves (by LDS), workgroups (by atomics).
KERNEL(256) reduction(const float* in, float* out, unsigned n) {
  __attribute__((shared)) static float partial[4];
  float sum = 0;
  for (unsigned i = block_x() * 256 + thread(); i < n; i += 256 * 16) sum += in[i];
  for (int distance = 32; distance > 0; distance /= 2)
    sum += __builtin_bit_cast(
        float,
        __builtin_amdgcn_ds_bpermute(static_cast<int>(thread() % 64 ^ static_cast<unsigned>(distance)) * 4,
                                     __builtin_bit_cast(int, sum)));
  if (thread() % 64 == 0) partial[thread() / 64] = sum;
  barrier();
  if (thread() == 0)
    __atomic_fetch_add(out, partial[0] + partial[1] + partial[2] + partial[3], __ATOMIC_RELAXED);
}

constexpr unsigned tile = 64;

/// Copies a tile of `tile` rows, `row_bytes` each, to LDS, 16 bytes a thread and step.
template <unsigned row_bytes> DEVICE void stage(const char* from, unsigned pitch, char* to) {
  constexpr unsigned chunks = row_bytes / 16;
  for (unsigned c = thread(); c < tile * chunks; c += 256)
    *reinterpret_cast<uint4*>(to + c / chunks * (row_bytes + 16) + c % chunks * 16) =
        *reinterpret_cast<const uint4*>(from + c / chunks * pitch + c % chunks * 16);
}

/// One 64 x 64 tile of C a workgroup, 32 x 32 a wave, by 2 x 2 products of 16 x 16 x `depth`. `Items` is what
/// a lane holds of A or B for one of them; `multiply` is the instruction.
template <typename Items, unsigned depth, unsigned element_bytes, typename Multiply>
DEVICE void product(const char* a, const char* b, float* c, unsigned n, unsigned k, Multiply multiply) {
  constexpr unsigned row_bytes = depth * element_bytes, pitch = row_bytes + 16;
  __attribute__((shared)) static char tile_a[tile * pitch], tile_b[tile * pitch];
  const unsigned lane = thread() % 64, wave = thread() / 64;
  const unsigned row = wave / 2 * 32, column = wave % 2 * 32;
  const unsigned mine = lane % 16 * pitch + lane / 16 * sizeof(Items);
  float4 sum[2][2] = {};
  for (unsigned at = 0; at < k; at += depth) {
    barrier();
    stage<row_bytes>(a + (block_y() * tile * k + at) * element_bytes, k * element_bytes, tile_a);
    stage<row_bytes>(b + (block_x() * tile * k + at) * element_bytes, k * element_bytes, tile_b);
    barrier();
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned j = 0; j < 2; ++j)
        sum[i][j] =
            multiply(*reinterpret_cast<const Items*>(tile_a + (row + 16 * i) * pitch + mine),
                     *reinterpret_cast<const Items*>(tile_b + (column + 16 * j) * pitch + mine), sum[i][j]);
  }
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned j = 0; j < 2; ++j)
      for (unsigned r = 0; r < 4; ++r)
        c[(block_y() * tile + row + 16 * i + lane / 16 * 4 + r) * n + block_x() * tile + column + 16 * j +
          lane % 16] = sum[i][j][r];
}

KERNEL(256) gemm_f16(const char* a, const char* b, float* c, unsigned n, unsigned k) {
#if defined(__gfx950__)
  product<half8, 32, 2>(a, b, c, n, k, [](half8 x, half8 y, float4 z) {
    return __builtin_amdgcn_mfma_f32_16x16x32_f16(x, y, z, 0, 0, 0);
  });
#else
  product<half4, 16, 2>(a, b, c, n, k, [](half4 x, half4 y, float4 z) {
    return __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, z, 0, 0, 0);
  });
#endif
}

KERNEL(256) gemm_fp8(const char* a, const char* b, float* c, unsigned n, unsigned k) {
#if defined(__gfx950__)
  product<int8_, 128, 1>(a, b, c, n, k, [](int8_ x, int8_ y, float4 z) {
    return __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, z, 0, 0, 0, 127, 0, 127);
  });
#else
  product<long, 32, 1>(a, b, c, n, k, [](long x, long y, float4 z) {
    return __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(x, y, z, 0, 0, 0);
  });
#endif
}
