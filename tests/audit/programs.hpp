// Small programs for the auditor, and what it has to say about them.
#pragma once

#include "runners/audit/audit.hpp"
#include "runners/audit/rules.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace cts::audit {

/// Audits `body`, the code of a function `k`, after assembling it for `target`.
Report audit_body(const std::string& body, Target target, RuleSet rules = RuleSet::isa,
                  const std::vector<std::string>& off = {});

/// Audits all of `bodies` in one go, as functions k0, k1, ...
Report audit_bodies(const std::vector<std::string>& bodies, Target target, RuleSet rules = RuleSet::isa,
                    const std::vector<std::string>& off = {});

/// The findings of `rule`.
std::vector<Finding> of_rule(const Report& report, std::string_view rule);

/// A program that is right, and the same with one change that breaks `rule`.
struct Twins {
  std::string name, rule, right, broken;
  std::vector<Target> targets{all_targets.begin(), all_targets.end()};
  RuleSet rules = RuleSet::isa;
};

/// The right one has no finding at all; the broken one has findings of the rule, and none of it when the rule
/// is off.
void expect_twins(const Twins& twins);

/// The same of many twins for one target, all with one set of rules, in few runs of the auditor.
void expect_twins(const std::vector<Twins>& twins, Target target);

/// `s_nop`s that make `states` wait states.
std::string nops(int states);

} // namespace cts::audit
