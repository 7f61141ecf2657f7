#include "runners/fleet/judge.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace cts::fleet {
namespace {

bool is_bad(Kind kind) { return kind >= Kind::error; }

const Answer& given(const FleetReport& report, const Disagreement& d) {
  return report.questions[d.question].answers[d.answer];
}

/// Calls `use(question, answer)` for each answer of `device`.
template <typename Use> void each_answer(const Device& device, Use use) {
  for (std::uint32_t question = 0; question < device.answers.size(); ++question)
    if (const std::uint16_t cell = device.answers[question]; cell != 0)
      use(question, static_cast<std::uint16_t>(cell - 1));
}

void count_answers(FleetReport& report) {
  for (const Device& device : report.devices)
    each_answer(device, [&](std::uint32_t question, std::uint16_t answer) {
      ++report.questions[question].answers[answer].devices;
      ++report.questions[question].devices;
    });
  for (Answers& on : report.questions)
    for (std::size_t i = 0; i < on.answers.size(); ++i)
      if (2 * on.answers[i].devices > on.devices) on.common = static_cast<int>(i);
}

/// Devices that can be compared: those that ran tests of a target, in a column.
using Cohort = std::pair<std::string, report::Column>;

/// A device lacks a question that more than half of its cohort answered.
void count_missing(FleetReport& report) {
  std::map<Cohort, std::vector<std::uint32_t>> questions;
  for (std::uint32_t q = 0; q < report.questions.size(); ++q)
    questions[{report.questions[q].question.target, report.questions[q].question.column}].push_back(q);
  for (const auto& [cohort, asked] : questions) {
    std::vector<Device*> members;
    for (Device& device : report.devices)
      if (std::ranges::any_of(
              asked, [&](std::uint32_t q) { return q < device.answers.size() && device.answers[q]; }))
        members.push_back(&device);
    for (const std::uint32_t q : asked) {
      if (2 * report.questions[q].devices <= members.size()) continue;
      for (Device* device : members)
        if (q >= device->answers.size() || device->answers[q] == 0) ++device->missing;
    }
  }
}

DeviceVerdict verdict_of(Kind kind) {
  switch (kind) {
  case Kind::passed: return DeviceVerdict::holds;
  case Kind::observed: return DeviceVerdict::observed;
  case Kind::flaky: return DeviceVerdict::flaky;
  case Kind::failed: return DeviceVerdict::violated;
  case Kind::skipped:
  case Kind::error: break;
  }
  return DeviceVerdict::not_executed;
}

/// How the results of one device on one claim count together, as they do in a report: one failure decides,
/// then one flaky test, then one that could not judge; then a pass that confirmed.
struct OnClaim {
  bool error = false;
  DeviceVerdict verdict = DeviceVerdict::not_executed;

  void add(Kind kind) {
    error |= kind == Kind::error;
    const DeviceVerdict own = verdict_of(kind);
    const bool confirms = verdict == DeviceVerdict::observed && own == DeviceVerdict::holds;
    if (verdict == DeviceVerdict::holds && own == DeviceVerdict::observed) return;
    verdict = confirms ? own : std::max(verdict, own);
  }
  DeviceVerdict result() const {
    return error && verdict < DeviceVerdict::flaky ? DeviceVerdict::not_executed : verdict;
  }
};

using ClaimOn = std::pair<std::string, std::string>; ///< claim and target

void judge_claims(FleetReport& report) {
  std::map<ClaimOn, std::size_t> numbers;
  for (const Answers& on : report.questions)
    numbers.emplace(ClaimOn(on.question.claim, on.question.target), 0);
  std::size_t next = 0;
  for (auto& [claim, number] : numbers) {
    number = next++;
    report.claims.push_back({claim.first, claim.second, {}});
  }
  std::vector<std::size_t> claim_of;
  for (const Answers& on : report.questions)
    claim_of.push_back(numbers.at({on.question.claim, on.question.target}));

  for (Device& device : report.devices) {
    std::map<std::size_t, OnClaim> claims;
    each_answer(device, [&](std::uint32_t question, std::uint16_t answer) {
      ++device.results;
      claims[claim_of[question]].add(report.questions[question].answers[answer].kind);
    });
    bool any_error = false;
    for (const auto& [claim, on] : claims) {
      const DeviceVerdict verdict = on.result();
      any_error |= on.error;
      ++device.claims[verdict];
      if (device.is_device()) ++report.claims[claim].devices[verdict];
      device.verdict = std::max(device.verdict, verdict);
    }
    // Of a device that holds nothing against a claim and could not judge another, the latter is to be known.
    if (any_error && device.verdict < DeviceVerdict::flaky)
      device.verdict = DeviceVerdict::not_executed;
    else if (device.claims.contains(DeviceVerdict::holds) && device.verdict == DeviceVerdict::observed)
      device.verdict = DeviceVerdict::holds;
  }
  std::erase_if(report.claims, [](const ClaimAcross& claim) { return claim.devices.empty(); });
}

void find_disagreements(FleetReport& report) {
  for (Device& device : report.devices) {
    each_answer(device, [&](std::uint32_t question, std::uint16_t answer) {
      const Answers& on = report.questions[question];
      if (on.common >= 0 && on.common != answer) device.disagreements.push_back({question, answer});
    });
    std::ranges::stable_sort(device.disagreements, {}, [&](const Disagreement& d) {
      const Answer& answer = given(report, d);
      return std::tuple(!is_bad(answer.kind), answer.devices, -static_cast<int>(answer.kind));
    });
  }
}

/// What comes first: a bad answer that most devices do not give, the rarer the earlier, then the more of
/// them; then another answer that most do not give; then a violation shared by all; then a device with
/// results missing.
auto place(const FleetReport& report, const Device& device) {
  int group = device.missing > 0 ? 3 : 4;
  std::size_t holders = std::numeric_limits<std::size_t>::max();
  std::size_t same = 0;
  if (!device.disagreements.empty()) {
    const Answer& rarest = given(report, device.disagreements.front());
    group = is_bad(rarest.kind) ? 0 : 1;
    holders = rarest.devices;
    same = static_cast<std::size_t>(std::ranges::count_if(
        device.disagreements, [&](const auto& d) { return is_bad(given(report, d).kind) == (group == 0); }));
  } else if (device.verdict >= DeviceVerdict::flaky) {
    group = 2;
  }
  return std::tuple(group, holders, std::numeric_limits<std::size_t>::max() - same, device.host, device.pci,
                    device.uuid);
}

} // namespace

void judge(FleetReport& report) {
  count_answers(report);
  count_missing(report);
  judge_claims(report);
  find_disagreements(report);
  std::vector<std::pair<decltype(place(report, Device{})), std::size_t>> order;
  order.reserve(report.devices.size());
  for (std::size_t i = 0; i < report.devices.size(); ++i)
    order.emplace_back(place(report, report.devices[i]), i);
  std::ranges::sort(order);
  std::vector<Device> sorted;
  sorted.reserve(order.size());
  for (const auto& [at, index] : order) sorted.push_back(std::move(report.devices[index]));
  report.devices = std::move(sorted);
}

} // namespace cts::fleet
