#include "suites/shared/kernel_checks.hpp"

#include "common/code_files.hpp"
#include "runners/audit/audit.hpp"
#include "suites/shared/emitted_code.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>

namespace cts {
namespace {

using namespace literals;
using codeobject::CodeObject;
using codeobject::Instruction;

/// Instructions that claims are about: matrix instructions, LDS and copies into it, moves between lanes,
/// conversions. Which scalar and address arithmetic stands around them is the compiler's own business.
bool is_claimed(const Instruction& i) {
  for (const char* family : {"v_mfma", "v_smfmac", "ds_", "v_cvt_", "v_permlane", "v_readlane", "v_dot"})
    if (i.mnemonic.starts_with(family)) return true;
  return i.mnemonic.ends_with("_dpp") || i.mnemonic.find("_load_lds_") != std::string::npos ||
         std::ranges::count(i.modifiers, "lds", &codeobject::Modifier::name) != 0;
}

/// "error …, warning … x2": each text once, in order, with how often it came.
std::string counted(const std::map<std::string, int>& counts) {
  std::vector<std::string> words;
  for (const auto& [text, count] : counts)
    words.push_back(count == 1 ? text : fmt::format("{} x{}", text, count));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Which, not how many: how often a loop is unrolled is no difference.
void note_instructions(TestContext& context, const CodeObject& object, std::string_view opt) {
  for (const codeobject::Kernel& kernel : object.kernels) {
    std::set<std::string> opcodes;
    for (const Instruction& i : code_of(object, kernel.name))
      if (is_claimed(i)) opcodes.emplace(i.mnemonic);
    if (!opcodes.empty())
      context.fact(fmt::format("emitted for {} at {}", kernel.name, opt),
                   fmt::format("{}", fmt::join(opcodes, ", ")));
  }
}

void note_findings(TestContext& context, const audit::Report& report, std::string_view opt) {
  std::map<std::string, std::map<std::string, int>> by_kernel;
  for (const audit::Finding& f : report.findings)
    ++by_kernel[f.kernel][fmt::format("{} {} (needs {}, has {})",
                                      f.severity == audit::Severity::error ? "error" : "warning", f.rule,
                                      f.needed, f.have)];
  for (const auto& [kernel, findings] : by_kernel)
    context.fact(fmt::format("audit of {} at {}", kernel, opt), counted(findings));
}

/// The ELF with an S_NOP 0 in place of every S_WAITCNT and S_NOP.
std::string without_waits(std::string elf, const CodeObject& object) {
  constexpr std::uint32_t s_nop_0 = 0xbf800000;
  for (const codeobject::Segment& segment : object.segments) {
    if (!segment.executable) continue;
    const auto at =
        elf.find(std::string_view(reinterpret_cast<const char*>(segment.bytes.data()), segment.bytes.size()));
    if (at == std::string::npos) throw Error("the code object's file does not hold its own code");
    for (const Instruction& i : object.instructions)
      if ((i.mnemonic == "s_waitcnt" || i.mnemonic == "s_nop") && i.pc >= segment.address &&
          i.pc + sizeof s_nop_0 <= segment.address + segment.bytes.size())
        std::memcpy(elf.data() + at + (i.pc - segment.address), &s_nop_0, sizeof s_nop_0);
  }
  return elf;
}

audit::Report audited(const std::string& elf, const std::string& where) {
  const auto bytes = std::as_bytes(std::span(elf));
  return audit::audit_part({where, {bytes.begin(), bytes.end()}, {}}, audit::RuleSet::isa, {},
                           codeobject::find_tools());
}

void check_kernels(TestContext& context, const std::string& suite) {
  for (const auto opt : optimisations) {
    const std::string built = fmt::format("kernels at {}", opt);
    const auto path = code_object_path(suite, context.target(), opt);
    context.compared();
    if (const std::string refusal = code_refusal(path); !refusal.empty()) {
      context.fact(built, "refused: " + refusal);
      ADD_FAILURE() << path.filename().string() << ": the compiler refused it: " << refusal;
      continue;
    }
    const std::string elf = read_code_file(path, suite);
    const CodeObject object = read_emitted(context, suite, opt);
    context.fact(built, fmt::format("accepted, {} of them", object.kernels.size()));
    note_instructions(context, object, opt);
    const audit::Report report = audited(elf, path.string());
    note_findings(context, report, opt);
    // The auditor's silence says nothing unless it speaks where waits are missing. (A suite about what only
    // the other target has is without kernels on this one.)
    if (opt == optimisations.back() && !object.kernels.empty()) {
      EXPECT_LT(report.findings.size(), audited(without_waits(elf, object), path.string()).findings.size())
          << "not noticed: " << suite << " without its waits";
    }
  }
}

} // namespace

bool add_kernel_checks(std::string_view suite) {
  return add({.suite = "Kernels",
              .name = "CompileForTheTarget",
              .check = Check::code,
              .claims = {"CDNA-8.2"_claim},
              .body = [suite = std::string(suite)](TestContext& t) { check_kernels(t, suite); }});
}

} // namespace cts
