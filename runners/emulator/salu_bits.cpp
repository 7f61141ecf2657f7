// Scalar logic, shifts, fields and counts. [CDNA3 ISA 12.1, 12.3]
#include "runners/emulator/salu.hpp"

#include <bit>

namespace cts::emulator {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

template <typename T> inline constexpr unsigned width = sizeof(T) * 8;

/// `size` ones. A size that reaches the width gives all of them.
template <typename T> constexpr T ones(unsigned size) {
  return size >= width<T> ? ~T{0} : static_cast<T>((T{1} << size) - 1);
}

/// S_BFE: field offset in b's low bits, size in b[22:16].
template <typename T> constexpr T field(T a, u32 b) {
  return static_cast<T>((a >> (b % width<T>)) & ones<T>(b >> 16 & 127));
}

/// The same, its top bit extended; a size of 0 gives 0.
template <typename T> constexpr T signed_field(T a, u32 b) {
  using S = std::make_signed_t<T>;
  const unsigned size = b >> 16 & 127;
  const T moved = static_cast<T>(static_cast<S>(a) >> (b % width<T>));
  if (size == 0) return 0;
  if (size >= width<T>) return moved;
  const unsigned spare = width<T> - size;
  return static_cast<T>(static_cast<S>(static_cast<T>(moved << spare)) >> spare);
}

/// Index of the first 1 from bit 0, -1 when there is none.
template <typename T> constexpr i32 first_one(T a) { return a == 0 ? -1 : std::countr_zero(a); }
/// Zeros above the first 1 from the top, -1 when there is none.
template <typename T> constexpr i32 leading_zeros(T a) { return a == 0 ? -1 : std::countl_zero(a); }
/// Bits that equal the sign bit, counted from the top; -1 when all do.
template <typename T> constexpr i32 leading_signs(T a) {
  const T differs = (a >> (width<T> - 1)) != 0 ? static_cast<T>(~a) : a;
  return leading_zeros(differs);
}

template <typename T> constexpr T reversed(T a) {
  T r = 0;
  for (unsigned i = 0; i < width<T>; ++i) r = static_cast<T>(r << 1 | (a >> i & 1));
  return r;
}

/// One bit for each group of four that is not all zero.
template <typename T> constexpr T quad_mask(T a) {
  T r = 0;
  for (unsigned i = 0; i < width<T> / 4; ++i)
    if ((a >> (4 * i) & 15) != 0) r |= T{1} << i;
  return r;
}

/// Groups of four become all ones unless they are all zero.
template <typename T> constexpr T whole_quads(T a) {
  T r = 0;
  for (unsigned i = 0; i < width<T>; i += 4)
    if ((a >> i & 15) != 0) r |= T{15} << i;
  return r;
}

constexpr u64 replicated(u32 a) {
  u64 r = 0;
  for (unsigned i = 0; i < 32; ++i)
    if ((a >> i & 1) != 0) r |= 3ull << (2 * i);
  return r;
}

template <typename T, bool Value> void set_bit(Exec& x, const Op& op) {
  const T bit = static_cast<T>(T{1} << (scalar32(x, op.src[0]) % width<T>));
  const T old = scalar_result<T>(x, op);
  set_scalar(x, op, static_cast<T>(Value ? old | bit : old & ~bit));
}

constexpr u32 low(u32 a) { return a & 0xffff; }
constexpr u32 high(u32 a) { return a >> 16; }

} // namespace

std::vector<Semantics> salu_bits() {
  constexpr Scc nz = Scc::nonzero;
  std::vector<Semantics> table{
      {"s_and_b32", scalar<([](u32 a, u32 b) { return a & b; }), nz>},
      {"s_and_b64", scalar<([](u64 a, u64 b) { return a & b; }), nz>},
      {"s_or_b32", scalar<([](u32 a, u32 b) { return a | b; }), nz>},
      {"s_or_b64", scalar<([](u64 a, u64 b) { return a | b; }), nz>},
      {"s_xor_b32", scalar<([](u32 a, u32 b) { return a ^ b; }), nz>},
      {"s_xor_b64", scalar<([](u64 a, u64 b) { return a ^ b; }), nz>},
      {"s_andn2_b32", scalar<([](u32 a, u32 b) { return a & ~b; }), nz>},
      {"s_andn2_b64", scalar<([](u64 a, u64 b) { return a & ~b; }), nz>},
      {"s_orn2_b32", scalar<([](u32 a, u32 b) { return a | ~b; }), nz>},
      {"s_orn2_b64", scalar<([](u64 a, u64 b) { return a | ~b; }), nz>},
      {"s_nand_b32", scalar<([](u32 a, u32 b) { return ~(a & b); }), nz>},
      {"s_nand_b64", scalar<([](u64 a, u64 b) { return ~(a & b); }), nz>},
      {"s_nor_b32", scalar<([](u32 a, u32 b) { return ~(a | b); }), nz>},
      {"s_nor_b64", scalar<([](u64 a, u64 b) { return ~(a | b); }), nz>},
      {"s_xnor_b32", scalar<([](u32 a, u32 b) { return ~(a ^ b); }), nz>},
      {"s_xnor_b64", scalar<([](u64 a, u64 b) { return ~(a ^ b); }), nz>},
      {"s_not_b32", scalar<([](u32 a) { return ~a; }), nz>},
      {"s_not_b64", scalar<([](u64 a) { return ~a; }), nz>},
      {"s_lshl_b32", scalar<([](u32 a, u32 b) { return a << (b & 31); }), nz>},
      {"s_lshl_b64", scalar<([](u64 a, u32 b) { return a << (b & 63); }), nz>},
      {"s_lshr_b32", scalar<([](u32 a, u32 b) { return a >> (b & 31); }), nz>},
      {"s_lshr_b64", scalar<([](u64 a, u32 b) { return a >> (b & 63); }), nz>},
      {"s_ashr_i32", scalar<([](i32 a, u32 b) { return a >> (b & 31); }), nz>},
      {"s_ashr_i64", scalar<([](i64 a, u32 b) { return a >> (b & 63); }), nz>},
      {"s_bfm_b32", scalar<([](u32 a, u32 b) { return ones<u32>(a & 31) << (b & 31); })>},
      {"s_bfm_b64", scalar<([](u32 a, u32 b) { return ones<u64>(a & 63) << (b & 63); })>},
      {"s_bfe_u32", scalar<([](u32 a, u32 b) { return field(a, b); }), nz>},
      {"s_bfe_u64", scalar<([](u64 a, u32 b) { return field(a, b); }), nz>},
      {"s_bfe_i32", scalar<([](u32 a, u32 b) { return signed_field(a, b); }), nz>},
      {"s_bfe_i64", scalar<([](u64 a, u32 b) { return signed_field(a, b); }), nz>},
      {"s_pack_ll_b32_b16", scalar<([](u32 a, u32 b) { return low(b) << 16 | low(a); })>},
      {"s_pack_lh_b32_b16", scalar<([](u32 a, u32 b) { return high(b) << 16 | low(a); })>},
      {"s_pack_hh_b32_b16", scalar<([](u32 a, u32 b) { return high(b) << 16 | high(a); })>},
      {"s_bcnt0_i32_b32", scalar<([](u32 a) { return static_cast<u32>(std::popcount(~a)); }), nz>},
      {"s_bcnt0_i32_b64", scalar<([](u64 a) { return static_cast<u32>(std::popcount(~a)); }), nz>},
      {"s_bcnt1_i32_b32", scalar<([](u32 a) { return static_cast<u32>(std::popcount(a)); }), nz>},
      {"s_bcnt1_i32_b64", scalar<([](u64 a) { return static_cast<u32>(std::popcount(a)); }), nz>},
      {"s_ff0_i32_b32", scalar<([](u32 a) { return first_one(~a); })>},
      {"s_ff0_i32_b64", scalar<([](u64 a) { return first_one(~a); })>},
      {"s_ff1_i32_b32", scalar<([](u32 a) { return first_one(a); })>},
      {"s_ff1_i32_b64", scalar<([](u64 a) { return first_one(a); })>},
      {"s_flbit_i32_b32", scalar<([](u32 a) { return leading_zeros(a); })>},
      {"s_flbit_i32_b64", scalar<([](u64 a) { return leading_zeros(a); })>},
      {"s_flbit_i32", scalar<([](u32 a) { return leading_signs(a); })>},
      {"s_flbit_i32_i64", scalar<([](u64 a) { return leading_signs(a); })>},
      {"s_sext_i32_i8", scalar<([](u32 a) { return i32{static_cast<std::int8_t>(a)}; })>},
      {"s_sext_i32_i16", scalar<([](u32 a) { return i32{static_cast<std::int16_t>(a)}; })>},
      {"s_brev_b32", scalar<([](u32 a) { return reversed(a); })>},
      {"s_brev_b64", scalar<([](u64 a) { return reversed(a); })>},
      {"s_quadmask_b32", scalar<([](u32 a) { return quad_mask(a); }), nz>},
      {"s_quadmask_b64", scalar<([](u64 a) { return quad_mask(a); }), nz>},
      {"s_wqm_b32", scalar<([](u32 a) { return whole_quads(a); }), nz>},
      {"s_wqm_b64", scalar<([](u64 a) { return whole_quads(a); }), nz>},
      {"s_bitreplicate_b64_b32", scalar<([](u32 a) { return replicated(a); })>},
      {"s_bitset0_b32", set_bit<u32, false>, Unit::salu, 1, nullptr, true},
      {"s_bitset0_b64", set_bit<u64, false>, Unit::salu, 1, nullptr, true},
      {"s_bitset1_b32", set_bit<u32, true>, Unit::salu, 1, nullptr, true},
      {"s_bitset1_b64", set_bit<u64, true>, Unit::salu, 1, nullptr, true},
  };
  for (Semantics& s : table) s.unit = Unit::salu;
  return table;
}

} // namespace cts::emulator
