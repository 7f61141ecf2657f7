// What the compiler emitted for the sparse builtins: opcode, width of operands, kind of registers. Each check
// is also shown a kernel of which it must say something else.
#include "suites/shared/emitted_code.hpp"

#include <algorithm>
#include <set>

namespace cts::sparse_index {
namespace {

using namespace literals;
using codeobject::Bank;
using reference::Instruction;
using reference::Type;

void check_opcodes(TestContext& context, const std::function<bool(const Instruction&)>& chosen) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "sparse_index", opt);
    int kernels = 0;
    for (const Instruction& i : reference::instructions(reference::Kind::sparse, context.target())) {
      if (!chosen(i)) continue;
      const std::string kernel(i.builtin_tail);
      expect_emitted(context, fmt::format("{} at {}", kernel, opt), expected_shape(i),
                     shape_of_matrix(code_of(object, kernel)));
      context.compared();
      EXPECT_NE(expected_shape(i), shape_of_matrix(code_of(object, "mfma_f32_16x16x16f16")))
          << "not told apart: a dense instruction";
      ++kernels;
    }
    context.metric(fmt::format("opcodes_{}", opt), kernels);
  }
}

/// The kinds of register that a kernel's SMFMAC has for D, A and B, as letters: "vav".
std::string registers_of(const codeobject::CodeObject& object, const std::string& kernel) {
  const auto code = code_of(object, kernel);
  const auto matrix = std::ranges::find_if(code, is_matrix);
  if (matrix == code.end() || matrix->operands.size() < 4)
    throw Error("{} holds no matrix instruction of four operands", kernel);
  std::string kinds;
  for (std::size_t n = 0; n < 3; ++n) kinds += matrix->operands[n].bank == Bank::agpr ? 'a' : 'v';
  return kinds;
}

/// The operands of D, A, B that are not seen in both kinds of register over all of `kinds`.
std::string not_in_both(const std::vector<std::string>& kinds) {
  std::string missing;
  for (std::size_t n = 0; n < 3; ++n) {
    std::set<char> seen;
    for (const std::string& k : kinds) seen.insert(k[n]);
    if (seen.size() != 2) missing += "DAB"[n];
  }
  return missing;
}

/// Kernels in which an operand is in one kind of register or the other when the instruction comes: over all
/// of them, each operand is read from both. C is D's register by the encoding.
void check_registers(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "sparse_index", opt);
    std::vector<std::string> kinds;
    for (const char* placed : {"vvv", "vva", "vav", "vaa", "avv", "ava", "aav", "aaa"})
      kinds.push_back(registers_of(object, fmt::format("placed_{}", placed)));
    context.observe(fmt::format("the compiler's choices at {}: {}", opt, fmt::join(kinds, " ")));
    expect_equal(context, fmt::format("operands at {} in one kind of register only", opt), std::string(),
                 not_in_both(kinds));
    context.compared(2);
    EXPECT_EQ("DAB", not_in_both({registers_of(object, "placed_vvv")}))
        << "not noticed: architecture VGPRs only";
    EXPECT_EQ("A", not_in_both({"vvv", "avv", "ava"})) << "not noticed: A in architecture VGPRs only";
  }
}

const bool added = add({
    {.suite = "EverySmfmac",
     .name = "IsWhatItsBuiltinEmits",
     .check = Check::code,
     .claims = {"CDNA-2.9"_claim},
     .body = [](TestContext& t) { check_opcodes(t, [](const Instruction&) { return true; }); }},
    {.suite = "Fp8Smfmac",
     .name = "IsWhatItsBuiltinEmits",
     .check = Check::code,
     .claims = {"SPARSE-1"_claim},
     .targets = {Target::gfx942},
     .body =
         [](TestContext& t) {
           check_opcodes(t, [](const Instruction& i) { return i.a == Type::fp8 || i.a == Type::bf8; });
         }},
    {.suite = "SmfmacF32_16x16x64_FP8_FP8",
     .name = "OperandsAreInEitherKindOfVgpr",
     .check = Check::code,
     .claims = {"SPARSE-2"_claim},
     .targets = {Target::gfx942},
     .body = check_registers},
});

} // namespace
} // namespace cts::sparse_index
