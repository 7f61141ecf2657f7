// What no manual settles: recorded beside what is claimed of the same launch.
#include "suites/direct_to_lds/copies.hpp"

#include <bit>
#include <set>

namespace cts::direct_to_lds {
namespace {

using namespace literals;

/// "zeros", "the sign", ... : what the rest of the dwords holds in every slot.
std::string rest_of_dwords(const CopyKernel& kernel, const Case& c, const Expected& expected,
                           const Tile& tile) {
  bool zeros = true, sign = true, kept = true;
  const unsigned bits = 8 * static_cast<unsigned>(kernel.dma.bytes);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const unsigned i = c.copy.base / 4 + lane, moved = expected.bits[i] & expected.mask[i];
    const unsigned rest = tile[i] >> bits, ones = ~0u >> bits;
    zeros = zeros && rest == 0;
    sign = sign && rest == ((moved >> (bits - 1) & 1) != 0 ? ones : 0);
    kept = kept && rest == before(0, i) >> bits;
  }
  return zeros ? "zeros" : sign ? "the sign" : kept ? "what was there" : "something else";
}

void observe_extension(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (const int bytes : {1, 2})
    for (const CopyKernel& kernel : kernels_of(context.target(), bytes, 0)) {
      if (kernel.name.find("assembly") == std::string::npos) continue;
      const Case c = random_case(context, kernel, "base 0", whole_wave, 0);
      check_copies(context, module, kernel, source, {c});
      const Tile tile = run_copies(context, module, kernel, source, {c})[0];
      context.observe(fmt::format("{}: the dword's other bytes get {}", kernel.name,
                                  rest_of_dwords(kernel, c, expected_tile(kernel, source, c, 0), tile)));
    }
}

/// The builtin is given a pointer of each lane's own. That the wave has one base is claimed, not which.
void observe_base_of_each_lane(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  CopyKernel kernel = kernels_of(context.target(), 4, 0).front();
  kernel.name = "base_of_each_lane";
  std::set<std::string> seen;
  for (const std::uint64_t lanes : {whole_wave, whole_wave << 7, std::uint64_t{0x00ff00ff00ff0000}}) {
    const Case told = random_case(context, kernel, fmt::format("EXEC {:#x}", lanes), lanes, 64);
    const Tile tile = run_copies(context, module, kernel, source, {told})[0];
    int of = -1;
    for (int lane = 0; lane < 64; ++lane) {
      Case meant = told;
      meant.copy.base += 16 * (63 - static_cast<unsigned>(lane));
      if ((lanes >> lane & 1) != 0 && expected_tile(kernel, source, meant, 0).bits == tile) of = lane;
    }
    context.compared();
    EXPECT_NE(-1, of) << told.what << ": the tile is that of no active lane's base";
    seen.insert(of == std::countr_zero(lanes) ? "the first active lane's" : "another lane's");
  }
  context.observe(fmt::format("of 64 different pointers the base is {}", fmt::join(seen, " or ")));
}

/// Lanes beyond the buffer's range: their neighbours' copies are claimed, their own slots recorded.
void observe_range(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (CopyKernel kernel : kernels_of(context.target(), 4, 0)) {
    if (kernel.dma.form != reference::DmaForm::buffer) continue;
    Case c = random_case(context, kernel, "every other lane out of range", whole_wave, 0);
    for (std::uint32_t lane = 0; lane < 64; ++lane)
      c.addresses[lane] = lane % 2 == 0 ? 4 * lane : 4096 + 4 * lane;
    const Tile tile = run_copies(context, module, kernel, source, {c}, 1024)[0];
    const Expected expected = expected_tile(kernel, source, c, 0);
    Comparison comparison(context, kernel.name);
    std::set<std::string> outside;
    for (unsigned i = 0; i < tile_words; ++i) {
      if (i < 64 && i % 2 == 1)
        outside.insert(tile[i] == 0 ? "zero" : tile[i] == before(0, i) ? "what was there" : "something else");
      else
        comparison.equal(expected.bits[i], tile[i], {.byte = static_cast<int>(4 * i), .note = c.what});
    }
    context.observe(
        fmt::format("{}: slots of lanes out of range hold {}", kernel.name, fmt::join(outside, " or ")));
  }
}

const bool added = add({
    {.suite = "Observed",
     .name = "OtherBytesOfTheDword",
     .check = Check::run,
     .claims = {"CDNA-5.3"_claim},
     .body = observe_extension},
    {.suite = "Observed",
     .name = "BaseOfEachLane",
     .check = Check::run,
     .claims = {"CDNA-5.6"_claim},
     .body = observe_base_of_each_lane},
    {.suite = "Observed",
     .name = "LanesOutOfRange",
     .check = Check::run,
     .claims = {"CDNA-5.6"_claim},
     .body = observe_range},
});

} // namespace
} // namespace cts::direct_to_lds
