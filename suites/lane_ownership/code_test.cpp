// What the compiler emitted: the suite's own code objects, both optimisation levels, as the disassembler
// reads them. Each check is also shown a kernel of which it must say something else.
#include "suites/shared/emitted_code.hpp"

#include <algorithm>
#include <optional>

namespace cts::lane_ownership {
namespace {

using namespace literals;
using codeobject::CodeObject;
using codeobject::Instruction;
using codeobject::Kernel;
using codeobject::Operand;

CodeObject read(TestContext& context, std::string_view opt) {
  return read_emitted(context, "lane_ownership", opt);
}

/// The first instruction before the matrix instruction that writes EXEC; nothing when none does.
std::optional<std::string> exec_write_before_mfma(const std::vector<Instruction>& code) {
  for (const Instruction& i : code) {
    if (is_matrix(i)) return std::nullopt;
    const bool names_exec = !i.operands.empty() && i.operands[0].kind == Operand::Kind::reg &&
                            i.operands[0].bank == codeobject::Bank::sgpr &&
                            (i.operands[0].first == codeobject::scalar::exec ||
                             i.operands[0].first == codeobject::scalar::exec + 1);
    if (names_exec || i.mnemonic.find("saveexec") != std::string::npos || i.mnemonic.starts_with("v_cmpx"))
      return i.text;
  }
  return "no matrix instruction";
}

/// Kernels whose metadata do not say 64 lanes, by name.
std::vector<std::string> not_wave64(const CodeObject& object) {
  std::vector<std::string> names;
  for (const Kernel& kernel : object.kernels)
    if (kernel.wavefront_size != 64)
      names.push_back(fmt::format("{} has waves of {}", kernel.name, kernel.wavefront_size));
  return names;
}

void check_wave64(TestContext& context) {
  for (const auto opt : optimisations) {
    CodeObject object = read(context, opt);
    context.compared(object.kernels.size());
    EXPECT_FALSE(object.kernels.empty());
    EXPECT_EQ(std::vector<std::string>{}, not_wave64(object)) << opt;
    object.kernels.front().wavefront_size = 32;
    EXPECT_EQ(1u, not_wave64(object).size()) << "not noticed: a wave of 32";
  }
}

void check_whole_wave(TestContext& context) {
  for (const auto opt : optimisations) {
    const CodeObject object = read(context, opt);
    for (const Kernel& kernel : object.kernels) {
      std::vector<Instruction> code = code_of(object, kernel.name);
      if (std::ranges::none_of(code, is_matrix)) continue;
      expect_equal(context, kernel.name, std::optional<std::string>{}, exec_write_before_mfma(code));
      // As if the kernel had masked lanes first.
      code.insert(code.begin(), codeobject::parse_instruction(
                                    "\ts_mov_b64 exec, 0xff   // 000000001000: BEFE01FF 000000FF"));
      EXPECT_TRUE(exec_write_before_mfma(code).has_value())
          << "not noticed: EXEC written before " << kernel.name;
      code[0] = codeobject::parse_instruction("\ts_and_saveexec_b64 s[4:5], vcc   // 000000001000: BE84206A");
      EXPECT_TRUE(exec_write_before_mfma(code).has_value()) << "not noticed: saveexec before " << kernel.name;
    }
  }
}

void check_shape(TestContext& context, const std::string& kernel, const std::string& expected,
                 const std::string& other_kernel) {
  for (const auto opt : optimisations) {
    const CodeObject object = read(context, opt);
    expect_equal(context, fmt::format("{} at {}", kernel, opt), expected,
                 shape_of_matrix(code_of(object, kernel)));
    EXPECT_NE(expected, shape_of_matrix(code_of(object, other_kernel))) << "not told apart: " << other_kernel;
    EXPECT_NE(expected, shape_of_matrix({})) << "not told apart: no matrix instruction";
  }
}

const std::vector<Target> both(all_targets.begin(), all_targets.end()), only_gfx950{Target::gfx950};

const bool added = add({
    {"Wave", "EveryKernelIsBuiltFor64Lanes", Check::code, {"CDNA-1.1"_claim}, both, check_wave64},
    {"Wave", "NothingMasksLanesBeforeTheMfma", Check::code, {"CDNA-1.1"_claim}, both, check_whole_wave},
    {"MfmaF32_16x16x16_F16",
     "ReadsTwoVgprsAnInput",
     Check::code,
     {"CDNA-3.6"_claim},
     both,
     [](TestContext& t) {
       check_shape(t, "mfma_f32_16x16x16f16", "v_mfma_f32_16x16x16_f16 d4 a2 b2 c4", "mfma_f32_4x4x4f16");
     }},
    {"MfmaF32_16x16x32_F16",
     "ReadsFourVgprsAnInput",
     Check::code,
     {"CDNA-3.6"_claim},
     only_gfx950,
     [](TestContext& t) {
       check_shape(t, "mfma_f32_16x16x32_f16", "v_mfma_f32_16x16x32_f16 d4 a4 b4 c4", "mfma_f32_16x16x16f16");
     }},
});

} // namespace
} // namespace cts::lane_ownership
