// Conversions to and from FP8, BF8, FP6, BF6 and FP4, plain and scaled, and stochastic rounding to 16 bits.
// [CDNA3 ISA 7.2, 12.11; CDNA4 ISA 7.3, 12.11]
//
// A scale is the exponent byte E of a float: values are divided by 2^(E - 127) on their way to a small format
// and multiplied by it on their way back. E = 255 is NaN.
#include "runners/emulator/fault.hpp"
#include "runners/emulator/small_float.hpp"
#include "runners/emulator/valu_float.hpp"

#include <array>

namespace cts::emulator {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

enum class Small : std::uint8_t { fp8, bf8, fp6, bf6, fp4 };
enum class Item : std::uint8_t { f32, f16, bf16 }; ///< the wider side of a conversion

const SmallFloat& format_of(Small s, Target target) {
  if (planted(Fault::fp8_conversion_encoding_swapped)) target = other_target(target);
  switch (s) {
  case Small::fp8: return fp8(target);
  case Small::bf8: return bf8(target);
  case Small::fp6: return small::fp6;
  case Small::bf6: return small::bf6;
  case Small::fp4: return small::fp4;
  }
  return small::fp4;
}
constexpr unsigned width_of(Small s) {
  return s == Small::fp4 ? 4 : s == Small::fp6 || s == Small::bf6 ? 6 : 8;
}

constexpr u32 next_random(u32 r) { return r << 1 ^ (r >> 31 != 0 ? 197u : 0u); } // V_PRNG_B32

/// The registers of a source: of a scalar or a constant, as many equal ones.
class Registers {
public:
  Registers(const Exec& x, const Op& op, unsigned i) {
    if (op.src[i].kind == Source::Kind::vector)
      first_ = &x.w.vgpr[vector_index(x, op, op.src[i], i)];
    else
      broadcast_ = source_bits32(x, op, i);
  }
  u32 at(unsigned r, unsigned lane) const { return first_ != nullptr ? first_[r][lane] : broadcast_[lane]; }

private:
  const u32 (*first_)[lanes] = nullptr;
  Lanes<u32> broadcast_;
};

double item_value(Item kind, u32 bits, const FloatMode& m32) {
  switch (kind) {
  case Item::f32: return std::bit_cast<float>(m32.keep_inputs ? bits : flushed<float>(bits));
  case Item::f16: return widen(Half{static_cast<u16>(bits)});
  case Item::bf16: return std::bit_cast<float>(bits << 16);
  }
  return 0;
}

/// Item `n` of a run of registers.
double item_at(Item kind, const Registers& r, unsigned n, unsigned lane, const FloatMode& m32) {
  if (kind == Item::f32) return item_value(kind, r.at(n, lane), m32);
  return item_value(kind, r.at(n / 2, lane) >> (16 * (n % 2)), m32);
}

u32 item_bits(Item kind, double value, const FloatMode& m16) {
  switch (kind) {
  case Item::f32: return to_bits(static_cast<float>(value));
  case Item::f16: return narrow(value, Round::nearest_even, m16.fp16_ovfl).bits;
  case Item::bf16: return encode(small::bf16, value, std::nullopt, false);
  }
  return 0;
}

/// value * 2^(direction * (E - 127)), NaN where the scale is.
double scaled(double value, u32 scale, int direction) {
  const int e = exponent_field<float>(scale);
  return e == 255 ? std::bit_cast<double>(default_nan<double>) : std::ldexp(value, direction * (e - 127));
}

/// Writes `width` bits at bit `at` of each written lane of the destination, the rest stays.
void write_field(Exec& x, const Op& op, const Lanes<u32>& value, unsigned at, unsigned width) {
  const u32 field = (width == 32 ? ~0u : (1u << width) - 1) << at;
  Lanes<u32> whole = result_bits32(x, op);
  for (unsigned l = 0; l < lanes; ++l) whole[l] = (whole[l] & ~field) | (value[l] << at & field);
  write(x, op, whole);
}

/// How a narrow result is addressed: by the destination's half, or by op_sel[3:2] a byte.
unsigned destination_half(const Op& op) { return (op.mods.op_sel >> 3 & 1) * 16u; }
unsigned destination_byte(const Op& op) { return (op.mods.op_sel >> 2 & 3) * 8u; }
unsigned source_half(const Op& op) { return (op.mods.op_sel & 1) * 16u; }
unsigned source_byte(const Op& op) { return (op.mods.op_sel & 3) * 8u; }

bool saturates(const Exec& x) {
  if (planted(Fault::fp16_ovfl_ignored)) return false;
  return planted(Fault::conversions_always_saturate) || (x.w.mode & mode::fp16_ovfl) != 0;
}

// --- to small formats
// ---------------------------------------------------------------------------------------------------

/// Two items to 8 or 16 bits. `Sources` f32 operands, or one register of two 16-bit items; then the scale, if
/// `Scaled`.
template <Small S, Item I, bool Scaled> void pack_pair(Exec& x, const Op& op) {
  const SmallFloat& format = format_of(S, x.launch.target);
  const FloatMode m32 = float_mode<float>(x.w);
  Lanes<double> item[2];
  if constexpr (I == Item::f32) {
    for (unsigned n = 0; n < 2; ++n) {
      const auto v = float_source<float>(x, op, n, m32);
      for (unsigned l = 0; l < lanes; ++l) item[n][l] = v[l];
    }
  } else {
    const Registers r(x, op, 0);
    for (unsigned n = 0; n < 2; ++n)
      for (unsigned l = 0; l < lanes; ++l) item[n][l] = item_at(I, r, n, l, m32);
  }
  constexpr unsigned scale_operand = I == Item::f32 ? 2 : 1;
  Lanes<u32> scale{};
  if constexpr (Scaled) scale = source_bits32(x, op, scale_operand);
  Lanes<u32> out{};
  for (unsigned l = 0; l < lanes; ++l)
    for (unsigned n = 0; n < 2; ++n) {
      const double value = Scaled ? scaled(item[n][l], scale[l], -1) : item[n][l];
      out[l] |= encode(format, value, std::nullopt, saturates(x)) << (n * width_of(S));
    }
  if constexpr (width_of(S) == 8)
    write_field(x, op, out, destination_half(op), 16);
  else
    write_field(x, op, out, destination_byte(op), 8);
}

/// One item to a byte, stochastically: value, random bits, and the scale if `Scaled`.
template <Small S, Item I, bool Scaled> void round_one(Exec& x, const Op& op) {
  const SmallFloat& format = format_of(S, x.launch.target);
  const FloatMode m32 = float_mode<float>(x.w);
  Lanes<u32> bits;
  if constexpr (I == Item::f32)
    bits = std::bit_cast<Lanes<u32>>(source<float>(x, op, 0));
  else {
    const auto half = std::bit_cast<Lanes<u16>>(source<Half>(x, op, 0));
    for (unsigned l = 0; l < lanes; ++l) bits[l] = half[l];
  }
  const auto random = source<u32>(x, op, 1);
  Lanes<u32> scale{};
  if constexpr (Scaled) scale = source_bits32(x, op, 2);
  Lanes<u32> out;
  for (unsigned l = 0; l < lanes; ++l) {
    const double value = item_value(I, bits[l], m32);
    out[l] = encode(format, Scaled ? scaled(value, scale[l], -1) : value, random[l], saturates(x));
  }
  write_field(x, op, out, destination_byte(op), 8);
}

/// Two items of the first source to FP4, stochastically: the second uses the next random number.
template <Item I> void round_pair_fp4(Exec& x, const Op& op) {
  const FloatMode m32 = float_mode<float>(x.w);
  const Registers r(x, op, 0);
  const auto random = source<u32>(x, op, 1);
  const auto scale = source_bits32(x, op, 2);
  Lanes<u32> out{};
  for (unsigned l = 0; l < lanes; ++l) {
    u32 seed = random[l];
    for (unsigned n = 0; n < 2; ++n, seed = next_random(seed))
      out[l] |= encode(small::fp4, scaled(item_at(I, r, n, l, m32), scale[l], -1), seed, false) << (4 * n);
  }
  write_field(x, op, out, destination_byte(op), 8);
}

/// 32 six-bit codes to six registers.
void write_six_bit_codes(Exec& x, const Op& op, const std::array<Lanes<u32>, 32>& code) {
  Lanes<u32> out[6] = {};
  for (unsigned n = 0; n < 32; ++n) {
    const unsigned word = 6 * n / 32, shift = 6 * n % 32;
    for (unsigned l = 0; l < lanes; ++l) {
      out[word][l] |= code[n][l] << shift;
      if (shift > 26) out[word + 1][l] |= code[n][l] >> (32 - shift);
    }
  }
  write_registers(x, op, out, 6);
}

/// 32 items to FP6 or BF6: from one source, or (2XPK16) even items from the first and odd ones from the
/// second.
template <Small S, Item I, bool TwoSources, bool Stochastic> void pack_thirty_two(Exec& x, const Op& op) {
  const SmallFloat& format = format_of(S, x.launch.target);
  const FloatMode m32 = float_mode<float>(x.w);
  const Registers first(x, op, 0), second(x, op, 1); // the second is a vector, or random bits
  const auto scale = source_bits32(x, op, TwoSources || Stochastic ? 2 : 1);
  Lanes<u32> random = Stochastic ? source_bits32(x, op, 1) : Lanes<u32>{};
  std::array<Lanes<u32>, 32> code;
  for (unsigned n = 0; n < 32; ++n)
    for (unsigned l = 0; l < lanes; ++l) {
      const double value =
          TwoSources ? item_at(I, n % 2 == 0 ? first : second, n / 2, l, m32) : item_at(I, first, n, l, m32);
      code[n][l] = encode(format, scaled(value, scale[l], -1),
                          Stochastic ? std::optional(random[l]) : std::nullopt, false);
      random[l] = next_random(random[l]);
    }
  write_six_bit_codes(x, op, code);
}

/// V_CVT_SR_F16_F32, V_CVT_SR_BF16_F32.
template <Item I> void round_to_half(Exec& x, const Op& op) {
  const auto value = float_source<float>(x, op, 0, float_mode<float>(x.w));
  const auto random = source<u32>(x, op, 1);
  Lanes<u32> out;
  for (unsigned l = 0; l < lanes; ++l)
    out[l] = encode(I == Item::f16 ? small::fp16 : small::bf16, value[l], random[l],
                    I == Item::f16 && saturates(x));
  write_field(x, op, out, destination_half(op), 16);
}

// --- from small formats
// -------------------------------------------------------------------------------------------------

/// V_CVT_F32_FP8, V_CVT_F32_BF8: SDWA has selected the byte.
template <Small S> void widen_one(Exec& x, const Op& op) {
  const auto code = source<u32>(x, op, 0);
  Lanes<float> out;
  for (unsigned l = 0; l < lanes; ++l)
    out[l] = static_cast<float>(decode(format_of(S, x.launch.target), code[l] & 255));
  write(x, op, std::bit_cast<Lanes<u32>>(out));
}

/// Two codes of a word: SDWA has selected it, or op_sel[0]; with a scale they are multiplied. FP4 pairs are
/// bytes.
template <Small S, Item I, bool Scaled> void widen_pair(Exec& x, const Op& op) {
  const SmallFloat& format = format_of(S, x.launch.target);
  const auto code = source<u32>(x, op, 0);
  const Lanes<u32> scale = Scaled ? source_bits32(x, op, 1) : Lanes<u32>{};
  const FloatMode m16 = float_mode<Half>(x.w);
  const unsigned at = !Scaled ? 0 : S == Small::fp4 ? source_byte(op) : source_half(op);
  Lanes<u32> out[2];
  for (unsigned n = 0; n < 2; ++n)
    for (unsigned l = 0; l < lanes; ++l) {
      const double value = decode(format, code[l] >> (at + n * width_of(S)));
      out[n][l] = item_bits(I, Scaled ? scaled(value, scale[l], 1) : value, m16);
    }
  if constexpr (I == Item::f32)
    write_registers(x, op, out, 2);
  else {
    for (unsigned l = 0; l < lanes; ++l) out[0][l] |= out[1][l] << 16;
    write(x, op, out[0]);
  }
}

/// One scaled code, a byte of the source, to a float or to a half of the destination.
template <Small S, Item I> void widen_scaled(Exec& x, const Op& op) {
  const auto code = source<u32>(x, op, 0);
  const auto scale = source_bits32(x, op, 1);
  const FloatMode m16 = float_mode<Half>(x.w);
  Lanes<u32> out;
  for (unsigned l = 0; l < lanes; ++l)
    out[l] = item_bits(
        I, scaled(decode(format_of(S, x.launch.target), code[l] >> source_byte(op)), scale[l], 1), m16);
  if constexpr (I == Item::f32)
    write(x, op, out);
  else
    write_field(x, op, out, destination_half(op), 16);
}

/// 32 six-bit codes of six registers.
template <Small S, Item I> void widen_thirty_two(Exec& x, const Op& op) {
  const SmallFloat& format = format_of(S, x.launch.target);
  const Registers r(x, op, 0);
  const auto scale = source_bits32(x, op, 1);
  const FloatMode m16 = float_mode<Half>(x.w);
  constexpr unsigned registers = I == Item::f32 ? 32 : 16;
  std::array<Lanes<u32>, registers> out{};
  for (unsigned n = 0; n < 32; ++n) {
    const unsigned word = 6 * n / 32, shift = 6 * n % 32;
    for (unsigned l = 0; l < lanes; ++l) {
      u32 code = r.at(word, l) >> shift;
      if (shift > 26) code |= r.at(word + 1, l) << (32 - shift);
      const u32 bits = item_bits(I, scaled(decode(format, code & 63), scale[l], 1), m16);
      if constexpr (I == Item::f32)
        out[n][l] = bits;
      else
        out[n / 2][l] |= bits << (16 * (n % 2));
    }
  }
  write_registers(x, op, out.data(), registers);
}

/// The decoded operands may have been merged before they are read here: op_sel is always the encoding's.
constexpr unsigned narrow_result =
    take::op_sel | take::negate | take::clamp | take::omod; // clamp and omod are ignored

} // namespace

std::vector<Semantics> valu_small_float() {
  using enum Small;
  using enum Item;
  constexpr Unit u = Unit::valu;
  constexpr auto both = permit<narrow_result>;
  constexpr auto scaled_to = permit_gfx950<take::op_sel | take::negate>;
  constexpr auto scaled_from = permit_gfx950<take::op_sel>;
  constexpr auto wide = permit_gfx950<take::whole>;
  return {
      {"v_cvt_pk_fp8_f32", pack_pair<fp8, f32, false>, u, 1, both, true},
      {"v_cvt_pk_bf8_f32", pack_pair<bf8, f32, false>, u, 1, both, true},
      {"v_cvt_sr_fp8_f32", round_one<fp8, f32, false>, u, 1, both, true},
      {"v_cvt_sr_bf8_f32", round_one<bf8, f32, false>, u, 1, both, true},
      {"v_cvt_sr_f16_f32", round_to_half<f16>, u, 1, permit_gfx950<narrow_result>, true},
      {"v_cvt_sr_bf16_f32", round_to_half<bf16>, u, 1, permit_gfx950<narrow_result>, true},
      {"v_cvt_f32_fp8", widen_one<fp8>, u, 1, permit<take::none>},
      {"v_cvt_f32_bf8", widen_one<bf8>, u, 1, permit<take::none>},
      {"v_cvt_pk_f32_fp8", widen_pair<fp8, f32, false>, u, 1, permit<take::none>},
      {"v_cvt_pk_f32_bf8", widen_pair<bf8, f32, false>, u, 1, permit<take::none>},

      {"v_cvt_scalef32_pk_fp8_f32", pack_pair<fp8, f32, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_pk_bf8_f32", pack_pair<bf8, f32, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_pk_fp8_f16", pack_pair<fp8, f16, true>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_pk_bf8_f16", pack_pair<bf8, f16, true>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_pk_fp8_bf16", pack_pair<fp8, bf16, true>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_pk_bf8_bf16", pack_pair<bf8, bf16, true>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_pk_fp4_f32", pack_pair<fp4, f32, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_pk_fp4_f16", pack_pair<fp4, f16, true>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_pk_fp4_bf16", pack_pair<fp4, bf16, true>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_sr_fp8_f32", round_one<fp8, f32, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_sr_bf8_f32", round_one<bf8, f32, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_sr_fp8_f16", round_one<fp8, f16, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_sr_bf8_f16", round_one<bf8, f16, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_sr_fp8_bf16", round_one<fp8, bf16, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_sr_bf8_bf16", round_one<bf8, bf16, true>, u, 1, scaled_to, true},
      {"v_cvt_scalef32_sr_pk_fp4_f32", round_pair_fp4<f32>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_sr_pk_fp4_f16", round_pair_fp4<f16>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_sr_pk_fp4_bf16", round_pair_fp4<bf16>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_2xpk16_fp6_f32", pack_thirty_two<fp6, f32, true, false>, u, 1, wide},
      {"v_cvt_scalef32_2xpk16_bf6_f32", pack_thirty_two<bf6, f32, true, false>, u, 1, wide},
      {"v_cvt_scalef32_pk32_fp6_f16", pack_thirty_two<fp6, f16, false, false>, u, 1, wide},
      {"v_cvt_scalef32_pk32_bf6_f16", pack_thirty_two<bf6, f16, false, false>, u, 1, wide},
      {"v_cvt_scalef32_pk32_fp6_bf16", pack_thirty_two<fp6, bf16, false, false>, u, 1, wide},
      {"v_cvt_scalef32_pk32_bf6_bf16", pack_thirty_two<bf6, bf16, false, false>, u, 1, wide},
      {"v_cvt_scalef32_sr_pk32_fp6_f32", pack_thirty_two<fp6, f32, false, true>, u, 1, wide},
      {"v_cvt_scalef32_sr_pk32_bf6_f32", pack_thirty_two<bf6, f32, false, true>, u, 1, wide},
      {"v_cvt_scalef32_sr_pk32_fp6_f16", pack_thirty_two<fp6, f16, false, true>, u, 1, wide},
      {"v_cvt_scalef32_sr_pk32_bf6_f16", pack_thirty_two<bf6, f16, false, true>, u, 1, wide},
      {"v_cvt_scalef32_sr_pk32_fp6_bf16", pack_thirty_two<fp6, bf16, false, true>, u, 1, wide},
      {"v_cvt_scalef32_sr_pk32_bf6_bf16", pack_thirty_two<bf6, bf16, false, true>, u, 1, wide},

      {"v_cvt_scalef32_f32_fp8", widen_scaled<fp8, f32>, u, 1, scaled_from},
      {"v_cvt_scalef32_f32_bf8", widen_scaled<bf8, f32>, u, 1, scaled_from},
      {"v_cvt_scalef32_f16_fp8", widen_scaled<fp8, f16>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_f16_bf8", widen_scaled<bf8, f16>, u, 1, scaled_from, true},
      {"v_cvt_scalef32_pk_f32_fp8", widen_pair<fp8, f32, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_f32_bf8", widen_pair<bf8, f32, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_f16_fp8", widen_pair<fp8, f16, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_f16_bf8", widen_pair<bf8, f16, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_bf16_fp8", widen_pair<fp8, bf16, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_bf16_bf8", widen_pair<bf8, bf16, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_f32_fp4", widen_pair<fp4, f32, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_f16_fp4", widen_pair<fp4, f16, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk_bf16_fp4", widen_pair<fp4, bf16, true>, u, 1, scaled_from},
      {"v_cvt_scalef32_pk32_f32_fp6", widen_thirty_two<fp6, f32>, u, 1, wide},
      {"v_cvt_scalef32_pk32_f32_bf6", widen_thirty_two<bf6, f32>, u, 1, wide},
      {"v_cvt_scalef32_pk32_f16_fp6", widen_thirty_two<fp6, f16>, u, 1, wide},
      {"v_cvt_scalef32_pk32_f16_bf6", widen_thirty_two<bf6, f16>, u, 1, wide},
      {"v_cvt_scalef32_pk32_bf16_fp6", widen_thirty_two<fp6, bf16>, u, 1, wide},
      {"v_cvt_scalef32_pk32_bf16_bf6", widen_thirty_two<bf6, bf16>, u, 1, wide},
  };
}

} // namespace cts::emulator
