// Every cell in which the compiler keeps fewer wait states than the manual asks for, as a kernel that the
// compiler's own hazard pass made: `cdna-cts audit` names the rule with both numbers, and nothing in the
// padded twin.
#include "common/claim_test.hpp"
#include "common/code_files.hpp"
#include "runners/audit/audit.hpp"
#include "runners/mir/hazard_kernels.hpp"
#include "suites/mfma_hazards/mir_support.hpp"

#include <algorithm>
#include <map>

namespace cts::mfma_hazards {
namespace {

using namespace literals;

void check_audit(TestContext& context) {
  if (const auto why = mir::why_no_kernels(context.target(), code_folder()); !why.empty())
    GTEST_SKIP() << why;
  note_compiler(context);
  const auto cells = mir::read_looser_cells(context.target(), code_folder());
  const auto object = mir::kernels_file(mir::looser_stem, context.target(), code_folder());
  std::multimap<std::string, audit::Finding> findings; // by kernel
  for (audit::Finding& finding :
       audit::audit_file(object.string(), context.target(), audit::RuleSet::isa, {}, codeobject::find_tools())
           .findings)
    findings.emplace(finding.kernel, std::move(finding));
  std::vector<std::string> wrong;
  for (const mir::LooserCell& cell : cells) {
    const auto [begin, end] = findings.equal_range(cell.kernel);
    const auto named = std::find_if(begin, end, [&](const auto& entry) {
      return entry.second.needed == cell.needed && entry.second.have == cell.kept;
    });
    if (named != end)
      context.fact(cell.kernel,
                   fmt::format("needs {}, keeps {}: {}", cell.needed, cell.kept, named->second.rule));
    else
      wrong.push_back(fmt::format("{}: needs {}, has {}: not found", cell.kernel, cell.needed, cell.kept));
    const std::string padded = cell.kernel + std::string(mir::padded_twin);
    if (findings.contains(padded))
      wrong.push_back(
          fmt::format("{}: found {} in the padded twin", cell.kernel, findings.find(padded)->second.rule));
  }
  report(context, wrong, cells.size());
  context.metric("cells", static_cast<double>(cells.size()));
}

const bool added = add({.suite = "Reproducers",
                        .name = "AuditFindsEveryLooserCell",
                        .check = Check::code,
                        .claims = {"CDNA-6.5"_claim},
                        .body = check_audit});

} // namespace
} // namespace cts::mfma_hazards
