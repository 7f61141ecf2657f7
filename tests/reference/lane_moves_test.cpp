// Lane moves against the manuals' tables, pseudocode and examples.
#include "common/error.hpp"
#include "error_of.hpp"
#include "reference/lane_moves.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace cts::reference {

// For messages of GoogleTest.
void PrintTo(const LaneSource& source, std::ostream* out) {
  *out << to_string(source) << (source.documented ? "" : " (not documented)");
}
void PrintTo(const SwapSource& source, std::ostream* out) {
  *out << (source.operand == SwapOperand::vdst ? "vdst" : "vsrc") << " lane " << source.lane;
}

namespace {

using What = LaneSource::What;

constexpr LaneSource from(int lane) { return {What::lane, lane, true}; }
constexpr LaneSource zero{What::zero, 0, true}, kept{What::kept, 0, true};
constexpr LaneSource zero_by_others{What::zero, 0, false}, kept_by_others{What::kept, 0, false};

// ---- DPP
// -----------------------------------------------------------------------------------------------------------

// ISA3 Table 93: each line's formula by hand, for lanes at the edges of rows and of the wave. -1: out of
// range.
TEST(Dpp, SourcesOfTable93) {
  struct Case {
    int control;
    std::vector<std::pair<int, int>> sources;
  };
  const std::vector<Case> cases{
      {dpp_quad_perm(3, 2, 1, 0), {{0, 3}, {1, 2}, {3, 0}, {5, 6}, {63, 60}}},
      {dpp_quad_perm(0, 0, 2, 2), {{1, 0}, {2, 2}, {3, 2}, {17, 16}}},
      {dpp_row_shl(1), {{0, 1}, {14, 15}, {15, -1}, {16, 17}, {63, -1}}},
      {dpp_row_shl(15), {{0, 15}, {1, -1}, {16, 31}}},
      {dpp_row_shr(1), {{0, -1}, {1, 0}, {15, 14}, {16, -1}, {63, 62}}},
      {dpp_row_shr(4), {{3, -1}, {4, 0}, {36, 32}}},
      {dpp_row_ror(1), {{0, 15}, {1, 0}, {16, 31}, {63, 62}}},
      {dpp_row_ror(12), {{0, 4}, {12, 0}, {31, 19}}},
      {dpp_wave_shl, {{0, 1}, {15, 16}, {63, -1}}},
      {dpp_wave_rol, {{0, 1}, {63, 0}}},
      {dpp_wave_shr, {{0, -1}, {16, 15}, {63, 62}}},
      {dpp_wave_ror, {{0, 63}, {16, 15}}},
      {dpp_row_mirror, {{0, 15}, {7, 8}, {15, 0}, {16, 31}, {50, 61}}},
      {dpp_row_half_mirror, {{0, 7}, {7, 0}, {8, 15}, {15, 8}, {20, 19}, {63, 56}}},
      {dpp_row_bcast15, {{0, -1}, {15, -1}, {16, 15}, {31, 15}, {32, 31}, {47, 31}, {48, 47}, {63, 47}}},
      {dpp_row_bcast31, {{0, -1}, {31, -1}, {32, 31}, {47, 31}, {48, 31}, {63, 31}}},
      {dpp_row_newbcast(0), {{0, 0}, {15, 0}, {16, 16}, {63, 48}}},
      {dpp_row_newbcast(15), {{0, 15}, {15, 15}, {32, 47}}},
  };
  for (const Case& c : cases)
    for (const auto& [lane, source] : c.sources)
      EXPECT_EQ(dpp_source_lane(c.control, lane).value_or(-1), source)
          << dpp_control_name(c.control) << " lane " << lane;
}

TEST(Dpp, NamesAndValues) {
  for (const auto& [control, value, text] : std::initializer_list<std::tuple<int, int, const char*>>{
           {dpp_quad_perm(3, 2, 1, 0), 0x01B, "quad_perm:[3,2,1,0]"},
           {dpp_quad_perm(0, 1, 2, 3), 0x0E4, "quad_perm:[0,1,2,3]"},
           {dpp_row_shl(1), 0x101, "row_shl:1"},
           {dpp_row_shr(15), 0x11F, "row_shr:15"},
           {dpp_row_ror(3), 0x123, "row_ror:3"},
           {dpp_wave_shl, 0x130, "wave_shl:1"},
           {dpp_wave_rol, 0x134, "wave_rol:1"},
           {dpp_wave_shr, 0x138, "wave_shr:1"},
           {dpp_wave_ror, 0x13C, "wave_ror:1"},
           {dpp_row_mirror, 0x140, "row_mirror"},
           {dpp_row_half_mirror, 0x141, "row_half_mirror"},
           {dpp_row_bcast15, 0x142, "row_bcast:15"},
           {dpp_row_bcast31, 0x143, "row_bcast:31"},
           {dpp_row_newbcast(7), 0x157, "row_newbcast:7"}}) {
    EXPECT_EQ(control, value) << text;
    EXPECT_EQ(dpp_control_name(value), text);
  }
  int existing = 0, for_64_bits = 0;
  for (int control = -1; control <= 0x200; ++control) {
    if (dpp_control_exists(control)) {
      ++existing;
      if (dpp_control_for_64_bits(control)) ++for_64_bits;
    } else {
      EXPECT_THROW(dpp_source_lane(control, 0), Error) << control;
      EXPECT_THROW(dpp_control_name(control), Error) << control;
    }
  }
  EXPECT_EQ(existing, 256 + 3 * 15 + 8 + 16);
  EXPECT_EQ(for_64_bits, 16);
  EXPECT_EQ(error_of([] { dpp_row_shl(0); }), "row_shl:0: expected 1 to 15");
  EXPECT_EQ(error_of([] { dpp_row_newbcast(16); }), "row_newbcast:16: expected 0 to 15");
  EXPECT_EQ(error_of([] { dpp_quad_perm(0, 1, 2, 4); }), "quad_perm:[0,1,2,4]: expected 0 to 3");
  EXPECT_EQ(error_of([] { dpp_source_lane(dpp_wave_shl, 64); }), "lane 64: expected 0 to 63");
  EXPECT_EQ(error_of([] { dpp_source_lane(0x160, 0); }), "DPP_CTRL 0x160 does not exist");
}

// Permutations leave no value out and use none twice.
TEST(Dpp, Permutations) {
  for (const int control : {dpp_quad_perm(2, 0, 3, 1), dpp_row_ror(5), dpp_wave_rol, dpp_wave_ror,
                            dpp_row_mirror, dpp_row_half_mirror}) {
    std::set<int> sources;
    for (int lane = 0; lane < 64; ++lane) sources.insert(dpp_source_lane(control, lane).value_or(-1));
    EXPECT_EQ(sources.size(), 64u) << dpp_control_name(control);
    EXPECT_EQ(sources.count(-1), 0u) << dpp_control_name(control);
  }
}

TEST(Dpp, MasksAndBounds) {
  const Dpp shift{dpp_row_shl(1), 15, 15, false};
  EXPECT_EQ(dpp_source(shift, 3), from(4));
  EXPECT_EQ(dpp_source(shift, 15), kept);
  EXPECT_EQ(dpp_source({dpp_row_shl(1), 15, 15, true}, 15), zero_by_others);
  // Row mask 0101: lanes 16-31 and 48-63 are not written. Bank mask 1110: the first four of each row are not.
  const Dpp masked{dpp_row_shl(1), 5, 14, true};
  EXPECT_EQ(dpp_source(masked, 4), from(5));
  EXPECT_EQ(dpp_source(masked, 3), kept);
  EXPECT_EQ(dpp_source(masked, 20), kept);
  EXPECT_EQ(dpp_source(masked, 36), from(37));
  EXPECT_EQ(dpp_source(masked, 35), kept);
  EXPECT_EQ(dpp_source(masked, 31), kept);
  EXPECT_EQ(dpp_source(masked, 47), zero_by_others);
  // Lane 4 is off: it is neither written nor, as a source, in range.
  const std::uint64_t exec = ~(std::uint64_t{1} << 4);
  EXPECT_EQ(dpp_source(shift, 4, exec), kept);
  EXPECT_EQ(dpp_source(shift, 3, exec), kept_by_others);
  EXPECT_EQ(dpp_source({dpp_row_shl(1), 15, 15, true}, 3, exec), zero_by_others);
  EXPECT_EQ(dpp_source(shift, 5, exec), from(6));
}

// ---- LDS permutes
// --------------------------------------------------------------------------------------------------

/// The manual's example for four lanes, in a wave whose other lanes are off: addresses 0, 0, 12, 4.
std::array<std::uint32_t, 64> example() {
  std::array<std::uint32_t, 64> addresses{};
  addresses[2] = 12;
  addresses[3] = 4;
  return addresses;
}

std::vector<LaneSource> first_four(const LaneSources& sources) {
  return {sources.begin(), sources.begin() + 4};
}

// ISA3 12.12: {A, B, C, D} to {B, D, 0, C}, and with EXEC 0xA to {-, D, -, 0}.
TEST(DsPermute, ManualsExamples) {
  EXPECT_EQ(first_four(ds_permute(example(), 0, 0xF)),
            (std::vector<LaneSource>{{What::lane, 1, false}, from(3), zero, from(2)}));
  EXPECT_EQ(first_four(ds_permute(example(), 0, 0xA)), (std::vector<LaneSource>{kept, from(3), kept, zero}));
}

// {A, B, C, D} to {A, A, D, B}, and with EXEC 0xA to {-, 0, -, B}.
TEST(DsBpermute, ManualsExamples) {
  EXPECT_EQ(first_four(ds_bpermute(example(), 0, 0xF)),
            (std::vector<LaneSource>{from(0), from(0), from(3), from(1)}));
  EXPECT_EQ(first_four(ds_bpermute(example(), 0, 0xA)), (std::vector<LaneSource>{kept, zero, kept, from(1)}));
}

TEST(DsBpermute, AddressesWrap) {
  std::array<std::uint32_t, 64> addresses{};
  addresses[0] = 4 * 7 + 3;  // low bits do not count
  addresses[1] = 4 * 64 + 8; // nor do high ones
  addresses[2] = 0xFFFFFFFC; // lane 63
  const LaneSources plain = ds_bpermute(addresses);
  EXPECT_EQ(plain[0], from(7));
  EXPECT_EQ(plain[1], from(2));
  EXPECT_EQ(plain[2], from(63));
  const LaneSources moved = ds_bpermute(addresses, 13); // 31 + 13 = 44; 264 + 13 = 277; -4 + 13 = 9
  EXPECT_EQ(moved[0], from(11));
  EXPECT_EQ(moved[1], from(5));
  EXPECT_EQ(moved[2], from(2));
  EXPECT_EQ(moved[3], from(3));
}

TEST(DsPermute, IsTheInverseOfBpermuteForPermutations) {
  std::array<std::uint32_t, 64> addresses{};
  for (std::uint32_t lane = 0; lane < 64; ++lane) addresses[lane] = 4 * (5 * lane % 64 ^ 3);
  const LaneSources push = ds_permute(addresses), pull = ds_bpermute(addresses);
  for (int lane = 0; lane < 64; ++lane) {
    const LaneSource& back = push[static_cast<std::size_t>(pull[static_cast<std::size_t>(lane)].lane)];
    EXPECT_EQ(back, from(lane));
  }
  // Everybody sends to lane 9: the highest active one wins in the pseudocode, nobody reaches the others.
  addresses.fill(36);
  const LaneSources crowd = ds_permute(addresses, 0, 0x0FFF'FFFF'FFFF'FFFF);
  EXPECT_EQ(crowd[9], (LaneSource{What::lane, 59, false}));
  EXPECT_EQ(crowd[8], zero);
  EXPECT_EQ(crowd[60], kept);
}

/// Lanes read by lanes 0 to 31, as the manual's lists have them: counted from 1.
std::vector<int> swizzle_list(int offset) {
  std::vector<int> list;
  for (int lane = 0; lane < 32; ++lane) list.push_back(ds_swizzle_source_lane(offset, lane) + 1);
  return list;
}

using List = std::vector<int>;

// ISA3 12.12, the lists of DS_SWIZZLE_B32.
TEST(DsSwizzle, ManualsLists) {
  EXPECT_EQ(swizzle_list(0xE000),
            (List{0x1, 0x11, 0x9, 0x19, 0x5, 0x15, 0xd, 0x1d, 0x3, 0x13, 0xb, 0x1b, 0x7, 0x17, 0xf,  0x1f,
                  0x2, 0x12, 0xa, 0x1a, 0x6, 0x16, 0xe, 0x1e, 0x4, 0x14, 0xc, 0x1c, 0x8, 0x18, 0x10, 0x20}));
  EXPECT_EQ(swizzle_list(0xE010), (List{0x1,  0x9,  0x5,  0xd,  0x3,  0xb,  0x7,  0xf,  0x2,  0xa,  0x6,
                                        0xe,  0x4,  0xc,  0x8,  0x10, 0x11, 0x19, 0x15, 0x1d, 0x13, 0x1b,
                                        0x17, 0x1f, 0x12, 0x1a, 0x16, 0x1e, 0x14, 0x1c, 0x18, 0x20}));
  List in_order, left, right, odd_left, odd_right;
  for (int n = 1; n <= 32; ++n) {
    in_order.push_back(n);
    left.push_back(n % 32 + 1);
    right.push_back(n == 1 ? 32 : n - 1);
    odd_left.push_back(n % 2 == 1 ? n : n % 32 + 2);             // {1,4,3,6,5, … 1f,2}
    odd_right.push_back(n % 2 == 1 ? (n == 1 ? 31 : n - 2) : n); // {1f,2,1,4,3, … 1d,20}
  }
  EXPECT_EQ(swizzle_list(0xE01F), in_order);
  EXPECT_EQ(swizzle_list(0xC000 | 1 << 5), left);
  EXPECT_EQ(swizzle_list(0xC000 | 1 << 10 | 1 << 5), right);
  EXPECT_EQ(swizzle_list(0xC000 | 1 << 5 | 1), odd_left);
  EXPECT_EQ(swizzle_list(0xC000 | 1 << 10 | 1 << 5 | 1), odd_right);
}

TEST(DsSwizzle, FoursAndMasks) {
  const auto sources = [](int offset, const List& lanes) {
    List list;
    for (const int lane : lanes) list.push_back(ds_swizzle_source_lane(offset, lane));
    return list;
  };
  EXPECT_EQ(sources(0x8000 | dpp_quad_perm(1, 0, 3, 3), {0, 1, 2, 3, 4, 61, 62}),
            (List{1, 0, 3, 3, 5, 60, 63}));
  const auto mask = [](int exclusive, int inclusive, int keep) {
    return exclusive << 10 | inclusive << 5 | keep;
  };
  EXPECT_EQ(sources(mask(0x10, 0, 0x1F), {0, 16, 40, 63}), (List{16, 0, 56, 47})); // SWAPX16
  EXPECT_EQ(sources(mask(0x1F, 0, 0x1F), {0, 31, 32}), (List{31, 0, 63}));         // REVERSEX32
  EXPECT_EQ(sources(mask(0, 5, 0x18), {0, 7, 9, 63}), (List{5, 5, 13, 61}));       // BCASTX8 of thread 5
  EXPECT_EQ(ds_swizzle(mask(0x10, 0, 0x1F), ~std::uint64_t{1})[16], zero) << "reads lane 0, which is off";
  EXPECT_EQ(ds_swizzle(mask(0x10, 0, 0x1F), ~std::uint64_t{1})[0], kept);
  EXPECT_EQ(ds_swizzle(mask(0x10, 0, 0x1F), ~std::uint64_t{1})[40], from(56));
  EXPECT_EQ(error_of([] { ds_swizzle_source_lane(0x10000, 0); }),
            "DS_SWIZZLE offset 0x10000: expected 0 to 0xFFFF");
}

// ---- Others
// --------------------------------------------------------------------------------------------------------

TEST(ScalarReads, Lanes) {
  EXPECT_EQ(readlane_source(7), 7);
  EXPECT_EQ(readlane_source(64 + 7), 7);
  EXPECT_EQ(readlane_source(0xFFFFFFFF), 63);
  EXPECT_EQ(readfirstlane_source(all_lanes), 0);
  EXPECT_EQ(readfirstlane_source(0xF0), 4);
  EXPECT_EQ(readfirstlane_source(std::uint64_t{1} << 63), 63);
  EXPECT_EQ(readfirstlane_source(0), 0) << "forced when no lane is active";
}

// ISA4 12.8: the pseudocode, executed on registers that hold their own names.
TEST(PermlaneSwap, ManualsPseudocode) {
  for (const int rows : {16, 32}) {
    std::array<SwapSource, 64> vdst, vsrc;
    for (int lane = 0; lane < 64; ++lane) {
      vdst[static_cast<std::size_t>(lane)] = {SwapOperand::vdst, lane};
      vsrc[static_cast<std::size_t>(lane)] = {SwapOperand::vsrc, lane};
    }
    if (rows == 16) {
      for (std::size_t pass = 0; pass < 2; ++pass)
        for (std::size_t lane = 0; lane < 16; ++lane)
          std::swap(vsrc[pass * 32 + lane], vdst[pass * 32 + lane + 16]);
    } else {
      for (std::size_t lane = 0; lane < 32; ++lane) std::swap(vsrc[lane], vdst[lane + 32]);
    }
    for (int lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(permlane_swap_source(rows, SwapOperand::vdst, lane), vdst[static_cast<std::size_t>(lane)])
          << rows << " vdst lane " << lane;
      EXPECT_EQ(permlane_swap_source(rows, SwapOperand::vsrc, lane), vsrc[static_cast<std::size_t>(lane)])
          << rows << " vsrc lane " << lane;
    }
  }
  EXPECT_EQ(error_of([] { permlane_swap_source(8, SwapOperand::vdst, 0); }),
            "swap of 8 lanes: expected 16 or 32");
}

} // namespace
} // namespace cts::reference
