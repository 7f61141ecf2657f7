// Lane numbers: DPP patterns and masks, SDWA selections, lane reads and writes, swaps; and modifiers that
// must stop a launch.
#include "tests/emulator/support/instruction_bench.hpp"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 old = 7000;

void stage(Wave& w) {
  for (unsigned l = 0; l < lanes; ++l)
    w.vgpr[1][l] = 1000 + l, w.vgpr[2][l] = 2000 + l, w.vgpr[10][l] = old, w.vgpr[11][l] = old;
}

/// Pattern, the lane that lane n reads (-1: none).
struct Pattern {
  const char* text;
  std::function<int(int)> from;
};

const Pattern patterns[] = {
    {"quad_perm:[3,0,2,1]",
     [](int n) {
       const int p[] = {3, 0, 2, 1};
       return n / 4 * 4 + p[n % 4];
     }},
    {"row_shl:3", [](int n) { return n % 16 + 3 < 16 ? n + 3 : -1; }},
    {"row_shr:5", [](int n) { return n % 16 >= 5 ? n - 5 : -1; }},
    {"row_ror:4", [](int n) { return n / 16 * 16 + (n % 16 + 12) % 16; }},
    {"wave_shl:1", [](int n) { return n < 63 ? n + 1 : -1; }},
    {"wave_rol:1", [](int n) { return (n + 1) % 64; }},
    {"wave_shr:1", [](int n) { return n - 1; }},
    {"wave_ror:1", [](int n) { return (n + 63) % 64; }},
    {"row_mirror", [](int n) { return n / 16 * 16 + 15 - n % 16; }},
    {"row_half_mirror", [](int n) { return n / 8 * 8 + 7 - n % 8; }},
    {"row_bcast:15", [](int n) { return n >= 16 ? n / 16 * 16 - 1 : -1; }},
    {"row_bcast:31", [](int n) { return n >= 32 ? 31 : -1; }},
    {"row_newbcast:6", [](int n) { return n / 16 * 16 + 6; }},
};

/// exec, row_mask, bank_mask and bound_ctrl in every row: the plain move and a sum.
TEST(Dpp, EveryPattern) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    struct Way {
      const char* suffix;
      unsigned row_mask, bank_mask;
      bool bound;
    };
    const Way ways[] = {{"row_mask:0xf bank_mask:0xf", 15, 15, false},
                        {"row_mask:0xf bank_mask:0xf bound_ctrl:1", 15, 15, true},
                        {"row_mask:0xa bank_mask:0x5", 10, 5, false}};
    std::vector<std::string> lines;
    for (const auto& p : patterns)
      for (const auto& way : ways) {
        lines.push_back(fmt::format("v_mov_b32_dpp v10, v1 {} {}", p.text, way.suffix));
        lines.push_back(fmt::format("v_add_u32_dpp v11, v1, v2 {} {}", p.text, way.suffix));
      }
    InstructionBench bench(target, lines);
    Wave& w = bench.wave();
    for (const u64 exec : {~0ull, 0xfedcba9876543210ull}) {
      std::size_t i = 0;
      for (const auto& p : patterns)
        for (const auto& way : ways) {
          stage(w);
          w.set_exec(exec);
          bench.run(i), bench.run(i + 1);
          for (int n = 0; n < 64; ++n) {
            const int from = p.from(n);
            const bool valid = from >= 0 && (exec >> from & 1) != 0;
            const bool enabled = (exec >> n & 1) != 0 && (way.row_mask >> (n / 16) & 1) != 0 &&
                                 (way.bank_mask >> (n % 16 / 4) & 1) != 0;
            const bool written = enabled && (valid || way.bound);
            const u32 value = valid ? 1000u + static_cast<u32>(from) : 0;
            ASSERT_EQ(w.vgpr[10][n], written ? value : old)
                << lines[i] << fmt::format(" lane {} exec {:x}", n, exec);
            ASSERT_EQ(w.vgpr[11][n], written ? value + 2000u + static_cast<u32>(n) : old)
                << lines[i + 1] << fmt::format(" lane {} exec {:x}", n, exec);
          }
          i += 2;
        }
    }
  }
}

TEST(Dpp, MovesPairsByRowBroadcast) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target,
                           {"v_mov_b64_dpp v[10:11], v[4:5] row_newbcast:3 row_mask:0xf bank_mask:0xf"});
    Wave& w = bench.wave();
    for (unsigned l = 0; l < lanes; ++l) w.vgpr[4][l] = 100 + l, w.vgpr[5][l] = 200 + l;
    bench.run(0);
    EXPECT_EQ(w.vgpr[10][37], 135u);
    EXPECT_EQ(w.vgpr[11][37], 235u);
  }
}

TEST(Dpp, NegatesAfterTheMove) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(
        target, {"v_add_f32_dpp v10, -v1, |v2| row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1"});
    Wave& w = bench.wave();
    for (unsigned l = 0; l < lanes; ++l)
      w.vgpr[1][l] = std::bit_cast<u32>(static_cast<float>(l)), w.vgpr[2][l] = std::bit_cast<u32>(-100.0f);
    bench.run(0);
    EXPECT_EQ(w.vgpr[10][9], std::bit_cast<u32>(92.0f));
    EXPECT_EQ(w.vgpr[10][16], std::bit_cast<u32>(100.0f)) << "lane 16 has no lane on its left in its row";
  }
}

TEST(Sdwa, SelectsExtendsAndPlaces) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    struct Case {
      const char* text;
      u32 a, b, want;
    };
    const Case cases[] = {
        {"v_mov_b32_sdwa v10, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", 0x11f23344, 0, 0xf2},
        {"v_mov_b32_sdwa v10, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", 0x11f23344, 0,
         0xfffffff2},
        {"v_mov_b32_sdwa v10, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", 0x81f23344, 0,
         0xffff81f2},
        {"v_mov_b32_sdwa v10, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:BYTE_0", 0x11f23384, 0,
         0x8400},
        {"v_mov_b32_sdwa v10, v1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_0", 0x11f23384, 0,
         0xffff8400},
        {"v_mov_b32_sdwa v10, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0", 0x11f23384, 0,
         0xdead84ef},
        {"v_mov_b32_sdwa v10, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0", 0x11f23384, 0,
         0x3384beef},
        {"v_add_u32_sdwa v10, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_3",
         0x00050000, 0x03000000, 8},
        {"v_mul_u32_u24_sdwa v10, v1, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 "
         "src1_sel:BYTE_0",
         0x0300, 0x02, 6},
        {"v_add_f16_sdwa v10, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
         "src1_sel:WORD_0",
         0x3c000000, 0x4000, 0x4200beef},
        {"v_add_f16_sdwa v10, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0",
         0x3c000000, 0xc000, 0x3c00},
        {"v_cvt_f32_u32_sdwa v10, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", 0x00020000, 0,
         0x40000000},
    };
    std::vector<std::string> lines;
    for (const Case& c : cases) lines.emplace_back(c.text);
    InstructionBench bench(target, lines);
    Wave& w = bench.wave();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (unsigned l = 0; l < lanes; ++l)
        w.vgpr[1][l] = cases[i].a, w.vgpr[2][l] = cases[i].b, w.vgpr[10][l] = 0xdeadbeef;
      w.set_exec(~1ull);
      bench.run(i);
      EXPECT_EQ(w.vgpr[10][0], 0xdeadbeefu) << lines[i] << ": lane 0 is not active";
      EXPECT_EQ(w.vgpr[10][40], cases[i].want) << fmt::format("{}: got {:08x}", lines[i], w.vgpr[10][40]);
    }
  }
}

TEST(Sdwa, Comparisons) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"v_cmp_lt_u32_sdwa s[4:5], v1, v2 src0_sel:BYTE_0 src1_sel:WORD_1",
                                    "v_cmp_class_f16_sdwa s[4:5], v1, v2 src0_sel:WORD_1 src1_sel:DWORD"});
    Wave& w = bench.wave();
    for (unsigned l = 0; l < lanes; ++l)
      w.vgpr[1][l] = 0x7c00ff00 | l, w.vgpr[2][l] = l % 2 == 0 ? 0x00100000 : 0x200;
    bench.run(0);
    for (unsigned l = 0; l < lanes; ++l) EXPECT_EQ(w.pair(4) >> l & 1, l % 2 == 0 && l < 16 ? 1u : 0u) << l;
    bench.run(1);
    EXPECT_EQ(w.pair(4), 0xaaaaaaaaaaaaaaaau) << "0x7c00 is +inf, bit 9 of the mask";
  }
}

TEST(Lanes, ReadAndWrite) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(
        target, {"v_readlane_b32 s8, v1, s0", "v_readfirstlane_b32 s8, v1", "v_writelane_b32 v10, s1, 5",
                 "v_readlane_b32 s8, v1, 63", "v_accvgpr_write_b32 a3, v1", "v_accvgpr_mov_b32 a4, a3",
                 "v_accvgpr_read_b32 v10, a4", "v_nop", "v_clrexcp", "v_accvgpr_write_b32 a3, 1.0"});
    Wave& w = bench.wave();
    stage(w);
    w.set_exec(0xff00);
    w.sgpr[0] = 64 + 5, w.sgpr[1] = 42;
    bench.run(0);
    EXPECT_EQ(w.sgpr[8], 1005u) << "the lane select is six bits, EXEC has no say";
    bench.run(1);
    EXPECT_EQ(w.sgpr[8], 1008u) << "the lowest active lane";
    bench.run(2);
    EXPECT_EQ(w.vgpr[10][5], 42u);
    EXPECT_EQ(w.vgpr[10][4], old);
    bench.run(3);
    EXPECT_EQ(w.sgpr[8], 1063u);
    w.set_exec(0);
    bench.run(1);
    EXPECT_EQ(w.sgpr[8], 1000u) << "lane 0 when none is active";
    w.set_exec(0x3);
    bench.run(4), bench.run(5), bench.run(6);
    EXPECT_EQ(w.vgpr[first_agpr + 3][1], 1001u);
    EXPECT_EQ(w.vgpr[10][1], 1001u);
    EXPECT_EQ(w.vgpr[10][2], old) << "an inactive lane";
    bench.run(9);
    EXPECT_EQ(w.vgpr[first_agpr + 3][0], 0x3f800000u);
    bench.notes(Tested::executed);
    bench.run(7), bench.run(8);
  }
}

TEST(Lanes, Swaps) {
  for (const Target target : all_targets) {
    InstructionBench bench(target, {"v_swap_b32 v1, v2"});
    Wave& w = bench.wave();
    stage(w);
    w.set_exec(0xf0);
    bench.run(0);
    EXPECT_EQ(w.vgpr[1][4], 2004u);
    EXPECT_EQ(w.vgpr[2][4], 1004u);
    EXPECT_EQ(w.vgpr[1][3], 1003u);
    EXPECT_EQ(w.vgpr[2][3], 2003u);
  }
}

TEST(Lanes, PermlaneSwaps) {
  InstructionBench bench(Target::gfx950,
                         {"v_nop", "v_permlane16_swap_b32_e32 v1, v2", "v_permlane32_swap_b32_e32 v1, v2",
                          "v_permlane32_swap_b32_e64 v1, v2 bound_ctrl:1",
                          "v_permlane32_swap_b32_e64 v1, v2 fi:1"});
  Wave& w = bench.wave();
  stage(w);
  bench.run(1);
  for (unsigned l = 0; l < lanes; ++l) {
    const bool odd_row = (l & 16) != 0;
    EXPECT_EQ(w.vgpr[1][l], odd_row ? 2000 + l - 16 : 1000 + l) << l;
    EXPECT_EQ(w.vgpr[2][l], odd_row ? 2000 + l : 1000 + l + 16) << l;
  }
  stage(w);
  bench.run(2);
  for (unsigned l = 0; l < lanes; ++l) {
    EXPECT_EQ(w.vgpr[1][l], l >= 32 ? 2000 + l - 32 : 1000 + l) << l;
    EXPECT_EQ(w.vgpr[2][l], l >= 32 ? 2000 + l : 1000 + l + 32) << l;
  }
  // Lane 40 of v1 pairs with lane 8 of v2. With lane 8 inactive:
  stage(w), w.set_exec(~(1ull << 8));
  bench.run(2);
  EXPECT_EQ(w.vgpr[1][40], 1040u) << "kept";
  EXPECT_EQ(w.vgpr[2][8], 2008u) << "not active: not written";
  stage(w);
  bench.run(3);
  EXPECT_EQ(w.vgpr[1][40], 0u) << "bound_ctrl";
  stage(w);
  bench.run(4);
  EXPECT_EQ(w.vgpr[1][40], 2008u) << "fetched though inactive";
}

/// What an instruction has on its paper but its handler does not do must stop the launch, not give something.
TEST(Modifiers, UnknownOnesStop) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"v_alignbit_b32 v10, v1, v2, v3 op_sel:[0,0,1,0]"});
    try {
      bench.run(0);
      FAIL() << "ran";
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find("v_alignbit_b32"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("modifier"), std::string::npos) << e.what();
    }
  }
}

} // namespace
} // namespace cts::emulator::testing
