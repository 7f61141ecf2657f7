// report.json: written from a Report, and read back by the gate.
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/unique_keys.hpp"
#include "runners/report/report.hpp"
#include "runners/report/summary.hpp"

#include <algorithm>
#include <set>

namespace cts::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json to_json(const Judgement& judgement) {
  return {{"verdict", name(judgement.verdict)}, {"reason", judgement.reason}};
}

/// A test of a claim: its record without what the surrounding objects say already.
Json test_to_json(const TestRecord& record) {
  Json json = cts::to_json(record);
  if (record.runs > 1) json["runs"] = record.runs;
  for (const char* known : {"schema", "claim", "target"}) json.erase(known);
  return json;
}

Json to_json(const TargetReport& on) {
  Json json;
  json["validation"] = on.validation;
  json["qualifier"] = on.qualifier;
  json["verdict"] = name(on.judgement.verdict);
  json["reason"] = on.judgement.reason;
  json["checks"] = Json::object();
  for (const auto& [check, judgement] : on.checks)
    json["checks"][std::string(name(check))] = to_json(judgement);
  json["evidence"] = Json::object();
  for (const Column column : all_columns)
    json["evidence"][std::string(name(column))] = to_json(on.evidence[static_cast<std::size_t>(column)]);
  json["tests"] = Json::array();
  for (const TestRecord& test : on.tests) json["tests"].push_back(test_to_json(test));
  json["faults"] = {{"planted", on.faults.names.size()},
                    {"detected", on.faults.detected.size()},
                    {"names", on.faults.names},
                    {"undetected", on.faults.undetected},
                    {"not_run", on.faults.not_run}};
  for (const WaiverNote& w : on.waivers)
    json["waivers"].push_back(
        {{"id", w.id}, {"reason", w.reason}, {"url", w.url}, {"owner", w.owner}, {"expires", w.expires}});
  return json;
}

Json to_json(const FlakyTest& flaky) {
  Json json{{"target", flaky.target},
            {"test", flaky.test},
            {"column", name(flaky.column)},
            {"device", flaky.device},
            {"outcomes", Json::object()}};
  for (const auto& [outcome, runs] : flaky.outcomes) json["outcomes"][std::string(name(outcome))] = runs;
  json["failed_seeds"] = flaky.failed_seeds;
  json["passed_seeds"] = flaky.passed_seeds;
  return json;
}

Json to_json(const ClaimReport& claim) {
  Json json{{"id", claim.id},       {"doc", claim.doc},     {"section", claim.section},
            {"suite", claim.suite}, {"claim", claim.claim}, {"label", claim.label}};
  if (!claim.untested.empty()) json["untested"] = claim.untested;
  json["check"] = Json::array();
  for (const Check check : claim.check) json["check"].push_back(name(check));
  json["targets"] = Json::object();
  for (const TargetReport& on : claim.targets) json["targets"][on.target] = to_json(on);
  return json;
}

template <typename Value> Value known(const std::optional<Value>& value, const std::string& text) {
  if (!value) throw Error("unknown word '{}'", text);
  return *value;
}

/// The member `key` of `object`, which must be of the kind that `is` asks for.
const Json& member(const Json& object, const char* key, bool (Json::*is)() const noexcept,
                   std::string_view expected) {
  if (!object.is_object()) throw Error("{} in place of an object", object.type_name());
  if (!object.contains(key)) throw Error("field '{}' is missing", key);
  const Json& value = object.at(key);
  if (!(value.*is)()) throw Error("field '{}' is of type {}, expected {}", key, value.type_name(), expected);
  return value;
}

std::string text(const Json& object, const char* key) {
  return member(object, key, &Json::is_string, "text").get<std::string>();
}
const Json& list(const Json& object, const char* key) {
  return member(object, key, &Json::is_array, "a list");
}
const Json& map(const Json& object, const char* key) {
  return member(object, key, &Json::is_object, "an object");
}

std::vector<std::string> texts(const Json& object, const char* key) {
  std::vector<std::string> result;
  for (const Json& element : list(object, key)) {
    if (!element.is_string()) throw Error("field '{}' holds a {}, expected texts", key, element.type_name());
    result.push_back(element.get<std::string>());
  }
  return result;
}

Judgement judgement_from(const Json& json) {
  const std::string verdict = text(json, "verdict");
  return {known(parse_verdict(verdict), verdict), text(json, "reason")};
}

FaultRuns faults_from(const Json& json) {
  FaultRuns runs{texts(json, "names"), {}, texts(json, "undetected"), texts(json, "not_run")};
  const auto in = [](const std::vector<std::string>& all, const std::string& fault) {
    return std::find(all.begin(), all.end(), fault) != all.end();
  };
  for (const std::string& fault : runs.names)
    if (!in(runs.undetected, fault) && !in(runs.not_run, fault)) runs.detected.push_back(fault);
  return runs;
}

TestRecord test_from(const std::string& claim, const std::string& target, Json json) {
  if (!json.is_object()) throw Error("field 'tests' holds a {}, expected objects", json.type_name());
  std::size_t runs = 1;
  if (json.contains("runs")) {
    runs = member(json, "runs", &Json::is_number_unsigned, "a whole number").get<std::size_t>();
    json.erase("runs");
  }
  json["schema"] = schema;
  json["claim"] = claim;
  json["target"] = target;
  return {record_from_json(json.dump(), "a test"), runs};
}

TargetReport target_from(const std::string& claim, const std::string& target, const Json& json) {
  TargetReport on;
  on.target = target;
  on.validation = text(json, "validation");
  on.qualifier = text(json, "qualifier");
  on.judgement = judgement_from(json);
  for (const auto& [check, judgement] : map(json, "checks").items())
    on.checks.emplace_back(known(parse_check(check), check), judgement_from(judgement));
  for (const Column column : all_columns)
    on.evidence[static_cast<std::size_t>(column)] =
        judgement_from(map(map(json, "evidence"), std::string(name(column)).c_str()));
  for (const Json& test : list(json, "tests")) on.tests.push_back(test_from(claim, target, test));
  on.faults = faults_from(map(json, "faults"));
  if (json.contains("waivers"))
    for (const Json& w : list(json, "waivers"))
      on.waivers.push_back(
          {text(w, "id"), text(w, "reason"), text(w, "url"), text(w, "owner"), text(w, "expires")});
  return on;
}

ClaimReport claim_from(const Json& json) {
  ClaimReport claim{text(json, "id"),
                    text(json, "doc"),
                    text(json, "section"),
                    text(json, "suite"),
                    text(json, "claim"),
                    {},
                    {},
                    {},
                    json.contains("untested") ? text(json, "untested") : ""};
  for (const auto& [axis, ignored] : map(json, "label").items())
    claim.label[axis] = text(json.at("label"), axis.c_str());
  for (const std::string& check : texts(json, "check"))
    claim.check.push_back(known(parse_check(check), check));
  for (const auto& [target, on] : map(json, "targets").items()) {
    if (const auto named = parse_target(target); !named || name(*named) != target)
      throw Error("unknown target '{}'", target);
    try {
      claim.targets.push_back(target_from(claim.id, target, on));
    } catch (const Error& e) {
      throw Error("{}: {}", target, e.what());
    }
  }
  return claim;
}

std::vector<std::uint64_t> whole_numbers(const Json& object, const char* key) {
  std::vector<std::uint64_t> result;
  for (const Json& element : list(object, key)) {
    if (!element.is_number_unsigned())
      throw Error("field '{}' holds a {}, expected whole numbers", key, element.type_name());
    result.push_back(element.get<std::uint64_t>());
  }
  return result;
}

FlakyTest flaky_from(const Json& json) {
  FlakyTest flaky{text(json, "target"), text(json, "test"), text(json, "device"), {}, {}, {}, {}};
  const std::string column = text(json, "column");
  const auto found = std::ranges::find_if(all_columns, [&](Column c) { return name(c) == column; });
  if (found == all_columns.end()) throw Error("unknown word '{}'", column);
  flaky.column = *found;
  const Json& outcomes = map(json, "outcomes");
  for (const auto& [outcome, ignored] : outcomes.items())
    flaky.outcomes[known(parse_outcome(outcome), outcome)] =
        member(outcomes, outcome.c_str(), &Json::is_number_unsigned, "a whole number").get<std::size_t>();
  flaky.failed_seeds = whole_numbers(json, "failed_seeds");
  flaky.passed_seeds = whole_numbers(json, "passed_seeds");
  return flaky;
}

Report report_from(const Json& json) {
  if (!json.is_object() || !json.contains("schema"))
    throw Error("no report.json: an object with a 'schema' expected");
  if (json.at("schema") != schema)
    throw Error("schema {} is not known here, expected {}", json.at("schema").dump(), schema);
  Report report;
  report.generated = text(json, "generated");
  report.manifests = text(json, "manifests");
  report.environment = map(json, "environment");
  for (const Json& document : list(json, "documents"))
    report.documents.emplace_back(text(document, "id"), text(document, "title"));
  std::set<std::string> ids;
  for (const Json& claim : list(json, "claims")) {
    try {
      report.claims.push_back(claim_from(claim));
      if (!ids.insert(report.claims.back().id).second) throw Error("the list has this claim twice");
    } catch (const Error& e) {
      const bool named = claim.is_object() && claim.contains("id") && claim.at("id").is_string();
      throw Error("{}: {}",
                  named ? text(claim, "id") : fmt::format("claim {} of the list", report.claims.size() + 1),
                  e.what());
    }
  }
  for (const Json& seen : list(json, "seen_faults"))
    report.seen_faults.push_back({text(seen, "target"), text(seen, "test"), texts(seen, "faults")});
  if (json.contains("flaky")) // absent in reports that were made before tests could be repeated
    for (const Json& flaky : list(json, "flaky")) report.flaky.push_back(flaky_from(flaky));
  report.problems = texts(json, "problems");
  return report;
}

/// The JSON in `bytes`, or an error that names the line where it is none, or the key that one object has
/// twice: a reader that takes either of the two values would hide the other.
Json parse(std::string_view bytes, const std::string& shown) {
  try {
    return Json::parse(bytes, unique_keys<Json>(shown));
  } catch (const Json::parse_error& e) {
    const auto before = static_cast<std::ptrdiff_t>(std::min(e.byte, bytes.size()));
    throw Error("{}:{}: not JSON, or not all of it; expected a report, as 'cdna-cts report --format json' "
                "writes it",
                shown, 1 + std::count(bytes.begin(), bytes.begin() + before, '\n'));
  } catch (const Json::exception&) {
    throw Error("{}: not JSON that can be read: it has a number that no number of ours can hold", shown);
  }
}

} // namespace

nlohmann::ordered_json to_json(const Report& report) {
  Json json;
  json["schema"] = schema;
  json["generated"] = report.generated;
  json["manifests"] = report.manifests;
  json["environment"] = report.environment;
  json["documents"] = Json::array();
  for (const auto& [id, title] : report.documents)
    json["documents"].push_back({{"id", id}, {"title", title}});
  json["claims"] = Json::array();
  for (const ClaimReport& claim : report.claims) json["claims"].push_back(to_json(claim));
  json["seen_faults"] = Json::array();
  for (const SeenFaults& seen : report.seen_faults)
    json["seen_faults"].push_back({{"target", seen.target}, {"test", seen.test}, {"faults", seen.faults}});
  json["flaky"] = Json::array();
  for (const FlakyTest& flaky : report.flaky) json["flaky"].push_back(to_json(flaky));
  json["problems"] = report.problems;
  json["summary"] = Json::object();
  for (const TargetSummary& summary : summaries(report)) json["summary"][summary.target] = to_json(summary);
  return json;
}

Report parse_report(std::string_view bytes, const std::string& shown) {
  const Json json = parse(bytes, shown);
  try {
    return report_from(json);
  } catch (const Error& e) {
    throw Error("{}: not a report that can be read: {}", shown, e.what());
  }
}

Report read_report(const std::filesystem::path& path) { return parse_report(read_file(path), path.string()); }

} // namespace cts::report
