// Scalar instructions: registers and SCC before and after, in hand-made tables whose expectations are
// numbers.
#include "tests/emulator/support/instruction_bench.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int same = -1; ///< SCC keeps its value

/// Sources s[0:1] and s[2:3], old destination and EXEC; the destination is s[8:9], of as many registers as
/// the text names.
struct Case {
  const char* text;
  u64 a, b;
  int scc_in;
  u64 want;
  int scc;
  u64 old = 0x1111111122222222;
  u64 exec = 0xf0f0;
};

const Case cases[] = {
    {"s_add_u32 s8, s0, s2", 0xffffffff, 2, 0, 1, 1},
    {"s_add_u32 s8, s0, s2", 5, 2, 1, 7, 0},
    {"s_sub_u32 s8, s0, s2", 5, 7, 0, 0xfffffffe, 1},
    {"s_sub_u32 s8, s0, s2", 7, 5, 1, 2, 0},
    {"s_add_i32 s8, s0, s2", 0x7fffffff, 1, 0, 0x80000000, 1},
    {"s_add_i32 s8, s0, s2", 0xffffffff, 1, 1, 0, 0},
    {"s_sub_i32 s8, s0, s2", 0x80000000, 1, 0, 0x7fffffff, 1},
    {"s_addc_u32 s8, s0, s2", 0xffffffff, 0, 1, 0, 1},
    {"s_addc_u32 s8, s0, s2", 1, 2, 0, 3, 0},
    {"s_subb_u32 s8, s0, s2", 5, 5, 1, 0xffffffff, 1},
    {"s_subb_u32 s8, s0, s2", 5, 4, 1, 0, 0},
    {"s_min_i32 s8, s0, s2", 0xffffffff, 1, 0, 0xffffffff, 1},
    {"s_min_u32 s8, s0, s2", 0xffffffff, 1, 1, 1, 0},
    {"s_max_i32 s8, s0, s2", 3, 3, 0, 3, 1},
    {"s_max_u32 s8, s0, s2", 1, 0xffffffff, 1, 0xffffffff, 0},
    {"s_mul_i32 s8, s0, s2", 0xffffffff, 7, 1, 0xfffffff9, same},
    {"s_mul_hi_u32 s8, s0, s2", 0xffffffff, 0xffffffff, 0, 0xfffffffe, same},
    {"s_mul_hi_i32 s8, s0, s2", 0xffffffff, 7, 0, 0xffffffff, same},
    {"s_lshl1_add_u32 s8, s0, s2", 0x80000000, 1, 0, 1, 1},
    {"s_lshl2_add_u32 s8, s0, s2", 3, 1, 1, 13, 0},
    {"s_lshl3_add_u32 s8, s0, s2", 3, 1, 1, 25, 0},
    {"s_lshl4_add_u32 s8, s0, s2", 0x10000000, 1, 0, 1, 1},
    {"s_abs_i32 s8, s0", 0x80000001, 0, 0, 0x7fffffff, 1},
    {"s_abs_i32 s8, s0", 0x80000000, 0, 0, 0x80000000, 1},
    {"s_abs_i32 s8, s0", 0, 0, 1, 0, 0},
    {"s_absdiff_i32 s8, s0, s2", 2, 5, 0, 3, 1},
    {"s_absdiff_i32 s8, s0, s2", 0xffffffff, 0, 0, 1, 1},
    {"s_absdiff_i32 s8, s0, s2", 0x80000000, 0, 0, 0x80000000, 1},
    {"s_absdiff_i32 s8, s0, s2", 0x80000000, 1, 0, 0x7fffffff, 1},
    {"s_absdiff_i32 s8, s0, s2", 0x80000000, 0xffffffff, 0, 0x7fffffff, 1},
    {"s_absdiff_i32 s8, s0, s2", 0x80000000, 0xfffffffe, 0, 0x7ffffffe, 1},
    {"s_mov_b32 s8, s0", 0x12345678, 0, 1, 0x12345678, same},
    {"s_mov_b32 s8, 0xdeadbeef", 0, 0, 1, 0xdeadbeef, same},
    {"s_mov_b64 s[8:9], s[0:1]", 0x0123456789abcdef, 0, 0, 0x0123456789abcdef, same},
    {"s_mov_b64 s[8:9], -1", 0, 0, 0, ~0ull, same},
    {"s_mov_b64 s[8:9], 0x80000000", 0, 0, 0, 0x80000000, same},
    {"s_mov_b64 s[8:9], src_shared_base", 0, 0, 0, shared_base, same},
    {"s_mov_b64 s[8:9], src_private_base", 0, 0, 0, private_base, same},
    {"s_mov_b32 s8, exec_lo", 0, 0, 0, 0xf0f0, same},
    {"s_cselect_b32 s8, s0, s2", 1, 2, 1, 1, same},
    {"s_cselect_b32 s8, s0, s2", 1, 2, 0, 2, same},
    {"s_cselect_b64 s[8:9], -1, 0", 0, 0, 1, ~0ull, same},
    {"s_cmov_b32 s8, s0", 9, 0, 1, 9, same},
    {"s_cmov_b32 s8, s0", 9, 0, 0, 0x22222222, same},
    {"s_cmov_b64 s[8:9], s[0:1]", 9, 0, 0, 0x1111111122222222, same},
    {"s_cmov_b64 s[8:9], s[0:1]", 9, 0, 1, 9, same},
    {"s_movk_i32 s8, 0x8000", 0, 0, 0, 0xffff8000, same},
    {"s_movk_i32 s8, 0x7fff", 0, 0, 0, 0x7fff, same},
    {"s_cmovk_i32 s8, 0xffff", 0, 0, 1, 0xffffffff, same},
    {"s_cmovk_i32 s8, 0xffff", 0, 0, 0, 0x22222222, same},
    {"s_addk_i32 s8, 0xffff", 0, 0, 1, 0x22222221, 0},
    {"s_addk_i32 s8, 0x1", 0, 0, 0, 0x80000000, 1, 0x7fffffff},
    {"s_mulk_i32 s8, 0xfffe", 0, 0, 1, 0xbbbbbbbc, same},
    {"s_and_b32 s8, s0, s2", 0xff00ff00, 0x00ff00ff, 1, 0, 0},
    {"s_and_b64 s[8:9], s[0:1], s[2:3]", ~0ull, 1ull << 63, 0, 1ull << 63, 1},
    {"s_or_b32 s8, s0, s2", 0xff00ff00, 0x00ff00ff, 0, 0xffffffff, 1},
    {"s_or_b64 s[8:9], s[0:1], s[2:3]", 0, 0, 1, 0, 0},
    {"s_xor_b32 s8, s0, s2", 5, 5, 1, 0, 0},
    {"s_xor_b64 s[8:9], s[0:1], s[2:3]", ~0ull, 1, 0, ~1ull, 1},
    {"s_andn2_b32 s8, s0, s2", 0xff, 0x0f, 0, 0xf0, 1},
    {"s_andn2_b64 s[8:9], s[0:1], s[2:3]", 0xff, 0x0f, 0, 0xf0, 1},
    {"s_orn2_b32 s8, s0, s2", 0, 0xffffffff, 1, 0, 0},
    {"s_orn2_b64 s[8:9], s[0:1], s[2:3]", 0, 1, 0, ~1ull, 1},
    {"s_nand_b32 s8, s0, s2", 0xffffffff, 0xffffffff, 1, 0, 0},
    {"s_nand_b64 s[8:9], s[0:1], s[2:3]", 1, 3, 0, ~1ull, 1},
    {"s_nor_b32 s8, s0, s2", 1, 2, 0, 0xfffffffc, 1},
    {"s_nor_b64 s[8:9], s[0:1], s[2:3]", ~0ull, 0, 1, 0, 0},
    {"s_xnor_b32 s8, s0, s2", 5, 5, 0, 0xffffffff, 1},
    {"s_xnor_b64 s[8:9], s[0:1], s[2:3]", ~0ull, 0, 1, 0, 0},
    {"s_not_b32 s8, s0", 0xffffffff, 0, 1, 0, 0},
    {"s_not_b64 s[8:9], s[0:1]", 0, 0, 0, ~0ull, 1},
    {"s_lshl_b32 s8, s0, s2", 3, 33, 0, 6, 1},
    {"s_lshl_b64 s[8:9], s[0:1], s2", 3, 65, 0, 6, 1},
    {"s_lshr_b32 s8, s0, s2", 0x80000000, 31, 0, 1, 1},
    {"s_lshr_b64 s[8:9], s[0:1], s2", 1ull << 63, 63, 0, 1, 1},
    {"s_ashr_i32 s8, s0, s2", 0x80000000, 31, 0, 0xffffffff, 1},
    {"s_ashr_i64 s[8:9], s[0:1], s2", 1ull << 63, 60, 0, ~7ull, 1},
    {"s_bfm_b32 s8, s0, s2", 5, 3, 1, 0xf8, same},
    {"s_bfm_b64 s[8:9], s0, s2", 40, 8, 1, 0x0000ffffffffff00, same},
    {"s_bfe_u32 s8, s0, s2", 0x12345678, 8 << 16 | 4, 0, 0x67, 1},
    {"s_bfe_u32 s8, s0, s2", 0x12345678, 32 << 16, 0, 0x12345678, 1},
    {"s_bfe_u32 s8, s0, s2", 0x12345678, 0, 1, 0, 0},
    {"s_bfe_i32 s8, s0, s2", 0x00000f80, 8 << 16 | 4, 0, 0xfffffff8, 1},
    {"s_bfe_i32 s8, s0, s2", 0x80000000, 40 << 16 | 28, 0, 0xfffffff8, 1},
    {"s_bfe_u64 s[8:9], s[0:1], s2", 0x123456789abcdef0, 16 << 16 | 40, 0, 0x3456, 1},
    {"s_bfe_i64 s[8:9], s[0:1], s2", 0x80ull << 40, 8 << 16 | 40, 0, ~0x7full, 1},
    {"s_pack_ll_b32_b16 s8, s0, s2", 0x11112222, 0x33334444, 1, 0x44442222, same},
    {"s_pack_lh_b32_b16 s8, s0, s2", 0x11112222, 0x33334444, 1, 0x33332222, same},
    {"s_pack_hh_b32_b16 s8, s0, s2", 0x11112222, 0x33334444, 1, 0x33331111, same},
    {"s_bcnt0_i32_b32 s8, s0", 0xffffffff, 0, 1, 0, 0},
    {"s_bcnt0_i32_b64 s8, s[0:1]", 0xf, 0, 0, 60, 1},
    {"s_bcnt1_i32_b32 s8, s0", 0xcccccccc, 0, 0, 16, 1},
    {"s_bcnt1_i32_b64 s8, s[0:1]", ~0ull, 0, 0, 64, 1},
    {"s_ff0_i32_b32 s8, s0", 0x55555555, 0, 0, 1, same},
    {"s_ff0_i32_b32 s8, s0", 0xffffffff, 0, 0, 0xffffffff, same},
    {"s_ff0_i32_b64 s8, s[0:1]", 0xffffffff, 0, 0, 32, same},
    {"s_ff1_i32_b32 s8, s0", 0x00010000, 0, 0, 16, same},
    {"s_ff1_i32_b32 s8, s0", 0, 0, 0, 0xffffffff, same},
    {"s_ff1_i32_b64 s8, s[0:1]", 1ull << 40, 0, 0, 40, same},
    {"s_flbit_i32_b32 s8, s0", 0x0000cccc, 0, 0, 16, same},
    {"s_flbit_i32_b32 s8, s0", 0, 0, 0, 0xffffffff, same},
    {"s_flbit_i32_b64 s8, s[0:1]", 1, 0, 0, 63, same},
    {"s_flbit_i32 s8, s0", 0xffff3333, 0, 0, 16, same},
    {"s_flbit_i32 s8, s0", 0x80000000, 0, 0, 1, same},
    {"s_flbit_i32 s8, s0", 0xffffffff, 0, 0, 0xffffffff, same},
    {"s_flbit_i32_i64 s8, s[0:1]", ~0ull << 20, 0, 0, 44, same},
    {"s_sext_i32_i8 s8, s0", 0x80, 0, 0, 0xffffff80, same},
    {"s_sext_i32_i16 s8, s0", 0x18000, 0, 0, 0xffff8000, same},
    {"s_brev_b32 s8, s0", 1, 0, 0, 0x80000000, same},
    {"s_brev_b64 s[8:9], s[0:1]", 6, 0, 0, 3ull << 61, same},
    {"s_quadmask_b32 s8, s0", 0x10020003, 0, 0, 0x91, 1},
    {"s_quadmask_b64 s[8:9], s[0:1]", 0x8000000000000001, 0, 0, 0x8001, 1},
    {"s_wqm_b32 s8, s0", 0x10020003, 0, 0, 0xf00f000f, 1},
    {"s_wqm_b64 s[8:9], s[0:1]", 0x8000000000000001, 0, 0, 0xf00000000000000f, 1},
    {"s_bitreplicate_b64_b32 s[8:9], s0", 0x80000005, 0, 0, 0xc000000000000033, same},
    {"s_bitset0_b32 s8, s0", 33, 0, 0, 0x22222220, same},
    {"s_bitset1_b32 s8, s0", 0, 0, 0, 0x22222223, same},
    {"s_bitset0_b64 s[8:9], s0", 60, 0, 0, 0x0111111122222222, same},
    {"s_bitset1_b64 s[8:9], s0", 63, 0, 0, 0x9111111122222222, same},
    {"s_cmp_eq_i32 s0, s2", 5, 5, 0, 0x22222222, 1},
    {"s_cmp_lg_i32 s0, s2", 5, 5, 1, 0x22222222, 0},
    {"s_cmp_gt_i32 s0, s2", 0xffffffff, 0, 1, 0x22222222, 0},
    {"s_cmp_ge_i32 s0, s2", 0, 0xffffffff, 0, 0x22222222, 1},
    {"s_cmp_lt_i32 s0, s2", 0xffffffff, 0, 0, 0x22222222, 1},
    {"s_cmp_le_i32 s0, s2", 1, 0, 1, 0x22222222, 0},
    {"s_cmp_eq_u32 s0, s2", 5, 6, 1, 0x22222222, 0},
    {"s_cmp_lg_u32 s0, s2", 5, 6, 0, 0x22222222, 1},
    {"s_cmp_gt_u32 s0, s2", 0xffffffff, 0, 0, 0x22222222, 1},
    {"s_cmp_ge_u32 s0, s2", 0, 0xffffffff, 1, 0x22222222, 0},
    {"s_cmp_lt_u32 s0, s2", 0xffffffff, 0, 1, 0x22222222, 0},
    {"s_cmp_le_u32 s0, s2", 0, 0, 0, 0x22222222, 1},
    {"s_cmp_eq_u64 s[0:1], s[2:3]", 1ull << 40, 1ull << 40, 0, 0x22222222, 1},
    {"s_cmp_lg_u64 s[0:1], s[2:3]", 1ull << 40, 1ull << 41, 0, 0x22222222, 1},
    {"s_cmpk_eq_i32 s0, 0xffff", 0xffffffff, 0, 0, 0x22222222, 1},
    {"s_cmpk_eq_u32 s0, 0xffff", 0xffffffff, 0, 1, 0x22222222, 0},
    {"s_cmpk_lg_i32 s0, 0x10", 0x10, 0, 1, 0x22222222, 0},
    {"s_cmpk_gt_i32 s0, 0xfffe", 0xffffffff, 0, 0, 0x22222222, 1},
    {"s_cmpk_ge_i32 s0, 0xffff", 0, 0, 0, 0x22222222, 1},
    {"s_cmpk_lt_i32 s0, 0x1", 0x80000000, 0, 0, 0x22222222, 1},
    {"s_cmpk_le_i32 s0, 0x1", 2, 0, 1, 0x22222222, 0},
    {"s_cmpk_lg_u32 s0, 0x1", 2, 0, 0, 0x22222222, 1},
    {"s_cmpk_gt_u32 s0, 0xffff", 0x10000, 0, 0, 0x22222222, 1},
    {"s_cmpk_ge_u32 s0, 0xffff", 0xffff, 0, 0, 0x22222222, 1},
    {"s_cmpk_lt_u32 s0, 0xffff", 0xffff, 0, 1, 0x22222222, 0},
    {"s_cmpk_le_u32 s0, 0xffff", 0xffff, 0, 0, 0x22222222, 1},
    {"s_bitcmp0_b32 s0, s2", 4, 34, 1, 0x22222222, 0},
    {"s_bitcmp1_b32 s0, s2", 4, 34, 0, 0x22222222, 1},
    {"s_bitcmp0_b64 s[0:1], s2", 1ull << 40, 40, 1, 0x22222222, 0},
    {"s_bitcmp1_b64 s[0:1], s2", 1ull << 40, 40, 0, 0x22222222, 1},
};

TEST(Scalar, ResultsAndScc) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    std::vector<std::string> lines;
    for (const Case& c : cases) lines.emplace_back(c.text);
    InstructionBench bench(target, lines);
    Wave& w = bench.wave();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Case& c = cases[i];
      w.set_pair(0, c.a), w.set_pair(2, c.b), w.set_pair(8, c.old);
      w.set_exec(c.exec);
      w.scc = static_cast<u32>(c.scc_in);
      bench.run(i);
      const Op& op = bench.op(i);
      const bool wide = op.results > 0 && op.dst[0].count == 2;
      const u64 got = wide ? w.pair(8) : w.sgpr[8];
      EXPECT_EQ(got, wide ? c.want : c.want & 0xffffffff)
          << fmt::format("{} with a={:x} b={:x} scc={}: got {:x}", c.text, c.a, c.b, c.scc_in, got);
      EXPECT_EQ(w.scc, static_cast<u32>(c.scc == same ? c.scc_in : c.scc)) << c.text << " SCC";
    }
  }
}

/// s[8:9] gets the old EXEC (or the new one), EXEC the result; SCC says whether it is 0.
struct MaskCase {
  const char* text;
  u64 exec_after;
  bool saves_old = true;
};

TEST(Scalar, MasksAndExec) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    constexpr u64 s = 0xff00ff, e = 0x0f0f0f0f;
    const MaskCase masks[] = {
        {"s_and_saveexec_b64 s[8:9], s[0:1]", s & e},
        {"s_or_saveexec_b64 s[8:9], s[0:1]", s | e},
        {"s_xor_saveexec_b64 s[8:9], s[0:1]", s ^ e},
        {"s_andn2_saveexec_b64 s[8:9], s[0:1]", s & ~e},
        {"s_orn2_saveexec_b64 s[8:9], s[0:1]", s | ~e},
        {"s_nand_saveexec_b64 s[8:9], s[0:1]", ~(s & e)},
        {"s_nor_saveexec_b64 s[8:9], s[0:1]", ~(s | e)},
        {"s_xnor_saveexec_b64 s[8:9], s[0:1]", ~(s ^ e)},
        {"s_andn1_saveexec_b64 s[8:9], s[0:1]", ~s & e},
        {"s_orn1_saveexec_b64 s[8:9], s[0:1]", ~s | e},
        {"s_andn1_wrexec_b64 s[8:9], s[0:1]", ~s & e, false},
        {"s_andn2_wrexec_b64 s[8:9], s[0:1]", s & ~e, false},
    };
    std::vector<std::string> lines;
    for (const auto& m : masks) lines.emplace_back(m.text);
    InstructionBench bench(target, lines);
    Wave& w = bench.wave();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      w.set_pair(0, s), w.set_exec(e);
      w.scc = 0;
      bench.run(i);
      EXPECT_EQ(w.exec(), masks[i].exec_after) << lines[i];
      EXPECT_EQ(w.pair(8), masks[i].saves_old ? e : masks[i].exec_after) << lines[i];
      EXPECT_EQ(w.scc, 1u) << lines[i];
    }
    w.set_pair(0, 0), w.set_exec(e);
    bench.run(0);
    EXPECT_EQ(w.scc, 0u) << "no lane is left";
  }
}

TEST(Scalar, ModeFieldsByGetregAndSetreg) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(
        target,
        {"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0xe", "s_setreg_b32 hwreg(HW_REG_MODE, 23, 1), s0",
         "s_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 6)", "s_getreg_b32 s8, hwreg(HW_REG_MODE)",
         "s_getreg_b32 s8, hwreg(HW_REG_HW_ID)", "s_getreg_b32 s8, hwreg(HW_REG_XCC_ID)"});
    Wave& w = bench.wave();
    bench.run(0);
    EXPECT_EQ(w.mode, (hip_mode & ~0xfu) | 0xe);
    w.sgpr[0] = 0xffffffff;
    bench.run(1);
    EXPECT_EQ(w.mode, (hip_mode & ~0xfu) | 0xe | 1u << 23) << "only the field's one bit";
    bench.run(2);
    EXPECT_EQ(w.sgpr[8], 0x3fu);
    bench.run(3);
    EXPECT_EQ(w.sgpr[8], w.mode);
    bench.run(4);
    EXPECT_EQ(w.sgpr[8], 0u);
    bench.run(5);
    EXPECT_EQ(w.sgpr[8], 0u);
  }
}

TEST(Scalar, BranchesGoWhereTheirConditionSays) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"s_branch 1", "s_cbranch_scc0 1", "s_cbranch_scc1 1", "s_cbranch_vccz 1",
                                    "s_cbranch_vccnz 1", "s_cbranch_execz 1", "s_cbranch_execnz 1",
                                    "s_cbranch_cdbgsys 1", "s_cbranch_cdbguser 1",
                                    "s_cbranch_cdbgsys_or_user 1", "s_cbranch_cdbgsys_and_user 1"});
    Wave& w = bench.wave();
    const auto taken = [&](std::size_t i, u32 scc, u64 vcc, u64 exec) {
      w.scc = scc, w.set_pair(sreg::vcc, vcc), w.set_exec(exec);
      w.at = 77; // the op's target is 0 here: a taken branch is seen
      bench.run(i);
      return w.at == bench.op(i).target;
    };
    EXPECT_TRUE(taken(0, 0, 0, 0));
    EXPECT_TRUE(taken(1, 0, 0, 0));
    EXPECT_FALSE(taken(1, 1, 0, 0));
    EXPECT_TRUE(taken(2, 1, 0, 0));
    EXPECT_FALSE(taken(2, 0, 0, 0));
    EXPECT_TRUE(taken(3, 0, 0, 1));
    EXPECT_FALSE(taken(3, 0, 1ull << 40, 1));
    EXPECT_TRUE(taken(4, 0, 1ull << 40, 1));
    EXPECT_FALSE(taken(4, 0, 0, 1));
    EXPECT_TRUE(taken(5, 0, 1, 0));
    EXPECT_FALSE(taken(5, 0, 1, 1));
    EXPECT_TRUE(taken(6, 0, 0, 1));
    EXPECT_FALSE(taken(6, 0, 0, 0));
    for (std::size_t debug = 7; debug < bench.size(); ++debug)
      EXPECT_FALSE(taken(debug, 1, 1, 1)) << bench.text(debug) << ": no debugger has set its flag";
  }
}

TEST(Scalar, NopCountsItsWaitStates) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"s_nop 0", "s_nop 7", "s_nop 15", "s_sleep 3", "s_setprio 1"});
    EXPECT_EQ(bench.op(0).wait_states, 1);
    EXPECT_EQ(bench.op(1).wait_states, 8);
    EXPECT_EQ(bench.op(2).wait_states, 16);
    EXPECT_EQ(bench.op(3).wait_states, 1);
    for (std::size_t i = 0; i < 3; ++i) bench.run(i);
    bench.notes(Tested::executed);
    for (std::size_t i = 3; i < 5; ++i) bench.run(i);
  }
}

TEST(Scalar, RelativeRegisters) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"s_movrels_b32 s8, s0", "s_movreld_b32 s8, s0",
                                    "s_movrels_b64 s[8:9], s[0:1]", "s_movreld_b64 s[8:9], s[0:1]"});
    Wave& w = bench.wave();
    w.sgpr[sreg::m0] = 4;
    w.set_pair(0, 0x1111111122222222), w.set_pair(4, 0x3333333344444444);
    bench.run(0);
    EXPECT_EQ(w.sgpr[8], 0x44444444u);
    bench.run(1);
    EXPECT_EQ(w.sgpr[12], 0x22222222u);
    bench.run(2);
    EXPECT_EQ(w.pair(8), 0x3333333344444444u);
    bench.run(3);
    EXPECT_EQ(w.pair(12), 0x1111111122222222u);
  }
}

TEST(Scalar, VgprIndexingMovesSourceAndDestination) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target,
                           {"s_set_gpr_idx_on s0, gpr_idx(SRC0)", "v_mov_b32_e32 v10, v1",
                            "s_set_gpr_idx_mode gpr_idx(DST)", "s_set_gpr_idx_idx s2", "s_set_gpr_idx_off"});
    Wave& w = bench.wave();
    for (unsigned r = 0; r < 40; ++r) w.vgpr[r][5] = 1000 + r;
    w.sgpr[sreg::m0] = 0xabcd0000;
    w.sgpr[0] = 3;
    bench.run(0);
    EXPECT_EQ(w.sgpr[sreg::m0], 0xabcd1003u);
    bench.run(1);
    EXPECT_EQ(w.vgpr[10][5], 1004u) << "v1 + 3";
    bench.run(2);
    w.sgpr[2] = 7;
    bench.run(3);
    bench.run(1);
    EXPECT_EQ(w.vgpr[17][5], 1001u) << "v10 + 7, the source no longer moved";
    bench.run(4);
    w.vgpr[1][5] = 5;
    bench.run(1);
    EXPECT_EQ(w.vgpr[10][5], 5u) << "off";
    w.allocated_vgprs = 16;
    bench.run(0), w.sgpr[sreg::m0] = 0x1000 | 20;
    EXPECT_ANY_THROW(bench.run(1)) << "v21 of 16 registers";
  }
}

} // namespace
} // namespace cts::emulator::testing
