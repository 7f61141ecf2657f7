// Vector integer instructions against 64-bit and 128-bit host arithmetic.
#include "tests/emulator/alu/alu_rows.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cts::emulator::testing {
namespace {

using u8 = std::uint8_t;
using i8 = std::int8_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;

i64 s24(u32 a) { return (a & 0x800000) != 0 ? i64{a & 0xffffff} - 0x1000000 : i64{a & 0xffffff}; }
u64 z24(u32 a) { return a & 0xffffff; }
Out clamped(i128 v, i128 low, i128 high) {
  return out32(static_cast<u64>(v < low ? low : v > high ? high : v));
}
Out sat_u32(i128 v) { return clamped(v, 0, 0xffffffffll); }
Out sat_i32(i128 v) { return clamped(v, -0x80000000ll, 0x7fffffff); }
Out zero_high(u64 v) { return {v & 0xffff}; }
Out keep_high(const In& in, u64 v) { return {(v & 0xffff) | (in.old & 0xffff0000)}; }
u16 L(u32 v) { return static_cast<u16>(v); }
u16 H(u32 v) { return static_cast<u16>(v >> 16); }
i16 sL(u32 v) { return static_cast<i16>(v); }

/// Leading zeros by a loop.
u32 zeros_from_top(u32 v) {
  for (u32 i = 0; i < 32; ++i)
    if ((v >> (31 - i) & 1) != 0) return i;
  return ~0u;
}
u32 same_from_top(u32 v) {
  for (u32 i = 1; i < 32; ++i)
    if ((v >> (31 - i) & 1) != (v >> 31)) return i;
  return ~0u;
}
u32 zeros_from_bottom(u32 v) {
  for (u32 i = 0; i < 32; ++i)
    if ((v >> i & 1) != 0) return i;
  return ~0u;
}
u32 count_ones(u32 v) {
  u32 n = 0;
  for (; v != 0; v &= v - 1) ++n;
  return n;
}
u32 mirrored(u32 v) {
  u32 r = 0;
  for (u32 i = 0; i < 32; ++i)
    if ((v >> i & 1) != 0) r |= 0x80000000u >> i;
  return r;
}
template <typename T> T middle(T a, T b, T c) {
  T v[] = {a, b, c};
  std::sort(v, v + 3);
  return v[1];
}

const Row rows[] = {
    {"v_mov_b32_e32 v10, v1", [](const In& i) { return out32(i.a); }},
    {"v_mov_b32_e32 v10, s30", [](const In& i) { return out32(i.s); }},
    {"v_mov_b32_e32 v10, 0x12345678", [](const In&) { return out32(0x12345678); }},
    {"v_mov_b32_e32 v10, -16", [](const In&) { return out32(0xfffffff0); }},
    {"v_mov_b32_e32 v10, 1.0", [](const In&) { return out32(0x3f800000); }},
    {"v_mov_b64_e32 v[10:11], v[4:5]", [](const In& i) { return Out{i.A}; }},
    {"v_mov_b64_e32 v[10:11], s[32:33]", [](const In& i) { return Out{i.S}; }},
    {"v_mov_b64_e32 v[10:11], -1", [](const In&) { return Out{~0ull}; }},
    {"v_not_b32_e32 v10, v1", [](const In& i) { return out32(~i.a); }},
    {"v_bfrev_b32_e32 v10, v1", [](const In& i) { return out32(mirrored(i.a)); }},
    {"v_ffbh_u32_e32 v10, v1", [](const In& i) { return out32(zeros_from_top(i.a)); }},
    {"v_ffbl_b32_e32 v10, v1", [](const In& i) { return out32(zeros_from_bottom(i.a)); }},
    {"v_ffbh_i32_e32 v10, v1", [](const In& i) { return out32(same_from_top(i.a)); }},
    {"v_prng_b32_e32 v10, v1", [](const In& i) { return out32((u64{i.a} * 2) ^ (i.a >= 0x80000000u ? 0xc5 : 0)); }, Values::integers,
     Equal::bits, Target::gfx950},
    {"v_add_u32_e32 v10, v1, v2", [](const In& i) { return out32(u64{i.a} + i.b); }},
    {"v_add_u32_e64 v10, v1, v2 clamp", [](const In& i) { return sat_u32(i128{i.a} + i.b); }},
    {"v_add_u32_e64 v10, v1, 64", [](const In& i) { return out32(u64{i.a} + 64); }},
    {"v_sub_u32_e32 v10, v1, v2", [](const In& i) { return out32(u64{i.a} - i.b); }},
    {"v_sub_u32_e64 v10, v1, v2 clamp", [](const In& i) { return sat_u32(i128{i.a} - i.b); }},
    {"v_subrev_u32_e32 v10, v1, v2", [](const In& i) { return out32(u64{i.b} - i.a); }},
    {"v_add_i32 v10, v1, v2", [](const In& i) { return out32(u64{i.a} + i.b); }},
    {"v_add_i32 v10, v1, v2 clamp", [](const In& i) { return sat_i32(i128{static_cast<i32>(i.a)} + static_cast<i32>(i.b)); }},
    {"v_sub_i32 v10, v1, v2", [](const In& i) { return out32(u64{i.a} - i.b); }},
    {"v_sub_i32 v10, v1, v2 clamp", [](const In& i) { return sat_i32(i128{static_cast<i32>(i.a)} - static_cast<i32>(i.b)); }},
    {"v_mul_u32_u24_e32 v10, v1, v2", [](const In& i) { return out32(z24(i.a) * z24(i.b)); }},
    {"v_mul_hi_u32_u24_e32 v10, v1, v2", [](const In& i) { return out32(z24(i.a) * z24(i.b) >> 32); }},
    {"v_mul_i32_i24_e32 v10, v1, v2", [](const In& i) { return out32(static_cast<u64>(s24(i.a) * s24(i.b))); }},
    {"v_mul_hi_i32_i24_e32 v10, v1, v2", [](const In& i) { return out32(static_cast<u64>(s24(i.a) * s24(i.b)) >> 32); }},
    {"v_mad_u32_u24 v10, v1, v2, v3", [](const In& i) { return out32(z24(i.a) * z24(i.b) + i.c); }},
    {"v_mad_u32_u24 v10, v1, v2, v3 clamp", [](const In& i) { return sat_u32(i128{z24(i.a)} * z24(i.b) + i.c); }},
    {"v_mad_i32_i24 v10, v1, v2, v3", [](const In& i) { return out32(static_cast<u64>(s24(i.a) * s24(i.b)) + i.c); }},
    {"v_mul_lo_u32 v10, v1, v2", [](const In& i) { return out32(u64{i.a} * i.b); }},
    {"v_mul_hi_u32 v10, v1, v2", [](const In& i) { return out32(u64{i.a} * i.b >> 32); }},
    {"v_mul_hi_i32 v10, v1, v2",
     [](const In& i) { return out32(static_cast<u64>(i64{static_cast<i32>(i.a)} * static_cast<i32>(i.b)) >> 32); }},
    {"v_mad_u64_u32 v[10:11], s[22:23], v1, v2, v[8:9]",
     [](const In& i) {
       const u128 sum = static_cast<u128>(u64{i.a} * i.b) + i.C;
       return Out{static_cast<u64>(sum), sum >> 64 != 0};
     }},
    {"v_mad_i64_i32 v[10:11], s[22:23], v1, v2, v[8:9]",
     [](const In& i) {
       const i128 sum = i128{i64{static_cast<i32>(i.a)} * static_cast<i32>(i.b)} + static_cast<i64>(i.C);
       return Out{static_cast<u64>(sum), sum < 0}; // bit 64 of the 65
     }},
    {"v_mad_i64_i32 v[10:11], s[22:23], v1, v2, v[8:9] clamp",
     [](const In& i) {
       const i128 sum = i128{i64{static_cast<i32>(i.a)} * static_cast<i32>(i.b)} + static_cast<i64>(i.C);
       const i128 kept = std::clamp(sum, i128{std::numeric_limits<i64>::min()}, i128{std::numeric_limits<i64>::max()});
       return Out{static_cast<u64>(kept), sum < 0};
     }},
    {"v_mad_u32_u16 v10, v1, v2, v3", [](const In& i) { return out32(u64{L(i.a)} * L(i.b) + i.c); }},
    {"v_mad_u32_u16 v10, v1, v2, v3 op_sel:[1,0,0,0]", [](const In& i) { return out32(u64{H(i.a)} * L(i.b) + i.c); }},
    {"v_mad_i32_i16 v10, v1, v2, v3", [](const In& i) { return out32(static_cast<u64>(i64{sL(i.a)} * sL(i.b)) + i.c); }},
    {"v_and_b32_e32 v10, v1, v2", [](const In& i) { return out32(i.a & i.b); }},
    {"v_or_b32_e32 v10, v1, v2", [](const In& i) { return out32(i.a | i.b); }},
    {"v_xor_b32_e32 v10, v1, v2", [](const In& i) { return out32(i.a ^ i.b); }},
    {"v_xnor_b32_e32 v10, v1, v2", [](const In& i) { return out32(~(i.a ^ i.b)); }},
    {"v_lshlrev_b32_e32 v10, v1, v2", [](const In& i) { return out32(u64{i.b} << (i.a % 32)); }},
    {"v_lshrrev_b32_e32 v10, v1, v2", [](const In& i) { return out32(u64{i.b} >> (i.a % 32)); }},
    {"v_ashrrev_i32_e32 v10, v1, v2", [](const In& i) { return out32(static_cast<u64>(i64{static_cast<i32>(i.b)} >> (i.a % 32))); }},
    {"v_lshlrev_b64 v[10:11], v1, v[6:7]", [](const In& i) { return Out{i.B << (i.a % 64)}; }},
    {"v_lshrrev_b64 v[10:11], v1, v[6:7]", [](const In& i) { return Out{i.B >> (i.a % 64)}; }},
    {"v_ashrrev_i64 v[10:11], v1, v[6:7]", [](const In& i) { return Out{static_cast<u64>(static_cast<i64>(i.B) >> (i.a % 64))}; }},
    {"v_add3_u32 v10, v1, v2, v3", [](const In& i) { return out32(u64{i.a} + i.b + i.c); }},
    {"v_lshl_add_u32 v10, v1, v2, v3", [](const In& i) { return out32((u64{i.a} << (i.b % 32)) + i.c); }},
    {"v_add_lshl_u32 v10, v1, v2, v3", [](const In& i) { return out32(((u64{i.a} + i.b) & 0xffffffff) << (i.c % 32)); }},
    {"v_lshl_or_b32 v10, v1, v2, v3", [](const In& i) { return out32((u64{i.a} << (i.b % 32)) | i.c); }},
    {"v_and_or_b32 v10, v1, v2, v3", [](const In& i) { return out32((i.a & i.b) | i.c); }},
    {"v_or3_b32 v10, v1, v2, v3", [](const In& i) { return out32(i.a | i.b | i.c); }},
    {"v_xad_u32 v10, v1, v2, v3", [](const In& i) { return out32(u64{i.a ^ i.b} + i.c); }},
    {"v_lshl_add_u64 v[10:11], v[4:5], v2, v[8:9]",
     [](const In& i) {
       const u32 by = i.b & 7;
       return Out{i.A * (by > 4 ? 1 : 1u << by) + i.C};
     }},
    {"v_lshl_add_u64 v[10:11], s[32:33], 3, v[8:9]", [](const In& i) { return Out{i.S * 8 + i.C}; }},
    {"v_bfe_u32 v10, v1, v2, v3", [](const In& i) { return out32(u64{i.a} >> (i.b % 32) & ((1ull << (i.c % 32)) - 1)); }},
    {"v_bfe_i32 v10, v1, v2, v3",
     [](const In& i) {
       const u32 offset = i.b % 32, size = i.c % 32;
       u64 r = 0; // bit by bit: the field, its sign above it
       for (u32 bit = 0; bit < 32 && size != 0; ++bit) {
         const u32 from = std::min(offset + std::min(bit, size - 1), 31u);
         r |= u64{i.a >> from & 1} << bit;
       }
       return out32(r);
     }},
    {"v_bfi_b32 v10, v1, v2, v3", [](const In& i) { return out32(i.c ^ (i.a & (i.b ^ i.c))); }},
    {"v_bfm_b32 v10, v1, v2", [](const In& i) { return out32(((1ull << (i.a % 32)) - 1) << (i.b % 32)); }},
    {"v_alignbit_b32 v10, v1, v2, v3", [](const In& i) { return out32((u64{i.a} * 0x100000000 + i.b) >> (i.c % 32)); }},
    {"v_alignbyte_b32 v10, v1, v2, v3", [](const In& i) { return out32((u64{i.a} * 0x100000000 + i.b) >> (i.c % 4 * 8)); }},
    {"v_perm_b32 v10, v1, v2, v3",
     [](const In& i) {
       u8 bytes[8];
       for (unsigned n = 0; n < 4; ++n) bytes[n] = static_cast<u8>(i.b >> (8 * n)), bytes[n + 4] = static_cast<u8>(i.a >> (8 * n));
       u32 r = 0;
       for (unsigned n = 0; n < 4; ++n) {
         const u32 sel = i.c >> (8 * n) & 255;
         const u32 sign_from[] = {1, 3, 5, 7};
         const u32 v = sel < 8 ? bytes[sel] : sel < 12 ? (bytes[sign_from[sel - 8]] > 127 ? 255u : 0u) : sel == 12 ? 0u : 255u;
         r |= v << (8 * n);
       }
       return out32(r);
     }},
    {"v_bcnt_u32_b32 v10, v1, v2", [](const In& i) { return out32(u64{count_ones(i.a)} + i.b); }},
    {"v_mbcnt_lo_u32_b32 v10, v1, v2",
     [](const In& i) { return out32(u64{count_ones(i.lane >= 32 ? i.a : i.a & ((1u << i.lane) - 1))} + i.b); }},
    {"v_mbcnt_hi_u32_b32 v10, v1, v2",
     [](const In& i) { return out32(u64{count_ones(i.lane < 32 ? 0 : i.a & ((1u << (i.lane - 32)) - 1))} + i.b); }},
    {"v_min_i32_e32 v10, v1, v2", [](const In& i) { return out32(static_cast<u32>(std::min(static_cast<i32>(i.a), static_cast<i32>(i.b)))); }},
    {"v_max_i32_e32 v10, v1, v2", [](const In& i) { return out32(static_cast<u32>(std::max(static_cast<i32>(i.a), static_cast<i32>(i.b)))); }},
    {"v_min_u32_e32 v10, v1, v2", [](const In& i) { return out32(std::min(i.a, i.b)); }},
    {"v_max_u32_e32 v10, v1, v2", [](const In& i) { return out32(std::max(i.a, i.b)); }},
    {"v_min3_i32 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u32>(std::min({static_cast<i32>(i.a), static_cast<i32>(i.b), static_cast<i32>(i.c)}))); }},
    {"v_max3_i32 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u32>(std::max({static_cast<i32>(i.a), static_cast<i32>(i.b), static_cast<i32>(i.c)}))); }},
    {"v_med3_i32 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u32>(middle(static_cast<i32>(i.a), static_cast<i32>(i.b), static_cast<i32>(i.c)))); }},
    {"v_min3_u32 v10, v1, v2, v3", [](const In& i) { return out32(std::min({i.a, i.b, i.c})); }},
    {"v_max3_u32 v10, v1, v2, v3", [](const In& i) { return out32(std::max({i.a, i.b, i.c})); }},
    {"v_med3_u32 v10, v1, v2, v3", [](const In& i) { return out32(middle(i.a, i.b, i.c)); }},

    {"v_add_u16_e32 v10, v1, v2", [](const In& i) { return zero_high(u64{i.a} + i.b); }},
    {"v_add_u16_e64 v10, v1, v2 clamp", [](const In& i) { return zero_high(std::min<u64>(u64{L(i.a)} + L(i.b), 0xffff)); }},
    {"v_sub_u16_e32 v10, v1, v2", [](const In& i) { return zero_high(u64{i.a} - i.b); }},
    {"v_subrev_u16_e32 v10, v1, v2", [](const In& i) { return zero_high(u64{i.b} - i.a); }},
    {"v_mul_lo_u16_e32 v10, v1, v2", [](const In& i) { return zero_high(u64{L(i.a)} * L(i.b)); }},
    {"v_lshlrev_b16_e32 v10, v1, v2", [](const In& i) { return zero_high(u64{L(i.b)} << (i.a % 16)); }},
    {"v_lshrrev_b16_e32 v10, v1, v2", [](const In& i) { return zero_high(u64{L(i.b)} >> (i.a % 16)); }},
    {"v_ashrrev_i16_e32 v10, v1, v2", [](const In& i) { return zero_high(static_cast<u64>(i64{sL(i.b)} >> (i.a % 16))); }},
    {"v_min_i16_e32 v10, v1, v2", [](const In& i) { return zero_high(static_cast<u64>(std::min(sL(i.a), sL(i.b)))); }},
    {"v_max_i16_e32 v10, v1, v2", [](const In& i) { return zero_high(static_cast<u64>(std::max(sL(i.a), sL(i.b)))); }},
    {"v_min_u16_e32 v10, v1, v2", [](const In& i) { return zero_high(std::min(L(i.a), L(i.b))); }},
    {"v_max_u16_e32 v10, v1, v2", [](const In& i) { return zero_high(std::max(L(i.a), L(i.b))); }},
    {"v_mad_legacy_u16 v10, v1, v2, v3", [](const In& i) { return zero_high(u64{L(i.a)} * L(i.b) + i.c); }},
    {"v_mad_legacy_i16 v10, v1, v2, v3", [](const In& i) { return zero_high(static_cast<u64>(i64{sL(i.a)} * sL(i.b) + sL(i.c))); }},
    {"v_mad_u16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, u64{L(i.a)} * L(i.b) + i.c); }},
    {"v_mad_u16 v10, v1, v2, v3 op_sel:[0,1,0,1]",
     [](const In& i) { return out32(((u64{L(i.a)} * H(i.b) + L(i.c)) & 0xffff) << 16 | (i.old & 0xffff)); }},
    {"v_mad_i16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, static_cast<u64>(i64{sL(i.a)} * sL(i.b) + sL(i.c))); }},
    {"v_mad_i16 v10, v1, v2, v3 clamp",
     [](const In& i) { return keep_high(i, static_cast<u64>(std::clamp<i64>(i64{sL(i.a)} * sL(i.b) + sL(i.c), -32768, 32767))); }},
    {"v_add_i16 v10, v1, v2", [](const In& i) { return keep_high(i, u64{i.a} + i.b); }},
    {"v_sub_i16 v10, v1, v2", [](const In& i) { return keep_high(i, u64{i.a} - i.b); }},
    {"v_min3_i16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, static_cast<u64>(std::min({sL(i.a), sL(i.b), sL(i.c)}))); }},
    {"v_max3_i16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, static_cast<u64>(std::max({sL(i.a), sL(i.b), sL(i.c)}))); }},
    {"v_med3_i16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, static_cast<u64>(middle(sL(i.a), sL(i.b), sL(i.c)))); }},
    {"v_min3_u16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, std::min({L(i.a), L(i.b), L(i.c)})); }},
    {"v_max3_u16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, std::max({L(i.a), L(i.b), L(i.c)})); }},
    {"v_med3_u16 v10, v1, v2, v3", [](const In& i) { return keep_high(i, middle(L(i.a), L(i.b), L(i.c))); }},
};

TEST(VectorInteger, GivesWhatHostArithmeticGives) { check_rows(rows); }

u32 by_table(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned row = (a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1);
    r |= (table >> row & 1) << bit;
  }
  return r;
}

TEST(VectorInteger, Bitop3LooksEachBitUp) {
  std::vector<Row> tables;
  for (const u32 table :
       {0x00u, 0x01u, 0x40u, 0x54u, 0x14u, 0x41u, 0xeau, 0xfeu, 0x96u, 0xcau, 0xffu, 0x80u}) {
    tables.push_back({fmt::format("v_bitop3_b32 v10, v1, v2, v3 bitop3:{:#x}", table),
                      [table](const In& i) { return out32(by_table(i.a, i.b, i.c, table)); },
                      Values::integers, Equal::bits, Target::gfx950});
    tables.push_back({fmt::format("v_bitop3_b16 v10, v1, v2, v3 bitop3:{:#x}", table),
                      [table](const In& i) { return keep_high(i, by_table(i.a, i.b, i.c, table)); },
                      Values::integers, Equal::bits, Target::gfx950});
  }
  tables.push_back({"v_bitop3_b16 v10, v1, v2, v3 bitop3:0x96 op_sel:[0,1,0,1]",
                    [](const In& i) {
                      return out32(u64{by_table(i.a, i.b >> 16, i.c, 0x96) & 0xffff} << 16 |
                                   (i.old & 0xffff));
                    },
                    Values::integers, Equal::bits, Target::gfx950});
  check_rows(tables);
}

/// Carries: the sum in 33 bits. The mask in s[22:23], or vcc.
const Row carries[] = {
    {"v_add_co_u32_e32 v10, vcc, v1, v2",
     [](const In& i) {
       return Out{u64{i.a} + i.b, u64{i.a} + i.b > 0xffffffff};
     }},
    {"v_add_co_u32_e64 v10, s[22:23], v1, v2",
     [](const In& i) {
       return Out{u64{i.a} + i.b, u64{i.a} + i.b > 0xffffffff};
     }},
    {"v_sub_co_u32_e32 v10, vcc, v1, v2",
     [](const In& i) {
       return Out{u64{i.a} - i.b, i.b > i.a};
     }},
    {"v_subrev_co_u32_e32 v10, vcc, v1, v2",
     [](const In& i) {
       return Out{u64{i.b} - i.a, i.a > i.b};
     }},
    {"v_addc_co_u32_e32 v10, vcc, v1, v2, vcc",
     [](const In& i) {
       return Out{u64{i.a} + i.b + i.carry, u64{i.a} + i.b + i.carry > 0xffffffff};
     }},
    {"v_addc_co_u32_e64 v10, s[22:23], v1, v2, s[20:21]",
     [](const In& i) {
       return Out{u64{i.a} + i.b + i.carry, u64{i.a} + i.b + i.carry > 0xffffffff};
     }},
    {"v_subb_co_u32_e32 v10, vcc, v1, v2, vcc",
     [](const In& i) {
       return Out{u64{i.a} - i.b - i.carry, u64{i.b} + i.carry > i.a};
     }},
    {"v_subbrev_co_u32_e32 v10, vcc, v1, v2, vcc",
     [](const In& i) {
       return Out{u64{i.b} - i.a - i.carry, u64{i.a} + i.carry > i.b};
     }},
    {"v_add_co_u32_e64 v10, s[22:23], v1, v2 clamp",
     [](const In& i) {
       return Out{std::min<u64>(u64{i.a} + i.b, 0xffffffff), u64{i.a} + i.b > 0xffffffff};
     }},
    {"v_cndmask_b32_e32 v10, v1, v2, vcc", [](const In& i) { return out32(i.carry ? i.b : i.a); }},
    {"v_cndmask_b32_e64 v10, -v1, |v2|, s[20:21]",
     [](const In& i) { return out32(i.carry ? i.b & 0x7fffffff : i.a ^ 0x80000000); }},
    {"v_cndmask_b32_e64 v10, 0, 1.0, s[20:21]", [](const In& i) { return out32(i.carry ? 0x3f800000 : 0); }},
};

TEST(VectorCarry, CarriesAndBorrowsPerLane) { check_rows(carries); }

u64 distance(u64 a, u64 b) { return a < b ? b - a : a - b; }
u64 byte_sum(u32 a, u32 b, bool masked) {
  u64 sum = 0;
  for (unsigned n = 0; n < 32; n += 8)
    if (!masked || (b >> n & 255) != 0) sum += distance(a >> n & 255, b >> n & 255);
  return sum;
}
u64 windows(const In& i, bool masked, u64 top) {
  u64 r = 0;
  for (unsigned w = 0; w < 4; ++w)
    r |= std::min((byte_sum(static_cast<u32>(i.A >> (8 * w)), i.b, masked) + (i.C >> (16 * w) & 0xffff)),
                  top) %
             0x10000
         << (16 * w);
  return r;
}

const Row pixels[] = {
    {"v_sad_u8 v10, v1, v2, v3", [](const In& i) { return out32(byte_sum(i.a, i.b, false) + i.c); }},
    {"v_sad_u8 v10, v1, v2, v3 clamp", [](const In& i) { return sat_u32(byte_sum(i.a, i.b, false) + i.c); }},
    {"v_sad_hi_u8 v10, v1, v2, v3",
     [](const In& i) { return out32((byte_sum(i.a, i.b, false) << 16) + i.c); }},
    {"v_sad_u16 v10, v1, v2, v3",
     [](const In& i) { return out32(distance(L(i.a), L(i.b)) + distance(H(i.a), H(i.b)) + i.c); }},
    {"v_sad_u32 v10, v1, v2, v3", [](const In& i) { return out32(distance(i.a, i.b) + i.c); }},
    {"v_msad_u8 v10, v1, v2, v3", [](const In& i) { return out32(byte_sum(i.a, i.b, true) + i.c); }},
    {"v_qsad_pk_u16_u8 v[10:11], v[4:5], v2, v[8:9]",
     [](const In& i) { return Out{windows(i, false, ~0ull)}; }},
    {"v_mqsad_pk_u16_u8 v[10:11], v[4:5], v2, v[8:9]",
     [](const In& i) { return Out{windows(i, true, ~0ull)}; }},
    {"v_qsad_pk_u16_u8 v[10:11], v[4:5], v2, v[8:9] clamp",
     [](const In& i) { return Out{windows(i, false, 0xffff)}; }},
    {"v_lerp_u8 v10, v1, v2, v3",
     [](const In& i) {
       u64 r = 0;
       for (unsigned n = 0; n < 32; n += 8)
         r |= u64{((i.a >> n & 255) + (i.b >> n & 255) + (i.c >> n & 1)) / 2} << n;
       return out32(r);
     }},
};

TEST(VectorPixel, SumsOfDistances) { check_rows(pixels); }

TEST(VectorPixel, FourWindowsOf32Bits) {
  for (const Target target : all_targets) {
    SCOPED_TRACE(name(target));
    InstructionBench bench(target, {"v_mqsad_u32_u8 v[10:13], v[4:5], v2, v[14:17]"});
    Wave& w = bench.wave();
    for (unsigned l = 0; l < lanes; ++l) {
      w.vgpr[4][l] = 0x01020304 * (l + 1), w.vgpr[5][l] = 0xfedcba98 - l, w.vgpr[2][l] = 0x00ff1000 + l;
      for (unsigned r = 0; r < 4; ++r) w.vgpr[14 + r][l] = 1000 * r + l;
    }
    bench.run(0);
    for (unsigned l = 0; l < lanes; ++l)
      for (unsigned r = 0; r < 4; ++r) {
        const u64 data = w.vgpr[4][l] | u64{w.vgpr[5][l]} << 32;
        EXPECT_EQ(w.vgpr[10 + r][l],
                  byte_sum(static_cast<u32>(data >> (8 * r)), w.vgpr[2][l], true) + 1000 * r + l)
            << r << " lane " << l;
      }
  }
}

i64 item(u32 a, unsigned n, unsigned width, bool is_signed) {
  const u64 v = a >> (n * width) & ((1u << width) - 1);
  return static_cast<i64>(is_signed && (v >> (width - 1)) != 0 ? v - (1ull << width) : v);
}
i128 dot(const In& i, unsigned width, bool is_signed) {
  i128 sum = 0;
  for (unsigned n = 0; n < 32 / width; ++n)
    sum += i128{item(i.a, n, width, is_signed)} * item(i.b, n, width, is_signed);
  return sum;
}

const Row dots[] = {
    {"v_dot2_i32_i16 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 16, true)) + i.c); }},
    {"v_dot2_u32_u16 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 16, false)) + i.c); }},
    {"v_dot4_i32_i8 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 8, true)) + i.c); }},
    {"v_dot4_i32_i8 v10, v1, v2, v3 clamp",
     [](const In& i) { return sat_i32(dot(i, 8, true) + static_cast<i32>(i.c)); }},
    {"v_dot4_u32_u8 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 8, false)) + i.c); }},
    {"v_dot8_i32_i4 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 4, true)) + i.c); }},
    {"v_dot8_u32_u4 v10, v1, v2, v3",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 4, false)) + i.c); }},
    {"v_dot8_u32_u4 v10, v1, v2, v3 clamp", [](const In& i) { return sat_u32(dot(i, 4, false) + i.c); }},
    {"v_dot2c_i32_i16 v10, v1, v2",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 16, true)) + i.old); }},
    {"v_dot4c_i32_i8 v10, v1, v2",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 8, true)) + i.old); }},
    {"v_dot8c_i32_i4 v10, v1, v2",
     [](const In& i) { return out32(static_cast<u64>(dot(i, 4, true)) + i.old); }},
};

TEST(VectorDot, IntegerProductsSummed) { check_rows(dots); }

Out pair(u64 low, u64 high) { return out32((low & 0xffff) | (high & 0xffff) << 16); }
i16 sH(u32 v) { return static_cast<i16>(v >> 16); }

const Row packed[] = {
    {"v_pk_add_u16 v10, v1, v2",
     [](const In& i) { return pair(u64{L(i.a)} + L(i.b), u64{H(i.a)} + H(i.b)); }},
    {"v_pk_add_u16 v10, v1, v2 clamp",
     [](const In& i) { return pair(std::min(L(i.a) + L(i.b), 0xffff), std::min(H(i.a) + H(i.b), 0xffff)); }},
    {"v_pk_add_u16 v10, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]",
     [](const In& i) { return pair(u64{H(i.a)} + L(i.b), u64{L(i.a)} + H(i.b)); }},
    {"v_pk_add_u16 v10, v1, 1 op_sel_hi:[1,0]",
     [](const In& i) { return pair(u64{L(i.a)} + 1, u64{H(i.a)} + 1); }},
    {"v_pk_add_u16 v10, v1, s30 op_sel:[0,1] op_sel_hi:[1,0]",
     [](const In& i) { return pair(u64{L(i.a)} + H(i.s), u64{H(i.a)} + L(i.s)); }},
    {"v_pk_sub_u16 v10, v1, v2",
     [](const In& i) { return pair(u64{L(i.a)} - L(i.b), u64{H(i.a)} - H(i.b)); }},
    {"v_pk_add_i16 v10, v1, v2",
     [](const In& i) { return pair(u64{L(i.a)} + L(i.b), u64{H(i.a)} + H(i.b)); }},
    {"v_pk_sub_i16 v10, v1, v2 clamp",
     [](const In& i) {
       return pair(static_cast<u64>(std::clamp(sL(i.a) - sL(i.b), -32768, 32767)),
                   static_cast<u64>(std::clamp(sH(i.a) - sH(i.b), -32768, 32767)));
     }},
    {"v_pk_mul_lo_u16 v10, v1, v2",
     [](const In& i) { return pair(u64{L(i.a)} * L(i.b), u64{H(i.a)} * H(i.b)); }},
    {"v_pk_mad_u16 v10, v1, v2, v3",
     [](const In& i) { return pair(u64{L(i.a)} * L(i.b) + L(i.c), u64{H(i.a)} * H(i.b) + H(i.c)); }},
    {"v_pk_mad_i16 v10, v1, v2, v3",
     [](const In& i) { return pair(u64{L(i.a)} * L(i.b) + L(i.c), u64{H(i.a)} * H(i.b) + H(i.c)); }},
    {"v_pk_min_i16 v10, v1, v2",
     [](const In& i) {
       return pair(static_cast<u64>(std::min(sL(i.a), sL(i.b))),
                   static_cast<u64>(std::min(sH(i.a), sH(i.b))));
     }},
    {"v_pk_max_i16 v10, v1, v2",
     [](const In& i) {
       return pair(static_cast<u64>(std::max(sL(i.a), sL(i.b))),
                   static_cast<u64>(std::max(sH(i.a), sH(i.b))));
     }},
    {"v_pk_min_u16 v10, v1, v2",
     [](const In& i) { return pair(std::min(L(i.a), L(i.b)), std::min(H(i.a), H(i.b))); }},
    {"v_pk_max_u16 v10, v1, v2",
     [](const In& i) { return pair(std::max(L(i.a), L(i.b)), std::max(H(i.a), H(i.b))); }},
    {"v_pk_lshlrev_b16 v10, v1, v2",
     [](const In& i) { return pair(u64{L(i.b)} << (L(i.a) % 16), u64{H(i.b)} << (H(i.a) % 16)); }},
    {"v_pk_lshlrev_b16 v10, 3, v2 op_sel_hi:[0,1]",
     [](const In& i) { return pair(u64{L(i.b)} << 3, u64{H(i.b)} << 3); }},
    {"v_pk_lshrrev_b16 v10, v1, v2",
     [](const In& i) { return pair(u64{L(i.b)} >> (L(i.a) % 16), u64{H(i.b)} >> (H(i.a) % 16)); }},
    {"v_pk_ashrrev_i16 v10, v1, v2",
     [](const In& i) {
       return pair(static_cast<u64>(sL(i.b) >> (L(i.a) % 16)), static_cast<u64>(sH(i.b) >> (H(i.a) % 16)));
     }},
    {"v_pk_mov_b32 v[10:11], v[4:5], v[6:7] op_sel:[0,1]",
     [](const In& i) { return Out{(i.A & 0xffffffff) | (i.B >> 32 << 32)}; }},
    {"v_pk_mov_b32 v[10:11], v[4:5], v[6:7] op_sel:[1,0]",
     [](const In& i) { return Out{i.A >> 32 | i.B << 32}; }},
    {"v_pk_mov_b32 v[10:11], s[32:33], s[32:33] op_sel:[0,1]", [](const In& i) { return Out{i.S}; }},
};

TEST(VectorPacked, HalvesByOpSel) { check_rows(packed); }

} // namespace
} // namespace cts::emulator::testing
