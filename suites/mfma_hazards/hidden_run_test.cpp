// An MFMA in an asm statement, and a result that the compiler's next instruction reads: with the wait states
// in the statement it arrives; without them, what arrives is recorded.
#include "reference/dense_layout.hpp"
#include "suites/shared/mfma_waves.hpp"

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using reference::Operand;
using reference::RegisterImage;

void check_hidden(TestContext& context) {
  const auto& i = reference::find_instruction("mfma_f32_16x16x16f16");
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  for (int n = 0; n < 16; ++n) {
    const reference::Inputs held = reference::random_inputs(i, context.rng()());
    waves.push_back({reference::pack(i, Operand::a, held.a), reference::pack(i, Operand::b, held.b),
                     reference::pack(i, Operand::c, held.c)});
    reference::Matrix d = reference::multiply(i, held.a, held.b, held.c);
    for (double& value : d.values) value = static_cast<double>(static_cast<float>(value) + 2.0f);
    expected.push_back(reference::pack(i, Operand::d, d));
  }
  hip::Module module(context, "mfma_hazards");
  const auto repaired = run_waves(context, module, "asm_repaired", waves, i.vgprs_d);
  Comparison comparison(context, "asm_repaired (v_mfma_f32_16x16x16_f16)");
  for (std::size_t w = 0; w < waves.size(); ++w)
    compare_d(comparison, reference::dense_layout(i, Operand::d), expected[w], repaired[w],
              fmt::format("product {}", w));

  const auto hidden = run_waves(context, module, "asm_hidden", waves, i.vgprs_d);
  std::size_t right = 0;
  for (std::size_t w = 0; w < waves.size(); ++w) right += hidden[w].words == expected[w].words ? 1 : 0;
  context.observe(fmt::format("read at once, {} results arrived", right == waves.size() ? "all"
                                                                  : right == 0          ? "no"
                                                                                        : "some"));
}

const bool added = add({.suite = "Assembly",
                        .name = "HidesItsMfma",
                        .check = Check::run,
                        .claims = {"LLVM-7.1"_claim},
                        .body = check_hidden});

} // namespace
} // namespace cts::mfma_hazards
