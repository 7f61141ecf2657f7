// The matrix instructions that the emulator executes, as data of its own (the reference has another table).
#pragma once

#include "common/target.hpp"
#include "runners/emulator/op.hpp"

#include <cstdint>
#include <span>

namespace cts::emulator {

/// Element types of A and B, and of C and D.
enum class Element : std::uint8_t { f64, f32, xf32, f16, bf16, i8, fp8, bf8, fp6, bf6, fp4, i32, by_field };

constexpr unsigned bits_of(Element e) {
  switch (e) {
  case Element::f64: return 64;
  case Element::f32:
  case Element::xf32:
  case Element::i32: return 32;
  case Element::f16:
  case Element::bf16: return 16;
  case Element::i8:
  case Element::fp8:
  case Element::bf8: return 8;
  case Element::fp6:
  case Element::bf6: return 6;
  case Element::fp4: return 4;
  case Element::by_field: break;
  }
  return 0;
}

/// One instruction. `by_field` types are chosen by CBSZ (A) and BLGP (B): the F8F6F4 family.
struct MatrixRow {
  const char* mnemonic;
  Element a, b, d;
  std::uint8_t m, k, blocks;         ///< N equals M; K is the dense K of sparse forms
  std::uint8_t passes942, passes950; ///< 0: not on that target
  enum class Kind : std::uint8_t { dense, sparse, f8f6f4, scaled } kind = Kind::dense;
};

std::span<const MatrixRow> matrix_rows();

/// Passes on `target`; F8F6F4 takes twice as many when A or B has an 8-bit format (`cbsz`, `blgp` <= 1).
unsigned passes(const MatrixRow& row, Target target, unsigned cbsz, unsigned blgp);

/// XDL, SGEMM or DGEMM. [CDNA3 ISA 7.5]
MatrixClass matrix_class(const MatrixRow& row);

} // namespace cts::emulator
