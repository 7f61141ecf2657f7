// Sparse FP8: cycles of an instruction, what of them VALU instructions can use, and the rate of the device.
#include "suites/throughput/closed_forms.hpp"
#include "suites/throughput/stopwatch.hpp"

#include <algorithm>

namespace cts::throughput {
namespace {

using namespace literals;

constexpr int cycles_of_valu = 4; ///< 64 lanes on a SIMD of 16

/// The number of VALU instructions behind each SMFMAC that cost nothing, beside the documented one.
void measure_instruction(TestContext& context, std::string_view builtin) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  const Kernel alone = matrix_kernel(context.target(), fmt::format("rate_{}", builtin));
  const Measured base = bench.measure(alone, 1);
  const int documented = reference::cycles(alone.instruction, context.target());
  expect_no_fewer_cycles(context, alone.name, documented, base.cycles);
  context.metric("cycles", base.cycles);
  int free = 0;
  for (const Kernel& kernel : matrix_kernels(context.target())) {
    if (!kernel.name.starts_with("valu_") || kernel.instruction.mnemonic != alone.instruction.mnemonic)
      continue;
    const Measured m = bench.measure(kernel, 1);
    expect_no_fewer_cycles(context, kernel.name, documented, m.cycles);
    if (m.cycles < 1.03 * base.cycles) free = std::max(free, kernel.valu_each);
  }
  context.observe(fmt::format(
      "{:.1f} cycles of the peak clock ({} documented); {} VALU instructions cost nothing "
      "({} documented)",
      base.cycles, documented, free, valu_cycles(alone.instruction, context.target()) / cycles_of_valu));
}

void measure_peak(TestContext& context) {
  if (skipped_without_gpu()) return;
  Bench bench(context);
  for (const char* name : {"rate_smfmac_f32_16x16x64_fp8_fp8", "rate_smfmac_f32_32x32x32_fp8_fp8"}) {
    const Measured m = bench.measure(matrix_kernel(context.target(), name), 2);
    context.metric(fmt::format("{}_tflops", name), m.operations_per_s / 1e12);
    context.compared();
    EXPECT_LE(m.part_of_peak, 1.05) << name << ": more than operations / cycles x clock";
  }
}

const std::vector<Target> only_gfx942{Target::gfx942};

const bool added = add({
    {"SparseFp8",
     "Of16x16x64",
     Check::time,
     {"SPARSE-13"_claim},
     only_gfx942,
     [](TestContext& t) { measure_instruction(t, "smfmac_f32_16x16x64_fp8_fp8"); }},
    {"SparseFp8",
     "Of32x32x32",
     Check::time,
     {"SPARSE-14"_claim},
     only_gfx942,
     [](TestContext& t) { measure_instruction(t, "smfmac_f32_32x32x32_fp8_fp8"); }},
    {"SparseFp8", "RateOfTheDevice", Check::time, {"SPARSE-15"_claim}, only_gfx942, measure_peak},
});

} // namespace
} // namespace cts::throughput
