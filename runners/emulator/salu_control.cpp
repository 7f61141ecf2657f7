// Branches, calls, hardware registers, VGPR indexing and the instructions that only pass time. [CDNA3
// ISA 4.2, 5.8, 6.6, 12.5]
#include "runners/emulator/control.hpp"
#include "runners/emulator/salu.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// A field of a hardware register. [CDNA3 ISA 5.8: simm16 = {size - 1, offset, register}]
struct Field {
  unsigned id, offset, mask;
  explicit Field(const Op& op) : id(op.simm16 & 63), offset(op.simm16 >> 6 & 31) {
    const unsigned size = (op.simm16 >> 11 & 31) + 1;
    mask = size == 32 ? ~0u : (1u << size) - 1;
  }
};

namespace hwreg {
inline constexpr unsigned mode = 1, status = 2, trapsts = 3, hw_id = 4, gpr_alloc = 5, lds_alloc = 6,
                          ib_sts = 7, xcc_id = 20;
}

std::uint32_t hardware_register(const Exec& x, const Op& op, unsigned id) {
  const Wave& w = x.w;
  switch (id) {
  case hwreg::mode: return w.mode;
  case hwreg::status:
    return w.scc | (w.exec() == 0 ? 1u << 9 : 0u) | (w.pair(sreg::vcc) == 0 ? 1u << 10 : 0u);
  case hwreg::hw_id: return w.index & 15; // wave slot; every wave runs on SIMD 0 of CU 0
  case hwreg::gpr_alloc: return (std::max(w.allocated_vgprs, 4u) / 4 - 1) << 6;
  case hwreg::lds_alloc: return static_cast<std::uint32_t>(x.group.lds.size() / 256) << 12;
  case hwreg::trapsts:
  case hwreg::ib_sts:
  case hwreg::xcc_id: return 0;
  default: stop(x, op, Stop::Kind::unsupported, -1, fmt::format("hardware register {} is not modelled", id));
  }
}

void get_register(Exec& x, const Op& op) {
  const Field f(op);
  set_scalar(x, op, hardware_register(x, op, f.id) >> f.offset & f.mask);
}

void set_register(Exec& x, const Op& op) {
  const Field f(op);
  if (f.id != hwreg::mode)
    stop(x, op, Stop::Kind::unsupported, -1,
         fmt::format("writing hardware register {} is not modelled", f.id));
  const std::uint32_t value = scalar32(x, op.src[op.sources - 1u]);
  x.w.mode = (x.w.mode & ~(f.mask << f.offset)) | (value & f.mask) << f.offset;
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
      {"s_getpc_b64", get_pc, Unit::salu, 1},
      {"s_setpc_b64", set_pc, Unit::branch, 0},
      {"s_swappc_b64", swap_pc, Unit::branch, 1},
      {"s_call_b64", call, Unit::branch, 1},
      {"s_getreg_b32", get_register, Unit::salu, 1},
      {"s_setreg_b32", set_register, Unit::salu, 0},
      {"s_setreg_imm32_b32", set_register, Unit::salu, 0},
      {"s_set_gpr_idx_on", index_on, Unit::salu, 0, note_m0},
      {"s_set_gpr_idx_off", index_off, Unit::salu, 0},
      {"s_set_gpr_idx_mode", index_mode, Unit::salu, 0, note_m0},
      {"s_set_gpr_idx_idx", index_value, Unit::salu, 0, note_m0},
      {"s_nop", nothing, Unit::other, 0, count_wait_states},
      // A sleep may be as short as nothing, a priority is advice, and there is nobody to trace or to wake.
      {"s_sleep", nothing, Unit::other, 0},
      {"s_setprio", nothing, Unit::other, 0},
      {"s_sethalt", halt, Unit::other, 0},
      {"s_wakeup", nothing, Unit::other, 0},
      {"s_ttracedata", nothing, Unit::other, 0},
      {"s_incperflevel", nothing, Unit::other, 0},
      {"s_decperflevel", nothing, Unit::other, 0},
  };
}

} // namespace cts::emulator
