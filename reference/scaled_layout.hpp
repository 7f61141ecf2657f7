// Which lane and byte holds which scale of the scaled F8F6F4 instructions of gfx950.
//
// Where the 32 items of each lane are, in each of the five formats, is in dense_layout.hpp: take
// `dense_layout(with_formats(instruction, a, b), operand)`. An operand of 8, 6 or 4 bits an item fills 8, 6
// or 4 VGPRs, and the instruction reads no more of the eight that the builtin takes. A scale covers 32
// consecutive k of one row of A or one column of B (ISA4 7.2). Blocks of k and lane groups coincide for 6 and
// 4 bits only: of 8 bits, a lane holds two runs of 16 k, which are in two different blocks.
//
// Scales come in one VGPR for A and one for B, a byte from each lane; OPSEL chooses which of the four
// (ISA4 7.2.1).
#pragma once

#include "reference/register_sets.hpp"

#include <span>

namespace cts::reference {

/// Consecutive k that share a scale.
inline constexpr int scale_block = 32;

/// The layout of the scale register of A or B, one VGPR of four sets. Of A, element [byte][i][s] is the scale
/// of A[i][32s] to A[i][32s + 31]; of B, [byte][s][j] that of B[32s][j] to B[32s + 31][j]: lane i + m * s or
/// j + n * s, bits 8 * byte and up (ISA4 7.2.1, "Scale data layout", which only an earlier text of the manual
/// shows). Throws Error for another kind of instruction or operand.
Layout scale_layout(const Instruction& instruction, Operand operand);

/// The scale that covers element `e` of A or B, in byte `byte`: its element in `scale_layout`. Throws as it
/// does, and for a byte outside 0 to 3.
Element scale_of(const Instruction& instruction, Operand operand, const Element& e, int byte);

/// The 32 elements of A or B that a scale covers, by ascending k. Throws as `scale_layout`.
std::vector<Element> covered_by(const Instruction& instruction, Operand operand, const Element& scale);

/// The two bits of an instruction that choose a byte, for one of A (index 0 of the fields) and B (index 1).
struct OpSel {
  int op_sel = 0;    ///< low bit
  int op_sel_hi = 0; ///< high bit
  auto operator<=>(const OpSel&) const = default;
};

/// Byte {OP_SEL_HI, OP_SEL} of a scale register (ISA4 7.2.1): 0 is bits 7:0, 3 is 31:24.
int scale_byte(const OpSel& bits);

/// The bits that choose `byte`. Throws Error for one outside 0 to 3.
OpSel op_sel_of(int byte);

/// The scale that every lane gets from an inline constant: the exponent field of the float (ISA4 7.2.1,
/// "using only the exponent portion"), whatever OPSEL says. LLVM knows this of SGPRs too, and passes VGPRs
/// only.
std::uint8_t scale_of_constant(std::uint32_t float_bits);

/// Writes scales into byte `byte` of a scale register's image and leaves the other bytes: of A scales[i *
/// blocks + s], of B scales[s * n + j], with blocks = k / 32. Throws Error for a wrong number of scales or
/// byte.
void write_scales(RegisterImage& image, const Instruction& instruction, Operand operand,
                  std::span<const std::uint8_t> scales, int byte);

/// The scales in byte `byte`, in the order of `write_scales`.
std::vector<std::uint8_t> read_scales(const RegisterImage& image, const Instruction& instruction,
                                      Operand operand, int byte);

} // namespace cts::reference
