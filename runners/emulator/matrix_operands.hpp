// Which lane and register holds which element of A, B, C and D. [CDNA3 ISA 7, CDNA4 ISA 7]
//
// Written from the registers' side: what lane L holds in item t (the reference goes from the element's side).
//   A, lane L:  row = L mod M, block = L/M mod B, lane group q = L/(M*B), item t is K index chunk*q + t
//   D, 16x16:   register r of lane L is row 4*(L/16) + r, column L mod 16
#pragma once

#include "runners/emulator/exec.hpp"
#include "runners/emulator/matrix_table.hpp"

namespace cts::emulator {

/// Elements of A or B that the largest instructions have (16x128, 32x64), and of D (32x32, two blocks).
inline constexpr unsigned most_elements = 2048;

/// Row of the table that an op was bound to.
const MatrixRow& matrix_row(const Op& op);

/// Element types of A and B: the instruction's, or those that CBSZ and BLGP choose (by_field where their code
/// is reserved). [CDNA4 ISA 7.2]
Element type_a(const Op& op);
Element type_b(const Op& op);

/// 32-bit registers that a lane needs for its part of A, of B and of D.
unsigned registers_a(const Op& op);
unsigned registers_b(const Op& op);
unsigned registers_d(const MatrixRow& row);

/// Elements of A as raw bits, one each, at [block][i][k]; a sparse A is decompressed, with zeros where it has
/// nothing. `Raw` is std::uint64_t for F64 and std::uint32_t otherwise.
template <typename Raw> void gather_a(const Exec& x, const Op& op, Raw* elements);

/// Elements of B at [block][k][j]: a row of B lies together.
template <typename Raw> void gather_b(const Exec& x, const Op& op, Raw* elements);

/// C at [block][i][j], from registers or one constant.
template <typename Raw> void gather_c(const Exec& x, const Op& op, Raw* elements);

/// Writes D, at [block][i][j], to its registers.
template <typename Raw> void scatter_d(Exec& x, const Op& op, const Raw* elements);

} // namespace cts::emulator
