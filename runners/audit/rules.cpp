#include "runners/audit/rules.hpp"

#include "common/error.hpp"
#include "common/nearest.hpp"
#include "runners/audit/pairs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace cts::audit {
namespace {

using reference::First;
using reference::Overlap;
using reference::Second;

struct Text {
  std::string_view id, text;
};

constexpr Text others[] = {
    {"vmcnt-not-waited",
     "An instruction reads a register that a load from memory may not have written yet: no S_WAITCNT with a "
     "low enough "
     "vmcnt lies on some path between the two. Loads, stores and atomics return in order, so vmcnt(n) "
     "completes all but the "
     "newest n. `needed` is the largest n that would do. Source: ISA 4.4 (both manuals)."},
    {"lgkmcnt-not-waited", "An instruction reads a register that an LDS or scalar load may not have written "
                           "yet. LDS returns in order, so "
                           "lgkmcnt(n) completes all but the newest n LDS operations; scalar loads return in "
                           "any order, so only lgkmcnt(0) "
                           "completes one. Source: ISA 4.4 (both manuals)."},
    {"flat-not-waited",
     "An instruction reads a register that a FLAT load may not have written yet. FLAT counts in VM_CNT and "
     "LGKM_CNT and returns "
     "in no order, so both have to be waited for down to 0. Source: ISA 4.4 (both manuals)."},
    {"overwritten-by-late-load", "An instruction writes a register that an outstanding load will still "
                                 "overwrite; what it wrote is lost when the load "
                                 "returns. Loads of one kind return in order and may follow one another. "
                                 "Source: ISA 4.4 (both manuals)."},
    {"lds-dma-not-waited", "LDS is read while a load from memory into LDS is outstanding, and on some path "
                           "nothing that this wave put into LDS "
                           "has arrived yet, so that the read can only be of what the load brings. VM_CNT "
                           "says when the data are there. "
                           "Source: ISA 4.4 and 9.1.9 (both manuals)."},
    {"lds-dma-barrier", "S_BARRIER is reached with a load from memory into LDS outstanding that was not "
                        "waited for at all: the barrier drains no "
                        "counter, so other waves may read the old bytes. Reported where nothing else in LDS "
                        "could be meant, and in loops that "
                        "read LDS and never wait. Source: ISA 4.4 and 9.1.9 (both manuals)."},
    {"lds-write-barrier",
     "S_BARRIER is reached with LDS writes of this wave outstanding (no lgkmcnt wait), and LDS is read "
     "behind it and "
     "before the next barrier: other waves may read before the write has happened. An error where the "
     "addresses are "
     "known and another wave reads these bytes, nothing where none does, else a warning. Not asked of "
     "workgroups of "
     "one wave. Source: ISA 4.4 (both manuals): S_BARRIER waits for waves, not for counters."},
    {"lds-read-without-barrier", "LDS is read that another wave has written since the last S_BARRIER: it may "
                                 "not be there yet. An error where the "
                                 "addresses are known (from work-item ids and constants, in kernels that "
                                 "require a workgroup of one dimension) and "
                                 "show it. Where they are not, a warning when LDS is read by an address "
                                 "other than this wave's write had and the "
                                 "write was waited for by an S_WAITCNT that nothing else needs: a wave's own "
                                 "reads come after its writes without "
                                 "a wait, so the wait looks made for other waves, which only a barrier makes "
                                 "wait. Not asked of workgroups of one "
                                 "wave. Source: ISA 4.4 (both manuals)."},
    {"lds-overwrite-without-barrier", "LDS is written that another wave may still be reading, since no "
                                      "S_BARRIER lies between. An error where the "
                                      "addresses are known and show it. Where they are not, a warning when "
                                      "LDS is written at the address of an earlier "
                                      "write, and in between a barrier was passed and LDS was read, but no "
                                      "barrier lies behind that read. Not asked of "
                                      "workgroups of one wave. Source: ISA 4.4 (both manuals)."},
    {"transpose-read-partial-exec", "A transpose read from LDS is reached by a path on which EXEC may lack "
                                    "lanes: it exchanges data between lanes, and those "
                                    "of inactive lanes are undefined. EXEC counts as full at a kernel's "
                                    "entry, after S_MOV_B64 EXEC, -1, and when "
                                    "a saved full mask is restored. An error where EXEC holds a constant "
                                    "that lacks lanes (S_MOV, S_BFM or S_AND "
                                    "of one), else a warning. Source: CDNA4 ISA 11.4."},
    {"mixed-scale-operands",
     "A scaled MFMA takes one scale from a VGPR and the other from an SGPR or an inline constant. Of those "
     "the hardware takes bits "
     "30:23 as the scale, whatever the byte select says. Source: CDNA4 ISA 7.2.1, llvm#158117."},
    {"scale-not-in-vgpr", "A scaled MFMA takes neither scale from a VGPR: bits 30:23 of the SGPR or constant "
                          "are the scale, not a byte of it. "
                          "Source: CDNA4 ISA 7.2.1, llvm#158117."},
    {"opcode-not-on-target", "The disassembler of the code object's target reads no valid instruction where "
                             "a path leads, or the assembler refuses the "
                             "instruction for the target. Source: LLVM's tables of instructions."},
};

std::string states(Target target, First first, Second second, Overlap overlap) {
  const auto wait = reference::required_wait(target, first, 4, second, overlap);
  std::string llvm;
  for (const int passes : reference::tabulated_passes)
    llvm += fmt::format("{}{}", llvm.empty() ? "" : ", ",
                        reference::llvm_wait(target, first, passes, second, overlap));
  if (!wait)
    return fmt::format("{}: no row in {}, LLVM 22 gives {}", name(target), matrix_table(target), llvm);
  return fmt::format("{}: {} [{}: {}], LLVM 22 gives {}", name(target), fmt::join(wait->row->waits, ", "),
                     matrix_table(target), wait->row->source, llvm);
}

/// Paragraphs of the tables of matrix instructions, by rule.
void add_matrix_rules(std::map<std::string, std::string>& rules) {
  for (const First first : reference::all_firsts)
    for (const Second second : reference::all_seconds)
      for (const Overlap overlap : {Overlap::exact, Overlap::partial}) {
        bool any = false;
        for (const Target target : all_targets)
          for (const int passes : reference::tabulated_passes)
            any = any || reference::llvm_wait(target, first, passes, second, overlap) != 0 ||
                  reference::required_wait(target, first, passes, second, overlap)
                          .value_or(reference::Wait{0, nullptr})
                          .states != 0;
        if (!any) continue;
        std::string first_name(reference::name(first)), second_name(reference::name(second));
        rules.emplace(matrix_rule(first, second, overlap),
                      fmt::format("Wait states that must lie between an instruction that does '{}' and one "
                                  "that does '{}' on the same registers, for 2, 4, "
                                  "8 and 16 passes of the first (the same number where passes do not "
                                  "matter). An instruction is one wait state, "
                                  "S_NOP n is n + 1. {}; {}.",
                                  first_name, second_name, states(Target::gfx942, first, second, overlap),
                                  states(Target::gfx950, first, second, overlap)));
      }
}

void add_software_rules(std::map<std::string, std::string>& rules) {
  const auto number = [](std::optional<int> n) { return n ? fmt::format("{}", *n) : std::string("no row"); };
  for (const reference::SoftwareWait& row : reference::software_waits())
    if (row.gfx942.value_or(0) != 0 || row.gfx950.value_or(0) != 0 || row.llvm.value_or(0) != 0)
      rules.emplace(software_rule(row.id),
                    fmt::format("{}, then {}: the hardware does not wait by itself. Wait states: gfx942 {} "
                                "[{}], gfx950 {} [{}], LLVM 22 gives {}.",
                                row.first, row.second, number(row.gfx942),
                                software_source(Target::gfx942, row.id), number(row.gfx950),
                                software_source(Target::gfx950, row.id), number(row.llvm)));
}

const std::map<std::string, std::string>& rules() {
  static const auto all = [] {
    std::map<std::string, std::string> made;
    add_matrix_rules(made);
    add_software_rules(made);
    for (const Text& t : others) made.emplace(t.id, t.text);
    return made;
  }();
  return all;
}

} // namespace

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const auto& [id, text] : rules()) ids.push_back(id);
  return ids;
}

std::string explain(std::string_view rule) {
  const auto found = rules().find(std::string(rule));
  if (found == rules().end()) throw Error("there is no rule '{}'{}", rule, did_you_mean(rule, rule_ids()));
  return found->second;
}

} // namespace cts::audit
