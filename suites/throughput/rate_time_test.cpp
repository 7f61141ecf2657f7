// How fast matrix instructions are on this GPU: rates against the documented cycles and the product's peak,
// dependent against independent, beside VALU instructions, wide K against narrow.
#include "suites/throughput/closed_forms.hpp"
#include "suites/throughput/products.hpp"
#include "suites/throughput/stopwatch.hpp"

namespace cts::throughput {
namespace {

using namespace literals;

constexpr unsigned many_waves = 2; ///< on each SIMD, with four independent instructions each

void expect_documented(TestContext& context, const Kernel& kernel, const Measured& m) {
  expect_no_fewer_cycles(context, kernel.name, reference::cycles(kernel.instruction, context.target()),
                         m.cycles);
}

void measure_rates(TestContext& context) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  for (const Kernel& kernel : matrix_kernels(context.target()))
    if (kernel.name.starts_with("rate_"))
      expect_documented(context, kernel, bench.measure(kernel, many_waves));
}

/// One wave a SIMD: an instruction that waits for the one before against four that do not.
void measure_chains(TestContext& context) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  for (const Kernel& chain : matrix_kernels(context.target())) {
    if (!chain.name.starts_with("chain_")) continue;
    const Kernel free =
        matrix_kernel(context.target(), fmt::format("rate_{}", chain.instruction.builtin_tail));
    const Measured waits = bench.measure(chain, 1), does_not = bench.measure(free, 1);
    expect_documented(context, chain, waits);
    expect_documented(context, free, does_not);
    context.metric(fmt::format("{}_cycles", chain.name), waits.cycles);
    context.metric(fmt::format("{}_cycles", free.name), does_not.cycles);
  }
}

void measure_beside_valu(TestContext& context) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  for (const Kernel& kernel : matrix_kernels(context.target())) {
    if (!kernel.name.starts_with("valu_")) continue;
    const Measured m = bench.measure(kernel, 1);
    expect_documented(context, kernel, m);
    context.metric(fmt::format("{}_cycles", kernel.name), m.cycles);
  }
}

/// A measured rate is no more than the theoretical peak: the product's, where the device is one.
void measure_fp64(TestContext& context) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  double best = 0;
  for (const char* name : {"rate_mfma_f64_16x16x4f64", "rate_mfma_f64_4x4x4f64"}) {
    const Kernel kernel = matrix_kernel(context.target(), name);
    const Measured m = bench.measure(kernel, many_waves);
    expect_documented(context, kernel, m);
    best = std::max(best, m.operations_per_s);
  }
  context.metric("fp64_tflops", best / 1e12);
  const auto product = product_of_device(context.target(), bench.gpu().name);
  if (!product || !product->fp64_matrix_tflops) return;
  const double part = best / 1e12 / product->fp64_matrix_tflops->value;
  context.metric("part_of_product_peak", part);
  context.origin("product", product->name);
  context.compared();
  EXPECT_LE(part, 1.05) << product->name << ": faster than its theoretical peak";
}

/// The same operations by narrow instructions and by wide ones. What comes of it is recorded.
void measure_wide_k(TestContext& context) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  struct Pair {
    const char *narrow, *wide;
  };
  const std::vector<Pair> pairs =
      context.target() == Target::gfx942
          ? std::vector<Pair>{{"rate_mfma_f32_16x16x4f16", "rate_mfma_f32_16x16x16f16"}}
          : std::vector<Pair>{{"rate_mfma_f32_16x16x16f16", "rate_mfma_f32_16x16x32_f16"},
                              {"rate_mfma_i32_16x16x32_i8", "rate_mfma_i32_16x16x64_i8"},
                              {"lds_mfma_f32_16x16x16f16", "lds_mfma_f32_16x16x32_f16"}};
  for (const Pair& pair : pairs) {
    const Kernel narrow = matrix_kernel(context.target(), pair.narrow),
                 wide = matrix_kernel(context.target(), pair.wide);
    const Measured of_narrow = bench.measure(narrow, many_waves), of_wide = bench.measure(wide, many_waves);
    expect_documented(context, narrow, of_narrow);
    expect_documented(context, wide, of_wide);
    context.observe(fmt::format("{} {:.2f} times as fast as {}", pair.wide,
                                of_wide.operations_per_s / of_narrow.operations_per_s, pair.narrow));
  }
}

const bool added = add({
    {.suite = "Rates",
     .name = "OfEveryFamily",
     .check = Check::time,
     .claims = {"CDNA-8.4"_claim},
     .body = measure_rates},
    {.suite = "Rates",
     .name = "DependentAndIndependent",
     .check = Check::time,
     .claims = {"CDNA-8.4"_claim},
     .body = measure_chains},
    {.suite = "Rates",
     .name = "BesideValu",
     .check = Check::time,
     .claims = {"CDNA-8.4"_claim},
     .body = measure_beside_valu},
    {.suite = "Rates",
     .name = "Fp64AgainstThePeak",
     .check = Check::time,
     .claims = {"CDNA-2.16"_claim},
     .body = measure_fp64},
    {.suite = "Rates",
     .name = "WideKAgainstNarrow",
     .check = Check::time,
     .claims = {"CDNA-2.17"_claim},
     .body = measure_wide_k},
});

} // namespace
} // namespace cts::throughput
