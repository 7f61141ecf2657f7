// Inline assembly beside MFMAs, as the compiler emitted it: what it made of statements whose content it does
// not see, and whether this suite's own assembly has exactly the wait states that it is to have.
#include "suites/mfma_hazards/dependencies.hpp"
#include "suites/shared/emitted_code.hpp"

#include <algorithm>

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using enum reference::First;
using enum reference::Second;

/// The fewest wait states between an MFMA and a use of its result.
int shortest(const Code& code, Target target, reference::Second use) {
  const auto pairs = dependencies(code, target, xdl_write, use);
  if (pairs.empty()) throw Error("no dependency between an MFMA and a {}", reference::name(use));
  return std::ranges::min_element(pairs, {}, &Dependency::waits)->waits;
}

/// Four wait states in an asm statement are not counted: the compiler adds all that it needs. And an MFMA in
/// an asm statement is followed by whatever the compiler makes of its result.
void check_hidden(TestContext& context) {
  constexpr int in_the_statement = 4;
  const Target target = context.target();
  const int for_a = reference::llvm_wait(target, xdl_write, 4, matrix_ab),
            for_valu = reference::llvm_wait(target, xdl_write, 4, valu_read);
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    expect_equal(context, fmt::format("wait states with an asm statement of four at {}", opt),
                 for_a + in_the_statement, shortest(code_of(object, "asm_between"), target, matrix_ab));
    EXPECT_EQ(for_a, shortest(code_of(object, "d_to_a"), target, matrix_ab)) << "without the statement";

    const Code hidden = code_of(object, "asm_hidden");
    const int left = shortest(hidden, target, valu_read);
    context.observe(
        fmt::format("{}: {} wait states behind an MFMA in an asm statement, {} needed", opt, left, for_valu));
    expect_equal(context, fmt::format("asm_hidden at {} is reported", opt), left < for_valu,
                 !too_close(hidden, target).empty());
    expect_equal(context, fmt::format("asm_repaired at {}", opt), std::vector<std::string>{},
                 too_close(code_of(object, "asm_repaired"), target));
  }
}

/// The fewest wait states that a matrix instruction's dependency has beyond what the ISA asks for.
int slack(const Code& code, Target target) {
  int least = 1000;
  for (const Dependency& d : dependencies(code, target))
    if (is_matrix(code[d.first])) least = std::min(least, d.waits - required(d, target));
  return least;
}

void check_padded(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "mfma_hazards", opt);
    int padded = 0;
    for (const codeobject::Kernel& kernel : object.kernels) {
      if (!kernel.name.starts_with("padded_")) continue;
      ++padded;
      Code code = code_of(object, kernel.name);
      expect_equal(context, fmt::format("{} at {}: spare wait states", kernel.name, opt), 0,
                   slack(code, context.target()));
      if (kernel.name == "padded_exact_c") continue; // which has no S_NOP to lose
      const auto mfma = std::ranges::find_if(code, is_matrix);
      const auto nop = std::find_if(mfma, code.end(),
                                    [](const codeobject::Instruction& i) { return i.mnemonic == "s_nop"; });
      code.erase(nop);
      EXPECT_EQ(-1, slack(code, context.target())) << "not noticed: one S_NOP less in " << kernel.name;
    }
    expect_equal(context, "kernels with padding of their own", 11, padded);
  }
}

const bool added = add({
    {.suite = "Assembly",
     .name = "CountsAsDistanceZero",
     .check = Check::code,
     .claims = {"LLVM-7.1"_claim},
     .body = check_hidden},
    {.suite = "Assembly",
     .name = "PaddingIsWhatTheIsaAsksFor",
     .check = Check::code,
     .claims = {"CDNA-6.5"_claim},
     .body = check_padded},
});

} // namespace
} // namespace cts::mfma_hazards
