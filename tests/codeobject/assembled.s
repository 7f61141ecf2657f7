// What a compiler seldom writes: unusual operands and modifiers, data in code, functions without a size, relocations.

.text
.globl zoo
.p2align 8
.type zoo,@function // no .size on purpose
zoo:
  s_branch zoo
  s_cbranch_scc0 zoo
  s_call_b64 s[0:1], zoo
  s_cbranch_g_fork s[0:1], s[2:3]
  s_waitcnt vmcnt(0) & lgkmcnt(0)
  s_waitcnt 0xffff
  buffer_wbl2 sc0 sc1
  buffer_inv sc1
  ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,"00p11")
  ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0,1,2,3)
  s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0x3
  s_sendmsg sendmsg(MSG_INTERRUPT)
  s_setprio 1
  s_mov_b64 s[0:1], 0x12345678
  s_mov_b64 s[0:1], -1
  s_mov_b32 s0, -1.0
  s_add_u32 s0, s0, lit(0x5)
  v_mov_b32 v0, 0.15915494
  v_mul_f64 v[0:1], 0.15915494309189532, v[2:3]
  v_add_f16 v0, 0.5, v1
  v_mul_f32 v0, 0x40490fdb, v1
  v_cvt_i32_f64 v0, 0x40080000
  v_add_u16_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 src1_sel:WORD_1
  v_mov_b32_sdwa v0, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0
  v_add_f32_dpp v0, -v1, |v2| row_newbcast:3 row_mask:0xf bank_mask:0xf
  v_add_f32_dpp v0, -v1, |v2| quad_perm:[0,1,2,3] row_mask:0xa bank_mask:0xf bound_ctrl:1
  v_add_f32_dpp v0, v1, v2 row_mirror row_mask:0xa bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf
  v_add_f32_dpp v0, v1, v2 wave_shr:1 row_mask:0xf bank_mask:0xf
  v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel:[0,1,0] op_sel_hi:[1,0,1] neg_lo:[0,1,0] neg_hi:[1,0,0]
  v_add_f32_e64 v0, neg(2.0), |s1| clamp mul:2
  v_add_f32_e64 v0, -|v1|, v2 div:2
  buffer_load_dword v0, v[2:3], s[4:7], s1 idxen offen offset:4 sc0 sc1 nt
  buffer_load_dword v0, s[4:7], s1 offen offset:4 lds
  buffer_load_dword off, s[4:7], s1 lds
  tbuffer_load_format_x v0, off, s[0:3], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] offset:1
  scratch_load_dword v0, off, s0 offset:-4
  scratch_store_dword off, v0, off
  global_load_lds_dword v[0:1], off offset:-5
  ds_read2_b32 v[0:1], v2 offset0:3 offset1:4
  ds_append v0 offset:4
  ds_gws_barrier v0 offset:1 gds
  ds_nop
  v_mov_b32 v0, src_shared_base
  s_mov_b64 s[0:1], src_private_limit
  s_mov_b32 s0, src_scc
  s_mov_b32 s0, src_vccz
  s_mov_b32 s0, src_execz
  s_mov_b32 s0, src_pops_exiting_wave_id
  s_mov_b64 flat_scratch, xnack_mask
  s_mov_b32 flat_scratch_lo, xnack_mask_hi
  s_mov_b32 ttmp4, m0
  s_mov_b64 ttmp[4:5], exec
  s_mov_b32 exec_hi, vcc_lo
  s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)
  v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7] cbsz:1 abid:2 neg:[1,0,0]
  v_mfma_f32_32x32x1_2b_f32 a[0:31], v0, v1, 1.0 cbsz:1 abid:2 blgp:3
  v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v16 cbsz:1 abid:1
  v_accvgpr_write_b32 a255, v255
  v_readlane_b32 s0, v1, s2
  s_load_dword s0, s[0:1], s2 offset:0x10 glc
  s_load_dwordx2 s[0:1], s[100:101], -0x10
  s_atomic_add s0, s[2:3], 0x10
  s_dcache_wb
.ifdef TARGET_gfx950
  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:19], v[0:3], v20, v21 op_sel_hi:[0,1,0] cbsz:2 blgp:1
  v_mfma_f32_16x16x128_f8f6f4 a[0:3], v[4:11], v[12:19], a[0:3]
  v_bitop3_b32 v0, v1, v2, v3 bitop3:0x27
  v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3 op_sel:[0,0,0,1]
  v_permlane32_swap_b32 v0, v1
  v_permlane16_swap_b32_e64 v0, v1 bound_ctrl:1 fi:1
  ds_read_b64_tr_b16 v[0:1], v2 offset:4
  buffer_load_dwordx4 off, s[4:7], s1 lds
  v_maximum3_f32 v0, |v1|, -v2, v3
.endif
  .long 0xffffffff // no instruction
  .long 0xbf1305cf // s_cmp_lg_u64 with a misaligned pair, which the disassembler decodes with a warning
  v_swap_b32 v0, v1
  s_endpgm
  .fill 5, 4, 0xbf800000 // padding

.globl sized
.p2align 8
.type sized,@function
sized:
  s_nop 0 // within the size: kept
  s_setpc_b64 s[30:31]
  s_nop 0
  s_nop 0
.size sized, . - sized
  s_nop 0 // between functions: dropped
  s_nop 0
  s_mov_b32 s7, 7 // code that no symbol names: kept
  s_nop 0
  s_mov_b32 s8, 8
  s_nop 0 // dropped

.data
.globl pointer, word
.type word,@object
.type pointer,@object
.p2align 3
word:
  .quad 0x1122334455667788
.size word, 8
pointer:
  .quad word + 16
.size pointer, 8
.weak external
  .quad external
.hidden local_word
local_word:
  .quad local_word + 8

.rodata
.p2align 6
.amdhsa_kernel zoo
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_private_segment_fixed_size 16
  .amdhsa_kernarg_size 24
  .amdhsa_next_free_vgpr 512
  .amdhsa_next_free_sgpr 96
  .amdhsa_accum_offset 256
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_kernarg_preload_length 2
  .amdhsa_user_sgpr_kernarg_preload_offset 1
  .amdhsa_system_vgpr_workitem_id 2
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: zoo
    .symbol: zoo.kd
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 16
    .kernarg_segment_size: 24
    .kernarg_segment_align: 16
    .wavefront_size: 64
    .sgpr_count: 102
    .vgpr_count: 512
    .agpr_count: 256
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [128, 2, 1]
    .uses_dynamic_stack: true
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.offset: 8, .size: 4, .value_kind: by_value}
      - {.offset: 16, .size: 8, .value_kind: hidden_multigrid_sync_arg}
...
.end_amdgpu_metadata
