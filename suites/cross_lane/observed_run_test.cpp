// What the permutes do with inactive lanes, indices out of range and several senders: recorded beside lanes
// of the same launch of which nothing is open.
#include "suites/cross_lane/permutes.hpp"

#include <set>

namespace cts::cross_lane {
namespace {

using namespace literals;

std::string what_arrived(std::uint32_t got, std::uint32_t before, std::uint32_t candidate,
                         const char* candidate_name) {
  return got == 0           ? "zero"
         : got == before    ? "what they held"
         : got == candidate ? candidate_name
                            : "something else";
}

constexpr std::uint64_t some_lanes = 0x0ff0ffffffff3f01;
bool active(std::uint64_t lanes, std::size_t lane) { return (lanes >> lane & 1) != 0; }

void observe_masked_gather(TestContext& context) {
  hip::Module module(context, "cross_lane");
  const auto order = random_order(context);
  const Wave w = wave(context, "", [&](std::uint32_t l) { return order[l]; });
  const Lanes before = distinct(context, 1),
              got = run_masked(context, module, "bpermute_masked", w, some_lanes, before);
  Comparison comparison(context, "ds_bpermute_b32 under a mask");
  std::set<std::string> inactive, from_inactive;
  for (std::size_t l = 0; l < 64; ++l) {
    const std::uint32_t value = w.data[order[l]];
    if (active(some_lanes, l) && active(some_lanes, order[l]))
      comparison.equal(value, got[l],
                       {.lane = static_cast<int>(l), .note = fmt::format("from lane {}", order[l])});
    else
      (active(some_lanes, l) ? from_inactive : inactive)
          .insert(what_arrived(got[l], before[l], value, "the value of the lane they name"));
  }
  context.observe(
      fmt::format("ds_bpermute_b32: lanes that name an inactive lane get {}; inactive lanes hold {}",
                  fmt::join(from_inactive, " or "), fmt::join(inactive, " or ")));
}

void observe_masked_scatter(TestContext& context) {
  hip::Module module(context, "cross_lane");
  const auto order = random_order(context);
  const Wave w = wave(context, "", [&](std::uint32_t l) { return order[l]; });
  const Lanes before = distinct(context, 1),
              got = run_masked(context, module, "permute_masked", w, some_lanes, before);
  Comparison comparison(context, "ds_permute_b32 under a mask");
  std::set<std::string> inactive, from_inactive;
  for (std::size_t l = 0; l < 64; ++l) {
    const std::size_t to = order[l];
    if (active(some_lanes, l) && active(some_lanes, to))
      comparison.equal(w.data[l], got[to],
                       {.lane = static_cast<int>(to), .note = fmt::format("from lane {}", l)});
    else
      (active(some_lanes, to) ? from_inactive : inactive)
          .insert(what_arrived(got[to], before[to], w.data[l], "the value sent to them"));
  }
  context.observe(
      fmt::format("ds_permute_b32: lanes that only an inactive lane names get {}; inactive lanes hold {}",
                  fmt::join(from_inactive, " or "), fmt::join(inactive, " or ")));
}

/// The lower 32 lanes send in pairs to every other of the lower lanes; the upper ones are in order.
void observe_collisions(TestContext& context) {
  hip::Module module(context, "cross_lane");
  const Wave w = wave(context, "", [](std::uint32_t l) { return l < 32 ? l & ~1u : l; });
  const Lanes got = run_permutes(context, module, "permute", {w})[0];
  Comparison comparison(context, "ds_permute_b32 with two senders");
  std::set<std::string> winners, unreached;
  for (std::size_t l = 0; l < 64; ++l) {
    if (l >= 32)
      comparison.equal(w.data[l], got[l], {.lane = static_cast<int>(l), .note = "its own"});
    else if (l % 2 == 0)
      winners.insert(got[l] == w.data[l + 1] ? "the higher" : got[l] == w.data[l] ? "the lower" : "neither");
    else
      unreached.insert(got[l] == 0 ? "zero" : "something else");
  }
  context.observe(fmt::format("ds_permute_b32: of two senders {} lane wins; lanes that none names get {}",
                              fmt::join(winners, " or "), fmt::join(unreached, " or ")));
}

/// Indices of 256 and more, and such that are no multiple of 4, in the lower lanes; usual ones in the upper.
void observe_indices(TestContext& context) {
  hip::Module module(context, "cross_lane");
  Wave w = wave(context, "", [](std::uint32_t l) { return 63 - l; });
  for (std::uint32_t l = 0; l < 16; ++l) w.index[l] += 256 * (l + 1);
  for (std::uint32_t l = 16; l < 32; ++l) w.index[l] += 1 + l % 3;
  const Lanes got = run_permutes(context, module, "bpermute", {w})[0];
  Comparison comparison(context, "ds_bpermute_b32");
  std::set<std::string> large, odd;
  for (std::size_t l = 0; l < 64; ++l) {
    const std::uint32_t value = w.data[63 - l];
    if (l >= 32)
      comparison.equal(value, got[l], {.lane = static_cast<int>(l)});
    else
      (l < 16 ? large : odd).insert(got[l] == value ? "the lane of the other bits" : "something else");
  }
  context.observe(
      fmt::format("ds_bpermute_b32: an index of 256 or more names {}; one that is no multiple of 4 {}",
                  fmt::join(large, " or "), fmt::join(odd, " or ")));
}

ClaimTest test(const char* name, void (*body)(TestContext&)) {
  return {
      .suite = "Observed", .name = name, .check = Check::run, .claims = {"CDNA-4.14"_claim}, .body = body};
}

const bool added = add({
    test("GatherWithInactiveLanes", observe_masked_gather),
    test("ScatterWithInactiveLanes", observe_masked_scatter),
    test("TwoSenders", observe_collisions),
    test("UnusualIndices", observe_indices),
});

} // namespace
} // namespace cts::cross_lane
