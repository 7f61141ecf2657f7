// Programs that are right only if the counters and the barrier mean what is claimed. What a wrong program
// sees is undefined, so it is recorded and never asserted; that such a program is wrong is shown by planted
// faults.
#include "common/hip/hip.hpp"

#include <set>

namespace cts::memory_completion {
namespace {

using namespace literals;
using Words = std::vector<std::uint32_t>;

/// As kernels.hip has it: what is there before anything arrives.
constexpr std::uint32_t old = 0x01d01d01;

Words random_words(TestContext& context, std::size_t count) {
  Words words(count);
  for (std::uint32_t& word : words)
    word = static_cast<std::uint32_t>(context.rng()()) | 1u << 31; // never `old`
  return words;
}

/// Launches one workgroup of `kernel` and returns the `results` words that it stores.
Words run(TestContext& context, const std::string& kernel, unsigned threads, const Words& source,
          std::size_t results) {
  hip::Module module(context, "memory_completion");
  const hip::DeviceBuffer in(source), out(results * 4);
  module.launch(kernel, 1, threads, in, out);
  out.check_canaries(context, kernel);
  return out.download<std::uint32_t>();
}

void check_tile(TestContext& context, const char* kernel) {
  constexpr std::size_t rounds = 3;
  const Words source = random_words(context, rounds * 256),
              got = run(context, kernel, 256, source, rounds * 512);
  Comparison comparison(context, kernel);
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t t = 0; t < 256; ++t)
      for (const std::size_t waves_on : {0, 1})
        comparison.equal_at(
            source[round * 256 + (t + 64 * waves_on) % 256], got[round * 512 + 256 * waves_on + t], [&] {
              return Where{.lane = static_cast<int>(t % 64),
                           .note = fmt::format("wave {}, round {}, the part of {} wave", t / 64, round,
                                               waves_on == 0 ? "its own" : "the next")};
            });
}

/// Each value of `source` plus 1, in order.
void check_uses(TestContext& context, const char* kernel, std::size_t values) {
  const Words source = random_words(context, values * 64),
              got = run(context, kernel, 64, source, values * 64);
  Comparison comparison(context, kernel);
  for (std::size_t i = 0; i < source.size(); ++i)
    comparison.equal_at(source[i] + 1, got[i], [&] {
      return Where{.lane = static_cast<int>(i % 64), .note = fmt::format("operation {}", i / 64)};
    });
}

void check_store_among_loads(TestContext& context) {
  const Words source = random_words(context, 192), got = run(context, "store_among_loads", 64, source, 256);
  Comparison comparison(context, "store_among_loads");
  for (std::size_t i = 0; i < 192; ++i)
    comparison.equal(source[i] + 1, got[i],
                     {.lane = static_cast<int>(i % 64), .note = fmt::format("load {}", i / 64)});
  for (std::size_t lane = 0; lane < 64; ++lane)
    comparison.equal(lane, got[192 + lane], {.lane = static_cast<int>(lane), .note = "the store"});
}

/// A value is claimed behind its wait, and recorded before it. `late` is where the claimed ones start in
/// `got`.
void check_late_observe_early(TestContext& context, const char* what, const Words& expected, const Words& got,
                              std::size_t late) {
  Comparison comparison(context, what);
  std::set<std::string> early;
  for (std::size_t t = 0; t < expected.size(); ++t) {
    comparison.equal(expected[t], got[late + t],
                     {.lane = static_cast<int>(t % 64), .note = "behind its wait"});
    early.insert(got[t] == expected[t] ? "the new value"
                 : got[t] == old       ? "the old value"
                                       : "something else");
  }
  context.observe(fmt::format("{}: {}", what, fmt::join(early, " or ")));
}

void check_lgkmcnt_alone(TestContext& context) {
  const Words source = random_words(context, 64), got = run(context, "lgkmcnt_alone", 64, source, 128);
  check_late_observe_early(context, "LDS after a copy and a wait for lgkmcnt alone", source, got, 64);
}

void check_wait_behind_barrier(TestContext& context) {
  const Words source = random_words(context, 256),
              got = run(context, "wait_behind_barrier", 256, source, 512);
  check_late_observe_early(context, "a loaded register after a barrier alone", source, got, 256);
}

void check_one_too_high(TestContext& context) {
  const Words source = random_words(context, 128), got = run(context, "one_too_high", 64, source, 192);
  check_late_observe_early(context, "the second of two loads after a wait for the first",
                           Words(source.begin() + 64, source.end()), got, 64);
  Comparison comparison(context, "one_too_high");
  for (std::size_t lane = 0; lane < 64; ++lane)
    comparison.equal(source[lane], got[128 + lane],
                     {.lane = static_cast<int>(lane), .note = "the first load"});
}

ClaimTest test(const char* suite, const char* name, std::vector<ClaimId> claims,
               std::function<void(TestContext&)> body) {
  return {.suite = suite,
          .name = name,
          .check = Check::run,
          .claims = std::move(claims),
          .body = std::move(body)};
}

const bool added = add({
    test("SharedTile", "CopiedIsWholeBehindWaitAndBarrier", {"CDNA-5.8"_claim, "CDNA-6.4"_claim},
         [](TestContext& t) { check_tile(t, "direct_tile"); }),
    test("SharedTile", "WrittenIsWholeBehindWaitAndBarrier", {"CDNA-6.4"_claim},
         [](TestContext& t) { check_tile(t, "written_tile"); }),
    test("Counter", "LoadsArriveOneByOne", {"CDNA-6.8"_claim},
         [](TestContext& t) { check_uses(t, "loads_in_order", 8); }),
    test("Counter", "StoreAmongLoadsCounts", {"CDNA-6.8"_claim}, check_store_among_loads),
    test("Counter", "LdsReadsArriveOneByOne", {"CDNA-6.8"_claim},
         [](TestContext& t) { check_uses(t, "lds_reads_in_order", 4); }),
    test("Counter", "CopiesIntoLdsArriveOneByOne", {"CDNA-5.8"_claim, "CDNA-6.8"_claim},
         [](TestContext& t) {
           check_uses(t, "copies_in_order", 4);
           check_uses(t, "buffer_copies_in_order", 4);
         }),
    test("Observed", "LgkmcntAlone", {"CDNA-5.8"_claim}, check_lgkmcnt_alone),
    test("Observed", "BarrierAlone", {"CDNA-6.2"_claim}, check_wait_behind_barrier),
    test("Observed", "CountOneTooHigh", {"CDNA-6.8"_claim}, check_one_too_high),
});

} // namespace
} // namespace cts::memory_completion
