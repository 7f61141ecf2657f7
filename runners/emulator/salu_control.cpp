// Branches, calls, VGPR indexing and the instructions that only pass time. [CDNA3 ISA 4.2, 6.6, 12.5]
#include "runners/emulator/control.hpp"
#include "runners/emulator/salu.hpp"

namespace cts::emulator {
namespace {

template <auto Condition> void branch_if(Exec& x, const Op& op) {
  if (Condition(x.w)) x.w.at = op.target;
}

void get_pc(Exec& x, const Op& op) { set_scalar(x, op, next_address(x, op)); }

void set_pc(Exec& x, const Op& op) { x.w.at = op_index(x, op, scalar64(x, op.src[0])); }

void swap_pc(Exec& x, const Op& op) {
  const std::uint64_t target = scalar64(x, op.src[0]); // before the destination, which may be the same pair
  set_scalar(x, op, next_address(x, op));
  x.w.at = op_index(x, op, target);
}

void call(Exec& x, const Op& op) {
  set_scalar(x, op, next_address(x, op));
  x.w.at = op.target;
}

void set_index(Exec& x, std::uint32_t index) {
  x.w.sgpr[sreg::m0] = (x.w.sgpr[sreg::m0] & ~255u) | (index & 255);
}
void set_enables(Exec& x, std::uint32_t enables) {
  x.w.sgpr[sreg::m0] = (x.w.sgpr[sreg::m0] & ~0xf000u) | (enables & 15) << 12;
}

/// The enables are the raw second source field of the encoding.
void index_on(Exec& x, const Op& op) {
  set_index(x, scalar32(x, op.src[0]));
  set_enables(x, op.instruction->words.at(0) >> 8);
  x.w.mode |= mode_gpr_idx_en;
}
void index_off(Exec& x, const Op&) { x.w.mode &= ~mode_gpr_idx_en; }
void index_mode(Exec& x, const Op& op) { set_enables(x, op.simm16); }
void index_value(Exec& x, const Op& op) { set_index(x, scalar32(x, op.src[0])); }

void note_m0(Op& op, Target) { op.scalar_writes.push_back({sreg::m0, 1}); }

void halt(Exec& x, const Op& op) {
  if ((op.simm16 & 1) != 0) stop(x, op, Stop::Kind::trap, -1, "the wave halts itself");
}

void kill(Exec& x, const Op& op) {
  if ((op.simm16 & 1) != 0) stop(x, op, Stop::Kind::trap, -1, "the wave kills itself");
}

void message_and_halt(Exec& x, const Op& op) {
  stop(x, op, Stop::Kind::trap, -1, "the wave sends a message and halts itself");
}

void nothing(Exec&, const Op&) {}

void count_wait_states(Op& op, Target) { op.wait_states = static_cast<std::uint16_t>((op.simm16 & 15) + 1); }

constexpr auto scc = [](const Wave& w) { return w.scc != 0; };
constexpr auto no_scc = [](const Wave& w) { return w.scc == 0; };
constexpr auto vccz = [](const Wave& w) { return w.pair(sreg::vcc) == 0; };
constexpr auto vccnz = [](const Wave& w) { return w.pair(sreg::vcc) != 0; };
constexpr auto execz = [](const Wave& w) { return w.exec() == 0; };
constexpr auto execnz = [](const Wave& w) { return w.exec() != 0; };
constexpr auto always = [](const Wave&) { return true; };

void note_vcc(Op& op, Target) { note_vcc_read(op); }
void note_exec(Op& op, Target) { op.scalar_reads.push_back({sreg::exec, 2}); }

} // namespace

std::vector<Semantics> salu_control() {
  return {
      {"s_branch", branch_if<always>, Unit::branch, 0},
      {"s_cbranch_scc0", branch_if<no_scc>, Unit::branch, 0},
      {"s_cbranch_scc1", branch_if<scc>, Unit::branch, 0},
      {"s_cbranch_vccz", branch_if<vccz>, Unit::branch, 0, note_vcc},
      {"s_cbranch_vccnz", branch_if<vccnz>, Unit::branch, 0, note_vcc},
      {"s_cbranch_execz", branch_if<execz>, Unit::branch, 0, note_exec},
      {"s_cbranch_execnz", branch_if<execnz>, Unit::branch, 0, note_exec},
      // The conditional debug flags of STATUS, which a debugger sets.
      {"s_cbranch_cdbgsys", nothing, Unit::branch, 0},
      {"s_cbranch_cdbguser", nothing, Unit::branch, 0},
      {"s_cbranch_cdbgsys_or_user", nothing, Unit::branch, 0},
      {"s_cbranch_cdbgsys_and_user", nothing, Unit::branch, 0},
      {"s_getpc_b64", get_pc, Unit::salu, 1},
      {"s_setpc_b64", set_pc, Unit::branch, 0},
      {"s_swappc_b64", swap_pc, Unit::branch, 1},
      {"s_call_b64", call, Unit::branch, 1},
      {"s_set_gpr_idx_on", index_on, Unit::salu, 0, note_m0},
      {"s_set_gpr_idx_off", index_off, Unit::salu, 0},
      {"s_set_gpr_idx_mode", index_mode, Unit::salu, 0, note_m0},
      {"s_set_gpr_idx_idx", index_value, Unit::salu, 0, note_m0},
      {"s_nop", nothing, Unit::other, 0, count_wait_states},
      // A sleep may be as short as nothing, a priority is advice, and there is nobody to trace or to wake.
      {"s_sleep", nothing, Unit::other, 0},
      {"s_setprio", nothing, Unit::other, 0},
      {"s_sethalt", halt, Unit::other, 0},
      {"s_setkill", kill, Unit::other, 0},
      {"s_sendmsghalt", message_and_halt, Unit::other, 0},
      {"s_wakeup", nothing, Unit::other, 0},
      {"s_ttracedata", nothing, Unit::other, 0},
      {"s_incperflevel", nothing, Unit::other, 0},
      {"s_decperflevel", nothing, Unit::other, 0},
  };
}

} // namespace cts::emulator
