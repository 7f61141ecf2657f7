// What the compiler emitted: the suite's own code objects, both optimisation levels, as the disassembler
// reads them. Each check is also shown a kernel of which it must say something else.
#include "suites/lane_ownership/fields.hpp"
#include "suites/shared/emitted_code.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <set>

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
    expect_emitted(context, fmt::format("{} at {}", kernel, opt), expected,
                   shape_of_matrix(code_of(object, kernel)));
    EXPECT_NE(expected, shape_of_matrix(code_of(object, other_kernel))) << "not told apart: " << other_kernel;
    EXPECT_NE(expected, shape_of_matrix({})) << "not told apart: no matrix instruction";
  }
}

/// Every dense instruction of the target with its kernel, of F8F6F4 every pair of formats.
void each_dense(Target target, const std::function<void(const reference::Instruction&, std::string)>& f) {
  for (const reference::Instruction& i : reference::instructions(reference::Kind::dense, target))
    f(i, std::string(i.builtin_tail));
  for (const reference::Instruction& i : reference::instructions(reference::Kind::f8f6f4, target))
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b)
        f(reference::with_formats(i, reference::f8f6f4_format(a), reference::f8f6f4_format(b)),
          fmt::format("{}_{}_{}", i.builtin_tail, a, b));
}

void check_opcodes(TestContext& context) {
  for (const auto opt : optimisations) {
    const CodeObject object = read(context, opt);
    std::set<std::string> shapes;
    each_dense(context.target(), [&](const reference::Instruction& i, const std::string& kernel) {
      expect_emitted(context, fmt::format("{} at {}", kernel, opt), expected_shape(i),
                     shape_of_matrix(code_of(object, kernel)));
      shapes.insert(expected_shape(i));
    });
    context.metric(fmt::format("opcodes_and_widths_{}", opt), static_cast<double>(shapes.size()));
    EXPECT_GT(shapes.size(), 30u) << "instructions are not told apart";
  }
}

/// The kinds of register that a kernel's matrix instructions write D to and read C from: "v v", "a a".
std::string kinds_of_accumulators(const CodeObject& object, const std::string& kernel) {
  std::set<std::string> kinds;
  for (const Instruction& i : code_of(object, kernel)) {
    if (!is_matrix(i)) continue;
    const auto kind = [&](std::size_t n) {
      return i.operands.at(n).bank == codeobject::Bank::agpr ? "a" : "v";
    };
    kinds.insert(fmt::format("{} {}", kind(0), kind(3)));
  }
  return fmt::format("{}", fmt::join(kinds, ", "));
}

void check_accumulators(TestContext& context) {
  for (const auto opt : optimisations) {
    const CodeObject object = read(context, opt);
    int accumulating = 0;
    each_dense(context.target(), [&](const reference::Instruction&, const std::string& kernel) {
      expect_emitted(context, fmt::format("{} at {}", kernel, opt), std::string("v v"),
                     kinds_of_accumulators(object, kernel));
      const std::string twin =
          kernel + "_acc"; // the same with its C in accumulation VGPRs, where there is one
      if (std::ranges::find(object.kernels, twin, &Kernel::name) == object.kernels.end()) return;
      expect_emitted(context, fmt::format("{} at {}", twin, opt), std::string("a a"),
                     kinds_of_accumulators(object, twin));
      ++accumulating;
    });
    context.metric(fmt::format("instructions_in_accumulation_vgprs_{}", opt), accumulating);
    const auto instructions = reference::instructions(reference::Kind::dense, context.target()).size() +
                              2 * reference::instructions(reference::Kind::f8f6f4, context.target()).size();
    expect_equal(context, "kernels with C in accumulation VGPRs", static_cast<int>(instructions),
                 accumulating);
  }
}

/// CBSZ, ABID and BLGP of an instruction, which F64 prints as signs.
int fields_of(const Instruction& instruction) {
  int cbsz = 0, abid = 0, blgp = 0;
  for (const codeobject::Modifier& m : instruction.modifiers) {
    if (m.name == "cbsz") cbsz = static_cast<int>(m.values.at(0));
    if (m.name == "abid") abid = static_cast<int>(m.values.at(0));
    if (m.name == "blgp") blgp = static_cast<int>(m.values.at(0));
    if (m.name == "neg")
      for (std::size_t n = 0; n < 3; ++n) blgp |= static_cast<int>(m.values.at(n)) << n;
  }
  return field_code(cbsz, abid, blgp);
}

/// The triples of a kernel's matrix instructions.
std::multiset<int> triples_of(const std::vector<Instruction>& code) {
  std::multiset<int> triples;
  for (const Instruction& i : code)
    if (is_matrix(i)) triples.insert(fields_of(i));
  return triples;
}

void check_fields(TestContext& context) {
  for (const auto opt : optimisations) {
    const CodeObject object = read(context, opt);
    int kernels = 0;
    each_dense(context.target(), [&](const reference::Instruction& i, const std::string& kernel) {
      if (i.unit == reference::Unit::xdl && i.blocks == 1) return;
      const FieldCodes known = field_codes(
          i.unit == reference::Unit::dgemm ? 0 : std::countr_zero(static_cast<unsigned>(i.blocks)));
      const std::multiset<int> expected(known.codes, known.codes + known.count);
      expect_equal(context, fmt::format("{}_fields at {}", kernel, opt), expected,
                   triples_of(code_of(object, kernel + "_fields")));
      context.compared();
      EXPECT_NE(expected, triples_of(code_of(object, kernel))) << "not told apart: all fields 0";
      ++kernels;
    });
    context.metric(fmt::format("kernels_with_fields_{}", opt), kernels);
  }
}

const std::vector<Target> both(all_targets.begin(), all_targets.end()), only_gfx950{Target::gfx950};

const bool added = add({
    {"Wave", "EveryKernelIsBuiltFor64Lanes", Check::code, {"CDNA-1.1"_claim}, both, check_wave64},
    {"Wave", "NothingMasksLanesBeforeTheMfma", Check::code, {"CDNA-1.1"_claim}, both, check_whole_wave},
    {"EveryDenseMfma", "IsWhatItsBuiltinEmits", Check::code, {"CDNA-3.10"_claim}, both, check_opcodes},
    {"EveryDenseMfma",
     "AccumulatesWhereItIsAsked",
     Check::code,
     {"CDNA-3.10"_claim},
     both,
     check_accumulators},
    {"EveryDenseMfma", "HasTheFieldsThatAreAsked", Check::code, {"CDNA-3.10"_claim}, both, check_fields},
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
