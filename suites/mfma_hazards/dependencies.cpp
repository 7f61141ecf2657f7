#include "suites/mfma_hazards/dependencies.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace cts::mfma_hazards {

using codeobject::Bank;
using codeobject::Instruction;
using codeobject::Operand;
using reference::First;
using reference::Overlap;
using reference::Registers;
using reference::Second;
using enum reference::First;
using enum reference::Second;

namespace {

constexpr int longest = 20; // wait states of any row

std::optional<Registers> registers_of(const Operand& operand) {
  if (operand.kind != Operand::Kind::reg) return std::nullopt;
  if (operand.bank == Bank::vgpr) return Registers{operand.first, operand.count};
  if (operand.bank == Bank::agpr) return Registers{256 + operand.first, operand.count};
  return std::nullopt;
}

bool overlap(const Registers& a, const Registers& b) {
  return a.first < b.first + b.count && b.first < a.first + a.count;
}

bool is_matrix(const Instruction& i) {
  return i.mnemonic.starts_with("v_mfma") || i.mnemonic.starts_with("v_smfmac");
}
bool is_sparse(const Instruction& i) { return i.mnemonic.starts_with("v_smfmac"); }
bool is_valu(const Instruction& i) {
  return i.mnemonic.starts_with("v_") && !is_matrix(i) && i.mnemonic != "v_nop";
}
bool is_memory(const Instruction& i) {
  return std::ranges::any_of(std::array{"global_", "flat_", "buffer_", "scratch_", "ds_"},
                             [&](const char* prefix) { return i.mnemonic.starts_with(prefix); });
}
/// A load whose first operand is where the data go.
bool is_load(const Instruction& i) {
  const std::string_view m = i.mnemonic;
  return (m.find("_load_") != std::string::npos && m.find("_lds_") == std::string::npos) ||
         m.starts_with("ds_read");
}

/// C's operand: the fourth, of SMFMAC the first.
const Operand& operand_c(const Instruction& i) { return i.operands.at(is_sparse(i) ? 0 : 3); }

/// Something that an instruction does to registers; `registers` is nothing where it concerns the whole wave.
template <typename Kind> struct Effect {
  Kind kind;
  std::optional<Registers> registers;
};

std::vector<Effect<First>> firsts_of(const Instruction& i) {
  std::vector<Effect<First>> effects;
  const auto on = [&](First first, const Operand& operand) {
    if (const auto registers = registers_of(operand)) effects.push_back({first, registers});
  };
  if (is_matrix(i)) {
    const auto& row = reference::find_instruction(i.mnemonic);
    on(reference::write_of(row), i.operands.at(0));
    if (row.unit == reference::Unit::xdl) on(xdl_read_c, operand_c(i));
  } else if (i.mnemonic.starts_with("v_cmpx")) {
    effects.push_back({cmpx_write_exec, std::nullopt});
  } else if (is_valu(i) && !i.operands.empty()) {
    on(i.mnemonic.starts_with("v_dot") ? dot_write : valu_write, i.operands.front());
  }
  return effects;
}

std::vector<Effect<Second>> seconds_of(const Instruction& i) {
  std::vector<Effect<Second>> effects;
  const auto on = [&](Second second, const Operand& operand) {
    if (const auto registers = registers_of(operand)) effects.push_back({second, registers});
  };
  if (is_matrix(i)) {
    on(matrix_ab, i.operands.at(1));
    on(matrix_ab, i.operands.at(2));
    on(reference::read_c_of(reference::find_instruction(i.mnemonic)), operand_c(i));
    if (is_sparse(i)) on(matrix_ab, i.operands.at(3)); // the index
    effects.push_back({matrix_issue, std::nullopt});
  } else if (is_valu(i)) {
    for (std::size_t n = 0; n < i.operands.size(); ++n)
      on(n == 0 ? valu_overwrite : valu_read, i.operands[n]);
  } else if (is_memory(i)) {
    for (std::size_t n = 0; n < i.operands.size(); ++n)
      on(n == 0 && is_load(i) ? memory_overwrite : memory_read, i.operands[n]);
  }
  return effects;
}

bool is_branch(const Instruction& i) {
  return i.mnemonic.starts_with("s_cbranch") || i.mnemonic == "s_branch";
}
bool is_nop(const Instruction& i) { return i.mnemonic == "s_nop"; }
int wait_states(const Instruction& i) { return is_nop(i) ? static_cast<int>(i.operands.at(0).value) + 1 : 1; }

/// The shortest way to a place.
struct Way {
  int waits = 0, padding = 0;
  bool across_blocks = false;
};

class Walk {
public:
  explicit Walk(const Code& code) : code_(code) {
    for (std::size_t n = 0; n < code.size(); ++n) at_[code[n].pc] = n;
    for (const Instruction& i : code)
      if (is_branch(i)) leaders_.insert(target_of(i));
  }

  /// The places that can be reached from `first` within the longest requirement, and how.
  std::map<std::size_t, Way> from(std::size_t first) const {
    std::map<std::size_t, Way> reached;
    follow(first, {}, reached);
    return reached;
  }

private:
  const Code& code_;
  std::map<std::uint64_t, std::size_t> at_;
  std::set<std::size_t> leaders_;

  std::size_t target_of(const Instruction& branch) const {
    const auto found = at_.lower_bound(branch.operands.at(0).value); // its own place may have been a S_NOP
    if (found == at_.end()) throw Error("'{}' goes to no instruction of its kernel", branch.text);
    return found->second;
  }

  /// Goes on behind `place`, which is not counted.
  void follow(std::size_t place, const Way& way, std::map<std::size_t, Way>& reached) const {
    const Instruction& here = code_[place];
    if (here.mnemonic == "s_endpgm") return;
    if (is_branch(here)) reach(target_of(here), way, reached);
    if (here.mnemonic != "s_branch" && place + 1 < code_.size()) reach(place + 1, way, reached);
  }

  void reach(std::size_t place, Way way, std::map<std::size_t, Way>& reached) const {
    if (way.waits > longest) return;
    way.across_blocks = way.across_blocks || leaders_.contains(place) || is_branch(code_[place]);
    const auto [known, is_new] = reached.try_emplace(place, way);
    if (!is_new && known->second.waits <= way.waits) return;
    known->second = way;
    const int more = wait_states(code_[place]);
    way.waits += more;
    way.padding += is_nop(code_[place]) ? more : 0;
    follow(place, way, reached);
  }
};

int passes_of(const Instruction& i, Target target) {
  constexpr int any = 4; // of rows that do not depend on it
  return is_matrix(i) ? reference::passes(reference::find_instruction(i.mnemonic), target) : any;
}

/// The pair as a row's two sides, if they have to do with each other.
std::optional<Dependency> pair_of(const Code& code, Target target, std::size_t first, std::size_t second,
                                  const Effect<First>& written, const Effect<Second>& used) {
  Dependency d{first, second, written.kind, used.kind};
  d.passes = passes_of(code[first], target);
  if (written.registers && used.registers) {
    if (!overlap(*written.registers, *used.registers)) return std::nullopt;
    if (is_matrix(code[first]) && is_matrix(code[second]))
      d.overlap = *reference::overlap_of(target, reference::find_instruction(code[first].mnemonic),
                                         *written.registers,
                                         reference::find_instruction(code[second].mnemonic), *used.registers);
  } else if (written.registers || used.registers) {
    return std::nullopt;
  }
  if (!reference::required_wait(target, d.writes, d.passes, d.uses, d.overlap)) return std::nullopt;
  return d;
}

} // namespace

std::vector<Dependency> dependencies(const Code& code, Target target) {
  const Walk walk(code);
  std::vector<Dependency> found;
  for (std::size_t first = 0; first < code.size(); ++first)
    for (const auto& written : firsts_of(code[first]))
      for (const auto& [second, way] : walk.from(first))
        for (const auto& used : seconds_of(code[second]))
          if (auto d = pair_of(code, target, first, second, written, used)) {
            d->waits = way.waits;
            d->padding = way.padding;
            d->across_blocks = way.across_blocks;
            found.push_back(*d);
          }
  return found;
}

std::vector<Dependency> dependencies(const Code& code, Target target, First writes, Second uses) {
  std::vector<Dependency> all = dependencies(code, target);
  std::erase_if(all, [&](const Dependency& d) { return d.writes != writes || d.uses != uses; });
  return all;
}

int required(const Dependency& d, Target target) {
  return reference::required_wait(target, d.writes, d.passes, d.uses, d.overlap)->states;
}

int given_by_llvm(const Dependency& d, Target target) {
  return reference::llvm_wait(target, d.writes, d.passes, d.uses, d.overlap);
}

std::vector<std::string> too_close(const Code& code, Target target) {
  std::vector<std::string> lines;
  for (const Dependency& d : dependencies(code, target))
    if (d.waits < required(d, target))
      lines.push_back(fmt::format("{} wait states in place of {} ({} to {}) between '{}' and '{}'", d.waits,
                                  required(d, target), reference::name(d.writes), reference::name(d.uses),
                                  code[d.first].text, code[d.second].text));
  return lines;
}

Code without_nops(const Code& code) {
  Code rest;
  std::ranges::copy_if(code, std::back_inserter(rest), [](const Instruction& i) { return !is_nop(i); });
  return rest;
}

} // namespace cts::mfma_hazards
