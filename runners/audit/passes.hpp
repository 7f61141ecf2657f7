// The passes over a function; each adds what it finds.
#pragma once

#include "runners/audit/audit.hpp"
#include "runners/audit/flow.hpp"

#include <map>
#include <set>

namespace cts::audit {

/// Findings of one function: of each rule at each instruction the worst.
class Findings {
public:
  explicit Findings(const std::vector<std::string>& off) : off_(off.begin(), off.end()) {}
  void add(Finding finding);
  std::vector<Finding> take();

private:
  std::set<std::string> off_;
  std::map<std::pair<std::uint64_t, std::string>, Finding> found_;
};

/// Wait states: every pair of the tables, along every path.
void audit_distances(const Function& f, Target target, RuleSet rules, Findings& findings);

/// VM_CNT and LGKM_CNT: results used or overwritten before they came, LDS filled from memory and read or
/// published too early.
void audit_counters(const Function& f, Findings& findings);

/// Barriers that LDS writes lack: read by others, or written over, without one in between.
void audit_barriers(const Function& f, Findings& findings);

/// Transpose reads where EXEC may be partial.
void audit_exec_mask(const Function& f, Findings& findings);

/// What one instruction shows by itself: opcodes that the target lacks, scale operands of unlike kinds.
/// `stand_ins` gets the pcs of `unsupported_word`s, in the order of the source lines behind them.
void audit_lone_instructions(const Function& f, std::vector<std::uint64_t>& stand_ins, Findings& findings);

/// A finding at `place`, about `producer` if that is another place.
Finding finding_at(const Function& f, std::string_view rule, std::size_t place, std::size_t producer);

} // namespace cts::audit
