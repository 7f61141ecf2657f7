// Banks, rows and capacity: arithmetic.
#include "common/claim_test.hpp"
#include "reference/lds_banks.hpp"

#include <set>

namespace cts::lds_geometry {
namespace {

using namespace literals;
using reference::LdsGeometry;

struct Claimed {
  int banks, dwords_of_bank, bytes;
};
Claimed claimed(Target target) {
  return target == Target::gfx942 ? Claimed{32, 512, 65536} : Claimed{64, 640, 163840};
}

/// Every dword has a place of its own, a bank and a row, and there is none without a dword.
void check_geometry(TestContext& context) {
  const Target target = context.target();
  const Claimed c = claimed(target);
  const LdsGeometry geometry = reference::lds_geometry(target);
  expect_equal(context, "banks", c.banks, geometry.banks);
  expect_equal(context, "dwords of a bank", c.dwords_of_bank, geometry.dwords_of_bank);
  expect_equal(context, "bytes", c.bytes, geometry.bytes());
  expect_equal(context, "banks x dwords x 4", c.bytes, c.banks * c.dwords_of_bank * 4);
  std::set<std::pair<int, int>> places;
  std::vector<int> rows(static_cast<std::size_t>(c.banks), 0);
  for (std::uint32_t address = 0; address < static_cast<std::uint32_t>(c.bytes); address += 4) {
    const int bank = reference::lds_bank(target, address);
    places.insert({bank, rows[static_cast<std::size_t>(bank)]++});
  }
  expect_equal(context, "places", static_cast<std::size_t>(c.bytes / 4), places.size());
  for (const int row : rows) expect_equal(context, "dwords of each bank", c.dwords_of_bank, row);
  const Claimed other = claimed(target == Target::gfx942 ? Target::gfx950 : Target::gfx942);
  EXPECT_NE(other.bytes, geometry.bytes()) << "not told apart: the other target's capacity";
}

void check_banks(TestContext& context) {
  const Target target = context.target();
  const auto banks = static_cast<std::uint32_t>(claimed(target).banks);
  Comparison comparison(context, "bank"), by_bytes(context, "bank"), other_count(context, "bank");
  for (std::uint32_t address = 0; address < static_cast<std::uint32_t>(claimed(target).bytes); ++address) {
    const auto bank = static_cast<std::uint64_t>(reference::lds_bank(target, address));
    const auto where = [&] { return Where{.note = fmt::format("address {}", address)}; };
    comparison.equal_at((address >> 2) & (banks - 1), bank, where);
    by_bytes.equal_at(address % banks, bank, where);
    other_count.equal_at((address >> 2) % (96 - banks), bank, where);
  }
  by_bytes.dismiss();
  other_count.dismiss();
  EXPECT_GT(by_bytes.mismatches(), 0u) << "not told apart: banks of a byte";
  EXPECT_GT(other_count.mismatches(), 0u) << "not told apart: the other target's banks";

  expect_equal(context, "addresses 0 and 128 share a bank", banks == 32,
               reference::lds_bank(target, 0) == reference::lds_bank(target, 128));
  expect_equal(context, "addresses 0 and 256 share a bank", true,
               reference::lds_bank(target, 0) == reference::lds_bank(target, 256));
}

const bool added = add({
    {"Geometry",
     "FillsTheCapacity",
     Check::host,
     {"CDNA-5.1"_claim},
     {all_targets.begin(), all_targets.end()},
     check_geometry},
    {"Geometry",
     "BankIsTheDwordModuloTheBanks",
     Check::host,
     {"CDNA-5.13"_claim},
     {all_targets.begin(), all_targets.end()},
     check_banks},
});

} // namespace
} // namespace cts::lds_geometry
