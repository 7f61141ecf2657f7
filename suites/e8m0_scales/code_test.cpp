// What the compiler emitted for the scaled builtins: opcode, formats, registers of A and B, kind of the scale
// operands and their bytes. Each check is also shown a kernel of which it must say something else.
#include "suites/shared/emitted_code.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace cts::e8m0_scales {
namespace {

using namespace literals;
using codeobject::Bank;
using codeobject::Operand;
using reference::Instruction;
using reference::Type;

constexpr std::array types{Type::fp8, Type::bf8, Type::fp6, Type::bf6, Type::fp4};
constexpr std::array<std::string_view, 2> shapes{"16x16x128", "32x32x64"};

/// Element `n` of a modifier's values, or `otherwise`.
std::int64_t modifier(const codeobject::Instruction& i, std::string_view name, std::size_t n,
                      std::int64_t otherwise) {
  const auto found = std::ranges::find(i.modifiers, name, &codeobject::Modifier::name);
  return found == i.modifiers.end() || found->values.size() <= n ? otherwise : found->values[n];
}

/// What kind of operand a scale is: "v", "a", "s", or as it is written.
std::string kind_of(const Operand& o) {
  if (o.kind != Operand::Kind::reg) return "constant";
  return o.bank == Bank::vgpr ? "v" : o.bank == Bank::agpr ? "a" : "s";
}

/// Opcode, formats and scales of a matrix instruction: "v_mfma_scale_f32_16x16x128_f8f6f4 cbsz 4 blgp 1
/// scales v byte 0, v byte 0".
std::string scaling_of(const codeobject::Instruction& i) {
  std::string text =
      fmt::format("{} cbsz {} blgp {}", i.mnemonic, modifier(i, "cbsz", 0, 0), modifier(i, "blgp", 0, 0));
  if (i.operands.size() < 6) return text + " no scales";
  const auto byte = [&](std::size_t n) {
    return modifier(i, "op_sel", n, 0) | modifier(i, "op_sel_hi", n, 1) << 1;
  };
  return text + fmt::format(" scales {} byte {}, {} byte {}", kind_of(i.operands[4]), byte(0),
                            kind_of(i.operands[5]), byte(1));
}

/// The only matrix instruction of a kernel.
codeobject::Instruction matrix_of(const codeobject::CodeObject& object, const std::string& kernel) {
  const auto code = code_of(object, kernel);
  if (const auto count = std::ranges::count_if(code, is_matrix); count != 1)
    throw Error("{} holds {} matrix instructions, expected one", kernel, count);
  return *std::ranges::find_if(code, is_matrix);
}

Instruction row(std::string_view shape, Type a, Type b) {
  return reference::with_formats(reference::find_instruction(fmt::format("mfma_scale_f32_{}_f8f6f4", shape)),
                                 a, b);
}

std::string kernel_of(std::string_view shape, Type a, Type b) {
  return fmt::format("scaled_{}_{}_{}", shape, reference::name(a), reference::name(b));
}

/// The scaled opcode, the formats that were asked for, and scales in VGPRs.
void check_formats(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "e8m0_scales", opt);
    std::set<std::string> seen;
    for (const auto shape : shapes)
      for (std::size_t a = 0; a < types.size(); ++a)
        for (std::size_t b = 0; b < types.size(); ++b) {
          const std::string kernel = kernel_of(shape, types[a], types[b]);
          const std::string expected = fmt::format(
              "v_mfma_scale_f32_{}_f8f6f4 cbsz {} blgp {} scales v byte 0, v byte 0", shape, a, b);
          const std::string got = scaling_of(matrix_of(object, kernel));
          expect_emitted(context, fmt::format("{} at {}", kernel, opt), expected, got);
          seen.insert(got);
        }
    context.compared(2);
    EXPECT_EQ(50u, seen.size()) << "kernels of other formats are not told apart";
    EXPECT_NE(scaling_of(matrix_of(object, "scaled_16x16x128_bf8_bf8")),
              scaling_of(matrix_of(object, "literal_zero_16x16x128")))
        << "not noticed: no scales";
  }
}

/// Each pair of bytes of the scale registers once, and what scales the compiler knows became.
void check_bytes(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "e8m0_scales", opt);
    for (const auto shape : shapes) {
      std::set<std::string> expected, got;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          expected.insert(fmt::format("v_mfma_scale_f32_{}_f8f6f4 cbsz 0 blgp 4 scales v byte {}, v byte {}",
                                      shape, a, b));
      for (const auto& i : code_of(object, fmt::format("bytes_{}", shape)))
        if (is_matrix(i)) got.insert(scaling_of(i));
      expect_equal(context, fmt::format("bytes_{} at {}", shape, opt), expected, got);
      context.compared();
      EXPECT_NE(expected, std::set{scaling_of(matrix_of(object, kernel_of(shape, Type::fp8, Type::fp4)))})
          << "not noticed: one pair of bytes only";
      for (const char* known : {"literal_zero", "constants", "uniform"})
        context.observe(fmt::format("{}_{} at {}: {}", known, shape, opt,
                                    scaling_of(matrix_of(object, fmt::format("{}_{}", known, shape)))));
    }
  }
}

/// A and B are read from 8, 6 or 4 VGPRs, each as its own format needs.
void check_registers(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "e8m0_scales", opt);
    for (const auto shape : shapes)
      for (const Type a : types)
        for (const Type b : types) {
          const auto code = code_of(object, kernel_of(shape, a, b));
          const int d = row(shape, a, b).vgprs_d;
          // 32 elements of so many bits fill as many VGPRs.
          expect_emitted(context, fmt::format("{} at {}", kernel_of(shape, a, b), opt),
                         fmt::format("v_mfma_scale_f32_{}_f8f6f4 d{} a{} b{} c{}", shape, d,
                                     reference::bits_of(a), reference::bits_of(b), d),
                         shape_of_matrix(code));
          context.compared();
          const Type wider = a == Type::fp8 ? Type::fp4 : Type::fp8;
          if (reference::bits_of(wider) != reference::bits_of(a)) {
            EXPECT_NE(shape_of_matrix(code), shape_of_matrix(code_of(object, kernel_of(shape, wider, b))))
                << "not told apart: another format of A";
          }
        }
  }
}

const bool added = add({
    {.suite = "F8F6F4",
     .name = "FormatsAreWhatWasAskedFor",
     .check = Check::code,
     .claims = {"CDNA-2.6"_claim},
     .targets = {Target::gfx950},
     .body = check_formats},
    {.suite = "F8F6F4",
     .name = "BytesOfScaleRegistersAreWhatWasAskedFor",
     .check = Check::code,
     .claims = {"CDNA-2.6"_claim},
     .targets = {Target::gfx950},
     .body = check_bytes},
    {.suite = "F8F6F4",
     .name = "ReadsAsManyRegistersAsTheFormatsNeed",
     .check = Check::code,
     .claims = {"CDNA-2.15"_claim},
     .targets = {Target::gfx950},
     .body = check_registers},
});

} // namespace
} // namespace cts::e8m0_scales
