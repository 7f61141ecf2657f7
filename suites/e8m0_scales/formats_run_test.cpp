// Every pair of formats, and every code of the small ones.
#include "suites/e8m0_scales/claimed.hpp"
#include "suites/e8m0_scales/scaled.hpp"
#include "suites/shared/f32_bits.hpp"

#include <span>

namespace cts::e8m0_scales {
namespace {

using namespace literals;
using reference::Operand;
using reference::RegisterImage;
using reference::Type;

/// Random products with random scales, in all 25 pairs of formats.
void check_pairs(TestContext& context, std::string_view shape) {
  hip::Module module(context, "e8m0_scales");
  for (const Type a : all_types)
    for (const Type b : all_types) {
      const Scaled scaled(shape, a, b);
      Products products = scaled.products();
      for (int n = 0; n < 2; ++n) {
        const ScaledInputs inputs = random_scaled_inputs(context, scaled);
        products.add(scaled.wave(inputs.matrices, inputs.a, inputs.b),
                     scaled.expected(inputs.matrices, inputs.a, inputs.b),
                     fmt::format("random product {}", n));
      }
      products.run(context, module, scaled.kernel());
    }
}

/// A format's claimed values by code, the negative ones left out.
struct Table {
  Type type;
  std::span<const double> values;
};
const Table tables[]{{Type::fp4, fp4_values}, {Type::fp6, e2m3_values}, {Type::bf6, e3m2_values}};

/// The other operand's format: one that is neither of the two FP6 nor FP4.
constexpr Type other_type = Type::fp8;

/// Every code in row i of A (column i of B), one k of it; all of that k of the other operand is 1. D is the
/// code's value, times 8 by the scales.
void check_codes(TestContext& context, std::string_view shape, const Table& table, Operand operand) {
  const bool is_a = operand == Operand::a;
  const Scaled scaled(shape, is_a ? table.type : other_type, is_a ? other_type : table.type);
  const int m = scaled.row().m, positive = static_cast<int>(table.values.size());
  const Scales a = scaled.scales(Operand::a, [](int, int) { return scale_of_one + 1; }),
               b = scaled.scales(Operand::b, [](int, int) { return scale_of_one + 2; });
  Products products = scaled.products();
  for (int first = 0; first < 2 * positive; first += m) {
    const int k = context.integer(0, scaled.row().k - 1);
    reference::Inputs held = scaled.zeros();
    for (int x = 0; x < m; ++x) (is_a ? held.b.at({0, k, x}) : held.a.at({0, x, k})) = 1;
    WaveInputs wave = scaled.wave(held, a, b);
    RegisterImage d(scaled.row().vgprs_d);
    for (int x = 0; x < m; ++x) {
      const int code = (first + x) % (2 * positive);
      const double magnitude = table.values[static_cast<std::size_t>(code % positive)],
                   value = code < positive ? magnitude : -magnitude;
      scaled.put_bits(is_a ? wave.a : wave.b, operand,
                      is_a ? reference::Element{0, x, k} : reference::Element{0, k, x},
                      static_cast<std::uint64_t>(code));
      for (int y = 0; y < m; ++y)
        scaled.put_bits(d, Operand::d, is_a ? reference::Element{0, x, y} : reference::Element{0, y, x},
                        f32_bits(8 * value));
    }
    products.add(std::move(wave), std::move(d),
                 fmt::format("codes from {:#04x} of {} at k {}", first, reference::name(operand), k));
  }
  hip::Module module(context, "e8m0_scales");
  products.run(context, module, scaled.kernel(), with_one_nan_and_zero);
}

bool add_all() {
  for (const std::string_view shape : shapes)
    add({{.suite = suite_of(shape),
          .name = "EveryPairOfFormats",
          .check = Check::run,
          .claims = {"CDNA-2.6"_claim},
          .targets = {Target::gfx950},
          .body = [shape](TestContext& t) { check_pairs(t, shape); }},
         {.suite = suite_of(shape),
          .name = "EveryCodeOfFp4AndFp6",
          .check = Check::run,
          .claims = {"CDNA-2.12"_claim},
          .targets = {Target::gfx950},
          .body = [shape](TestContext& t) {
            for (const Table& table : tables)
              for (const Operand operand : {Operand::a, Operand::b}) check_codes(t, shape, table, operand);
          }}});
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::e8m0_scales
