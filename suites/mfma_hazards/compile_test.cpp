// The wider FP16 opcode: what a pass would do with it on gfx942 makes neither its builtin nor its name known
// there.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"

namespace cts::mfma_hazards {
namespace {

using namespace literals;

void check_wide_fp16(TestContext& context) {
  const auto& narrow = reference::find_instruction("mfma_f32_16x16x16f16");
  const auto& wide = reference::find_instruction("mfma_f32_16x16x32_f16");
  const Program narrow_builtin{"16x16x16 builtin", builtin_source(narrow)},
      wide_builtin{"16x16x32 builtin", builtin_source(wide)};
  const Program narrow_name{"16x16x16 by name",
                            assembly_source({"v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[0:3]"})};
  const Program wide_name{"16x16x32 by name",
                          assembly_source({"v_mfma_f32_16x16x32_f16 v[0:3], v[4:7], v[8:11], v[0:3]"})};
  const std::string no_feature = "needs target feature gfx950-insts";
  if (context.target() == Target::gfx942) {
    expect_pair(context, narrow_builtin, wide_builtin, no_feature);
    expect_pair(context, narrow_name, wide_name, "instruction not supported on this GPU|invalid instruction");
  } else {
    Program gated = wide_builtin;
    gated.title += " without its feature";
    gated.options = without_feature("gfx950-insts");
    expect_pair(context, wide_builtin, gated, no_feature);
    Program misspelt = wide_name;
    misspelt.title = "16x16x32 with too few registers";
    misspelt.text = assembly_source({"v_mfma_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v[0:3]"});
    expect_pair(context, wide_name, misspelt, "invalid operand|register");
  }
}

const bool added = add({.suite = "MfmaF32_16x16x32_F16",
                        .name = "IsNoInstructionOfGfx942",
                        .check = Check::compile,
                        .claims = {"LLVM-8.5"_claim},
                        .body = check_wide_fp16});

} // namespace
} // namespace cts::mfma_hazards
