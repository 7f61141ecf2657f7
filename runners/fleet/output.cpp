// The fleet report as text, Markdown and JSON.
#include "common/error.hpp"
#include "runners/fleet/fleet.hpp"

#include <algorithm>

namespace cts::fleet {
namespace {

using Json = nlohmann::ordered_json;

std::string question_name(const Question& q) {
  return fmt::format("{}.{}{}", q.suite, q.test, q.opt.empty() ? "" : " (" + q.opt + ")");
}

std::string answer_text(const Answer& answer) {
  return answer.observed.empty() ? std::string(name(answer.kind))
                                 : fmt::format("{} \"{}\"", name(answer.kind), answer.observed);
}

/// "1 device", "3 devices".
std::string many(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::size_t device_count(const FleetReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.devices, &Device::is_device));
}

/// A test of a device that disagrees, with every claim that it bears on: one line in place of one for each.
struct TestDisagreement {
  std::string test, target, claims, answer, common, detail;
  std::size_t holders = 0, devices = 0;
};

std::vector<TestDisagreement> by_test(const FleetReport& report, const Device& device) {
  std::vector<TestDisagreement> lines;
  for (const Disagreement& d : device.disagreements) {
    const Answers& on = report.questions[d.question];
    const Answer& answer = on.answers[d.answer];
    TestDisagreement line{question_name(on.question),
                          on.question.target,
                          on.question.claim,
                          answer_text(answer),
                          answer_text(on.answers[static_cast<std::size_t>(on.common)]),
                          "",
                          answer.devices,
                          on.devices};
    if (const auto detail = device.details.find(d.question); detail != device.details.end())
      line.detail = detail->second;
    const auto same = std::ranges::find_if(lines, [&](const TestDisagreement& l) {
      return l.test == line.test && l.target == line.target && l.answer == line.answer;
    });
    if (same == lines.end())
      lines.push_back(std::move(line));
    else
      same->claims += " " + on.question.claim;
  }
  return lines;
}

std::string others(const TestDisagreement& d) {
  return fmt::format("{} of {}, most: {}", d.holders, many(d.devices, "device"), d.common);
}

std::string counts(const std::map<DeviceVerdict, std::size_t>& verdicts) {
  std::string text;
  for (auto it = verdicts.rbegin(); it != verdicts.rend(); ++it) // the worst first
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", it->second, name(it->first));
  return text;
}

std::map<DeviceVerdict, std::size_t> devices_by_verdict(const FleetReport& report) {
  std::map<DeviceVerdict, std::size_t> verdicts;
  for (const Device& device : report.devices)
    if (device.is_device()) ++verdicts[device.verdict];
  return verdicts;
}

bool is_unlike(const Device& device) { return !device.disagreements.empty(); }

std::size_t unlike_count(const FleetReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.devices, is_unlike));
}

std::string headline(const FleetReport& report) {
  std::string text = many(device_count(report), "device");
  if (const std::string verdicts = counts(devices_by_verdict(report)); !verdicts.empty())
    text += ": " + verdicts;
  text += fmt::format(". {} disagree with the rest.", unlike_count(report));
  if (report.planned > 0)
    text += fmt::format(" Shards: {} planned, {} complete, {} missing.", report.planned, report.complete,
                        report.missing.size());
  text += fmt::format(" {} from {}.", many(report.records, "record"), many(report.folders, "folder"));
  if (report.faults_left_out > 0)
    text += fmt::format(" {} under planted faults left out.", many(report.faults_left_out, "record"));
  return text;
}

/// Questions to which no answer is most devices'.
std::vector<const Answers*> split_questions(const FleetReport& report) {
  std::vector<const Answers*> split;
  for (const Answers& on : report.questions)
    if (on.common < 0 && on.devices > 1) split.push_back(&on);
  return split;
}

std::string split_text(const Answers& on) {
  std::string text;
  for (const Answer& answer : on.answers)
    if (answer.devices > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", answer.devices, answer_text(answer));
  return fmt::format("{} {} {}: {}", on.question.claim, on.question.target, question_name(on.question), text);
}

/// Claims that some device violates, shows flaky, or could not judge.
std::vector<const ClaimAcross*> claims_at_issue(const FleetReport& report) {
  std::vector<const ClaimAcross*> claims;
  for (const ClaimAcross& claim : report.claims)
    if (claim.devices.size() > 1 || claim.devices.rbegin()->first >= DeviceVerdict::flaky ||
        claim.devices.begin()->first == DeviceVerdict::not_executed)
      claims.push_back(&claim);
  return claims;
}

/// What every list of the two pages is made of: a heading and its lines, of which `most` are shown.
struct Section {
  std::string heading;
  std::vector<std::string> lines;
};

std::string shard_line(const ShardState& shard) {
  return fmt::format("shard {}{}: {}", shard.shard, shard.node.empty() ? "" : " on " + shard.node,
                     shard.state);
}

std::vector<Section> sections(const FleetReport& report) {
  std::vector<Section> all;
  const auto list = [&](const std::string& heading, const auto& items, auto line) {
    Section section{heading, {}};
    for (const auto& item : items) section.lines.push_back(line(item));
    if (!section.lines.empty()) all.push_back(std::move(section));
  };
  const auto itself = [](const std::string& line) { return line; };
  list("Shards missing", report.missing, shard_line);
  std::vector<const Device*> incomplete;
  for (const Device& device : report.devices)
    if (device.missing > 0) incomplete.push_back(&device);
  list("Devices with results missing", incomplete, [](const Device* device) {
    return fmt::format("{}: {}, {} missing", title(*device), many(device->results, "result"),
                       device->missing);
  });
  list("Tested twice", report.duplicates, itself);
  list("No answer is most devices'", split_questions(report),
       [](const Answers* on) { return split_text(*on); });
  list("Claims that do not hold everywhere", claims_at_issue(report), [](const ClaimAcross* claim) {
    return fmt::format("{} {}: {}", claim->claim, claim->target, counts(claim->devices));
  });
  list("Unreadable", report.unreadable, itself);
  list("Problems", report.problems, itself);
  list("Left by attempts that were killed", report.interrupted, itself);
  return all;
}

std::string more(std::size_t total, std::size_t most) {
  return total > most ? fmt::format("... and {} more (--format json has all)", total - most) : "";
}

std::string fault_note(const Device& device) {
  return device.fault.empty() ? "" : fmt::format(" [planted fault {}]", device.fault);
}

} // namespace

std::string_view name(Kind kind) {
  switch (kind) {
  case Kind::skipped: return "skipped";
  case Kind::passed: return "passed";
  case Kind::observed: return "observed";
  case Kind::error: return "error";
  case Kind::flaky: return "flaky";
  case Kind::failed: return "failed";
  }
  throw Error("fleet: a kind of answer outside its enumeration");
}

std::string_view name(DeviceVerdict verdict) {
  switch (verdict) {
  case DeviceVerdict::not_executed: return "not executed";
  case DeviceVerdict::holds: return "holds";
  case DeviceVerdict::observed: return "observed";
  case DeviceVerdict::flaky: return "flaky";
  case DeviceVerdict::violated: return "violated";
  }
  throw Error("fleet: a verdict outside its enumeration");
}

std::string title(const Device& device) {
  if (!device.is_device()) return fmt::format("{} (checks without a device)", device.host);
  std::string text;
  for (const std::string* part : {&device.host, &device.pci, &device.uuid})
    if (!part->empty()) text += *part + " ";
  return fmt::format("{}({})", text, device.model);
}

int exit_status(const FleetReport& report) {
  if (!report.unreadable.empty()) return static_cast<int>(Exit::unusable);
  const bool device_found = std::ranges::any_of(report.devices, [](const Device& device) {
    return is_unlike(device) || device.missing > 0 || device.verdict >= DeviceVerdict::flaky;
  });
  const bool error = std::ranges::any_of(report.questions, [](const Answers& on) {
    return std::ranges::any_of(on.answers,
                               [](const Answer& a) { return a.kind == Kind::error && a.devices > 0; });
  });
  const bool found = device_found || error || !report.missing.empty() || !report.duplicates.empty() ||
                     !report.problems.empty() || !split_questions(report).empty();
  return static_cast<int>(found ? Exit::found : Exit::fine);
}

std::string to_text(const FleetReport& report, std::size_t most) {
  std::string text = headline(report) + "\n";
  if (const std::size_t unlike = unlike_count(report); unlike > 0) {
    text += "\nDevices that disagree with the rest, the rarest answer first\n";
    for (std::size_t i = 0; i < std::min(most, unlike); ++i) {
      const Device& device = report.devices[i];
      const std::vector<TestDisagreement> tests = by_test(report, device);
      text += fmt::format("{:>3}. {}, {}: {} of {} results{}\n", i + 1, title(device),
                          fmt::join(device.shards, ", "), device.disagreements.size(), device.results,
                          fault_note(device));
      for (std::size_t t = 0; t < std::min<std::size_t>(5, tests.size()); ++t) {
        text += fmt::format("     {} {} {}: {} ({})\n", tests[t].claims, tests[t].target, tests[t].test,
                            tests[t].answer, others(tests[t]));
        if (!tests[t].detail.empty()) text += fmt::format("       {}\n", tests[t].detail);
      }
      if (tests.size() > 5) text += fmt::format("     ... and {} more tests\n", tests.size() - 5);
    }
    if (unlike > most) text += more(unlike, most) + "\n";
  }
  for (const Section& section : sections(report)) {
    text += fmt::format("\n{}\n", section.heading);
    for (std::size_t i = 0; i < std::min(most, section.lines.size()); ++i)
      text += "  " + section.lines[i] + "\n";
    if (section.lines.size() > most) text += "  " + more(section.lines.size(), most) + "\n";
  }
  return text;
}

std::string to_markdown(const FleetReport& report, std::size_t most) {
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
  };
  std::string text = "# Fleet report\n\n" + headline(report) + "\n";
  if (const std::size_t unlike = unlike_count(report); unlike > 0) {
    text += "\n## Devices that disagree with the rest, the rarest answer first\n\n"
            "| | device | where | test | claims | answer | others | detail "
            "|\n|---|---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < std::min(most, unlike); ++i) {
      const Device& device = report.devices[i];
      const std::vector<TestDisagreement> tests = by_test(report, device);
      for (std::size_t t = 0; t < std::min<std::size_t>(5, tests.size()); ++t)
        text += fmt::format(
            "| {} | {} | {} | {} {} | {} | {} | {} | {} |\n", i + 1, cell(title(device) + fault_note(device)),
            cell(fmt::format("{}", fmt::join(device.shards, ", "))), tests[t].target, tests[t].test,
            tests[t].claims, cell(tests[t].answer), cell(others(tests[t])), cell(tests[t].detail));
      if (tests.size() > 5)
        text += fmt::format("| {} | | | ... and {} more tests | | | | |\n", i + 1, tests.size() - 5);
    }
    if (unlike > most) text += "\n" + more(unlike, most) + "\n";
  }
  for (const Section& section : sections(report)) {
    text += fmt::format("\n## {}\n\n", section.heading);
    for (std::size_t i = 0; i < std::min(most, section.lines.size()); ++i)
      text += "* " + section.lines[i] + "\n";
    if (section.lines.size() > most) text += "* " + more(section.lines.size(), most) + "\n";
  }
  return text;
}

nlohmann::ordered_json to_json(const FleetReport& report) {
  const auto verdicts = [](const std::map<DeviceVerdict, std::size_t>& counted) {
    Json json = Json::object();
    for (const auto& [verdict, count] : counted) json[std::string(name(verdict))] = count;
    return json;
  };
  Json json{{"schema", 1},
            {"kind", "fleet"},
            {"run", report.run},
            {"manifests", report.manifests},
            {"summary",
             {{"devices", device_count(report)},
              {"verdicts", verdicts(devices_by_verdict(report))},
              {"disagree", unlike_count(report)},
              {"planned", report.planned},
              {"complete", report.complete},
              {"records", report.records},
              {"folders", report.folders},
              {"faults_left_out", report.faults_left_out}}},
            {"devices", Json::array()}};
  for (const Device& device : report.devices) {
    Json one{{"host", device.host},
             {"pci", device.pci},
             {"uuid", device.uuid},
             {"device", device.model},
             {"emulates", device.emulates},
             {"fault", device.fault},
             {"shards", device.shards},
             {"verdict", name(device.verdict)},
             {"claims", verdicts(device.claims)},
             {"results", device.results},
             {"missing", device.missing},
             {"disagreements", Json::array()}};
    for (const TestDisagreement& d : by_test(report, device))
      one["disagreements"].push_back({{"test", d.test},
                                      {"target", d.target},
                                      {"claims", d.claims},
                                      {"answer", d.answer},
                                      {"common", d.common},
                                      {"devices_with_this_answer", d.holders},
                                      {"devices", d.devices},
                                      {"detail", d.detail}});
    json["devices"].push_back(std::move(one));
  }
  json["claims"] = Json::array();
  for (const ClaimAcross& claim : report.claims)
    json["claims"].push_back(
        {{"id", claim.claim}, {"target", claim.target}, {"devices", verdicts(claim.devices)}});
  json["split"] = Json::array();
  for (const Answers* on : split_questions(report)) json["split"].push_back(split_text(*on));
  json["missing"] = Json::array();
  for (const ShardState& shard : report.missing)
    json["missing"].push_back({{"shard", shard.shard}, {"node", shard.node}, {"state", shard.state}});
  json["duplicates"] = report.duplicates;
  json["interrupted"] = report.interrupted;
  json["problems"] = report.problems;
  json["unreadable"] = report.unreadable;
  return json;
}

} // namespace cts::fleet
