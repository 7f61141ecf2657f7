// 64 lanes of an operand: read with every modifier applied, written under EXEC.
#pragma once

#include "runners/emulator/exec.hpp"
#include "runners/emulator/float_bits.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace cts::emulator {

/// One value a lane.
template <typename T> struct Lanes {
  alignas(64) T lane[lanes];
  T& operator[](unsigned l) { return lane[l]; }
  const T& operator[](unsigned l) const { return lane[l]; }
};

/// MODE bit that turns VGPR indexing by M0 on. [CDNA3 ISA 3.5, 6.6]
inline constexpr std::uint32_t mode_gpr_idx_en = 1u << 27;

/// Bits of source `i`, before neg and abs: registers broadcast or fetched, constants by width, DPP, SDWA
/// selection with sext, and VGPR indexing applied.
Lanes<std::uint32_t> source_bits32(const Exec& x, const Op& op, unsigned i);
Lanes<std::uint64_t> source_bits64(const Exec& x, const Op& op, unsigned i, bool is_float);

/// The low half of source `i`, or the high half when `high`; a 16-bit constant is in the low half.
Lanes<std::uint16_t> source_bits16(const Exec& x, const Op& op, unsigned i, bool high);

/// A scalar operand of one value for the whole wave: an SGPR (pair), a constant, or a special register.
std::uint32_t scalar32(const Exec& x, const Source& s);
std::uint64_t scalar64(const Exec& x, const Source& s);

/// Register that a vector operand names, moved by VGPR indexing when that is on. `enable` is the operand's
/// bit of M0[15:12]: 0..2 for sources, 3 for the destination. Stops the launch when it leaves the wave's
/// registers.
unsigned vector_index(const Exec& x, const Op& op, const Source& s, unsigned enable);

/// What the destination holds: the addend of accumulating ops, the kept part of partial writes.
Lanes<std::uint32_t> result_bits32(const Exec& x, const Op& op);
Lanes<std::uint64_t> result_bits64(const Exec& x, const Op& op);

/// Lanes that `op` writes: EXEC, less the rows and banks that DPP masks, less lanes whose DPP source is
/// invalid without bound_ctrl. [CDNA3 ISA 13.3.9]
LaneMask written_lanes(const Exec& x, const Op& op);

/// Writes 32 (64) bits of each written lane to destination 0; SDWA places and pads a 32-bit result.
void write(Exec& x, const Op& op, const Lanes<std::uint32_t>& value);
void write(Exec& x, const Op& op, const Lanes<std::uint64_t>& value);

/// What a 16-bit result does to the other half of its VGPR. On these targets most instructions that gfx8
/// already had clear it, newer ones keep it. [CDNA3 ISA 12.11 notes of V_MAD_F16 and others; LLVM
/// GCNSubtarget::zeroesHigh16BitsOfDest]
enum class OtherHalf : std::uint8_t { zero, keep };

/// Writes 16 bits of each written lane to the low half of destination 0, or to its high half by the op_sel
/// bit of the destination; a write to the high half keeps the low one.
void write_half(Exec& x, const Op& op, const Lanes<std::uint16_t>& value, OtherHalf other);

/// Writes consecutive VGPRs of destination 0, `count` of them: registers[r] holds VGPR r of the result.
void write_registers(Exec& x, const Op& op, const Lanes<std::uint32_t>* registers, unsigned count);

/// Writes one bit a lane to a scalar destination pair; lanes outside EXEC give 0. [CDNA3 ISA 3.9]
void write_mask(Exec& x, const Op& op, unsigned result, LaneMask bits);

/// Bit L of the mask is lane L's flag.
LaneMask pack(const Lanes<bool>& flags);

/// True when op_sel asks for the high half of source `i`.
inline bool selects_high(const Op& op, unsigned i) { return (op.mods.op_sel >> i & 1) != 0; }

/// Bit of op_sel that belongs to the destination, after permit() has brought it there.
inline constexpr unsigned destination_select = 3;

/// Source `i` as T (an integer of 16, 32 or 64 bits, Half, float or double), with neg and abs where T is a
/// float.
template <typename T> Lanes<T> source(const Exec& x, const Op& op, unsigned i) {
  using Bits = BitsOf<T>;
  Lanes<Bits> bits;
  if constexpr (sizeof(T) == 2)
    bits = source_bits16(x, op, i, selects_high(op, i));
  else if constexpr (sizeof(T) == 4)
    bits = source_bits32(x, op, i);
  else
    bits = source_bits64(x, op, i, std::is_floating_point_v<T>);
  if constexpr (is_float<T>) {
    constexpr Bits sign = Format<T>::sign;
    const Bits keep = op.src[i].absolute ? static_cast<Bits>(~sign) : static_cast<Bits>(~Bits{0});
    const Bits flip = op.src[i].negate ? sign : Bits{0};
    if (op.src[i].absolute || op.src[i].negate)
      for (unsigned l = 0; l < lanes; ++l) bits[l] = static_cast<Bits>((bits[l] & keep) ^ flip);
  }
  return std::bit_cast<Lanes<T>>(bits);
}

/// The destination's old value as T.
template <typename T> Lanes<T> result(const Exec& x, const Op& op) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<Lanes<T>>(result_bits64(x, op));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<Lanes<T>>(result_bits32(x, op));
  else {
    const Lanes<std::uint32_t> whole = result_bits32(x, op);
    Lanes<std::uint16_t> low;
    for (unsigned l = 0; l < lanes; ++l) low[l] = static_cast<std::uint16_t>(whole[l]);
    return std::bit_cast<Lanes<T>>(low);
  }
}

/// F of each lane.
template <typename R, auto F, typename... A> Lanes<R> map(const Lanes<A>&... a) {
  Lanes<R> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = static_cast<R>(F(a[l]...));
  return out;
}

} // namespace cts::emulator
