// Where the wave's slots begin: M0, the instruction's offset, the workgroup's place in LDS.
#include "suites/direct_to_lds/copies.hpp"

#include <bit>

namespace cts::direct_to_lds {
namespace {

using namespace literals;

void check_offsets(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (const int offset : {48, -48})
    for (const int bytes : sizes_of(context.target())) {
      if (offset < 0 && bytes != 4) continue;
      for (const CopyKernel& kernel : kernels_of(context.target(), bytes, offset))
        check_copies(context, module, kernel, source,
                     {random_case(context, kernel, "base 48", whole_wave, 48),
                      random_case(context, kernel, "base 256", whole_wave, 256)});
    }
}

/// SOFFSET of the buffer form, 32 beside an offset of 48, moves the address in memory only.
void check_soffset(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  CopyKernel kernel{
      {}, {.target = context.target(), .form = reference::DmaForm::buffer, .bytes = 4, .offset = 48}, 32};
  for (const char* name : {"buffer_builtin_soffset", "buffer_assembly_soffset"}) {
    kernel.name = name;
    check_copies(context, module, kernel, source,
                 {random_case(context, kernel, "base 48", whole_wave, 48),
                  random_case(context, kernel, "base 256", whole_wave, 256)});
  }
}

void check_m0(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (const int bytes : sizes_of(context.target()))
    for (const CopyKernel& kernel : kernels_of(context.target(), bytes, 0)) {
      const int unit = bytes > 4 ? 16 : 4;
      std::vector<Case> cases;
      for (int n = 0; n < 6; ++n) {
        const auto base = static_cast<std::uint32_t>(unit * context.integer(1, 1024 / unit));
        cases.push_back(random_case(context, kernel, fmt::format("M0 {}", base), whole_wave, base));
      }
      check_copies(context, module, kernel, source, cases);
    }
}

/// Wherever the lanes read, they write side by side.
void check_addresses(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (const CopyKernel& kernel : kernels_of(context.target(), 4, 0)) {
    Case same = random_case(context, kernel, "all lanes at one address", whole_wave, 16), reversed = same,
         far = same;
    reversed.what = "addresses that fall with the lane";
    far.what = "addresses 100 bytes apart";
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      same.addresses[lane] = 1024;
      reversed.addresses[lane] = 4 * (63 - lane);
      far.addresses[lane] = 100 * lane;
    }
    check_copies(context, module, kernel, source, {same, reversed, far});
  }
}

/// V_READFIRSTLANE of 64 different pointers gives the wave one base: that of its first active lane.
void check_first_lane(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  CopyKernel kernel = kernels_of(context.target(), 4, 0).front();
  kernel.name = "base_of_first_lane";
  std::vector<Case> told, meant;
  for (const std::uint64_t lanes : {whole_wave, whole_wave << 1, whole_wave << 40, whole_wave << 63}) {
    told.push_back(random_case(context, kernel, fmt::format("EXEC {:#x}", lanes), lanes, 64));
    meant.push_back(told.back());
    meant.back().copy.base += 16 * (63 - static_cast<unsigned>(std::countr_zero(lanes)));
  }
  const auto tiles = run_copies(context, module, kernel, source, told);
  Comparison comparison(context, kernel.name);
  for (unsigned w = 0; w < tiles.size(); ++w) {
    const Expected expected = expected_tile(kernel, source, meant[w], w);
    for (unsigned i = 0; i < tile_words; ++i)
      comparison.equal_at(expected.bits[i], tiles[w][i], [&] {
        return Where{.byte = static_cast<int>(4 * i), .note = "of the tile, " + meant[w].what};
      });
  }
}

/// Twice as many workgroups as the largest of these products has compute units, so that some of them share
/// one's LDS.
void check_workgroups(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  const Source source(context);
  for (const CopyKernel& kernel : kernels_of(context.target(), 4, 0)) {
    if (kernel.name.find("builtin") == std::string::npos) continue;
    std::vector<Case> cases;
    for (int w = 0; w < 608; ++w)
      cases.push_back(random_case(context, kernel, fmt::format("workgroup {}", w), whole_wave, 128));
    check_copies(context, module, kernel, source, cases);
  }
}

/// The last 256 bytes of the most LDS that a workgroup can have, beyond 16 bits of M0 on gfx950.
void check_last_bytes(TestContext& context) {
  hip::Module module(context, "direct_to_lds");
  std::vector<std::uint32_t> data(64);
  for (std::uint32_t& word : data) word = static_cast<std::uint32_t>(context.rng()());
  const hip::DeviceBuffer source(data);
  for (const char* kernel : {"last_bytes_by_global", "last_bytes_by_buffer"}) {
    const hip::DeviceBuffer tile(256);
    module.launch(kernel, 1, 64, source, tile);
    const auto got = tile.download<std::uint32_t>();
    Comparison comparison(context, kernel);
    for (int lane = 0; lane < 64; ++lane)
      comparison.equal(data[static_cast<std::size_t>(lane)], got[static_cast<std::size_t>(lane)],
                       {.lane = lane});
    tile.check_canaries(context, "tile");
  }
}

ClaimTest test(const char* name, void (*body)(TestContext&)) {
  return {.suite = "Base", .name = name, .check = Check::run, .claims = {"CDNA-5.6"_claim}, .body = body};
}

const bool added = add({
    test("OffsetMovesBothSides", check_offsets),
    test("SoffsetMovesMemoryOnly", check_soffset),
    test("IsM0", check_m0),
    test("DoesNotFollowTheAddresses", check_addresses),
    test("IsTheFirstActiveLanes", check_first_lane),
    test("IsEachWorkgroupsOwn", check_workgroups),
    test("ReachesTheLastBytes", check_last_bytes),
});

} // namespace
} // namespace cts::direct_to_lds
