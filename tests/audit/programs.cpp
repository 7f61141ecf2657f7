#include "tests/audit/programs.hpp"

#include "common/file.hpp"
#include "runners/audit/tools.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace cts::audit {
namespace {

std::string function(std::string_view name, std::string_view body) {
  return fmt::format(".globl {0}\n.type {0},@function\n{0}:\n{1}\n  s_endpgm\n", name, body);
}

Report audit_listing(const std::string& listing, Target target, RuleSet rules,
                     const std::vector<std::string>& off) {
  const TemporaryFolder folder;
  const std::string file = folder.file("program.s");
  write_file(file, listing);
  return audit_file(file, target, rules, off, codeobject::find_tools());
}

} // namespace

Report audit_body(const std::string& body, Target target, RuleSet rules,
                  const std::vector<std::string>& off) {
  return audit_listing(function("k", body), target, rules, off);
}

Report audit_bodies(const std::vector<std::string>& bodies, Target target, RuleSet rules,
                    const std::vector<std::string>& off) {
  std::string listing;
  for (std::size_t i = 0; i < bodies.size(); ++i) listing += function(fmt::format("k{}", i), bodies[i]);
  return audit_listing(listing, target, rules, off);
}

std::vector<Finding> of_rule(const Report& report, std::string_view rule) {
  std::vector<Finding> found;
  std::ranges::copy_if(report.findings, std::back_inserter(found),
                       [&](const Finding& f) { return f.rule == rule; });
  return found;
}

void expect_twins(const Twins& twins) {
  for (const Target target : twins.targets) {
    SCOPED_TRACE(fmt::format("{} on {}", twins.name, name(target)));
    const Report right = audit_body(twins.right, target, twins.rules);
    EXPECT_EQ(right.findings.size(), 0u) << as_text(right, "k");
    const Report broken = audit_body(twins.broken, target, twins.rules);
    EXPECT_EQ(of_rule(broken, twins.rule).size(), 1u) << as_text(broken, "k");
    const Report off = audit_body(twins.broken, target, twins.rules, {twins.rule});
    EXPECT_EQ(of_rule(off, twins.rule).size(), 0u) << as_text(off, "k");
  }
}

void expect_twins(const std::vector<Twins>& twins, Target target) {
  std::vector<std::string> right, broken, rules;
  for (const Twins& t : twins) {
    right.push_back(t.right);
    broken.push_back(t.broken);
    rules.push_back(t.rule);
  }
  const Report none = audit_bodies(right, target, twins.at(0).rules);
  EXPECT_EQ(none.kernels, twins.size());
  EXPECT_EQ(none.findings.size(), 0u) << as_text(none, std::string(name(target)));
  const Report found = audit_bodies(broken, target, twins.at(0).rules);
  for (std::size_t i = 0; i < twins.size(); ++i) {
    const std::string kernel = fmt::format("k{}", i);
    std::vector<std::string> broken_rules;
    for (const Finding& f : found.findings)
      if (f.kernel == kernel) broken_rules.push_back(f.rule);
    EXPECT_EQ(std::ranges::count(broken_rules, twins[i].rule), 1)
        << name(target) << ": " << twins[i].name << ": found are "
        << fmt::format("{}", fmt::join(broken_rules, ", ")) << " in\n"
        << twins[i].broken;
  }
  const Report off = audit_bodies(broken, target, twins.at(0).rules, rules);
  for (const std::string& rule : rules) EXPECT_EQ(of_rule(off, rule).size(), 0u) << rule << " was off";
}

std::string nops(int states) {
  std::string text;
  for (; states > 0; states -= 16) text += fmt::format("  s_nop {}\n", std::min(states, 16) - 1);
  return text;
}

} // namespace cts::audit
