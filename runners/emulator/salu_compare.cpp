// Scalar comparisons: SCC is their only result. [CDNA3 ISA 12.2, 12.4]
#include "runners/emulator/salu.hpp"

#include <functional>

namespace cts::emulator {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <typename T, typename Relation> void compare(Exec& x, const Op& op) {
  x.w.scc = Relation{}(scalar_source<T>(x, op, 0), scalar_source<T>(x, op, 1));
}

/// S_CMPK: against the immediate, extended by the sign of the type.
template <typename T, typename Relation> void compare_immediate(Exec& x, const Op& op) {
  const T immediate =
      std::is_signed_v<T> ? static_cast<T>(signed_immediate(op)) : static_cast<T>(unsigned_immediate(op));
  x.w.scc = Relation{}(scalar_source<T>(x, op, 0), immediate);
}

} // namespace

std::vector<Semantics> salu_compare() {
  using std::equal_to, std::not_equal_to, std::greater, std::greater_equal, std::less, std::less_equal;
  std::vector<Semantics> table{
      {"s_cmp_eq_i32", compare<i32, equal_to<>>},
      {"s_cmp_lg_i32", compare<i32, not_equal_to<>>},
      {"s_cmp_gt_i32", compare<i32, greater<>>},
      {"s_cmp_ge_i32", compare<i32, greater_equal<>>},
      {"s_cmp_lt_i32", compare<i32, less<>>},
      {"s_cmp_le_i32", compare<i32, less_equal<>>},
      {"s_cmp_eq_u32", compare<u32, equal_to<>>},
      {"s_cmp_lg_u32", compare<u32, not_equal_to<>>},
      {"s_cmp_gt_u32", compare<u32, greater<>>},
      {"s_cmp_ge_u32", compare<u32, greater_equal<>>},
      {"s_cmp_lt_u32", compare<u32, less<>>},
      {"s_cmp_le_u32", compare<u32, less_equal<>>},
      {"s_cmp_eq_u64", compare<u64, equal_to<>>},
      {"s_cmp_lg_u64", compare<u64, not_equal_to<>>},
      {"s_cmpk_eq_i32", compare_immediate<i32, equal_to<>>},
      {"s_cmpk_lg_i32", compare_immediate<i32, not_equal_to<>>},
      {"s_cmpk_gt_i32", compare_immediate<i32, greater<>>},
      {"s_cmpk_ge_i32", compare_immediate<i32, greater_equal<>>},
      {"s_cmpk_lt_i32", compare_immediate<i32, less<>>},
      {"s_cmpk_le_i32", compare_immediate<i32, less_equal<>>},
      {"s_cmpk_eq_u32", compare_immediate<u32, equal_to<>>},
      {"s_cmpk_lg_u32", compare_immediate<u32, not_equal_to<>>},
      {"s_cmpk_gt_u32", compare_immediate<u32, greater<>>},
      {"s_cmpk_ge_u32", compare_immediate<u32, greater_equal<>>},
      {"s_cmpk_lt_u32", compare_immediate<u32, less<>>},
      {"s_cmpk_le_u32", compare_immediate<u32, less_equal<>>},
      {"s_bitcmp0_b32", scalar_compare<([](u32 a, u32 b) { return (a >> (b & 31) & 1) == 0; })>},
      {"s_bitcmp1_b32", scalar_compare<([](u32 a, u32 b) { return (a >> (b & 31) & 1) == 1; })>},
      {"s_bitcmp0_b64", scalar_compare<([](u64 a, u32 b) { return (a >> (b & 63) & 1) == 0; })>},
      {"s_bitcmp1_b64", scalar_compare<([](u64 a, u32 b) { return (a >> (b & 63) & 1) == 1; })>},
  };
  for (Semantics& s : table) {
    s.unit = Unit::salu;
    s.results = 0;
  }
  return table;
}

} // namespace cts::emulator
