// gfx950: values that are rounded, within the bound that every plausible order and width of additions keeps
// (reference/error_bound.hpp). I8 has no bound: it is exact.
#include "reference/error_bound.hpp"
#include "suites/numerics/values.hpp"
#include "suites/shared/dense_mfma.hpp"

#include <algorithm>
#include <cmath>

namespace cts::numerics {
namespace {

using namespace literals;
using reference::Format;
using reference::Operand;
using reference::RegisterImage;
using reference::Type;

/// Products of each kind of data: fewer where a family has many variants.
int products_of(Family family) { return family == Family::f8f6f4 ? 1 : 6; }

/// Compares one D; returns the largest error as a part of its bound.
double compare(Comparison& comparison, const DenseVariant& v, const reference::BoundedMatrix& expected,
               const RegisterImage& got, const std::string& what) {
  const reference::Layout layout = reference::dense_layout(v.row, Operand::d);
  const bool integers = v.row.d == Type::i32;
  const Format format = integers ? Format::f32 : reference::format_of(v.row.d, Target::gfx950);
  const reference::Codec codec =
      integers ? reference::exact_codec(Type::i32)
               : reference::Codec{[format](double value) { return reference::encode(format, value); },
                                  [format](std::uint64_t code) { return reference::decode(format, code); }};
  double largest = 0;
  for (int lane = 0; lane < reference::lanes_of_wave; ++lane)
    for (int item = 0; item < layout.items; ++item) {
      const reference::Place place = reference::place_of(layout, {lane, item});
      const reference::Element e = layout.element_of({lane, item});
      const reference::Bounded want{expected.exact.at(e), expected.bound.at(e)};
      const std::uint64_t bits = reference::read_bits(got, place);
      const double value = codec.decode(bits);
      const bool good = reference::within(want, value);
      comparison.equal_at(good ? bits : codec.encode(want.exact), bits, [&] {
        return Where{.lane = lane,
                     .vgpr = place.vgpr,
                     .note = fmt::format("{} of {}: {} is not within {} of {}",
                                         reference::to_string(layout, Operand::d, e), what, value, want.bound,
                                         want.exact)};
      });
      if (good && std::isfinite(want.exact) && std::isfinite(want.bound) && want.bound > 0)
        largest = std::max(largest, std::fabs(value - want.exact) / want.bound);
    }
  return largest;
}

void check_bound(TestContext& context, Family family) {
  hip::Module module(context, "numerics");
  double largest = 0;
  for (const DenseVariant& v : dense_variants(family, context.target())) {
    std::vector<reference::BoundedMatrix> expected;
    std::vector<WaveInputs> waves;
    std::vector<std::string> what;
    for (const Data data : all_data)
      for (int n = 0; n < products_of(family); ++n) {
        const reference::Inputs held = random_values(context, v.row, data);
        expected.push_back(reference::multiply_bounded(v.row, held.a, held.b, held.c, context.target()));
        waves.push_back(registers_of(v, held, context.target()));
        what.push_back(fmt::format("{} product {}", name(data), n));
      }
    const auto got = run_waves(context, module, v.kernel, waves, v.row.vgprs_d);
    Comparison comparison(context, v.title, v.row.d == Type::f64 ? 64 : 32);
    for (std::size_t w = 0; w < got.size(); ++w)
      largest = std::max(largest, compare(comparison, v, expected[w], got[w], what[w]));
  }
  context.metric("largest_part_of_bound", largest);
}

bool add_all() {
  for (const Family family : families_gfx950)
    add({"WithinTheBound",
         std::string(name(family)),
         Check::run,
         {"CDNA-8.5"_claim},
         {Target::gfx950},
         [family](TestContext& t) { check_bound(t, family); }});
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::numerics
