// REPORT.md: the same bytes for the same evidence and tools. So: no time, no folder, no commit, no serial
// number, no seed but those that made a test fail now and then.
#include "runners/report/report.hpp"
#include "runners/report/summary.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace cts::report {
namespace {

/// Text that stays inside one cell of a table and means nothing to Markdown.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\n' || c == '\r')
      safe += ' ';
    else if (c == '|' || c == '*' || c == '_' || c == '<' || c == '>' || c == '`')
      (safe += '\\') += c;
    else
      safe += c;
  }
  return safe;
}

std::string row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head(const std::vector<std::string>& names) {
  return row(names) + row(std::vector<std::string>(names.size(), "---"));
}

/// A column's cell: what was executed says its verdict, everything else is a dash.
std::string evidence_cell(const Judgement& judgement) {
  return judgement.verdict == Verdict::not_executed ? "–" : std::string(name(judgement.verdict));
}

std::string label_text(const ClaimReport& claim) {
  std::vector<std::string> parts;
  for (const auto& [axis, word] : claim.label) parts.push_back(fmt::format("{}: {}", axis, word));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string summary_section(const Report& report) {
  std::string text =
      "# Conformance report\n\nWhich documented claims about gfx942 and gfx950 hold here, and by what kind "
      "of "
      "evidence. A claim holds when every check that it needs was executed and passed; a model's or a "
      "compiler's result is no GPU's and stays in its own column. A claim without a complete result is not "
      "executed, whatever part of it passed.\n\n";
  for (const TargetSummary& summary : summaries(report)) text += "- " + cell(one_line(summary)) + "\n";
  if (!report.problems.empty())
    text += fmt::format("- {} records could not be used as they are; report.json lists them.\n",
                        report.problems.size());
  return text;
}

std::string environment_section(const Report& report) {
  constexpr std::array<std::pair<const char*, const char*>, 4> stable{{{"device_compiler", "Device compiler"},
                                                                       {"llvm_objdump", "Disassembler"},
                                                                       {"host_compiler", "Host compiler"},
                                                                       {"hip_runtime", "HIP runtime"}}};
  std::string text = "\n## Environment\n\n" + head({"What", "Version"});
  for (const auto& [key, title] : stable)
    if (report.environment.contains(key) && report.environment.at(key).is_string())
      text += row({title, cell(report.environment.at(key).get<std::string>())});
  std::vector<std::string> gpus;
  if (report.environment.contains("gpus") && report.environment.at("gpus").is_array())
    for (const auto& gpu : report.environment.at("gpus"))
      gpus.push_back(gpu.value("target", "unknown") + " " + gpu.value("name", "unknown"));
  return text + row({"GPUs", gpus.empty() ? "none" : cell(fmt::format("{}", fmt::join(gpus, ", ")))});
}

/// Tests that did not always end the same way. Seeds are in: they are what repeats the failure.
std::string flaky_section(const Report& report) {
  if (report.flaky.empty()) return "";
  std::string text = "\n## Flaky\n\nTests that both passed and failed in the same circumstances.\n\n" +
                     head({"Test", "Target", "On", "Passed", "Failed", "Seeds of failures"});
  for (const FlakyTest& flaky : report.flaky) {
    const auto runs = [&](Outcome outcome) {
      const auto found = flaky.outcomes.find(outcome);
      return std::to_string(found == flaky.outcomes.end() ? 0 : found->second);
    };
    text += row({cell(flaky.test), flaky.target, std::string(name(flaky.column)), runs(Outcome::passed),
                 runs(Outcome::failed), fmt::format("{}", fmt::join(flaky.failed_seeds, ", "))});
  }
  return text;
}

/// The claim's sentence, and which part of it no check can see.
std::string sentence(const ClaimReport& claim) {
  const std::string untested = claim.untested.empty() ? "" : " *Not tested: " + cell(claim.untested) + ".*";
  return cell(claim.claim) + untested;
}

std::string document_section(const Report& report, const std::string& id, const std::string& title) {
  std::string text =
      fmt::format("\n## {}\n\n", cell(title)) + head({"Claim", "Says", "The document's label", "Target",
                                                      "Verdict", "Host", "Compiler", "Model", "GPU"});
  for (const ClaimReport& claim : report.claims) {
    if (claim.doc != id) continue;
    bool again = false; // the sentence is printed once, its further targets below it
    for (const TargetReport& on : claim.targets) {
      std::vector<std::string> cells{
          claim.id, again ? "" : sentence(claim), again ? "" : cell(label_text(claim)), on.target,
          std::string(name(on.judgement.verdict)) + (on.waivers.empty() ? "" : " (waiver below)")};
      for (const Judgement& judgement : on.evidence) cells.push_back(evidence_cell(judgement));
      text += row(cells);
      again = true;
    }
  }
  return text;
}

/// Claims of one verdict, gathered by their reason.
std::string reasons_section(const Report& report, const char* title, Verdict verdict) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets) {
      if (on.judgement.verdict != verdict) continue;
      auto found = std::ranges::find(by_reason, on.judgement.reason, &decltype(by_reason)::value_type::first);
      if (found == by_reason.end()) found = by_reason.insert(by_reason.end(), {on.judgement.reason, {}});
      found->second.push_back(fmt::format("{} ({})", claim.id, on.target));
    }
  if (by_reason.empty()) return "";
  std::string text = fmt::format("\n## {}\n\n", title) + head({"Why", "Claims"});
  for (const auto& [reason, claims] : by_reason)
    text += row({cell(reason), fmt::format("{}", fmt::join(claims, ", "))});
  return text;
}

/// Known failures: a waiver explains a verdict to a gate and does not change it.
std::string waivers_section(const Report& report) {
  std::string rows;
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets)
      for (const WaiverNote& w : on.waivers)
        rows += row({claim.id, on.target, std::string(name(on.judgement.verdict)), cell(w.id), cell(w.reason),
                     w.url, cell(w.owner), w.expires});
  if (rows.empty()) return "";
  return "\n## Waivers\n\nKnown failures, expected until the day given. The verdict is what it is.\n\n" +
         head({"Claim", "Target", "Verdict", "Waiver", "Reason", "See", "Owner", "Until"}) + rows;
}

/// What tests saw of behaviour that the documents leave open, gathered by what was seen.
std::string observed_section(const Report& report) {
  struct Row {
    std::string seen, column;
    std::set<std::string> tests;
    std::vector<std::string> claims;
  };
  std::vector<Row> rows;
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets)
      for (const Record& r : on.tests) {
        if (r.outcome != Outcome::passed || !r.observed) continue;
        const std::string column(name(column_of(r)));
        auto found = std::ranges::find_if(
            rows, [&](const Row& row) { return row.seen == r.detail && row.column == column; });
        if (found == rows.end()) found = rows.insert(rows.end(), {r.detail, column, {}, {}});
        found->tests.insert(fmt::format("{}.{}", r.suite, r.test));
        const std::string about = fmt::format("{} ({})", claim.id, on.target);
        if (std::ranges::find(found->claims, about) == found->claims.end()) found->claims.push_back(about);
      }
  if (rows.empty()) return "";
  std::ranges::sort(rows, {}, [](const Row& r) { return std::tuple(*r.tests.begin(), r.seen, r.column); });
  std::string text = "\n## Observed\n\nBehaviour that the documents leave open: recorded, not judged.\n\n" +
                     head({"Seen", "On", "By", "Claims"});
  for (const Row& r : rows)
    text += row({cell(r.seen), r.column, cell(fmt::format("{}", fmt::join(r.tests, ", "))),
                 fmt::format("{}", fmt::join(r.claims, ", "))});
  return text;
}

std::string faults_section(const Report& report) {
  struct Row {
    std::string fault, target;
    std::vector<std::string> saw, missed, not_run;
  };
  std::vector<Row> rows;
  const auto row_of = [&](const std::string& fault, const std::string& target) -> Row& {
    for (Row& r : rows)
      if (r.fault == fault && r.target == target) return r;
    return rows.emplace_back(Row{fault, target, {}, {}, {}});
  };
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets) {
      for (const std::string& f : on.faults.detected) row_of(f, on.target).saw.push_back(claim.id);
      for (const std::string& f : on.faults.undetected) row_of(f, on.target).missed.push_back(claim.id);
      for (const std::string& f : on.faults.not_run) row_of(f, on.target).not_run.push_back(claim.id);
    }
  if (rows.empty()) return "";
  std::ranges::sort(rows, {}, [](const Row& r) { return std::pair(r.fault, r.target); });
  const auto list = [](const std::vector<std::string>& claims) {
    return claims.empty() ? std::string("–") : fmt::format("{}", fmt::join(claims, ", "));
  };
  std::string text = "\n## Planted faults\n\nEach fault is one wrong behaviour on purpose; a claim that it "
                     "names has to have "
                     "a test that fails under it.\n\n" +
                     head({"Fault", "Target", "Seen by the tests of", "Not seen by", "Not run"});
  for (const Row& r : rows)
    text += row({cell(r.fault), r.target, list(r.saw), list(r.missed), list(r.not_run)});
  return text;
}

/// The other way round: by test, the faults under which it failed.
std::string seen_faults_section(const Report& report) {
  if (report.seen_faults.empty()) return "";
  std::map<std::string, std::map<std::string, std::string>> by_test; // then by target
  std::vector<std::string> never;
  for (const SeenFaults& seen : report.seen_faults) {
    by_test[seen.test][seen.target] = fmt::format("{}", fmt::join(seen.faults, ", "));
    if (seen.faults.empty()) never.push_back(fmt::format("{} ({})", seen.test, seen.target));
  }
  std::string text = fmt::format("\n## Faults by test\n\nRun tests that a model passed, and the planted "
                                 "faults under which they failed. Tests that fail "
                                 "under none: {}.\n\n",
                                 never.empty() ? "none" : cell(fmt::format("{}", fmt::join(never, ", "))));
  text += head({"Test", "gfx942", "gfx950"});
  for (const auto& [test, faults] : by_test) {
    std::vector<std::string> cells{cell(test)};
    for (const char* target : {"gfx942", "gfx950"}) {
      const auto found = faults.find(target);
      cells.push_back(found == faults.end() ? "–" : cell(found->second));
    }
    text += row(cells);
  }
  return text;
}

} // namespace

std::string to_markdown(const Report& report) {
  std::string text = summary_section(report) + environment_section(report);
  text += reasons_section(report, "Violated", Verdict::violated) + flaky_section(report) +
          waivers_section(report);
  for (const auto& [id, title] : report.documents) text += document_section(report, id, title);
  text += reasons_section(report, "Not executed", Verdict::not_executed);
  return text + observed_section(report) + faults_section(report) + seen_faults_section(report);
}

} // namespace cts::report
