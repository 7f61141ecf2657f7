// What the compiler put between dependent MFMAs: wait states counted in the listing of this suite's kernels,
// at both optimisation levels. Each look is also taken at a listing that must be judged otherwise.
#include "suites/mfma_hazards/dependencies.hpp"
#include "suites/shared/emitted_code.hpp"

#include <algorithm>

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using codeobject::Instruction;
using reference::First;
using reference::Overlap;
using reference::Second;
using enum reference::First;
using enum reference::Second;

/// A kernel whose wait states the compiler made.
struct Kernel {
  const char* name;
  First writes;
  Second uses;
  std::optional<Overlap> overlap;
};
constexpr Kernel exact_c{"exact_c", xdl_write, xdl_c, Overlap::exact};
constexpr Kernel partial_c{"partial_c", xdl_write, xdl_c, Overlap::partial};
constexpr Kernel d_to_a{"d_to_a", xdl_write, matrix_ab, {}}, d_to_b{"d_to_b", xdl_write, matrix_ab, {}};
constexpr Kernel d_to_valu{"d_to_valu", xdl_write, valu_read, {}},
    d_to_store{"d_to_store", xdl_write, memory_read, {}};
constexpr Kernel c_overwritten{"c_overwritten", xdl_read_c, valu_overwrite, {}};
constexpr Kernel valu_to_a{"valu_to_a", valu_write, matrix_ab, {}};
constexpr Kernel around_loop{"around_loop", xdl_write, matrix_ab, {}},
    across_branch{"across_branch", xdl_write, matrix_ab, {}};

/// The pairs of a kernel that it is there for: of FP16 16x16x16, where a matrix instruction comes first.
std::vector<Dependency> pairs_of(const Code& code, Target target, const Kernel& kernel) {
  std::vector<Dependency> pairs = dependencies(code, target, kernel.writes, kernel.uses);
  std::erase_if(pairs, [&](const Dependency& d) {
    return (kernel.overlap && d.overlap != *kernel.overlap) ||
           (kernel.writes != valu_write && code[d.first].mnemonic != "v_mfma_f32_16x16x16_f16");
  });
  return pairs;
}

/// The pair with the fewest wait states.
Dependency closest(const std::vector<Dependency>& pairs) {
  return *std::ranges::min_element(pairs, {}, &Dependency::waits);
}

/// Nothing wrong with `pairs`, or what: each needs `claimed` wait states by LLVM's rule and has no fewer, and
/// where S_NOPs are among those of the closest pair, it has no more.
std::string why_not_spaced(const std::vector<Dependency>& pairs, Target target, int claimed) {
  if (pairs.empty()) return "no such dependency";
  for (const Dependency& d : pairs)
    if (const int rule = given_by_llvm(d, target); rule != claimed)
      return fmt::format("LLVM's rule says {} wait states, the claim {}", rule, claimed);
  const Dependency d = closest(pairs);
  if (d.waits < claimed) return fmt::format("{} wait states, fewer than {}", d.waits, claimed);
  if (d.padding > 0 && d.waits > claimed)
    return fmt::format("{} wait states with S_NOPs among them, more than {}", d.waits, claimed);
  return "";
}

/// Wait states of both targets.
struct Claimed {
  int gfx942, gfx950;
  int on(Target target) const { return target == Target::gfx942 ? gfx942 : gfx950; }
};

/// Each kernel keeps the claimed distance, and without its S_NOPs it is reported (unless none is needed).
void check_spacing(TestContext& context, const std::vector<Kernel>& kernels, const Claimed& claimed) {
  const int states = claimed.on(context.target());
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    for (const Kernel& kernel : kernels) {
      const Code code = code_of(object, kernel.name);
      const auto pairs = pairs_of(code, context.target(), kernel);
      expect_equal(context, fmt::format("{} at {}", kernel.name, opt), std::string(),
                   why_not_spaced(pairs, context.target(), states));
      if (!pairs.empty()) context.metric(fmt::format("{}_{}", kernel.name, opt), closest(pairs).waits);
      const auto bare = pairs_of(without_nops(code), context.target(), kernel);
      if (states > 0) {
        EXPECT_NE("", why_not_spaced(bare, context.target(), states))
            << "not noticed: no S_NOP in " << kernel.name;
      }
    }
  }
}

/// Exact reuse needs nothing, and nothing was put there: as many instructions with the S_NOPs as without.
void check_exact_reuse(TestContext& context) {
  check_spacing(context, {exact_c}, {0, 0});
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    const auto padding = [&](const Kernel& kernel) {
      int most = 0;
      for (const Dependency& d : pairs_of(code_of(object, kernel.name), context.target(), kernel))
        most = std::max(most, d.padding);
      return most;
    };
    expect_equal(context, fmt::format("wait states of S_NOPs in a chain at {}", opt), 0, padding(exact_c));
    EXPECT_LT(0, padding(partial_c)) << "not noticed: S_NOPs before another C";
  }
}

/// The three relationships are there, keep what the ISA asks for, and need different distances.
void check_three_relationships(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    std::vector<int> needs;
    for (const Kernel& kernel : {d_to_a, partial_c, c_overwritten, exact_c}) {
      const Code code = code_of(object, kernel.name);
      const auto pairs = pairs_of(code, context.target(), kernel);
      ASSERT_FALSE(pairs.empty()) << kernel.name << " at " << opt << ": no such dependency";
      needs.push_back(required(pairs.front(), context.target()));
      expect_equal(context, fmt::format("{} at {}", kernel.name, opt), std::vector<std::string>{},
                   too_close(code, context.target()));
      if (needs.back() > 0) {
        EXPECT_FALSE(too_close(without_nops(code), context.target()).empty())
            << "not noticed: no S_NOP in " << kernel.name;
      }
    }
    // D to A > D to C > C overwritten > exact reuse.
    expect_equal(context, "distances are four different ones in that order", true,
                 needs[0] > needs[1] && needs[1] > needs[2] && needs[2] > needs[3]);
  }
}

/// Every kernel that the compiler spaced, whole: all pairs of the tables.
void check_all_pairs(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    std::size_t pairs = 0, noticed = 0;
    for (const codeobject::Kernel& kernel : object.kernels) {
      if (kernel.name == "asm_hidden") continue; // whose MFMA the compiler does not see
      const Code code = code_of(object, kernel.name);
      expect_equal(context, fmt::format("{} at {}", kernel.name, opt), std::vector<std::string>{},
                   too_close(code, context.target()));
      pairs += dependencies(code, context.target()).size();
      noticed += too_close(without_nops(code), context.target()).empty() ? 0 : 1;
    }
    context.compared();
    EXPECT_LT(15u, noticed) << "kernels that are reported without their S_NOPs";
    context.metric(fmt::format("pairs_{}", opt), static_cast<double>(pairs));
  }
}

/// Hazards over the edge of a block: around a loop, and on both ways past a branch.
void check_across_blocks(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    for (const Kernel& kernel : {around_loop, across_branch}) {
      const Code code = code_of(object, kernel.name);
      auto pairs = pairs_of(code, context.target(), kernel);
      std::erase_if(pairs, [](const Dependency& d) { return !d.across_blocks; });
      ASSERT_FALSE(pairs.empty()) << kernel.name << " at " << opt << ": no dependency across a block's edge";
      expect_equal(context, fmt::format("{} at {}", kernel.name, opt), std::vector<std::string>{},
                   too_close(code, context.target()));
      EXPECT_FALSE(too_close(without_nops(code), context.target()).empty())
          << "not noticed: no S_NOP in " << kernel.name;
    }
    const Code within = code_of(object, "d_to_a");
    for (const Dependency& d : pairs_of(within, context.target(), d_to_a))
      EXPECT_FALSE(d.across_blocks) << "not told apart: a dependency within one block";
  }
}

/// A line of a listing at `pc`, without its encoding.
Instruction line(std::uint64_t pc, const std::string& text) {
  return codeobject::parse_instruction(fmt::format("\t{} // {:012X}: 00000000", text, pc));
}

/// The ISA's two rows. No compiler makes V_CMPX for a compute kernel, so that row is asked of a listing made
/// here (what LLVM's pass does with one, a mir check shows).
void check_valu_and_cmpx(TestContext& context) {
  check_spacing(context, {valu_to_a}, {2, 2});
  const auto states = [&](First first, Second second) {
    return reference::required_wait(context.target(), first, 4, second)->states;
  };
  expect_equal(context, "VALU write to matrix read", 2, states(valu_write, matrix_ab));
  expect_equal(context, "V_CMPX to matrix", 4, states(cmpx_write_exec, matrix_issue));
  for (const int n : {3, 4}) {
    Code code{line(0x1000, "v_cmpx_eq_u32_e32 vcc, v0, v1"), line(0x1004, fmt::format("s_nop {}", n - 1)),
              line(0x1008, "v_mfma_f32_16x16x16_f16 v[4:7], v[8:9], v[10:11], v[4:7]"),
              line(0x1010, "s_endpgm")};
    expect_equal(context, fmt::format("pairs too close with {} wait states behind V_CMPX", n),
                 n < 4 ? std::size_t{1} : std::size_t{0}, too_close(code, context.target()).size());
  }
}

/// S_WAITCNTs between two places.
int waits_for_memory(const Code& code, std::size_t first, std::size_t second) {
  return static_cast<int>(std::count_if(code.begin() + static_cast<std::ptrdiff_t>(first),
                                        code.begin() + static_cast<std::ptrdiff_t>(second),
                                        [](const Instruction& i) { return i.mnemonic == "s_waitcnt"; }));
}

/// What reads a result is kept away by S_NOPs; no S_WAITCNT stands between, while the loads of A, B and C
/// have theirs.
void check_no_counter(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    for (const Kernel& kernel : {d_to_valu, d_to_store}) {
      const Code code = code_of(object, kernel.name);
      const auto pairs = pairs_of(code, context.target(), kernel);
      ASSERT_FALSE(pairs.empty()) << kernel.name << " at " << opt << ": no such dependency";
      for (const Dependency& d : pairs) {
        expect_equal(context, fmt::format("S_WAITCNTs behind the MFMA of {} at {}", kernel.name, opt), 0,
                     waits_for_memory(code, d.first, d.second));
        expect_equal(context, fmt::format("S_NOPs behind the MFMA of {} at {}", kernel.name, opt), true,
                     d.padding > 0);
      }
      const auto load = std::ranges::find_if(
          code, [](const Instruction& i) { return i.mnemonic.starts_with("global_load"); });
      ASSERT_NE(code.end(), load) << kernel.name << ": no load";
      EXPECT_LT(0, waits_for_memory(code, static_cast<std::size_t>(load - code.begin()), pairs.front().first))
          << "not told apart: a load and an MFMA";
    }
  }
}

const bool added = add({
    {.suite = "Dependencies",
     .name = "ThreeRelationshipsKeepTheirDistances",
     .check = Check::code,
     .claims = {"CDNA-6.5"_claim},
     .body = check_three_relationships},
    {.suite = "Dependencies",
     .name = "EveryPairKeepsItsDistance",
     .check = Check::code,
     .claims = {"CDNA-6.5"_claim},
     .body = check_all_pairs},
    {.suite = "Dependencies",
     .name = "BlocksEndNoHazard",
     .check = Check::code,
     .claims = {"LLVM-4.2"_claim},
     .body = check_across_blocks},
    {.suite = "Dependencies",
     .name = "ValuAndCmpxBeforeMfma",
     .check = Check::code,
     .claims = {"CDNA-6.6"_claim},
     .body = check_valu_and_cmpx},
    {.suite = "Dependencies",
     .name = "NoCounterWaitsForMfma",
     .check = Check::code,
     .claims = {"CDNA-6.7"_claim},
     .body = check_no_counter},
    {.suite = "MfmaF32_16x16x16_F16",
     .name = "ExactReuseOfCNeedsNothing",
     .check = Check::code,
     .claims = {"LLVM-5.2"_claim},
     .body = check_exact_reuse},
    {.suite = "MfmaF32_16x16x16_F16",
     .name = "PartOfC",
     .check = Check::code,
     .claims = {"LLVM-5.3"_claim},
     .body =
         [](TestContext& t) {
           check_spacing(t, {partial_c}, {5, 6});
         }},
    {.suite = "MfmaF32_16x16x16_F16",
     .name = "DAsAAndAsB",
     .check = Check::code,
     .claims = {"LLVM-5.4"_claim},
     .body =
         [](TestContext& t) {
           check_spacing(t, {d_to_a, d_to_b}, {7, 8});
         }},
});

} // namespace
} // namespace cts::mfma_hazards
