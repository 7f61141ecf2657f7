// VM_CNT, LGKM_CNT, LDS filled from memory, barriers, transpose reads.
#include "tests/audit/programs.hpp"

#include <fmt/format.h>

namespace cts::audit {
namespace {

TEST(Counters, VectorMemory) {
  expect_twins({.name = "load",
                .rule = "vmcnt-not-waited",
                .right = "  global_load_dword v2, v[0:1], off\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v2\n",
                .broken = "  global_load_dword v2, v[0:1], off\n  v_mov_b32 v3, v2\n"});
  expect_twins(
      {.name = "wrong counter",
       .rule = "vmcnt-not-waited",
       .right =
           "  buffer_load_dwordx2 v[2:3], v0, s[0:3], 0 offen\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v4, v3\n",
       .broken = "  buffer_load_dwordx2 v[2:3], v0, s[0:3], 0 offen\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v4, "
                 "v3\n"});
  // A store counts too: the first load is complete with one operation younger than it outstanding.
  expect_twins({.name = "younger operations",
                .rule = "vmcnt-not-waited",
                .right = "  global_load_dword v2, v[0:1], off\n  global_store_dword v[0:1], v9, off\n  "
                         "s_waitcnt vmcnt(1)\n  v_mov_b32 v3, v2\n",
                .broken = "  global_load_dword v2, v[0:1], off\n  global_store_dword v[0:1], v9, off\n  "
                          "s_waitcnt vmcnt(2)\n  v_mov_b32 v3, v2\n"});
  expect_twins(
      {.name = "as an address",
       .rule = "vmcnt-not-waited",
       .right = "  global_load_dwordx2 v[2:3], v[0:1], off\n  s_waitcnt vmcnt(0)\n  global_load_dword v4, "
                "v[2:3], off\n",
       .broken = "  global_load_dwordx2 v[2:3], v[0:1], off\n  global_load_dword v4, v[2:3], off\n"});
  expect_twins(
      {.name = "atomic",
       .rule = "vmcnt-not-waited",
       .right = "  global_atomic_add v2, v[0:1], v5, off sc0\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v2\n",
       .broken = "  global_atomic_add v2, v[0:1], v5, off sc0\n  s_nop 0\n  v_mov_b32 v3, v2\n"});
}

TEST(Counters, OverwrittenByALateLoad) {
  expect_twins({.name = "VALU",
                .rule = "overwritten-by-late-load",
                .right = "  global_load_dword v2, v[0:1], off\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v2, v3\n",
                .broken = "  global_load_dword v2, v[0:1], off\n  v_mov_b32 v2, v3\n"});
  expect_twins({.name = "LDS over memory",
                .rule = "overwritten-by-late-load",
                .right = "  global_load_dword v2, v[0:1], off\n  global_load_dword v2, v[0:1], off\n",
                .broken = "  global_load_dword v2, v[0:1], off\n  ds_read_b32 v2, v3\n"});
  const Report halves =
      audit_body("  global_load_short_d16 v2, v[0:1], off\n  global_load_short_d16_hi v2, v[0:1], off\n"
                 "  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v2\n",
                 Target::gfx942);
  EXPECT_EQ(halves.findings.size(), 0u) << as_text(halves, "k");
}

TEST(Counters, LdsAndScalarMemory) {
  expect_twins(
      {.name = "LDS",
       .rule = "lgkmcnt-not-waited",
       .right = "  ds_read_b32 v2, v0\n  ds_read_b32 v3, v1\n  s_waitcnt lgkmcnt(1)\n  v_mov_b32 v4, v2\n",
       .broken = "  ds_read_b32 v2, v0\n  ds_read_b32 v3, v1\n  s_waitcnt lgkmcnt(1)\n  v_mov_b32 v4, v3\n"});
  expect_twins({.name = "permute",
                .rule = "lgkmcnt-not-waited",
                .right = "  ds_bpermute_b32 v2, v0, v1\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v4, v2\n",
                .broken = "  ds_bpermute_b32 v2, v0, v1\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v4, v2\n"});
  // Scalar loads return in any order.
  expect_twins({.name = "scalar",
                .rule = "lgkmcnt-not-waited",
                .right = "  s_load_dword s4, s[0:1], 0\n  s_load_dword s5, s[0:1], 4\n  s_waitcnt "
                         "lgkmcnt(0)\n  s_mov_b32 s6, s4\n",
                .broken = "  s_load_dword s4, s[0:1], 0\n  s_load_dword s5, s[0:1], 4\n  s_waitcnt "
                          "lgkmcnt(1)\n  s_mov_b32 s6, s4\n"});
  expect_twins(
      {.name = "flat",
       .rule = "flat-not-waited",
       .right =
           "  flat_load_dword v2, v[0:1]\n  s_waitcnt vmcnt(0)\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v3, v2\n",
       .broken = "  flat_load_dword v2, v[0:1]\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v2\n"});
}

/// The one that reads takes its result's register for its own: loads of a kind arrive in order, but the
/// address or the data are taken at once.
TEST(Counters, ReadAndOverwrittenByTheSameInstruction) {
  const auto chain = [](std::string_view name, std::string_view rule, const std::string& first,
                        const std::string& wait, const std::string& second) {
    expect_twins({.name = std::string(name),
                  .rule = std::string(rule),
                  .right = "  " + first + "\n  s_waitcnt " + wait + "\n  " + second + "\n",
                  .broken = "  " + first + "\n  " + second + "\n"});
  };
  chain("address", "vmcnt-not-waited", "global_load_dwordx2 v[2:3], v[4:5], off", "vmcnt(0)",
        "global_load_dwordx2 v[2:3], v[2:3], off");
  chain("half of the address", "vmcnt-not-waited", "global_load_dword v1, v[4:5], off", "vmcnt(0)",
        "global_load_dword v0, v[0:1], off");
  chain("data of an atomic", "vmcnt-not-waited", "global_load_dword v2, v[4:5], off", "vmcnt(0)",
        "global_atomic_add v2, v[4:5], v2, off sc0");
  chain("data of a permute", "lgkmcnt-not-waited", "ds_read_b32 v1, v9", "lgkmcnt(0)",
        "ds_bpermute_b32 v1, v8, v1");
  // A half that is kept is no operand: it is read when the result is written, in turn.
  const Report halves =
      audit_body("  global_load_short_d16 v2, v[4:5], off\n  global_load_short_d16_hi v2, v[6:7], off\n"
                 "  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v2\n",
                 Target::gfx942);
  EXPECT_EQ(halves.findings.size(), 0u) << as_text(halves, "k");
}

TEST(LdsDma, WaitedForBeforeARead) {
  const std::string load = "  s_mov_b32 m0, 0\n  s_nop 0\n  global_load_lds_dword v[0:1], off\n";
  const std::string read = "  ds_read_b32 v2, v3\n  s_waitcnt lgkmcnt(0)\n";
  expect_twins({.name = "read",
                .rule = "lds-dma-not-waited",
                .right = load + "  s_waitcnt vmcnt(0)\n" + read,
                .broken = load + "  s_waitcnt lgkmcnt(0)\n" + read});
  expect_twins({.name = "count",
                .rule = "lds-dma-not-waited",
                .right = load + "  s_waitcnt vmcnt(0)\n" + read,
                .broken = load + "  s_waitcnt vmcnt(1)\n" + read});
  expect_twins({.name = "barrier",
                .rule = "lds-dma-barrier",
                .right = load + "  s_waitcnt vmcnt(0)\n  s_barrier\n" + read,
                .broken = load + "  s_barrier\n  s_waitcnt vmcnt(0)\n" + read});
  expect_twins(
      {.name = "buffer form",
       .rule = "lds-dma-not-waited",
       .right = "  s_mov_b32 m0, 0\n  s_nop 0\n  buffer_load_dword v0, s[0:3], 0 offen lds\n  s_waitcnt "
                "vmcnt(0)\n" +
                read,
       .broken = "  s_mov_b32 m0, 0\n  s_nop 0\n  buffer_load_dword v0, s[0:3], 0 offen lds\n" + read});
  // Reading one buffer while the other one is filled is what such loads are for.
  const Report two = audit_body(
      load + "  s_waitcnt vmcnt(0)\n  s_barrier\n  global_load_lds_dword v[0:1], off offset:1024\n" + read,
      Target::gfx950);
  EXPECT_EQ(two.findings.size(), 0u) << as_text(two, "k");
}

TEST(LdsDma, AFullCounterCompletesTheOldest) {
  std::string many = "  s_mov_b32 m0, 0\n  s_nop 0\n";
  for (int n = 0; n < 70; ++n) many += "  global_load_lds_dword v[0:1], off\n";
  const std::string read = "  s_waitcnt vmcnt(63)\n  ds_read_b32 v2, v3\n";
  const Report some = audit_body(many + read, Target::gfx942);
  EXPECT_EQ(some.findings.size(), 0u) << as_text(some, "k");
}

TEST(LdsDma, ALoopThatNeverWaits) {
  const auto loop = [](std::string_view wait) {
    return fmt::format("  s_mov_b32 m0, 0\n  s_nop 0\n  global_load_lds_dword v[0:1], off\n  s_waitcnt "
                       "vmcnt(0)\n  s_barrier\n"
                       "L:\n  ds_read_b32 v2, v3\n  s_waitcnt lgkmcnt(0)\n  global_load_lds_dword v[0:1], "
                       "off\n{}  s_barrier\n"
                       "  s_cbranch_scc1 L\n",
                       wait);
  };
  expect_twins({.name = "loop",
                .rule = "lds-dma-barrier",
                .right = loop("  s_waitcnt vmcnt(0)\n"),
                .broken = loop("")});
}

TEST(Barriers, LdsWrites) {
  const std::string read = "  ds_read_b32 v2, v3\n  s_waitcnt lgkmcnt(0)\n";
  expect_twins({.name = "write",
                .rule = "lds-write-barrier",
                .right = "  ds_write_b32 v0, v1\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n" + read,
                .broken = "  ds_write_b32 v0, v1\n  s_barrier\n" + read});
  const Report unread = audit_body("  ds_write_b32 v0, v1\n  s_barrier\n", Target::gfx942);
  EXPECT_EQ(unread.findings.size(), 0u) << as_text(unread, "k");
}

TEST(Barriers, BetweenAWriteAndReadsOfOthers) {
  const std::string write = "  ds_write_b32 v0, v1\n  s_waitcnt lgkmcnt(0)\n";
  const auto twins = [](std::string right, std::string broken) {
    expect_twins({.name = "published",
                  .rule = "lds-read-without-barrier",
                  .right = std::move(right),
                  .broken = std::move(broken)});
  };
  twins(write + "  s_barrier\n  ds_read_b32 v2, v3\n", write + "  ds_read_b32 v2, v3\n");
  // By the same address it is its own; a wait for a load says nothing about the write.
  twins(write + "  ds_read_b32 v2, v0\n", write + "  v_add_u32 v0, 4, v0\n  ds_read_b32 v2, v0\n");
  twins("  ds_read_b32 v5, v6\n" + write + "  ds_read_b32 v2, v3\n", write + "  ds_read_b32 v2, v3\n");
}

TEST(Barriers, BetweenReadsAndTheNextWrite) {
  const std::string tile = "  ds_write_b32 v0, v1\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n  ds_read_b32 v2, "
                           "v3\n  s_waitcnt lgkmcnt(0)\n";
  const auto twins = [](std::string right, std::string broken) {
    expect_twins({.name = "next tile",
                  .rule = "lds-overwrite-without-barrier",
                  .right = std::move(right),
                  .broken = std::move(broken)});
  };
  twins(tile + "  s_barrier\n  ds_write_b32 v0, v4\n", tile + "  ds_write_b32 v0, v4\n");
  twins(tile + "  ds_write_b32 v0, v4 offset:4096\n", "L:\n" + tile + "  s_cbranch_scc1 L\n");
  twins("L:\n" + tile + "  v_xor_b32 v0, 0x1000, v0\n  s_cbranch_scc1 L\n", "L:\n" + tile + "  s_branch L\n");
}

TEST(Counters, OneScalarLoadTwice) {
  const std::string load = "  s_load_dword s4, s[0:1], 0x10\n",
                    use = "  s_waitcnt lgkmcnt(0)\n  s_mov_b32 s5, s4\n";
  expect_twins({.name = "twice",
                .rule = "overwritten-by-late-load",
                .right = load + load + use,
                .broken = load + "  s_add_u32 s0, s0, 16\n" + load + use});
}

TEST(TransposeReads, ExecMustBeFull) {
  const std::string read = "  ds_read_b64_tr_b16 v[2:3], v4\n";
  const auto twins = [](std::string right, std::string broken) {
    expect_twins({.name = "EXEC",
                  .rule = "transpose-read-partial-exec",
                  .right = std::move(right),
                  .broken = std::move(broken),
                  .targets = {Target::gfx950}});
  };
  const std::string narrow = "  s_and_saveexec_b64 s[2:3], vcc\n";
  twins(narrow + "  s_or_b64 exec, exec, s[2:3]\n" + read, narrow + read);
  twins(narrow + "  s_mov_b64 exec, s[2:3]\n" + read, narrow + "  s_mov_b64 exec, s[4:5]\n" + read);
  twins(narrow + "  s_mov_b64 exec, -1\n" + read, "  v_cmpx_eq_u32 exec, v0, v1\n" + read);
  // An if with an else, as compilers write it; a loop that lanes leave one by one.
  const std::string if_else =
      narrow + "  s_xor_b64 s[2:3], exec, s[2:3]\n  v_mov_b32 v9, 1\n  s_or_saveexec_b64 s[2:3], s[2:3]\n"
               "  s_xor_b64 exec, exec, s[2:3]\n  v_mov_b32 v9, 2\n";
  twins(if_else + "  s_or_b64 exec, exec, s[2:3]\n" + read, if_else + read);
  const std::string loop = "  s_mov_b64 s[2:3], 0\nL:\n  v_mov_b32 v9, 1\n  s_or_b64 s[2:3], vcc, s[2:3]\n  "
                           "s_andn2_b64 exec, exec, s[2:3]\n"
                           "  s_cbranch_execnz L\n";
  twins(loop + "  s_or_b64 exec, exec, s[2:3]\n" + read, loop + read);
  // Half by half, as people write it.
  const std::string halves = "  s_mov_b32 s6, -1\n  s_mov_b32 s7, s6\n";
  twins(halves + "  s_mov_b64 exec, s[2:3]\n  v_mov_b32 v9, 1\n  s_mov_b64 exec, s[6:7]\n" + read,
        "  s_mov_b32 s7, -1\n  s_mov_b64 exec, s[6:7]\n" + read);
  // Narrow on one of two ways only.
  const auto join = [&](std::string_view there) {
    return fmt::format("  s_cbranch_scc1 M\n  s_mov_b64 exec, {}\nM:\n{}", there, read);
  };
  twins(join("-1"), join("vcc"));
}

/// With a constant in EXEC that lacks lanes there is no doubt.
TEST(TransposeReads, ConstantsThatLackLanes) {
  struct Case {
    std::string before;
    std::string expected;
  };
  const std::vector<Case> cases{
      {"s_mov_b64 exec, 0xffff", "error"},
      {"s_mov_b64 exec, 0xffffffff", "error"},
      {"s_mov_b64 exec, 1", "error"},
      {"s_bfm_b64 exec, 32, 0", "error"},
      {"s_mov_b32 exec_hi, 0", "error"},
      {"s_mov_b32 exec_lo, 0xffff", "error"},
      {"s_mov_b64 s[2:3], 15\n  s_mov_b64 exec, s[2:3]", "error"},
      {"s_mov_b32 s2, 15\n  s_mov_b32 exec_lo, s2", "error"},
      {"s_and_b64 exec, exec, 15", "error"},
      {"s_mov_b64 s[2:3], 15\n  s_and_saveexec_b64 s[4:5], s[2:3]", "error"},
      {"s_mov_b64 exec, 15\n  s_and_saveexec_b64 s[4:5], vcc", "error"},
      {"s_cbranch_scc1 M\n  s_mov_b64 exec, 15\nM:", "error"},
      // Not known.
      {"s_mov_b64 exec, s[2:3]", "warning"},
      {"s_and_saveexec_b64 s[2:3], vcc", "warning"},
      {"s_mov_b64 s[2:3], 15\n  s_mov_b64 exec, s[4:5]", "warning"},
      {"s_mov_b64 exec, 15\n  s_mov_b64 exec, vcc", "warning"},
      {"s_mov_b64 exec, 15\n  s_or_b64 exec, exec, vcc", "warning"},
      {"s_mov_b32 exec_hi, 0\n  s_mov_b32 exec_hi, s2", "warning"},
      {"v_cmpx_eq_u32 exec, v0, v1", "warning"},
      {"s_mov_b64 exec, 0", "warning"}, // no lane reads anything
      // All lanes again.
      {"s_mov_b64 exec, 15\n  s_mov_b64 exec, -1", ""},
      {"s_mov_b64 exec, 0xffffffff\n  s_mov_b32 exec_hi, -1", ""},
      {"s_mov_b64 s[2:3], 15\n  s_mov_b64 s[2:3], -1\n  s_mov_b64 exec, s[2:3]", ""}};
  std::vector<std::string> bodies, found(cases.size());
  for (const Case& c : cases) bodies.push_back("  " + c.before + "\n  ds_read_b64_tr_b16 v[2:3], v4\n");
  for (const Finding& f : audit_bodies(bodies, Target::gfx950).findings)
    found.at(std::stoul(f.kernel.substr(1))) += f.severity == Severity::error ? "error" : "warning";
  for (std::size_t n = 0; n < cases.size(); ++n) EXPECT_EQ(found[n], cases[n].expected) << cases[n].before;
}

/// A value that was written over an outstanding load is not the load's, so only that write is a finding.
TEST(Counters, ARegisterThatIsWrittenAgain) {
  const auto rules = [](const std::string& body) {
    std::vector<std::string> found;
    for (const Finding& f : audit_body(body, Target::gfx942).findings)
      found.push_back(fmt::format("{} {}", f.rule, f.line.substr(0, f.line.find(' '))));
    return found;
  };
  using Rules = std::vector<std::string>;
  const std::string load = "  global_load_dwordx2 v[2:3], v[0:1], off\n";
  EXPECT_EQ(rules(load + "  v_mov_b32 v2, v9\n  v_add_u32 v4, v2, v5\n  v_mov_b32 v2, v10\n"),
            Rules{"overwritten-by-late-load v_mov_b32_e32"});
  // The other register of the load is as it was.
  EXPECT_EQ(rules(load + "  v_mov_b32 v2, v9\n  v_add_u32 v4, v3, v5\n"),
            (Rules{"overwritten-by-late-load v_mov_b32_e32", "vmcnt-not-waited v_add_u32_e32"}));
  // Written again on one way only.
  EXPECT_EQ(rules(load + "  s_cbranch_scc1 M\n  v_mov_b32 v2, v9\nM:\n  v_add_u32 v4, v2, v5\n"),
            (Rules{"overwritten-by-late-load v_mov_b32_e32", "vmcnt-not-waited v_add_u32_e32"}));
  // A younger load brings another value: to wait for that is to wait for both.
  EXPECT_EQ(
      rules(load + "  global_load_dword v2, v[6:7], off\n  s_waitcnt vmcnt(0)\n  v_add_u32 v4, v2, v5\n"),
      Rules{});
  EXPECT_EQ(rules("  s_load_dwordx2 s[4:5], s[0:1], 0\n  s_mov_b32 s5, 1\n  s_add_u32 s6, s5, 1\n"),
            Rules{"overwritten-by-late-load s_mov_b32"});
}

} // namespace
} // namespace cts::audit
