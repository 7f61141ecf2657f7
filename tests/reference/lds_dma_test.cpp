// Loads straight into LDS: addresses on both sides, widths of M0, extension, what stays untouched.
#include "common/error.hpp"
#include "error_of.hpp"
#include "reference/lds_dma.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace cts::reference {
namespace {

constexpr Target gfx942 = Target::gfx942, gfx950 = Target::gfx950;
constexpr std::uint64_t every_lane = ~std::uint64_t{0};

TEST(LdsDma, SizesOfEachTargetAndForm) {
  for (int bytes = 0; bytes <= 16; ++bytes) {
    const bool narrow = bytes == 1 || bytes == 2 || bytes == 4;
    const bool wide = bytes == 12 || bytes == 16;
    for (const DmaForm form : {DmaForm::buffer, DmaForm::global}) {
      EXPECT_EQ(lds_dma_exists(gfx942, form, bytes), narrow) << bytes;
      EXPECT_EQ(lds_dma_exists(gfx950, form, bytes), narrow || wide) << bytes;
    }
    EXPECT_EQ(lds_dma_exists(gfx950, DmaForm::scratch, bytes), narrow) << bytes;
  }
}

TEST(LdsDma, Strides) {
  for (const auto& [bytes, stride, dwords] : std::initializer_list<std::tuple<int, int, int>>{
           {1, 4, 1}, {2, 4, 1}, {4, 4, 1}, {12, 16, 3}, {16, 16, 4}}) {
    EXPECT_EQ(lds_dma_stride(bytes), stride) << bytes;
    EXPECT_EQ(lds_dma_dwords(bytes), dwords) << bytes;
    const LdsDma dma{.target = gfx950, .form = DmaForm::global, .bytes = bytes, .m0 = 0x100};
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(lds_dma_lds_address(dma, lane), static_cast<std::uint32_t>(0x100 + lane * stride))
          << bytes << " bytes, lane " << lane;
  }
  EXPECT_THROW(lds_dma_stride(8), Error);
}

// ISA3 9.1.9: M0[15:0]; ISA4 9.1.9: M0[17:0]; 10.3 of both: M0[17:2] * 4.
TEST(LdsDma, WidthsOfM0) {
  struct Case {
    Target target;
    DmaForm form;
    std::uint32_t m0, offset;
  };
  for (const Case& c : std::initializer_list<Case>{{gfx942, DmaForm::buffer, 0xFFFF1234, 0x1234},
                                                   {gfx942, DmaForm::buffer, 0x00028003, 0x8003},
                                                   {gfx950, DmaForm::buffer, 0xFFFF1234, 0x31234},
                                                   {gfx950, DmaForm::buffer, 0x00028003, 0x28003},
                                                   {gfx942, DmaForm::global, 0xFFFF1237, 0x31234},
                                                   {gfx950, DmaForm::global, 0x00028003, 0x28000},
                                                   {gfx950, DmaForm::scratch, 0x0004FFFF, 0x0FFFC}})
    EXPECT_EQ(lds_dma_m0_offset({.target = c.target, .form = c.form, .m0 = c.m0}), c.offset)
        << name(c.target) << " form " << static_cast<int>(c.form) << fmt::format(" M0 {:#x}", c.m0);
}

// The instruction's offset moves both sides.
TEST(LdsDma, OffsetCountsTwice) {
  const LdsDma global{.target = gfx950, .form = DmaForm::global, .bytes = 16, .m0 = 0x2000, .offset = -4096};
  EXPECT_EQ(lds_dma_lds_address(global, 0), 0x1000u);
  EXPECT_EQ(lds_dma_lds_address(global, 63), 0x1000u + 63 * 16);
  EXPECT_EQ(lds_dma_memory_address(global, 0x7F0000001000), 0x7F0000000000u);
  const LdsDma buffer{.target = gfx942, .form = DmaForm::buffer, .bytes = 4, .m0 = 64, .offset = 4095};
  EXPECT_EQ(lds_dma_lds_address(buffer, 2), 64u + 4095 + 8);
  EXPECT_EQ(error_of([&] { lds_dma_lds_address({.offset = 4096}, 0); }),
            "offset 4096 of a load into LDS: expected -4096 to 4095");
  EXPECT_EQ(error_of([&] { lds_dma_lds_address({.form = DmaForm::buffer, .offset = -1}, 0); }),
            "offset -1 of a load into LDS: expected 0 to 4095");
  EXPECT_EQ(error_of([&] { lds_dma_lds_address({.m0 = 8, .offset = -20}, 2); }),
            "lane 2 of a load into LDS writes at -4, below the allocation");
  EXPECT_THROW(lds_dma_lds_address({}, 64), Error);
}

// Base + soffset + offset + voffset + stride * index; the lane counts in memory only with ADD_TID_ENABLE.
TEST(LdsDma, BufferMemoryAddress) {
  const LdsDma dma{.target = gfx950, .form = DmaForm::buffer, .bytes = 4, .offset = 12};
  EXPECT_EQ(lds_dma_memory_address(dma, {.base = 0x10000, .stride = 32, .soffset = 256}, 1000, 3, 5),
            0x10000u + 256 + 12 + 1000 + 32 * 3);
  EXPECT_EQ(lds_dma_memory_address(dma, {.base = 0x10000, .stride = 32, .soffset = 256, .add_lane = true},
                                   1000, 3, 5),
            0x10000u + 256 + 12 + 1000 + 32 * 8);
  EXPECT_EQ(lds_dma_lds_address(dma, 5), 12u + 5 * 4);
}

// 12.15.2 and 12.15.3: "zero extend", "sign extend to 32 bits and store the result into a data share".
TEST(LdsDma, Extension) {
  using Bytes = std::vector<std::uint8_t>;
  using Dwords = std::vector<std::uint32_t>;
  const auto data = [](int bytes, bool sign, const Bytes& from) {
    return lds_dma_data({.target = gfx950, .bytes = bytes, .sign_extend = sign}, from);
  };
  EXPECT_EQ(data(1, false, {0x80}), (Dwords{0x00000080}));
  EXPECT_EQ(data(1, true, {0x80}), (Dwords{0xFFFFFF80}));
  EXPECT_EQ(data(1, true, {0x7F}), (Dwords{0x0000007F}));
  EXPECT_EQ(data(2, false, {0x34, 0x92}), (Dwords{0x00009234}));
  EXPECT_EQ(data(2, true, {0x34, 0x92}), (Dwords{0xFFFF9234}));
  EXPECT_EQ(data(2, true, {0x84, 0x12}), (Dwords{0x00001284}));
  EXPECT_EQ(data(4, true, {1, 2, 3, 0x84}), (Dwords{0x84030201}));
  EXPECT_EQ(data(12, false, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
            (Dwords{0x04030201, 0x08070605, 0x0C0B0A09}));
  EXPECT_EQ(error_of([&] { data(2, false, {1}); }), "a lane moves 2 bytes into LDS, got 1");
  EXPECT_EQ(error_of([&] { lds_dma_data({.target = gfx942, .bytes = 12}, Bytes(12)); }),
            "gfx942 has no global load of 12 bytes a lane into LDS: expected 1, 2 or 4");
  EXPECT_EQ(
      error_of([&] { lds_dma_data({.target = gfx950, .form = DmaForm::scratch, .bytes = 16}, Bytes(16)); }),
      "gfx950 has no scratch load of 16 bytes a lane into LDS: expected 1, 2 or 4");
}

/// Byte b of lane n is 3 * n + b + 1.
std::vector<std::uint8_t> numbered(int bytes) {
  std::vector<std::uint8_t> data;
  for (int lane = 0; lane < 64; ++lane)
    for (int b = 0; b < bytes; ++b) data.push_back(static_cast<std::uint8_t>(3 * lane + b + 1));
  return data;
}

TEST(LdsDma, TwelveBytesLeaveTheFourthDword) {
  std::vector<std::uint8_t> lds(64 * 16 + 32, 0xEE);
  run_lds_dma({.target = gfx950, .bytes = 12, .m0 = 16}, every_lane, numbered(12), lds);
  for (std::size_t n = 0; n < lds.size(); ++n) {
    const int slot = static_cast<int>(n) - 16;
    const bool written = slot >= 0 && slot < 64 * 16 && slot % 16 < 12;
    EXPECT_EQ(lds[n], written ? static_cast<std::uint8_t>(3 * (slot / 16) + slot % 16 + 1) : 0xEE)
        << "byte " << n;
  }
}

TEST(LdsDma, OneByteFillsItsDword) {
  std::vector<std::uint8_t> lds(64 * 4 + 4, 0xEE);
  run_lds_dma({.bytes = 1}, every_lane, numbered(1), lds);
  for (std::size_t n = 0; n < lds.size(); ++n)
    EXPECT_EQ(lds[n], n >= 256     ? 0xEE
                      : n % 4 == 0 ? static_cast<std::uint8_t>(3 * (n / 4) + 1)
                                   : 0)
        << "byte " << n;
}

// Lanes keep their places when others are not active.
TEST(LdsDma, InactiveLanesLeaveHoles) {
  const std::uint64_t exec = 0x8000'0000'0000'00A5;
  std::vector<std::uint8_t> lds(256, 0xEE);
  run_lds_dma({.bytes = 4}, exec, numbered(4), lds);
  for (std::size_t n = 0; n < lds.size(); ++n) {
    const bool active = (exec >> n / 4 & 1) != 0;
    EXPECT_EQ(lds[n], active ? static_cast<std::uint8_t>(3 * (n / 4) + n % 4 + 1) : 0xEE) << "byte " << n;
  }
}

TEST(LdsDma, BeyondTheAllocation) {
  std::vector<std::uint8_t> lds(128, 0xEE); // room for lanes 0 to 31 of 4 bytes
  run_lds_dma({.bytes = 4}, every_lane, numbered(4), lds);
  EXPECT_EQ(lds[127], 3 * 31 + 4);
  std::vector<std::uint8_t> odd(24, 0xEE);
  EXPECT_EQ(error_of([&] { run_lds_dma({.target = gfx950, .bytes = 16}, every_lane, numbered(16), odd); }),
            "lane 1 writes 16 bytes at 16 of 24 bytes of LDS: no manual says how much of it is written");
  EXPECT_EQ(error_of([&] {
              run_lds_dma({.form = DmaForm::buffer, .bytes = 4, .m0 = 2}, every_lane, numbered(4), lds);
            }),
            "lane 0 writes at LDS address 2: expected a multiple of 4");
  EXPECT_EQ(error_of([&] { run_lds_dma({.bytes = 4}, every_lane, numbered(2), lds); }),
            "64 lanes move 256 bytes into LDS, got 128");
}

} // namespace
} // namespace cts::reference
