// Which opcode the compiler chose for each builtin. The twin of every question is a kernel with another
// opcode.
#include "suites/shared/emitted_code.hpp"
#include "suites/target_support/claimed.hpp"

#include "reference/instructions.hpp"

#include <algorithm>

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
    expect_emitted(context, fmt::format("{} at {}", i.builtin_tail, opt), expected_shape(i),
                   shape_of_matrix(code_of(object, std::string(i.builtin_tail))));
    context.compared();
    EXPECT_NE(expected_shape(i), shape_of_matrix(code_of(object, other))) << "not told apart: " << other;
  }
}

/// How many matrix instructions of a code whose mnemonic ends in `type`.
std::size_t count_of_type(const std::vector<codeobject::Instruction>& code, std::string_view type) {
  return static_cast<std::size_t>(std::ranges::count_if(
      code, [&](const codeobject::Instruction& i) { return is_matrix(i) && i.mnemonic.ends_with(type); }));
}

/// An XF32 product on a target without XF32: two F32 instructions, and no XF32 one anywhere in the object.
void check_replacement(TestContext& context, const Instruction& i) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "target_support", opt);
    const auto code = code_of(object, std::string(i.builtin_tail) + "_by_f32");
    expect_equal(context, fmt::format("F32 instructions at {}", opt), std::size_t{2},
                 count_of_type(code, "_f32"));
    std::size_t xf32 = 0, f16 = 0;
    for (const codeobject::Kernel& kernel : object.kernels) {
      const auto all = code_of(object, kernel.name);
      xf32 += count_of_type(all, "_xf32");
      f16 += count_of_type(all, "_f16");
    }
    expect_equal(context, fmt::format("XF32 instructions in the object at {}", opt), std::size_t{0}, xf32);
    context.compared();
    EXPECT_NE(0u, f16) << "the same count finds no FP16 instruction either";
  }
}

bool add_all() {
  for (const Instruction& i : reference::instructions())
    if (i.a == reference::Type::xf32)
      add({reference::short_name(i),
           "HasF32InstructionsInItsPlace",
           Check::code,
           {"CDNA-2.7"_claim},
           {Target::gfx950},
           [&i](TestContext& t) { check_replacement(t, i); }});
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
