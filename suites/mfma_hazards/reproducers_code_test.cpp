// Every cell in which the compiler keeps fewer wait states than the manual asks for, as a kernel that the
// compiler's own hazard pass made: `cdna-cts audit` names the rule with both numbers, and nothing in the
// padded twin.
#include "common/claim_test.hpp"
#include "common/code_files.hpp"
#include "common/subprocess.hpp"
#include "runners/mir/hazard_kernels.hpp"
#include "suites/mfma_hazards/mir_support.hpp"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

namespace cts::mfma_hazards {
namespace {

using namespace literals;

/// Findings of `file`, by kernel: those of the kernels' own pairs, since the frame around them breaks no
/// rule.
std::multimap<std::string, nlohmann::json> audit(const std::filesystem::path& file) {
  const auto cli = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "cdna-cts";
  const CommandResult result =
      run_command({cli.string(), "audit", "--format", "json", file.string()}, std::chrono::minutes(2));
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  if (result.status > 1 || json.is_discarded())
    throw Error("cdna-cts audit {}: status {}: {}", file.string(), result.status, result.err);
  std::multimap<std::string, nlohmann::json> findings;
  for (const auto& finding : json.at("findings"))
    findings.emplace(finding.at("kernel").get<std::string>(), finding);
  return findings;
}

void check_audit(TestContext& context) {
  note_compiler(context);
  const auto cells = mir::read_looser_cells(context.target(), code_folder());
  const auto findings = audit(mir::kernels_file(mir::looser_stem, context.target(), code_folder()));
  std::vector<std::string> wrong;
  for (const mir::LooserCell& cell : cells) {
    const auto [begin, end] = findings.equal_range(cell.kernel);
    const bool named = std::any_of(begin, end, [&](const auto& entry) {
      return entry.second.at("needed") == cell.needed && entry.second.at("have") == cell.kept;
    });
    if (!named)
      wrong.push_back(fmt::format("{}: needs {}, has {}: not found", cell.kernel, cell.needed, cell.kept));
    const std::string padded = cell.kernel + std::string(mir::padded_twin);
    if (findings.contains(padded))
      wrong.push_back(
          fmt::format("{}: found {} in the padded twin", cell.kernel, findings.find(padded)->second.dump()));
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
