// What the compiler emitted: the suite's own code objects, both optimisation levels, as the disassembler
// reads them. Each check is also shown a kernel of which it must say something else.
#include "common/claim_test.hpp"
#include "common/code_files.hpp"
#include "common/error.hpp"
#include "runners/codeobject/code_object.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace cts::lane_ownership {
namespace {

using namespace literals;
using codeobject::CodeObject;
using codeobject::Instruction;
using codeobject::Kernel;
using codeobject::Operand;

constexpr std::array<std::string_view, 2> opts{"O1", "O3"};

CodeObject read(TestContext& context, std::string_view opt) {
  const auto path = code_object_path("lane_ownership", context.target(), opt);
  const std::string bytes = read_code_file(path, "lane_ownership");
  CodeObject object =
      codeobject::read_code_object(std::as_bytes(std::span(bytes)), path.string(), codeobject::find_tools());
  context.origin(fmt::format("code_object_{}", opt), object.sha256);
  context.origin("compiler", code_compiler());
  return object;
}

/// The instructions of a kernel, from its entry to the next function.
std::vector<Instruction> code_of(const CodeObject& object, const std::string& kernel) {
  const auto found = std::ranges::find(object.kernels, kernel, &Kernel::name);
  if (found == object.kernels.end())
    throw Error("no kernel {} in the code object for {}", kernel, name(object.target));
  const auto symbol = std::ranges::find_if(
      object.symbols, [&](const codeobject::Symbol& s) { return s.function && s.address == found->entry; });
  if (symbol == object.symbols.end()) throw Error("kernel {}: no function symbol at its entry", kernel);
  std::vector<Instruction> code;
  for (const Instruction& i : object.instructions)
    if (i.pc >= symbol->address && i.pc < symbol->address + symbol->size) code.push_back(i);
  return code;
}

bool is_mfma(const Instruction& i) { return i.mnemonic.starts_with("v_mfma"); }

/// What a kernel's only matrix instruction reads and writes, as one line: "v_mfma_f32_16x16x16_f16 d4 a2 b2
/// c4".
std::string shape_of_mfma(const std::vector<Instruction>& code) {
  if (const auto count = std::ranges::count_if(code, is_mfma); count != 1)
    return fmt::format("{} matrix instructions", count);
  const Instruction& mfma = *std::ranges::find_if(code, is_mfma);
  if (mfma.operands.size() != 4) return fmt::format("'{}' with {} operands", mfma.text, mfma.operands.size());
  std::string shape = mfma.mnemonic;
  for (std::size_t i = 0; i < 4; ++i) shape += fmt::format(" {}{}", "dabc"[i], mfma.operands[i].count);
  return shape;
}

/// The first instruction before the matrix instruction that writes EXEC; nothing when none does.
std::optional<std::string> exec_write_before_mfma(const std::vector<Instruction>& code) {
  for (const Instruction& i : code) {
    if (is_mfma(i)) return std::nullopt;
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
  for (const auto opt : opts) {
    CodeObject object = read(context, opt);
    context.compared(object.kernels.size());
    EXPECT_FALSE(object.kernels.empty());
    EXPECT_EQ(std::vector<std::string>{}, not_wave64(object)) << opt;
    object.kernels.front().wavefront_size = 32;
    EXPECT_EQ(1u, not_wave64(object).size()) << "not noticed: a wave of 32";
  }
}

void check_whole_wave(TestContext& context) {
  for (const auto opt : opts) {
    const CodeObject object = read(context, opt);
    for (const Kernel& kernel : object.kernels) {
      std::vector<Instruction> code = code_of(object, kernel.name);
      if (std::ranges::none_of(code, is_mfma)) continue;
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
  for (const auto opt : opts) {
    const CodeObject object = read(context, opt);
    expect_equal(context, fmt::format("{} at {}", kernel, opt), expected,
                 shape_of_mfma(code_of(object, kernel)));
    EXPECT_NE(expected, shape_of_mfma(code_of(object, other_kernel))) << "not told apart: " << other_kernel;
    EXPECT_NE(expected, shape_of_mfma({})) << "not told apart: no matrix instruction";
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
