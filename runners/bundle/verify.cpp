#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/bundle/bundle.hpp"
#include "runners/bundle/compare.hpp"
#include "runners/manifest/manifests.hpp"
#include "runners/report/environment.hpp"
#include "runners/report/report.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

namespace cts::bundle {
namespace {

using Json = nlohmann::ordered_json;

/// Collects what is wrong. What throws is one finding more.
class Findings {
public:
  explicit Findings(std::vector<std::string>& lines) : lines_(lines) {}

  template <typename... Args> void add(fmt::format_string<Args...> format, Args&&... args) {
    lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  void add_all(const std::vector<std::string>& lines) {
    lines_.insert(lines_.end(), lines.begin(), lines.end());
  }
  std::size_t count() const { return lines_.size(); }

  /// What `make()` gives, or nothing and a finding.
  template <typename Make> auto attempt(Make make) -> std::optional<decltype(make())> {
    try {
      return make();
    } catch (const Error& e) {
      add("{}", e.what());
    } catch (const Json::exception& e) {
      add("{}: of a form that no report has: {}", report_name, e.what());
    }
    return std::nullopt;
  }

private:
  std::vector<std::string>& lines_;
};

/// The bytes of a member; empty, and a finding, when it is not there.
std::string member(const Members& members, std::string_view name, Findings& findings) {
  const auto found = members.find(std::string(name));
  if (found != members.end()) return found->second;
  findings.add("member '{}': is missing", name);
  return "";
}

/// The first line in which two texts differ.
void compare_lines(std::string_view name, const std::string& said, const std::string& follows,
                   Findings& findings) {
  if (said == follows) return;
  std::istringstream a(said), b(follows);
  std::string line_a, line_b;
  int number = 0;
  do {
    ++number;
    line_a.clear();
    line_b.clear();
    std::getline(a, line_a);
    std::getline(b, line_b);
  } while (line_a == line_b && (a || b));
  findings.add("{}:{}: it says '{}', '{}' follows", name, number, line_a.substr(0, 160),
               line_b.substr(0, 160));
}

// ---- Names and hashes

void check_names(const Members& members, Findings& findings) {
  for (const auto& [name, bytes] : members) {
    const bool known =
        name == sums_name || name == about_name || name == report_name ||
        std::ranges::any_of(std::array{code_folder, manifest_folder, page_folder, record_folder},
                            [&](std::string_view folder) { return name.starts_with(folder); });
    if (!known) findings.add("member '{}': a bundle has none of this name", name);
  }
}

/// Compares members with SHA256SUMS. `lost` are named already.
void check_sums(const Members& members, const std::set<std::string>& lost, Findings& findings) {
  const std::size_t before = findings.count();
  const std::string sums = member(members, sums_name, findings);
  std::map<std::string, std::string> listed;
  std::istringstream lines(sums);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 66) listed[line.substr(66)] = line.substr(0, 64);
  for (const auto& [name, bytes] : members) {
    if (name == sums_name) continue;
    const auto found = listed.find(name);
    if (found == listed.end())
      findings.add("member '{}': {} does not list it", name, sums_name);
    else if (const std::string hash = sha256(bytes); hash != found->second)
      findings.add("member '{}': its SHA-256 is {}, {} says {}", name, hash, sums_name, found->second);
  }
  for (const auto& [name, hash] : listed)
    if (!members.contains(name) && !lost.contains(name))
      findings.add("member '{}': is missing, {} lists it", name, sums_name);
  if (findings.count() == before && lost.empty()) compare_lines(sums_name, sums, sums_of(members), findings);
}

// ---- What follows from records and manifests

std::optional<manifest::Manifests> load_manifests(const Members& members, Findings& findings) {
  manifest::Files files;
  for (const auto& [name, bytes] : members)
    if (name.starts_with(manifest_folder)) files[name.substr(manifest_folder.size())] = bytes;
  const std::string folder(manifest_folder.substr(0, manifest_folder.size() - 1));
  return findings.attempt([&] { return manifest::load(files, folder); });
}

/// Problems name files; those of the report where they were when it was made, ours where they are in the
/// bundle. A problem that differs in nothing else is put down as the report has it.
void name_files_alike(std::vector<std::string>& problems, const std::vector<std::string>& said) {
  for (std::string& problem : problems) {
    if (!problem.starts_with(record_folder)) continue;
    const std::string rest = problem.substr(problem.find_first_not_of("0123456789", record_folder.size()));
    const auto same = std::ranges::find_if(said, [&](const std::string& s) { return s.ends_with(rest); });
    if (same != said.end()) problem = *same;
  }
}

/// Compares report.json with what follows, which is returned.
std::optional<report::Report> check_report(const Members& members, const manifest::Manifests& manifests,
                                           const Evidence& evidence, Findings& findings) {
  const std::string bytes = member(members, report_name, findings);
  if (bytes.empty()) return std::nullopt;
  const auto said = findings.attempt([&] {
    report::Report report = report::parse_report(bytes, std::string(report_name));
    report::require_environment(report.environment, std::string(report_name));
    return report;
  });
  // A report that does not read is still compared, as far as it is JSON, with an environment that nobody
  // said.
  const Json json = Json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  auto follows = findings.attempt(
      [&] { return report::build_report(manifests, evidence, said ? said->environment : Json::object()); });
  if (!follows || !said) return std::nullopt;
  follows->generated = said->generated;
  name_files_alike(follows->problems, said->problems);
  const Json derived = report::to_json(*follows);
  const std::vector<std::string> lines = differences(json, derived);
  findings.add_all(lines);
  if (lines.empty()) compare_lines(report_name, bytes, report::dump(derived), findings);
  return follows;
}

/// Code objects are those that the records' tests loaded.
void check_code(const Members& members, const Json& about, Findings& findings) {
  const Json& named = about.at("code_objects");
  for (const auto& [name, bytes] : members) {
    if (!name.starts_with(code_folder)) continue;
    const std::string code = name.substr(code_folder.size(), name.rfind('.') - code_folder.size());
    if (!named.contains(code)) continue; // no record is about it
    const std::string hash = sha256(bytes);
    if (std::ranges::find(named.at(code), Json(hash)) == named.at(code).end())
      findings.add("member '{}': its SHA-256 is {}, the records' tests loaded {}", name, hash,
                   named.at(code).dump());
  }
}

void check_about(const Members& members, const manifest::Manifests& manifests, const Evidence& evidence,
                 Findings& findings) {
  const std::string bytes = member(members, about_name, findings);
  const Json said = Json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  const bool named = said.is_object() && said.contains("made_by") && said.at("made_by").is_string();
  const std::string follows =
      about(named ? said.at("made_by").get<std::string>() : "", manifests.hash, evidence);
  compare_lines(about_name, bytes, follows, findings);
  check_code(members, Json::parse(follows), findings);
}

void check_page(const Members& members, const report::Report& report, Findings& findings) {
  const std::string name = std::string(page_folder) + "REPORT.md";
  if (const auto page = members.find(name); page != members.end())
    compare_lines(name, page->second, report::to_markdown(report), findings);
}

std::string summary_of(const report::Report& report, const Evidence& evidence) {
  std::map<report::Verdict, std::size_t> verdicts;
  std::size_t all = 0;
  for (const report::ClaimReport& claim : report.claims)
    for (const report::TargetReport& on : claim.targets) {
      ++verdicts[on.judgement.verdict];
      ++all;
    }
  std::vector<std::string> counts;
  for (const report::Verdict verdict : report::all_verdicts)
    counts.push_back(fmt::format("{} {}", verdicts[verdict], name(verdict)));
  return fmt::format("{} records; {} verdicts on {} claims: {}; manifests {}", evidence.records.size(), all,
                     report.claims.size(), fmt::join(counts, ", "), report.manifests.substr(0, 12));
}

} // namespace

Verification verify(std::string_view file, std::string_view shown) {
  const Archive archive = unpack(file, shown);
  const Members& members = archive.members;
  Verification result;
  result.findings = archive.findings;
  result.digest = digest_of(members);
  if (members.empty()) return result;
  Findings findings(result.findings);
  check_names(members, findings);
  check_sums(members, archive.lost, findings);
  const auto manifests = load_manifests(members, findings);
  const auto evidence = findings.attempt([&] { return evidence_of(members); });
  if (!manifests || !evidence) return result;
  const auto report = check_report(members, *manifests, *evidence, findings);
  check_about(members, *manifests, *evidence, findings);
  if (!report) return result;
  check_page(members, *report, findings);
  result.summary = summary_of(*report, *evidence);
  return result;
}

} // namespace cts::bundle
