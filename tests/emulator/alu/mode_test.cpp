// Every float instruction class under every round and denormal mode, with and without FP16_OVFL, clamp and
// DX10_CLAMP: inputs flushed, one rounding, results flushed, overflow and clamp, as CDNA3 ISA 3.5, 6.4
// and 6.5 say.
#include "tests/emulator/alu/alu_rows.hpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A format: where its exponent is, and which of MODE's two groups of fields are its own.
struct Format {
  unsigned bits, mantissa;
  unsigned group; ///< 0: f32; 1: f64 and f16
  u64 sign() const { return 1ull << (bits - 1); }
  u64 infinity() const { return sign() - (1ull << mantissa); }
  u64 one() const { return ((1ull << (bits - mantissa - 2)) - 1) << mantissa; }
  bool is_nan(u64 v) const { return (v & ~sign()) > infinity(); }
  unsigned round(u32 mode) const { return mode >> (2 * group) & 3; }
  unsigned denormals(u32 mode) const { return mode >> (4 + 2 * group) & 3; }
};
constexpr Format f16{16, 10, 1}, f32{32, 23, 0}, f64{64, 52, 1};

u64 flushed(const Format& f, u64 v, bool keep) { return !keep && (v & f.infinity()) == 0 ? v & f.sign() : v; }
u64 input(const Format& f, u64 v, u32 mode) { return flushed(f, v, (f.denormals(mode) & 1) != 0); }

/// The host's rounding while it lives.
class HostRounding {
public:
  explicit HostRounding(unsigned round) {
    constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    std::fesetround(modes[round]);
  }
  ~HostRounding() { std::fesetround(FE_TONEAREST); }
};

float single(u64 v) { return std::bit_cast<float>(static_cast<u32>(v)); }
double twice(u64 v) { return std::bit_cast<double>(v); }
double half(u64 v) { return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(v))); }

/// A half from a value that is exact, or has been rounded to a double in the same direction.
u64 to_half(double value, u32 mode) {
  const u64 sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return 0x7e00;
  if (std::isinf(value)) return sign | 0x7c00;
  if (size == 0) return sign;
  const int exponent = std::max(std::ilogb(size), -14);
  const double units = std::ldexp(size, 10 - exponent), below = std::floor(units), rest = units - below;
  const unsigned round = f16.round(mode);
  const bool up = round == 0   ? rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0)
                  : round == 3 ? false
                               : rest > 0 && (round == 1) == (sign == 0);
  const double rounded = std::ldexp(below + (up ? 1 : 0), exponent - 10);
  if (rounded < 65536) return sign | std::bit_cast<std::uint16_t>(static_cast<_Float16>(rounded));
  const bool inward = round == 3 || (round != 0 && (round == 1) == (sign != 0));
  return sign | (inward || (mode & mode::fp16_ovfl) != 0 ? 0x7bff : 0x7c00);
}

/// Denormal results, then clamp.
Out finished(const Format& f, u64 v, u32 mode, bool clamp = false) {
  v = flushed(f, v, (f.denormals(mode) & 2) != 0);
  if (clamp) {
    if (f.is_nan(v)) return {(mode & mode::dx10_clamp) != 0 ? 0 : v};
    v = (v & f.sign()) != 0 ? 0 : std::min(v, f.one());
  }
  return {v};
}

/// Sources of the three formats, by number.
u64 operand(const Format& f, const In& i, unsigned n) {
  if (f.bits == 64) return n == 0 ? i.A : n == 1 ? i.B : i.C;
  const u32 v = n == 0 ? i.a : n == 1 ? i.b : i.c;
  return f.bits == 16 ? v & 0xffff : v;
}

enum class Operation { add, subtract, multiply, fused };

u64 computed(const Format& f, Operation op, u64 a, u64 b, u64 c, u32 mode) {
  a = input(f, a, mode), b = input(f, b, mode), c = input(f, c, mode);
  const auto apply = [op](auto x, auto y, auto z) {
    volatile auto p = x, q = y, r = z;
    switch (op) {
    case Operation::add: return static_cast<decltype(x)>(p + q);
    case Operation::subtract: return static_cast<decltype(x)>(p - q);
    case Operation::multiply: return static_cast<decltype(x)>(p * q);
    case Operation::fused: break;
    }
    return static_cast<decltype(x)>(std::fma(decltype(x){p}, decltype(x){q}, decltype(x){r}));
  };
  const HostRounding rounding(f.round(mode));
  if (f.bits == 32) return std::bit_cast<u32>(apply(single(a), single(b), single(c)));
  if (f.bits == 64) return std::bit_cast<u64>(apply(twice(a), twice(b), twice(c)));
  const double wide = apply(half(a), half(b), half(c)); // exact, or rounded in the same direction
  const HostRounding nearest(0);
  return to_half(wide, mode);
}

Row arithmetic(const char* text, const Format& f, Operation op, bool clamp = false) {
  return {text,
          [=](const In& i) {
            return finished(f, computed(f, op, operand(f, i, 0), operand(f, i, 1), operand(f, i, 2), i.mode),
                            i.mode, clamp);
          },
          f.bits == 64   ? Values::doubles
          : f.bits == 32 ? Values::floats
                         : Values::halves,
          f.bits == 16 ? Equal::half : Equal::single};
}

/// The two halves of a packed instruction.
Row packed(const char* text, Operation op, bool clamp = false) {
  return {text,
          [=](const In& i) {
            u64 both = 0;
            for (const unsigned shift : {0u, 16u}) {
              const auto h = [&](u32 v) { return u64{v >> shift & 0xffff}; };
              both |= finished(f16, computed(f16, op, h(i.a), h(i.b), h(i.c), i.mode), i.mode, clamp).value
                      << shift;
            }
            return Out{both};
          },
          Values::halves, Equal::twin};
}

/// MODEs: all pairs of round and denormal fields, the same in both groups or f32's other than the others',
/// with FP16_OVFL and without, with DX10_CLAMP and without.
std::vector<u32> modes() {
  std::vector<u32> all;
  for (u32 round = 0; round < 4; ++round)
    for (u32 denormals = 0; denormals < 4; ++denormals) {
      const u32 other_round = (round + 1) & 3, other_denormals = denormals ^ 3;
      const u32 fields = round | other_round << 2 | denormals << 4 | other_denormals << 6;
      const u32 ovfl = (round + denormals) % 2 == 0 ? mode::fp16_ovfl : 0;
      const u32 dx10 = denormals % 2 == 0 ? mode::dx10_clamp : 0;
      all.push_back(fields | mode::ieee | ovfl | dx10);
    }
  return all;
}

TEST(EveryMode, Arithmetic) {
  using enum Operation;
  const Row rows[] = {
      arithmetic("v_add_f32_e32 v10, v1, v2", f32, add),
      arithmetic("v_sub_f32_e32 v10, v1, v2", f32, subtract),
      arithmetic("v_mul_f32_e32 v10, v1, v2", f32, multiply),
      arithmetic("v_fma_f32 v10, v1, v2, v3", f32, fused),
      arithmetic("v_mul_f32_e64 v10, v1, v2 clamp", f32, multiply, true),
      arithmetic("v_add_f64 v[10:11], v[4:5], v[6:7]", f64, add),
      arithmetic("v_mul_f64 v[10:11], v[4:5], v[6:7]", f64, multiply),
      arithmetic("v_fma_f64 v[10:11], v[4:5], v[6:7], v[8:9]", f64, fused),
      arithmetic("v_add_f64 v[10:11], v[4:5], v[6:7] clamp", f64, add, true),
      arithmetic("v_add_f16_e32 v10, v1, v2", f16, add),
      arithmetic("v_sub_f16_e32 v10, v1, v2", f16, subtract),
      arithmetic("v_mul_f16_e32 v10, v1, v2", f16, multiply),
      arithmetic("v_mul_f16_e64 v10, v1, v2 clamp", f16, multiply, true),
      packed("v_pk_add_f16 v10, v1, v2", add),
      packed("v_pk_mul_f16 v10, v1, v2", multiply),
      packed("v_pk_fma_f16 v10, v1, v2, v3", fused),
      packed("v_pk_mul_f16 v10, v1, v2 clamp", multiply, true),
  };
  check_rows(rows, modes());
}

/// A fused multiply-add of halves whose addends are 2^53 apart: what is lost of the small one still rounds.
TEST(EveryMode, HalvesFarApart) {
  const Row rows[] = {{"v_pk_fma_f16 v10, v1, v2, v3",
                       [](const In& i) {
                         const u64 round = f16.round(i.mode);
                         const u32 negative = i.lane & 1;
                         // 2^15 + or - 2^-48
                         const u64 away = (negative != 0 ? round == 2 || round == 3 : round == 1);
                         const u64 want = away == 0 ? 0x7800 : negative != 0 ? 0x77ff : 0x7801;
                         return Out{want | want << 16};
                       },
                       Values::halves, Equal::bits}};
  InstructionBench bench(Target::gfx942, {rows[0].text});
  Wave& w = bench.wave();
  for (u32 round = 0; round < 4; ++round) {
    w.mode = 0xf0 | round << 2;
    for (unsigned l = 0; l < lanes; ++l) {
      w.vgpr[1][l] = (l & 1) != 0 ? 0x80018001 : 0x00010001; // 2^-24
      w.vgpr[2][l] = 0x00010001;
      w.vgpr[3][l] = 0x78007800; // 2^15
    }
    bench.run(0);
    for (unsigned l = 0; l < 2; ++l) {
      In in{};
      in.mode = w.mode, in.lane = l;
      EXPECT_EQ(w.vgpr[10][l], rows[0].expected(in).value) << "round mode " << round << " lane " << l;
    }
  }
}

TEST(EveryMode, Conversions) {
  const auto to_f16 = [](const In& i) {
    return finished(f16, to_half(static_cast<double>(single(input(f32, i.a, i.mode))), i.mode), i.mode);
  };
  const auto from_f16 = [](const In& i) {
    return finished(f32, std::bit_cast<u32>(static_cast<float>(half(input(f16, i.a & 0xffff, i.mode)))),
                    i.mode);
  };
  const auto f64_to_f32 = [](const In& i) {
    const HostRounding rounding(f32.round(i.mode));
    volatile double a = twice(input(f64, i.A, i.mode));
    const float r = static_cast<float>(a);
    return finished(f32, std::bit_cast<u32>(r), i.mode);
  };
  const auto f32_to_f64 = [](const In& i) {
    return finished(f64, std::bit_cast<u64>(static_cast<double>(single(input(f32, i.a, i.mode)))), i.mode);
  };
  const auto from_int = [](auto value_of) {
    return [=](const In& i) {
      const HostRounding rounding(f32.round(i.mode));
      volatile auto a = value_of(i);
      return out(static_cast<float>(a));
    };
  };
  const auto toward_zero_pair = [](const In& i) {
    u64 both = 0;
    for (unsigned n = 0; n < 2; ++n) {
      const u32 zero = (i.mode & ~0xcu) | 0xc; // the instruction's own round mode
      const u64 v = to_half(static_cast<double>(single(input(f32, n == 0 ? i.a : i.b, i.mode))), zero);
      both |= finished(f16, v, i.mode).value << (16 * n);
    }
    return Out{both};
  };
  const Row rows[] = {
      {"v_cvt_f16_f32_e32 v10, v1", to_f16, Values::floats, Equal::half},
      {"v_cvt_f32_f16_e32 v10, v1", from_f16, Values::halves, Equal::single},
      {"v_cvt_f32_f64_e32 v10, v[4:5]", f64_to_f32, Values::doubles, Equal::single},
      {"v_cvt_f64_f32_e32 v[10:11], v1", f32_to_f64, Values::floats, Equal::single},
      {"v_cvt_f32_i32_e32 v10, v1", from_int([](const In& i) { return static_cast<std::int32_t>(i.a); })},
      {"v_cvt_f32_u32_e32 v10, v1", from_int([](const In& i) { return i.a; })},
      {"v_cvt_f16_u16_e32 v10, v1",
       [](const In& i) { return finished(f16, to_half(static_cast<double>(i.a & 0xffff), i.mode), i.mode); },
       Values::integers, Equal::half},
      {"v_cvt_pkrtz_f16_f32 v10, v1, v2", toward_zero_pair, Values::floats, Equal::twin},
  };
  check_rows(rows, modes());
}

/// Selections flush what they are given, and nothing rounds.
TEST(EveryMode, Selections) {
  const auto extreme = [](const Format& f, bool largest) {
    return [=](const In& i) {
      const u64 a = input(f, operand(f, i, 0), i.mode), b = input(f, operand(f, i, 1), i.mode);
      const auto value = [&](u64 v) {
        return f.bits == 64 ? twice(v) : f.bits == 32 ? static_cast<double>(single(v)) : half(v);
      };
      const u64 quiet = 1ull << (f.mantissa - 1);
      for (const u64 v : {a, b})
        if (f.is_nan(v) && (v & quiet) == 0) return finished(f, v | quiet, i.mode); // IEEE mode is on
      if (f.is_nan(a)) return finished(f, b, i.mode);
      if (f.is_nan(b)) return finished(f, a, i.mode);
      const auto rank = [&](u64 v) { return std::pair(value(v), (v & f.sign()) == 0); };
      return finished(f, (rank(a) < rank(b)) == largest ? b : a, i.mode);
    };
  };
  const Row rows[] = {
      {"v_min_f32_e32 v10, v1, v2", extreme(f32, false), Values::floats, Equal::single},
      {"v_max_f32_e32 v10, v1, v2", extreme(f32, true), Values::floats, Equal::single},
      {"v_min_f64 v[10:11], v[4:5], v[6:7]", extreme(f64, false), Values::doubles, Equal::single},
      {"v_max_f64 v[10:11], v[4:5], v[6:7]", extreme(f64, true), Values::doubles, Equal::single},
      {"v_min_f16_e32 v10, v1, v2", extreme(f16, false), Values::halves, Equal::half},
      {"v_max_f16_e32 v10, v1, v2", extreme(f16, true), Values::halves, Equal::half},
  };
  check_rows(rows, modes());
}

} // namespace
} // namespace cts::emulator::testing
