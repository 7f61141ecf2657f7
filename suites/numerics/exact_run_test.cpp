// Whole products of random integers that every order and width of additions gives alike: on both targets,
// every dense instruction, the same bits as the host.
#include "suites/shared/dense_mfma.hpp"

namespace cts::numerics {
namespace {

using namespace literals;
using reference::Operand;

/// Fewer where a family has many variants.
int products_of(Family family) { return family == Family::f8f6f4 ? 2 : 8; }

void check_exact(TestContext& context, Family family) {
  hip::Module module(context, "numerics");
  for (const DenseVariant& v : dense_variants(family, context.target())) {
    std::vector<WaveInputs> waves;
    std::vector<reference::RegisterImage> expected;
    for (int n = 0; n < products_of(family); ++n) {
      const reference::Inputs held = reference::random_inputs(v.row, context.rng()());
      waves.push_back(registers_of(v, held, context.target()));
      expected.push_back(registers_of_d(v, reference::multiply(v.row, held.a, held.b, held.c)));
    }
    const auto got = run_waves(context, module, v.kernel, waves, v.row.vgprs_d);
    Comparison comparison(context, v.title);
    for (std::size_t w = 0; w < waves.size(); ++w)
      compare_d(comparison, reference::dense_layout(v.row, Operand::d), expected[w], got[w],
                fmt::format("integer product {}", w));
  }
}

bool add_all() {
  for (const Family family : {Family::f64, Family::f32, Family::xf32, Family::f16, Family::bf16, Family::i8,
                              Family::fp8, Family::f8f6f4})
    add({"ExactProducts",
         std::string(name(family)),
         Check::run,
         {"CDNA-8.5"_claim},
         targets_of(family),
         [family](TestContext& t) { check_exact(t, family); }});
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::numerics
