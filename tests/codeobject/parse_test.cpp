// Lines of the listing, as the disassembler prints them, and every field they must parse to.
#include "common/error.hpp"
#include "tests/codeobject/files.hpp"
#include "tests/codeobject/round_trip.hpp"

namespace cts::codeobject {
namespace {

struct Case {
  const char* line;
  const char* expected;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& c : cases)
    EXPECT_EQ(describe(parse_instruction(c.line)), c.expected) << "line: " << c.line;
}

TEST(Parse, Registers) {
  check({
      {"\tv_add_f32_e32 v0, s1, v2   // 000000001700: 02000401",
       "0x1700+4 v_add_f32_e32 | vgpr 0+1 | sgpr 1+1 | vgpr 2+1"},
      {"\tv_mfma_f32_16x16x16_f16 a[252:255], v[4:5], v[6:7], a[252:255] // 0: D3CD80FC 07F20D04",
       "0x0+8 v_mfma_f32_16x16x16_f16 | agpr 252+4 | vgpr 4+2 | vgpr 6+2 | agpr 252+4"},
      {"\ts_load_dwordx16 s[0:15], s[100:101], 0x0 // 0: C00E0032 00000000",
       "0x0+8 s_load_dwordx16 | sgpr 0+16 | sgpr 100+2 | integer 0x0"},
      {"\ts_and_b64 vcc, exec, vcc // 0: 86EA6A7E", "0x0+4 s_and_b64 | sgpr 106+2 | sgpr 126+2 | sgpr 106+2"},
      {"\ts_and_b32 vcc_lo, exec_hi, vcc_hi // 0: 866A6B7F",
       "0x0+4 s_and_b32 | sgpr 106+1 | sgpr 127+1 | sgpr 107+1"},
      {"\ts_mov_b32 exec_lo, m0 // 0: BEFE007C", "0x0+4 s_mov_b32 | sgpr 126+1 | sgpr 124+1"},
      {"\ts_mov_b64 flat_scratch, xnack_mask // 0: BEE60168", "0x0+4 s_mov_b64 | sgpr 102+2 | sgpr 104+2"},
      {"\ts_mov_b32 flat_scratch_hi, xnack_mask_lo // 0: BEE70068",
       "0x0+4 s_mov_b32 | sgpr 103+1 | sgpr 104+1"},
      {"\ts_mov_b64 ttmp[4:5], s[4:5] // 0: BEF00104", "0x0+4 s_mov_b64 | sgpr 112+2 | sgpr 4+2"},
      {"\ts_mov_b32 ttmp15, 0 // 0: BEFB0080", "0x0+4 s_mov_b32 | sgpr 123+1 | integer 0x0"},
      {"\tscratch_store_dword off, v0, off // 0: DC704000 007F0000",
       "0x0+8 scratch_store_dword | off | vgpr 0+1 | off"},
  });
}

TEST(Parse, Constants) {
  check({
      {"\ts_mov_b32 s0, -16 // 0: BE8000D0", "0x0+4 s_mov_b32 | sgpr 0+1 | integer 0xfffffffffffffff0"},
      {"\ts_mov_b32 s0, 64 // 0: BE8000C0", "0x0+4 s_mov_b32 | sgpr 0+1 | integer 0x40"},
      {"\ts_mov_b32 s0, 0xfffffff0 // 0: BE8000FF FFFFFFF0",
       "0x0+8 s_mov_b32 | sgpr 0+1 | integer 0xfffffff0"},
      {"\ts_addc_u32 s3, s3, lit(0xffffffff) // 0: 8203FF03 FFFFFFFF",
       "0x0+8 s_addc_u32 | sgpr 3+1 | sgpr 3+1 | integer 0xffffffff"},
      {"\ts_load_dwordx2 s[0:1], s[0:1], -0x10 // 0: C0060000 001FFFF0",
       "0x0+8 s_load_dwordx2 | sgpr 0+2 | sgpr 0+2 | integer 0xfffffffffffffff0"},
      {"\tv_mov_b32_e32 v0, -4.0 // 0: 7E0002F7", "0x0+4 v_mov_b32_e32 | vgpr 0+1 | float -4"},
      {"\tv_mov_b32_e32 v0, 0.15915494 // 0: 7E0002F8", "0x0+4 v_mov_b32_e32 | vgpr 0+1 | float 0.15915494"},
      {"\tv_mul_f64 v[0:1], 0.15915494309189532, v[2:3] // 0: D2810000 000204F8",
       "0x0+8 v_mul_f64 | vgpr 0+2 | float 0.15915494309189532 | vgpr 2+2"},
      {"\ts_mov_b32 s0, src_scc // 0: BE8000FD", "0x0+4 s_mov_b32 | sgpr 0+1 | special src_scc"},
      {"\tv_mov_b32_e32 v0, src_shared_base // 0: 7E0002EB",
       "0x0+4 v_mov_b32_e32 | vgpr 0+1 | special src_shared_base"},
      {"\ts_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4) // 0: B8801801",
       "0x0+4 s_getreg_b32 | sgpr 0+1 | word hwreg(HW_REG_MODE, 0, 4)"},
      {"\ts_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0) // 0: BF900022",
       "0x0+4 s_sendmsg | word sendmsg(MSG_GS, GS_OP_EMIT, 0)"},
      {"\ts_set_gpr_idx_on s0, gpr_idx(SRC0,DST) // 0: BF110900",
       "0x0+4 s_set_gpr_idx_on | sgpr 0+1 | word gpr_idx(SRC0,DST)"},
      {"\ts_waitcnt vmcnt(0) lgkmcnt(0) // 0: BF8C0070", "0x0+4 s_waitcnt | word vmcnt(0) lgkmcnt(0)"},
  });
}

TEST(Parse, SignsAroundOperands) {
  check({
      {"\tv_add_f32_e64 v0, -v1, |s2| // 0: D1010200 20000501",
       "0x0+8 v_add_f32_e64 | vgpr 0+1 | -vgpr 1+1 | abs sgpr 2+1"},
      {"\tv_add_f32_e64 v0, -|v1|, v2 // 0: D1010100 20020501",
       "0x0+8 v_add_f32_e64 | vgpr 0+1 | -abs vgpr 1+1 | vgpr 2+1"},
      {"\tv_add_f32_e64 v0, neg(2.0), v1 // 0: D1010000 200202F4",
       "0x0+8 v_add_f32_e64 | vgpr 0+1 | -float 2 | vgpr 1+1"},
      {"\tv_add_f32_e64 v0, -abs(v1), -vcc_lo // 0: D1010100 60000301",
       "0x0+8 v_add_f32_e64 | vgpr 0+1 | -abs vgpr 1+1 | -sgpr 106+1"},
      {"\tv_mov_b32_sdwa v0, sext(v1) dst_sel:DWORD // 0: 7E0002F9 00080601",
       "0x0+8 v_mov_b32_sdwa | vgpr 0+1 | sext vgpr 1+1 <dst_sel 'DWORD'>"},
  });
}

TEST(Parse, Modifiers) {
  check({
      {"\tglobal_load_dword v4, v[4:5], off offset:-16 sc0 sc1 nt// 000000001C48: DC53FFF0 067F0004",
       "0x1c48+8 global_load_dword | vgpr 4+1 | vgpr 4+2 | off <offset -16> <sc0> <sc1> <nt>"},
      {"\tbuffer_inv sc1 // 0: E0A48000 00000000", "0x0+8 buffer_inv <sc1>"},
      {"\tbuffer_wbl2 sc0 sc1 // 0: E0A0C000 00000000", "0x0+8 buffer_wbl2 <sc0> <sc1>"},
      {"\tds_nop // 0: D8280000 00000000", "0x0+8 ds_nop"},
      {"\tds_append v0 offset:4 // 0: D97C0004 00000000", "0x0+8 ds_append | vgpr 0+1 <offset 4>"},
      {"\tds_read2_b32 v[0:1], v2 offset0:3 offset1:4 // 0: D86E0403 00000002",
       "0x0+8 ds_read2_b32 | vgpr 0+2 | vgpr 2+1 <offset0 3> <offset1 4>"},
      {"\tds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,\"00p11\") // 0: D87A0064 00000001",
       "0x0+8 ds_swizzle_b32 | vgpr 0+1 | vgpr 1+1 <offset 'swizzle(BITMASK_PERM,\"00p11\")'>"},
      {"\tv_add_f32_dpp v0, v1, v2 quad_perm:[3,2,1,0] row_mask:0xa bank_mask:0xf bound_ctrl:1// 0: 020404FA "
       "AF081B01",
       "0x0+8 v_add_f32_dpp | vgpr 0+1 | vgpr 1+1 | vgpr 2+1 <quad_perm 3,2,1,0> <row_mask 10> <bank_mask "
       "15> <bound_ctrl 1>"},
      {"\tv_add_f32_dpp v0, v1, v2 row_mirror row_mask:0xf bank_mask:0xf// 0: 020404FA FF014001",
       "0x0+8 v_add_f32_dpp | vgpr 0+1 | vgpr 1+1 | vgpr 2+1 <row_mirror> <row_mask 15> <bank_mask 15>"},
      {"\tv_add_u16_sdwa v0, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 "
       "src1_sel:WORD_1// 0: 4C0004F9 "
       "05001101",
       "0x0+8 v_add_u16_sdwa | vgpr 0+1 | vgpr 1+1 | vgpr 2+1 <dst_sel 'BYTE_1'> <dst_unused "
       "'UNUSED_PRESERVE'> <src0_sel "
       "'BYTE_0'> <src1_sel 'WORD_1'>"},
      {"\tv_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] op_sel:[0,1,0] neg_hi:[1,0,0]// 0: D3B01100 0C1A0902",
       "0x0+8 v_pk_fma_f32 | vgpr 0+2 | vgpr 2+2 | vgpr 4+2 | vgpr 6+2 <op_sel 0,1,0> <neg_hi 1,0,0>"},
      {"\tv_add_f32_e64 v0, v1, v2 clamp div:2 // 0: D1018000 18020501",
       "0x0+8 v_add_f32_e64 | vgpr 0+1 | vgpr 1+1 | vgpr 2+1 <clamp> <div 2>"},
      {"\tbuffer_load_dword off, s[4:7], s1 idxen offen offset:4 lds // 0: E0513004 01010000",
       "0x0+8 buffer_load_dword | off | sgpr 4+4 | sgpr 1+1 <idxen> <offen> <offset 4> <lds>"},
      {"\ttbuffer_load_format_x v0, off, s[0:3], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] "
       "offset:1// 0: EBA00001 "
       "01000000",
       "0x0+8 tbuffer_load_format_x | vgpr 0+1 | off | sgpr 0+4 | sgpr 1+1 <format "
       "'[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]'> <offset 1>"},
      {"\tv_bitop3_b32 v0, v1, v2, v3 bitop3:0x27 // 0: D2340400 E40E0501",
       "0x0+8 v_bitop3_b32 | vgpr 0+1 | vgpr 1+1 | vgpr 2+1 | vgpr 3+1 <bitop3 39>"},
  });
}

TEST(Parse, Branches) { // from the encoding: the text may show a distance or the name of a symbol
  check({
      {"\ts_cbranch_execz 43 // 000000001C6C: BF88002B <add+0x11c>",
       "0x1c6c+4 s_cbranch_execz | branch 0x1d1c"},
      {"\ts_branch 65520 // 000000001C6C: BF82FFF0 <add+0x20>", "0x1c6c+4 s_branch | branch 0x1c30"},
      {"\ts_branch name, with (odd [text // 000000001300: BF82FFFF", "0x1300+4 s_branch | branch 0x1300"},
      {"\ts_call_b64 s[30:31], f // 000000001308: BA9EFFFD",
       "0x1308+4 s_call_b64 | sgpr 30+2 | branch 0x1300"},
      {"\ts_cbranch_g_fork s[0:1], s[2:3] // 0: 94800200", "0x0+4 s_cbranch_g_fork | sgpr 0+2 | sgpr 2+2"},
  });
}

TEST(Parse, WhatIsNoInstruction) {
  check({
      {"\t.long 0xffffffff // 0: FFFFFFFF", "0x0+4 .long | integer 0xffffffff"},
      {"\tv_cmp_lt_f64_e32 vcc, 15, v[87:88]/*Invalid register, operand has 'VReg_64_Align2' register "
       "class*/// 0: 7CC2AE8F",
       "0x0+4 .long | integer 0x7cc2ae8f"},
      {"\tv_mul_f16_dpp v68, -v90, v222 /* Invalid dpp_ctrl value */ row_mask:0xd bank_mask:0x1// 0: "
       "4489BCFA D1120E5A",
       "0x0+8 .long | integer 0x4489bcfa | integer 0xd1120e5a"},
      {"\ts_cmp_lg_u64 -15, s[4:5] // 0000000078CC: BF1305CF ; Warning: SGPR_64: scalar reg isn't aligned 5",
       "0x78cc+4 .long | integer 0xbf1305cf"},
      {"\t.byte 0x34, 0x12 // 0000000014A0: 34 12", "0x14a0+2 .byte | integer 0x34 | integer 0x12"},
      {"\tflat_store_dwordx2 v[0:1], v[255:256] // 0: DC740000 0000FF00",
       "0x0+8 flat_store_dwordx2 | vgpr 0+2 | word v[255:256]"},
  });
}

TEST(Parse, EncodingOfSixteenBytes) {
  const Instruction i = parse_instruction(
      "\tv_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[12:19], v[0:3], v20, v21 "
      "op_sel_hi:[0,1,0] cbsz:2 blgp:1// 000000000100: D3AC0000 10022B14 D3AD0A00 24021904");
  EXPECT_EQ(i.words, (std::vector<std::uint32_t>{0xD3AC0000, 0x10022B14, 0xD3AD0A00, 0x24021904}));
  EXPECT_EQ(
      describe(i),
      "0x100+16 v_mfma_scale_f32_16x16x128_f8f6f4 | vgpr 0+4 | vgpr 4+6 | vgpr 12+8 | vgpr 0+4 | vgpr 20+1 | "
      "vgpr 21+1 <op_sel_hi 0,1,0> <cbsz 2> <blgp 1>");
}

TEST(Parse, TextIsTheLineWithoutTheEncoding) {
  EXPECT_EQ(parse_instruction("\tv_add_f32_e32   v0,\tv1, v2     // 0: 02000501").text,
            "v_add_f32_e32 v0, v1, v2");
}

TEST(Parse, RefusesOtherLines) {
  const auto refuses = [](const char* line, const char* expected) {
    expect_error([&] { parse_instruction(line); }, expected);
  };
  refuses("\tv_add_f32_e32 v0, v1, v2", "address: encoding");
  refuses("", "address: encoding");
  refuses("\tv_add_f32_e32 v0, v1, v2 // 1700 02000501", "address: encoding");
  refuses("\tv_add_f32_e32 v0, v1, v2 // 17G0: 02000501", "address: encoding");
  refuses("\tv_add_f32_e32 v0, v1, v2 // 1700: 0200050", "8 hex digits");
  refuses("\tv_add_f32_e32 v0, v1, v2 // 1700: 0200050Z", "8 hex digits");
  refuses("\tv_add_f32_e32 v0, v1, v2 // 1700:", "1 to 4 words");
  refuses("\tv_add_f32_e32 v0, v1, v2 // 1700: 0 1 2 3 4", "8 hex digits");
  refuses("\tv_add_f32_e32 v0, v1, v2 // 1700: 00000000 00000000 00000000 00000000 00000000", "1 to 4 words");
  refuses("\t // 1700: 02000501", "an instruction");
  refuses("\tv_add_f32_e32 v0, v1 )x // 1700: 02000501", "a modifier");
}

} // namespace
} // namespace cts::codeobject
