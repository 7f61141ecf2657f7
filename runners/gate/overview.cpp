// What differs between two reports, test by test and not claim by claim: for somebody who wants to know what
// another compiler changes before reading every difference of every claim.
#include "runners/gate/gate.hpp"
#include "runners/gate/tests.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace cts::gate {
namespace {

/// A test on a target, with all claims that it bears on.
struct Result {
  std::set<std::string> claims;
  const TestSummary *before = nullptr, *after = nullptr;
};

/// A test's name and a target, in this order: the targets of a test are neighbours.
using Place = std::pair<std::string, std::string>;

/// The tests of a report by target.
struct Side {
  std::map<std::string, Tests> by_target;
  std::map<Place, std::set<std::string>> claims;
};

Side side_of(const report::Report& report) {
  Side side;
  for (const report::ClaimReport& claim : report.claims)
    for (const report::TargetReport& on : claim.targets) {
      Tests own;
      add_tests(on, own);
      for (const auto& [test, ignored] : own) side.claims[{test, on.target}].insert(claim.id);
      add_tests(on, side.by_target[on.target]);
    }
  return side;
}

bool ran(const Side& side, const std::string& target) {
  const auto tests = side.by_target.find(target);
  return tests != side.by_target.end() && !tests->second.empty();
}

std::map<Place, Result> results_of(const Side& before, const Side& after) {
  std::map<Place, Result> results;
  for (const bool old : {true, false}) {
    const Side& side = old ? before : after;
    for (const auto& [target, tests] : side.by_target) {
      // What only one of them ran is not compared.
      if (!ran(before, target) || !ran(after, target)) continue;
      for (const auto& [test, summary] : tests) {
        Result& result = results[{test, target}];
        (old ? result.before : result.after) = &summary;
        result.claims.merge(std::set(side.claims.at({test, target})));
      }
    }
  }
  return results;
}

std::string cut(const std::string& text, std::size_t longest) {
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

/// Two values that differ, each short: of long ones that begin alike, what is behind the words they share.
std::string shortened(const std::string& before, const std::string& after) {
  constexpr std::size_t longest = 70;
  std::size_t shared = 0;
  if (before.size() > longest && after.size() > longest) {
    const auto [end, ignored] = std::ranges::mismatch(before, after);
    shared = before.rfind(' ', static_cast<std::size_t>(end - before.begin()));
    if (shared == before.npos) shared = 0;
  }
  const std::string left_out = shared > 0 ? "..." : "";
  return fmt::format("{}{} -> {}{}", left_out, cut(before.substr(shared), longest), left_out,
                     cut(after.substr(shared), longest));
}

/// How many there are, with a word for them: "1 fact", "2 facts".
std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// --- outcomes

/// Tests that ended otherwise in the same way on one or more targets.
struct Ended {
  std::string test, before, after, why;
  std::set<std::string> targets, claims;
};

/// What follows from a test's new outcome; the most pressing first.
constexpr std::pair<std::string_view, std::string_view> outcome_titles[] = {
    {"failed", "failed in the candidate, not in the baseline"},
    {"error", "could not judge in the candidate"},
    {"absent", "not there in the candidate"},
    {"skipped", "skipped in the candidate"},
    {"passed", "passed in the candidate, not in the baseline"},
};

std::vector<Ended> ended_otherwise(const std::map<Place, Result>& results) {
  std::vector<Ended> all;
  for (const auto& [place, result] : results) {
    const std::string before = outcome_of(result.before), after = outcome_of(result.after);
    if (before == after) continue;
    const TestSummary* bad = after == "passed" || result.after == nullptr ? result.before : result.after;
    const std::string why = bad == nullptr ? "" : join(bad->details);
    if (all.empty() || all.back().test != place.first || all.back().before != before ||
        all.back().after != after)
      all.push_back({place.first, before, after, why, {}, {}});
    all.back().targets.insert(place.second);
    all.back().claims.insert(result.claims.begin(), result.claims.end());
  }
  return all;
}

std::string outcomes_text(const std::vector<Ended>& all) {
  std::string text;
  for (const auto& [after, title] : outcome_titles) {
    std::string lines;
    std::size_t count = 0;
    for (const Ended& one : all) {
      if (one.after != after) continue;
      count += one.targets.size();
      lines += fmt::format("  {} on {}: {}\n", one.test, join(one.targets), join(one.claims));
      lines += fmt::format("      {} -> {}{}\n", one.before, one.after,
                           one.why.empty() ? "" : ": " + cut(one.why, 160));
    }
    if (count > 0) text += fmt::format("\n{} {}:\n{}", counted(count, "result"), title, lines);
  }
  return text;
}

// --- what was found below the outcomes

/// The same difference of several names: "a a -> v v".
struct Difference {
  std::size_t count = 0;
  std::string example; ///< the first name, with its target
};

/// Named values of one kind that differ, of one test or of one family of its names.
struct Group {
  std::size_t compared = 0, differ = 0;
  std::map<std::string, Difference> differences; ///< by both values
};
using Groups = std::map<std::string, Group>;

/// "audit" of "audit of bpermute at O1": what is asked; empty where a name is only the thing that is asked
/// about.
std::string family(const std::string& name) {
  std::size_t end = name.npos;
  for (const char* separator : {" of ", " for ", ": "}) end = std::min(end, name.find(separator));
  return end == name.npos ? "" : name.substr(0, end);
}

using Values = std::map<std::string, std::set<std::string>>;

/// Where a test ended otherwise it may have come to fewer answers, so only those on both sides are compared.
void compare(const Place& place, const Values& before, const Values& after, bool only_common,
             Groups& groups) {
  std::set<std::string> names;
  for (const Values* values : {&before, &after})
    for (const auto& [name, ignored] : *values)
      if (!only_common || (before.contains(name) && after.contains(name))) names.insert(name);
  const auto text = [](const Values& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? absent : join(found->second);
  };
  for (const std::string& name : names) {
    const std::string what = family(name);
    Group& group = groups[place.first + (what.empty() ? "" : ", " + what)];
    ++group.compared;
    const std::string old = text(before, name), now = text(after, name);
    if (old == now) continue;
    ++group.differ;
    Difference& difference = group.differences[shortened(old, now)];
    if (difference.count++ == 0) difference.example = fmt::format("{} on {}", name, place.second);
  }
}

/// Groups with the most differences first, of each the most frequent ones.
std::string groups_text(const Groups& groups, std::string_view what) {
  constexpr std::size_t most = 5;
  std::vector<std::pair<std::string, const Group*>> sorted;
  std::size_t compared = 0, differ = 0;
  for (const auto& [title, group] : groups) {
    compared += group.compared;
    differ += group.differ;
    if (group.differ > 0) sorted.emplace_back(title, &group);
  }
  if (compared == 0) return "";
  std::ranges::stable_sort(sorted, std::greater{}, [](const auto& entry) { return entry.second->differ; });
  std::string text =
      fmt::format("\n{} that differ: {} of {}{}\n", what, differ, compared, sorted.empty() ? "" : ":");
  for (const auto& [title, group] : sorted) {
    text += fmt::format("  {}: {} of {}\n", title, group->differ, group->compared);
    std::vector<std::pair<std::string, Difference>> frequent(group->differences.begin(),
                                                             group->differences.end());
    std::ranges::stable_sort(frequent, std::greater{}, [](const auto& entry) { return entry.second.count; });
    for (std::size_t i = 0; i < std::min(most, frequent.size()); ++i) {
      const auto& [values, difference] = frequent[i];
      text += fmt::format("      {}  ({}{})\n", values, difference.example,
                          difference.count == 1 ? "" : fmt::format(", and {} more", difference.count - 1));
    }
    if (frequent.size() > most) text += fmt::format("      ... and {} others\n", frequent.size() - most);
  }
  return text;
}

} // namespace

std::string to_overview(const report::Report& baseline, const report::Report& candidate) {
  const Side before = side_of(baseline), after = side_of(candidate);
  const auto results = results_of(before, after);
  Groups facts, metrics, observed;
  std::size_t both = 0, otherwise = 0;
  for (const auto& [place, result] : results) {
    if (result.before == nullptr || result.after == nullptr) continue;
    const bool other_outcome = outcome_of(result.before) != outcome_of(result.after);
    ++both;
    if (other_outcome) ++otherwise;
    compare(place, result.before->facts, result.after->facts, other_outcome, facts);
    compare(place, result.before->metrics, result.after->metrics, true, metrics);
    if (!other_outcome && !(result.before->observed.empty() && result.after->observed.empty()))
      compare(place, {{"observed", result.before->observed}}, {{"observed", result.after->observed}}, true,
              observed);
  }
  std::string text = fmt::format("{} compared (a test on a target): {} ended otherwise\n",
                                 counted(both, "result"), otherwise);
  text += outcomes_text(ended_otherwise(results));
  text +=
      groups_text(facts, "facts") + groups_text(metrics, "metrics") + groups_text(observed, "observations");
  return text;
}

} // namespace cts::gate
