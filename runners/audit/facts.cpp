#include "runners/audit/facts.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace cts::audit {
namespace {

using codeobject::Operand;

std::optional<std::uint32_t> constant_of(const Operand& o) {
  if (o.kind != Operand::Kind::integer) return std::nullopt;
  return static_cast<std::uint32_t>(o.value);
}

std::optional<std::uint16_t> register_of(const Operand& o) {
  if (o.kind != Operand::Kind::reg || o.bank != codeobject::Bank::sgpr || o.count != 1) return std::nullopt;
  return o.first;
}

/// S_MOV, S_ADD or S_SUB with a constant, as "`to` becomes `from` + `constant`" or "becomes `constant`".
struct Move {
  Operand to;
  std::optional<Operand> from;
  std::uint32_t constant = 0;
};

/// The 16-bit constant of an instruction, with its sign.
std::uint32_t signed_simm16(const Effects& e) {
  return static_cast<std::uint32_t>(static_cast<std::int16_t>(e.simm16));
}

std::optional<Move> move_of(const Effects& e) {
  const auto& o = e.instruction->operands;
  if (!e.is(Trait::salu) || o.empty()) return std::nullopt;
  if (e.base == "s_movk_i32") return Move{o[0], {}, signed_simm16(e)};
  if (e.base == "s_addk_i32") return Move{o[0], o[0], signed_simm16(e)};
  if (e.base == "s_mov_b32" && o.size() == 2) {
    if (const auto constant = constant_of(o[1])) return Move{o[0], {}, *constant};
    return Move{o[0], o[1], 0};
  }
  const bool adds = e.base == "s_add_u32" || e.base == "s_add_i32",
             subtracts = e.base == "s_sub_u32" || e.base == "s_sub_i32";
  if ((!adds && !subtracts) || o.size() != 3) return std::nullopt;
  if (const auto constant = constant_of(o[2])) return Move{o[0], o[1], adds ? *constant : 0 - *constant};
  if (const auto constant = constant_of(o[1]); constant && adds) return Move{o[0], o[2], *constant};
  return std::nullopt;
}

/// The values x with `x relation constant`.
Values values_that_are(std::string_view relation, bool is_signed, std::uint32_t constant) {
  const std::uint32_t least = is_signed ? 0x80000000u : 0, most = least - 1;
  const Values equal(constant, constant), up_to(least, constant), from(constant, most);
  if (relation == "eq") return equal;
  if (relation == "lg") return equal.complement();
  if (relation == "le") return up_to;
  if (relation == "gt") return up_to.complement();
  return relation == "ge" ? from : from.complement();
}

/// `constant relation x` as `x relation constant`.
std::string_view turned(std::string_view relation) {
  return relation == "lt"   ? "gt"
         : relation == "gt" ? "lt"
         : relation == "le" ? "ge"
         : relation == "ge" ? "le"
                            : relation;
}

/// A comparison of a register with a constant.
struct Comparison {
  Operand of;
  Values if_set;
};

std::optional<Comparison> comparison_of(const Effects& e) {
  if (!e.is(Trait::salu)) return std::nullopt;
  const bool short_form = e.base.starts_with("s_cmpk_");
  if (!short_form && !e.base.starts_with("s_cmp_")) return std::nullopt;
  const std::string_view relation = e.base.substr(short_form ? 7 : 6, 2),
                         type = e.base.substr(short_form ? 10 : 9);
  const auto& o = e.instruction->operands;
  if ((type != "u32" && type != "i32") || o.size() != 2) return std::nullopt;
  const bool is_signed = type == "i32";
  if (short_form)
    return Comparison{o[0], values_that_are(relation, is_signed, is_signed ? signed_simm16(e) : e.simm16)};
  if (const auto constant = constant_of(o[1]))
    return Comparison{o[0], values_that_are(relation, is_signed, *constant)};
  if (const auto constant = constant_of(o[0]))
    return Comparison{o[1], values_that_are(turned(relation), is_signed, *constant)};
  return std::nullopt;
}

/// A comparison as text, the same for its opposite, which holds where it does not; empty: no comparison.
struct Named {
  std::string text;
  bool opposite = false;
};

Named named_comparison(const Effects& e) {
  if (!e.is(Trait::salu) || (!e.base.starts_with("s_cmp") && !e.base.starts_with("s_bitcmp"))) return {};
  constexpr std::array<std::array<std::string_view, 2>, 4> opposites{
      {{"_lg_", "_eq_"}, {"_ge_", "_lt_"}, {"_gt_", "_le_"}, {"bitcmp1", "bitcmp0"}}};
  Named named{e.instruction->text, false};
  for (const auto& [opposite, plain] : opposites)
    if (const auto at = named.text.find(opposite); at != named.text.npos) {
      named.text.replace(at, opposite.size(), plain);
      named.opposite = true;
    }
  return named;
}

/// Scalar instructions that leave SCC alone; of the others it is taken to be lost.
bool keeps_scc(const Effects& e) {
  constexpr std::array<std::string_view, 13> prefixes{"s_mov",    "s_cmov",   "s_cselect", "s_mul", "s_getpc",
                                                      "s_pack",   "s_sext",   "s_brev",    "s_ff",  "s_flbit",
                                                      "s_bitset", "s_setreg", "s_setprio"};
  return !e.is(Trait::salu) ||
         std::ranges::any_of(prefixes, [&](std::string_view p) { return e.base.starts_with(p); });
}

} // namespace

bool Facts::contains(const Facts& other) const {
  if (scc && scc != other.scc) return false;
  if (values.empty()) return true;
  if (other.values.empty()) return false;
  for (std::size_t n = 0; n < values.size(); ++n)
    if (!values[n].contains(other.values[n])) return false;
  return true;
}

Facts Facts::either(const Facts& other) const {
  Facts both = *this;
  if (scc != other.scc) both.scc.reset();
  if (other.values.empty()) both.values.clear();
  for (std::size_t n = 0; n < both.values.size(); ++n) both.values[n] = values[n].either(other.values[n]);
  return both;
}

Facts Facts::widened(const Facts& other) const {
  Facts wide = *this;
  if (scc != other.scc) wide.scc.reset();
  if (other.values.empty()) wide.values.clear();
  for (std::size_t n = 0; n < wide.values.size(); ++n)
    if (!values[n].contains(other.values[n])) wide.values[n] = Values();
  return wide;
}

bool Facts::join(const Facts& other) {
  constexpr std::uint8_t enough = 8;
  if (contains(other)) return false;
  if (other.from_below && joins < enough) ++joins;
  *this = joins == enough ? widened(other) : either(other);
  return true;
}

BranchFacts::BranchFacts(const Function& f) : f_(f), change_at_(f.code.size(), 0) {
  find_registers();
  find_comparisons();
  if (tracked_.empty()) return;
  for (std::size_t place = 0; place < f.code.size(); ++place) {
    Change change = change_of(f.effects[place]);
    if (!change.loses_scc && change.forgets == 0 && change.kind == Change::Kind::none) continue;
    changes_.push_back(change);
    change_at_[place] = static_cast<std::uint32_t>(changes_.size());
  }
  if (f.unknown_jumps) return; // a block may be entered from anywhere
  at_entry_ = solve<Facts>(
      f, [&](Facts& facts, std::size_t place) { step(facts, place); },
      [&](Facts& facts, const Block& block, const Edge& edge) { return take(facts, block, edge); });
}

/// False when it is tracked already, or there is no room.
bool BranchFacts::add(Tracked more) {
  constexpr std::size_t most = 64;
  const auto is_the_same = [&](const Tracked& t) {
    return t.comparison == more.comparison &&
           (!t.comparison.empty() || t.reads[0].first == more.reads[0].first);
  };
  if (tracked_.size() == most || std::ranges::any_of(tracked_, is_the_same)) return false;
  tracked_.push_back(std::move(more));
  return true;
}

void BranchFacts::find_registers() {
  const auto add_register = [&](const Operand& o) {
    const auto r = register_of(o);
    return r && add({{ScalarAccess{*r, 1}}, {}});
  };
  std::vector<Move> moves;
  for (const Effects& e : f_.effects) {
    if (const auto comparison = comparison_of(e)) add_register(comparison->of);
    if (const auto move = move_of(e); move && move->from) moves.push_back(*move);
  }
  for (bool more = true; more;) {
    more = false;
    for (const Move& move : moves)
      if (number_of(move.to) && add_register(*move.from)) more = true;
  }
}

void BranchFacts::find_comparisons() {
  std::map<std::string, int> made;
  for (const Effects& e : f_.effects)
    if (const Named named = named_comparison(e);
        !named.text.empty() && !comparison_of(e) && ++made[named.text] == 2)
      add({e.scalar_reads, named.text});
}

std::optional<std::uint8_t> BranchFacts::number_of(const Operand& o) const {
  const auto r = register_of(o);
  if (!r) return std::nullopt;
  for (std::size_t n = 0; n < tracked_.size(); ++n)
    if (tracked_[n].comparison.empty() && tracked_[n].reads[0].first == *r)
      return static_cast<std::uint8_t>(n);
  return std::nullopt;
}

BranchFacts::Change BranchFacts::change_of(const Effects& e) const {
  Change change;
  if (!e.is(Trait::salu) && !e.is(Trait::no_instruction) && e.scalar_writes.empty()) return change;
  change.loses_scc = !keeps_scc(e);
  for (std::size_t n = 0; n < tracked_.size(); ++n)
    if (e.is(Trait::movrel) || e.is(Trait::no_instruction) || overlap(e.scalar_writes, tracked_[n].reads))
      change.forgets |= std::uint64_t{1} << n;
  if (const auto comparison = comparison_of(e)) {
    if (const auto number = number_of(comparison->of)) {
      change.kind = Change::Kind::compare;
      change.to = *number;
      change.if_set = comparison->if_set;
    }
  } else if (const Named named = named_comparison(e); !named.text.empty()) {
    const auto at = std::ranges::find(tracked_, named.text, &Tracked::comparison);
    if (at != tracked_.end()) {
      change.kind = Change::Kind::compare;
      change.to = static_cast<std::uint8_t>(at - tracked_.begin());
      change.if_set = named.opposite ? Values(0, 0) : Values(0, 0).complement();
    }
  } else if (const auto move = move_of(e)) {
    const auto to = number_of(move->to), from = move->from ? number_of(*move->from) : std::nullopt;
    if (to && (from || !move->from)) {
      change.kind = from ? Change::Kind::move : Change::Kind::set;
      change.to = *to;
      change.from = from.value_or(0);
      change.constant = move->constant;
    }
  }
  return change;
}

Facts BranchFacts::before(std::size_t place) const {
  const std::size_t block = f_.block_of(place);
  if (at_entry_.empty() || !at_entry_[block]) return {};
  Facts facts = *at_entry_[block];
  for (std::size_t i = f_.blocks[block].begin; i < place; ++i) step(facts, i);
  return facts;
}

void BranchFacts::step(Facts& facts, std::size_t place) const {
  if (change_at_[place] == 0) return;
  const Change& change = changes_[change_at_[place] - 1];
  if (facts.values.empty()) facts.values.resize(tracked_.size());
  const Values moved =
      change.kind == Change::Kind::move ? facts.values[change.from].plus(change.constant) : Values();
  for (std::size_t n = 0; n < tracked_.size(); ++n)
    if ((change.forgets >> n & 1) != 0) facts.values[n] = Values();
  const bool rewritten = facts.scc && (change.forgets >> facts.scc->number & 1) != 0;
  if (change.loses_scc || rewritten) facts.scc.reset();
  if (change.kind == Change::Kind::set) facts.values[change.to] = Values(change.constant, change.constant);
  if (change.kind == Change::Kind::move) facts.values[change.to] = moved;
  if (change.kind == Change::Kind::compare) facts.scc = Facts::Condition{change.to, change.if_set};
}

bool BranchFacts::take(Facts& facts, const Block& block, const Edge& edge) const {
  const std::string_view branch = f_.effects[block.end - 1].base;
  facts.joins = 0;
  facts.from_below = f_.blocks[edge.to].begin <= block.begin;
  const bool on_set = branch == "s_cbranch_scc1";
  if (!facts.scc || (!on_set && branch != "s_cbranch_scc0")) return true;
  Values& values = facts.values[facts.scc->number];
  values = values.both(on_set == edge.jump ? facts.scc->if_set : facts.scc->if_set.complement());
  return !values.none();
}

} // namespace cts::audit
