// Branches, joins and loops: the shortest way counts, and findings show it.
#include "tests/audit/programs.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cts::audit {
namespace {

constexpr std::string_view mfma =
    "  v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[12:15]\n"; // 7 wait states, on gfx950 8
constexpr std::string_view use = "  v_add_u32 v20, v0, v21\n";

int needed(Target target) { return target == Target::gfx942 ? 7 : 8; }

/// Twins on both targets, whose wait states differ; `make(states)` has that many on the shortest way.
template <typename Make> void expect_path_twins(std::string_view what, std::string_view rule, Make make) {
  for (const Target target : all_targets)
    expect_twins({.name = std::string(what),
                  .rule = std::string(rule),
                  .right = make(needed(target)),
                  .broken = make(needed(target) - 1),
                  .targets = {target}});
}

TEST(Paths, OverABranch) {
  expect_path_twins("branch", "xdl-write-to-valu-read", [](int states) {
    return fmt::format("{}  s_branch M\n  s_nop 0\n  s_nop 0\nM:\n{}{}", mfma, nops(states - 1), use);
  });
}

TEST(Paths, TakenAndNotTaken) {
  // Falling through there are more wait states, jumping there are just enough.
  expect_path_twins("taken", "xdl-write-to-valu-read", [](int states) {
    return fmt::format("{}{}  s_cbranch_scc1 M\n  s_nop 15\nM:\n{}", mfma, nops(states - 1), use);
  });
  expect_path_twins("not taken", "xdl-write-to-valu-read", [](int states) {
    return fmt::format("{}{}  s_cbranch_scc1 M\n{}  s_endpgm\nM:\n  s_nop 15\n{}", mfma, nops(states - 1),
                       use, use);
  });
}

TEST(Paths, LoopBackEdge) {
  // The result is read at the top of the loop, by the next turn.
  expect_path_twins("loop", "xdl-write-to-valu-read", [](int states) {
    return fmt::format("L:\n{}{}{}  s_cbranch_scc1 L\n", use, mfma, nops(states - 1));
  });
}

TEST(Paths, JoinOfTwo) {
  // Two producers on two ways: the nearer one counts, whichever it is.
  for (const bool first_is_nearer : {false, true})
    expect_path_twins("join", "xdl-write-to-valu-read", [&](int states) {
      const std::string near = nops(states - 1), far = "  s_nop 15\n";
      return fmt::format("  s_cbranch_scc1 A\n{}{}  s_branch B\nA:\n{}{}  s_nop 0\nB:\n{}", mfma,
                         first_is_nearer ? near : far, mfma, first_is_nearer ? far : near, use);
    });
}

TEST(Paths, ABranchThatCompilersForget) {
  // mfma; s_cbranch_execnz L; s_branch M: two instructions lie on the way to M, and one on the way to L.
  for (const Target target : all_targets) {
    const int states = target == Target::gfx942 ? 11 : 12;
    const auto program = [&](int padding) {
      return fmt::format("  v_mfma_f32_32x32x8_f16 v[0:15], v[40:41], v[42:43], v[16:31]\n  s_cbranch_execnz "
                         "L\n  s_branch M\nL:\n{}  v_add_u32 v50, "
                         "v0, v51\n  s_endpgm\nM:\n  s_nop 15\n",
                         nops(padding));
    };
    expect_twins({.name = "execnz",
                  .rule = "xdl-write-to-valu-read",
                  .right = program(states - 1),
                  .broken = program(states - 2),
                  .targets = {target}});
    const auto findings = audit_body(program(states - 2), target).findings;
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].have, states - 1);
    EXPECT_EQ(findings[0].needed, states);
    EXPECT_EQ(findings[0].severity, Severity::error);
    ASSERT_EQ(findings[0].path.size(), 3u); // the MFMA, L, the reader
    EXPECT_EQ(findings[0].path.front(), findings[0].producer_pc);
    EXPECT_EQ(findings[0].path[1],
              findings[0].producer_pc + 16); // behind the MFMA's 8 bytes and two branches
    EXPECT_EQ(findings[0].path.back(), findings[0].pc);
  }
}

TEST(Paths, WithoutLanesNothingComesOfIt) {
  // Past S_CBRANCH_EXECNZ, and where S_CBRANCH_EXECZ goes, EXEC is 0: VALU instructions there do nothing
  // until EXEC is written.
  for (const Target target : all_targets) {
    const auto severity = [&](std::string_view branch, std::string_view then) {
      const bool falls = branch == "s_cbranch_execnz";
      const Report report = audit_body(fmt::format("{}  {} M\n{}  s_endpgm\nM:\n{}", mfma, branch,
                                                   falls ? then : "  s_nop 15\n", falls ? "" : then),
                                       target);
      EXPECT_EQ(report.findings.size(), 1u) << as_text(report, std::string(branch));
      return report.findings.empty() ? Severity::error : report.findings[0].severity;
    };
    for (const std::string_view branch : {"s_cbranch_execnz", "s_cbranch_execz"}) {
      EXPECT_EQ(severity(branch, use), Severity::warning) << branch;
      EXPECT_EQ(severity(branch, "  v_readlane_b32 s0, v0, 1\n"), Severity::error)
          << branch; // whatever EXEC is
      EXPECT_EQ(severity(branch, fmt::format("  s_mov_b64 exec, s[2:3]\n{}", use)), Severity::error)
          << branch;
    }
    EXPECT_EQ(severity("s_cbranch_vccz", use), Severity::error);
  }
}

TEST(Paths, CountersOverBranchesAndLoops) {
  const std::string load = "  global_load_dword v2, v[0:1], off\n", use_load = "  v_mov_b32 v3, v2\n";
  // Waited for on one way only.
  expect_twins(
      {.name = "join",
       .rule = "vmcnt-not-waited",
       .right = load +
                "  s_cbranch_scc1 A\n  s_waitcnt vmcnt(0)\n  s_branch B\nA:\n  s_waitcnt vmcnt(0)\nB:\n" +
                use_load,
       .broken =
           load + "  s_cbranch_scc1 A\n  s_waitcnt vmcnt(0)\n  s_branch B\nA:\n  s_nop 0\nB:\n" + use_load});
  // A store on one way only: vmcnt(1) is enough there, not on the other.
  const auto stores = [&](int count) {
    return fmt::format(
        "{}  s_cbranch_scc1 A\n  global_store_dword v[0:1], v9, off\nA:\n  s_waitcnt vmcnt({})\n{}", load,
        count, use_load);
  };
  expect_twins(
      {.name = "younger on one way", .rule = "vmcnt-not-waited", .right = stores(0), .broken = stores(1)});
  // Loaded at the end of a turn, used at the beginning of the next.
  const auto loop = [&](std::string_view wait) {
    return fmt::format("L:\n{}{}{}  s_cbranch_scc1 L\n  s_waitcnt vmcnt(0)\n", wait, use_load, load);
  };
  expect_twins({.name = "back edge",
                .rule = "vmcnt-not-waited",
                .right = loop("  s_waitcnt vmcnt(0)\n"),
                .broken = loop("")});
}

TEST(Paths, FarJumpsAreFollowed) {
  const Report report = audit_body("  global_load_dword v2, v[0:1], off\n  s_getpc_b64 s[4:5]\n  s_add_u32 "
                                   "s4, s4, 20\n  s_addc_u32 s5, s5, 0\n"
                                   "  s_setpc_b64 s[4:5]\n  s_nop 0\n  s_nop 0\n  v_mov_b32 v3, v2\n",
                                   Target::gfx942);
  ASSERT_EQ(report.findings.size(), 1u) << as_text(report, "k");
  EXPECT_EQ(report.findings[0].rule, "vmcnt-not-waited");
  EXPECT_EQ(report.limits.size(), 0u) << as_text(report, "k");
}

TEST(Paths, LimitsAreNamed) {
  const Report report = audit_body("  global_load_dword v2, v[0:1], off\n  s_swappc_b64 s[30:31], s[4:5]\n  "
                                   "v_mov_b32 v3, v2\n  s_setpc_b64 s[6:7]\n  v_mov_b32 v4, v5\n",
                                   Target::gfx942);
  EXPECT_EQ(report.findings.size(), 0u) << as_text(report, "k");
  const std::string text = as_text(report, "k");
  for (const std::string_view what :
       {"1 indirect jumps", "1 calls", "1 blocks that no followed path reaches"})
    EXPECT_NE(text.find(what), text.npos) << "not named: " << what << "\n" << text;
  const Report back =
      audit_body("  s_setpc_b64 s[30:31]\n", Target::gfx942); // a return, and unreached s_endpgm
  EXPECT_EQ(as_text(back, "k").find("indirect"), std::string::npos) << as_text(back, "k");
}

} // namespace
} // namespace cts::audit
