// What the files of vector ALU semantics share: which modifiers an instruction takes, and handlers made of
// lane functions.
#pragma once

#include "runners/emulator/lanes.hpp"
#include "runners/emulator/rounding.hpp"

#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace cts::emulator {

/// Modifiers that a handler executes. What is not named here and present makes the op a stop: see permit().
/// DPP and SDWA are done by lanes.hpp for all handlers but those that say `whole`.
namespace take {
inline constexpr unsigned none = 0;
inline constexpr unsigned clamp = 1;                    ///< clamp
inline constexpr unsigned omod = 2;                     ///< mul:2, mul:4, div:2
inline constexpr unsigned negate = 4;                   ///< -x and |x|
inline constexpr unsigned op_sel = 8;                   ///< op_sel of VOP3: halves of sources and destination
inline constexpr unsigned packed = 16;                  ///< op_sel, op_sel_hi, neg_lo and neg_hi of VOP3P
inline constexpr unsigned whole = 32;                   ///< neither DPP nor SDWA
inline constexpr unsigned real = clamp | omod | negate; ///< what ordinary floating-point instructions take
} // namespace take

/// Makes `op` a stop when it has a modifier outside `taken`.
void check_modifiers(Op& op, unsigned taken);

/// Binder of an instruction that takes `taken`. With take::op_sel the bits come from the encoding, the
/// destination's at destination_select.
template <unsigned Taken> void permit(Op& op, Target) { check_modifiers(op, Taken); }

/// Makes `op` a stop on every target but gfx950.
void check_target(Op& op, Target target);

/// permit(), for instructions of gfx950 that gfx942 lacks.
template <unsigned Taken> void permit_gfx950(Op& op, Target target) {
  check_modifiers(op, Taken);
  check_target(op, target);
}

/// Notes that `op` reads VCC, which its operands do not show.
void note_vcc_read(Op& op);

template <typename> struct Signature;
template <typename C, typename R, typename... A> struct Signature<R (C::*)(A...) const> {
  using Result = R;
  using Arguments = std::tuple<A...>;
  static constexpr std::size_t count = sizeof...(A);
};
template <auto F> using SignatureOf = Signature<decltype(&decltype(F)::operator())>;
template <auto F, std::size_t I>
using ArgumentOf = std::tuple_element_t<I, typename SignatureOf<F>::Arguments>;

template <typename T> void write_as(Exec& x, const Op& op, const Lanes<T>& value, OtherHalf other) {
  if constexpr (sizeof(T) == 2)
    write_half(x, op, std::bit_cast<Lanes<std::uint16_t>>(value), other);
  else
    write(x, op, std::bit_cast<Lanes<BitsOf<T>>>(value));
}

/// An integer instruction: F of the sources, each read as F's argument type, written as F's result type.
template <auto F, OtherHalf Other = OtherHalf::zero> void lanewise(Exec& x, const Op& op) {
  using R = typename SignatureOf<F>::Result;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    write_as(x, op, map<R, F>(source<ArgumentOf<F, I>>(x, op, static_cast<unsigned>(I))...), Other);
  }
  (std::make_index_sequence<SignatureOf<F>::count>{});
}

/// As lanewise; the last argument is what the destination holds.
template <auto F> void lanewise_onto(Exec& x, const Op& op) {
  using S = SignatureOf<F>;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    write_as(x, op,
             map<typename S::Result, F>(source<ArgumentOf<F, I>>(x, op, static_cast<unsigned>(I))...,
                                        result<ArgumentOf<F, S::count - 1>>(x, op)),
             OtherHalf::zero);
  }
  (std::make_index_sequence<S::count - 1>{});
}

/// The low bits of an exact result, or with clamp the nearest value of T. [CDNA3 ISA 6.5]
template <typename T> constexpr T fit(std::int64_t exact, bool clamp) {
  if (clamp) {
    if (exact < std::int64_t{std::numeric_limits<T>::min()}) return std::numeric_limits<T>::min();
    if (exact > std::int64_t{std::numeric_limits<T>::max()}) return std::numeric_limits<T>::max();
  }
  return static_cast<T>(exact);
}

/// An integer instruction with clamp: F gives the exact result in 64 bits.
template <typename T, auto F, OtherHalf Other = OtherHalf::zero> void saturating(Exec& x, const Op& op) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto exact = map<std::int64_t, F>(source<ArgumentOf<F, I>>(x, op, static_cast<unsigned>(I))...);
    Lanes<T> out;
    if (op.mods.clamp)
      for (unsigned l = 0; l < lanes; ++l) out[l] = fit<T>(exact[l], true);
    else
      for (unsigned l = 0; l < lanes; ++l) out[l] = static_cast<T>(exact[l]);
    write_as(x, op, out, Other);
  }
  (std::make_index_sequence<SignatureOf<F>::count>{});
}

// The families, by file.
std::vector<Semantics> valu_integer();
std::vector<Semantics> valu_carry();
std::vector<Semantics> valu_compare();
std::vector<Semantics> valu_float();
std::vector<Semantics> valu_select();
std::vector<Semantics> valu_division();
std::vector<Semantics> valu_transcendental();
std::vector<Semantics> valu_convert();
std::vector<Semantics> valu_small_float();
std::vector<Semantics> valu_packed();
std::vector<Semantics> valu_dot();
std::vector<Semantics> valu_cross_lane();
std::vector<Semantics> valu_pixel();

} // namespace cts::emulator
