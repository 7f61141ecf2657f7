// What each of the 256 scale bytes means, and that no scale, a scale of 1 and the smallest scale are three
// things although all can be written as 0 somewhere.
#include "suites/e8m0_scales/claimed.hpp"
#include "suites/e8m0_scales/scaled.hpp"
#include "suites/shared/f32_bits.hpp"

#include <algorithm>
#include <span>

namespace cts::e8m0_scales {
namespace {

using namespace literals;
using reference::Operand;
using reference::RegisterImage;
using reference::Type;

/// BF8 has the range to bring a product with any scale into that of an f32.
Scaled wide_range(std::string_view shape) { return {shape, Type::bf8, Type::bf8}; }

/// Scales of `operand` are bytes first, first + 1, ... in its rows (columns), for one block of k, in which A
/// and B have one element each that is not 0. The other blocks' scales are other bytes. The other operand's
/// scale is 2^3, or 2^40 where one of the bytes would cancel that.
void check_numbers(TestContext& context, std::string_view shape, Operand operand) {
  const Scaled scaled = wide_range(shape);
  const int m = scaled.row().m;
  const Operand other = operand == Operand::a ? Operand::b : Operand::a;
  Products products = scaled.products();
  for (int first = 0; first < 0xff; first += m) {
    const int block = first / m % scaled.blocks();
    const int last = std::min(first + m - 1, 0xfe);
    const bool cancels = first <= scale_of_one - 3 && scale_of_one - 3 <= last;
    const Scales probed = scaled.scales(
                     operand, [&](int x, int s) { return s == block ? std::min(first + x, last) : 3 + x; }),
                 constant = scaled.scales(other, [&](int, int) { return scale_of_one + (cancels ? 40 : 3); });
    reference::Inputs held = scaled.zeros();
    const double value = first < 128 ? 0x1p10 : 0x1p-10;
    const int k = elements_of_scale * block + context.integer(0, elements_of_scale - 1);
    for (int x = 0; x < m; ++x) held.a.at({0, x, k}) = held.b.at({0, k, x}) = value;
    const Scales &a = operand == Operand::a ? probed : constant,
                 &b = operand == Operand::a ? constant : probed;
    products.add(scaled.wave(held, a, b), scaled.expected(held, a, b),
                 fmt::format("scale bytes {:#04x} to {:#04x} of {}", first, last, reference::name(operand)));
  }
  hip::Module module(context, "e8m0_scales");
  products.run(context, module, scaled.kernel());
}

/// One scale of a product is 0xFF: its row (column) is NaN, nothing else is.
void check_nan(TestContext& context, std::string_view shape) {
  const Scaled scaled(shape, Type::fp4, Type::fp6);
  Products products = scaled.products();
  for (const Operand operand : {Operand::a, Operand::b})
    for (int s = 0; s < scaled.blocks(); ++s) {
      ScaledInputs inputs = random_scaled_inputs(context, scaled);
      for (int k = elements_of_scale * s; k < elements_of_scale * (s + 1); ++k)
        for (int x = 0; x < scaled.row().m; ++x) // no dot product of this block is 0
          inputs.matrices.a.at({0, x, k}) = inputs.matrices.b.at({0, k, x}) = 1;
      const int nan_at = context.integer(0, scaled.row().m - 1);
      Scales& scales = operand == Operand::a ? inputs.a : inputs.b;
      const Scales before = scales;
      scales = scaled.scales(operand, [&](int x, int block) {
        return x == nan_at && block == s ? 0xff : scaled.scale(operand, before, x, block);
      });
      products.add(
          scaled.wave(inputs.matrices, inputs.a, inputs.b),
          scaled.expected(inputs.matrices, inputs.a, inputs.b),
          fmt::format("scale 0xff of {} {}, block {}", operand == Operand::a ? "row" : "column", nan_at, s));
    }
  hip::Module module(context, "e8m0_scales");
  products.run(context, module, scaled.kernel(), with_one_nan);

  // What a NaN scale makes of a block whose elements are all 0 is nowhere said.
  const auto ones = [](int, int) { return scale_of_one; };
  const auto nan = [](int x, int) { return x == 0 ? 0xff : scale_of_one; };
  const auto d = run_waves(
      context, module, scaled.kernel(),
      {scaled.wave(scaled.zeros(), scaled.scales(Operand::a, nan), scaled.scales(Operand::b, ones))},
      scaled.row().vgprs_d);
  context.observe(fmt::format("scale 0xff of a row of zeros gives {:#010x}", with_one_nan(d[0].word(0, 0))));
}

/// A product of powers of two, each element of A and B being 2^10.
struct KnownScales {
  const char* kernel; ///< followed by the shape
  const char* what;
  std::uint32_t register_a, register_b; ///< in every lane
  int byte_a, byte_b;                   ///< what the scales are
};

/// The registers' low bytes are the scales. As floats, their exponents would be other scales.
constexpr KnownScales zeros_told_apart[]{
    {"literal_zero", "literal 0, which is no scale", 0, 0, scale_of_one, scale_of_one},
    {"scaled", "0x7f in registers", 0x7f, 0x7f, scale_of_one, scale_of_one},
    {"scaled", "0 of A in a register", 0, 0x80, 0, 0x80},
    {"scaled", "0 of B in a register", 0x80, 0, 0x80, 0},
};
constexpr KnownScales known_to_the_compiler[]{
    {"constants", "constants 130 and 60", 0, 0, 130, 60},
    {"uniform", "the same in all lanes", 0x42000083, 0x3d000075, 0x83, 0x75},
};

void check_known(TestContext& context, std::string_view shape, std::span<const KnownScales> cases) {
  const Scaled scaled = wide_range(shape);
  reference::Inputs held = scaled.zeros();
  std::ranges::fill(held.a.values, 0x1p10);
  std::ranges::fill(held.b.values, 0x1p10);
  hip::Module module(context, "e8m0_scales");
  for (const KnownScales& known : cases) {
    RegisterImage in_a(1), in_b(1);
    std::ranges::fill(in_a.words, known.register_a);
    std::ranges::fill(in_b.words, known.register_b);
    const auto constant = [](int byte) { return [byte](int, int) { return byte; }; };
    Products products = scaled.products();
    products.add(scaled.wave(held, in_a, in_b),
                 scaled.expected(held, scaled.scales(Operand::a, constant(known.byte_a)),
                                 scaled.scales(Operand::b, constant(known.byte_b))),
                 fmt::format("scales: {}", known.what));
    const std::string name = known.kernel;
    products.run(context, module, name == "scaled" ? scaled.kernel() : fmt::format("{}_{}", name, shape));
  }
}

bool add_all() {
  const auto add_one = [](std::string_view shape, const char* name, std::function<void(TestContext&)> body) {
    add({.suite = suite_of(shape),
         .name = name,
         .check = Check::run,
         .claims = {"CDNA-2.14"_claim},
         .targets = {Target::gfx950},
         .body = std::move(body)});
  };
  for (const std::string_view shape : shapes) {
    add_one(shape, "ScaleByteIsAPowerOfTwo", [shape](TestContext& t) {
      check_numbers(t, shape, Operand::a);
      check_numbers(t, shape, Operand::b);
    });
    add_one(shape, "Byte0xFFIsNaN", [shape](TestContext& t) { check_nan(t, shape); });
    add_one(shape, "NoScaleIsNotByteZero",
            [shape](TestContext& t) { check_known(t, shape, zeros_told_apart); });
    add_one(shape, "ScalesThatTheCompilerKnows",
            [shape](TestContext& t) { check_known(t, shape, known_to_the_compiler); });
  }
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::e8m0_scales
