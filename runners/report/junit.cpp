// JUnit XML, as Jenkins, GitLab and GitHub's test reporters take it: a testsuite for each suite, target and
// kind of evidence (and device), and one for the claims of each target. docs/report.md says what is what.
#include "runners/report/report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace cts::report {
namespace {

/// `text` for an attribute or an element: valid UTF-8, markup escaped, and U+FFFD for what XML 1.0 cannot
/// hold at all.
std::string escaped(const std::string& text) {
  const std::string valid =
      nlohmann::json::parse(
          nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
          .get<std::string>();
  std::string safe;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    if (const std::string three = valid.substr(i, 3); three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {
      safe += "\xEF\xBF\xBD";
      i += 2;
    } else if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (c == '\n' || c == '\r' || c == '\t')
      safe += fmt::format("&#{};", static_cast<int>(c)); // as they are, an attribute would lose them
    else if (static_cast<unsigned char>(c) < 0x20)
      safe += "\xEF\xBF\xBD";
    else
      safe += c;
  }
  return safe;
}

/// One testcase.
struct Case {
  std::string name;
  std::string tag;           ///< "failure", "error", "skipped"; empty for a pass
  std::string type, message; ///< of the tag
  std::string out;           ///< of system-out
};

struct Suite {
  std::string name;
  std::vector<Case> cases;
};

std::string origin(const Record& record, const char* key) {
  const auto found = record.origin.find(key);
  return found == record.origin.end() ? "" : found->second;
}

/// What the records of one test at one optimisation level say together: the worst outcome.
Case case_of(const std::vector<const Record*>& records, const std::string& name) {
  const auto first = [&](Outcome outcome) -> const Record* {
    const auto found = std::ranges::find(records, outcome, &Record::outcome);
    return found == records.end() ? nullptr : *found;
  };
  const Record* failed = first(Outcome::failed);
  const Record* error = first(Outcome::error);
  const Record* passed = first(Outcome::passed);
  const Record* skipped = first(Outcome::skipped);
  Case result{name, "", "", "", ""};
  if (failed != nullptr)
    result = {name, "failure", passed == nullptr ? "failed" : "flaky", failed->detail, ""};
  else if (error != nullptr)
    result = {name, "error", "error", error->detail, ""};
  else if (passed == nullptr && skipped != nullptr)
    result = {name, "skipped", "skipped", skipped->detail, ""};

  std::set<std::string> claims, seeds, seen;
  for (const Record* r : records) {
    claims.insert(r->claim);
    if (r->seed != 0) seeds.insert(std::to_string(r->seed));
    if (r->observed && !r->detail.empty()) seen.insert(r->detail);
  }
  result.out = fmt::format("claims: {}", fmt::join(claims, ", "));
  if (!seeds.empty()) result.out += fmt::format("\nseeds: {}", fmt::join(seeds, ", "));
  for (const std::string& detail : seen) result.out += "\nobserved: " + detail;
  for (const auto& [what, value] : records.front()->metrics)
    result.out += fmt::format("\n{}: {}", what, value);
  for (const auto& [what, value] : records.front()->facts) result.out += fmt::format("\n{}: {}", what, value);
  return result;
}

/// By suite, target, kind of evidence and device: one suite each, its tests by name.
std::vector<Suite> suites_of_tests(const Report& report) {
  std::map<std::tuple<std::string, std::string, Column, std::string>,
           std::map<std::string, std::vector<const Record*>>>
      by_suite;
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets)
      for (const Record& r : on.tests) {
        const std::string opt = origin(r, "opt");
        by_suite[{r.suite, r.target, column_of(r), origin(r, "device")}]
                [opt.empty() ? r.test : fmt::format("{} ({})", r.test, opt)]
                    .push_back(&r);
      }
  std::vector<Suite> suites;
  for (const auto& [key, tests] : by_suite) {
    const auto& [suite, target, column, device] = key;
    Suite& one = suites.emplace_back(Suite{fmt::format("{}.{}.{}", suite, target, name(column)), {}});
    if (!device.empty()) one.name += fmt::format(" ({})", device);
    for (const auto& [test, records] : tests) one.cases.push_back(case_of(records, test));
  }
  return suites;
}

/// A claim as a testcase: what was not executed is skipped, never passed.
Suite suite_of_claims(const Report& report, const std::string& target) {
  Suite suite{"claims." + target, {}};
  for (const ClaimReport& claim : report.claims)
    for (const TargetReport& on : claim.targets) {
      if (on.target != target) continue;
      const auto& [verdict, reason] = on.judgement;
      const bool fails = verdict == Verdict::violated || verdict == Verdict::flaky;
      const bool open = verdict == Verdict::not_executed;
      suite.cases.push_back({claim.id,
                             fails  ? "failure"
                             : open ? "skipped"
                                    : "",
                             std::string(name(verdict)), reason,
                             fmt::format("{}: {}; {}", name(verdict), claim.claim, on.validation)});
    }
  return suite;
}

std::string properties(const nlohmann::ordered_json& environment) {
  std::string text = "    <properties>\n";
  for (const auto& [key, value] : environment.items()) {
    const std::string shown = value.is_string()
                                  ? value.get<std::string>()
                                  : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escaped(key), escaped(shown));
  }
  return text + "    </properties>\n";
}

std::string to_xml(const Suite& suite, const std::string& timestamp, const std::string& environment) {
  const auto count = [&](std::string_view tag) { return std::ranges::count(suite.cases, tag, &Case::tag); };
  std::string text =
      fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}>\n",
                  escaped(suite.name), suite.cases.size(), count("failure"), count("error"), count("skipped"),
                  timestamp) +
      environment;
  for (const Case& one : suite.cases) {
    text +=
        fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n", escaped(suite.name), escaped(one.name));
    if (!one.tag.empty())
      text += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{2}</{0}>\n", one.tag, escaped(one.type),
                          escaped(one.message));
    text += fmt::format("      <system-out>{}</system-out>\n    </testcase>\n", escaped(one.out));
  }
  return text + "  </testsuite>\n";
}

} // namespace

std::string to_junit(const Report& report) {
  std::vector<Suite> suites = suites_of_tests(report);
  for (const Target target : all_targets)
    if (Suite claims = suite_of_claims(report, std::string(cts::name(target))); !claims.cases.empty())
      suites.push_back(std::move(claims));
  std::size_t tests = 0, failures = 0, errors = 0;
  for (const Suite& suite : suites)
    for (const Case& one : suite.cases) {
      ++tests;
      failures += one.tag == "failure" ? 1 : 0;
      errors += one.tag == "error" ? 1 : 0;
    }
  const std::string timestamp =
      report.generated.empty() ? "" : fmt::format(" timestamp=\"{}\"", escaped(report.generated));
  const std::string environment = properties(report.environment);
  std::string xml = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cdna-cts\" "
                                "tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
                                tests, failures, errors);
  for (const Suite& suite : suites) xml += to_xml(suite, timestamp, environment);
  return xml + "</testsuites>\n";
}

} // namespace cts::report
