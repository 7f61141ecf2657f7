// What the run checks of this suite are made of: a scaled instruction with its two formats, registers filled
// by element, scale registers, and the product that is expected.
#pragma once

#include "reference/scaled_layout.hpp"
#include "suites/shared/mfma_waves.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cts::e8m0_scales {

inline constexpr std::array<std::string_view, 2> shapes{"16x16x128", "32x32x64"};
inline constexpr std::array all_types{reference::Type::fp8, reference::Type::bf8, reference::Type::fp6,
                                      reference::Type::bf6, reference::Type::fp4};

/// The GoogleTest suite of a shape's tests.
std::string suite_of(std::string_view shape);

/// Scale bytes of one operand, in the order of reference::write_scales.
using Scales = std::vector<std::uint8_t>;

/// An F8F6F4 instruction of gfx950 with the formats of A and B.
class Scaled {
public:
  Scaled(std::string_view shape, reference::Type a, reference::Type b);

  const reference::Instruction& row() const { return row_; }
  /// The kernel with these formats.
  std::string kernel() const;
  /// Mnemonic and formats, for messages.
  std::string title() const;
  Products products() const { return {title(), d_}; }
  /// Scales of a row or column.
  int blocks() const { return row_.k / reference::scale_block; }

  /// All zero.
  reference::Inputs zeros() const;
  /// Registers of matrices: 8 VGPRs of A and B, those that the formats do not need being poison.
  reference::RegisterImage pack(reference::Operand operand, const reference::Matrix& matrix) const;
  /// Writes the bits of an element of A or B.
  void put_bits(reference::RegisterImage& image, reference::Operand operand, const reference::Element& e,
                std::uint64_t bits) const;

  /// As many bytes as `operand` has scales, `byte_of(row or column, block)` each.
  template <typename ByteOf> Scales scales(reference::Operand operand, ByteOf byte_of) const {
    Scales bytes(static_cast<std::size_t>(row_.m * blocks()));
    for (int x = 0; x < row_.m; ++x)
      for (int s = 0; s < blocks(); ++s)
        bytes[index_of(operand, x, s)] = static_cast<std::uint8_t>(byte_of(x, s));
    return bytes;
  }
  std::uint8_t scale(reference::Operand operand, const Scales& scales, int x, int block) const {
    return scales[index_of(operand, x, block)];
  }
  /// A scale register whose lowest byte holds `scales`. Its other bytes are NaN scales.
  reference::RegisterImage scale_register(reference::Operand operand, const Scales& scales) const;

  /// A wave of these matrices and scale registers.
  WaveInputs wave(const reference::Inputs& inputs, reference::RegisterImage scales_a,
                  reference::RegisterImage scales_b) const;
  /// The same with scales in the lowest bytes.
  WaveInputs wave(const reference::Inputs& inputs, const Scales& a, const Scales& b) const;
  /// D, with the dot product of each block scaled as claimed (claimed.hpp). Throws Error for a result that an
  /// f32 does not hold exactly.
  reference::RegisterImage expected(const reference::Inputs& inputs, const Scales& a, const Scales& b) const;

private:
  std::string shape_;
  reference::Instruction row_;
  reference::Layout a_, b_, d_;

  std::size_t index_of(reference::Operand operand, int x, int block) const {
    return static_cast<std::size_t>(operand == reference::Operand::a ? x * blocks() + block
                                                                     : block * row_.m + x);
  }
  const reference::Layout& layout(reference::Operand operand) const;
};

/// Whole numbers and scales of which every order of additions gives the same bits. Scales are 2^1 to 2^4 for
/// A and 2^-10 to 2^-8 for B, so that no two of them cancel.
struct ScaledInputs {
  reference::Inputs matrices;
  Scales a, b;
};
ScaledInputs random_scaled_inputs(TestContext& context, const Scaled& scaled);

} // namespace cts::e8m0_scales
