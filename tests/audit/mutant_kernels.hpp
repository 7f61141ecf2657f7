// Kernels that are right and have nothing to spare, written by hand.
//
// A statement that is needed has a remark with the rule that its loss breaks: `s_nop 1 // valu-vgpr-dpp`.
// Each number is the manual's for that pair of instructions (Table 11; Tables 37 and 38 for matrix
// instructions), less the instructions that lie between them anyway. `{a|b}` is a on gfx942 and b on gfx950.
// "exact" says that the wait is not only needed, but that one operation more left outstanding is one too
// many.
#pragma once

#include "common/target.hpp"

#include <string_view>
#include <vector>

namespace cts::audit {

struct CorrectKernel {
  std::string_view name, text;
  std::vector<Target> targets{all_targets.begin(), all_targets.end()};
};

inline const std::vector<CorrectKernel>& correct_kernels() {
  static const std::vector<CorrectKernel> kernels{
      {"matrix product, a tile at a time", R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v10, 4, v0
  v_xor_b32 v11, 0x100, v10
  s_mov_b32 s8, 4
  v_mov_b32 v24, 0
  v_mov_b32 v25, 0
  v_mov_b32 v26, 0
  v_mov_b32 v27, 0
  s_waitcnt lgkmcnt(0) // lgkmcnt-not-waited exact
again:
  global_load_dwordx4 v[2:5], v10, s[4:5]
  s_waitcnt vmcnt(0) // vmcnt-not-waited exact
  ds_write_b128 v10, v[2:5]
  s_waitcnt lgkmcnt(0) // lds-write-barrier exact
  s_barrier // lds-read-without-barrier
  ds_read_b64 v[12:13], v11
  ds_read_b64 v[14:15], v11 offset:512
  s_waitcnt lgkmcnt(0) // lgkmcnt-not-waited exact
  v_mfma_f32_16x16x16_f16 v[24:27], v[12:13], v[14:15], v[24:27]
  s_barrier // lds-overwrite-without-barrier
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 again
  s_nop {2|3} // xdl-write-to-memory-read
  global_store_dwordx4 v10, v[24:27], s[6:7]
)"},
      {"loads in flight", R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 4, v0
  s_waitcnt lgkmcnt(0) // lgkmcnt-not-waited exact
  global_load_dwordx4 v[4:7], v1, s[4:5]
  global_load_dwordx4 v[8:11], v1, s[4:5] offset:1024
  global_load_dwordx4 v[12:15], v1, s[4:5] offset:2048
  s_waitcnt vmcnt(2) // vmcnt-not-waited exact
  v_add_f32 v20, v4, v5
  s_waitcnt vmcnt(1) // vmcnt-not-waited exact
  v_add_f32 v21, v8, v20
  ds_read_b32 v30, v1
  ds_read_b32 v31, v1 offset:4096
  s_waitcnt lgkmcnt(1) // lgkmcnt-not-waited exact
  v_add_f32 v22, v30, v21
  s_waitcnt vmcnt(0) // vmcnt-not-waited exact
  v_add_f32 v23, v12, v22
  s_waitcnt lgkmcnt(0) // overwritten-by-late-load exact
  v_mov_b32 v31, v23
  v_mov_b32 v2, s6
  v_mov_b32 v3, s7
  flat_load_dword v32, v[2:3]
  s_waitcnt vmcnt(0) lgkmcnt(0) // flat-not-waited exact
  global_store_dword v1, v32, s[6:7]
)"},
      {"copies into LDS", R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0) // lgkmcnt-not-waited exact
  s_mov_b32 m0, 0
  s_nop 0 // salu-m0-lds
  global_load_lds_dword v1, s[4:5]
  s_add_u32 m0, m0, 0x400
  s_nop 0 // salu-m0-lds
  global_load_lds_dword v1, s[4:5] offset:1024
  s_waitcnt vmcnt(0) // lds-dma-barrier
  s_barrier
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(0) // lgkmcnt-not-waited exact
  global_store_dword v1, v2, s[6:7]
)"},
      {"copies into LDS by a wave for itself", R"(
  v_lshlrev_b32 v1, 2, v0
  s_mov_b32 m0, 0
  s_nop 0 // salu-m0-lds
  buffer_load_dword v1, s[8:11], 0 offen lds
  s_waitcnt vmcnt(0) // lds-dma-not-waited exact
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(0) // lgkmcnt-not-waited exact
  global_store_dword v1, v2, s[6:7]
)"},
      {"lanes and scalars", R"(
  v_add_u32 v1, v0, v0
  s_nop 1 // valu-vgpr-dpp
  v_add_u32_dpp v2, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
  s_nop 0 // valu-vgpr-readlane
  v_readlane_b32 s4, v2, 63
  s_nop 1 // valu-sgpr-constant
  v_add_u32 v3, s4, v2
  v_readfirstlane_b32 s5, v0
  s_nop 3 // valu-sgpr-lane-select
  v_readlane_b32 s6, v3, s5
  v_cmpx_gt_u32 exec, v3, v0
  s_nop 3 // cmpx-lane
  v_readfirstlane_b32 s7, v3
  s_mov_b64 exec, -1
  v_cmpx_gt_u32 exec, v3, v0
  s_nop 4 // valu-exec-dpp
  v_mov_b32_dpp v8, v0 row_shr:1 row_mask:0xf bank_mask:0xf
  v_cmpx_gt_u32 exec, v3, v0
  s_nop 1 // cmpx-constant
  v_mov_b32 v9, exec_lo
  s_mov_b64 exec, -1
  v_readfirstlane_b32 s8, v3
  s_nop 4 // valu-sgpr-vmem
  buffer_load_dword v10, off, s[12:15], s8
  s_waitcnt vmcnt(0) // vmcnt-not-waited exact
  v_mov_b32 v11, v10
)"},
      {"arithmetic with gaps", R"(
  v_exp_f32 v4, v3
  s_nop 0 // trans-valu
  v_add_f32 v5, v4, v4
  v_cmp_lt_f32 vcc, v3, v0
  s_nop 3 // valu-vcc-div-fmas
  v_div_fmas_f32 v6, v3, v4, v5
  v_cmp_lt_f32 vcc, v3, v0
  s_nop 4 // valu-vcc-exec-z
  v_mov_b32 v7, src_vccz
  v_add_f16_sdwa v8, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_0
  s_nop 0 // opsel-sdwa
  v_mov_b32 v9, v8
  v_cvt_pk_fp8_f32 v10, v1, v2
  s_nop 0 // cvt-parts
  v_cvt_pk_fp8_f32 v10, v1, v2 op_sel:[0,0,1]
  global_store_dwordx4 v[0:1], v[12:15], off
  s_nop 1 // wide-store-valu-write
  v_mov_b32 v13, v1
  global_store_dwordx4 v[0:1], v[16:19], off
  s_nop 0 // wide-store-write
  ds_read_b32 v17, v1
)"},
      {"scalar registers", R"(
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 15
  s_nop 1 // setreg-getreg
  s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)
  s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s5
  s_nop 1 // setreg-setreg
  s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s6
  s_mov_b32 m0, s7
  s_nop 0 // salu-m0-sendmsg
  s_sendmsg sendmsg(MSG_INTERRUPT)
  s_mov_b32 m0, s8
  s_nop 0 // salu-m0-movrel
  s_movrels_b32 s9, s10
)"},
      {"matrix instructions of 4 passes", R"(
  v_mov_b32 v60, v1
  s_nop 1 // valu-write-to-matrix-ab
  v_mfma_f32_16x16x16_f16 v[0:3], v[60:61], v[62:63], v[8:11]
  s_nop {6|7} // xdl-write-to-valu-read
  v_add_f32 v12, v3, v3
  v_mfma_f32_16x16x16_f16 v[0:3], v[60:61], v[62:63], v[8:11]
  s_nop {6|7} // xdl-write-to-matrix-ab
  v_mfma_f32_16x16x16_f16 v[16:19], v[2:3], v[62:63], v[8:11]
  v_mfma_f32_16x16x16_f16 v[0:3], v[60:61], v[62:63], v[8:11]
  s_nop {4|5} // xdl-write-to-xdl-c-overlap
  v_mfma_f32_32x32x8_f16 v[20:35], v[60:61], v[62:63], v[0:15]
  s_nop 15
  v_mfma_f32_16x16x16_f16 v[0:3], v[60:61], v[62:63], v[8:11]
  s_nop 2 // xdl-read-c-to-valu-overwrite
  v_mov_b32 v9, v62
  v_mfma_f32_16x16x16_f16 v[36:39], v[60:61], v[62:63], v[40:43]
  s_nop {6|7} // xdl-write-to-valu-overwrite
  v_mov_b32 v37, v62
  v_cmpx_gt_u32 exec, v62, v63
  s_nop 3 // cmpx-write-exec-to-matrix-issue
  v_mfma_f32_16x16x16_f16 v[0:3], v[60:61], v[62:63], v[44:47]
)"},
      {"matrix instructions of 2, 8 and 16 passes",
       R"(
  v_mfma_f32_4x4x4_16b_f16 v[0:3], v[60:61], v[62:63], v[8:11]
  s_nop 1 // xdl-write-to-xdl-c-exact
  v_mfma_f32_4x4x4_16b_f16 v[0:3], v[60:61], v[62:63], v[0:3]
  s_nop 4 // xdl-write-to-memory-read
  ds_write_b64 v50, v[2:3]
  v_mfma_f32_32x32x8_f16 v[0:15], v[60:61], v[62:63], v[0:15]
  s_nop {10|11} // xdl-write-to-valu-read
  v_accvgpr_write_b32 a0, v15
  v_mfma_f32_32x32x4_2b_f16 v[0:31], v[60:61], v[62:63], v[0:31]
  s_nop 15 // xdl-write-to-valu-read
  s_nop {2|3} // xdl-write-to-valu-read
  v_add_f32 v40, v31, v40
  v_mfma_f32_16x16x4_f32 v[0:3], v60, v61, v[0:3]
  s_nop 9 // sgemm-write-to-valu-read
  v_add_f32 v40, v0, v40
  v_mfma_f64_16x16x4_f64 v[0:7], v[60:61], v[62:63], v[0:7]
  s_nop {10|15} // dgemm-16x16x4-write-to-valu-read
  s_nop 2
  v_add_f32 v40, v0, v40
)",
       {Target::gfx950}},
      {"matrix instructions of 2, 8 and 16 passes",
       R"(
  v_mfma_f32_4x4x4_16b_f16 v[0:3], v[60:61], v[62:63], v[8:11]
  s_nop 1 // xdl-write-to-xdl-c-exact
  v_mfma_f32_4x4x4_16b_f16 v[0:3], v[60:61], v[62:63], v[0:3]
  s_nop 4 // xdl-write-to-memory-read
  ds_write_b64 v50, v[2:3]
  v_mfma_f32_32x32x8_f16 v[0:15], v[60:61], v[62:63], v[0:15]
  s_nop 10 // xdl-write-to-valu-read
  v_accvgpr_write_b32 a0, v15
  v_mfma_f32_32x32x4_2b_f16 v[0:31], v[60:61], v[62:63], v[0:31]
  s_nop 15 // xdl-write-to-valu-read
  s_nop 2 // xdl-write-to-valu-read
  v_add_f32 v40, v31, v40
  v_mfma_f32_16x16x4_f32 v[0:3], v60, v61, v[0:3]
  s_nop 9 // sgemm-write-to-valu-read
  v_add_f32 v40, v0, v40
  v_mfma_f64_16x16x4_f64 v[0:7], v[60:61], v[62:63], v[0:7]
  s_nop 10 // dgemm-16x16x4-write-to-valu-read
  v_add_f32 v40, v0, v40
)",
       {Target::gfx942}},
      {"lanes exchanged, scales, transposed reads",
       R"(
  v_mov_b32 v1, v0
  s_nop 1 // valu-vgpr-permlane
  v_permlane32_swap_b32 v1, v2
  v_cmpx_gt_u32 exec, v3, v4
  s_nop 3 // cmpx-permlane
  v_permlane16_swap_b32 v5, v6
  s_mov_b64 exec, -1
  ds_read_b64_tr_b16 v[8:9], v4
  s_waitcnt lgkmcnt(0) // lgkmcnt-not-waited exact
  v_mfma_f32_16x16x32_f16 v[12:15], v[8:11], v[16:19], v[12:15]
  v_mov_b32 v40, v0
  s_nop 1 // valu-write-to-matrix-ab
  v_mfma_scale_f32_16x16x128_f8f6f4 v[20:23], v[24:31], v[32:39], v[20:23], v40, v41
  s_nop 11 // xdl-write-to-valu-read
  v_add_f32 v42, v20, v42
)",
       {Target::gfx950}},
  };
  return kernels;
}

} // namespace cts::audit
