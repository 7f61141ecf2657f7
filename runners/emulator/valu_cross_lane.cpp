// Values that cross lanes, swaps, and moves to and from accumulation registers. [CDNA3 ISA 12.8, 12.11; CDNA4
// ISA the same]
#include "runners/emulator/fault.hpp"
#include "runners/emulator/valu.hpp"

#include <bit>

namespace cts::emulator {
namespace {

using u32 = std::uint32_t;

void read_lane(Exec& x, const Op& op) {
  x.w.sgpr[op.dst[0].first] = x.w.vgpr[vector_index(x, op, op.src[0], 0)][scalar32(x, op.src[1]) & 63];
}

/// The lowest active lane, lane 0 when none is.
void read_first_lane(Exec& x, const Op& op) {
  const LaneMask exec = x.w.exec();
  const bool first = exec == 0 || planted(Fault::readfirstlane_takes_lane_0);
  const unsigned lane = first ? 0 : static_cast<unsigned>(std::countr_zero(exec));
  x.w.sgpr[op.dst[0].first] = x.w.vgpr[vector_index(x, op, op.src[0], 0)][lane];
}

/// EXEC does not matter.
void write_lane(Exec& x, const Op& op) {
  x.w.vgpr[vector_index(x, op, op.dst[0], 3)][scalar32(x, op.src[1]) & 63] = scalar32(x, op.src[0]);
}

void swap_lanes(Exec& x, u32* a, u32* b) {
  const LaneMask exec = x.w.exec();
  for (unsigned l = 0; l < lanes; ++l)
    if ((exec >> l & 1) != 0) std::swap(a[l], b[l]);
}

void swap(Exec& x, const Op& op) { swap_lanes(x, x.w.vgpr[op.dst[0].first], x.w.vgpr[op.src[0].first]); }

/// V_PERMLANE16_SWAP and V_PERMLANE32_SWAP: lane L + Distance of the destination register and lane L of the
/// source register change places, for all L whose bit Distance is 0. A lane that is not active is not
/// written; its value moves only with FI (op_sel[0] of the encoding), and reads as 0 with bound_ctrl
/// (op_sel[1]).
template <unsigned Distance> void permlane_swap(Exec& x, const Op& op) {
  u32* const d = x.w.vgpr[op.dst[0].first];
  u32* const s = x.w.vgpr[op.src[0].first];
  const LaneMask exec = x.w.exec();
  const auto active = [exec](unsigned l) { return (exec >> l & 1) != 0; };
  const bool fetch_inactive = (op.mods.op_sel & 1) != 0, zero_inactive = (op.mods.op_sel & 2) != 0;
  const auto move = [&](u32& to, unsigned to_lane, u32 value, unsigned from_lane) {
    if (!active(to_lane)) return;
    if (active(from_lane) || fetch_inactive)
      to = value;
    else if (zero_inactive)
      to = 0;
  };
  for (unsigned low = 0; low < lanes; ++low) {
    if ((low & Distance) != 0) continue;
    const unsigned high = low + Distance;
    const u32 of_d = d[high], of_s = s[low];
    move(d[high], high, of_s, low);
    move(s[low], low, of_d, high);
  }
}

/// The source register is written too.
void bind_swap(Op& op, Target) {
  check_modifiers(op, take::whole);
  op.writes.push_back({op.src[0].first, 1});
}

void bind_permlane_swap(Op& op, Target target) {
  const auto& words = op.instruction->words;
  bind_swap(op, target);
  check_target(op, target);
  if (words.size() == 2) op.mods.op_sel = static_cast<std::uint8_t>(words[0] >> 11 & 3);
}

void nothing(Exec&, const Op&) {}

} // namespace

std::vector<Semantics> valu_cross_lane() {
  constexpr auto whole = permit<take::whole>;
  constexpr auto move = lanewise<([](u32 a) { return a; })>;
  constexpr Unit u = Unit::valu;
  return {
      {"v_readlane_b32", read_lane, u, 1, whole},
      {"v_readfirstlane_b32", read_first_lane, u, 1, whole},
      {"v_writelane_b32", write_lane, u, 1, whole, true},
      {"v_swap_b32", swap, u, 1, bind_swap, true},
      {"v_permlane16_swap_b32", permlane_swap<16>, u, 1, bind_permlane_swap, true},
      {"v_permlane32_swap_b32", permlane_swap<32>, u, 1, bind_permlane_swap, true},
      {"v_accvgpr_read_b32", move, u, 1, whole},
      {"v_accvgpr_write_b32", move, u, 1, whole},
      {"v_accvgpr_mov_b32", move, u, 1, whole},
      {"v_nop", nothing, u, 0},
      {"v_clrexcp", nothing, u, 0},
  };
}

} // namespace cts::emulator
