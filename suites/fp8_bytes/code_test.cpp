// Which opcode the compiler chose for each FP8 builtin. The twin of each question is a kernel with another
// opcode.
#include "suites/shared/emitted_code.hpp"

namespace cts::fp8_bytes {
namespace {

using namespace literals;
using reference::Type;

void check_opcodes(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "fp8_bytes", opt);
    int kernels = 0;
    for (const auto& i : reference::instructions(reference::Kind::dense, context.target())) {
      if (i.a != Type::fp8 && i.a != Type::bf8) continue;
      const std::string kernel(i.builtin_tail),
          other = i.m == 16 ? "mfma_f32_32x32x16_fp8_fp8" : "mfma_f32_16x16x32_fp8_fp8";
      expect_emitted(context, fmt::format("{} at {}", kernel, opt), expected_shape(i),
                     shape_of_matrix(code_of(object, kernel)));
      context.compared();
      EXPECT_NE(expected_shape(i), shape_of_matrix(code_of(object, other))) << "not told apart: " << other;
      ++kernels;
    }
    expect_equal(context, "FP8 and BF8 instructions", 8, kernels);
  }
}

const bool added = add({.suite = "Fp8Mfma",
                        .name = "IsWhatItsBuiltinEmits",
                        .check = Check::code,
                        .claims = {"CDNA-2.5"_claim},
                        .body = check_opcodes});

} // namespace
} // namespace cts::fp8_bytes
