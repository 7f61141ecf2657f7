// Stated peaks and cycle counts against the closed form: operations / cycles x matrix cores x clock. Each sum
// is also done with a number that is wrong.
#include "common/claim_test.hpp"
#include "suites/throughput/closed_forms.hpp"
#include "suites/throughput/products.hpp"

#include <cmath>

namespace cts::throughput {
namespace {

using namespace literals;
using reference::Instruction;

/// 10^12 operations a second, rounded as the documents round: to one decimal.
double to_tenths(double operations_per_second) { return std::round(operations_per_second / 1e11) / 10; }

double fp64_peak(const manifest::Product& p) {
  const Instruction& fp64 = reference::find_instruction("mfma_f64_16x16x4f64");
  return to_tenths(peak(fp64, p.target, p.active_cus.value().value, p.peak_clock_mhz.value().value * 1e6));
}

/// MI300X and MI355X as the claim says, and every other product as its own source says.
void check_fp64_peak(TestContext& context) {
  const bool is_942 = context.target() == Target::gfx942;
  const std::string claimed_product = is_942 ? "MI300X" : "MI355X";
  const double claimed = is_942 ? 163.4 : 78.6;
  bool seen = false;
  for (const manifest::Product& product : products_of(context.target())) {
    if (!product.fp64_matrix_tflops) continue;
    expect_equal(context, product.name, product.fp64_matrix_tflops->value, fp64_peak(product));
    if (product.name == claimed_product) {
      seen = true;
      expect_equal(context, product.name + " as claimed", claimed, fp64_peak(product));
    }
    manifest::Product wrong = product;
    wrong.active_cus->value -= 1;
    EXPECT_NE(product.fp64_matrix_tflops->value, fp64_peak(wrong)) << "not noticed: one CU less";
    wrong.target = is_942 ? Target::gfx950 : Target::gfx942; // whose FP64 takes other cycles
    EXPECT_NE(product.fp64_matrix_tflops->value, fp64_peak(wrong))
        << "not noticed: the other target's cycles";
  }
  expect_equal(context, claimed_product + " is among the products", true, seen);
}

struct SparseFp8 {
  const char* instruction;
  double operations;
  int cycles, valu_cycles;
};
constexpr SparseFp8 sparse_16{"smfmac_f32_16x16x64_fp8_fp8", 32768, 16, 8},
    sparse_32{"smfmac_f32_32x32x32_fp8_fp8", 65536, 32, 24};

void check_sparse(TestContext& context, const SparseFp8& claimed) {
  const Instruction& i = reference::find_instruction(claimed.instruction);
  expect_equal(context, "operations", claimed.operations, operations(i));
  expect_equal(context, "cycles", claimed.cycles, reference::cycles(i, context.target()));
  expect_equal(context, "VALU co-execution cycles", claimed.valu_cycles, valu_cycles(i, context.target()));
  // The dense instruction of the same cycles does half the operations and leaves more room to the VALU.
  const Instruction& dense =
      reference::find_instruction(i.m == 16 ? "mfma_f32_16x16x32_fp8_fp8" : "mfma_f32_32x32x16_fp8_fp8");
  EXPECT_EQ(claimed.cycles, reference::cycles(dense, context.target()));
  EXPECT_NE(claimed.operations, operations(dense)) << "not told apart: the dense instruction";
  EXPECT_NE(claimed.valu_cycles, valu_cycles(dense, context.target()))
      << "not told apart: the dense instruction";
}

/// Both shapes give one rate: 2048 operations a cycle and matrix core, twice the dense one; for MI300X at its
/// peak clock the 5229.8 TFLOP/s that AMD states as its FP8 peak with sparsity (MI300X data sheet).
void check_sparse_peak(TestContext& context) {
  for (const SparseFp8& claimed : {sparse_16, sparse_32}) {
    const Instruction& i = reference::find_instruction(claimed.instruction);
    expect_equal(context, i.mnemonic, claimed.operations / claimed.cycles,
                 operations_per_cycle(i, context.target()));
    expect_equal(context, i.mnemonic, 2048.0, operations_per_cycle(i, context.target()));
    const auto product = product_of_device(context.target(), "MI300X");
    ASSERT_TRUE(product && product->active_cus && product->peak_clock_mhz);
    expect_equal(context, "MI300X, 10^12 operations a second", 5229.8,
                 to_tenths(peak(i, context.target(), product->active_cus->value,
                                product->peak_clock_mhz->value * 1e6)));
  }
  const Instruction& dense = reference::find_instruction("mfma_f32_16x16x32_fp8_fp8");
  EXPECT_EQ(1024.0, operations_per_cycle(dense, context.target())) << "the dense rate is half of it";
}

const std::vector<Target> only_gfx942{Target::gfx942};

const bool added = add({
    {.suite = "Peaks",
     .name = "Fp64OfEveryProduct",
     .check = Check::host,
     .claims = {"CDNA-2.16"_claim},
     .body = check_fp64_peak},
    {"SparseFp8",
     "Of16x16x64",
     Check::host,
     {"SPARSE-13"_claim},
     only_gfx942,
     [](TestContext& t) { check_sparse(t, sparse_16); }},
    {"SparseFp8",
     "Of32x32x32",
     Check::host,
     {"SPARSE-14"_claim},
     only_gfx942,
     [](TestContext& t) { check_sparse(t, sparse_32); }},
    {"SparseFp8", "PeakOfADevice", Check::host, {"SPARSE-15"_claim}, only_gfx942, check_sparse_peak},
});

} // namespace
} // namespace cts::throughput
