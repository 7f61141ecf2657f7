// Each row of Table 11: with its wait states nothing is found, with one less the row is.
#include "tests/audit/programs.hpp"

#include "common/error.hpp"
#include "reference/wait_states.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cts::audit {
namespace {

/// The two instructions of a row.
struct Pair {
  std::string_view row, first, second;
};

constexpr Pair pairs[] = {
    {"setreg_getreg", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0",
     "s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 4)"},
    {"setreg_setreg", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0",
     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 15"},
    {"vskip_getreg", "s_setvskip s0, 1", "s_getreg_b32 s1, hwreg(HW_REG_MODE)"},
    {"setreg_vskip_vector", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0", "v_mov_b32 v0, v1"},
    {"valu_vcc_exec_z", "v_cmp_eq_u32 vcc, v0, v1", "v_mov_b32 v2, src_vccz"},
    {"valu_sgpr_lane_select", "v_readfirstlane_b32 s4, v0", "v_readlane_b32 s5, v1, s4"},
    {"valu_vcc_div_fmas", "v_cmp_eq_u32 vcc, v0, v1", "v_div_fmas_f32 v2, v3, v4, v5"},
    {"wide_store_write", "global_store_dwordx4 v[0:1], v[4:7], off", "ds_read_b32 v5, v8"},
    {"wide_store_valu_write", "global_store_dwordx3 v[0:1], v[4:6], off", "v_mov_b32 v6, v8"},
    {"valu_sgpr_vmem", "v_readfirstlane_b32 s4, v0", "buffer_load_dword v1, off, s[8:11], s4"},
    {"salu_m0_sendmsg", "s_mov_b32 m0, 0", "s_sendmsg sendmsg(MSG_INTERRUPT)"},
    {"salu_m0_gds", "s_mov_b32 m0, 0", "ds_gws_barrier v0 gds"},
    {"valu_vgpr_dpp", "v_mov_b32 v0, v1", "v_mov_b32_dpp v2, v0 row_shl:1 row_mask:0xf bank_mask:0xf"},
    {"valu_exec_dpp", "v_cmpx_eq_u32 exec, v0, v1",
     "v_mov_b32_dpp v2, v3 row_shl:1 row_mask:0xf bank_mask:0xf"},
    {"setreg_trapsts_rfe", "s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0", "s_rfe_b64 s[2:3]"},
    {"salu_m0_lds", "s_mov_b32 m0, s0", "global_load_lds_dword v[0:1], off"},
    {"salu_m0_movrel", "s_mov_b32 m0, s0", "s_movrels_b32 s1, s2"},
    {"valu_sgpr_constant", "v_cmp_eq_u32 s[4:5], v0, v1", "v_add_u32 v2, s4, v3"},
    {"cmpx_constant", "v_cmpx_eq_u32 exec, v0, v1", "v_mov_b32 v2, exec_lo"},
    {"cmpx_lane", "v_cmpx_eq_u32 exec, v0, v1", "v_readfirstlane_b32 s0, v3"},
    {"valu_vgpr_readlane", "v_mov_b32 v0, v1", "v_readlane_b32 s0, v0, 3"},
    {"valu_vgpr_readfirstlane", "v_mov_b32 v0, v1", "v_readfirstlane_b32 s0, v0"},
    {"valu_exec_vmem", "v_cmpx_eq_u32 exec, v0, v1", "global_load_dword v2, v[4:5], off"},
    {"opsel_sdwa",
     "v_add_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_0",
     "v_mov_b32 v3, v0"},
    {"trans_valu", "v_exp_f32 v0, v1", "v_add_f32 v2, v0, v3"},
    {"cmpx_permlane", "v_cmpx_eq_u32 exec, v0, v1", "v_permlane32_swap_b32 v2, v3"},
    {"valu_vgpr_permlane", "v_mov_b32 v0, v1", "v_permlane16_swap_b32 v2, v0"},
    {"cvt_parts", "v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]", "v_cvt_pk_fp8_f32 v0, v1, v2"},
};

std::string program(const Pair& pair, int states) {
  return fmt::format("  {}\n{}  {}\n", pair.first, nops(states), pair.second);
}

std::vector<Twins> all_twins(std::optional<int> (*states)(const reference::SoftwareWait&, Target),
                             Target target, RuleSet rules) {
  std::vector<Twins> twins;
  for (const Pair& pair : pairs) {
    const int needed = states(reference::software_wait(pair.row), target).value_or(0);
    std::string rule(pair.row);
    std::ranges::replace(rule, '_', '-');
    if (needed > 0)
      twins.push_back({.name = rule,
                       .rule = rule,
                       .right = program(pair, needed),
                       .broken = program(pair, needed - 1),
                       .targets = {target},
                       .rules = rules});
  }
  return twins;
}

TEST(SoftwareWaits, EveryRowHasTwins) {
  const auto states = [](const reference::SoftwareWait& row, Target target) { return row.states(target); };
  for (const Target target : all_targets) expect_twins(all_twins(states, target, RuleSet::isa), target);
}

TEST(SoftwareWaits, LlvmsNumbers) {
  const auto states = [](const reference::SoftwareWait& row, Target) { return row.llvm; };
  expect_twins(all_twins(states, Target::gfx950, RuleSet::llvm), Target::gfx950);
}

TEST(SoftwareWaits, RowsWithoutAPairHereAskForNothing) {
  for (const reference::SoftwareWait& row : reference::software_waits()) {
    if (std::ranges::find(pairs, row.id, &Pair::row) != std::end(pairs)) continue;
    const bool both_names_have_one_encoding = row.id == "vcc_two_names";
    EXPECT_TRUE(both_names_have_one_encoding || (row.gfx942 == 0 && row.gfx950 == 0)) << row.id;
  }
}

/// What a row's words cover beyond its usual pair.
TEST(SoftwareWaits, MasksOfCmpxAndPartsOfConversions) {
  const auto one_apart = [](std::string_view rule, const std::string& first, const std::string& second,
                            std::vector<Target> targets, int states) {
    return Twins{.name = first,
                 .rule = std::string(rule),
                 .right = "  " + first + "\n" + nops(states) + "  " + second + "\n",
                 .broken = "  " + first + "\n" + nops(states - 1) + "  " + second + "\n",
                 .targets = std::move(targets)};
  };
  const std::vector<Target> both(all_targets.begin(), all_targets.end());
  expect_twins(
      one_apart("valu-sgpr-constant", "v_cmpx_eq_u32 s[40:41], v1, v2", "v_mov_b32 v3, s40", both, 2));
  expect_twins(one_apart("opsel-sdwa", "v_cvt_scalef32_sr_fp8_f32 v0, v1, v2, v3 op_sel:[0,0,1,0]",
                         "v_mov_b32 v4, v0", {Target::gfx950}, 1));
  expect_twins(one_apart("cvt-parts", "v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3",
                         "v_cvt_scalef32_pk_fp4_f32 v0, v4, v5, v3 op_sel:[0,0,1,0]", {Target::gfx950}, 1));
}

TEST(SoftwareWaits, LlvmWaitsForCarries) {
  expect_twins({.name = "carry",
                .rule = "valu-sgpr-carry",
                .right = "  v_cmp_eq_u32 vcc, v0, v1\n  s_nop 1\n  v_cndmask_b32 v2, v3, v4, vcc\n",
                .broken = "  v_cmp_eq_u32 vcc, v0, v1\n  s_nop 0\n  v_cndmask_b32 v2, v3, v4, vcc\n",
                .rules = RuleSet::llvm});
}

TEST(SoftwareWaits, LlvmWaitsForLanesThatDppMayKeep) {
  const std::string again =
      "  v_mov_b32 v0, v1\n  v_mov_b32_dpp v0, v2 quad_perm:[0,0,1,1] row_mask:0xf bank_mask:0xf";
  EXPECT_EQ(of_rule(audit_body(again, Target::gfx942, RuleSet::llvm), "valu-vgpr-dpp").size(), 1u);
  EXPECT_EQ(audit_body(again, Target::gfx942).findings.size(), 0u);
}

/// The severity of the only finding of `rule`; nothing when there is another number of them.
std::optional<Severity> severity(std::string_view rule, const std::string& body) {
  const auto found = of_rule(audit_body(body, Target::gfx942), rule);
  if (found.size() != 1) return std::nullopt;
  return found[0].severity;
}

/// The manual's row is about results that are moved. LLVM asks for the NOP wherever SDWA writes a part.
TEST(SoftwareWaits, LlvmWaitsForLowPartsToo) {
  const std::string
      low = "  v_cvt_f16_f32_sdwa v0, v1 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD\n",
      high = "  v_cvt_f16_f32_sdwa v0, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD\n";
  const auto found = [](const std::string& body, RuleSet rules) {
    return of_rule(audit_body(body, Target::gfx942, rules), "opsel-sdwa").size();
  };
  EXPECT_EQ(found(low + high, RuleSet::isa), 0u);
  EXPECT_EQ(found(low + high, RuleSet::llvm), 1u);
  EXPECT_EQ(found(high + low, RuleSet::isa), 1u);
  EXPECT_EQ(found(high + low, RuleSet::llvm), 1u);
  EXPECT_EQ(found(low + "  s_nop 0\n" + high, RuleSet::llvm), 0u);
}

TEST(SoftwareWaits, ErrorsAreWhatLlvmAsksForToo) {
  const std::string lower = "  v_cvt_pk_fp8_f32 v0, v1, v2\n",
                    upper = "  v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]\n";
  EXPECT_EQ(severity("cvt-parts", upper + lower), Severity::error);
  EXPECT_EQ(severity("cvt-parts", lower + upper), Severity::warning);
}

/// The hardware orders scalar and vector instructions in all other cases, so the VALU's value is gone.
TEST(SoftwareWaits, ScalarsThatAreWrittenAgain) {
  const auto constant = [](const std::string& first, const std::string& between) {
    return severity("valu-sgpr-constant", "  " + first + "\n  " + between + "\n  v_mov_b32 v2, s4\n");
  };
  EXPECT_EQ(constant("v_readlane_b32 s4, v0, 3", "s_nop 0"), Severity::error);
  EXPECT_EQ(constant("v_readlane_b32 s4, v0, 3", "s_and_b32 s4, s4, 15"), Severity::warning);
  EXPECT_EQ(constant("v_readlane_b32 s4, v0, 3", "s_and_b32 s5, s4, 15"), Severity::error);
  EXPECT_EQ(constant("v_cmp_eq_u32 s[4:5], v0, v1", "s_and_b32 s4, s4, 15"), Severity::error); // half of it
  EXPECT_EQ(severity("cmpx-lane",
                     "  v_cmpx_eq_u32 exec, v0, v1\n  s_mov_b64 exec, -1\n  v_readfirstlane_b32 s3, v6\n"),
            Severity::warning);
}

/// Rules of all findings in `body`.
std::vector<std::string> rules_of(const std::string& body) {
  std::vector<std::string> rules;
  for (const Finding& f : audit_body(body, Target::gfx942).findings) rules.push_back(f.rule);
  return rules;
}

/// Two instructions are one finding, however many rows they break.
TEST(SoftwareWaits, OneFindingForOneCause) {
  using Rules = std::vector<std::string>;
  // The second conversion keeps what the first has moved into the upper half.
  EXPECT_EQ(rules_of("  v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]\n  v_cvt_pk_fp8_f32 v0, v3, v4\n"),
            Rules{"cvt-parts"});
  // Two wait states for DPP are enough for the transcendental op too.
  EXPECT_EQ(rules_of("  v_exp_f32 v0, v1\n  v_mov_b32_dpp v2, v0 row_shl:1 row_mask:0xf bank_mask:0xf\n"),
            Rules{"valu-vgpr-dpp"});
  // Reads and overwrites what the MFMA writes.
  EXPECT_EQ(
      rules_of("  v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[12:15]\n  v_add_u32 v0, v0, v21\n"),
      Rules{"xdl-write-to-valu-read"});
  // Two producers are two causes.
  EXPECT_EQ(rules_of("  v_exp_f32 v0, v1\n  v_mov_b32 v2, v3\n"
                     "  v_mov_b32_dpp v2, v0 row_shl:1 row_mask:0xf bank_mask:0xf\n"),
            (Rules{"valu-vgpr-dpp"}));
}

/// CDNA 4's manual has no GWS, and neither manual has LLVM's last two rows.
TEST(SoftwareWaits, OnlyLlvmAsks) {
  const std::string gws = "  s_mov_b32 m0, 0\n  ds_gws_barrier v0 gds\n";
  EXPECT_EQ(of_rule(audit_body(gws, Target::gfx942), "salu-m0-gds").size(), 1u);
  const Report gfx950 = audit_body(gws, Target::gfx950);
  EXPECT_EQ(gfx950.findings.size(), 0u) << as_text(gfx950, "k");
  for (const Target target : all_targets) {
    const Report report = audit_body("  v_mov_b32 v0, v1\n  v_readfirstlane_b32 s0, v0\n"
                                     "  v_cmpx_eq_u32 exec, v2, v3\n  global_load_dword v4, v[6:7], off\n",
                                     target);
    EXPECT_EQ(report.findings.size(), 0u) << as_text(report, "k");
  }
  // Not of the registers, or not of EXEC.
  const Report others = audit_body("  v_mov_b32 v0, v1\n  v_readfirstlane_b32 s0, v2\n"
                                   "  v_cmp_eq_u32 vcc, v2, v3\n  global_load_dword v4, v[6:7], off\n"
                                   "  v_cmpx_eq_u32 exec, v2, v3\n  ds_read_b32 v8, v9\n",
                                   Target::gfx942, RuleSet::llvm);
  EXPECT_EQ(others.findings.size(), 0u) << as_text(others, "k");
}

TEST(SoftwareWaits, OthersDoNotWait) {
  for (const Target target : all_targets) {
    // Another register, a carry, an SGPR as the buffer's offset, another hardware register.
    const Report report =
        audit_body("  v_readfirstlane_b32 s4, v0\n  v_add_u32 v2, s5, v3\n"
                   "  v_cmp_eq_u32 vcc, v0, v1\n  v_cndmask_b32 v2, v3, v4, vcc\n"
                   "  buffer_store_dwordx4 v[4:7], v8, s[8:11], s20 offen\n  v_mov_b32 v4, v0\n"
                   "  s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0\n  s_getreg_b32 s1, hwreg(HW_REG_TRAPSTS)\n",
                   target);
    EXPECT_EQ(report.findings.size(), 0u) << as_text(report, "k");
  }
}

} // namespace
} // namespace cts::audit
