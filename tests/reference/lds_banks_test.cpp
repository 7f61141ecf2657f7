// Geometry of LDS and arithmetic on bank numbers.
#include "common/error.hpp"
#include "error_of.hpp"
#include "reference/lds_banks.hpp"

#include <gtest/gtest.h>

namespace cts::reference {
namespace {

constexpr Target gfx942 = Target::gfx942, gfx950 = Target::gfx950;

using Addresses = std::vector<std::uint32_t>;

/// `count` addresses, `stride` bytes apart.
Addresses strided(std::uint32_t count, std::uint32_t stride) {
  Addresses addresses;
  for (std::uint32_t n = 0; n < count; ++n) addresses.push_back(n * stride);
  return addresses;
}

// Claims CDNA-1.2, 1.3 and 5.1.
TEST(LdsGeometry, OfBothTargets) {
  EXPECT_EQ(lds_geometry(gfx942).banks, 32);
  EXPECT_EQ(lds_geometry(gfx942).dwords_of_bank, 512);
  EXPECT_EQ(lds_geometry(gfx942).bytes(), 64 * 1024);
  EXPECT_EQ(lds_geometry(gfx950).banks, 64);
  EXPECT_EQ(lds_geometry(gfx950).dwords_of_bank, 640);
  EXPECT_EQ(lds_geometry(gfx950).bytes(), 160 * 1024);
}

// Claim CDNA-5.13: addresses 0 and 128 share a bank of 32 and not of 64.
TEST(LdsBanks, BankOfAnAddress) {
  for (const auto& [address, of_32, of_64] :
       std::initializer_list<std::tuple<std::uint32_t, int, int>>{{0, 0, 0},
                                                                  {3, 0, 0},
                                                                  {4, 1, 1},
                                                                  {124, 31, 31},
                                                                  {128, 0, 32},
                                                                  {252, 31, 63},
                                                                  {256, 0, 0},
                                                                  {65532, 31, 63},
                                                                  {65536, 0, 0}}) {
    EXPECT_EQ(lds_bank(gfx942, address), of_32) << address;
    EXPECT_EQ(lds_bank(gfx950, address), of_64) << address;
  }
}

TEST(LdsBanks, ConflictsOfStrides) {
  struct Case {
    std::uint32_t lanes, stride;
    int bytes, gfx942_conflicts, gfx950_conflicts;
  };
  for (const Case& c : std::initializer_list<Case>{{32, 4, 4, 1, 1},
                                                   {64, 4, 4, 2, 1},     // 64 dwords in 32 or 64 banks
                                                   {32, 128, 4, 32, 16}, // all in one bank, or in two
                                                   {32, 132, 4, 1, 1},   // padded by one dword
                                                   {32, 256, 4, 32, 32},
                                                   {32, 8, 8, 2, 1}, // 64 dwords
                                                   {16, 16, 16, 2, 1},
                                                   {32, 0, 4, 1, 1}, // one dword for all
                                                   {32, 1, 1, 1, 1}, // four lanes a dword
                                                   {2, 128, 4, 2, 1}})
    for (const Target target : all_targets)
      EXPECT_EQ(lds_conflicts(target, strided(c.lanes, c.stride), c.bytes),
                target == gfx942 ? c.gfx942_conflicts : c.gfx950_conflicts)
          << name(target) << ": " << c.lanes << " lanes, " << c.stride << " apart, " << c.bytes << " bytes";
  EXPECT_EQ(lds_conflicts(gfx942, {}, 4), 0);
  EXPECT_EQ(error_of([] { lds_conflicts(gfx942, Addresses{0}, 0); }),
            "an access of 0 bytes to LDS: expected at least 1");
}

TEST(LdsBanks, DwordsInEachBank) {
  const std::vector<int> counts = lds_dwords_in_banks(gfx942, Addresses{0, 128, 2, 126}, 4);
  ASSERT_EQ(counts.size(), 32u);
  // 0: dword 0; 128: dword 32; 2: dwords 0 and 1; 126: dwords 31 and 32.
  for (std::size_t bank = 0; bank < 32; ++bank)
    EXPECT_EQ(counts[bank], bank == 0 ? 2 : bank == 1 || bank == 31 ? 1 : 0) << "bank " << bank;
  EXPECT_EQ(lds_dwords_in_banks(gfx950, Addresses{0}, 4).size(), 64u);
}

TEST(LdsAllocation, RoundsUpToGranules) {
  struct Case {
    Target target;
    int bytes, allocated, workgroups;
  };
  for (const Case& c : std::initializer_list<Case>{{gfx942, 1, 512, 128},
                                                   {gfx942, 512, 512, 128},
                                                   {gfx942, 513, 1024, 64},
                                                   {gfx942, 21760, 22016, 2},
                                                   {gfx942, 65536, 65536, 1},
                                                   {gfx950, 1, 1280, 128},
                                                   {gfx950, 1280, 1280, 128},
                                                   {gfx950, 1281, 2560, 64},
                                                   {gfx950, 20480, 20480, 8},
                                                   {gfx950, 20484, 21760, 7},
                                                   {gfx950, 163840, 163840, 1}}) {
    EXPECT_EQ(lds_allocated(c.target, c.bytes), c.allocated) << name(c.target) << " " << c.bytes;
    EXPECT_EQ(lds_workgroups(c.target, c.bytes), c.workgroups) << name(c.target) << " " << c.bytes;
  }
  EXPECT_EQ(lds_allocated(gfx950, 0), 0);
  EXPECT_EQ(error_of([] { lds_allocated(gfx942, 65537); }), "65537 bytes of LDS: gfx942 has 65536");
  EXPECT_EQ(error_of([] { lds_allocated(gfx950, -1); }), "-1 bytes of LDS: gfx950 has 163840");
  EXPECT_THROW(lds_workgroups(gfx950, 0), Error);
}

TEST(LdsAllocation, TableOfGranules) {
  for (const Target target : all_targets) {
    int manuals = 0;
    for (const LdsGranule& granule : lds_granules())
      if (granule.target == target && granule.source.starts_with("ISA")) {
        ++manuals;
        EXPECT_EQ(granule.bytes, lds_geometry(target).granule) << granule.source;
      }
    EXPECT_EQ(manuals, 1) << name(target);
  }
  EXPECT_EQ(lds_granules().size(), 4u);
}

} // namespace
} // namespace cts::reference
