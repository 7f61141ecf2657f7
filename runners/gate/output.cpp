#include "runners/gate/gate.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cts::gate {
namespace {

using manifest::Action;
using manifest::GatePolicy;

/// The changes, those that the gate is strictest about first, otherwise in their own order.
std::vector<const Change*> by_severity(const Comparison& comparison, const GatePolicy& policy) {
  std::vector<const Change*> sorted;
  for (const Change& change : comparison.changes) sorted.push_back(&change);
  std::ranges::stable_sort(sorted, {},
                           [&](const Change* c) { return std::pair(policy.actions.at(c->kind), c->kind); });
  return sorted;
}

/// What a reader is to see: a change that the policy lets pass is only counted.
std::vector<const Change*> shown(const Comparison& comparison, const GatePolicy& policy) {
  auto changes = by_severity(comparison, policy);
  std::erase_if(changes, [&](const Change* c) { return policy.actions.at(c->kind) == Action::pass; });
  return changes;
}

std::string result_line(const Comparison& comparison, const GatePolicy& policy) {
  if (comparison.changes.empty()) return "gate: pass, no difference";
  std::vector<std::string> counts;
  for (const manifest::Difference kind : manifest::all_differences)
    if (const auto n = std::ranges::count(comparison.changes, kind, &Change::kind); n > 0)
      counts.push_back(fmt::format("{} {} ({})", n, name(kind), name(policy.actions.at(kind))));
  return fmt::format("gate: {}, {}", name(verdict(comparison, policy)), fmt::join(counts, ", "));
}

std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<' || c == '>' || c == '`') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

} // namespace

Action verdict(const Comparison& comparison, const GatePolicy& policy) {
  Action strictest = Action::pass;
  for (const Change& change : comparison.changes)
    strictest = std::min(strictest, policy.actions.at(change.kind));
  return strictest;
}

nlohmann::ordered_json to_json(const Comparison& comparison, const GatePolicy& policy) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", 1}, {"result", name(verdict(comparison, policy))}, {"differences", Json::array()}};
  for (const Change* change : by_severity(comparison, policy)) {
    Json entry{{"class", name(change->kind)},   {"action", name(policy.actions.at(change->kind))},
               {"claim", change->claim},        {"target", change->target},
               {"what", change->what},          {"baseline", change->baseline},
               {"candidate", change->candidate}};
    if (!change->waiver.empty()) entry["waiver"] = change->waiver;
    json["differences"].push_back(std::move(entry));
  }
  for (const manifest::Difference kind : manifest::all_differences)
    json["summary"][std::string(name(kind))] = std::ranges::count(comparison.changes, kind, &Change::kind);
  json["environment"] = Json::object();
  for (const auto& [key, values] : comparison.environment)
    json["environment"][key] = {{"baseline", values.first}, {"candidate", values.second}};
  return json;
}

std::string to_text(const Comparison& comparison, const GatePolicy& policy) {
  std::string text;
  for (const Change* c : shown(comparison, policy))
    text += fmt::format("{:<10} {} {} {}{}\n    baseline:  {}\n    candidate: {}\n", name(c->kind), c->claim,
                        c->target, c->what, c->waiver.empty() ? "" : " (waiver " + c->waiver + ")",
                        c->baseline, c->candidate);
  for (const auto& [key, values] : comparison.environment)
    text += fmt::format("environment {}: {} -> {}\n", key, values.first, values.second);
  return text + result_line(comparison, policy) + "\n";
}

std::string to_markdown(const Comparison& comparison, const GatePolicy& policy) {
  std::string text = "# Gate\n\n" + cell(result_line(comparison, policy)) + "\n";
  if (!shown(comparison, policy).empty())
    text += "\n| Class | Claim | Target | What | Baseline | Candidate | Waiver |\n| --- | --- | --- | --- | "
            "--- | --- | --- |\n";
  for (const Change* c : shown(comparison, policy))
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name(c->kind), c->claim, c->target,
                        cell(c->what), cell(c->baseline), cell(c->candidate), cell(c->waiver));
  if (!comparison.environment.empty())
    text += "\n| Environment | Baseline | Candidate |\n| --- | --- | --- |\n";
  for (const auto& [key, values] : comparison.environment)
    text += fmt::format("| {} | {} | {} |\n", cell(key), cell(values.first), cell(values.second));
  return text;
}

} // namespace cts::gate
