// LDS addresses are 32-bit sums: compilers fold a positive offset onto a negative base.
//
//     s[63 - lane]:  v1 = -4 * lane,  ds_read_b32 v2, v1 offset:252
#include "tests/emulator/support/assembled.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

TEST(LdsAddress, ANegativeBaseAndAnOffsetWrapToAPlaceInside) {
  const std::string fill =
      "  v_add_u32_e32 v5, 100, v0\n  ds_write_b32 v126, v5\n  v_sub_u32_e32 v1, 0, v126\n";
  const std::string finish = "  s_waitcnt lgkmcnt(0)\n  global_store_dword v126, v2, s[6:7]\n";
  Bench bench(Target::gfx942,
              {{"read", fill + "  ds_read_b32 v2, v1 offset:252\n" + finish, 256},
               {"read2", fill + "  ds_read2_b32 v[2:3], v1 offset0:63 offset1:63\n" + finish, 256},
               {"write", fill + "  ds_write_b32 v1, v5 offset:252\n  ds_read_b32 v2, v126\n" + finish, 256},
               {"outside", fill + "  ds_read_b32 v2, v1 offset:248\n" + finish, 256}});
  for (const char* kernel : {"read", "read2", "write"}) {
    const LaunchReport report = bench.run(kernel);
    ASSERT_FALSE(report.stop) << kernel << ": " << report.stop->line;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(bench.out()[lane], 163 - lane) << kernel << " lane " << lane;
  }
  const LaunchReport report = bench.run("outside"); // lane 63 would read at -4
  ASSERT_TRUE(report.stop);
  EXPECT_NE(report.stop->line.find("lane 63"), std::string::npos) << report.stop->line;
}

} // namespace
} // namespace cts::emulator::testing
