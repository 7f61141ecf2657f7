#include "runners/audit/ways.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace cts::audit {
namespace {

constexpr std::size_t nowhere = ~std::size_t{0};

/// A way, as far as the beginning of `block`.
struct Stretch {
  std::size_t block;
  std::size_t before; ///< number of the stretch that led here
  bool idle;          ///< EXEC was 0 at one of its branches
  Pending pending;
  Facts facts;
};

class Search {
public:
  using Breaks = std::function<bool(const Pending&, std::size_t)>;
  Search(const Function& f, const BranchFacts& branches, const std::vector<std::size_t>& places,
         const Breaks& breaks)
      : f_(f), branches_(branches), places_(places), breaks_(breaks) {}

  std::map<std::size_t, Way> run(std::size_t producer) {
    producer_ = producer;
    stretches_.push_back(
        {f_.block_of(producer), nowhere, false, issued(f_, producer), branches_.before(producer)});
    branches_.step(stretches_[0].facts, producer);
    follow(0, producer + 1);
    while (!open_.empty() && found_.size() < places_.size()) {
      const std::size_t number = std::get<2>(open_.top());
      open_.pop();
      follow(number, f_.blocks[stretches_[number].block].begin);
    }
    return std::move(found_);
  }

private:
  const Function& f_;
  const BranchFacts& branches_;
  const std::vector<std::size_t>& places_;
  const Breaks& breaks_;
  std::size_t producer_ = 0;
  std::vector<Stretch> stretches_;
  std::map<std::size_t, std::vector<std::size_t>> by_block_;
  using Order = std::tuple<bool, std::uint8_t, std::size_t>; ///< idle, younger, number of the stretch
  std::priority_queue<Order, std::vector<Order>, std::greater<>> open_;
  std::map<std::size_t, Way> found_;

  void follow(std::size_t number, std::size_t from) {
    const Stretch stretch = stretches_[number];
    const Block& block = f_.blocks[stretch.block];
    Pending pending = stretch.pending;
    Facts facts = stretch.facts;
    auto place = std::ranges::lower_bound(places_, from);
    for (std::size_t i = from; i < block.end; ++i) {
      if (place != places_.end() && *place == i) {
        if (!found_.contains(i) && breaks_(pending, i)) found_.emplace(i, Way{pcs(number, i), pending});
        ++place;
      }
      if (i == producer_ || !outlasts(f_, pending, i)) return;
      branches_.step(facts, i);
    }
    for (const Edge& edge : block.next) {
      if (f_.blocks[edge.to].after_call) continue;
      Facts beyond = facts;
      if (branches_.take(beyond, block, edge))
        add({edge.to, number, stretch.idle || edge.exec_zero, pending, std::move(beyond)});
    }
  }

  void add(Stretch stretch) {
    constexpr std::size_t enough = 16;
    auto& others = by_block_[stretch.block];
    if (others.size() >= enough) {
      const Facts& last = stretches_[others.back()].facts;
      stretch.facts = stretch.facts.from_below ? last.widened(stretch.facts) : last.either(stretch.facts);
    }
    const bool known = std::ranges::any_of(others, [&](std::size_t number) {
      const Stretch& other = stretches_[number];
      return other.idle <= stretch.idle && other.pending.covers(stretch.pending) &&
             other.facts.contains(stretch.facts);
    });
    if (known) return;
    others.push_back(stretches_.size());
    open_.emplace(stretch.idle, stretch.pending.younger, stretches_.size());
    stretches_.push_back(std::move(stretch));
  }

  std::vector<std::uint64_t> pcs(std::size_t number, std::size_t to) const {
    std::vector<std::uint64_t> way{f_.code[to].pc};
    for (; stretches_[number].before != nowhere; number = stretches_[number].before)
      if (const std::size_t begin = f_.blocks[stretches_[number].block].begin; begin != to || way.size() > 1)
        way.push_back(f_.code[begin].pc);
    way.push_back(f_.code[producer_].pc);
    std::ranges::reverse(way);
    return way;
  }
};

} // namespace

std::map<std::size_t, Way> ways_to(const Function& f, const BranchFacts& branches, std::size_t producer,
                                   const std::vector<std::size_t>& places,
                                   const std::function<bool(const Pending&, std::size_t)>& breaks) {
  return Search(f, branches, places, breaks).run(producer);
}

} // namespace cts::audit
