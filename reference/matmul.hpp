// Exact matrix products, and matrices as the VGPR contents of a wave.
//
// "Exact" is what lets a test compare bits without knowing in which order or width a matrix core adds: if all
// products of an output and its C are multiples of one unit and their absolute values sum to no more than
// 2^24 units (2^53 for F64), every partial sum in any order is representable, and every implementation must
// give the same bits.
#pragma once

#include "reference/dense_layout.hpp"
#include "reference/formats.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace cts::reference {

/// The matrices of all blocks of an operand, row-major one after the other.
struct Matrix {
  Shape shape;
  std::vector<double> values; ///< blocks * rows * cols

  Matrix() = default;
  /// All zero.
  explicit Matrix(const Shape& shape);

  double& at(const Element& e) { return values[index(e)]; }
  double at(const Element& e) const { return values[index(e)]; }

private:
  std::size_t index(const Element& e) const {
    return static_cast<std::size_t>((e.block * shape.rows + e.row) * shape.cols + e.col);
  }
};

/// Content of the VGPRs of one operand in a wave.
struct RegisterImage {
  int vgprs = 0;
  std::vector<std::uint32_t> words; ///< words[vgpr * 64 + lane]

  RegisterImage() = default;
  /// All poison.
  explicit RegisterImage(int vgprs);

  std::uint32_t& word(int vgpr, int lane) {
    return words[static_cast<std::size_t>(vgpr * lanes_of_wave + lane)];
  }
  std::uint32_t word(int vgpr, int lane) const {
    return words[static_cast<std::size_t>(vgpr * lanes_of_wave + lane)];
  }
};

/// What a word holds that no item has been written to: NaN as an f32 and in both halves as an f16 or bf16.
inline constexpr std::uint32_t poison = 0x7FC17FC1;

/// The bits of `place`, in its low bits.
std::uint64_t read_bits(const RegisterImage& image, const Place& place);

/// Sets the bits of `place` and no others.
void write_bits(RegisterImage& image, const Place& place, std::uint64_t bits);

/// How values become the bits of an element, and back.
struct Codec {
  std::function<std::uint64_t(double)> encode; ///< throws Error for a value that the type cannot hold exactly
  std::function<double(std::uint64_t)> decode;
};

/// Exact values only. Finite values: infinities and NaN are no exact data. Decodes every code.
Codec exact_codec(Format format);

/// The same for f64, f32, xf32 (at most 11 significant bits, so that the multiplier loses none), f16, bf16,
/// i32 and i8. Throws Error for the 8-bit and smaller float types, whose encoding depends on more than the
/// type
/// (`format_of`).
Codec exact_codec(Type type);

/// `matrix` as the registers that `layout` describes; the image has `vgprs_of(layout)` VGPRs, or `vgprs` if
/// that is more (the F8F6F4 builtins take 8 whatever the format; the others stay poison). Throws Error when
/// the shapes differ or a value has no exact encoding, naming the element.
RegisterImage pack(const Layout& layout, const Matrix& matrix, const Codec& codec, int vgprs = 0);

/// The matrix that an image holds. Throws Error when the image has fewer VGPRs than the layout.
Matrix unpack(const Layout& layout, const RegisterImage& image, const Codec& codec);

/// The same, with the dense layout and the exact codec of an instruction's operand.
RegisterImage pack(const Instruction& instruction, Operand operand, const Matrix& matrix);
Matrix unpack(const Instruction& instruction, Operand operand, const RegisterImage& image);

/// The matrix that the instruction computes with when its registers hold `matrix` and its fields are
/// `fields`: elements taken from other lanes by CBSZ, ABID and BLGP, or for F64 negated by BLGP (bit 0: A, 1:
/// B, 2: C). Throws Error where the fields are not defined. `reading` matters where `readings_differ`.
Matrix as_read(const Instruction& instruction, Operand operand, const Matrix& matrix, const Broadcast& fields,
               Reading reading = Reading::lanes);

/// D = A * B + C, exactly, without any zero of negative sign. I32 results wrap modulo 2^32 (ISA3 and
/// ISA4 7.1.2, "Clamp", with MODE.FP16_OVFL 0). Throws Error when shapes do not fit the instruction or when,
/// for some output, exactness in any order is not certain:
///   the sum of |A*B| + |C| is more than 2^24 units (F64: 2^53), a unit being the largest power of two that
///   divides every product of the output and its C, or is beyond the largest finite value. Factors below the
///   normal range of their type lower that bound by their mantissa's bits when the output has other terms,
///   because matrix cores align a product by the exponents its factors are stored with.
Matrix multiply(const Instruction& instruction, const Matrix& a, const Matrix& b, const Matrix& c);

/// A, B and C of one instruction.
struct Inputs {
  Matrix a, b, c;
};

/// Random integers for which `multiply` never refuses: A and B as large as the type holds all integers
/// exactly (f16 2048, bf16 256, fp8 16, bf8 and bf6 8, fp6 7, fp4 4, i8 -128..127) and the bound on the sum
/// allows, C up to half of that bound (I32: 2^30). The same seed gives the same data everywhere.
Inputs random_inputs(const Instruction& instruction, std::uint64_t seed);

} // namespace cts::reference
