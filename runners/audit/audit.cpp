#include "runners/audit/audit.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/audit/passes.hpp"
#include "runners/audit/source_lines.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace cts::audit {
namespace {

using codeobject::CodeObject;

/// A range of code with a name.
struct Range {
  std::string name;
  std::size_t begin = 0, end = 0;
  bool one_wave = false;
  std::uint32_t work_items = 0;
};

std::size_t first_at(const CodeObject& code, std::uint64_t pc) {
  const auto at = std::ranges::lower_bound(code.instructions, pc, {}, &codeobject::Instruction::pc);
  return static_cast<std::size_t>(at - code.instructions.begin());
}

struct Start {
  std::string name;
  std::uint64_t end = 0; ///< 0: not known
  bool kernel = false, one_wave = false;
  std::uint32_t work_items = 0;
};

/// Kernels, functions, and what lies before the first of them. A kernel's name wins over a symbol's at the
/// same address.
std::vector<Range> ranges_of(const CodeObject& code) {
  std::map<std::uint64_t, Start> starts;
  for (const codeobject::Symbol& s : code.symbols)
    if (s.function) {
      Start& start = starts[s.address];
      if (start.name.empty()) start.name = s.name;
      start.end = std::max(start.end, s.size == 0 ? 0 : s.address + s.size);
    }
  for (const codeobject::Kernel& k : code.kernels) {
    Start& start = starts[k.entry];
    start.name = k.name;
    start.kernel = true;
    start.one_wave = k.max_flat_workgroup_size <= 64;
    if (const auto& [x, y, z] = k.required_workgroup_size; y == 1 && z == 1) start.work_items = x;
  }
  for (const codeobject::Symbol& s :
       code.symbols) // hand-written code without types: labels that others can see
    if (starts.empty() && !code.instructions.empty() && s.address == code.instructions.front().pc &&
        s.size == 0)
      starts[s.address].name = s.name;
  if (!code.instructions.empty() &&
      (starts.empty() || starts.begin()->first > code.instructions.front().pc)) {
    const std::uint64_t pc = code.instructions.front().pc;
    starts[pc].name = fmt::format("code at {:#x}", pc);
  }
  std::vector<Range> ranges;
  for (auto at = starts.begin(); at != starts.end(); ++at) {
    const auto next = std::next(at);
    std::uint64_t end = next == starts.end() ? ~std::uint64_t{0} : next->first;
    if (at->second.end != 0) end = std::min(end, at->second.end);
    const Range range{at->second.name, first_at(code, at->first), first_at(code, end), at->second.one_wave,
                      at->second.work_items};
    if (range.begin < range.end) ranges.push_back(range);
  }
  return ranges;
}

void say_guesses(const Function& f, std::set<std::string>& guessed) {
  for (std::size_t place = 0; place < f.code.size(); ++place)
    if (f.effects[place].by_order && f.reached(place) && !f.code[place].operands.empty())
      guessed.insert(std::string(f.effects[place].base));
}

/// Shows the source line of what the assembler refused.
void name_stand_ins(std::vector<Finding>& findings, const Part& part,
                    const std::vector<std::uint64_t>& stand_ins) {
  for (Finding& finding : findings) {
    const auto number =
        static_cast<std::size_t>(std::ranges::find(stand_ins, finding.pc) - stand_ins.begin());
    if (number < part.not_on_target.size()) finding.line = part.not_on_target[number];
  }
}

} // namespace

Finding finding_at(const Function& f, std::string_view rule, std::size_t place, std::size_t producer) {
  Finding finding;
  finding.rule = rule;
  finding.kernel = f.name;
  finding.pc = f.code[place].pc;
  finding.line = f.code[place].text;
  finding.producer_pc = f.code[producer].pc;
  return finding;
}

namespace {

/// Errors before warnings, then by what is missing: wait states, or operations that a wait left outstanding.
bool is_worse(const Finding& a, const Finding& b) {
  if (a.severity != b.severity) return a.severity == Severity::error;
  return a.of_counter ? a.needed < b.needed : a.needed - a.have > b.needed - b.have;
}

} // namespace

void Findings::add(Finding finding) {
  if (off_.contains(finding.rule)) return;
  const auto key = std::pair(finding.pc, finding.rule);
  const auto at = found_.find(key);
  if (at == found_.end())
    found_.emplace(key, std::move(finding));
  else if (is_worse(finding, at->second))
    at->second = std::move(finding);
}

std::vector<Finding> Findings::take() {
  std::vector<Finding> all;
  for (auto& [key, finding] : found_) all.push_back(std::move(finding));
  found_.clear();
  return all;
}

Report audit_part(const Part& part, RuleSet rules, const std::vector<std::string>& off,
                  const codeobject::Tools& tools) {
  const CodeObject code =
      codeobject::read_code_object(part.elf, part.where, tools, codeobject::Purpose::inspect);
  Report report;
  Findings findings(off);
  std::set<std::string> guessed;
  std::vector<std::uint64_t> stand_ins;
  const std::vector<Range> ranges = ranges_of(code);
  for (const Range& range : ranges) {
    Function f;
    f.name = range.name;
    f.moved_by = part.moved_by;
    f.one_wave = range.one_wave;
    f.work_items = range.work_items;
    f.code = std::span(code.instructions).subspan(range.begin, range.end - range.begin);
    f.effects = effects_of(f.code, code.target);
    find_blocks(f);
    audit_distances(f, code.target, rules, findings);
    audit_counters(f, findings);
    audit_barriers(f, findings);
    audit_exec_mask(f, findings);
    audit_lone_instructions(f, stand_ins, findings);
    for (const Block& b : f.blocks) report.instructions += b.reached ? b.end - b.begin : 0;
    report.limits.insert(report.limits.end(), f.limits.begin(), f.limits.end());
    say_guesses(f, guessed);
  }
  report.findings = findings.take();
  add_source_lines(report.findings, part.elf, tools);
  name_stand_ins(report.findings, part, stand_ins);
  for (Finding& finding : report.findings) {
    finding.target = name(code.target);
    finding.pc -= part.moved_by;
    finding.producer_pc -= part.moved_by;
    for (std::uint64_t& pc : finding.path) pc -= part.moved_by;
  }
  report.kernels = code.kernels.empty() ? ranges.size() : code.kernels.size();
  for (const std::string& mnemonic : guessed)
    report.limits.push_back(fmt::format("{}: its registers are taken by its operands' order", mnemonic));
  return report;
}

Report audit_file(const std::string& file, std::optional<Target> target, RuleSet rules,
                  const std::vector<std::string>& off, const codeobject::Tools& tools) {
  Report report;
  const std::vector<Part> parts = read_parts(read_file(file), file, target, tools);
  report.parts = parts.size();
  for (const Part& part : parts) {
    Report more = audit_part(part, rules, off, tools);
    report.findings.insert(report.findings.end(), more.findings.begin(), more.findings.end());
    report.limits.insert(report.limits.end(), more.limits.begin(), more.limits.end());
    report.kernels += more.kernels;
    report.instructions += more.instructions;
  }
  if (report.instructions == 0) throw Error("{}: no instruction in it for gfx942 or gfx950", file);
  return report;
}

} // namespace cts::audit
