// Scalar arithmetic, moves and selections. [CDNA3 ISA 12.1 to 12.3]
#include "runners/emulator/salu.hpp"

#include <fmt/format.h>

namespace cts::emulator {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

constexpr bool carries(u64 sum) { return sum >> 32 != 0; }

/// A signed result that wraps; SCC is the overflow.
constexpr WithScc<u32> wrapped(i64 exact) {
  return {static_cast<u32>(exact), exact != static_cast<i32>(exact)};
}

template <unsigned Shift> constexpr WithScc<u32> shifted_sum(u32 a, u32 b) {
  const u64 sum = (u64{a} << Shift) + b;
  return {static_cast<u32>(sum), carries(sum)};
}

/// S_CMOV: the destination keeps its value while SCC is 0.
template <typename T> void conditional_move(Exec& x, const Op& op) {
  if (x.w.scc != 0) set_scalar(x, op, scalar_source<T>(x, op, 0));
}

void move_immediate(Exec& x, const Op& op) { set_scalar(x, op, signed_immediate(op)); }

void conditional_move_immediate(Exec& x, const Op& op) {
  if (x.w.scc != 0) set_scalar(x, op, signed_immediate(op));
}

void add_immediate(Exec& x, const Op& op) {
  const auto r = wrapped(i64{scalar_result<i32>(x, op)} + signed_immediate(op));
  set_scalar(x, op, r.value);
  x.w.scc = r.scc;
}

void multiply_immediate(Exec& x, const Op& op) {
  set_scalar(x, op, static_cast<u32>(i64{scalar_result<i32>(x, op)} * signed_immediate(op)));
}

/// SGPR that M0 moves `s` to. Stops the launch when it is none.
unsigned indexed_sgpr(const Exec& x, const Op& op, const Source& s, unsigned count) {
  const u64 index = u64{s.first} + x.w.sgpr[sreg::m0];
  if (index + count > sreg::flat_scratch)
    stop(x, op, Stop::Kind::bad_code, -1, fmt::format("M0 moves the SGPR index to {}", index));
  return static_cast<unsigned>(index);
}

void move_from_indexed32(Exec& x, const Op& op) {
  set_scalar(x, op, x.w.sgpr[indexed_sgpr(x, op, op.src[0], 1)]);
}
void move_from_indexed64(Exec& x, const Op& op) {
  set_scalar(x, op, x.w.pair(indexed_sgpr(x, op, op.src[0], 2)));
}
void move_to_indexed32(Exec& x, const Op& op) {
  x.w.sgpr[indexed_sgpr(x, op, op.dst[0], 1)] = scalar32(x, op.src[0]);
}
void move_to_indexed64(Exec& x, const Op& op) {
  x.w.set_pair(indexed_sgpr(x, op, op.dst[0], 2), scalar64(x, op.src[0]));
}

} // namespace

std::vector<Semantics> salu_arithmetic() {
  std::vector<Semantics> table{
      {"s_add_u32", scalar_with_scc<([](bool, u32 a, u32 b) { return shifted_sum<0>(a, b); })>},
      {"s_sub_u32", scalar_with_scc<([](bool, u32 a, u32 b) {
         return WithScc<u32>{a - b, b > a};
       })>},
      {"s_add_i32", scalar_with_scc<([](bool, i32 a, i32 b) { return wrapped(i64{a} + b); })>},
      {"s_sub_i32", scalar_with_scc<([](bool, i32 a, i32 b) { return wrapped(i64{a} - b); })>},
      {"s_addc_u32", scalar_with_scc<([](bool c, u32 a, u32 b) {
         const u64 sum = u64{a} + b + c;
         return WithScc<u32>{static_cast<u32>(sum), carries(sum)};
       })>},
      {"s_subb_u32", scalar_with_scc<([](bool c, u32 a, u32 b) {
         return WithScc<u32>{a - b - c, u64{b} + c > a};
       })>},
      {"s_min_i32", scalar_with_scc<([](bool, i32 a, i32 b) {
         return WithScc<i32>{a < b ? a : b, a < b};
       })>},
      {"s_min_u32", scalar_with_scc<([](bool, u32 a, u32 b) {
         return WithScc<u32>{a < b ? a : b, a < b};
       })>},
      {"s_max_i32", scalar_with_scc<([](bool, i32 a, i32 b) {
         return WithScc<i32>{a >= b ? a : b, a >= b};
       })>},
      {"s_max_u32", scalar_with_scc<([](bool, u32 a, u32 b) {
         return WithScc<u32>{a >= b ? a : b, a >= b};
       })>},
      {"s_mul_i32", scalar<([](u32 a, u32 b) { return a * b; })>},
      {"s_mul_hi_u32", scalar<([](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); })>},
      {"s_mul_hi_i32", scalar<([](i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); })>},
      {"s_lshl1_add_u32", scalar_with_scc<([](bool, u32 a, u32 b) { return shifted_sum<1>(a, b); })>},
      {"s_lshl2_add_u32", scalar_with_scc<([](bool, u32 a, u32 b) { return shifted_sum<2>(a, b); })>},
      {"s_lshl3_add_u32", scalar_with_scc<([](bool, u32 a, u32 b) { return shifted_sum<3>(a, b); })>},
      {"s_lshl4_add_u32", scalar_with_scc<([](bool, u32 a, u32 b) { return shifted_sum<4>(a, b); })>},
      {"s_abs_i32", scalar<([](u32 a) { return a >> 31 != 0 ? 0 - a : a; }), Scc::nonzero>},
      {"s_absdiff_i32", scalar<([](u32 a, u32 b) {
                                 const u32 d = a - b; // wraps before its sign is taken
                                 return d >> 31 != 0 ? 0 - d : d;
                               }),
                               Scc::nonzero>},
      {"s_mov_b32", scalar<([](u32 a) { return a; })>},
      {"s_mov_b64", scalar<([](u64 a) { return a; })>},
      {"s_cselect_b32", scalar_with_scc<([](bool c, u32 a, u32 b) {
         return WithScc<u32>{c ? a : b, c};
       })>},
      {"s_cselect_b64", scalar_with_scc<([](bool c, u64 a, u64 b) {
         return WithScc<u64>{c ? a : b, c};
       })>},
      {"s_movk_i32", move_immediate},
      {"s_movrels_b32", move_from_indexed32},
      {"s_movrels_b64", move_from_indexed64},
      {"s_movreld_b32", move_to_indexed32},
      {"s_movreld_b64", move_to_indexed64},
      {"s_cmov_b32", conditional_move<u32>, Unit::salu, 1, nullptr, true},
      {"s_cmov_b64", conditional_move<u64>, Unit::salu, 1, nullptr, true},
      {"s_cmovk_i32", conditional_move_immediate, Unit::salu, 1, nullptr, true},
      {"s_addk_i32", add_immediate, Unit::salu, 1, nullptr, true},
      {"s_mulk_i32", multiply_immediate, Unit::salu, 1, nullptr, true},
  };
  for (Semantics& s : table) s.unit = Unit::salu;
  return table;
}

} // namespace cts::emulator
