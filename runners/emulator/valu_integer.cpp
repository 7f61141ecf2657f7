// Vector integer arithmetic, logic, shifts, fields and counts. [CDNA3 ISA 12.7, 12.8, 12.11; CDNA4 ISA the
// same]
#include "runners/emulator/valu.hpp"

#include <algorithm>
#include <bit>

namespace cts::emulator {
namespace {

using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

/// The low 24 bits, extended by zeros or by their sign.
constexpr i64 u24(u32 a) { return a & 0xffffff; }
constexpr i64 i24(u32 a) { return static_cast<i32>(a << 8) >> 8; }

constexpr u32 ones(u32 size) { return (1u << size) - 1; }

/// V_BFE_U32: offset b[4:0], size c[4:0].
constexpr u32 field(u32 a, u32 b, u32 c) { return a >> (b & 31) & ones(c & 31); }
constexpr i32 signed_field(u32 a, u32 b, u32 c) {
  const u32 size = c & 31;
  if (size == 0) return 0;
  const u32 moved = static_cast<u32>(static_cast<i32>(a) >> (b & 31));
  return static_cast<i32>(moved << (32 - size)) >> (32 - size);
}

constexpr u32 reversed(u32 a) {
  a = (a & 0x55555555) << 1 | (a >> 1 & 0x55555555);
  a = (a & 0x33333333) << 2 | (a >> 2 & 0x33333333);
  a = (a & 0x0f0f0f0f) << 4 | (a >> 4 & 0x0f0f0f0f);
  return __builtin_bswap32(a);
}

constexpr u32 leading_zeros(u32 a) { return a == 0 ? ~0u : static_cast<u32>(std::countl_zero(a)); }
constexpr u32 trailing_zeros(u32 a) { return a == 0 ? ~0u : static_cast<u32>(std::countr_zero(a)); }
constexpr u32 leading_signs(u32 a) { return leading_zeros(a >> 31 != 0 ? ~a : a); }

/// One byte of {a, b}, or a fill. [V_PERM_B32]
constexpr u32 permuted_byte(u64 data, u32 select) {
  if (select >= 13) return 0xff;
  if (select == 12) return 0;
  if (select >= 8) return (data >> ((select - 8) * 16 + 15) & 1) != 0 ? 0xff : 0;
  return static_cast<u32>(data >> (select * 8) & 0xff);
}
constexpr u32 permuted(u32 a, u32 b, u32 selects) {
  const u64 data = u64{a} << 32 | b;
  u32 r = 0;
  for (unsigned i = 0; i < 4; ++i) r |= permuted_byte(data, selects >> (i * 8) & 0xff) << (i * 8);
  return r;
}

template <typename T> constexpr T median(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// V_MAD_U64_U32 and V_MAD_I64_I32: the sum has 65 bits, the uppermost of which goes to the lane's bit of the
/// mask: a carry, or the exact sum's sign. Clamp keeps the 64 bits from wrapping.
template <typename Narrow> void multiply_add_wide(Exec& x, const Op& op) {
  using Wide = std::conditional_t<std::is_signed_v<Narrow>, i64, u64>;
  const auto a = source<Narrow>(x, op, 0);
  const auto b = source<Narrow>(x, op, 1);
  const auto c = source<u64>(x, op, 2);
  Lanes<u64> sum;
  LaneMask carry = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    const u64 product = static_cast<u64>(Wide{a[l]} * Wide{b[l]});
    sum[l] = product + c[l];
    const bool wraps =
        std::is_signed_v<Narrow> ? ((product ^ sum[l]) & (c[l] ^ sum[l])) >> 63 != 0 : sum[l] < product;
    const bool top = std::is_signed_v<Narrow> ? wraps != (sum[l] >> 63 != 0) : wraps;
    carry |= LaneMask{top} << l;
    if (op.mods.clamp && wraps)
      sum[l] = static_cast<u64>(std::is_signed_v<Narrow> && top ? std::numeric_limits<Wide>::min()
                                                                : std::numeric_limits<Wide>::max());
  }
  write(x, op, sum);
  write_mask(x, op, 1, carry);
}

/// V_MBCNT: set bits of a below this lane's number, in the low or the high half of the wave.
template <unsigned First> void masked_bit_count(Exec& x, const Op& op) {
  const auto a = source<u32>(x, op, 0);
  const auto b = source<u32>(x, op, 1);
  Lanes<u32> out;
  for (unsigned l = 0; l < lanes; ++l) {
    const u32 below = static_cast<u32>(((u64{1} << l) - 1) >> First);
    out[l] = b[l] + static_cast<u32>(std::popcount(a[l] & below));
  }
  write(x, op, out);
}

/// The truth table of V_BITOP3 is in the fields of neg, abs and omod.
void bind_bitop3(Op& op, Target target) {
  check_target(op, target);
  const auto& words = op.instruction->words;
  op.mods.omod = 0;
  for (auto& s : op.src) s.negate = s.absolute = false;
  if (words.size() < 2) return;
  op.variant = static_cast<u16>((words[1] >> 27 & 3) << 6 | (words[0] >> 8 & 7) << 3 | words[1] >> 29);
  op.mods.op_sel = static_cast<std::uint8_t>(words[0] >> 11 & 15);
}

template <typename T> void bit_operation(Exec& x, const Op& op) {
  const auto a = source<T>(x, op, 0);
  const auto b = source<T>(x, op, 1);
  const auto c = source<T>(x, op, 2);
  Lanes<T> out{};
  for (unsigned row = 0; row < 8; ++row) {
    if ((op.variant >> row & 1) == 0) continue;
    const auto flip = [row](unsigned bit) { return static_cast<T>((row >> bit & 1) != 0 ? 0 : ~0u); };
    const T fa = flip(2), fb = flip(1), fc = flip(0);
    for (unsigned l = 0; l < lanes; ++l)
      out[l] = static_cast<T>(out[l] | ((a[l] ^ fa) & (b[l] ^ fb) & (c[l] ^ fc)));
  }
  write_as(x, op, out, OtherHalf::keep);
}

constexpr u16 shifted16(u32 value) { return static_cast<u16>(value); }

} // namespace

std::vector<Semantics> valu_integer() {
  constexpr auto keep = OtherHalf::keep;
  constexpr auto plain = permit<take::none>;
  constexpr auto clamped = permit<take::clamp>;
  constexpr auto halves = permit<take::clamp | take::op_sel>;
  const auto valu = [](std::string_view name, Handler run, void (*bind)(Op&, Target),
                       std::uint8_t results = 1, bool reads_result = false) {
    return Semantics{name, run, Unit::valu, results, bind, reads_result};
  };
  return {
      valu("v_mov_b32", lanewise<([](u32 a) { return a; })>, plain),
      valu("v_not_b32", lanewise<([](u32 a) { return ~a; })>, plain),
      valu("v_bfrev_b32", lanewise<([](u32 a) { return reversed(a); })>, plain),
      valu("v_ffbh_u32", lanewise<([](u32 a) { return leading_zeros(a); })>, plain),
      valu("v_ffbl_b32", lanewise<([](u32 a) { return trailing_zeros(a); })>, plain),
      valu("v_ffbh_i32", lanewise<([](u32 a) { return leading_signs(a); })>, plain),
      valu("v_prng_b32", lanewise<([](u32 a) { return a << 1 ^ (a >> 31 != 0 ? 197u : 0u); })>,
           permit_gfx950<take::none>),

      valu("v_add_u32", saturating<u32, ([](u32 a, u32 b) { return i64{a} + b; })>, clamped),
      valu("v_sub_u32", saturating<u32, ([](u32 a, u32 b) { return i64{a} - b; })>, clamped),
      valu("v_subrev_u32", saturating<u32, ([](u32 a, u32 b) { return i64{b} - a; })>, clamped),
      valu("v_add_i32", saturating<i32, ([](i32 a, i32 b) { return i64{a} + b; })>, clamped),
      valu("v_sub_i32", saturating<i32, ([](i32 a, i32 b) { return i64{a} - b; })>, clamped),
      valu("v_mul_u32_u24", saturating<u32, ([](u32 a, u32 b) { return u24(a) * u24(b); })>, clamped),
      valu("v_mul_hi_u32_u24",
           lanewise<([](u32 a, u32 b) { return static_cast<u32>(u24(a) * u24(b) >> 32); })>, plain),
      valu("v_mul_i32_i24", saturating<i32, ([](u32 a, u32 b) { return i24(a) * i24(b); })>, clamped),
      valu("v_mul_hi_i32_i24",
           lanewise<([](u32 a, u32 b) { return static_cast<i32>(i24(a) * i24(b) >> 32); })>, plain),
      valu("v_mad_u32_u24", saturating<u32, ([](u32 a, u32 b, u32 c) { return u24(a) * u24(b) + c; })>,
           clamped),
      valu("v_mad_i32_i24", saturating<i32, ([](u32 a, u32 b, i32 c) { return i24(a) * i24(b) + c; })>,
           clamped),
      valu("v_mul_lo_u32", lanewise<([](u32 a, u32 b) { return a * b; })>, plain),
      valu("v_mul_hi_u32", lanewise<([](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); })>,
           plain),
      valu("v_mul_hi_i32", lanewise<([](i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); })>,
           plain),
      valu("v_mad_u64_u32", multiply_add_wide<u32>, permit<take::clamp>, 2),
      valu("v_mad_i64_i32", multiply_add_wide<i32>, permit<take::clamp>, 2),
      valu("v_mad_u32_u16", saturating<u32, ([](u16 a, u16 b, u32 c) { return i64{a} * b + c; })>, halves),
      valu("v_mad_i32_i16", saturating<i32, ([](i16 a, i16 b, i32 c) { return i64{a} * b + c; })>, halves),

      valu("v_and_b32", lanewise<([](u32 a, u32 b) { return a & b; })>, plain),
      valu("v_or_b32", lanewise<([](u32 a, u32 b) { return a | b; })>, plain),
      valu("v_xor_b32", lanewise<([](u32 a, u32 b) { return a ^ b; })>, plain),
      valu("v_xnor_b32", lanewise<([](u32 a, u32 b) { return ~(a ^ b); })>, plain),
      valu("v_lshlrev_b32", lanewise<([](u32 a, u32 b) { return b << (a & 31); })>, plain),
      valu("v_lshrrev_b32", lanewise<([](u32 a, u32 b) { return b >> (a & 31); })>, plain),
      valu("v_ashrrev_i32", lanewise<([](u32 a, i32 b) { return b >> (a & 31); })>, plain),
      valu("v_lshlrev_b64", lanewise<([](u32 a, u64 b) { return b << (a & 63); })>, plain),
      valu("v_lshrrev_b64", lanewise<([](u32 a, u64 b) { return b >> (a & 63); })>, plain),
      valu("v_ashrrev_i64", lanewise<([](u32 a, i64 b) { return b >> (a & 63); })>, plain),

      valu("v_add3_u32", lanewise<([](u32 a, u32 b, u32 c) { return a + b + c; })>, plain),
      valu("v_lshl_add_u32", lanewise<([](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; })>, plain),
      valu("v_add_lshl_u32", lanewise<([](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); })>, plain),
      valu("v_lshl_or_b32", lanewise<([](u32 a, u32 b, u32 c) { return a << (b & 31) | c; })>, plain),
      valu("v_and_or_b32", lanewise<([](u32 a, u32 b, u32 c) { return (a & b) | c; })>, plain),
      valu("v_or3_b32", lanewise<([](u32 a, u32 b, u32 c) { return a | b | c; })>, plain),
      valu("v_xad_u32", lanewise<([](u32 a, u32 b, u32 c) { return (a ^ b) + c; })>, plain),
      // Shifts above 4 count as 0. [CDNA3 ISA, V_LSHL_ADD_U64]
      valu("v_lshl_add_u64",
           lanewise<([](u64 a, u32 b, u64 c) { return (a << ((b & 7) > 4 ? 0 : (b & 7))) + c; })>, plain),

      valu("v_bfe_u32", lanewise<([](u32 a, u32 b, u32 c) { return field(a, b, c); })>, plain),
      valu("v_bfe_i32", lanewise<([](u32 a, u32 b, u32 c) { return signed_field(a, b, c); })>, plain),
      valu("v_bfi_b32", lanewise<([](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); })>, plain),
      valu("v_bfm_b32", lanewise<([](u32 a, u32 b) { return ones(a & 31) << (b & 31); })>, plain),
      valu("v_alignbit_b32",
           lanewise<([](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (c & 31)); })>,
           plain),
      valu(
          "v_alignbyte_b32",
          lanewise<([](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (c & 3) * 8); })>,
          plain),
      valu("v_perm_b32", lanewise<([](u32 a, u32 b, u32 c) { return permuted(a, b, c); })>, plain),
      valu("v_bcnt_u32_b32", lanewise<([](u32 a, u32 b) { return static_cast<u32>(std::popcount(a)) + b; })>,
           plain),
      valu("v_mbcnt_lo_u32_b32", masked_bit_count<0>, plain),
      valu("v_mbcnt_hi_u32_b32", masked_bit_count<32>, plain),
      valu("v_bitop3_b32", bit_operation<u32>, bind_bitop3),
      valu("v_bitop3_b16", bit_operation<u16>, bind_bitop3, 1, true),

      valu("v_min_i32", lanewise<([](i32 a, i32 b) { return std::min(a, b); })>, plain),
      valu("v_max_i32", lanewise<([](i32 a, i32 b) { return std::max(a, b); })>, plain),
      valu("v_min_u32", lanewise<([](u32 a, u32 b) { return std::min(a, b); })>, plain),
      valu("v_max_u32", lanewise<([](u32 a, u32 b) { return std::max(a, b); })>, plain),
      valu("v_min3_i32", lanewise<([](i32 a, i32 b, i32 c) {
             return std::min({a, b, c});
           })>,
           plain),
      valu("v_max3_i32", lanewise<([](i32 a, i32 b, i32 c) {
             return std::max({a, b, c});
           })>,
           plain),
      valu("v_med3_i32", lanewise<([](i32 a, i32 b, i32 c) { return median(a, b, c); })>, plain),
      valu("v_min3_u32", lanewise<([](u32 a, u32 b, u32 c) {
             return std::min({a, b, c});
           })>,
           plain),
      valu("v_max3_u32", lanewise<([](u32 a, u32 b, u32 c) {
             return std::max({a, b, c});
           })>,
           plain),
      valu("v_med3_u32", lanewise<([](u32 a, u32 b, u32 c) { return median(a, b, c); })>, plain),

      // 16 bits. Those that gfx8 had clear the other half of the destination.
      valu("v_add_u16", saturating<u16, ([](u16 a, u16 b) { return i64{a} + b; })>, clamped),
      valu("v_sub_u16", saturating<u16, ([](u16 a, u16 b) { return i64{a} - b; })>, clamped),
      valu("v_subrev_u16", saturating<u16, ([](u16 a, u16 b) { return i64{b} - a; })>, clamped),
      valu("v_mul_lo_u16", saturating<u16, ([](u16 a, u16 b) { return i64{a} * b; })>, clamped),
      valu("v_lshlrev_b16", lanewise<([](u16 a, u16 b) { return shifted16(u32{b} << (a & 15)); })>, plain),
      valu("v_lshrrev_b16", lanewise<([](u16 a, u16 b) { return shifted16(u32{b} >> (a & 15)); })>, plain),
      valu("v_ashrrev_i16", lanewise<([](u16 a, i16 b) { return static_cast<i16>(b >> (a & 15)); })>, plain),
      valu("v_min_i16", lanewise<([](i16 a, i16 b) { return std::min(a, b); })>, plain),
      valu("v_max_i16", lanewise<([](i16 a, i16 b) { return std::max(a, b); })>, plain),
      valu("v_min_u16", lanewise<([](u16 a, u16 b) { return std::min(a, b); })>, plain),
      valu("v_max_u16", lanewise<([](u16 a, u16 b) { return std::max(a, b); })>, plain),
      valu("v_mad_legacy_u16", saturating<u16, ([](u16 a, u16 b, u16 c) { return i64{a} * b + c; })>, halves),
      valu("v_mad_legacy_i16", saturating<i16, ([](i16 a, i16 b, i16 c) { return i64{a} * b + c; })>, halves),
      valu("v_mad_u16", saturating<u16, ([](u16 a, u16 b, u16 c) { return i64{a} * b + c; }), keep>, halves,
           1, true),
      valu("v_mad_i16", saturating<i16, ([](i16 a, i16 b, i16 c) { return i64{a} * b + c; }), keep>, halves,
           1, true),
      valu("v_add_i16", saturating<i16, ([](i16 a, i16 b) { return i64{a} + b; }), keep>, halves, 1, true),
      valu("v_sub_i16", saturating<i16, ([](i16 a, i16 b) { return i64{a} - b; }), keep>, halves, 1, true),
      valu("v_min3_i16",
           lanewise<([](i16 a, i16 b, i16 c) {
                      return std::min({a, b, c});
                    }),
                    keep>,
           halves, 1, true),
      valu("v_max3_i16",
           lanewise<([](i16 a, i16 b, i16 c) {
                      return std::max({a, b, c});
                    }),
                    keep>,
           halves, 1, true),
      valu("v_med3_i16", lanewise<([](i16 a, i16 b, i16 c) { return median(a, b, c); }), keep>, halves, 1,
           true),
      valu("v_min3_u16",
           lanewise<([](u16 a, u16 b, u16 c) {
                      return std::min({a, b, c});
                    }),
                    keep>,
           halves, 1, true),
      valu("v_max3_u16",
           lanewise<([](u16 a, u16 b, u16 c) {
                      return std::max({a, b, c});
                    }),
                    keep>,
           halves, 1, true),
      valu("v_med3_u16", lanewise<([](u16 a, u16 b, u16 c) { return median(a, b, c); }), keep>, halves, 1,
           true),
  };
}

} // namespace cts::emulator
