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

	kernel publish
	ds_write_b32 v0, v1
	s_barrier
	ds_read_b32 v2, v3
	s_waitcnt lgkmcnt(0)
	s_endpgm
