#include "runners/audit/path.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace cts::audit {
namespace {

struct Path {
  std::vector<std::uint64_t> pcs;
  unsigned length = 0;
};

std::optional<Path> find_path(const Function& f, std::size_t from, std::size_t to, const Lengthen& lengthen,
                              bool with_lanes) {
  struct Node {
    unsigned length;
    std::size_t place, parent; // parent: number of a node
  };
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<Node> nodes;
  const auto longer = [&](std::size_t a, std::size_t b) { return nodes[a].length > nodes[b].length; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(longer)> open(longer);
  std::unordered_map<std::size_t, unsigned> best;
  const auto add = [&](std::size_t place, unsigned length, std::size_t parent) {
    const auto [known, is_new] = best.try_emplace(place, length);
    if (!is_new && known->second <= length) return;
    known->second = length;
    nodes.push_back({length, place, parent});
    open.push(nodes.size() - 1);
  };
  for (const std::size_t next : f.after(from, with_lanes)) add(next, 0, none);
  while (!open.empty()) {
    const std::size_t at = open.top();
    open.pop();
    const Node here = nodes[at];
    if (here.place == to) {
      std::vector<std::uint64_t> pcs{f.code[to].pc};
      for (std::size_t n = at; n != none; n = nodes[n].parent)
        if (f.blocks[f.block_of(nodes[n].place)].begin == nodes[n].place && nodes[n].place != to)
          pcs.push_back(f.code[nodes[n].place].pc);
      pcs.push_back(f.code[from].pc);
      std::ranges::reverse(pcs);
      return Path{std::move(pcs), here.length};
    }
    if (const auto length = lengthen(here.length, here.place))
      for (const std::size_t next : f.after(here.place, with_lanes)) add(next, *length, at);
  }
  return std::nullopt;
}

} // namespace

std::vector<std::uint64_t> shortest_path(const Function& f, std::size_t from, std::size_t to, bool with_lanes,
                                         const Lengthen& lengthen, unsigned longest) {
  if (with_lanes)
    if (const auto path = find_path(f, from, to, lengthen, true); path && path->length <= longest)
      return path->pcs;
  return find_path(f, from, to, lengthen, false).value_or(Path{{f.code[from].pc, f.code[to].pc}}).pcs;
}

} // namespace cts::audit
