// Floating-point handlers made of lane functions: inputs by MODE, one rounding, then omod, clamp and
// flushing.
#pragma once

#include "runners/emulator/valu.hpp"

#include <algorithm>

namespace cts::emulator {

/// The type that T's arithmetic is done in: halves in double, see Half.
template <typename T> using Wide = std::conditional_t<std::is_same_v<T, Half>, double, T>;

constexpr double widened(Half h) { return widen(h); }
constexpr float widened(float f) { return f; }
constexpr double widened(double d) { return d; }

/// Source `i` as T's bits, denormals flushed where MODE says so.
template <typename T> Lanes<BitsOf<T>> float_bits(const Lanes<T>& value, const FloatMode& m) {
  auto bits = std::bit_cast<Lanes<BitsOf<T>>>(value);
  if (!m.keep_inputs)
    for (unsigned l = 0; l < lanes; ++l) bits[l] = flushed<T>(bits[l]);
  return bits;
}

template <typename T> Lanes<Wide<T>> wide_lanes(const Lanes<BitsOf<T>>& bits) {
  Lanes<Wide<T>> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = widened(std::bit_cast<T>(bits[l]));
  return out;
}

template <typename T>
Lanes<Wide<T>> float_source(const Exec& x, const Op& op, unsigned i, const FloatMode& m) {
  return wide_lanes<T>(float_bits(source<T>(x, op, i), m));
}

/// Rounds wide values to T's bits.
template <typename T> Lanes<BitsOf<T>> narrow_lanes(const Lanes<Wide<T>>& value, const FloatMode& m) {
  Lanes<BitsOf<T>> bits;
  if constexpr (std::is_same_v<T, Half>)
    for (unsigned l = 0; l < lanes; ++l) bits[l] = narrow(value[l], m.round, m.fp16_ovfl).bits;
  else
    bits = std::bit_cast<Lanes<BitsOf<T>>>(value);
  return bits;
}

/// Output denormals, omod and clamp on finished results. Omod works only where output denormals are flushed
/// and IEEE mode is off, and flushes -0. [CDNA3 ISA 6.2.2, 6.5]
template <typename T> void modify_results(const Op& op, Lanes<BitsOf<T>>& bits, const FloatMode& m) {
  if (!m.keep_outputs)
    for (unsigned l = 0; l < lanes; ++l) bits[l] = flushed<T>(bits[l]);
  if (op.mods.omod != 0 && !m.keep_outputs && !m.ieee) {
    constexpr double factors[] = {1, 2, 4, 0.5};
    for (unsigned l = 0; l < lanes; ++l) {
      if (is_nan<T>(bits[l])) continue;
      const auto scaled = static_cast<Wide<T>>(widened(std::bit_cast<T>(bits[l])) *
                                               static_cast<Wide<T>>(factors[op.mods.omod]));
      const auto b = [&] {
        if constexpr (std::is_same_v<T, Half>)
          return narrow(scaled, m.round, m.fp16_ovfl).bits;
        else
          return to_bits(scaled);
      }();
      bits[l] = exponent_field<T>(b) == 0 ? BitsOf<T>{0} : b;
    }
  }
  if (op.mods.clamp)
    for (unsigned l = 0; l < lanes; ++l) {
      const BitsOf<T> b = bits[l];
      if (is_nan<T>(b))
        bits[l] = m.dx10_clamp ? BitsOf<T>{0} : b;
      else
        bits[l] = (b & Format<T>::sign) != 0 ? BitsOf<T>{0} : std::min(b, Format<T>::one);
    }
}

template <typename T>
void finish_bits(Exec& x, const Op& op, const Lanes<BitsOf<T>>& value, const FloatMode& m,
                 OtherHalf other = OtherHalf::zero) {
  Lanes<BitsOf<T>> bits = value;
  modify_results<T>(op, bits, m);
  write_as(x, op, bits, other);
}

template <typename T>
void finish(Exec& x, const Op& op, const Lanes<Wide<T>>& value, const FloatMode& m,
            OtherHalf other = OtherHalf::zero) {
  finish_bits<T>(x, op, narrow_lanes<T>(value, m), m, other);
}

/// `value`, or the first NaN of the inputs, quieted: which NaN comes out does not depend on the host.
template <typename C, typename... A> C settled(C value, A... inputs) {
  C out = value;
  const C all[] = {inputs...};
  for (std::size_t i = sizeof...(A); i-- > 0;)
    if (all[i] != all[i]) out = std::bit_cast<C>(quieted<C>(to_bits(all[i])));
  return out;
}

/// F of `a`..., under T's round mode. A half is rounded again when it is narrowed: both times in the same
/// direction, or both times to nearest, where double has bits enough for the first to do no harm.
template <typename T, auto F, typename... A>
Lanes<Wide<T>> compute(const FloatMode& m, const Lanes<A>&... a) {
  const RoundingScope scope(m.round);
  Lanes<Wide<T>> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = settled<Wide<T>>(F(a[l]...), a[l]...);
  return out;
}

/// An instruction on `Sources` values of format T.
template <typename T, unsigned Sources, auto F, OtherHalf Other = OtherHalf::zero>
void floating(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    finish<T>(x, op, compute<T, F>(m, float_source<T>(x, op, static_cast<unsigned>(I), m)...), m, Other);
  }
  (std::make_index_sequence<Sources>{});
}

/// The same with the destination as third value.
template <typename T, auto F> void floating_onto(Exec& x, const Op& op) {
  const FloatMode m = float_mode<T>(x.w);
  const auto old = wide_lanes<T>(float_bits(result<T>(x, op), m));
  finish<T>(x, op, compute<T, F>(m, float_source<T>(x, op, 0, m), float_source<T>(x, op, 1, m), old), m);
}

/// V_MIN_F16 and V_MAX_F16 of bits, and V_MINIMUM3_F16 and V_MAXIMUM3_F16. In valu_select.cpp.
std::uint16_t minimum_half(std::uint16_t a, std::uint16_t b, bool ieee);
std::uint16_t maximum_half(std::uint16_t a, std::uint16_t b, bool ieee);
std::uint16_t minimum3_half(std::uint16_t a, std::uint16_t b, std::uint16_t c);
std::uint16_t maximum3_half(std::uint16_t a, std::uint16_t b, std::uint16_t c);

} // namespace cts::emulator
