// What branches say: which values an SGPR that is compared with constants can have at a place, how
// comparisons that are made again came out, and which ways out of a block that rules out.
#pragma once

#include "runners/audit/flow.hpp"
#include "runners/audit/values.hpp"

namespace cts::audit {

/// The values that what is tracked may have, and what SCC says about one of these.
struct Facts {
  struct Condition {
    std::uint8_t number = 0; ///< of what was compared, and is unchanged since
    Values if_set;           ///< its values if SCC is 1; the others if SCC is 0
    bool operator==(const Condition&) const = default;
  };
  std::vector<Values> values; ///< by number of what is tracked; empty: nothing is known of any
  std::optional<Condition> scc;
  bool from_below = false; ///< they came by a jump backwards
  std::uint8_t joins = 0;  ///< how often such were joined to these

  /// Whether these facts hold wherever `other` do.
  bool contains(const Facts& other) const;
  /// Makes them what holds for both. A register that changes with many jumps backwards may then have any
  /// value, so that there is an end to it in loops.
  bool join(const Facts& other);
  /// What holds for both.
  Facts either(const Facts& other) const;
  /// These facts, each of them forgotten that does not hold for `other`.
  Facts widened(const Facts& other) const;
};

/// The facts of a function. Tracked are registers that are compared with a constant, and those that these are
/// copied from: they are followed through S_MOV, S_ADD and S_SUB with constants, and forgotten at other
/// writes. Tracked are also other comparisons that are made more than once, as a number that is 0 where they
/// do not hold, until a register that they read is written.
class BranchFacts {
public:
  explicit BranchFacts(const Function& f);

  /// What holds before `place` on every way there.
  Facts before(std::size_t place) const;
  /// What `place` does to facts.
  void step(Facts& facts, std::size_t place) const;
  /// What the branch at the end of `block` adds on the way along `edge`; false when that way cannot be taken.
  bool take(Facts& facts, const Block& block, const Edge& edge) const;

private:
  struct Tracked {
    std::vector<ScalarAccess> reads; ///< a register, or what a comparison reads
    std::string comparison;          ///< empty: a register
  };
  /// What an instruction does to what is tracked, and to SCC.
  struct Change {
    bool loses_scc = false;
    std::uint64_t forgets = 0; ///< by number
    enum class Kind : std::uint8_t { none, set, move, compare } kind = Kind::none;
    std::uint8_t to = 0, from = 0; ///< numbers: of what is set or compared; of what is moved
    std::uint32_t constant = 0;    ///< that is set, or added in the move
    Values if_set;                 ///< of a comparison
  };
  const Function& f_;
  std::vector<Tracked> tracked_; ///< by number
  std::vector<Change> changes_;
  std::vector<std::uint32_t> change_at_;       ///< by place: index of changes_ + 1, or 0
  std::vector<std::optional<Facts>> at_entry_; ///< by block

  bool add(Tracked more);
  void find_registers();
  void find_comparisons();
  Change change_of(const Effects& e) const;
  std::optional<std::uint8_t> number_of(const codeobject::Operand& o) const;
};

} // namespace cts::audit
