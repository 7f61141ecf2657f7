// VM_CNT and LGKM_CNT. Every memory operation that may still be outstanding is kept, with the fewest
// operations of its kind that were issued after it on any way here. What looks broken then is looked at once
// more, on the ways that can be taken.
#include "runners/audit/lds_addresses.hpp"
#include "runners/audit/passes.hpp"
#include "runners/audit/ways.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cts::audit {
namespace {

constexpr std::uint32_t nowhere = ~0u;

/// With what the rules of loads into LDS ask.
struct Tracked : Pending {
  std::uint32_t barrier = nowhere; ///< a barrier that it passed without any wait for it
  bool read_since = false;         ///< LDS was read since that barrier
  bool operator==(const Tracked&) const = default;

  void merge(const Tracked& other) {
    Pending::merge(other);
    barrier = std::min(barrier, other.barrier);
    read_since = read_since || other.read_since;
  }
};

struct Outstanding {
  std::vector<Tracked> pending; ///< by place
  bool filled = false;          ///< on every way here something that this wave put into LDS has arrived

  bool join(const Outstanding& other) {
    std::vector<Tracked> both;
    auto a = pending.begin();
    for (const Tracked& b : other.pending) {
      while (a != pending.end() && a->place < b.place) both.push_back(*a++);
      both.push_back(b);
      if (a != pending.end() && a->place == b.place) both.back().merge(*a++);
    }
    both.insert(both.end(), a, pending.end());
    const bool both_filled = filled && other.filled;
    if (both == pending && both_filled == filled) return false;
    pending = std::move(both);
    filled = both_filled;
    return true;
  }
};

bool leaves_something(const Effects& e) {
  return !e.writes.empty() || !e.scalar_writes.empty() || e.is(Trait::lds_dma) || e.is(Trait::lds_write);
}

void step(const Function& f, Outstanding& o, std::size_t place) {
  const Effects& e = f.effects[place];
  const bool operates = e.is(Trait::vmem) || e.is(Trait::smem) || e.is(Trait::lds);
  if (e.is(Trait::barrier)) {
    for (Tracked& p : o.pending)
      if (f.effects[p.place].is(Trait::lds_dma) && p.waited == most_vm)
        p.barrier = std::min(p.barrier, static_cast<std::uint32_t>(place));
  }
  if (e.is(Trait::lds_read))
    for (Tracked& p : o.pending) p.read_since = p.read_since || p.barrier != nowhere;
  std::erase_if(o.pending, [&](Tracked& p) {
    if (outlasts(f, p, place)) return operates && p.place == place;
    if (f.effects[p.place].is(Trait::lds_dma)) o.filled = true;
    return true;
  });
  if (operates && leaves_something(e))
    o.pending.insert(std::ranges::upper_bound(o.pending, place, {}, &Tracked::place),
                     Tracked{issued(f, place)});
  if (e.is(Trait::lds_write)) o.filled = true; // LDS serves a wave in order
}

class Checker {
public:
  explicit Checker(const Function& f) : f_(f) {}

  void check(const Outstanding& o, std::size_t place) {
    const Effects& e = f_.effects[place];
    for (const Tracked& p : o.pending) {
      const Effects& operation = f_.effects[p.place];
      if (const auto rule = register_rule(p, place); !rule.empty())
        suspect(rule, p, place, Severity::error, "ISA 4.4");
      if (operation.is(Trait::lds_dma)) check_dma(o, p, e, place);
      if (e.is(Trait::barrier) && operation.is(Trait::lds_write) && p.lgkm && !f_.one_wave)
        check_write_barrier(p, place);
    }
  }

  /// Adds what is found on a way that can be taken.
  void judge(Findings& findings) {
    if (suspects_.empty()) return;
    const BranchFacts branches(f_);
    for (const auto& of_one : suspects_) {
      const std::map<std::size_t, Suspect>& suspects = of_one.second;
      std::vector<std::size_t> places;
      places.reserve(suspects.size());
      for (const auto& [place, suspect] : suspects) places.push_back(place);
      const auto breaks = [&](const Pending& p, std::size_t place) {
        return still_breaks(suspects.at(place).rule, p, place);
      };
      for (const auto& [place, way] : ways_to(f_, branches, of_one.first, places, breaks))
        add(findings, place, suspects.at(place), way);
    }
  }

private:
  /// A rule that an instruction breaks, if the operation is outstanding there on a way that can be taken.
  struct Suspect {
    std::string_view rule;
    Severity severity;
    std::string source;
  };
  const Function& f_;
  std::map<std::size_t, std::map<std::size_t, Suspect>>
      suspects_; ///< by the places of operation and instruction
  LdsAddresses addresses_{f_};

  /// Whether what holds of `p` on one way breaks a rule, as all ways together do.
  bool still_breaks(std::string_view rule, const Pending& p, std::size_t place) const {
    if (rule == "lds-dma-barrier") return p.waited == most_vm;
    return rule.starts_with("lds-") || !register_rule(p, place).empty();
  }

  void add(Findings& findings, std::size_t place, const Suspect& s, const Way& way) const {
    const Effects& operation = f_.effects[way.pending.place];
    const bool ordered = counts_vm(operation) || counts_lds(operation);
    const auto rule = s.rule.starts_with("lds-") ? s.rule : register_rule(way.pending, place);
    Finding finding = finding_at(f_, rule, place, way.pending.place);
    finding.of_counter = true;
    finding.needed = ordered ? way.pending.younger : 0;
    finding.have = static_cast<int>(
        std::min<unsigned>(way.pending.waited, operation.is(Trait::vmem) ? most_vm : most_lgkm));
    finding.severity = s.severity;
    finding.source = s.source;
    finding.path = way.pcs;
    findings.add(std::move(finding));
  }

  /// The rule about registers that the instruction at `place` breaks, if `p` is outstanding; empty: none.
  std::string_view register_rule(const Pending& p, std::size_t place) const {
    const Effects &operation = f_.effects[p.place], &e = f_.effects[place];
    const bool touches = overlap(operation.writes, e.reads) || overlap(operation.writes, e.writes) ||
                         overlap(operation.scalar_writes, e.scalar_reads) ||
                         overlap(operation.scalar_writes, e.scalar_writes);
    if (!touches || reads_the_same(p, operation, e, place)) return {};
    const bool ordered = in_order(operation, e);
    // Who wrote a register again while it was outstanding has been told; its readers take another value.
    const bool overwrites = (common_registers(operation, e.writes, e.scalar_writes) & ~p.rewritten) != 0;
    const bool reads = (common_registers(operation, e.reads, e.scalar_reads) & ~p.rewritten) != 0;
    // A load into half a register reads the other half when it writes, in its turn.
    if (reads && !(ordered && overwrites && reads_by_result_alone(operation, e)))
      return operation.is(Trait::flat)   ? "flat-not-waited"
             : operation.is(Trait::vmem) ? "vmcnt-not-waited"
                                         : "lgkmcnt-not-waited";
    return overwrites && !ordered ? "overwritten-by-late-load" : "";
  }

  /// Whether both are one scalar load, done twice in a row of code with nothing writing its address between:
  /// whichever comes last brings the same value.
  bool reads_the_same(const Pending& p, const Effects& operation, const Effects& e, std::size_t place) const {
    if (!e.is(Trait::smem) || operation.instruction->words != e.instruction->words) return false;
    if (p.place >= place || f_.block_of(p.place) != f_.block_of(place)) return false;
    return std::none_of(f_.effects.begin() + static_cast<std::ptrdiff_t>(p.place),
                        f_.effects.begin() + static_cast<std::ptrdiff_t>(place), [&](const Effects& between) {
                          return overlap(between.scalar_writes, e.scalar_reads);
                        });
  }

  /// Whether of what `operation` wrote `e` names nothing but its own result: no address, no data.
  static bool reads_by_result_alone(const Effects& operation, const Effects& e) {
    const auto& operands = e.instruction->operands;
    return std::none_of(operands.begin() + 1, operands.end(), [&](const codeobject::Operand& o) {
      const auto access = vector_access(o);
      return access && overlap({*access}, operation.writes);
    });
  }

  void check_dma(const Outstanding& o, const Tracked& p, const Effects& e, std::size_t place) {
    constexpr std::string_view source = "ISA 4.4 and 9.1.9: VM_CNT says when the data are in LDS";
    if (e.is(Trait::lds_read) && !o.filled) suspect("lds-dma-not-waited", p, place, Severity::error, source);
    if (f_.one_wave) return;
    if (e.is(Trait::barrier) && !o.filled && p.waited == most_vm)
      suspect("lds-dma-barrier", p, place, Severity::warning, source);
    // Around a loop that reads LDS, past a barrier, and never waits.
    if (place == p.place && p.barrier != nowhere && p.read_since && p.waited == most_vm)
      suspect("lds-dma-barrier", p, p.barrier, Severity::warning, source);
  }

  /// Who reads behind the barrier, and before the next one, what the write has not written yet?
  void check_write_barrier(const Tracked& p, std::size_t barrier) {
    std::vector<std::size_t> work = f_.after(barrier);
    std::vector<char> seen(f_.code.size(), 0);
    Sharing worst = Sharing::apart;
    while (!work.empty()) {
      const std::size_t at = work.back();
      work.pop_back();
      if (seen[at] || f_.effects[at].is(Trait::barrier)) continue;
      seen[at] = 1;
      if (f_.effects[at].is(Trait::lds_read)) worst = std::max(worst, addresses_.between(p.place, at));
      for (const std::size_t next : f_.after(at)) work.push_back(next);
    }
    if (worst != Sharing::apart)
      suspect("lds-write-barrier", p, barrier,
              worst == Sharing::certain ? Severity::error : Severity::warning,
              fmt::format("ISA 4.4: S_BARRIER waits for no counter; {}", said_of(worst)));
  }

  void suspect(std::string_view rule, const Tracked& p, std::size_t place, Severity severity,
               std::string_view source) {
    suspects_[p.place][place] = {rule, severity, std::string(source)};
  }
};

} // namespace

void audit_counters(const Function& f, Findings& findings) {
  const auto in = solve<Outstanding>(f, [&](Outstanding& o, std::size_t place) { step(f, o, place); });
  Checker checker(f);
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    if (!in[b]) continue;
    Outstanding o = *in[b];
    for (std::size_t place = f.blocks[b].begin; place < f.blocks[b].end; step(f, o, place++))
      if (!o.pending.empty()) checker.check(o, place);
  }
  checker.judge(findings);
}

} // namespace cts::audit
