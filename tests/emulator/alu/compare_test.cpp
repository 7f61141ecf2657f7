// Vector comparisons: every relation of every type, and class tests, against the host's comparisons.
#include "tests/emulator/alu/alu_rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

template <typename T> T first(const In& in) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(in.A);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(in.a);
  else
    return std::bit_cast<T>(static_cast<std::uint16_t>(in.a));
}
template <typename T> T second(const In& in) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(in.B);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(in.b);
  else
    return std::bit_cast<T>(static_cast<std::uint16_t>(in.b));
}

/// One relation of one type, in four encodings.
template <typename T, typename Relation>
void add(std::vector<Row>& rows, const char* relation, const char* type, Values values, Relation holds) {
  const char* sources = sizeof(T) == 8 ? "v[4:5], v[6:7]" : "v1, v2";
  const Expected expected = [holds](const In& in) { return mask(holds(first<T>(in), second<T>(in))); };
  for (const char* x : {"", "x"}) {
    rows.push_back({fmt::format("v_cmp{}_{}_{}_e32 vcc, {}", x, relation, type, sources), expected, values});
    rows.push_back(
        {fmt::format("v_cmp{}_{}_{}_e64 s[22:23], {}", x, relation, type, sources), expected, values});
  }
}

template <typename T> void add_integers(std::vector<Row>& rows, const char* type) {
  const Values v = Values::integers;
  add<T>(rows, "f", type, v, [](T, T) { return false; });
  add<T>(rows, "lt", type, v, [](T a, T b) { return a < b; });
  add<T>(rows, "eq", type, v, [](T a, T b) { return a == b; });
  add<T>(rows, "le", type, v, [](T a, T b) { return a <= b; });
  add<T>(rows, "gt", type, v, [](T a, T b) { return a > b; });
  add<T>(rows, "ne", type, v, [](T a, T b) { return a != b; });
  add<T>(rows, "ge", type, v, [](T a, T b) { return a >= b; });
  add<T>(rows, "t", type, v, [](T, T) { return true; });
}

template <typename T> void add_floats(std::vector<Row>& rows, const char* type, Values v) {
  const auto unordered = [](T a, T b) { return a != a || b != b; };
  add<T>(rows, "f", type, v, [](T, T) { return false; });
  add<T>(rows, "lt", type, v, [](T a, T b) { return a < b; });
  add<T>(rows, "eq", type, v, [](T a, T b) { return a == b; });
  add<T>(rows, "le", type, v, [](T a, T b) { return a <= b; });
  add<T>(rows, "gt", type, v, [](T a, T b) { return a > b; });
  add<T>(rows, "lg", type, v, [=](T a, T b) { return !unordered(a, b) && a != b; });
  add<T>(rows, "ge", type, v, [](T a, T b) { return a >= b; });
  add<T>(rows, "o", type, v, [=](T a, T b) { return !unordered(a, b); });
  add<T>(rows, "u", type, v, unordered);
  add<T>(rows, "nge", type, v, [=](T a, T b) { return unordered(a, b) || a < b; });
  add<T>(rows, "nlg", type, v, [=](T a, T b) { return unordered(a, b) || a == b; });
  add<T>(rows, "ngt", type, v, [=](T a, T b) { return unordered(a, b) || a <= b; });
  add<T>(rows, "nle", type, v, [=](T a, T b) { return unordered(a, b) || a > b; });
  add<T>(rows, "neq", type, v, [=](T a, T b) { return unordered(a, b) || a != b; });
  add<T>(rows, "nlt", type, v, [=](T a, T b) { return unordered(a, b) || a >= b; });
  add<T>(rows, "tru", type, v, [](T, T) { return true; });
}

TEST(VectorCompare, EveryRelationOfIntegers) {
  std::vector<Row> rows;
  add_integers<std::int16_t>(rows, "i16");
  add_integers<std::uint16_t>(rows, "u16");
  add_integers<std::int32_t>(rows, "i32");
  add_integers<std::uint32_t>(rows, "u32");
  add_integers<std::int64_t>(rows, "i64");
  add_integers<std::uint64_t>(rows, "u64");
  check_rows(rows);
}

TEST(VectorCompare, EveryRelationOfFloats) {
  std::vector<Row> rows;
  add_floats<_Float16>(rows, "f16", Values::halves);
  add_floats<float>(rows, "f32", Values::floats);
  add_floats<double>(rows, "f64", Values::doubles);
  check_rows(rows);
}

TEST(VectorCompare, SourceModifiersAndConstants) {
  const Row rows[] = {
      {"v_cmp_lt_f32_e64 s[22:23], -v1, |v2|", [](const In& i) { return mask(-i.fa() < std::fabs(i.fb())); },
       Values::floats},
      {"v_cmp_gt_f32_e32 vcc, 1.0, v2", [](const In& i) { return mask(1.0f > i.fb()); }, Values::floats},
      {"v_cmp_lt_i32_e32 vcc, -1, v2", [](const In& i) { return mask(-1 < static_cast<int>(i.b)); }},
      {"v_cmp_eq_u64_e64 s[22:23], 0, v[6:7]", [](const In& i) { return mask(i.B == 0); }},
      {"v_cmp_gt_i64_e64 s[22:23], -1, v[6:7]",
       [](const In& i) { return mask(-1 > static_cast<std::int64_t>(i.B)); }},
      {"v_cmp_lt_f64_e32 vcc, 0.5, v[6:7]", [](const In& i) { return mask(0.5 < i.dB()); }, Values::doubles},
      {"v_cmp_lt_f16_e32 vcc, 0.5, v2", [](const In& i) { return mask(0.5f < static_cast<float>(i.hb())); },
       Values::halves},
  };
  check_rows(rows);
}

/// Class of a value by the host's classification.
template <typename T> unsigned class_of(T v, std::uint64_t bits, std::uint64_t quiet) {
  const bool negative = std::signbit(v);
  switch (std::fpclassify(v)) {
  case FP_NAN: return (bits & quiet) != 0 ? 1 : 0;
  case FP_INFINITE: return negative ? 2 : 9;
  case FP_ZERO: return negative ? 5 : 6;
  case FP_SUBNORMAL: return negative ? 4 : 7;
  default: return negative ? 3 : 8;
  }
}

TEST(VectorCompare, Classes) {
  const auto half_class = [](const In& i) {
    const unsigned exponent = i.a >> 10 & 31, rest = i.a & 0x3ff;
    const bool negative = (i.a & 0x8000) != 0;
    const unsigned c = exponent == 31  ? (rest == 0             ? (negative ? 2 : 9)
                                          : (rest & 0x200) != 0 ? 1
                                                                : 0)
                       : exponent == 0 ? (rest == 0 ? (negative ? 5 : 6) : (negative ? 4 : 7))
                                       : (negative ? 3 : 8);
    return mask((i.b >> c & 1) != 0);
  };
  std::vector<Row> rows;
  for (const char* x : {"", "x"}) {
    rows.push_back({fmt::format("v_cmp{}_class_f32_e32 vcc, v1, v2", x),
                    [](const In& i) { return mask((i.b >> class_of(i.fa(), i.a, 1u << 22) & 1) != 0); },
                    Values::floats});
    rows.push_back({fmt::format("v_cmp{}_class_f64_e32 vcc, v[4:5], v2", x),
                    [](const In& i) { return mask((i.b >> class_of(i.dA(), i.A, 1ull << 51) & 1) != 0); },
                    Values::doubles});
    rows.push_back({fmt::format("v_cmp{}_class_f16_e32 vcc, v1, v2", x), half_class, Values::halves});
  }
  check_rows(rows);
}

TEST(VectorCompare, CmpxWritesExecToo) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"v_cmpx_gt_u32_e64 s[22:23], 10, v1"});
    Wave& w = bench.wave();
    for (unsigned l = 0; l < lanes; ++l) w.vgpr[1][l] = l;
    w.set_exec(0xff0f);
    bench.run(0);
    EXPECT_EQ(w.exec(), 0x030fu);
    EXPECT_EQ(w.pair(22), 0x030fu);
  }
}

TEST(VectorCompare, InputDenormalsAreFlushedByMode) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"v_cmp_gt_f32_e64 s[22:23], v1, 0"});
    Wave& w = bench.wave();
    w.vgpr[1][0] = 1;
    bench.run(0);
    EXPECT_EQ(w.pair(22), 1u);
    w.mode = hip_mode & ~mode::denorm_f32;
    bench.run(0);
    EXPECT_EQ(w.pair(22), 0u);
  }
}

} // namespace
} // namespace cts::emulator::testing
