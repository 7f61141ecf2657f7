// Kernels with findings of each kind that recount.py counts, straight and over branches.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
	.macro kernel name
	.globl \name
	.type \name,@function
\name:
	.endm

	kernel memory
	global_load_dword v2, v[0:1], off
	global_load_dwordx2 v[4:5], v[0:1], off
	global_store_dword v[0:1], v9, off
	s_waitcnt vmcnt(2)
	v_add_f32 v3, v2, v5
	s_endpgm

	kernel overwritten
	buffer_load_dwordx4 v[4:7], v0, s[8:11], 0 offen
	v_mov_b32 v6, 0
	v_fmac_f32 v7, v1, v1
	s_endpgm

	kernel lds
	ds_read_b128 v[4:7], v0
	ds_read_b32 v8, v0
	ds_bpermute_b32 v9, v0, v1
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[8:9], a[0:15]
	s_endpgm

	kernel scalar
	s_load_dwordx4 s[4:7], s[0:1], 0
	s_load_dword s8, s[0:1], 16
	s_waitcnt lgkmcnt(1)
	s_add_u32 s9, s5, s8
	s_endpgm

	kernel flat
	flat_load_dword v2, v[0:1]
	s_waitcnt vmcnt(0)
	v_mov_b32 v3, v2
	s_endpgm

	kernel loop
	s_mov_b32 s4, 8
again:
	v_mov_b32 v3, v2
	global_load_dword v2, v[0:1], off
	s_cbranch_vccz skip
	global_load_dword v8, v[0:1], off
skip:
	s_waitcnt vmcnt(1)
	s_sub_u32 s4, s4, 1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 again
	s_endpgm

	kernel far
	global_load_dword v2, v[0:1], off
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, 24
	s_addc_u32 s5, s5, 0
	s_setpc_b64 s[4:5]
	s_endpgm
	s_nop 0
	s_nop 0
	v_mov_b32 v3, v2
	s_endpgm

	kernel into_lds
	s_mov_b32 m0, 0
	s_nop 0
	buffer_load_dword v0, s[8:11], 0 offen lds
	s_barrier
	ds_read_b32 v4, v1
	s_waitcnt lgkmcnt(0)
	s_endpgm

	kernel wait_states
	v_add_u32 v1, v2, v3
	s_nop 0
	v_mov_b32_dpp v4, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
	v_readlane_b32 s4, v0, 1
	v_mov_b32 v5, s4
	v_cmp_eq_u32 vcc, v0, v1
	s_and_b64 vcc, vcc, exec
	v_mov_b32 v6, vcc_lo
	v_cmpx_eq_u32 exec, v0, v1
	s_nop 2
	v_readfirstlane_b32 s6, v9
	s_mov_b32 m0, 0
	buffer_load_dword v0, s[8:11], 0 offen lds
	s_waitcnt vmcnt(0)
	s_endpgm

	kernel parts
	v_cvt_pk_fp8_f32 v10, v1, v2
	v_cvt_pk_fp8_f32 v10, v3, v4 op_sel:[0,0,1]
	s_nop 0
	v_add_f16_sdwa v8, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_0
	v_mov_b32 v9, v8
	v_mov_b32 v12, v1
	s_nop 0
	v_permlane32_swap_b32 v12, v13
	global_store_dwordx4 v[0:1], v[16:19], off
	ds_read_b32 v17, v20
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_endpgm

	kernel results
	v_mov_b32 v60, v1
	s_nop 0
	v_mfma_f32_16x16x16_f16 v[0:3], v[60:61], v[62:63], v[8:11]
	s_cbranch_scc1 sooner
	s_nop 15
sooner:
	s_nop 4
	v_add_f32 v12, v3, v3
	v_mfma_f32_32x32x16_f16 v[0:15], v[64:67], v[68:71], v[0:15]
	s_nop 10
	v_mov_b32 v7, 0
	v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[16:23], v[24:31], v[0:3]
	s_nop 10
	ds_write_b32 v40, v2
	v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[16:19], v[24:27], v[0:3] cbsz:4 blgp:4
	s_nop 6
	v_mov_b32 v41, v2
	s_waitcnt lgkmcnt(0)
	s_endpgm

	kernel publish
	ds_write_b32 v0, v1
	s_barrier
	ds_read_b32 v2, v3
	s_waitcnt lgkmcnt(0)
	s_endpgm

	.p2align 8
	kernel shared
	v_lshrrev_b32 v1, 6, v0
	s_nop 4
	v_readfirstlane_b32 s2, v1
	v_lshlrev_b32 v1, 2, v0
	v_xor_b32 v2, 0x100, v1
	ds_write_b32 v1, v9
	s_waitcnt lgkmcnt(0)
	ds_read_b32 v3, v2
	s_barrier
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_u32 s2, 2
	s_cbranch_scc0 not_these
	ds_write_b32 v1, v9
not_these:
	s_endpgm

	.rodata
	.p2align 6
	.amdhsa_kernel shared
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 16
	.amdhsa_accum_offset 16
	.amdhsa_group_segment_fixed_size 1024
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - {.name: shared, .symbol: shared.kd, .group_segment_fixed_size: 1024, .private_segment_fixed_size: 0, .kernarg_segment_size: 0,
     .kernarg_segment_align: 8, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 16, .max_flat_workgroup_size: 256,
     .reqd_workgroup_size: [256, 1, 1]}
...
	.end_amdgpu_metadata
