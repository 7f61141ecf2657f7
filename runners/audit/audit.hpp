// Judges code objects that anybody made: which instructions come too early after others, on which path.
//
// Each function's control-flow graph is followed to a fixed point with the least that is certain on every way
// to an instruction: how many wait states ago each producer was issued, and which memory operations may be
// outstanding.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cts::audit {

/// Whose numbers of wait states are asked for. All other rules are the same in both.
enum class RuleSet {
  isa, ///< the manuals' tables
  llvm ///< what LLVM 22's hazard recognizer gives
};

/// `error`: the rule is broken on a path of the code. `warning`: it is broken if something holds that the
/// code does not show (EXEC is partial, another wave reads these bytes), or only the manual asks for it and
/// LLVM does not.
enum class Severity { error, warning };

/// A rule broken at one place.
struct Finding {
  std::string rule;   ///< id, as `explain` takes it
  std::string target; ///< "gfx942"
  std::string kernel; ///< kernel or function
  std::uint64_t pc = 0;
  std::string line; ///< the instruction's text, and "(file:line)" where debug information has it
  int needed = 0,
      have = 0; ///< wait states; of counters the largest value that a wait may have, and the smallest that
                ///< was waited for since the producer (the counter's maximum when none was); else 0
  std::uint64_t producer_pc = 0; ///< the instruction that came too short before; `pc` where the rule has none
  std::vector<std::uint64_t>
      path; ///< pcs from the producer to `pc`: both ends and the first instruction of each block between
  bool of_counter = false; ///< `needed` and `have` are values of a counter
  Severity severity = Severity::error;
  std::string source; ///< where the rule is documented
};

/// What was audited and found.
struct Report {
  std::vector<Finding> findings;
  std::vector<std::string> limits; ///< what was not followed or not judged, one sentence each
  std::uint64_t kernels = 0;       ///< kernels; functions where the input names no kernels
  std::uint64_t instructions = 0;  ///< that were reached and judged
  std::size_t parts = 1;           ///< code objects of the input: of several, lines name the target
};

/// One code object of an input.
struct Part {
  std::string where; ///< file, and which part of it
  std::vector<std::byte> elf;
  std::vector<std::string> not_on_target; ///< lines of an assembly listing that the target lacks, in order;
                                          ///< in `elf` they are `unsupported_word`
  std::uint64_t moved_by = 0;             ///< how far above the input's addresses those of `elf` are
};

/// Stands in for an instruction that the assembler refuses for the target; no target decodes it.
inline constexpr std::uint32_t unsupported_word = 0xffffffff;

/// The parts of an input for gfx942 or gfx950: a code object (linked or not), an offload bundle, a host
/// program or object with fat binaries in it, or an assembly listing as `clang -S` or `llvm-objdump -d`
/// prints it. `target` chooses among several, and says what a listing is for that does not say so itself.
/// Throws Error: unreadable, nothing for the target, the assembler's first error.
std::vector<Part> read_parts(const std::string& bytes, const std::string& file, std::optional<Target> target,
                             const codeobject::Tools& tools);

/// Audits one code object. `off` are ids of rules that are not looked at. Throws Error when the code object
/// is corrupt.
Report audit_part(const Part& part, RuleSet rules, const std::vector<std::string>& off,
                  const codeobject::Tools& tools);

/// Audits every part of `file`.
Report audit_file(const std::string& file, std::optional<Target> target, RuleSet rules,
                  const std::vector<std::string>& off, const codeobject::Tools& tools);

/// The report as lines for people, and as JSON: {"findings": [...], "kernels": n, "instructions": n, "notes":
/// [...]}.
std::string as_text(const Report& report, const std::string& file);
std::string as_json(const Report& report);

} // namespace cts::audit
