// Correct kernels with one necessary statement less: each must be found, by the rule that is broken. The same
// kernels with changes that do no harm: none may be.
#include "tests/audit/mutant_kernels.hpp"
#include "tests/audit/programs.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/ranges.h>
#include <map>
#include <regex>

namespace cts::audit {
namespace {

/// A line of a kernel: its statement, and why it is there.
struct Line {
  std::string statement;
  std::string rule; ///< broken without it; empty: no such statement
  bool exact = false;
};
using Lines = std::vector<Line>;

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// `{a|b}` becomes a for gfx942 and b for gfx950.
std::string for_target(const std::string& text, Target target) {
  static const std::regex either(R"(\{(\d+)\|(\d+)\})");
  return std::regex_replace(text, either, target == Target::gfx942 ? "$1" : "$2");
}

Lines read(const CorrectKernel& kernel, Target target) {
  Lines lines;
  std::string text = for_target(std::string(kernel.text), target);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const auto remark = line.find("//");
    Line parsed{trimmed(line.substr(0, remark)), "", false};
    if (parsed.statement.empty()) continue;
    if (remark != line.npos) {
      const std::string why = trimmed(line.substr(remark + 2));
      parsed.rule = why.substr(0, why.find(' '));
      parsed.exact = why.ends_with(" exact");
    }
    lines.push_back(parsed);
  }
  return lines;
}

/// Labels are made unique, since many kernels are assembled together.
std::string source(const Lines& lines, std::size_t number) {
  std::string text;
  for (const Line& line : lines)
    text += "  " +
            std::regex_replace(line.statement, std::regex("\\bagain\\b"), fmt::format("again{}", number)) +
            "\n";
  return text;
}

struct Mutant {
  std::string what;
  std::string rule; ///< that must be found; empty: nothing may be
  Lines lines;
};

/// `lines` with another statement, or none, at `at`.
Lines with(Lines lines, std::size_t at, const std::string& statement) {
  if (statement.empty())
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  else
    lines[at].statement = statement;
  return lines;
}

int number_in(const std::string& statement) { return std::stoi(statement.substr(statement.find(' ') + 1)); }

/// Each necessary statement once gone, and once a little weaker: one wait state less, one operation more
/// outstanding.
std::vector<Mutant> broken(const Lines& lines) {
  std::vector<Mutant> all;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const Line& line = lines[n];
    if (line.rule.empty()) continue;
    const auto add = [&](const std::string& instead) {
      all.push_back(
          {fmt::format("'{}' instead of '{}'", instead, line.statement), line.rule, with(lines, n, instead)});
    };
    add("");
    if (line.statement.starts_with("s_nop") && number_in(line.statement) > 0)
      add(fmt::format("s_nop {}", number_in(line.statement) - 1));
    if (!line.exact) continue;
    static const std::regex counter(R"((vmcnt|lgkmcnt)\((\d+)\))");
    for (std::sregex_iterator at(line.statement.begin(), line.statement.end(), counter), end; at != end; ++at)
      add(line.statement.substr(0, static_cast<std::size_t>(at->position())) +
          fmt::format("{}({})", (*at)[1].str(), std::stoi((*at)[2].str()) + 1) + at->suffix().str());
  }
  return all;
}

/// Every VGPR and SGPR under another number; the special registers keep their names.
std::string renamed(const std::string& statement) {
  static const std::regex one(R"(\b([vsa])(\d+)\b)"), range(R"(\b([vsa])\[(\d+):(\d+)\])");
  const auto moved = [](const std::string& bank, const std::string& number) {
    return std::to_string(std::stoi(number) + (bank == "s" ? 16 : 128));
  };
  std::string result;
  std::string rest = statement;
  for (std::smatch m; std::regex_search(rest, m, range) || std::regex_search(rest, m, one);) {
    std::smatch first;
    if (std::regex_search(rest, first, one) && first.position() < m.position()) m = first;
    result += m.prefix().str() + m[1].str();
    result +=
        m.size() == 4 ? fmt::format("[{}:{}]", moved(m[1], m[2]), moved(m[1], m[3])) : moved(m[1], m[2]);
    rest = m.suffix().str();
  }
  return result + rest;
}

/// One harmless change each: a NOP before any one instruction, independent instructions for NOPs, waits for
/// all, other registers.
std::vector<Mutant> harmless(const Lines& lines) {
  std::vector<Mutant> all;
  all.push_back({"as it is", "", lines});
  for (std::size_t n = 0; n < lines.size(); ++n) {
    Lines more = lines;
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(n), {"s_nop 0", "", false});
    all.push_back({fmt::format("a NOP before '{}'", lines[n].statement), "", more});
    if (lines[n].statement.starts_with("s_nop")) {
      Lines others = with(lines, n, "");
      for (int i = 0; i <= number_in(lines[n].statement); ++i)
        others.insert(others.begin() + static_cast<std::ptrdiff_t>(n),
                      {i % 2 == 0 ? "v_mov_b32 v120, v121" : "s_mov_b32 s90, s91", "", false});
      all.push_back({fmt::format("independent instructions for '{}'", lines[n].statement), "", others});
    }
    if (lines[n].statement.starts_with("s_waitcnt"))
      all.push_back({fmt::format("a wait for all instead of '{}'", lines[n].statement), "",
                     with(lines, n, "s_waitcnt vmcnt(0) lgkmcnt(0)")});
  }
  Lines other = lines;
  for (Line& line : other) line.statement = renamed(line.statement);
  all.push_back({"other registers", "", other});
  return all;
}

/// Audits all mutants at once; those that are found, or not, against what they say.
void judge(const std::vector<Mutant>& mutants, Target target, std::string_view kind) {
  std::vector<std::string> bodies;
  for (std::size_t n = 0; n < mutants.size(); ++n) bodies.push_back(source(mutants[n].lines, n));
  const Report report = audit_bodies(bodies, target);
  ASSERT_EQ(report.kernels, mutants.size());
  std::map<std::string, std::vector<std::string>> rules; // by kernel
  for (const Finding& f : report.findings) rules[f.kernel].push_back(f.rule);
  std::size_t right = 0;
  for (std::size_t n = 0; n < mutants.size(); ++n) {
    const auto& found = rules[fmt::format("k{}", n)];
    const bool as_said =
        mutants[n].rule.empty() ? found.empty() : std::ranges::count(found, mutants[n].rule) != 0;
    right += as_said ? 1 : 0;
    EXPECT_TRUE(as_said) << name(target) << ": " << mutants[n].what << ": expected "
                         << (mutants[n].rule.empty() ? "nothing" : mutants[n].rule) << ", got "
                         << fmt::format("{}", fmt::join(found, ", ")) << " in\n"
                         << bodies[n];
  }
  fmt::print("{}: {} of {} {} as expected\n", name(target), right, mutants.size(), kind);
}

std::vector<Mutant> mutants_of_all(std::vector<Mutant> (*make)(const Lines&), Target target) {
  std::vector<Mutant> all;
  for (const CorrectKernel& kernel : correct_kernels())
    if (std::ranges::count(kernel.targets, target) != 0)
      for (Mutant& mutant : make(read(kernel, target))) {
        mutant.what = fmt::format("{}: {}", kernel.name, mutant.what);
        all.push_back(std::move(mutant));
      }
  return all;
}

TEST(Mutants, EveryNecessaryStatementIsMissed) {
  for (const Target target : all_targets) judge(mutants_of_all(broken, target), target, "broken mutants");
}

TEST(Mutants, HarmlessChangesAreNotFlagged) {
  for (const Target target : all_targets) judge(mutants_of_all(harmless, target), target, "harmless changes");
}

} // namespace
} // namespace cts::audit
