#include "tests/emulator/memory/atomic_rows.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace cts::emulator::testing {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class U> void add_integers(std::vector<AtomicKind>& all, bool comparand_second) {
  using S = std::make_signed_t<U>;
  const std::string end = sizeof(U) == 8 ? "_x2" : "";
  const auto add = [&](const char* name, U (*f)(U, U, U)) {
    all.push_back({name + end, sizeof(U), [f](u64 m, u64 d, u64 e) -> u64 {
                     return f(static_cast<U>(m), static_cast<U>(d), static_cast<U>(e));
                   }});
  };
  add("swap", [](U, U d, U) { return d; });
  if (comparand_second)
    add("cmpswap", [](U m, U d, U c) { return m == c ? d : m; });
  else
    add("cmpswap", [](U m, U c, U d) { return m == c ? d : m; });
  add("add", [](U m, U d, U) { return static_cast<U>(m + d); });
  add("sub", [](U m, U d, U) { return static_cast<U>(m - d); });
  add("rsub", [](U m, U d, U) { return static_cast<U>(d - m); });
  add("smin", [](U m, U d, U) { return static_cast<S>(d) < static_cast<S>(m) ? d : m; });
  add("umin", [](U m, U d, U) { return d < m ? d : m; });
  add("smax", [](U m, U d, U) { return static_cast<S>(d) > static_cast<S>(m) ? d : m; });
  add("umax", [](U m, U d, U) { return d > m ? d : m; });
  add("and", [](U m, U d, U) { return static_cast<U>(m & d); });
  add("or", [](U m, U d, U) { return static_cast<U>(m | d); });
  add("xor", [](U m, U d, U) { return static_cast<U>(m ^ d); });
  add("inc", [](U m, U d, U) { return m >= d ? U{0} : static_cast<U>(m + 1); });
  add("dec", [](U m, U d, U) { return m == 0 || m > d ? d : static_cast<U>(m - 1); });
  add("mskor", [](U m, U d, U e) { return static_cast<U>((m & ~d) | e); });
}

/// Where a format keeps its parts.
struct Format {
  u64 exponent, sign;
  u64 quiet() const { return (exponent & ~(exponent << 1)) >> 1; }
  bool is_nan(u64 v) const { return (v & ~sign) > exponent; }
  bool is_signaling(u64 v) const { return is_nan(v) && (v & quiet()) == 0; }
  u64 flushed(u64 v, bool keep) const { return !keep && (v & exponent) == 0 ? v & sign : v; }
};
constexpr Format f16{0x7c00, 0x8000}, bf16{0x7f80, 0x8000}, f32{0x7f800000, 0x80000000},
    f64{0x7ffull << 52, 1ull << 63};

double number(const Format& f, u64 bits) {
  if (f.exponent == f64.exponent) return std::bit_cast<double>(bits);
  if (f.exponent == f32.exponent) return std::bit_cast<float>(static_cast<u32>(bits));
  if (f.exponent == bf16.exponent) return std::bit_cast<float>(static_cast<u32>(bits << 16));
  return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
}

/// The value nearest to `exact` (a sum of two of the format's numbers, exact for all but F64), ties to even.
u64 nearest(const Format& f, double exact) {
  if (f.exponent == f64.exponent) return std::bit_cast<u64>(exact);
  if (f.exponent == f32.exponent) return std::bit_cast<u32>(static_cast<float>(exact));
  if (f.exponent == f16.exponent) return std::bit_cast<std::uint16_t>(static_cast<_Float16>(exact));
  const int mantissa = 7, smallest = -126;
  if (exact == 0 || std::isinf(exact)) return std::bit_cast<u32>(static_cast<float>(exact)) >> 16;
  const int exponent = std::max(std::ilogb(exact), smallest);
  const double rounded =
      std::ldexp(std::nearbyint(std::ldexp(exact, mantissa - exponent)), exponent - mantissa);
  return std::bit_cast<u32>(static_cast<float>(rounded)) >> 16; // beyond the range it is infinite
}

/// [CDNA3 ISA 9.2.3, Float Add rules]
u64 sum(const Format& f, u64 memory, u64 data, bool denormals) {
  memory = f.flushed(memory, denormals), data = f.flushed(data, denormals);
  if (f.is_nan(memory)) return memory | f.quiet();
  if (f.is_nan(data)) return data | f.quiet();
  const double m = number(f, memory), d = number(f, data);
  if (std::isinf(m) && std::isinf(d) && m != d) return f.sign | f.exponent | f.quiet();
  return f.flushed(nearest(f, m + d), denormals);
}

/// [CDNA3 ISA 9.2.3, FP Max and FP Min Selection Rules]
u64 selected(const Format& f, bool smaller, u64 memory, u64 data, bool denormals) {
  for (const u64 v : {memory, data})
    if (f.is_signaling(v)) return v | f.quiet();
  if (f.is_nan(memory)) return data;
  if (f.is_nan(data)) return memory;
  const auto rank = [&](u64 v) { // -0 below +0
    const u64 flushed = f.flushed(v, denormals);
    return std::pair(number(f, flushed), (flushed & f.sign) == 0);
  };
  const bool data_wins = smaller ? rank(data) < rank(memory) : rank(data) > rank(memory);
  return data_wins ? data : memory;
}

AtomicKind packed(const char* name, const Format& f, bool denormals) {
  return {name, 4,
          [f, denormals](u64 m, u64 d, u64) {
            return sum(f, m & 0xffff, d & 0xffff, denormals) |
                   sum(f, m >> 16 & 0xffff, d >> 16 & 0xffff, denormals) << 16;
          },
          true};
}

} // namespace

std::vector<AtomicKind> integer_atomics(bool comparand_second) {
  std::vector<AtomicKind> all;
  add_integers<u32>(all, comparand_second);
  add_integers<u64>(all, comparand_second);
  return all;
}

std::vector<AtomicKind> float_atomics(bool denormals) {
  std::vector<AtomicKind> all;
  all.push_back({"add_f32", 4, [=](u64 m, u64 d, u64) { return sum(f32, m, d, denormals); }, true});
  all.push_back({"add_f64", 8, [](u64 m, u64 d, u64) { return sum(f64, m, d, true); }, true});
  for (const bool smaller : {true, false}) {
    const std::string name = smaller ? "min_" : "max_";
    all.push_back(
        {name + "f32", 4, [=](u64 m, u64 d, u64) { return selected(f32, smaller, m, d, denormals); }, true});
    all.push_back(
        {name + "f64", 8, [=](u64 m, u64 d, u64) { return selected(f64, smaller, m, d, denormals); }, true});
  }
  const auto compare = [denormals](const Format& f, u64 m, u64 c, u64 d) {
    const double a = number(f, f.flushed(m, denormals)), b = number(f, f.flushed(c, denormals));
    return a == b ? f.flushed(d, denormals) : m;
  };
  all.push_back({"cmpst_f32", 4, [=](u64 m, u64 c, u64 d) { return compare(f32, m, c, d); }, true});
  all.push_back({"cmpst_f64", 8, [=](u64 m, u64 c, u64 d) { return compare(f64, m, c, d); }, true});
  all.push_back(packed("pk_add_f16", f16, denormals));
  all.push_back(packed("pk_add_bf16", bf16, denormals));
  return all;
}

const std::vector<u32>& float_values() {
  static const std::vector<u32> values{0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f800001, 0x33800000,
                                       0x4b800000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800001, 0x007fffff,
                                       0x00000001, 0x80000001, 0x7f800000, 0xff800000, 0x7fc01234, 0xffc00001,
                                       0x7f801234, 0xff800001, 0x40490fdb};
  return values;
}
const std::vector<u64>& double_values() {
  static const std::vector<u64> values{0,
                                       1ull << 63,
                                       0x3ff0000000000000,
                                       0xbff0000000000000,
                                       0x3ff0000000000001,
                                       0x3ca0000000000000,
                                       0x7fefffffffffffff,
                                       0xffefffffffffffff,
                                       0x0010000000000000,
                                       0x000fffffffffffff,
                                       1,
                                       0x8000000000000001,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000001234,
                                       0x7ff0000000001234,
                                       0xfff0000000000001,
                                       0x400921fb54442d18};
  return values;
}
const std::vector<std::uint16_t>& half_values() {
  static const std::vector<std::uint16_t> values{0,      0x8000, 0x3c00, 0xbc00, 0x3c01, 0x1000, 0x1001,
                                                 0x7bff, 0xfbff, 0x0400, 0x03ff, 0x0001, 0x8001, 0x7c00,
                                                 0xfc00, 0x7e01, 0x7c01, 0xfc02, 0x4248};
  return values;
}
const std::vector<std::uint16_t>& bf16_values() {
  static const std::vector<std::uint16_t> values{0,      0x8000, 0x3f80, 0xbf80, 0x3f81, 0x3b80, 0x3b81,
                                                 0x7f7f, 0xff7f, 0x0080, 0x007f, 0x0001, 0x8001, 0x7f80,
                                                 0xff80, 0x7fc1, 0x7f81, 0xff82, 0x4049};
  return values;
}

} // namespace cts::emulator::testing
