// Forks and joins: branches that run both ways, the one with fewer lanes first. What is left to do waits in
// SGPRs, four an entry, counted by MODE.CSP. [CDNA3 ISA 4.6, S_CBRANCH_G_FORK, S_CBRANCH_I_FORK,
// S_CBRANCH_JOIN]
#include "runners/emulator/control.hpp"
#include "runners/emulator/salu.hpp"

#include <bit>

namespace cts::emulator {
namespace {

constexpr unsigned csp_shift = 29, entries = 6; ///< at most half of the lanes run each time: log2(64)

unsigned stack_pointer(const Wave& w) { return w.mode >> csp_shift; }

void set_stack_pointer(Exec& x, const Op& op, unsigned value) {
  if (value > entries) stop(x, op, Stop::Kind::bad_code, -1, "the branch stack in SGPRs holds six entries");
  x.w.mode = (x.w.mode & ~(7u << csp_shift)) | value << csp_shift;
}

/// Leaves the lanes of `mask` to do at `address`.
void push(Exec& x, const Op& op, LaneMask mask, std::uint64_t address) {
  const unsigned at = stack_pointer(x.w);
  set_stack_pointer(x, op, at + 1);
  x.w.set_pair(4 * at, mask);
  x.w.set_pair(4 * at + 2, address);
}

void fork(Exec& x, const Op& op, std::uint64_t target) {
  const LaneMask exec = x.w.exec(), pass = scalar64(x, op.src[0]) & exec, fail = exec & ~pass;
  if (pass == exec) {
    x.w.at = op_index(x, op, target);
  } else if (fail == exec) {
    return;
  } else if (std::popcount(fail) < std::popcount(pass)) {
    push(x, op, pass, target);
    x.w.set_exec(fail);
  } else {
    push(x, op, fail, next_address(x, op));
    x.w.set_exec(pass);
    x.w.at = op_index(x, op, target);
  }
}

void fork_to_register(Exec& x, const Op& op) { fork(x, op, scalar64(x, op.src[1])); }

void fork_by_offset(Exec& x, const Op& op) {
  const auto distance = static_cast<std::uint64_t>(std::int64_t{signed_immediate(op)} * 4);
  fork(x, op, next_address(x, op) + distance);
}

void join(Exec& x, const Op& op) {
  if (stack_pointer(x.w) == scalar32(x, op.src[0])) return; // the second path has come here too
  const unsigned at = stack_pointer(x.w) - 1;
  set_stack_pointer(x, op, at);
  x.w.set_exec(x.w.pair(4 * at));
  x.w.at = op_index(x, op, x.w.pair(4 * at + 2));
}

/// Which entry is read or written is known when it runs only.
void note_stack(Op& op, Target) {
  op.scalar_reads.push_back({sreg::exec, 2});
  op.scalar_writes.push_back({sreg::exec, 2});
  op.scalar_writes.push_back({0, 4 * entries});
}

void note_exec(Op& op, Target) {
  op.scalar_reads.push_back({sreg::exec, 2});
  op.scalar_writes.push_back({sreg::exec, 2});
}

} // namespace

std::vector<Semantics> salu_fork() {
  return {
      {"s_cbranch_g_fork", fork_to_register, Unit::branch, 0, note_stack},
      {"s_cbranch_i_fork", fork_by_offset, Unit::branch, 0, note_stack},
      {"s_cbranch_join", join, Unit::branch, 0, note_exec},
  };
}

} // namespace cts::emulator
