// Values that move between the lanes of a wave. Every workgroup is one wave that reads its registers from
// memory, moves them once and stores what it has then. Nothing is judged here.
#include "common/hip/vectors.hip.hpp"
#include "suites/cross_lane/dpp_cases.hpp"

#define DEVICE __attribute__((device, always_inline)) inline

// ---- LDS permutes: `index` and `data` of each lane

#define PERMUTE(name) CDNA_CTS_KERNEL name(const int* index, const int* data, int* out)

PERMUTE(bpermute) {
  const unsigned i = lane_of_launch();
  out[i] = __builtin_amdgcn_ds_bpermute(index[i], data[i]);
}
PERMUTE(permute) {
  const unsigned i = lane_of_launch();
  out[i] = __builtin_amdgcn_ds_permute(index[i], data[i]);
}

// The instruction's offset is added to the index.
#define WITH_OFFSET(name, instruction)                                                                       \
  PERMUTE(name) {                                                                                            \
    const unsigned i = lane_of_launch();                                                                     \
    int result;                                                                                              \
    asm volatile(instruction " %0, %1, %2 offset:20\n\ts_waitcnt lgkmcnt(0)"                                 \
                 : "=v"(result)                                                                              \
                 : "v"(index[i]), "v"(data[i]));                                                             \
    out[i] = result;                                                                                         \
  }
WITH_OFFSET(bpermute_20, "ds_bpermute_b32")
WITH_OFFSET(permute_20, "ds_permute_b32")

// Only the lanes of `lanes` take part; out starts as `before`.
#define MASKED(name, instruction)                                                                            \
  CDNA_CTS_KERNEL name(const int* index, const int* data, const unsigned long* lanes, const int* before,     \
                       int* out) {                                                                           \
    const unsigned i = lane_of_launch();                                                                     \
    const int own_index = index[i], own_data = data[i];                                                      \
    int result = before[i];                                                                                  \
    if ((lanes[__builtin_amdgcn_workgroup_id_x()] >> __builtin_amdgcn_workitem_id_x() & 1) != 0)             \
      asm volatile(instruction " %0, %1, %2\n\ts_waitcnt lgkmcnt(0)"                                         \
                   : "+v"(result)                                                                            \
                   : "v"(own_index), "v"(own_data));                                                         \
    out[i] = result;                                                                                         \
  }
MASKED(bpermute_masked, "ds_bpermute_b32")
MASKED(permute_masked, "ds_permute_b32")

// Beside LDS of the program's own, which is stored afterwards: tile[l] of each wave held 0x700 + l.
CDNA_CTS_KERNEL permutes_beside_lds(const int* index, const int* data, int* out, int* tiles) {
  __attribute__((shared)) static int tile[64];
  const unsigned i = lane_of_launch(), lane = __builtin_amdgcn_workitem_id_x();
  tile[lane] = static_cast<int>(0x700 + lane);
  asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
  out[i] = __builtin_amdgcn_ds_permute(index[i], __builtin_amdgcn_ds_bpermute(index[i], data[i]));
  asm volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
  tiles[i] = tile[lane];
}

// ---- DPP: out[c * 64 + l] is what lane l holds after case c

template <typename T, T... I> struct Numbers {};

template <int... I> DEVICE void all_moves(Numbers<int, I...>, int source, int before, int* out) {
  using cts::cross_lane::dpp_cases;
  ((out[I * 64 + __builtin_amdgcn_workitem_id_x()] =
        __builtin_amdgcn_update_dpp(before, source, dpp_cases.list[I].control, dpp_cases.list[I].row_mask,
                                    dpp_cases.list[I].bank_mask, dpp_cases.list[I].bound_control)),
   ...);
}
CDNA_CTS_KERNEL dpp_moves(const int* source, const int* before, int* out) {
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  all_moves(__make_integer_seq<Numbers, int, cts::cross_lane::dpp_cases.count>{}, source[lane], before[lane],
            out);
}

// row_ror:1 of the lanes of `lanes`, without (out[0]) and with (out[1]) bound_ctrl.
CDNA_CTS_KERNEL dpp_masked(const int* source, const int* before, unsigned long lanes, int* out) {
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  const int own = source[lane];
  int plain = before[lane], bound = before[lane];
  if ((lanes >> lane & 1) != 0)
    asm volatile("s_nop 4\n\t" // VALU writes VGPR or EXEC -> DPP
                 "v_mov_b32_dpp %0, %2 row_ror:1 row_mask:0xf bank_mask:0xf\n\t"
                 "v_mov_b32_dpp %1, %2 row_ror:1 row_mask:0xf bank_mask:0xf bound_ctrl:0"
                 : "+v"(plain), "+v"(bound)
                 : "v"(own));
  out[lane] = plain;
  out[64 + lane] = bound;
}

// ---- MFMA broadcasts: the 16 VGPRs of D, then what A's two and B's two hold afterwards

#define FIELDS(cbsz, abid, blgp)                                                                             \
  CDNA_CTS_KERNEL fields_##cbsz##_##abid##_##blgp(const int2* a, const int2* b, const float16* c,            \
                                                  int* out) {                                                \
    const unsigned i = lane_of_launch();                                                                     \
    int2 own_a = a[i], own_b = b[i];                                                                         \
    float16 d = c[i];                                                                                        \
    asm volatile("s_nop 1\n\t" /* VALU writes VGPR -> MFMA */                                                \
                 "v_mfma_f32_16x16x4_4b_f16 %0, %1, %2, %0 cbsz:" #cbsz " abid:" #abid " blgp:" #blgp "\n\t" \
                 "s_nop 15" /* MFMA of 8 passes -> anything that reads D */                                  \
                 : "+v"(d), "+v"(own_a), "+v"(own_b));                                                       \
    for (int r = 0; r < 16; ++r) {                                                                           \
      const float item = d[r]; /* clang 22 takes __builtin_bit_cast(int, d[r]) for that of d[0] */           \
      out[i * 20 + r] = __builtin_bit_cast(int, item);                                                       \
    }                                                                                                        \
    for (int r = 0; r < 2; ++r) {                                                                            \
      out[i * 20 + 16 + r] = own_a[r];                                                                       \
      out[i * 20 + 18 + r] = own_b[r];                                                                       \
    }                                                                                                        \
  }
FIELDS(2, 0, 0)
FIELDS(2, 1, 0)
FIELDS(2, 3, 0)
FIELDS(0, 0, 1)
FIELDS(0, 0, 2)
FIELDS(0, 0, 3)
FIELDS(2, 1, 6)
