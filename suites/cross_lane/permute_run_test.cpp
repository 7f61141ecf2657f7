// The LDS permutes with all lanes active: the whole map, value by value.
#include "suites/cross_lane/permutes.hpp"

namespace cts::cross_lane {
namespace {

using namespace literals;

/// Maps of which some name a lane several times and others never.
std::vector<Wave> any_maps(TestContext& context) {
  std::vector<Wave> waves{
      wave(context, "each its own lane", [](std::uint32_t l) { return l; }),
      wave(context, "reversed", [](std::uint32_t l) { return 63 - l; }),
      wave(context, "the next lane", [](std::uint32_t l) { return (l + 1) % 64; }),
      wave(context, "the first of four", [](std::uint32_t l) { return l & ~3u; }),
      wave(context, "lane 63", [](std::uint32_t) { return 63u; }),
  };
  for (int n = 0; n < 4; ++n)
    waves.push_back(wave(context, fmt::format("random map {}", n),
                         [&](std::uint32_t) { return static_cast<std::uint32_t>(context.integer(0, 63)); }));
  return waves;
}

/// Maps that name every lane once.
std::vector<Wave> orders(TestContext& context) {
  std::vector<Wave> waves{
      wave(context, "each its own lane", [](std::uint32_t l) { return l; }),
      wave(context, "reversed", [](std::uint32_t l) { return 63 - l; }),
      wave(context, "the next lane", [](std::uint32_t l) { return (l + 1) % 64; }),
  };
  for (int n = 0; n < 5; ++n) {
    const auto order = random_order(context);
    waves.push_back(
        wave(context, fmt::format("random order {}", n), [&](std::uint32_t l) { return order[l]; }));
  }
  return waves;
}

void check_gather(TestContext& context) {
  hip::Module module(context, "cross_lane");
  const auto waves = any_maps(context);
  for (const auto& [kernel, offset] : {std::pair{"bpermute", 0u}, {"bpermute_20", 20u}}) {
    const auto got = run_permutes(context, module, kernel, waves);
    for (std::size_t w = 0; w < waves.size(); ++w)
      compare_lanes(context, fmt::format("{}, {}", kernel, waves[w].what),
                    reference::ds_bpermute(waves[w].index, offset), waves[w].data, got[w]);
  }
}

void check_scatter(TestContext& context) {
  hip::Module module(context, "cross_lane");
  const auto waves = orders(context);
  for (const auto& [kernel, offset] : {std::pair{"permute", 0u}, {"permute_20", 20u}}) {
    const auto got = run_permutes(context, module, kernel, waves);
    for (std::size_t w = 0; w < waves.size(); ++w)
      compare_lanes(context, fmt::format("{}, {}", kernel, waves[w].what),
                    reference::ds_permute(waves[w].index, offset), waves[w].data, got[w]);
  }
}

/// The claim's own number, and each other lane's, as literals: index 4 * n gives every lane the value of lane
/// n.
void check_index(TestContext& context) {
  hip::Module module(context, "cross_lane");
  std::vector<Wave> waves;
  for (std::uint32_t n = 0; n < 64; ++n)
    waves.push_back(
        wave(context, fmt::format("index {} in all lanes", 4 * n), [n](std::uint32_t) { return n; }));
  const auto got = run_permutes(context, module, "bpermute", waves);
  Comparison comparison(context, "bpermute");
  for (std::size_t n = 0; n < 64; ++n)
    for (std::size_t l = 0; l < 64; ++l)
      comparison.equal_at(waves[n].data[n], got[n][l],
                          [&] { return Where{.lane = static_cast<int>(l), .note = waves[n].what}; });
  comparison.equal(waves[7].data[7], got[7][40], {.lane = 40, .note = "index 4*7"});
}

/// In a kernel that has no LDS, and in one whose LDS they must leave alone.
void check_no_lds(TestContext& context) {
  hip::Module module(context, "cross_lane");
  const auto order = random_order(context);
  const Wave w = wave(context, "a random order", [&](std::uint32_t l) { return order[l]; });
  compare_lanes(context, "bpermute without LDS", reference::ds_bpermute(w.index), w.data,
                run_permutes(context, module, "bpermute", {w})[0]);
  compare_lanes(context, "permute without LDS", reference::ds_permute(w.index), w.data,
                run_permutes(context, module, "permute", {w})[0]);

  const hip::DeviceBuffer index(std::vector<std::uint32_t>(w.index.begin(), w.index.end())),
      data(std::vector<std::uint32_t>(w.data.begin(), w.data.end())), out(sizeof(Lanes)), tile(sizeof(Lanes));
  module.launch("permutes_beside_lds", 1, 64, index, data, out, tile);
  out.check_canaries(context, "values");
  tile.check_canaries(context, "LDS");
  const auto values = out.download<std::uint32_t>(), lds = tile.download<std::uint32_t>();
  Comparison comparison(context, "permutes_beside_lds");
  for (std::uint32_t l = 0; l < 64; ++l) {
    comparison.equal(0x700 + l, lds[l], {.lane = static_cast<int>(l), .note = "LDS"});
    // Fetched from the lane that the index names, and sent there: each lane has its own again.
    comparison.equal(w.data[l], values[l], {.lane = static_cast<int>(l), .note = "there and back"});
  }
}

ClaimTest test(const char* suite, const char* name, ClaimId claim, void (*body)(TestContext&)) {
  return {.suite = suite, .name = name, .check = Check::run, .claims = {claim}, .body = body};
}

const bool added = add({
    test("DsBpermute", "FetchesFromTheLaneThatEachNames", "CDNA-4.8"_claim, check_gather),
    test("DsBpermute", "IndexIsFourTimesTheLane", "CDNA-4.10"_claim, check_index),
    test("DsPermute", "SendsToTheLaneThatEachNames", "CDNA-4.9"_claim, check_scatter),
    test("Permutes", "NeedNoLds", "CDNA-4.11"_claim, check_no_lds),
});

} // namespace
} // namespace cts::cross_lane
