// The division sequences that the compiler emits, instruction by instruction on the wave: every quotient must
// be the correctly rounded one, however large, small or special its operands.
#include "tests/emulator/support/instruction_bench.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace cts::emulator::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Numerator v1, denominator v2, quotient v10; as clang -O3 lowers a / b of floats with denormals kept.
const std::vector<std::string> single{"v_div_scale_f32 v3, s[0:1], v2, v2, v1",
                                      "v_rcp_f32_e32 v4, v3",
                                      "v_div_scale_f32 v5, vcc, v1, v2, v1",
                                      "v_fma_f32 v6, -v3, v4, 1.0",
                                      "v_fma_f32 v4, v6, v4, v4",
                                      "v_mul_f32_e32 v7, v5, v4",
                                      "v_fma_f32 v8, -v3, v7, v5",
                                      "v_fma_f32 v7, v8, v4, v7",
                                      "v_fma_f32 v5, -v3, v7, v5",
                                      "v_div_fmas_f32 v5, v5, v4, v7",
                                      "v_div_fixup_f32 v10, v5, v2, v1"};

/// Numerator v[20:21], denominator v[22:23], quotient v[10:11].
const std::vector<std::string> twin{"v_div_scale_f64 v[24:25], s[0:1], v[22:23], v[22:23], v[20:21]",
                                    "v_rcp_f64_e32 v[26:27], v[24:25]",
                                    "v_fma_f64 v[28:29], -v[24:25], v[26:27], 1.0",
                                    "v_fma_f64 v[26:27], v[26:27], v[28:29], v[26:27]",
                                    "v_fma_f64 v[28:29], -v[24:25], v[26:27], 1.0",
                                    "v_fma_f64 v[26:27], v[26:27], v[28:29], v[26:27]",
                                    "v_div_scale_f64 v[30:31], vcc, v[20:21], v[22:23], v[20:21]",
                                    "v_mul_f64 v[32:33], v[30:31], v[26:27]",
                                    "v_fma_f64 v[24:25], -v[24:25], v[32:33], v[30:31]",
                                    "v_div_fmas_f64 v[24:25], v[24:25], v[26:27], v[32:33]",
                                    "v_div_fixup_f64 v[10:11], v[24:25], v[22:23], v[20:21]"};

void run_all(InstructionBench& bench) {
  for (std::size_t i = 0; i < bench.size(); ++i) bench.run(i);
}

template <typename Bits> std::vector<Bits> interesting(std::mt19937_64& random, std::size_t count) {
  constexpr bool wide = sizeof(Bits) == 8;
  constexpr int mantissa = wide ? 52 : 23;
  constexpr Bits top = wide ? 2047 : 255;
  std::vector<Bits> values;
  const Bits one = Bits{wide ? 1023u : 127u} << mantissa;
  for (const Bits v : {Bits{0}, Bits{1}, Bits{3}, (Bits{1} << mantissa) - 1, Bits{1} << mantissa, one,
                       one + 1, (top << mantissa) - 1, top << mantissa, (top << mantissa) + 1,
                       (top - 1) << mantissa, one + (Bits{3} << (mantissa - 1))}) {
    values.push_back(v);
    values.push_back(v | Bits{1} << (sizeof(Bits) * 8 - 1));
  }
  while (values.size() < count) {
    Bits v = static_cast<Bits>(random());
    // A third denormal or nearly, a third near the top.
    const auto pick = random() % 3;
    const Bits low = (Bits{1} << mantissa) - 1;
    if (pick == 0) v = (v & low) | static_cast<Bits>(random() % 30) << mantissa;
    if (pick == 1) v = (v & low) | (top - 1 - static_cast<Bits>(random() % 30)) << mantissa;
    if (random() % 4 == 0) v &= ~low; // powers of two: quotients that are exact denormals
    values.push_back(v);
  }
  return values;
}

TEST(Division, OfFloatsIsCorrectlyRounded) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    std::mt19937_64 random(7);
    const auto n = interesting<u32>(random, 500), d = interesting<u32>(random, 500);
    InstructionBench bench(target, single);
    Wave& w = bench.wave();
    unsigned failures = 0;
    for (std::size_t i = 0; i < n.size() && failures < 10; ++i)
      for (std::size_t at = 0; at < d.size(); at += lanes) {
        for (unsigned l = 0; l < lanes; ++l) w.vgpr[1][l] = n[i], w.vgpr[2][l] = d[(at + l) % d.size()];
        run_all(bench);
        for (unsigned l = 0; l < lanes && failures < 10; ++l) {
          const u32 b = d[(at + l) % d.size()];
          volatile float numerator = std::bit_cast<float>(n[i]), denominator = std::bit_cast<float>(b);
          const float exact = numerator / denominator, got = std::bit_cast<float>(w.vgpr[10][l]);
          if (std::isnan(exact) ? !std::isnan(got) : std::bit_cast<u32>(exact) != w.vgpr[10][l]) {
            ++failures;
            ADD_FAILURE() << fmt::format("{:08x} / {:08x}: expected {:08x}, got {:08x}", n[i], b,
                                         std::bit_cast<u32>(exact), w.vgpr[10][l]);
          }
        }
      }
  }
}

TEST(Division, OfDoublesIsCorrectlyRounded) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    std::mt19937_64 random(8);
    const auto n = interesting<u64>(random, 300), d = interesting<u64>(random, 320);
    InstructionBench bench(target, twin);
    Wave& w = bench.wave();
    unsigned failures = 0;
    for (std::size_t i = 0; i < n.size() && failures < 10; ++i)
      for (std::size_t at = 0; at < d.size(); at += lanes) {
        for (unsigned l = 0; l < lanes; ++l) {
          const u64 b = d[(at + l) % d.size()];
          w.vgpr[20][l] = static_cast<u32>(n[i]), w.vgpr[21][l] = static_cast<u32>(n[i] >> 32);
          w.vgpr[22][l] = static_cast<u32>(b), w.vgpr[23][l] = static_cast<u32>(b >> 32);
        }
        run_all(bench);
        for (unsigned l = 0; l < lanes && failures < 10; ++l) {
          const u64 b = d[(at + l) % d.size()];
          volatile double numerator = std::bit_cast<double>(n[i]), denominator = std::bit_cast<double>(b);
          const double exact = numerator / denominator;
          const u64 bits = w.vgpr[10][l] | static_cast<u64>(w.vgpr[11][l]) << 32;
          if (std::isnan(exact) ? !std::isnan(std::bit_cast<double>(bits))
                                : std::bit_cast<u64>(exact) != bits) {
            ++failures;
            ADD_FAILURE() << fmt::format("{:016x} / {:016x}: expected {:016x}, got {:016x}", n[i], b,
                                         std::bit_cast<u64>(exact), bits);
          }
        }
      }
  }
}

/// Quotient v1, denominator v2, numerator v3: the special cases of the manual, in order.
TEST(Division, FixUpOfHalves) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    struct Case {
      u32 q, d, n, want;
    };
    const Case cases[] = {
        {0x3c00, 0x3c00, 0x7e01, 0x7e01}, {0x3c00, 0x7c01, 0x3c00, 0x7e01}, {0x3c00, 0x0000, 0x8000, 0xfe00},
        {0x3c00, 0x7c00, 0xfc00, 0xfe00}, {0x3c00, 0x8000, 0x3c00, 0xfc00}, {0x3c00, 0x3c00, 0x7c00, 0x7c00},
        {0x3c00, 0xfc00, 0x3c00, 0x8000}, {0x3c00, 0x3c00, 0x8000, 0x8000}, {0xbc00, 0x3c00, 0x3c00, 0x3c00},
        {0x3c00, 0xbc00, 0x3c00, 0xbc00},
    };
    InstructionBench bench(target,
                           {"v_div_fixup_f16 v10, v1, v2, v3", "v_div_fixup_legacy_f16 v10, v1, v2, v3"});
    Wave& w = bench.wave();
    for (const Case& c : cases) {
      w.vgpr[1][3] = c.q, w.vgpr[2][3] = c.d, w.vgpr[3][3] = c.n, w.vgpr[10][3] = 0x12345678;
      bench.run(0);
      EXPECT_EQ(w.vgpr[10][3], 0x12340000 | c.want)
          << fmt::format("q={:04x} d={:04x} n={:04x}", c.q, c.d, c.n);
      bench.run(1);
      EXPECT_EQ(w.vgpr[10][3], c.want) << fmt::format("legacy: q={:04x} d={:04x} n={:04x}", c.q, c.d, c.n);
    }
  }
}

} // namespace
} // namespace cts::emulator::testing
