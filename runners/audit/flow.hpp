// A function's control-flow graph, and the fixed point of a state over it.
#pragma once

#include "runners/audit/effects.hpp"

#include <deque>
#include <string>

namespace cts::audit {

/// A way from one block to another.
struct Edge {
  std::size_t to = 0;
  bool exec_zero =
      false;         ///< taken with EXEC = 0 only: S_CBRANCH_EXECZ to its target, S_CBRANCH_EXECNZ past it
  bool jump = false; ///< to a branch's target, not past it
};

/// Instructions that follow one another without a jump in or out. Places are indices of Function::code.
struct Block {
  std::size_t begin = 0, end = 0;
  std::vector<Edge> next;  ///< blocks that may follow
  bool entry = false;      ///< nothing is known of what came before
  bool reached = false;    ///< from some entry
  bool after_call = false; ///< it follows a call: what the callee left behind is not known
};

/// A kernel or function.
struct Function {
  std::string name;
  std::span<const codeobject::Instruction> code;
  std::vector<Effects> effects; ///< one an instruction
  std::vector<Block> blocks;    ///< by their first instruction
  std::vector<std::string> limits;
  std::uint64_t moved_by = 0;   ///< what its addresses are above those of the input
  bool one_wave = false;        ///< its workgroups have one wave at most
  std::uint32_t work_items = 0; ///< of a workgroup, all in a row, where that is certain
  bool unknown_jumps = false;   ///< some go where nobody knows, other than returns

  std::size_t block_of(std::size_t place) const;
  bool reached(std::size_t place) const { return blocks[block_of(place)].reached; }
  /// Places that may follow `place`; with `with_lanes`, those only that are reached with EXEC other than 0.
  std::vector<std::size_t> after(std::size_t place, bool with_lanes = false) const;
};

/// Finds blocks and edges. Blocks that no path reaches from the entry become entries of their own and are
/// named in `limits`, unless they hold padding or data.
void find_blocks(Function& function);

/// The state at the beginning of each block, to the fixed point. `State` is copied along edges, `join(other)`
/// merges and says whether anything changed, `step(state, place)` is what an instruction does to it,
/// `lose_lanes()`, if it has that, what an edge with EXEC = 0 does. The function begins with `first`, other
/// entries and blocks after calls with `State{}`; blocks that are not reached get nothing. `take(state,
/// block, edge)` is what leaving a block along an edge adds; false when the state rules that out.
template <typename State, typename Step, typename Take = bool (*)(State&, const Block&, const Edge&)>
std::vector<std::optional<State>> solve(
    const Function& f, Step step, Take take = [](State&, const Block&, const Edge&) { return true; },
    const State& first = {}) {
  std::vector<std::optional<State>> in(f.blocks.size());
  std::vector<char> waiting(f.blocks.size(), 0);
  std::deque<std::size_t> work;
  const auto visit = [&](std::size_t block, const State& state) {
    bool changed = false;
    if (!in[block]) {
      in[block] = f.blocks[block].after_call ? State{} : state;
      changed = true;
    } else if (!f.blocks[block].after_call) {
      changed = in[block]->join(state);
    }
    if (changed && !waiting[block]) {
      waiting[block] = 1;
      work.push_back(block);
    }
  };
  for (std::size_t b = 0; b < f.blocks.size(); ++b)
    if (f.blocks[b].entry) visit(b, b == 0 ? first : State{});
  while (!work.empty()) {
    const std::size_t b = work.front();
    work.pop_front();
    waiting[b] = 0;
    State state = *in[b];
    for (std::size_t i = f.blocks[b].begin; i < f.blocks[b].end; ++i) step(state, i);
    const auto leave = [&](const Edge& edge, State left) {
      if constexpr (requires { left.lose_lanes(); })
        if (edge.exec_zero) left.lose_lanes();
      if (take(left, f.blocks[b], edge)) visit(edge.to, left);
    };
    const std::vector<Edge>& edges = f.blocks[b].next;
    for (std::size_t n = 0; n + 1 < edges.size(); ++n) leave(edges[n], state);
    if (!edges.empty()) leave(edges.back(), std::move(state));
  }
  return in;
}

} // namespace cts::audit
