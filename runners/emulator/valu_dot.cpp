// Dot products of packed items onto 32 bits. [CDNA3 ISA 12.7, 12.10; CDNA4 ISA the same]
#include "runners/emulator/valu_float.hpp"

#include <array>

namespace cts::emulator {
namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// Field `n` of `Width` bits, extended by its sign where T is signed.
template <typename T, unsigned Width> constexpr i64 field(u32 a, unsigned n) {
  const u32 at_top = a << (32 - Width - n * Width);
  return std::is_signed_v<T> ? i64{static_cast<i32>(at_top) >> (32 - Width)} : i64{at_top >> (32 - Width)};
}

template <typename T, unsigned Width, bool Onto> void integer_dot(Exec& x, const Op& op) {
  const auto a = source<u32>(x, op, 0);
  const auto b = source<u32>(x, op, 1);
  const auto c = Onto ? result<T>(x, op) : source<T>(x, op, 2);
  Lanes<T> out;
  for (unsigned l = 0; l < lanes; ++l) {
    i64 sum = c[l];
    for (unsigned n = 0; n < 32 / Width; ++n) sum += field<T, Width>(a[l], n) * field<T, Width>(b[l], n);
    out[l] = fit<T>(sum, op.mods.clamp);
  }
  write_as(x, op, out, OtherHalf::zero);
}

enum class Item { half, bfloat };

/// An item as a float, denormals flushed, negated by its half's modifier.
template <Item I> float item(u32 bits, unsigned n, bool negate) {
  const auto half = static_cast<std::uint16_t>(bits >> (16 * n));
  const float value = I == Item::half ? widen(Half{flushed<Half>(half)})
                                      : std::bit_cast<float>(flushed<float>(static_cast<u32>(half) << 16));
  return negate ? -value : value;
}

/// V_DOT2: rounds to nearest even and flushes denormals in and out whatever MODE says [CDNA3 ISA 6.4].
/// `AddendLast`: the products are summed first.
template <Item I, bool Onto, bool AddendLast> void float_dot(Exec& x, const Op& op) {
  FloatMode m = float_mode<float>(x.w);
  m.keep_inputs = m.keep_outputs = false;
  const auto a = source<u32>(x, op, 0);
  const auto b = source<u32>(x, op, 1);
  auto c = wide_lanes<float>(float_bits(Onto ? result<float>(x, op) : source<float>(x, op, 2), m));
  // The addend's sign is no packed modifier's business: neg_lo of operand 2 negates the float.
  if (!Onto && (op.mods.neg_lo & 4) != 0)
    for (unsigned l = 0; l < lanes; ++l) c[l] = -c[l];
  const auto negates = [&](unsigned operand, unsigned n) {
    return ((n == 0 ? op.mods.neg_lo : op.mods.neg_hi) >> operand & 1) != 0;
  };
  Lanes<float> out;
  for (unsigned l = 0; l < lanes; ++l) {
    float product[2];
    for (unsigned n = 0; n < 2; ++n)
      product[n] = item<I>(a[l], n, negates(0, n)) * item<I>(b[l], n, negates(1, n));
    out[l] = AddendLast ? product[0] + product[1] + c[l] : c[l] + product[0] + product[1];
  }
  finish<float>(x, op, out, m);
}

/// Dot products take no op_sel. [CDNA3 ISA 6.2.1]
template <unsigned Taken> void bind_dot(Op& op, Target) {
  check_modifiers(op, Taken | take::packed);
  if (op.mods.op_sel != 0) check_modifiers(op, take::none);
}
template <unsigned Taken> void bind_dot_gfx950(Op& op, Target target) {
  bind_dot<Taken>(op, target);
  check_target(op, target);
}

} // namespace

std::vector<Semantics> valu_dot() {
  constexpr auto clamped = bind_dot<take::clamp>;
  constexpr Unit u = Unit::dot;
  using enum Item;
  return {
      {"v_dot2_i32_i16", integer_dot<i32, 16, false>, u, 1, clamped},
      {"v_dot2_u32_u16", integer_dot<u32, 16, false>, u, 1, clamped},
      {"v_dot4_i32_i8", integer_dot<i32, 8, false>, u, 1, clamped},
      {"v_dot4_u32_u8", integer_dot<u32, 8, false>, u, 1, clamped},
      {"v_dot8_i32_i4", integer_dot<i32, 4, false>, u, 1, clamped},
      {"v_dot8_u32_u4", integer_dot<u32, 4, false>, u, 1, clamped},
      {"v_dot2c_i32_i16", integer_dot<i32, 16, true>, u, 1, clamped, true},
      {"v_dot4c_i32_i8", integer_dot<i32, 8, true>, u, 1, clamped, true},
      {"v_dot8c_i32_i4", integer_dot<i32, 4, true>, u, 1, clamped, true},
      {"v_dot2_f32_f16", float_dot<half, false, false>, u, 1, clamped},
      {"v_dot2c_f32_f16", float_dot<half, true, false>, u, 1, clamped, true},
      {"v_dot2_f32_bf16", float_dot<bfloat, false, true>, u, 1, bind_dot_gfx950<take::clamp>},
      {"v_dot2c_f32_bf16", float_dot<bfloat, true, false>, u, 1, bind_dot_gfx950<take::clamp>, true},
  };
}

} // namespace cts::emulator
