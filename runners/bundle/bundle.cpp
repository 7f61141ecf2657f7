#include "runners/bundle/bundle.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/manifest/manifests.hpp"
#include "runners/report/environment.hpp"

#include <algorithm>
#include <ranges>
#include <set>

namespace cts::bundle {
namespace {

namespace fs = std::filesystem;

/// Adds a member. Throws when there is one of that name.
void add(Members& members, const std::string& name, std::string bytes) {
  if (!members.emplace(name, std::move(bytes)).second)
    throw Error("bundle: two files would be the member {}", name);
}

/// "lane_ownership.gfx950.O3": the code object that a record's test loaded.
std::string code_name(const Record& record) {
  const auto opt = record.origin.find("opt");
  return fmt::format("{}.{}{}", record.suite, record.target,
                     opt == record.origin.end() ? "" : "." + opt->second);
}

} // namespace

Members collect(const Sources& sources, const std::string& made_by) {
  Members members;
  for (std::size_t n = 0; n < sources.evidence.size(); ++n)
    for (EvidenceFile& file : evidence_files(sources.evidence[n]))
      add(members, fmt::format("{}{:03}/{}", record_folder, n + 1, file.name.generic_string()),
          std::move(file.bytes));
  if (members.empty())
    throw Error(
        "{}: no records; run the suites with CDNA_CTS_EVIDENCE set to it",
        fmt::join(sources.evidence | std::views::transform([](const fs::path& p) { return p.string(); }),
                  ", "));
  for (auto& [name, bytes] : manifest::read_files(sources.manifests))
    add(members, std::string(manifest_folder) + name, bytes);
  for (const fs::path& page : sources.pages)
    add(members, std::string(page_folder) + page.filename().string(), read_file(page));
  if (!sources.code.empty())
    for (const auto& entry : fs::directory_iterator(sources.code))
      if (entry.path().extension() == ".co")
        add(members, std::string(code_folder) + entry.path().filename().string(), read_file(entry.path()));
  add(members, std::string(report_name), read_file(sources.report));
  add(members, std::string(about_name),
      about(made_by, manifest::load(sources.manifests).hash, evidence_of(members)));
  members[std::string(sums_name)] = sums_of(members);
  return members;
}

Evidence evidence_of(const Members& members) {
  std::map<std::string, std::vector<EvidenceFile>> folders;
  for (const auto& [name, bytes] : members) {
    if (!name.starts_with(record_folder)) continue;
    const std::size_t end = name.find('/', record_folder.size());
    if (end != std::string::npos) folders[name.substr(0, end)].push_back({name.substr(end + 1), bytes});
  }
  Evidence all;
  for (auto& [folder, files] : folders) append(all, read_evidence(folder, std::move(files)));
  return all;
}

std::string about(const std::string& made_by, const std::string& manifests_hash, const Evidence& evidence) {
  std::map<std::string, std::set<std::string>> code;
  for (const Record& record : evidence.records)
    if (const auto hash = record.origin.find("code_object"); hash != record.origin.end())
      code[code_name(record)].insert(hash->second);
  return report::dump({{"schema", 1},
                       {"made_by", made_by},
                       {"manifests", manifests_hash},
                       {"records", evidence.records.size()},
                       {"code_objects", code}});
}

std::string sums_of(const Members& members) {
  std::string text;
  for (const auto& [name, bytes] : members)
    if (name != sums_name) text += fmt::format("{}  {}\n", sha256(bytes), name);
  return text;
}

std::string digest_of(const Members& members) {
  const auto sums = members.find(std::string(sums_name));
  return sums == members.end() ? "" : sha256(sums->second);
}

} // namespace cts::bundle
