// Matrix instructions as their names say, and where their elements are: the tests' own reading of the ISA.
// Everything here follows from the mnemonic; the emulator's table has no part in it.
#pragma once

#include "common/target.hpp"

#include <cstdint>
#include <string>

namespace cts::emulator::testing {

enum class Type { f64, f32, xf32, f16, bf16, i8, fp8, bf8, fp6, bf6, fp4, i32 };
unsigned bits_of(Type type);

/// `value`, a small number that the format holds exactly, as its bits.
std::uint64_t encoded(Type type, double value, Target target);

struct Shape {
  unsigned m = 0, k = 0, blocks = 1; ///< N is M; K is the dense K of sparse forms
  Type a = Type::f32, b = Type::f32, d = Type::f32;
  bool sparse = false, scaled = false,
       by_field = false; ///< by_field: F8F6F4, whose types are chosen by CBSZ, BLGP
};

/// Of "v_mfma_f32_16x16x4_4b_f16", "v_smfmac_i32_32x32x32_i8", "v_mfma_scale_f32_16x16x128_f8f6f4". Throws
/// Error.
Shape shape_of(const std::string& mnemonic);

/// Where an element is: a lane, and which of the items packed in the lane's registers.
struct Slot {
  unsigned lane = 0, item = 0;
};

/// Element (i, k) of A, or with `k` the place among the compressed elements of a sparse A; of B element (k,
/// j).
Slot a_slot(const Shape& s, unsigned block, unsigned i, unsigned k);
Slot b_slot(const Shape& s, unsigned block, unsigned k, unsigned j);
Slot d_slot(const Shape& s, unsigned block, unsigned i, unsigned j);

/// Items of each operand in one lane.
unsigned a_items(const Shape& s);
unsigned b_items(const Shape& s);
unsigned d_items(const Shape& s);

} // namespace cts::emulator::testing
