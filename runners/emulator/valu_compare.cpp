// Vector comparisons and class tests: one bit a lane to a scalar pair, V_CMPX also to EXEC. [CDNA3 ISA 12.9]
#include "runners/emulator/valu.hpp"
#include "runners/emulator/valu_float.hpp"

#include <deque>
#include <string>

namespace cts::emulator {
namespace {

template <bool WritesExec> void write_comparison(Exec& x, const Op& op, const Lanes<bool>& flags) {
  const LaneMask bits = pack(flags) & x.w.exec();
  write_mask(x, op, 0, bits);
  if constexpr (WritesExec) x.w.set_exec(bits);
}

/// Operands of a comparison: floats with denormals as MODE says, halves widened.
template <typename T> auto comparable(const Exec& x, const Op& op, unsigned i) {
  if constexpr (is_float<T>)
    return float_source<T>(x, op, i, float_mode<T>(x.w));
  else
    return source<T>(x, op, i);
}

template <typename T, auto Relation, bool WritesExec> void compare(Exec& x, const Op& op) {
  const auto a = comparable<T>(x, op, 0);
  const auto b = comparable<T>(x, op, 1);
  Lanes<bool> flags;
  for (unsigned l = 0; l < lanes; ++l) flags[l] = Relation(a[l], b[l]);
  write_comparison<WritesExec>(x, op, flags);
}

/// Bit number of V_CMP_CLASS: signaling NaN, quiet NaN, -inf, -normal, -denormal, -0, +0, +denormal, +normal,
/// +inf.
template <typename T> constexpr unsigned class_of(BitsOf<T> bits) {
  if (is_nan<T>(bits)) return is_signaling<T>(bits) ? 0 : 1;
  const bool negative = (bits & Format<T>::sign) != 0;
  if (is_infinite<T>(bits)) return negative ? 2 : 9;
  if (is_zero<T>(bits)) return negative ? 5 : 6;
  if (is_denormal<T>(bits)) return negative ? 4 : 7;
  return negative ? 3 : 8;
}

template <typename T, bool WritesExec> void test_class(Exec& x, const Op& op) {
  const auto a = std::bit_cast<Lanes<BitsOf<T>>>(source<T>(x, op, 0));
  const auto wanted = source<std::uint32_t>(x, op, 1);
  Lanes<bool> flags;
  for (unsigned l = 0; l < lanes; ++l) flags[l] = (wanted[l] >> class_of<T>(a[l]) & 1) != 0;
  write_comparison<WritesExec>(x, op, flags);
}

void note_exec(Op& op) { op.scalar_writes.push_back({sreg::exec, 2}); }

/// Clamp only asks for exceptions to be signalled, which the emulator has none of. [CDNA3 ISA 6.5]
template <typename T, bool WritesExec> void bind(Op& op, Target) {
  check_modifiers(op, is_float<T> ? take::negate | take::clamp : take::clamp);
  if (WritesExec) note_exec(op);
}

constexpr auto never = [](auto, auto) { return false; };
constexpr auto always = [](auto, auto) { return true; };
constexpr auto less = [](auto a, auto b) { return a < b; };
constexpr auto equal = [](auto a, auto b) { return a == b; };
constexpr auto less_equal = [](auto a, auto b) { return a <= b; };
constexpr auto greater = [](auto a, auto b) { return a > b; };
constexpr auto not_equal = [](auto a, auto b) { return a != b; };
constexpr auto greater_equal = [](auto a, auto b) { return a >= b; };
constexpr auto less_or_greater = [](auto a, auto b) { return a < b || a > b; };
constexpr auto ordered = [](auto a, auto b) { return a == a && b == b; };
template <auto F> constexpr auto negated = [](auto a, auto b) { return !F(a, b); };

/// Rows with made-up names; the names live as long as the process.
class Rows {
public:
  template <typename T, auto Relation> void add(const std::string& relation, const char* type) {
    row("v_cmp_" + relation + "_" + type, compare<T, Relation, false>, bind<T, false>);
    row("v_cmpx_" + relation + "_" + type, compare<T, Relation, true>, bind<T, true>);
  }

  template <typename T> void add_float(const char* type) {
    add<T, never>("f", type);
    add<T, less>("lt", type);
    add<T, equal>("eq", type);
    add<T, less_equal>("le", type);
    add<T, greater>("gt", type);
    add<T, less_or_greater>("lg", type);
    add<T, greater_equal>("ge", type);
    add<T, ordered>("o", type);
    add<T, negated<ordered>>("u", type);
    add<T, negated<greater_equal>>("nge", type);
    add<T, negated<less_or_greater>>("nlg", type);
    add<T, negated<greater>>("ngt", type);
    add<T, negated<less_equal>>("nle", type);
    add<T, negated<equal>>("neq", type);
    add<T, negated<less>>("nlt", type);
    add<T, always>("tru", type);
    row(std::string("v_cmp_class_") + type, test_class<T, false>, bind<T, false>);
    row(std::string("v_cmpx_class_") + type, test_class<T, true>, bind<T, true>);
  }

  template <typename T> void add_integer(const char* type) {
    add<T, never>("f", type);
    add<T, less>("lt", type);
    add<T, equal>("eq", type);
    add<T, less_equal>("le", type);
    add<T, greater>("gt", type);
    add<T, not_equal>("ne", type);
    add<T, greater_equal>("ge", type);
    add<T, always>("t", type);
  }

  std::vector<Semantics> table;

private:
  void row(std::string name, Handler run, void (*binder)(Op&, Target)) {
    static std::deque<std::string> names; // grows only while the table is made; elements never move
    table.push_back({names.emplace_back(std::move(name)), run, Unit::valu, 1, binder});
  }
};

} // namespace

std::vector<Semantics> valu_compare() {
  static const std::vector<Semantics> table = [] {
    Rows rows;
    rows.add_float<Half>("f16");
    rows.add_float<float>("f32");
    rows.add_float<double>("f64");
    rows.add_integer<std::int16_t>("i16");
    rows.add_integer<std::uint16_t>("u16");
    rows.add_integer<std::int32_t>("i32");
    rows.add_integer<std::uint32_t>("u32");
    rows.add_integer<std::int64_t>("i64");
    rows.add_integer<std::uint64_t>("u64");
    return rows.table;
  }();
  return table;
}

} // namespace cts::emulator
