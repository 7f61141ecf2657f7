// Which counter the compiler waits for, and up to which value. Each judgement is also passed on the same code
// with weaker waits, or with none.
#include "suites/memory_completion/waits.hpp"
#include "suites/shared/emitted_code.hpp"

namespace cts::memory_completion {
namespace {

using namespace literals;

/// "vmcnt", "lgkmcnt", "both" or "nothing": which counters are waited for, as far as they have to be, between
/// an operation and the first use of its result.
std::string counters_between(const Code& code, std::size_t producer, std::size_t consumer) {
  const bool vm = waited_for(code, producer, consumer, Counter::vm),
             lgkm = waited_for(code, producer, consumer, Counter::lgkm);
  return vm && lgkm ? "both" : vm ? "vmcnt" : lgkm ? "lgkmcnt" : "nothing";
}

void expect_counter(TestContext& context, const std::string& what, const std::string& wanted,
                    const Code& code, std::size_t producer, std::size_t consumer) {
  context.fact("waited for: " + what, counters_between(code, producer, consumer));
  expect_equal(context, what, wanted, counters_between(code, producer, consumer));
  const Code weak = weakened(code, wanted == "vmcnt" ? Counter::vm : Counter::lgkm, 63);
  expect_equal(context, what + " with weaker waits", std::string("nothing"),
               counters_between(weak, producer, consumer));
}

void check_counters(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "memory_completion", opt);
    const Code load = code_of(object, "use_of_load"), lds = code_of(object, "use_of_lds"),
               copy = code_of(object, "copy_then_fenced_barrier");
    const std::size_t loaded = find(load, "global_load"), read = find(lds, "ds_read"),
                      copied = find(copy, "global_load_lds");
    expect_counter(context, fmt::format("a load into a VGPR at {}", opt), "vmcnt", load, loaded,
                   first_use(load, loaded));
    expect_counter(context, fmt::format("a read of LDS at {}", opt), "lgkmcnt", lds, read,
                   first_use(lds, read));
    // The fence waits for everything; what counts is that it waits for vmcnt.
    context.compared(2);
    EXPECT_TRUE(waited_for(copy, copied, find(copy, "ds_read", copied), Counter::vm))
        << "a copy into LDS at " << opt;
    EXPECT_FALSE(
        waited_for(weakened(copy, Counter::vm, 63), copied, find(copy, "ds_read", copied), Counter::vm))
        << "not noticed: a wait for lgkmcnt alone";
  }
}

/// The first of two loads is used under a wait that leaves the second outstanding.
void check_above_zero(TestContext& context) {
  for (const auto opt : optimisations) {
    const Code code = code_of(read_emitted(context, "memory_completion", opt), "use_of_two_loads");
    const std::size_t first = find(code, "global_load"), second = find(code, "global_load", first + 1),
                      use = first_use(code, first), last_use = first_use(code, second);
    expect_equal(context, fmt::format("outstanding at the first use at {}", opt), 1u,
                 counts_between(code, second, use).vm);
    context.compared(4);
    EXPECT_TRUE(waited_for(code, first, use, Counter::vm)) << opt;
    EXPECT_TRUE(waited_for(code, second, last_use, Counter::vm)) << opt;
    const Code weak = weakened(code, Counter::vm, 1);
    EXPECT_FALSE(waited_for(weak, first, use, Counter::vm)) << "not noticed: a count one too high";
    EXPECT_FALSE(waited_for(weak, second, last_use, Counter::vm)) << "not noticed: a count one too high";
  }
}

/// S_NOPs behind instruction `first` and in front of `last`.
std::size_t nops_between(const Code& code, std::size_t first, std::size_t last) {
  std::size_t nops = 0;
  for (std::size_t n = first + 1; n < last; ++n) nops += code[n].mnemonic == "s_nop" ? 1 : 0;
  return nops;
}

/// Loads of an MFMA's inputs are waited for by their counter, and by no S_NOP: spacing is for results of
/// other instructions. An S_NOP between two loads is no spacing of the MFMA: with XNACK replay possible,
/// the compiler ends a clause of loads before one that overwrites an address register of the clause.
void check_mfma_inputs(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "memory_completion", opt);
    for (const auto& [kernel, load, counter] : {std::tuple{"product_of_loads", "global_load", Counter::vm},
                                                {"product_of_lds", "ds_read", Counter::lgkm}}) {
      const Code code = code_of(object, kernel), bare = without_waits(code);
      const std::size_t matrix = find(code, "v_mfma");
      std::size_t loads = 0, last_load = 0;
      for (std::size_t n = 0; n < matrix; ++n) {
        if (!code[n].mnemonic.starts_with(load) || first_use(code, n) != matrix) continue;
        ++loads;
        last_load = n;
        context.compared();
        EXPECT_TRUE(waited_for(code, n, matrix, counter)) << kernel << " at " << opt << ": " << code[n].text;
      }
      EXPECT_FALSE(waited_for(bare, find(bare, load), find(bare, "v_mfma"), counter))
          << "not noticed: no wait";
      context.compared(2);
      EXPECT_GT(loads, 0u) << kernel << " at " << opt << ": no load feeds the MFMA";
      EXPECT_EQ(0u, nops_between(code, last_load, matrix)) << kernel << " at " << opt;
      Code spaced = code;
      spaced.insert(spaced.begin() + static_cast<std::ptrdiff_t>(matrix), code[find(code, "s_nop")]);
      EXPECT_EQ(1u, nops_between(spaced, last_load, matrix + 1)) << "not noticed: an S_NOP";
    }
  }
}

ClaimTest test(const char* name, ClaimId claim, void (*body)(TestContext&)) {
  return {.suite = "Counter", .name = name, .check = Check::code, .claims = {claim}, .body = body};
}

const bool added = add({
    test("IsTheOneOfTheOperation", "CDNA-6.1"_claim, check_counters),
    test("AboveZeroIsEnough", "CDNA-6.8"_claim, check_above_zero),
    test("CoversLoadsOfMfmaInputs", "LLVM-6.2"_claim, check_mfma_inputs),
});

} // namespace
} // namespace cts::memory_completion
