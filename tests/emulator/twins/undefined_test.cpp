// Never-written values: what is followed silently, and what is reported with both of its sites.
#include "tests/emulator/support/assembled.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

constexpr const char* v = "never-written-vgpr";

struct Row {
  const char* name;
  const char* body; ///< v1 is never written
  const char* rule = "";
  const char* use = "";      ///< part of the line that is reported
  const char* producer = ""; ///< part of the line where the value came in
  int lane = 0;
  const char* detail = "data of a store";
};

/// v[4:7] = A * B; the lanes that hold row 3 of A have never been written.
#define PRODUCT_WITHOUT_ROW_3                                                                                \
  "v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\n"   \
  "v_and_b32 v10, 15, v0\nv_cmp_ne_u32 vcc, 3, v10\ns_mov_b64 exec, vcc\nv_mov_b32 v8, 0\nv_mov_b32 v9, 0\n" \
  "s_mov_b64 exec, -1\ns_nop 7\nv_mfma_f32_16x16x16_f16 v[4:7], v[8:9], v[2:3], v[4:7]\ns_nop 15\n"

const std::vector<Row> rows{
    // What no result depends on.
    {"select_defined_side",
     "s_mov_b64 vcc, 0\nv_cndmask_b32 v2, v0, v1, vcc\nglobal_store_dword v126, v2, s[6:7]"},
    {"xor_itself", "v_xor_b32 v2, v1, v1\nglobal_store_dword v126, v2, s[6:7]"},
    {"sub_itself", "v_sub_u32 v2, v1, v1\nglobal_store_dword v126, v2, s[6:7]"},
    {"times_zero", "v_mul_lo_u32 v2, v1, 0\nglobal_store_dword v126, v2, s[6:7]"},
    {"and_zero", "v_and_b32 v2, 0, v1\nglobal_store_dword v126, v2, s[6:7]"},
    {"low_half_kept", "global_load_short_d16 v1, v126, s[4:5]\ns_waitcnt vmcnt(0)\nv_and_b32 v2, 0xffff, v1\n"
                      "global_store_dword v126, v2, s[6:7]"},
    {"low_half_shifted",
     "global_load_short_d16 v1, v126, s[4:5]\ns_waitcnt vmcnt(0)\nv_lshlrev_b32 v2, 16, v1\n"
     "global_store_dword v126, v2, s[6:7]"},
    {"half_precision_of_low_half", "global_load_short_d16 v1, v126, s[4:5]\ns_waitcnt vmcnt(0)\n"
                                   "v_cvt_f32_f16 v2, v1\nglobal_store_dword v126, v2, s[6:7]"},
    {"sdwa_word", "global_load_short_d16_hi v1, v126, s[4:5]\ns_waitcnt vmcnt(0)\n"
                  "v_add_u32_sdwa v2, v0, v1 dst_sel:DWORD src0_sel:DWORD src1_sel:WORD_1\n"
                  "global_store_dword v126, v2, s[6:7]"},
    {"byte", "global_load_ubyte_d16 v1, v126, s[4:5]\ns_waitcnt vmcnt(0)\nv_cvt_f32_ubyte0 v2, v1\n"
             "global_store_dword v126, v2, s[6:7]"},
    {"packed_low_half",
     "global_load_short_d16 v1, v126, s[4:5]\ns_waitcnt vmcnt(0)\nv_pk_add_f16 v2, v1, v1\n"
     "global_store_short v126, v2, s[6:7]"},
    {"spilled_and_restored", "scratch_store_dword off, v1, off\ns_waitcnt vmcnt(0)\n"
                             "scratch_load_dword v1, off, off\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v1"},
    {"copied_to_agpr", "v_accvgpr_write_b32 a0, v1\ns_nop 1\nv_accvgpr_read_b32 v2, a0"},
    {"scalar_in_a_lane", "s_mov_b32 s8, 7\nv_writelane_b32 v1, s8, 5\nv_readlane_b32 s9, v1, 5\n"
                         "v_mov_b32 v2, s9\nglobal_store_dword v126, v2, s[6:7]"},
    {"padding_of_a_wide_copy",
     "v_lshlrev_b32 v5, 4, v0\nv_mov_b32 v8, v0\nv_mov_b32 v9, v0\nv_mov_b32 v10, v0\n"
     "global_store_dwordx3 v5, v[8:10], s[6:7]\ns_nop 0\nglobal_load_dwordx4 v[8:11], v5, s[6:7]\ns_waitcnt "
     "vmcnt(0)\n"
     "global_store_dwordx4 v5, v[8:11], s[6:7] offset:2048"},
    {"comparison_masked_by_scalar_and",
     "s_mov_b64 exec, 0xff\nv_mov_b32 v1, v0\ns_mov_b64 exec, -1\nv_cmp_gt_u32 vcc, 4, v1\n"
     "s_and_b64 s[8:9], vcc, 0xff\ns_and_saveexec_b64 s[10:11], s[8:9]\nv_mov_b32 v2, v1\n"
     "global_store_dword v126, v2, s[6:7]"},
    {"inactive_lanes", "s_mov_b64 exec, 0xff\nv_mov_b32 v1, v0\nv_add_u32 v2, 1, v1\n"
                       "global_store_dword v126, v2, s[6:7]"},
    {"rows_of_a_product_that_have_their_operands", // VGPR 0 of D has rows 0, 4, 8 and 12
     PRODUCT_WITHOUT_ROW_3 "global_store_dword v126, v4, s[6:7]"},
    {"permuted_from_defined_lanes",
     "s_mov_b64 exec, 0xff\nv_mov_b32 v1, v0\ns_mov_b64 exec, -1\nv_and_b32 v3, 7, v0\nv_lshlrev_b32 v3, 2, "
     "v3\n"
     "ds_bpermute_b32 v2, v3, v1\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v126, v2, s[6:7]"},

    // What is used.
    {"row_of_a_product_that_lacks_an_operand", // VGPR 3 of D has row 3 in lanes 0 to 15
     PRODUCT_WITHOUT_ROW_3 "global_store_dword v126, v7, s[6:7]", v, "global_store_dword", "v_mfma"},
    {"stored", "v_add_u32 v2, v1, v0\nglobal_store_dword v126, v2, s[6:7]", v, "global_store_dword",
     "v_add_u32"},
    {"stored_at_once", "global_store_dword v126, v1, s[6:7]", v, "global_store_dword", "global_store_dword"},
    {"stored_byte", "v_mov_b32 v2, v1\nglobal_store_byte v126, v2, s[6:7]", v, "global_store_byte",
     "v_mov_b32"},
    {"one_dword_of_a_wide_store",
     "v_lshlrev_b32 v5, 4, v0\nv_mov_b32 v8, v0\nv_mov_b32 v9, v0\nv_mov_b32 v10, v0\n"
     "global_store_dwordx4 v5, v[8:11], s[6:7]",
     v, "global_store_dwordx4", "global_store_dwordx4"},
    {"copied_first", "v_mov_b32 v2, v1\nv_add_u32 v3, v2, v0\nglobal_store_dword v126, v3, s[6:7]", v,
     "global_store_dword", "v_mov_b32"},
    {"half_missing",
     "global_load_short_d16 v1, v126, s[4:5]\ns_waitcnt vmcnt(0)\nv_cvt_f32_u32 v2, v1\n"
     "v_lshrrev_b32 v3, 16, v1\nglobal_store_dword v126, v3, s[6:7] offset:1024\n"
     "v_xor_b32 v3, v3, v3",
     "", "", ""}, // the other half is 0: not the whole dword
    {"select_undefined_side",
     "s_mov_b64 vcc, 0x10\nv_cndmask_b32 v2, v0, v1, vcc\nglobal_store_dword v126, v2, s[6:7]", v,
     "global_store_dword", "v_cndmask_b32", 4},
    {"lane_of_a_shift",
     "s_mov_b64 exec, 0xf7\nv_mov_b32 v1, v0\ns_mov_b64 exec, 0xff\ns_nop 1\n"
     "v_mov_b32_dpp v2, v1 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0\n"
     "global_store_dword v126, v2, s[6:7]",
     v, "global_store_dword", "v_mov_b32_dpp", 5},
    {"lane_of_a_permute",
     "s_mov_b64 exec, 0xf7\nv_mov_b32 v1, v0\ns_mov_b64 exec, 0xff\nv_xor_b32 v3, 4, v126\n"
     "ds_bpermute_b32 v2, v3, v1\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v126, v2, s[6:7]",
     v, "global_store_dword", "ds_bpermute_b32", 2},
    {"from_lds", "ds_read_b32 v2, v126\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v126, v2, s[6:7]",
     "never-written-lds", "global_store_dword", "ds_read_b32"},
    {"from_private",
     "scratch_load_dword v2, off, off\ns_waitcnt vmcnt(0)\nglobal_store_dword v126, v2, s[6:7]",
     "never-written-private", "global_store_dword", "scratch_load_dword"},
    {"from_memory",
     "global_load_dword v2, v126, s[6:7] offset:512\ns_waitcnt vmcnt(0)\n"
     "global_store_dword v126, v2, s[6:7]",
     "never-written-memory", "global_store_dword", "global_load_dword"},
    {"through_private",
     "scratch_store_dword off, v1, off\ns_waitcnt vmcnt(0)\nscratch_load_dword v2, off, off\n"
     "s_waitcnt vmcnt(0)\nglobal_store_dword v126, v2, s[6:7]",
     v, "global_store_dword", "scratch_load_dword"},
    {"through_lds_by_dma",
     "s_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dword v126, s[6:7] offset:512\n"
     "s_waitcnt vmcnt(0)\nv_add_u32 v3, 512, v126\nds_read_b32 v2, v3\ns_waitcnt lgkmcnt(0)\n"
     "global_store_dword v126, v2, s[6:7]",
     "never-written-memory", "global_store_dword", "ds_read_b32"},
    {"address_in_memory", "v_and_b32 v2, 0xfc, v1\nglobal_load_dword v3, v2, s[4:5]\ns_waitcnt vmcnt(0)", v,
     "global_load_dword", "v_and_b32", 0, "an address"},
    {"address_in_lds", "v_and_b32 v2, 0xfc, v1\nds_write_b32 v2, v0\ns_waitcnt lgkmcnt(0)", v, "ds_write_b32",
     "v_and_b32", 0, "an address"},
    {"scalar_address",
     "v_and_b32 v2, 0xfc, v1\nv_readfirstlane_b32 s8, v2\ns_load_dword s9, s[4:5], s8\n"
     "s_waitcnt lgkmcnt(0)",
     v, "s_load_dword", "v_and_b32", -1, "an address"},
    {"execution_mask", "v_cmp_eq_u32 vcc, 7, v1\ns_and_saveexec_b64 s[8:9], vcc", v, "s_and_saveexec_b64",
     "v_cmp_eq_u32", 0, "an active lane of EXEC"},
    {"branch_on_equality",
     "v_readfirstlane_b32 s8, v1\ns_cmp_eq_u32 s8, 7\ns_cbranch_scc1 .Lon\ns_nop 0\n.Lon:", v,
     "s_cbranch_scc1", "v_readfirstlane_b32", -1, "a branch's condition"},
    {"branch_on_vcc", "v_cmp_lt_i32 vcc, v1, v0\ns_cbranch_vccz .Lzero\ns_nop 0\n.Lzero:", v,
     "s_cbranch_vccz", "v_cmp_lt_i32", -1, "a branch's condition"},
    {"atomic_on_memory", "v_mov_b32 v2, 1\nglobal_atomic_add v126, v2, s[6:7] offset:512\ns_waitcnt vmcnt(0)",
     "never-written-memory", "global_atomic_add", "global_atomic_add", 0, "the memory operand of an atomic"},
};

class Undefined : public ::testing::TestWithParam<Target> {};

INSTANTIATE_TEST_SUITE_P(Targets, Undefined, ::testing::Values(Target::gfx942, Target::gfx950),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Undefined, IsReportedWhereItIsUsedAndNowhereElse) {
  std::vector<AssembledKernel> kernels;
  for (const Row& row : rows) kernels.push_back({row.name, row.body, 1024, 64});
  Bench bench(GetParam(), kernels);
  for (const Row& row : rows) {
    const LaunchReport report = bench.run(row.name);
    EXPECT_FALSE(report.stop) << row.name << ": " << report.stop->line;
    std::string all;
    for (const Violation& found : report.violations)
      all += fmt::format("\n  {} lane {} '{}' <- '{}' {}", found.rule, found.lane, found.text,
                         found.producer_text, found.detail);
    EXPECT_EQ(report.violations.size(), *row.rule == '\0' ? 0u : 1u) << row.name << all;
    if (report.violations.size() != 1) continue;
    const Violation& found = report.violations[0];
    EXPECT_EQ(found.rule, row.rule) << row.name;
    EXPECT_EQ(found.lane, row.lane) << row.name;
    EXPECT_NE(found.text.find(row.use), std::string::npos) << row.name << all;
    EXPECT_NE(found.producer_text.find(row.producer), std::string::npos) << row.name << all;
    EXPECT_NE(found.detail.find(row.detail), std::string::npos) << row.name << all;
    EXPECT_LE(found.producer_pc, found.pc) << row.name;
  }
}

/// SCC is undefined at the wait: what the wait completes happens once, and for good.
TEST_P(Undefined, WaitsAreNoTrials) {
  Bench bench(GetParam(),
              {{"k", "global_load_dword v2, v126, s[4:5]\ns_load_dword s9, s[4:5], 0x0\n"
                     "v_readfirstlane_b32 s8, v1\ns_cmp_eq_u32 s8, 7\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
                     "v_add_u32 v2, s9, v2\nglobal_store_dword v126, v2, s[6:7]"}});
  for (unsigned i = 0; i < 64; ++i) bench.in()[i] = 1000 + i;
  for (const Violation& found : bench.run("k").violations)
    ADD_FAILURE() << found.rule << " at " << found.text;
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(bench.out()[t], 2000 + t) << "thread " << t;
}

/// What the host writes is written, a copy between blocks copies what it finds, and a fresh block has
/// nothing.
TEST(UndefinedMemory, TheHostsWritesAndCopiesAreSeen) {
  Memory memory;
  auto* const a = static_cast<std::uint8_t*>(memory.allocate(256));
  auto* const b = static_cast<std::uint8_t*>(memory.allocate(256));
  auto* const pinned = static_cast<std::uint8_t*>(memory.allocate(256, true));
  const auto state = [&](std::uint8_t* at) {
    const Place place = memory.place(reinterpret_cast<std::uint64_t>(at), 1);
    return place.shadow == nullptr ? shadow_byte::written : *place.shadow;
  };
  EXPECT_EQ(state(a), shadow_byte::never);
  EXPECT_EQ(state(pinned), shadow_byte::written);
  memory.mark_written(a + 16, 8);
  EXPECT_EQ(state(a + 15), shadow_byte::never);
  EXPECT_EQ(state(a + 16), shadow_byte::written);
  EXPECT_EQ(state(a + 23), shadow_byte::written);
  EXPECT_EQ(state(a + 24), shadow_byte::never);
  memory.mark_copied(b, a + 8, 16);
  EXPECT_EQ(state(b + 7), shadow_byte::never);
  EXPECT_EQ(state(b + 8), shadow_byte::written);
  memory.mark_copied(b + 100, pinned, 4);
  EXPECT_EQ(state(b + 103), shadow_byte::written);
  memory.renew(a);
  EXPECT_EQ(state(a + 16), shadow_byte::never);
}

} // namespace
} // namespace cts::emulator::testing
