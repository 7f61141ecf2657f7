// Wait states. Of every producer the least distance on any way here is kept, as long as anything could still
// have to wait for it.
#include "runners/audit/pairs.hpp"
#include "runners/audit/passes.hpp"
#include "runners/audit/path.hpp"
#include "runners/emulator/registers.hpp"

#include <algorithm>

namespace cts::audit {
namespace {

struct Producer {
  std::uint32_t place;
  bool idle;              ///< on this way EXEC became 0 and was not written since
  std::uint32_t distance; ///< wait states between it and the instruction to come
  bool rewritten = false; ///< its scalars were all written again since, and not by the VALU
  std::uint64_t key() const { return std::uint64_t{place} << 1 | (idle ? 1 : 0); }
  bool operator==(const Producer&) const = default;
};

struct Distances {
  std::vector<Producer> producers; ///< by key

  bool join(const Distances& other) {
    std::vector<Producer> both;
    auto a = producers.begin();
    for (const Producer& b : other.producers) {
      while (a != producers.end() && a->key() < b.key()) both.push_back(*a++);
      both.push_back(b);
      if (a != producers.end() && a->key() == b.key()) {
        both.back().distance = std::min(a->distance, b.distance);
        both.back().rewritten = a->rewritten && b.rewritten;
        ++a;
      }
    }
    both.insert(both.end(), a, producers.end());
    if (both == producers) return false;
    producers = std::move(both);
    return true;
  }

  void lose_lanes() { set_idle(true); }
  void find_lanes() { set_idle(false); }

private:
  void set_idle(bool idle) {
    Distances all;
    for (Producer p : producers) {
      p.idle = idle;
      Distances one;
      one.producers.push_back(p);
      all.join(one);
    }
    *this = std::move(all);
  }
};

constexpr ScalarAccess exec{emulator::sreg::exec, 2};

/// The hardware keeps a scalar instruction behind the VALU's writes of its registers, and the VALU behind the
/// scalar instruction's: what the VALU reads then is not what the producer wrote.
bool writes_again(const Effects& e, const Effects& producer) {
  const auto covered = [&](const ScalarAccess& a) {
    return std::ranges::any_of(e.scalar_writes, [&](const ScalarAccess& over) {
      return over.first <= a.first && a.first + a.count <= over.first + over.count;
    });
  };
  return !e.is(Trait::valu) && !producer.scalar_writes.empty() &&
         std::ranges::all_of(producer.scalar_writes, covered);
}

void step(const Function& f, Distances& d, std::size_t place) {
  const Effects& e = f.effects[place];
  if (!e.scalar_writes.empty())
    for (Producer& p : d.producers) p.rewritten = p.rewritten || writes_again(e, f.effects[p.place]);
  std::erase_if(d.producers, [&](Producer& p) {
    p.distance += e.wait_states;
    return p.distance >= f.effects[p.place].horizon || p.place == place;
  });
  if (!d.producers.empty() && overlap(e.scalar_writes, {exec})) d.find_lanes();
  if (e.horizon == 0) return;
  const Producer self{static_cast<std::uint32_t>(place), false, 0};
  d.producers.insert(std::ranges::upper_bound(d.producers, self.key(), {}, &Producer::key), self);
}

/// With EXEC = 0 vector instructions neither read nor write anything, but for those that do not ask EXEC.
bool needs_lanes(const Effects& e) {
  const bool vector = e.is(Trait::valu) || e.is(Trait::vmem) || e.is(Trait::lds);
  return vector && !e.is(Trait::mfma) && !e.is(Trait::readlane) && !e.is(Trait::readfirstlane) &&
         !e.is(Trait::writelane) && !e.is(Trait::permlane);
}

} // namespace

void audit_distances(const Function& f, Target target, RuleSet rules, Findings& findings) {
  const auto in = solve<Distances>(f, [&](Distances& d, std::size_t place) { step(f, d, place); });
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    if (!in[b]) continue;
    Distances d = *in[b];
    for (std::size_t place = f.blocks[b].begin; place < f.blocks[b].end; step(f, d, place++))
      for (const Producer& p : d.producers) {
        const bool without_effect = p.idle && needs_lanes(f.effects[place]);
        const auto need =
            need_beyond(p.distance, f.effects[p.place], f.effects[place], target, rules, p.rewritten);
        if (!need) continue;
        Finding finding = finding_at(f, need->rule, place, p.place);
        finding.needed = need->states;
        finding.have = static_cast<int>(p.distance);
        finding.severity = without_effect ? Severity::warning : need->severity;
        finding.source =
            need->source + (without_effect ? "; EXEC is 0 on this way, so nothing comes of it" : "");
        finding.path = shortest_path(
            f, p.place, place, !p.idle,
            [&](unsigned length, std::size_t at) {
              return std::optional(length + f.effects[at].wait_states);
            },
            p.distance); // where EXEC was 0 and is written again, the way with lanes is a longer one
        findings.add(std::move(finding));
      }
  }
}

} // namespace cts::audit
