// What the lanes of a workgroup of 64 see of their wave.
#include "common/hip/hip.hpp"

namespace cts::lane_ownership {
namespace {

using namespace literals;

void check_wave(TestContext& context) {
  constexpr unsigned waves = 3, lanes = 64;
  const hip::DeviceBuffer facts(waves * lanes * 4 * sizeof(std::uint32_t));
  hip::Module module(context, "lane_ownership");
  module.launch("wave_facts", waves, lanes, facts);
  const auto words = facts.download<std::uint32_t>();
  Comparison comparison(context, "wave_facts");
  for (unsigned i = 0; i < waves * lanes; ++i) {
    const auto where = [&](const char* what) {
      return [&, what] {
        return Where{.lane = static_cast<int>(i % lanes),
                     .note = fmt::format("wave {}: {}", i / lanes, what)};
      };
    };
    comparison.equal_at(i % lanes, words[4 * i], where("lanes in front of it"));
    comparison.equal_at(0xffffffff, words[4 * i + 1], where("EXEC low"));
    comparison.equal_at(0xffffffff, words[4 * i + 2], where("EXEC high"));
    comparison.equal_at(64, words[4 * i + 3], where("wave size"));
  }
  facts.check_canaries(context, "wave_facts");
}

const bool added = add({.suite = "Wave",
                        .name = "All64LanesAreActive",
                        .check = Check::run,
                        .claims = {"CDNA-1.1"_claim},
                        .body = check_wave});

} // namespace
} // namespace cts::lane_ownership
