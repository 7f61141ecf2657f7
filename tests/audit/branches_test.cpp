// Branches that depend on each other: a load is skipped on one way, and the wait for it on the ways that a
// second branch takes. Whether both can happen decides whether there is a finding.
#include "runners/audit/values.hpp"
#include "tests/audit/programs.hpp"

#include <array>
#include <fmt/format.h>
#include <random>

namespace cts::audit {
namespace {

/// `first` branches to A, past the load, and `second` to B, past the wait.
std::string skipping(std::string_view first, std::string_view between, std::string_view second) {
  return fmt::format("  {}\n  global_load_dword v2, v[0:1], off\nA:\n  {}\n  {}\n  s_waitcnt vmcnt(0)\nB:\n  "
                     "v_mov_b32 v3, v2\n",
                     first, between, second);
}

/// A comparison, and a branch if it holds.
std::string past_load(std::string_view compare) { return fmt::format("{}\n  s_cbranch_scc1 A", compare); }
std::string past_wait(std::string_view compare) { return fmt::format("{}\n  s_cbranch_scc1 B", compare); }

struct Case {
  std::string first, between, second;
};

void expect_all(const std::vector<Case>& cases, std::size_t findings) {
  std::vector<std::string> bodies;
  for (const Case& c : cases) {
    std::string body = skipping(c.first, c.between, c.second);
    for (const std::string_view label : {"A", "B"}) // one assembly holds them all
      for (std::size_t at = 0; (at = body.find(fmt::format("{}\n", label), at)) != body.npos ||
                               (at = body.find(fmt::format("{}:", label))) != body.npos;)
        body.replace(at, 1, fmt::format("L{}{}", label, bodies.size()));
    bodies.push_back(body);
  }
  const Report report = audit_bodies(bodies, Target::gfx942);
  for (std::size_t n = 0; n < bodies.size(); ++n)
    EXPECT_EQ(std::ranges::count(report.findings, fmt::format("k{}", n), &Finding::kernel), findings)
        << bodies[n];
}

TEST(Branches, ThatContradictEachOther) {
  const std::string is_1 = past_load("s_cmp_eq_u32 s4, 1");
  expect_all(
      {{is_1, "", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "", past_wait("s_cmp_eq_i32 1, s4")},
       {is_1, "", "s_cmp_lg_u32 s4, 1\n  s_cbranch_scc0 B"},
       {"s_cmp_lg_i32 s4, 1\n  s_cbranch_scc0 A", "", past_wait("s_cmpk_eq_u32 s4, 0x1")},
       {is_1, "s_sub_u32 s4, s4, 1", past_wait("s_cmp_eq_u32 s4, 0")},
       {is_1, "s_add_i32 s4, 3, s4", past_wait("s_cmp_eq_i32 s4, 4")},
       {is_1, "s_addk_i32 s4, 0xfffe", past_wait("s_cmpk_eq_i32 s4, 0xffff")},
       {is_1, "s_mov_b32 s5, s4\n  s_mov_b32 s4, 7", past_wait("s_cmp_eq_u32 s5, 1")},
       {is_1, "s_mov_b64 s[2:3], s[8:9]", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "", "s_cmp_eq_u32 s4, 1\n  s_mov_b32 s9, s10\n  v_mov_b32 v9, s4\n  s_cbranch_scc1 B"},
       {"", "s_movk_i32 s4, 0x5", past_wait("s_cmp_lt_u32 s4, 5")},
       {past_load("s_cmp_lg_u64 s[4:5], 0"), "", past_wait("s_cmp_lg_u64 s[4:5], 0")},
       {past_load("s_cmp_lt_i32 s4, s5"), "s_mov_b32 s6, 1", "s_cmp_ge_i32 s4, s5\n  s_cbranch_scc0 B"},
       {past_load("s_bitcmp1_b32 s4, 3"), "", "s_bitcmp0_b32 s4, 3\n  s_cbranch_scc0 B"},
       {past_load("s_cmp_le_u32 s4, 4"), "", past_wait("s_cmp_lt_u32 s4, 5")},
       {past_load("s_cmp_lt_u32 s4, 5"), "", past_wait("s_cmp_ge_u32 4, s4")},
       {past_load("s_cmp_lt_i32 s4, 0"), "", past_wait("s_cmp_lt_i32 s4, -5")},
       {past_load("s_cmp_le_i32 s4, 4"), "", past_wait("s_cmp_gt_u32 s4, 0x7fffffff")},
       {past_load("s_cmp_gt_u32 s4, -3"), "s_add_u32 s4, s4, 2", past_wait("s_cmp_lt_u32 s4, 2")},
       {past_load("s_cmp_lt_u32 s4, 2"), "s_sub_u32 s4, s4, 2", past_wait("s_cmp_gt_u32 s4, -3")}},
      0);
}

TEST(Branches, ThatMayBothBeTaken) {
  const std::string is_1 = past_load("s_cmp_eq_u32 s4, 1");
  expect_all(
      {{is_1, "", past_wait("s_cmp_eq_u32 s4, 2")},
       {is_1, "", past_wait("s_cmp_eq_u32 s6, 1")},
       {is_1, "", "s_cmp_eq_u32 s4, 1\n  s_cbranch_scc0 B"},
       {is_1, "", "s_cmp_eq_u32 s4, 1\n  s_cbranch_vccnz B"},
       {is_1, "s_sub_u32 s4, s4, 2", past_wait("s_cmp_eq_u32 s4, 0")},
       {is_1, "s_sub_u32 s4, 2, s4", past_wait("s_cmp_eq_u32 s4, 0")},
       {is_1, "s_add_u32 s4, s4, s5", past_wait("s_cmp_eq_u32 s4, 1")},
       // wrapping around, and signs
       {past_load("s_cmp_le_u32 s4, 4"), "s_add_u32 s4, s4, 1", past_wait("s_cmp_lt_u32 s4, 5")},
       {past_load("s_cmp_gt_i32 s4, 4"), "s_sub_i32 s4, s4, 1", past_wait("s_cmp_gt_i32 s4, 4")},
       {past_load("s_cmp_le_u32 s4, 4"), "", past_wait("s_cmp_lt_i32 s4, 0")},
       {past_load("s_cmp_lt_i32 s4, 5"), "", past_wait("s_cmp_gt_u32 s4, 5")},
       // the register is written again
       {is_1, "s_mov_b32 s4, s5", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "s_mov_b64 s[4:5], s[8:9]", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "s_lshl_b64 s[4:5], s[4:5], 1", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "s_load_dwordx8 s[0:7], s[8:9], 0\n  s_waitcnt lgkmcnt(0)", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "s_cselect_b32 s4, s5, s6", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "s_cmov_b32 s4, 1", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "s_movk_i32 s4, 0x1", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "v_readfirstlane_b32 s4, v9", past_wait("s_cmp_eq_u32 s4, 1")},
       {is_1, "v_cmp_eq_u32_e64 s[4:5], v8, v9", past_wait("s_cmp_eq_u32 s4, 1")},
       // SCC or the register is written between comparison and branch
       {is_1, "", "s_cmp_eq_u32 s4, 1\n  s_and_b32 s9, s9, s10\n  s_cbranch_scc1 B"},
       {is_1, "", "s_cmp_eq_u32 s4, 1\n  s_bitcmp1_b32 s4, 3\n  s_cbranch_scc1 B"},
       {"s_cmp_eq_u32 s4, 1\n  s_mov_b32 s4, s9\n  s_cbranch_scc1 A", "", past_wait("s_cmp_eq_u32 s4, 1")},
       {"s_cmp_eq_u32 s4, 1\n  s_add_u32 s9, s9, s9\n  s_cbranch_scc1 A", "",
        past_wait("s_cmp_eq_u32 s4, 1")}},
      1);
}

TEST(Branches, BeforeTheLoadOnEveryWayOnly) {
  // The comparison lies before the load; on another way there the register has any value.
  const auto program = [](std::string_view other_way) {
    return fmt::format(
        "  s_cbranch_vccnz O\n  s_cmp_eq_u32 s4, 1\n  s_cbranch_scc1 E\nL:\n  global_load_dword v2, v[0:1], "
        "off\n"
        "  s_cmp_eq_u32 s4, 1\n  s_cbranch_scc1 B\n  s_waitcnt vmcnt(0)\nB:\n  v_mov_b32 v3, v2\nE:\n"
        "  s_endpgm\nO:\n{}  s_branch L\n",
        other_way);
  };
  expect_twins({.name = "two ways",
                .rule = "vmcnt-not-waited",
                .right = program("  s_mov_b32 s4, 2\n"),
                .broken = program("  s_mov_b32 s4, s5\n")});
}

TEST(Branches, TheWayShownIsOneThatCanBeTaken) {
  // With s4 = 1 no store and a wait for all; else a store, and a wait that leaves one.
  const auto program = [](int left) {
    return fmt::format(
        "  global_load_dword v2, v[0:1], off\n  s_cmp_eq_u32 s4, 1\n  s_cbranch_scc1 A\n"
        "  global_store_dword v[0:1], v9, off\nA:\n  s_cmp_eq_u32 s4, 1\n  s_cbranch_scc1 B\n"
        "  s_waitcnt vmcnt({})\n  s_branch C\nB:\n  s_waitcnt vmcnt(0)\nC:\n  v_mov_b32 v3, v2\n",
        left);
  };
  expect_twins({.name = "store", .rule = "vmcnt-not-waited", .right = program(1), .broken = program(2)});
  const auto findings = audit_body(program(2), Target::gfx942).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].needed, 1);
  EXPECT_EQ(findings[0].have, 2);
  const std::uint64_t load = findings[0].producer_pc; // then 8 bytes, two of 4, the store's 8, and so on
  EXPECT_EQ(findings[0].path, (std::vector<std::uint64_t>{load, load + 16, load + 24, load + 32, load + 44}));
}

TEST(Branches, LoopsThatCount) {
  // A prefetch in each turn but the last, which is left out of the wait: right for 2, 1, 0, wrong when s4
  // moves on.
  const auto program = [](std::string_view more) {
    return fmt::format(
        "  s_mov_b32 s4, 20\nL:\n  s_sub_u32 s4, s4, 1\n  s_cmp_eq_u32 s4, 0\n  s_cbranch_scc1 A\n"
        "  global_load_dword v2, v[0:1], off\nA:\n{}  s_cmp_eq_u32 s4, 0\n  s_cbranch_scc1 E\n"
        "  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v2\n  s_branch L\nE:\n  v_mov_b32 v3, v2\n",
        more);
  };
  expect_twins({.name = "loop",
                .rule = "vmcnt-not-waited",
                .right = program(""),
                .broken = program("  s_sub_u32 s4, s4, 1\n")});
}

TEST(Branches, ManyOthersInBetween) {
  // Thirty branches on other registers: all their combinations are too many, and what holds on all is kept.
  const auto program = [](std::string_view second) {
    std::string many;
    for (int n = 0; n < 30; ++n)
      many += fmt::format("  s_cmp_eq_u32 s{0}, 3\n  s_cbranch_scc1 M{0}\n  s_nop 0\nM{0}:\n", 20 + n);
    return skipping(past_load("s_cmp_eq_u32 s4, 1"), many, second);
  };
  expect_twins({.name = "many",
                .rule = "vmcnt-not-waited",
                .right = program(past_wait("s_cmp_eq_u32 s4, 1")),
                .broken = program(past_wait("s_cmp_eq_u32 s4, 2"))});
}

TEST(Branches, AfterManyTurns) {
  // The result is read after forty turns, each with other facts.
  const auto program = [](std::string_view wait) {
    return fmt::format("  s_mov_b32 s4, 0\n  global_load_dword v2, v[0:1], off\nL:\n  s_add_u32 s4, s4, 1\n"
                       "  s_cmp_eq_u32 s4, 40\n  s_cbranch_scc0 L\n  {}\n  v_mov_b32 v3, v2\n",
                       wait);
  };
  expect_twins({.name = "turns",
                .rule = "vmcnt-not-waited",
                .right = program("s_waitcnt vmcnt(0)"),
                .broken = program("s_nop 0")});
}

TEST(Branches, OneCounterOnEachWay) {
  // Where the ways meet, each has waited for another half of a FLAT load.
  for (const std::string_view counter : {"vmcnt", "lgkmcnt"}) {
    const auto program = [&](std::string_view other) {
      return fmt::format(
          "  flat_load_dword v2, v[0:1]\n  s_cbranch_vccnz A\n  s_waitcnt vmcnt(0)\n  s_branch B\nA:\n"
          "  s_waitcnt lgkmcnt(0)\nB:\n  s_waitcnt {}(0){}\n  v_mov_b32 v3, v2\n",
          counter, other);
    };
    expect_twins({.name = std::string(counter),
                  .rule = "flat-not-waited",
                  .right = program(counter == "vmcnt" ? " lgkmcnt(0)" : " vmcnt(0)"),
                  .broken = program("")});
  }
}

TEST(Branches, JumpsToWhereNobodyKnows) {
  // Such a jump may lead to the load, whatever was compared before.
  const std::string body =
      "  s_cmp_eq_u32 s4, 1\n  s_cbranch_scc1 E\nL:\n  global_load_dword v2, v[0:1], off\n"
      "  s_cmp_eq_u32 s4, 1\n  s_cbranch_scc1 B\n  s_waitcnt vmcnt(0)\nB:\n  v_mov_b32 v3, v2\nE:\n";
  expect_twins({.name = "unknown",
                .rule = "vmcnt-not-waited",
                .right = body + "  s_setpc_b64 s[30:31]\n",
                .broken = body + "  s_setpc_b64 s[6:7]\n"});
}

TEST(Branches, FarJumpsOfTensile) {
  // S_ADD_I32 adds up two constants first.
  const auto program = [](std::string_view wait) {
    return fmt::format(
        "  global_load_dword v2, v[0:1], off\n  s_getpc_b64 s[4:5]\n  s_add_i32 s6, 0x14, 4\n"
        "  s_add_u32 s4, s4, s6\n  s_addc_u32 s5, s5, 0\n  s_setpc_b64 s[4:5]\n  s_nop 0\n  s_nop 0\n  {}\n"
        "  v_mov_b32 v3, v2\n",
        wait);
  };
  expect_twins({.name = "far",
                .rule = "vmcnt-not-waited",
                .right = program("s_waitcnt vmcnt(0)"),
                .broken = program("s_nop 0")});
  EXPECT_EQ(audit_body(program("s_nop 0"), Target::gfx942).limits.size(), 0u);
}

/// One step of a random program, as assembly and as what it does to registers and SCC.
struct State {
  std::array<std::uint32_t, 2> s{};
  bool scc = false;
};

class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) {
    return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(engine_);
  }
  /// Near the ends of the signed and the unsigned numbers.
  std::uint32_t number() {
    constexpr std::array<std::uint32_t, 3> ends{0, 0x80000000, 0};
    return ends.at(below(3)) + below(7) - 3;
  }

private:
  std::mt19937 engine_;
};

struct Step {
  enum class Kind { add, subtract, move, copy, shift, shift_pair, select, compare, spoil_scc } kind;
  unsigned to;
  std::uint32_t constant;
  unsigned relation;
  bool is_signed;
};

constexpr std::array<std::string_view, 6> relations{"eq", "lg", "lt", "le", "gt", "ge"};

Step random_step(Random& random) {
  constexpr std::array kinds{Step::Kind::add,    Step::Kind::subtract, Step::Kind::move,
                             Step::Kind::copy,   Step::Kind::shift,    Step::Kind::shift_pair,
                             Step::Kind::select, Step::Kind::spoil_scc};
  return {kinds.at(random.below(kinds.size())), random.below(2), random.number(), 0, false};
}

Step random_compare(Random& random) {
  return {Step::Kind::compare, random.below(2), random.number(), random.below(6), random.below(2) == 0};
}

std::string text(const Step& s) {
  const unsigned to = 4 + s.to, from = 5 - s.to;
  switch (s.kind) {
  case Step::Kind::add: return fmt::format("  s_add_u32 s{0}, s{0}, {1:#x}\n", to, s.constant);
  case Step::Kind::subtract: return fmt::format("  s_sub_i32 s{0}, s{0}, {1:#x}\n", to, s.constant);
  case Step::Kind::move: return fmt::format("  s_mov_b32 s{}, {:#x}\n", to, s.constant);
  case Step::Kind::copy: return fmt::format("  s_mov_b32 s{}, s{}\n", to, from);
  case Step::Kind::shift: return fmt::format("  s_lshl_b32 s{0}, s{0}, 1\n", to);
  case Step::Kind::shift_pair: return "  s_lshl_b64 s[4:5], s[4:5], 31\n";
  case Step::Kind::select: return fmt::format("  s_cselect_b32 s{}, {:#x}, s{}\n", to, s.constant, from);
  case Step::Kind::spoil_scc: return fmt::format("  s_cmp_eq_u32 s{0}, s{0}\n", to);
  case Step::Kind::compare: break;
  }
  return fmt::format("  s_cmp_{}_{}32 s{}, {:#x}\n", relations.at(s.relation), s.is_signed ? "i" : "u", to,
                     s.constant);
}

void run(const Step& s, State& state) {
  std::uint32_t& x = state.s.at(s.to);
  const auto compare = [&](auto a, auto b) {
    return std::array{a == b, a != b, a<b, a <= b, a> b, a >= b}.at(s.relation);
  };
  switch (s.kind) {
  case Step::Kind::add: state.scc = x + s.constant < x, x += s.constant; break;
  case Step::Kind::subtract: // SCC: signed overflow
    state.scc = (std::int64_t{static_cast<std::int32_t>(x)} - static_cast<std::int32_t>(s.constant)) !=
                static_cast<std::int32_t>(x - s.constant);
    x -= s.constant;
    break;
  case Step::Kind::move: x = s.constant; break;
  case Step::Kind::copy: x = state.s.at(1 - s.to); break;
  case Step::Kind::shift: x <<= 1, state.scc = x != 0; break;
  case Step::Kind::shift_pair: {
    const std::uint64_t pair = (std::uint64_t{state.s[1]} << 32 | state.s[0]) << 31;
    state = {{static_cast<std::uint32_t>(pair), static_cast<std::uint32_t>(pair >> 32)}, pair != 0};
    break;
  }
  case Step::Kind::select: x = state.scc ? s.constant : state.s.at(1 - s.to); break;
  case Step::Kind::spoil_scc: state.scc = true; break;
  case Step::Kind::compare:
    state.scc = s.is_signed ? compare(static_cast<std::int32_t>(x), static_cast<std::int32_t>(s.constant))
                            : compare(x, s.constant);
  }
}

/// Comparisons, branches over a step, a load and a wait, in a loop: what runs is followed with many
/// beginnings.
struct RandomProgram {
  struct Part {
    std::vector<Step> steps; ///< then a branch past what follows, if SCC is `on`
    bool on;
    enum class Inner { step, load, wait } inner;
    Step step;
  };
  std::vector<Part> parts;
  Step again;

  explicit RandomProgram(Random& random) : again(random_compare(random)) {
    const std::uint32_t load = random.below(3), wait = load + 1 + random.below(2);
    for (std::uint32_t n = 0; n < 5; ++n) {
      Part part{{},
                random.below(2) == 0,
                n == load   ? Part::Inner::load
                : n == wait ? Part::Inner::wait
                            : Part::Inner::step,
                random_step(random)};
      if (random.below(2) == 0) part.steps.push_back(random_step(random));
      part.steps.push_back(random_compare(random));
      if (random.below(4) == 0) part.steps.push_back(random_step(random));
      parts.push_back(part);
    }
  }

  std::string body(std::size_t number) const {
    std::string all = fmt::format("again{}:\n", number);
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const Part& p = parts[n];
      for (const Step& s : p.steps) all += text(s);
      all += fmt::format("  s_cbranch_scc{} P{}_{}\n", p.on ? 1 : 0, number, n);
      all += p.inner == Part::Inner::load   ? "  global_load_dword v2, v[0:1], off\n"
             : p.inner == Part::Inner::wait ? "  s_waitcnt vmcnt(0)\n"
                                            : text(p.step);
      all += fmt::format("P{}_{}:\n", number, n);
    }
    return all + "  v_mov_b32 v3, v2\n" + text(again) + fmt::format("  s_cbranch_scc1 again{}\n", number);
  }

  /// Whether the load is outstanding when its result is read, from this beginning.
  bool breaks(State state) const {
    bool outstanding = false;
    for (int turn = 0; turn < 20; ++turn) {
      for (const Part& p : parts) {
        for (const Step& s : p.steps) run(s, state);
        if (state.scc == p.on) continue;
        if (p.inner == Part::Inner::step)
          run(p.step, state);
        else
          outstanding = p.inner == Part::Inner::load;
      }
      if (outstanding) return true;
      run(again, state);
      if (!state.scc) break;
    }
    return false;
  }
};

TEST(Branches, WhatRunsIsNeverTakenForImpossible) {
  constexpr int programs = 1500, beginnings = 400;
  Random random(1);
  std::vector<RandomProgram> all;
  std::vector<std::string> bodies;
  for (int n = 0; n < programs; ++n) {
    all.emplace_back(random);
    bodies.push_back(all.back().body(static_cast<std::size_t>(n)));
  }
  const Report report = audit_bodies(bodies, Target::gfx950);
  int broken = 0, found = 0, neither = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    bool breaks = false;
    for (int b = 0; b < beginnings && !breaks; ++b)
      breaks = all[n].breaks({{random.number(), random.number()}, random.below(2) == 0});
    const bool is_found = std::ranges::count(report.findings, fmt::format("k{}", n), &Finding::kernel) != 0;
    EXPECT_TRUE(is_found || !breaks) << "a read before the wait that runs, and no finding in\n" << bodies[n];
    broken += breaks;
    found += is_found;
    neither += !breaks && !is_found;
  }
  fmt::print("{} programs: {} break the rule when they run, {} have a finding, {} neither\n", programs,
             broken, found, neither);
  EXPECT_GT(broken, programs / 4);
  EXPECT_GT(neither, programs / 20);
}

TEST(Values, AreWhatTheySay) {
  Random random(2);
  const auto has = [](const Values& set, std::uint32_t x) { return set.contains(Values(x, x)); };
  for (int n = 0; n < 2000; ++n) {
    const Values a = Values(random.number(), random.number()).both(Values(random.number(), random.number()));
    const Values b(random.number(), random.number());
    const std::uint32_t shift = random.number();
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t x = random.number();
      EXPECT_EQ(has(a.both(b), x), has(a, x) && has(b, x));
      EXPECT_EQ(has(a.either(b), x), has(a, x) || has(b, x));
      EXPECT_EQ(has(a.complement(), x), !has(a, x));
      EXPECT_EQ(has(a.plus(shift), x + shift), has(a, x));
      EXPECT_TRUE(a.either(b).contains(b));
    }
  }
  Values odd = Values().complement();
  for (std::uint32_t x = 1; x < 20; x += 2) odd = odd.either(Values(x, x));
  for (std::uint32_t x = 1; x < 20; x += 2) EXPECT_TRUE(has(odd, x)) << x; // more ranges than it has room for
  EXPECT_FALSE(has(odd, 0) || has(odd, 20));
}

} // namespace
} // namespace cts::audit
