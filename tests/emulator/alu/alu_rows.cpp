#include "tests/emulator/alu/alu_rows.hpp"

#include "common/error.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace cts::emulator::testing {
namespace {

constexpr std::array<std::uint32_t, 14> integer_corners{
    0,      1,          2,          31,         32,         0x7f,       0xffff,
    0x8000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffff0, 0x00ff00ff};
constexpr std::array<std::uint32_t, 24> float_corners{
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0x4b000001, 0xcb000001,
    0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000, 0x007fffff, 0x00000001, 0x80000001, 0x7f800000,
    0xff800000, 0x7fc00000, 0x7f800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x3effffff, 0x3f7fffff};
constexpr std::array<std::uint16_t, 16> half_corners{0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x4000,
                                                     0x7bff, 0xfbff, 0x0400, 0x03ff, 0x0001, 0x8001,
                                                     0x7c00, 0xfc00, 0x7e00, 0x7c01};

class Draw {
public:
  Draw(std::uint64_t seed, Values values) : random_(seed), values_(values) {}

  std::uint32_t word() {
    const bool corner = random_() % 3 == 0;
    switch (values_) {
    case Values::floats:
      if (corner) return float_corners[random_() % float_corners.size()];
      // Half of the rest near 1, where sums round; the others anywhere.
      if (random_() % 2 == 0)
        return 0x3f800000 + static_cast<std::uint32_t>(random_() % 0x04000000) - 0x02000000;
      return bits32();
    case Values::halves: return halfword() | static_cast<std::uint32_t>(halfword()) << 16;
    default:
      return corner ? integer_corners[random_() % integer_corners.size()]
                    : bits32() >> (random_() % 2 * (random_() % 32));
    }
  }

  std::uint64_t twin() {
    if (values_ == Values::doubles) {
      if (random_() % 3 == 0) return widened(float_corners[random_() % float_corners.size()]);
      if (random_() % 2 == 0) return (0x3ff0000000000000 + (random_() % (64ull << 52))) - (32ull << 52);
      return random_();
    }
    return word() | static_cast<std::uint64_t>(word()) << 32;
  }

  std::uint64_t bits64() { return random_(); }

private:
  std::uint32_t bits32() { return static_cast<std::uint32_t>(random_()); }
  std::uint16_t halfword() {
    if (random_() % 3 == 0) return half_corners[random_() % half_corners.size()];
    return static_cast<std::uint16_t>(random_());
  }
  /// A double with the role that the float has: its largest, its smallest denormal, its infinity ...
  static std::uint64_t widened(std::uint32_t f) {
    const std::uint64_t sign = static_cast<std::uint64_t>(f >> 31) << 63;
    const std::uint32_t exponent = f >> 23 & 255, mantissa = f & 0x7fffff;
    const std::uint64_t wide_mantissa = mantissa == 0x7fffff ? (1ull << 52) - 1
                                        : mantissa == 1      ? 1
                                                             : static_cast<std::uint64_t>(mantissa) << 29;
    const std::uint64_t wide_exponent = exponent == 0     ? 0
                                        : exponent == 255 ? 2047
                                        : exponent == 254 ? 2046
                                        : exponent == 1   ? 1
                                                          : exponent + 896u;
    return sign | wide_exponent << 52 | wide_mantissa;
  }

  std::mt19937_64 random_;
  Values values_;
};

bool is_nan16(std::uint64_t v) { return (v & 0x7fff) > 0x7c00; }
bool is_nan32(std::uint64_t v) { return (v & 0x7fffffff) > 0x7f800000; }
bool is_nan64(std::uint64_t v) { return (v & 0x7fffffffffffffff) > 0x7ff0000000000000; }

bool equal(std::uint64_t got, std::uint64_t want, Equal how, unsigned bits) {
  const std::uint64_t field = bits == 64 ? ~0ull : (1ull << bits) - 1;
  if ((got & field) == (want & field)) return true;
  switch (how) {
  case Equal::bits: return false;
  case Equal::half: return is_nan16(got) && is_nan16(want) && (got & field) >> 16 == (want & field) >> 16;
  case Equal::twin:
    for (const unsigned at : {0u, 16u})
      if ((got >> at & 0xffff) != (want >> at & 0xffff) && !(is_nan16(got >> at) && is_nan16(want >> at)))
        return false;
    return true;
  case Equal::floats:
    for (const unsigned at : {0u, 32u})
      if ((got >> at & 0xffffffff) != (want >> at & 0xffffffff) &&
          !(is_nan32(got >> at) && is_nan32(want >> at)))
        return false;
    return true;
  case Equal::single: return bits == 64 ? is_nan64(got) && is_nan64(want) : is_nan32(got) && is_nan32(want);
  }
  return false;
}

void set_lane(Wave& w, const In& in) {
  const auto put = [&](unsigned r, std::uint64_t v) { w.vgpr[r][in.lane] = static_cast<std::uint32_t>(v); };
  put(1, in.a), put(2, in.b), put(3, in.c);
  put(4, in.A), put(5, in.A >> 32), put(6, in.B), put(7, in.B >> 32), put(8, in.C), put(9, in.C >> 32);
  put(10, in.old), put(11, in.old >> 32);
}

/// One row on one target: several rounds of 64 lanes.
void check_row(InstructionBench& bench, std::size_t index, const Row& row, Target target,
               std::uint32_t mode) {
  Wave& w = bench.wave();
  Draw draw(seed() + std::hash<std::string>{}(row.text), row.values);
  const Op& op = bench.op(index);
  for (unsigned round = 0; round < 40; ++round) {
    std::array<In, lanes> in;
    const std::uint64_t carry = draw.bits64(), exec = round % 3 == 2 ? draw.bits64() : ~0ull;
    const std::uint32_t s = draw.word();
    const std::uint64_t S = draw.twin();
    for (unsigned l = 0; l < lanes; ++l) {
      in[l] = {.a = draw.word(),
               .b = draw.word(),
               .c = draw.word(),
               .s = s,
               .A = draw.twin(),
               .B = draw.twin(),
               .C = draw.twin(),
               .S = S,
               .old = draw.bits64(),
               .carry = (carry >> l & 1) != 0,
               .lane = l,
               .target = target,
               .mode = mode};
      set_lane(w, in[l]);
    }
    w.mode = mode;
    w.set_exec(exec);
    w.set_pair(20, carry), w.set_pair(sreg::vcc, carry), w.set_pair(32, S);
    w.sgpr[30] = s;
    w.set_pair(22, 0xfeedfacefeedface);
    bench.run(index);

    // Where the results are: a vector destination, and a scalar one first or second.
    const Source& first = op.dst[0];
    const Source* scalar = first.kind == Source::Kind::scalar ? &first
                           : op.results > 1                   ? &op.dst[1]
                                                              : nullptr;
    for (unsigned l = 0; l < lanes; ++l) {
      const bool active = (exec >> l & 1) != 0;
      const Out want = row.expected(in[l]);
      if (first.kind == Source::Kind::vector && first.count <= 2) {
        const unsigned bits = first.count * 32u;
        const std::uint64_t got =
            w.vgpr[first.first][l] |
            (first.count > 1 ? static_cast<std::uint64_t>(w.vgpr[first.first + 1u][l]) << 32 : 0);
        const std::uint64_t expected = active ? want.value : in[l].old;
        const bool same =
            active ? equal(got, expected, row.equal, bits) : equal(got, expected, Equal::bits, bits);
        if (!same) {
          ADD_FAILURE()
              << row.text << " on " << name(target)
              << fmt::format(", MODE {:#x}, lane {}{}: ", mode, l, active ? "" : " (inactive)")
              << fmt::format("a={:08x} b={:08x} c={:08x} A={:016x} B={:016x} C={:016x} old={:016x} carry={}",
                             in[l].a, in[l].b, in[l].c, in[l].A, in[l].B, in[l].C, in[l].old, in[l].carry)
              << fmt::format(": expected {:0{}x}, got {:0{}x}", expected, bits / 4, got, bits / 4);
          return;
        }
      }
      if (scalar != nullptr && want.mask) {
        const bool got = (w.pair(scalar->first) >> l & 1) != 0, expected = active && *want.mask;
        if (got != expected) {
          ADD_FAILURE()
              << row.text << " on " << name(target)
              << fmt::format(
                     ", bit {}{}: a={:08x} b={:08x} A={:016x} B={:016x} C={:016x}: expected {}, got {}", l,
                     active ? "" : " (inactive)", in[l].a, in[l].b, in[l].A, in[l].B, in[l].C, expected, got);
          return;
        }
      }
    }
  }
}

} // namespace

std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const char* set = std::getenv("CDNA_CTS_SEED");
    const std::uint64_t s = set == nullptr ? 1 : std::strtoull(set, nullptr, 10);
    std::printf("[ SEED     ] CDNA_CTS_SEED=%llu\n", static_cast<unsigned long long>(s));
    return s;
  }();
  return value;
}

void check_rows(std::span<const Row> rows, std::uint32_t mode) { check_rows(rows, std::span(&mode, 1)); }

void check_rows(std::span<const Row> rows, std::span<const std::uint32_t> modes) {
  for (const Target target : all_targets) {
    std::vector<const Row*> here;
    std::vector<std::string> lines;
    for (const Row& row : rows)
      if (!row.only || *row.only == target) {
        here.push_back(&row);
        lines.push_back(row.text);
      }
    if (here.empty()) continue;
    InstructionBench bench(target, lines);
    for (std::size_t i = 0; i < here.size(); ++i) {
      try {
        for (const std::uint32_t mode : modes) check_row(bench, i, *here[i], target, mode);
      } catch (const Error& e) {
        ADD_FAILURE() << here[i]->text << " on " << name(target) << ": " << e.what();
      }
    }
  }
}

} // namespace cts::emulator::testing
