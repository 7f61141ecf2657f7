// report.json: written from a Report, and read back by the gate.
#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/report/report.hpp"
#include "runners/report/summary.hpp"

namespace cts::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json to_json(const Judgement& judgement) {
  return {{"verdict", name(judgement.verdict)}, {"reason", judgement.reason}};
}

/// A test of a claim: its record without what the surrounding objects say already.
Json test_to_json(const Record& record) {
  Json json = cts::to_json(record);
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
  for (const Record& test : on.tests) json["tests"].push_back(test_to_json(test));
  json["faults"] = {{"planted", on.faults.names.size()},
                    {"detected", on.faults.detected.size()},
                    {"names", on.faults.names},
                    {"undetected", on.faults.undetected},
                    {"not_run", on.faults.not_run}};
  return json;
}

Json to_json(const ClaimReport& claim) {
  Json json{{"id", claim.id},       {"doc", claim.doc},     {"section", claim.section},
            {"suite", claim.suite}, {"claim", claim.claim}, {"label", claim.label}};
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

Judgement judgement_from(const Json& json) {
  const auto verdict = json.at("verdict").get<std::string>();
  return {known(parse_verdict(verdict), verdict), json.at("reason").get<std::string>()};
}

std::vector<std::string> texts(const Json& json) { return json.get<std::vector<std::string>>(); }

FaultRuns faults_from(const Json& json) {
  FaultRuns runs{texts(json.at("names")), {}, texts(json.at("undetected")), texts(json.at("not_run"))};
  const auto in = [](const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  for (const std::string& fault : runs.names)
    if (!in(runs.undetected, fault) && !in(runs.not_run, fault)) runs.detected.push_back(fault);
  return runs;
}

TargetReport target_from(const std::string& claim, const std::string& target, const Json& json) {
  TargetReport on;
  on.target = target;
  on.validation = json.at("validation").get<std::string>();
  on.qualifier = json.at("qualifier").get<std::string>();
  on.judgement = judgement_from(json);
  for (const auto& [check, judgement] : json.at("checks").items())
    on.checks.emplace_back(known(parse_check(check), check), judgement_from(judgement));
  for (const Column column : all_columns)
    on.evidence[static_cast<std::size_t>(column)] =
        judgement_from(json.at("evidence").at(std::string(name(column))));
  for (Json test : json.at("tests")) {
    test["schema"] = schema;
    test["claim"] = claim;
    test["target"] = target;
    on.tests.push_back(record_from_json(test.dump(), "a test"));
  }
  on.faults = faults_from(json.at("faults"));
  return on;
}

ClaimReport claim_from(const Json& json) {
  ClaimReport claim{json.at("id").get<std::string>(),
                    json.at("doc").get<std::string>(),
                    json.at("section").get<std::string>(),
                    json.at("suite").get<std::string>(),
                    json.at("claim").get<std::string>(),
                    json.at("label").get<std::map<std::string, std::string>>(),
                    {},
                    {}};
  for (const std::string& check : texts(json.at("check")))
    claim.check.push_back(known(parse_check(check), check));
  for (const auto& [target, on] : json.at("targets").items()) {
    try {
      claim.targets.push_back(target_from(claim.id, target, on));
    } catch (const std::exception& e) { // ours, or the JSON library's about a missing or wrong field
      throw Error("{} {}: {}", claim.id, target, e.what());
    }
  }
  return claim;
}

Report report_from(const Json& json) {
  if (!json.is_object() || !json.contains("schema"))
    throw Error("no report.json: an object with a 'schema' expected");
  if (json.at("schema") != schema)
    throw Error("schema {} is not known here, expected {}", json.at("schema").dump(), schema);
  Report report;
  report.generated = json.at("generated").get<std::string>();
  report.manifests = json.at("manifests").get<std::string>();
  report.environment = json.at("environment");
  for (const Json& document : json.at("documents"))
    report.documents.emplace_back(document.at("id").get<std::string>(),
                                  document.at("title").get<std::string>());
  for (const Json& claim : json.at("claims")) report.claims.push_back(claim_from(claim));
  report.problems = texts(json.at("problems"));
  return report;
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
  json["problems"] = report.problems;
  json["summary"] = Json::object();
  for (const TargetSummary& summary : summaries(report)) json["summary"][summary.target] = to_json(summary);
  return json;
}

Report read_report(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  try {
    return report_from(Json::parse(bytes));
  } catch (const std::exception& e) { // ours, or the JSON library's with the place in the file
    throw Error("{}: not a report that can be read: {}", path.string(), e.what());
  }
}

} // namespace cts::report
