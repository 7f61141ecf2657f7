// The fast products against the plain statement of the step model, element by element, bit for bit.
#include "runners/emulator/matrix_numbers.hpp"
#include "runners/emulator/matrix_product.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>
#include <span>
#include <utility>

namespace cts::emulator {
namespace {

using Bits = std::vector<std::uint32_t>;

/// D by fused_group alone. A at [i][k], B at [k][j].
Bits plain_product(const ProductShape& s, const Bits& a, const Bits& b, Bits d) {
  const unsigned group = group_size(s.a, s.k);
  for (unsigned i = 0; i < s.m; ++i)
    for (unsigned j = 0; j < s.m; ++j) {
      std::vector<Number> row, column;
      for (unsigned k = 0; k < s.k; ++k) {
        row.push_back(decode(s.a, s.target, a[i * s.k + k]));
        column.push_back(decode(s.b, s.target, b[k * s.m + j]));
      }
      auto acc = std::bit_cast<float>(d[i * s.m + j]);
      for (unsigned k = 0; k < s.k; k += group)
        acc = fused_group(std::span(row).subspan(k, group), std::span(column).subspan(k, group), acc,
                          bits_of(s.a) == 8);
      d[i * s.m + j] = std::bit_cast<std::uint32_t>(acc);
    }
  return d;
}

class Draw {
public:
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
  std::uint32_t below(std::uint32_t n) { return bits() % n; }
  /// An F32 whose exponent is in [low, high], or sometimes a zero or a subnormal number.
  std::uint32_t f32(int low, int high) {
    const std::uint32_t sign_and_fraction = bits() & 0x807fffffu;
    if (below(16) == 0) return sign_and_fraction & (below(2) == 0 ? 0x80000000u : ~0u);
    const int exponent = low + static_cast<int>(below(static_cast<std::uint32_t>(high - low + 1)));
    return sign_and_fraction | static_cast<std::uint32_t>(exponent + 127) << 23;
  }

private:
  std::mt19937 random_{20240607};
};

/// Compares both products of elements that `element` draws, and counts the D that differ.
void compare(const ProductShape& s, const char* what, const std::function<std::uint32_t(Draw&)>& element) {
  Draw draw;
  for (unsigned round = 0; round < 40; ++round) {
    Bits a(s.m * s.k), b(s.m * s.k), c(s.m * s.m);
    for (auto* operand : {&a, &b})
      for (auto& bits : *operand) bits = element(draw);
    constexpr std::pair<int, int> exponents_of_c[] = {{-4, 4}, {-60, 60}, {-126, -90}};
    const auto [low, high] = exponents_of_c[round % 3];
    for (auto& bits : c) bits = draw.f32(low, high);
    const Bits expected = plain_product(s, a, b, c);
    Bits got = c;
    multiply_small_floats(s, a.data(), b.data(), got.data());
    for (unsigned at = 0; at < got.size(); ++at)
      ASSERT_EQ(expected[at], got[at]) << what << " round " << round << " D[" << at / s.m << "][" << at % s.m
                                       << "], C " << std::hex << c[at];
  }
}

TEST(MatrixProduct, SixteenBitProductsEqualTheStatedModel) {
  for (const unsigned m : {4u, 16u, 32u}) {
    const unsigned k = m == 32 ? 8 : m;
    const auto wide = [](Draw& d) { return d.bits() & 0xbfffu; }; // F16 up to 2, subnormals too
    const auto close = [](Draw& d) { return 0x3800u + d.below(0x800) + 0x8000u * d.below(2); };
    compare({m, k, 1, Element::f16, Element::f16, Target::gfx942}, "f16, wide", wide);
    compare({m, k, 1, Element::f16, Element::f16, Target::gfx942}, "f16, close", close);
    const auto brain = [](Draw& d) { return d.f32(-50, 50) >> 16; };
    const auto tiny = [](Draw& d) { return d.f32(-64, -40) >> 16; };
    const auto sparse = [](Draw& d) { return d.below(8) != 0 ? 0 : d.f32(0, 50) >> 16; };
    const auto beyond = [](Draw& d) { return d.f32(-126, 127) >> 16; };
    compare({m, k, 1, Element::bf16, Element::bf16, Target::gfx942}, "bf16, -50 to 50", brain);
    compare({m, k, 1, Element::bf16, Element::bf16, Target::gfx942}, "bf16, all exponents", beyond);
    compare({m, k, 1, Element::bf16, Element::bf16, Target::gfx942}, "bf16, tiny", tiny);
    compare({m, k, 1, Element::bf16, Element::bf16, Target::gfx942}, "bf16, mostly zeros", sparse);
  }
}

TEST(MatrixProduct, Xf32ProductsEqualTheStatedModel) {
  compare({16, 8, 1, Element::xf32, Element::xf32, Target::gfx942}, "xf32",
          [](Draw& d) { return d.f32(-30, 30); });
}

TEST(MatrixProduct, EightBitProductsEqualTheStatedModel) {
  for (const Target target : all_targets)
    for (const Element a : {Element::fp8, Element::bf8})
      for (const Element b : {Element::fp8, Element::bf8}) {
        // No NaN and no infinity: the sign and the exponent's top bit never set together with all below.
        compare({16, 32, 1, a, b, target}, "8 bits",
                [](Draw& d) { return d.below(0x78) + 0x80 * d.below(2) + 1; });
        compare({32, 16, 1, a, b, target}, "8 bits, small", [](Draw& d) { return d.below(0x30); });
        compare({16, 32, 1, a, b, target}, "8 bits, all codes", [](Draw& d) { return d.below(0x100); });
      }
}

TEST(MatrixProduct, InfinitiesAndNansEqualTheStatedModel) {
  compare({16, 16, 1, Element::f16, Element::f16, Target::gfx942}, "f16 with infinities", [](Draw& d) {
    return d.below(64) == 0 ? 0x7c00u + 0x8000u * d.below(2) : 0x3c00u + d.below(0x400);
  });
}

} // namespace
} // namespace cts::emulator
