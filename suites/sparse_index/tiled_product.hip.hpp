// A whole sparse product D = A * B of FP8 matrices through tiles in LDS, 16 x 16 of D a wave. A is M x K with
// positions 0 and 2 of every four k kept, stored as its M x K/2 kept bytes; B is K x N bytes and D M x N
// floats, all row-major.
#pragma once

#include "common/hip/vectors.hip.hpp"

inline constexpr unsigned tile_mn = 32, tile_k = 64, waves_of_tile = 4;

/// Waits until the tile's waves are here and what they wrote to LDS is there.
__attribute__((device)) inline void meet() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// A workgroup of four waves makes a 32 x 32 tile of D, the one that its number counts row by row. N and K
/// are multiples of 32 and 64.
extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256))) void
tiled_sparse_product(const unsigned char* a, const unsigned char* b, float* d, unsigned n, unsigned k) {
  __attribute__((shared)) static unsigned char tile_a[tile_mn][tile_k / 2];
  __attribute__((shared)) static unsigned char tile_b[tile_k][tile_mn];
  const unsigned thread = __builtin_amdgcn_workitem_id_x(), wave = thread / 64, lane = thread % 64;
  const unsigned first_row = __builtin_amdgcn_workgroup_id_x() / (n / tile_mn) * tile_mn;
  const unsigned first_col = __builtin_amdgcn_workgroup_id_x() % (n / tile_mn) * tile_mn;
  const unsigned row = wave / 2 * 16, col = wave % 2 * 16; // of the wave's part of the tile
  const unsigned group = lane / 16, t = lane % 16;

  float4 acc = {0, 0, 0, 0};
  for (unsigned first_k = 0; first_k < k; first_k += tile_k) {
    for (unsigned at = thread; at < tile_mn * tile_k / 2; at += 64 * waves_of_tile)
      tile_a[at / 32][at % 32] = a[(first_row + at / 32) * (k / 2) + first_k / 2 + at % 32];
    for (unsigned at = thread; at < tile_k * tile_mn; at += 64 * waves_of_tile)
      tile_b[at / 32][at % 32] = b[(first_k + at / 32) * n + first_col + at % 32];
    meet();
    union {
      unsigned char bytes[8];
      int2 dwords;
    } in_a;
    union {
      unsigned char bytes[16];
      int4 dwords;
    } in_b;
    for (unsigned item = 0; item < 8; ++item) in_a.bytes[item] = tile_a[row + t][8 * group + item];
    for (unsigned item = 0; item < 16; ++item) in_b.bytes[item] = tile_b[16 * group + item][col + t];
    acc = __builtin_amdgcn_smfmac_f32_16x16x64_fp8_fp8(in_a.dwords, in_b.dwords, acc, 0x8888, 0, 0);
    meet();
  }
  for (unsigned r = 0; r < 4; ++r) d[(first_row + row + 4 * group + r) * n + first_col + col + t] = acc[r];
}
