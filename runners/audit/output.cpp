#include "common/error.hpp"
#include "runners/audit/audit.hpp"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace cts::audit {
namespace {

std::string_view name(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

std::string distance(const Finding& f) {
  if (f.path.empty()) return {}; // a rule of one instruction
  return fmt::format(", needed {}, have {}, after pc {:#x}", f.needed, f.have, f.producer_pc);
}

std::string path(const Finding& f) {
  if (f.path.size() < 3) return {};
  std::string text = ", path";
  for (const std::uint64_t pc : f.path) text += fmt::format(" {:#x}", pc);
  return text;
}

} // namespace

std::string as_text(const Report& report, const std::string& file) {
  std::string text;
  for (const Finding& f : report.findings)
    text += fmt::format("{}: {}: {}{}: pc {:#x}: {}: {}{}{} [{}]\n", file, name(f.severity), f.kernel,
                        report.parts > 1 ? " on " + f.target : "", f.pc, f.rule, f.line, distance(f), path(f),
                        f.source);
  if (!report.limits.empty()) text += "limits:\n";
  for (const std::string& limit : report.limits) text += fmt::format("  {}\n", limit);
  text += fmt::format("{}: {} kernels, {} instructions, {} findings\n", file, report.kernels,
                      report.instructions, report.findings.size());
  return text;
}

std::string as_json(const Report& report) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const Finding& f : report.findings)
    findings.push_back({{"rule", f.rule},
                        {"target", f.target},
                        {"kernel", f.kernel},
                        {"pc", f.pc},
                        {"line", f.line},
                        {"needed", f.needed},
                        {"have", f.have},
                        {"producer_pc", f.producer_pc},
                        {"path", f.path},
                        {"severity", name(f.severity)},
                        {"source", f.source}});
  const nlohmann::ordered_json json{{"findings", std::move(findings)},
                                    {"kernels", report.kernels},
                                    {"instructions", report.instructions},
                                    {"notes", report.limits}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace cts::audit
