// Which opcode the compiler chose for each builtin. The twin of every question is a kernel with another
// opcode.
#include "suites/shared/emitted_code.hpp"
#include "suites/target_support/claimed.hpp"

#include "reference/instructions.hpp"

namespace cts::target_support {
namespace {

using namespace literals;
using reference::Instruction;

/// The kernel of the builtin holds its instruction, with operands of the right width, and no other.
void check_opcode(TestContext& context, const Instruction& i) {
  const std::string other =
      i.builtin_tail == "mfma_f32_16x16x16f16" ? "mfma_f32_32x32x8f16" : "mfma_f32_16x16x16f16";
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "target_support", opt);
    expect_equal(context, fmt::format("{} at {}", i.builtin_tail, opt), expected_shape(i),
                 shape_of_matrix(code_of(object, std::string(i.builtin_tail))));
    context.compared();
    EXPECT_NE(expected_shape(i), shape_of_matrix(code_of(object, other))) << "not told apart: " << other;
  }
}

bool add_all() {
  for (const Claimed& c : claimed())
    for (const std::string_view builtin : c.builtins) {
      const Instruction& i = reference::find_instruction(builtin);
      std::vector<Target> targets;
      for (const Target target : all_targets)
        if (reference::exists_on(i, target)) targets.push_back(target);
      add({reference::short_name(i),
           "IsWhatItsBuiltinEmits",
           Check::code,
           {c.claim},
           targets,
           [&i](TestContext& t) { check_opcode(t, i); }});
    }
  return add(
      {{"MfmaF32_16x16x16_F16",
        "StaysNarrowOnGfx950",
        Check::code,
        {"CDNA-2.11"_claim},
        {Target::gfx950},
        [](TestContext& t) { check_opcode(t, reference::find_instruction("mfma_f32_16x16x16f16")); }}});
}

const bool added = add_all();

} // namespace
} // namespace cts::target_support
