#include "runners/gate/gate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace cts::gate {
namespace {

using manifest::Action;
using manifest::Difference;
using manifest::GatePolicy;
using Changes = std::vector<const Change*>;

/// The changes, those that the gate is strictest about first, otherwise in their own order.
Changes by_severity(const Comparison& comparison, const GatePolicy& policy) {
  Changes sorted;
  for (const Change& change : comparison.changes) sorted.push_back(&change);
  std::ranges::stable_sort(sorted, {},
                           [&](const Change* c) { return std::pair(policy.actions.at(c->kind), c->kind); });
  return sorted;
}

/// Those that `policy` answers with `action`.
Changes with_action(const Comparison& comparison, const GatePolicy& policy, Action action) {
  Changes changes = by_severity(comparison, policy);
  std::erase_if(changes, [&](const Change* c) { return policy.actions.at(c->kind) != action; });
  return changes;
}

std::vector<const WaiverLine*> stale_waivers(const Comparison& comparison) {
  std::vector<const WaiverLine*> stale;
  for (const WaiverLine& waiver : comparison.waivers)
    if (waiver.stale) stale.push_back(&waiver);
  return stale;
}

/// "2 FIX (warn), 14 SAME (pass)", or "no difference"; two measurements that are the same are none.
std::string counts_text(const Comparison& comparison, const GatePolicy& policy) {
  std::vector<std::string> counts;
  if (std::ranges::all_of(comparison.changes, [](const Change& c) { return c.kind == Difference::same; }))
    counts.emplace_back("no difference");
  for (const Difference kind : manifest::all_differences)
    if (const auto n = std::ranges::count(comparison.changes, kind, &Change::kind); n > 0)
      counts.push_back(fmt::format("{} {} ({})", n, name(kind), name(policy.actions.at(kind))));
  if (const auto stale = stale_waivers(comparison).size(); stale > 0)
    counts.push_back(fmt::format("{} stale waiver{} (fail)", stale, stale == 1 ? "" : "s"));
  return fmt::format("{}", fmt::join(counts, ", "));
}

/// Text that stays inside one cell of a table, means nothing to Markdown, and is short.
std::string cell(const std::string& text) {
  constexpr std::size_t longest = 200;
  std::string safe;
  for (const char c : text.size() <= longest ? text : text.substr(0, longest) + "...") {
    if (std::string_view("\\|*_<>`[]").find(c) != std::string_view::npos) safe += '\\';
    safe += c == '\n' || c == '\r' ? ' ' : c;
  }
  return safe;
}

/// A table of at most 50 changes: a comment of a pull request has a largest size.
std::string table(const Changes& changes) {
  constexpr std::size_t most = 50;
  std::string text =
      "| Class | Claim | Target | What | Baseline | Candidate |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Change* c : changes | std::views::take(most))
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name(c->kind), cell(c->claim), c->target,
                        cell(c->what), cell(c->baseline), cell(c->candidate));
  if (changes.size() > most) text += fmt::format("\n{} more are in the JSON form.\n", changes.size() - most);
  return text;
}

std::string folded(const std::string& title, const std::string& content) {
  return fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", title, content);
}

} // namespace

Action verdict(const Comparison& comparison, const GatePolicy& policy) {
  if (!stale_waivers(comparison).empty()) return Action::fail;
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
  for (const Difference kind : manifest::all_differences)
    json["summary"][std::string(name(kind))] = std::ranges::count(comparison.changes, kind, &Change::kind);
  json["waivers"] = Json::array();
  for (const WaiverLine& w : comparison.waivers)
    json["waivers"].push_back({{"id", w.id}, {"state", w.state}, {"stale", w.stale}, {"text", w.text}});
  json["notes"] = comparison.notes;
  json["environment"] = Json::object();
  for (const auto& [key, values] : comparison.environment)
    json["environment"][key] = {{"baseline", values.first}, {"candidate", values.second}};
  return json;
}

std::string to_text(const Comparison& comparison, const GatePolicy& policy) {
  std::string text;
  for (const Change* c : by_severity(comparison, policy))
    if (policy.actions.at(c->kind) != Action::pass)
      text += fmt::format("{:<10} {} {} {}{}\n    baseline:  {}\n    candidate: {}\n", name(c->kind),
                          c->claim, c->target, c->what,
                          c->waiver.empty() ? "" : " (waiver " + c->waiver + ")", c->baseline, c->candidate);
  for (const auto& [key, values] : comparison.environment)
    text += fmt::format("environment {}: {} -> {}\n", key, values.first, values.second);
  return text + conclusion(comparison, policy);
}

std::string conclusion(const Comparison& comparison, const GatePolicy& policy) {
  std::string text;
  for (const std::string& note : comparison.notes) text += fmt::format("note: {}\n", note);
  for (const WaiverLine& waiver : comparison.waivers) text += waiver.text + "\n";
  return text +
         fmt::format("gate: {}, {}\n", name(verdict(comparison, policy)), counts_text(comparison, policy));
}

std::string to_markdown(const Comparison& comparison, const GatePolicy& policy) {
  std::string text = fmt::format("### cdna-cts gate: {}\n\n{}\n", name(verdict(comparison, policy)),
                                 counts_text(comparison, policy));
  for (const std::string& note : comparison.notes) text += fmt::format("\nNote: {}\n", cell(note));
  if (const auto failing = with_action(comparison, policy, Action::fail); !failing.empty())
    text += "\n" + table(failing);
  std::string waivers, environment;
  for (const WaiverLine& w : comparison.waivers)
    (w.stale ? text : waivers) += fmt::format("\n- {}\n", cell(w.text));
  if (const auto warned = with_action(comparison, policy, Action::warn); !warned.empty())
    text += folded(fmt::format("{} that do not fail the gate", warned.size()), table(warned));
  if (!waivers.empty()) text += folded("Waivers", waivers);
  for (const auto& [key, values] : comparison.environment)
    environment += fmt::format("| {} | {} | {} |\n", cell(key), cell(values.first), cell(values.second));
  if (!environment.empty())
    text += folded("Environment: what differs",
                   "| Field | Baseline | Candidate |\n| --- | --- | --- |\n" + environment);
  return text;
}

} // namespace cts::gate
