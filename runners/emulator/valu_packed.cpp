// Packed instructions: two items an operand, halves or floats, each result choosing its halves by op_sel and
// op_sel_hi; and the mixed-precision fused multiply-adds. [CDNA3 ISA 6.7, 12.10]
#include "runners/emulator/valu_float.hpp"

#include <algorithm>

namespace cts::emulator {
namespace {

using i16 = std::int16_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;

/// Half of source `i` that result `half` (0 low, 1 high) takes.
bool takes_high(const Op& op, unsigned i, unsigned half) {
  return ((half == 0 ? op.mods.op_sel : op.mods.op_sel_hi) >> i & 1) != 0;
}
bool negates(const Op& op, unsigned i, unsigned half) {
  return ((half == 0 ? op.mods.neg_lo : op.mods.neg_hi) >> i & 1) != 0;
}

template <typename T> Lanes<T> packed_source(const Exec& x, const Op& op, unsigned i, unsigned half) {
  auto bits = source_bits16(x, op, i, takes_high(op, i, half));
  if (is_float<T> && negates(op, i, half))
    for (unsigned l = 0; l < lanes; ++l) bits[l] = static_cast<u16>(bits[l] ^ Format<Half>::sign);
  return std::bit_cast<Lanes<T>>(bits);
}

/// A half of what the destination holds.
Lanes<Half> packed_result(const Exec& x, const Op& op, unsigned half) {
  const auto whole = result_bits32(x, op);
  Lanes<u16> bits;
  for (unsigned l = 0; l < lanes; ++l) bits[l] = static_cast<u16>(whole[l] >> (16 * half));
  return std::bit_cast<Lanes<Half>>(bits);
}

template <typename T> void write_pair(Exec& x, const Op& op, const Lanes<T> (&half)[2]) {
  const auto low = std::bit_cast<Lanes<u16>>(half[0]), high = std::bit_cast<Lanes<u16>>(half[1]);
  Lanes<u32> whole;
  for (unsigned l = 0; l < lanes; ++l) whole[l] = low[l] | static_cast<u32>(high[l]) << 16;
  write(x, op, whole);
}

/// An integer instruction: F gives the exact result in 64 bits.
template <typename T, auto F> void packed_integer(Exec& x, const Op& op) {
  Lanes<T> out[2];
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    for (unsigned half = 0; half < 2; ++half) {
      const auto exact = map<i64, F>(packed_source<T>(x, op, static_cast<unsigned>(I), half)...);
      for (unsigned l = 0; l < lanes; ++l) out[half][l] = fit<T>(exact[l], op.mods.clamp);
    }
  }
  (std::make_index_sequence<SignatureOf<F>::count>{});
  write_pair(x, op, out);
}

Lanes<double> wide_halves(const Lanes<Half>& value, const FloatMode& m) {
  return wide_lanes<Half>(float_bits(value, m));
}

template <unsigned Sources, auto F> void packed_half(Exec& x, const Op& op) {
  const FloatMode m = float_mode<Half>(x.w);
  Lanes<u16> out[2];
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    for (unsigned half = 0; half < 2; ++half) {
      out[half] = narrow_lanes<Half>(
          compute<Half, F>(m, wide_halves(packed_source<Half>(x, op, static_cast<unsigned>(I), half), m)...),
          m);
      modify_results<Half>(op, out[half], m);
    }
  }
  (std::make_index_sequence<Sources>{});
  write_pair(x, op, out);
}

void packed_half_onto(Exec& x, const Op& op) {
  const FloatMode m = float_mode<Half>(x.w);
  Lanes<u16> out[2];
  for (unsigned half = 0; half < 2; ++half) {
    out[half] = narrow_lanes<Half>(
        compute<Half, ([](double a, double b, double c) { return std::fma(a, b, c); })>(
            m, wide_halves(packed_source<Half>(x, op, 0, half), m),
            wide_halves(packed_source<Half>(x, op, 1, half), m), wide_halves(packed_result(x, op, half), m)),
        m);
    modify_results<Half>(op, out[half], m);
  }
  write_pair(x, op, out);
}

/// Choices among bits: F(a, b[, c], ieee).
template <unsigned Sources, auto F> void packed_choice(Exec& x, const Op& op) {
  const FloatMode m = float_mode<Half>(x.w);
  Lanes<u16> out[2];
  for (unsigned half = 0; half < 2; ++half) {
    Lanes<u16> s[Sources];
    for (unsigned i = 0; i < Sources; ++i) s[i] = float_bits(packed_source<Half>(x, op, i, half), m);
    for (unsigned l = 0; l < lanes; ++l) {
      if constexpr (Sources == 2)
        out[half][l] = F(s[0][l], s[1][l], m.ieee);
      else
        out[half][l] = F(s[0][l], s[1][l], s[2][l]);
    }
    modify_results<Half>(op, out[half], m);
  }
  write_pair(x, op, out);
}

/// One dword of a 64-bit operand. Of a constant the low dword is the 32-bit constant; above it an integer has
/// its sign.
Lanes<u32> dword(const Exec& x, const Op& op, unsigned i, bool high) {
  const Source& s = op.src[i];
  Lanes<u32> value;
  if (s.kind == Source::Kind::vector) {
    const unsigned index = vector_index(x, op, s, i) + (high ? 1 : 0);
    std::copy_n(x.w.vgpr[index], lanes, value.lane);
    return value;
  }
  u32 all = scalar32(x, s);
  if (high && s.kind == Source::Kind::scalar)
    all = x.w.sgpr[s.first + 1u];
  else if (high && s.kind == Source::Kind::constant)
    all = static_cast<u16>(s.bits32) == s.bits16 && !s.literal ? static_cast<u32>(s.bits64 >> 32) : 0;
  std::fill_n(value.lane, lanes, all);
  return value;
}

Lanes<float> packed_float_source(const Exec& x, const Op& op, unsigned i, unsigned half, const FloatMode& m) {
  auto bits = dword(x, op, i, takes_high(op, i, half));
  if (negates(op, i, half))
    for (unsigned l = 0; l < lanes; ++l) bits[l] ^= Format<float>::sign;
  return wide_lanes<float>(float_bits(std::bit_cast<Lanes<float>>(bits), m));
}

template <unsigned Sources, auto F> void packed_float(Exec& x, const Op& op) {
  const FloatMode m = float_mode<float>(x.w);
  Lanes<u32> out[2];
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    for (unsigned half = 0; half < 2; ++half) {
      out[half] = narrow_lanes<float>(
          compute<float, F>(m, packed_float_source(x, op, static_cast<unsigned>(I), half, m)...), m);
      modify_results<float>(op, out[half], m);
    }
  }
  (std::make_index_sequence<Sources>{});
  write_registers(x, op, out, 2);
}

/// V_PK_MOV_B32: the low result from S0, the high one from S1, each by its op_sel bit; op_sel_hi has no say.
void packed_move(Exec& x, const Op& op) {
  const Lanes<u32> out[2] = {dword(x, op, 0, selects_high(op, 0)), dword(x, op, 1, selects_high(op, 1))};
  write_registers(x, op, out, 2);
}

/// V_FMA_MIX: operand i is a float, or with op_sel_hi[i] the half that op_sel[i] names.
Lanes<float> mixed_source(const Exec& x, const Op& op, unsigned i) {
  if ((op.mods.op_sel_hi >> i & 1) == 0) {
    Lanes<u32> bits = source_bits32(x, op, i);
    for (unsigned l = 0; l < lanes; ++l) {
      if (op.src[i].absolute) bits[l] &= ~Format<float>::sign;
      if (op.src[i].negate) bits[l] ^= Format<float>::sign;
    }
    return wide_lanes<float>(float_bits(std::bit_cast<Lanes<float>>(bits), float_mode<float>(x.w)));
  }
  const auto half = float_bits(source<Half>(x, op, i), float_mode<Half>(x.w));
  Lanes<float> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = widen(Half{half[l]});
  return out;
}

constexpr auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };

Lanes<float> mixed_product(const Exec& x, const Op& op) {
  return compute<float, fused>(float_mode<float>(x.w), mixed_source(x, op, 0), mixed_source(x, op, 1),
                               mixed_source(x, op, 2));
}

void mixed(Exec& x, const Op& op) { finish<float>(x, op, mixed_product(x, op), float_mode<float>(x.w)); }

/// V_FMA_MIXLO and V_FMA_MIXHI: the float rounded once more, to one half of the destination; the other one
/// stays.
template <bool High> void mixed_to_half(Exec& x, const Op& op) {
  const FloatMode m = float_mode<Half>(x.w);
  const auto product = mixed_product(x, op);
  Lanes<u16> bits;
  for (unsigned l = 0; l < lanes; ++l) bits[l] = narrow(product[l], m.round, m.fp16_ovfl).bits;
  modify_results<Half>(op, bits, m);
  Lanes<u32> whole = result_bits32(x, op);
  constexpr unsigned shift = High ? 16 : 0;
  for (unsigned l = 0; l < lanes; ++l)
    whole[l] = (whole[l] & ~(0xffffu << shift)) | static_cast<u32>(bits[l]) << shift;
  write(x, op, whole);
}

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto multiply = [](auto a, auto b) { return a * b; };

} // namespace

std::vector<Semantics> valu_packed() {
  constexpr auto packed = permit<take::packed | take::clamp>;
  constexpr auto packed950 = permit_gfx950<take::packed | take::clamp>;
  constexpr auto mix = permit<take::packed | take::clamp | take::negate>;
  constexpr Unit u = Unit::valu;
  return {
      {"v_pk_mad_i16", packed_integer<i16, ([](i16 a, i16 b, i16 c) { return i64{a} * b + c; })>, u, 1,
       packed},
      {"v_pk_mad_u16", packed_integer<u16, ([](u16 a, u16 b, u16 c) { return i64{a} * b + c; })>, u, 1,
       packed},
      {"v_pk_mul_lo_u16", packed_integer<u16, ([](u16 a, u16 b) { return i64{a} * b; })>, u, 1, packed},
      {"v_pk_add_i16", packed_integer<i16, ([](i16 a, i16 b) { return i64{a} + b; })>, u, 1, packed},
      {"v_pk_sub_i16", packed_integer<i16, ([](i16 a, i16 b) { return i64{a} - b; })>, u, 1, packed},
      {"v_pk_add_u16", packed_integer<u16, ([](u16 a, u16 b) { return i64{a} + b; })>, u, 1, packed},
      {"v_pk_sub_u16", packed_integer<u16, ([](u16 a, u16 b) { return i64{a} - b; })>, u, 1, packed},
      {"v_pk_max_i16", packed_integer<i16, ([](i16 a, i16 b) { return i64{std::max(a, b)}; })>, u, 1, packed},
      {"v_pk_min_i16", packed_integer<i16, ([](i16 a, i16 b) { return i64{std::min(a, b)}; })>, u, 1, packed},
      {"v_pk_max_u16", packed_integer<u16, ([](u16 a, u16 b) { return i64{std::max(a, b)}; })>, u, 1, packed},
      {"v_pk_min_u16", packed_integer<u16, ([](u16 a, u16 b) { return i64{std::min(a, b)}; })>, u, 1, packed},
      {"v_pk_lshlrev_b16", packed_integer<u16, ([](u16 a, u16 b) { return i64{b} << (a & 15) & 0xffff; })>, u,
       1, packed},
      {"v_pk_lshrrev_b16", packed_integer<u16, ([](u16 a, u16 b) { return i64{b} >> (a & 15); })>, u, 1,
       packed},
      {"v_pk_ashrrev_i16", packed_integer<i16, ([](i16 a, i16 b) { return i64{b} >> (a & 15); })>, u, 1,
       packed},
      {"v_pk_add_f16", packed_half<2, add>, u, 1, packed},
      {"v_pk_mul_f16", packed_half<2, multiply>, u, 1, packed},
      {"v_pk_fma_f16", packed_half<3, fused>, u, 1, packed},
      {"v_pk_fmac_f16", packed_half_onto, u, 1, packed, true},
      {"v_pk_min_f16", packed_choice<2, minimum_half>, u, 1, packed},
      {"v_pk_max_f16", packed_choice<2, maximum_half>, u, 1, packed},
      {"v_pk_minimum3_f16", packed_choice<3, minimum3_half>, u, 1, packed950},
      {"v_pk_maximum3_f16", packed_choice<3, maximum3_half>, u, 1, packed950},
      {"v_pk_add_f32", packed_float<2, add>, u, 1, packed},
      {"v_pk_mul_f32", packed_float<2, multiply>, u, 1, packed},
      {"v_pk_fma_f32", packed_float<3, fused>, u, 1, packed},
      {"v_pk_mov_b32", packed_move, u, 1, packed},
      {"v_fma_mix_f32", mixed, u, 1, mix},
      {"v_fma_mixlo_f16", mixed_to_half<false>, u, 1, mix, true},
      {"v_fma_mixhi_f16", mixed_to_half<true>, u, 1, mix, true},
  };
}

} // namespace cts::emulator
