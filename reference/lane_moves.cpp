#include "reference/lane_moves.hpp"

#include "common/error.hpp"

#include <bit>

namespace cts::reference {
namespace {

using enum LaneSource::What;

constexpr int lanes = 64, row_lanes = 16;

void expect_lane(int lane) {
  if (lane < 0 || lane >= lanes) throw Error("lane {}: expected 0 to 63", lane);
}

bool active(std::uint64_t exec, int lane) { return (exec >> lane & 1) != 0; }

/// Controls that count: `first` + n for least <= n <= 15.
int counted(int first, int n, int least, std::string_view what) {
  if (n < least || n > 15) throw Error("{}:{}: expected {} to 15", what, n, least);
  return first + n;
}

std::size_t index(int lane) { return static_cast<std::size_t>(lane); }

int reverse_5_bits(int value) {
  int reversed = 0;
  for (int bit = 0; bit < 5; ++bit) reversed |= (value >> bit & 1) << (4 - bit);
  return reversed;
}

} // namespace

std::string to_string(const LaneSource& source) {
  switch (source.what) {
  case lane: return fmt::format("lane {}", source.lane);
  case zero: return "zero";
  case kept: return "kept";
  case unspecified: break;
  }
  return "unspecified";
}

// ---- DPP
// -----------------------------------------------------------------------------------------------------------

int dpp_quad_perm(int a, int b, int c, int d) {
  for (const int n : {a, b, c, d})
    if (n < 0 || n > 3) throw Error("quad_perm:[{},{},{},{}]: expected 0 to 3", a, b, c, d);
  return a | b << 2 | c << 4 | d << 6;
}

int dpp_row_shl(int n) { return counted(0x100, n, 1, "row_shl"); }
int dpp_row_shr(int n) { return counted(0x110, n, 1, "row_shr"); }
int dpp_row_ror(int n) { return counted(0x120, n, 1, "row_ror"); }
int dpp_row_newbcast(int n) { return counted(0x150, n, 0, "row_newbcast"); }

bool dpp_control_exists(int control) {
  if (control >= 0 && control <= 0xFF) return true;
  const int kind = control & ~15;
  if (kind == 0x100 || kind == 0x110 || kind == 0x120) return (control & 15) != 0;
  if (kind == 0x150) return true;
  switch (control) {
  case dpp_wave_shl:
  case dpp_wave_rol:
  case dpp_wave_shr:
  case dpp_wave_ror:
  case dpp_row_mirror:
  case dpp_row_half_mirror:
  case dpp_row_bcast15:
  case dpp_row_bcast31: return true;
  default: return false;
  }
}

bool dpp_control_for_64_bits(int control) { return (control & ~15) == 0x150; }

std::string dpp_control_name(int control) {
  if (!dpp_control_exists(control)) throw Error("DPP_CTRL {:#x} does not exist", control);
  if (control <= 0xFF)
    return fmt::format("quad_perm:[{},{},{},{}]", control & 3, control >> 2 & 3, control >> 4 & 3,
                       control >> 6);
  switch (control & ~15) {
  case 0x100: return fmt::format("row_shl:{}", control & 15);
  case 0x110: return fmt::format("row_shr:{}", control & 15);
  case 0x120: return fmt::format("row_ror:{}", control & 15);
  case 0x150: return fmt::format("row_newbcast:{}", control & 15);
  default: break;
  }
  switch (control) {
  case dpp_wave_shl: return "wave_shl:1";
  case dpp_wave_rol: return "wave_rol:1";
  case dpp_wave_shr: return "wave_shr:1";
  case dpp_wave_ror: return "wave_ror:1";
  case dpp_row_mirror: return "row_mirror";
  case dpp_row_half_mirror: return "row_half_mirror";
  case dpp_row_bcast15: return "row_bcast:15";
  default: return "row_bcast:31";
  }
}

std::optional<int> dpp_source_lane(int control, int lane) {
  if (!dpp_control_exists(control)) throw Error("DPP_CTRL {:#x} does not exist", control);
  expect_lane(lane);
  const int in_row = lane % row_lanes, row = lane - in_row;
  const auto within = [](int source, int first, int count) {
    return source >= first && source < first + count ? std::optional(source) : std::nullopt;
  };
  if (control <= 0xFF) return lane - lane % 4 + (control >> 2 * (lane % 4) & 3);
  const int count = control & 15;
  switch (control & ~15) {
  case 0x100: return within(lane + count, row, row_lanes);
  case 0x110: return within(lane - count, row, row_lanes);
  case 0x120: return row + (in_row + row_lanes - count) % row_lanes;
  case 0x150: return row + count;
  default: break;
  }
  switch (control) {
  case dpp_wave_shl: return within(lane + 1, 0, lanes);
  case dpp_wave_rol: return (lane + 1) % lanes;
  case dpp_wave_shr: return within(lane - 1, 0, lanes);
  case dpp_wave_ror: return (lane + lanes - 1) % lanes;
  case dpp_row_mirror: return row + row_lanes - 1 - in_row;
  case dpp_row_half_mirror: return lane - lane % 8 + 7 - lane % 8;
  case dpp_row_bcast15: return within(row - 1, 0, lanes);
  default: return lane >= 32 ? std::optional(31) : std::nullopt; // row_bcast:31
  }
}

LaneSource dpp_source(const Dpp& dpp, int to, std::uint64_t exec) {
  const std::optional<int> from = dpp_source_lane(dpp.control, to);
  const bool enabled = active(exec, to) && (dpp.row_mask >> to / row_lanes & 1) != 0 &&
                       (dpp.bank_mask >> to % row_lanes / 4 & 1) != 0;
  if (!enabled) return {kept};
  if (from && active(exec, *from)) return {lane, *from};
  if (dpp.bound_control) return {zero, 0, false};
  return {kept, 0, !from};
}

// ---- LDS permutes
// --------------------------------------------------------------------------------------------------

LaneSources ds_bpermute(std::span<const std::uint32_t, 64> addresses, std::uint32_t offset,
                        std::uint64_t exec) {
  LaneSources sources;
  for (int to = 0; to < lanes; ++to) {
    const int from = static_cast<int>((addresses[index(to)] + offset) / 4 % lanes);
    sources[index(to)] = !active(exec, to)    ? LaneSource{kept}
                         : active(exec, from) ? LaneSource{lane, from}
                                              : LaneSource{zero};
  }
  return sources;
}

LaneSources ds_permute(std::span<const std::uint32_t, 64> addresses, std::uint32_t offset,
                       std::uint64_t exec) {
  LaneSources sources;
  sources.fill({zero});
  for (int from = 0; from < lanes; ++from) {
    if (!active(exec, from)) continue;
    LaneSource& to = sources[(addresses[index(from)] + offset) / 4 % lanes];
    to = {lane, from, to.what == zero};
  }
  for (int to = 0; to < lanes; ++to)
    if (!active(exec, to)) sources[index(to)] = {kept};
  return sources;
}

int ds_swizzle_source_lane(int offset, int lane) {
  if (offset < 0 || offset > 0xFFFF) throw Error("DS_SWIZZLE offset {:#x}: expected 0 to 0xFFFF", offset);
  expect_lane(lane);
  const int half = lane & 32, i = lane & 31;
  const int mask = offset & 31, middle = offset >> 5 & 31, upper = offset >> 10 & 31;
  if (offset >= 0xE000) { // FFT
    const int ones = std::popcount(static_cast<unsigned>(mask));
    return half | reverse_5_bits(i) >> ones | (i & mask);
  }
  if (offset >= 0xC000) { // rotation
    const int by = (upper & 1) != 0 ? -middle : middle;
    return half | (((i & mask) | ((i + by) & ~mask)) & 31);
  }
  if (offset >= 0x8000) return lane - lane % 4 + (offset >> 2 * (lane % 4) & 3);
  return half | (((i & mask) | middle) ^ upper);
}

LaneSources ds_swizzle(int offset, std::uint64_t exec) {
  LaneSources sources;
  for (int to = 0; to < lanes; ++to) {
    const int from = ds_swizzle_source_lane(offset, to);
    sources[index(to)] = !active(exec, to)    ? LaneSource{kept}
                         : active(exec, from) ? LaneSource{lane, from}
                                              : LaneSource{zero};
  }
  return sources;
}

// ---- Scalar reads
// --------------------------------------------------------------------------------------------------

int readlane_source(std::uint32_t select) { return static_cast<int>(select % lanes); }

int readfirstlane_source(std::uint64_t exec) { return exec == 0 ? 0 : std::countr_zero(exec); }

// ---- Swaps
// ---------------------------------------------------------------------------------------------------------

SwapSource permlane_swap_source(int rows, SwapOperand operand, int lane) {
  if (rows != 16 && rows != 32) throw Error("swap of {} lanes: expected 16 or 32", rows);
  expect_lane(lane);
  const bool upper = lane / rows % 2 != 0;
  if (operand == SwapOperand::vdst)
    return upper ? SwapSource{SwapOperand::vsrc, lane - rows} : SwapSource{operand, lane};
  return upper ? SwapSource{operand, lane} : SwapSource{SwapOperand::vdst, lane + rows};
}

} // namespace cts::reference
