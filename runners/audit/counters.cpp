// VM_CNT and LGKM_CNT. [ISA 4.4] Every memory operation that may still be outstanding is kept, with the
// fewest operations of its kind that were issued after it on any way here: a wait for n of a counter that
// returns in order completes what has n younger ones.
#include "runners/audit/passes.hpp"
#include "runners/audit/path.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cts::audit {
namespace {

constexpr unsigned most_vm = 63, most_lgkm = 15; ///< values of the counters; as a wait, "do not wait"
constexpr std::uint32_t nowhere = ~0u;

struct Pending {
  std::uint32_t place;
  std::uint8_t younger = 0;        ///< operations of its kind issued since, at least
  bool vm = false, lgkm = false;   ///< what it may still hold of each counter
  std::uint8_t waited = most_vm;   ///< the smallest value that its counter was waited for since, at most
  std::uint32_t barrier = nowhere; ///< a barrier that it passed without any wait for it
  bool read_since = false;         ///< LDS was read since that barrier
  std::uint32_t rewritten = 0;     ///< of the registers that it brings, a bit each: written again since
  bool operator==(const Pending&) const = default;

  void merge(const Pending& other) {
    younger = std::min(younger, other.younger);
    vm = vm || other.vm;
    lgkm = lgkm || other.lgkm;
    waited = std::max(waited, other.waited);
    barrier = std::min(barrier, other.barrier);
    read_since = read_since || other.read_since;
    rewritten &= other.rewritten;
  }
};

struct Outstanding {
  std::vector<Pending> pending; ///< by place
  bool filled = false;          ///< on every way here something that this wave put into LDS has arrived

  bool join(const Outstanding& other) {
    std::vector<Pending> both;
    auto a = pending.begin();
    for (const Pending& b : other.pending) {
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

/// Operations that a counter counts in order: global memory without FLAT, and LDS.
bool counts_vm(const Effects& e) {
  return e.is(Trait::vmem) && !e.is(Trait::flat) && !e.base.starts_with("buffer_inv") &&
         !e.base.starts_with("buffer_wb");
}
bool counts_lds(const Effects& e) { return e.is(Trait::lds) && e.base != "ds_nop"; }
bool in_order(const Effects& a, const Effects& b) {
  return (counts_vm(a) && counts_vm(b)) || (counts_lds(a) && counts_lds(b));
}

template <typename Access>
std::uint32_t common_registers(const std::vector<Access>& brought, const std::vector<Access>& others) {
  std::uint32_t common = 0;
  unsigned bit = 0;
  for (const Access& a : brought)
    for (unsigned n = 0; n < a.count; ++n, ++bit)
      for (const Access& b : others)
        if (b.first <= a.first + n && a.first + n < b.first + b.count) common |= 1u << bit % 32;
  return common;
}
/// The registers that `operation` brings, a bit each, that are among those. No operation brings vectors and
/// scalars, and none more than 16.
std::uint32_t common_registers(const Effects& operation, const std::vector<VectorAccess>& vectors,
                               const std::vector<ScalarAccess>& scalars) {
  return common_registers(operation.writes, vectors) | common_registers(operation.scalar_writes, scalars);
}

/// Completes what a wait for `limits` of the counters completes of `p`; false when nothing of it is left.
bool wait_for(Pending& p, const Effects& operation, unsigned vm, unsigned lgkm) {
  const bool ordered = counts_vm(operation) || counts_lds(operation);
  const auto over = [&](unsigned limit) { return limit == 0 || (ordered && p.younger >= limit); };
  if (p.vm && vm < most_vm) {
    p.vm = !over(vm);
    p.waited = std::min(p.waited, static_cast<std::uint8_t>(vm));
  }
  if (p.lgkm && lgkm < most_lgkm) {
    p.lgkm = !over(lgkm);
    p.waited = std::min(p.waited, static_cast<std::uint8_t>(lgkm));
  }
  return p.vm || p.lgkm;
}

/// [ISA, S_WAITCNT: VM_CNT in bits 15:14 and 3:0, LGKM_CNT in 11:8]
unsigned vm_of(const Effects& wait) { return (wait.simm16 & 15) | (wait.simm16 >> 14 & 3) << 4; }
unsigned lgkm_of(const Effects& wait) { return wait.simm16 >> 8 & 15; }

/// One more operation behind `p`; false when a full counter then says that `p` is complete.
bool make_older(Pending& p, const Effects& operation, const Effects& issued) {
  if (!in_order(operation, issued)) return true;
  p.younger = static_cast<std::uint8_t>(p.younger + 1);
  return p.younger < (counts_vm(operation) ? most_vm : most_lgkm);
}

bool leaves_something(const Effects& e) {
  return !e.writes.empty() || !e.scalar_writes.empty() || e.is(Trait::lds_dma) || e.is(Trait::lds_write);
}

void issue(const Function& f, Outstanding& o, std::size_t place) {
  const Effects& e = f.effects[place];
  Pending self{static_cast<std::uint32_t>(place)};
  self.vm = e.is(Trait::vmem);
  self.lgkm = e.is(Trait::flat) || e.is(Trait::smem) || counts_lds(e);
  std::erase_if(o.pending, [&](Pending& p) {
    const Effects& operation = f.effects[p.place];
    if (make_older(p, operation, e)) return p.place == place;
    if (operation.is(Trait::lds_dma)) o.filled = true;
    return true;
  });
  if (leaves_something(e))
    o.pending.insert(std::ranges::upper_bound(o.pending, self.place, {}, &Pending::place), self);
  if (e.is(Trait::lds_write)) o.filled = true; // LDS serves a wave in order
}

void step(const Function& f, Outstanding& o, std::size_t place) {
  const Effects& e = f.effects[place];
  if (!e.writes.empty() || !e.scalar_writes.empty())
    for (Pending& p : o.pending)
      p.rewritten |= common_registers(f.effects[p.place], e.writes, e.scalar_writes);
  if (e.is(Trait::wait)) {
    std::erase_if(o.pending, [&](Pending& p) {
      const Effects& operation = f.effects[p.place];
      if (wait_for(p, operation, vm_of(e), lgkm_of(e))) return false;
      if (operation.is(Trait::lds_dma)) o.filled = true;
      return true;
    });
  } else if (e.is(Trait::barrier)) {
    for (Pending& p : o.pending)
      if (f.effects[p.place].is(Trait::lds_dma) && p.waited == most_vm)
        p.barrier = std::min(p.barrier, static_cast<std::uint32_t>(place));
  } else if (e.is(Trait::vmem) || e.is(Trait::smem) || e.is(Trait::lds)) {
    if (e.is(Trait::lds_read))
      for (Pending& p : o.pending) p.read_since = p.read_since || p.barrier != nowhere;
    issue(f, o, place);
  }
}

class Checker {
public:
  Checker(const Function& f, Findings& findings) : f_(f), findings_(findings) {}

  void check(const Outstanding& o, std::size_t place) {
    const Effects& e = f_.effects[place];
    for (const Pending& p : o.pending) {
      const Effects& operation = f_.effects[p.place];
      check_registers(p, operation, e, place);
      if (operation.is(Trait::lds_dma)) check_dma(o, p, e, place);
      if (e.is(Trait::barrier) && operation.is(Trait::lds_write) && p.lgkm && !f_.one_wave &&
          reads_lds_after(place))
        report("lds-write-barrier", p, place, Severity::warning, "ISA 4.4: S_BARRIER waits for no counter");
    }
  }

private:
  const Function& f_;
  Findings& findings_;

  void check_registers(const Pending& p, const Effects& operation, const Effects& e, std::size_t place) {
    if (reads_the_same(p, operation, e, place)) return;
    const bool ordered = in_order(operation, e);
    // Who wrote a register again while it was outstanding has been told; its readers take another value.
    const bool overwrites = (common_registers(operation, e.writes, e.scalar_writes) & ~p.rewritten) != 0;
    const bool reads = (common_registers(operation, e.reads, e.scalar_reads) & ~p.rewritten) != 0;
    // A load into half a register reads the other half when it writes, in its turn.
    if (reads && !(ordered && overwrites && reads_only_what_it_writes(operation, e)))
      report(operation.is(Trait::flat) ? "flat-not-waited"
             : p.vm                    ? "vmcnt-not-waited"
                                       : "lgkmcnt-not-waited",
             p, place, Severity::error, "ISA 4.4");
    else if (overwrites && !ordered)
      report("overwritten-by-late-load", p, place, Severity::error, "ISA 4.4");
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

  static bool reads_only_what_it_writes(const Effects& operation, const Effects& e) {
    return std::ranges::all_of(e.reads, [&](const VectorAccess& read) {
      return !overlap({read}, operation.writes) || overlap({read}, e.writes);
    });
  }

  void check_dma(const Outstanding& o, const Pending& p, const Effects& e, std::size_t place) {
    constexpr std::string_view source = "ISA 4.4 and 9.1.9: VM_CNT says when the data are in LDS";
    if (e.is(Trait::lds_read) && !o.filled) report("lds-dma-not-waited", p, place, Severity::error, source);
    if (f_.one_wave) return;
    if (e.is(Trait::barrier) && !o.filled && p.waited == most_vm)
      report("lds-dma-barrier", p, place, Severity::warning, source);
    // Around a loop that reads LDS, past a barrier, and never waits.
    if (place == p.place && p.barrier != nowhere && p.read_since && p.waited == most_vm)
      report("lds-dma-barrier", p, p.barrier, Severity::warning, source);
  }

  bool reads_lds_after(std::size_t barrier) {
    std::vector<std::size_t> work = f_.after(barrier);
    std::vector<char> seen(f_.code.size(), 0);
    while (!work.empty()) {
      const std::size_t at = work.back();
      work.pop_back();
      if (seen[at]) continue;
      seen[at] = 1;
      if (f_.effects[at].is(Trait::lds_read)) return true;
      for (const std::size_t next : f_.after(at)) work.push_back(next);
    }
    return false;
  }

  void report(std::string_view rule, const Pending& p, std::size_t place, Severity severity,
              std::string_view source) {
    const Effects& operation = f_.effects[p.place];
    const bool ordered = counts_vm(operation) || counts_lds(operation);
    const unsigned none = p.vm ? most_vm : most_lgkm;
    Finding finding = finding_at(f_, rule, place, p.place);
    finding.of_counter = true;
    finding.needed = ordered ? p.younger : 0;
    finding.have = static_cast<int>(std::min<unsigned>(p.waited, none));
    finding.severity = severity;
    finding.source = source;
    finding.path = shortest_path(f_, p.place, place, true,
                                 [&](unsigned younger, std::size_t at) -> std::optional<unsigned> {
                                   Pending here{p.place, static_cast<std::uint8_t>(younger)};
                                   here.vm = operation.is(Trait::vmem);
                                   here.lgkm = !here.vm || operation.is(Trait::flat);
                                   const Effects& e = f_.effects[at];
                                   if (at == p.place) return std::nullopt;
                                   if (e.is(Trait::wait) && !wait_for(here, operation, vm_of(e), lgkm_of(e)))
                                     return std::nullopt;
                                   if (!make_older(here, operation, e)) return std::nullopt;
                                   return here.younger;
                                 });
    findings_.add(std::move(finding));
  }
};

} // namespace

void audit_counters(const Function& f, Findings& findings) {
  const auto in = solve<Outstanding>(f, [&](Outstanding& o, std::size_t place) { step(f, o, place); });
  Checker checker(f, findings);
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    if (!in[b]) continue;
    Outstanding o = *in[b];
    for (std::size_t place = f.blocks[b].begin; place < f.blocks[b].end; step(f, o, place++))
      if (!o.pending.empty()) checker.check(o, place);
  }
}

} // namespace cts::audit
