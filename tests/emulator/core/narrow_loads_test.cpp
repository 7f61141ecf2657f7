// Loads of a byte or a short: zeros or the sign above, or one half of a register that keeps its other half;
// the same from global memory and from LDS.
//
//     in[0] = 0x8091f2e3, bytes e3 f2 91 80      register before: 0x11112222
#include "tests/emulator/support/assembled.hpp"

#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

struct Load {
  const char* global; ///< after global_load_
  const char* lds;    ///< after ds_read_
  std::uint32_t expected;
};

constexpr Load loads[] = {
    {"ubyte", "u8", 0x000000e3},          {"sbyte", "i8", 0xffffffe3},
    {"ushort", "u16", 0x0000f2e3},        {"sshort", "i16", 0xfffff2e3},
    {"ubyte_d16", "u8_d16", 0x111100e3},  {"ubyte_d16_hi", "u8_d16_hi", 0x00e32222},
    {"sbyte_d16", "i8_d16", 0x1111ffe3},  {"sbyte_d16_hi", "i8_d16_hi", 0xffe32222},
    {"short_d16", "u16_d16", 0x1111f2e3}, {"short_d16_hi", "u16_d16_hi", 0xf2e32222},
};

TEST(NarrowLoads, ExtendOrKeepTheOtherHalf) {
  const std::string before = "  v_mov_b32_e32 v1, 0x11112222\n  v_mov_b32_e32 v3, 0\n";
  std::vector<AssembledKernel> kernels;
  for (const Load& load : loads) {
    kernels.push_back({fmt::format("global_{}", load.global),
                       before + fmt::format("  global_load_{} v1, v3, s[4:5]\n  s_waitcnt vmcnt(0)\n"
                                            "  global_store_dword v126, v1, s[6:7]\n",
                                            load.global)});
    kernels.push_back({fmt::format("lds_{}", load.lds),
                       before + fmt::format("  v_mov_b32_e32 v4, 0x8091f2e3\n  ds_write_b32 v3, v4\n"
                                            "  ds_read_{} v1, v3\n  s_waitcnt lgkmcnt(0)\n"
                                            "  global_store_dword v126, v1, s[6:7]\n",
                                            load.lds),
                       256});
  }
  for (const Target target : all_targets) {
    Bench bench(target, kernels);
    bench.in()[0] = 0x8091f2e3;
    for (const Load& load : loads)
      for (const std::string& kernel :
           {fmt::format("global_{}", load.global), fmt::format("lds_{}", load.lds)}) {
        const LaunchReport report = bench.run(kernel);
        ASSERT_FALSE(report.stop) << kernel << ": " << report.stop->line;
        for (const unsigned lane : {0u, 37u, 63u})
          EXPECT_EQ(bench.out()[lane], load.expected)
              << kernel << " on " << name(target) << " lane " << lane << std::hex << " expected "
              << load.expected << " got " << bench.out()[lane];
      }
  }
}

} // namespace
} // namespace cts::emulator::testing
