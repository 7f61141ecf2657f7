#include "runners/emulator/lanes.hpp"

#include "runners/emulator/fault.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace cts::emulator {
namespace {

/// Lane that DPP gives to lane `n`, or -1 where the pattern has none. [CDNA3 ISA 13.3.9, DPP_CTRL
/// enumeration]
int dpp_lane(unsigned control, unsigned n) {
  const unsigned row = n & ~15u, at = n & 15u, count = control & 15u;
  const auto lane = [](unsigned l) { return static_cast<int>(l); };
  if (control >> 4 == 0x10 && planted(Fault::dpp_row_shl_as_shr)) control += 0x10;
  if (control <= 0xff) return lane((n & ~3u) + (control >> (n % 4 * 2) & 3u));
  if (control >= 0x101 && control <= 0x10f) return at + count < 16 ? lane(n + count) : -1;
  if (control >= 0x111 && control <= 0x11f) return at >= count ? lane(n - count) : -1;
  if (control >= 0x121 && control <= 0x12f) return lane(row + (at + 16 - count) % 16);
  if (control >= 0x150 && control <= 0x15f) return lane(row + count);
  switch (control) {
  case 0x130: return n < 63 ? lane(n + 1) : -1;
  case 0x134: return lane((n + 1) % 64);
  case 0x138: return n > 0 ? lane(n - 1) : -1;
  case 0x13c: return lane((n + 63) % 64);
  case 0x140: return lane(row + 15 - at);
  case 0x141: return lane((n & ~7u) + 7 - (n & 7u));
  case 0x142: return n > 15 ? lane(row - 1) : -1;
  case 0x143: return n > 31 ? 31 : -1;
  default: return -2; // reserved
  }
}

/// Source lane of each lane, -1 where it is none or not active: such lanes read 0, or are not written.
std::array<int, lanes> dpp_sources(const Exec& x, const Op& op) {
  std::array<int, lanes> from{};
  const LaneMask active = x.w.exec();
  for (unsigned n = 0; n < lanes; ++n) {
    const int l = dpp_lane(op.mods.dpp_ctrl, n);
    if (l == -2) stop(x, op, Stop::Kind::unsupported, -1, "this DPP control is reserved");
    from[n] = l >= 0 && (active >> l & 1) != 0 ? l : -1;
  }
  return from;
}

template <typename T> void move_by_dpp(const Exec& x, const Op& op, Lanes<T>& value) {
  const auto from = dpp_sources(x, op);
  const Lanes<T> old = value;
  for (unsigned n = 0; n < lanes; ++n) value[n] = from[n] < 0 ? T{0} : old[static_cast<unsigned>(from[n])];
}

/// First bit and width of an SDWA selection. [CDNA3 ISA 13.3.7]
struct Field {
  unsigned shift, width;
};
Field sdwa_field(unsigned select) {
  if (select < 4) return {select * 8, 8};
  if (select < 6) return {(select - 4) * 16, 16};
  return {0, 32};
}

void select_by_sdwa(unsigned select, bool sext, Lanes<std::uint32_t>& value) {
  const Field f = sdwa_field(select);
  const unsigned up = 32 - f.width - f.shift, down = 32 - f.width;
  if (sext)
    for (unsigned l = 0; l < lanes; ++l)
      value[l] = static_cast<std::uint32_t>(static_cast<std::int32_t>(value[l] << up) >> down);
  else
    for (unsigned l = 0; l < lanes; ++l) value[l] = value[l] << up >> down;
}

/// Lane masks of 8 lanes, all ones where the lane's bit is set.
struct ByteMasks {
  alignas(32) std::uint32_t of[256][8];
};
constexpr ByteMasks make_byte_masks() {
  ByteMasks m{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned l = 0; l < 8; ++l) m.of[byte][l] = (byte >> l & 1) != 0 ? ~0u : 0u;
  return m;
}
constexpr ByteMasks byte_masks = make_byte_masks();

void blend(std::uint32_t* to, const std::uint32_t* value, LaneMask mask) {
  if (mask == ~LaneMask{0}) {
    std::memcpy(to, value, lanes * sizeof(std::uint32_t));
    return;
  }
  for (unsigned part = 0; part < 8; ++part) {
    const auto& m = byte_masks.of[mask >> (part * 8) & 255];
    for (unsigned l = 0; l < 8; ++l) {
      const unsigned at = part * 8 + l;
      to[at] = (to[at] & ~m[l]) | (value[at] & m[l]);
    }
  }
}

unsigned destination(const Exec& x, const Op& op) { return vector_index(x, op, op.dst[0], 3); }

bool in_high_half(const Op& op) { return selects_high(op, destination_select); }

static_assert(std::endian::native == std::endian::little);

} // namespace

std::uint32_t scalar32(const Exec& x, const Source& s) {
  switch (s.kind) {
  case Source::Kind::scalar: return x.w.sgpr[s.first];
  case Source::Kind::constant: return s.bits32;
  case Source::Kind::scc: return x.w.scc;
  case Source::Kind::vccz: return (x.w.pair(sreg::vcc) == 0) != x.w.stale_flags;
  case Source::Kind::execz: return (x.w.exec() == 0) != x.w.stale_flags;
  default: return static_cast<std::uint32_t>(scalar64(x, s));
  }
}

std::uint64_t scalar64(const Exec& x, const Source& s) {
  switch (s.kind) {
  case Source::Kind::scalar: return x.w.pair(s.first);
  case Source::Kind::constant: return s.bits64;
  // The apertures are 64-bit values whose low half is 0 (of a limit: all ones).
  case Source::Kind::shared_base: return shared_base;
  case Source::Kind::shared_limit: return shared_base + aperture_bytes - 1;
  case Source::Kind::private_base: return private_base;
  case Source::Kind::private_limit: return private_base + aperture_bytes - 1;
  case Source::Kind::scc:
  case Source::Kind::vccz:
  case Source::Kind::execz: return scalar32(x, s);
  case Source::Kind::none:
  case Source::Kind::vector: break;
  }
  return 0;
}

unsigned vector_index(const Exec& x, const Op& op, const Source& s, unsigned enable) {
  if ((x.w.mode & mode_gpr_idx_en) == 0) [[likely]]
    return s.first;
  const std::uint32_t m0 = x.w.sgpr[sreg::m0];
  if ((m0 >> (12 + enable) & 1) == 0) return s.first;
  const unsigned index = s.first + (m0 & 255);
  const bool accumulation = s.first >= first_agpr;
  const unsigned base = accumulation ? first_agpr : 0,
                 allocated = accumulation ? x.w.allocated_agprs : x.w.allocated_vgprs;
  if (index + s.count > base + allocated)
    stop(x, op, Stop::Kind::bad_code, -1,
         fmt::format("VGPR indexing reaches {}{}, the wave has {} {}", accumulation ? 'a' : 'v',
                     index + s.count - 1 - base, allocated, accumulation ? "AGPRs" : "VGPRs"));
  return index;
}

Lanes<std::uint32_t> source_bits32(const Exec& x, const Op& op, unsigned i) {
  const Source& s = op.src[i];
  Lanes<std::uint32_t> value;
  if (s.kind == Source::Kind::vector)
    std::memcpy(value.lane, x.w.vgpr[vector_index(x, op, s, i)], sizeof value.lane);
  else {
    const std::uint32_t all = scalar32(x, s);
    for (unsigned l = 0; l < lanes; ++l) value[l] = all;
  }
  if (op.mods.lane == Modifiers::Lane::none) return value;
  if (op.mods.lane == Modifiers::Lane::dpp) {
    if (i == 0) move_by_dpp(x, op, value);
  } else if (i < 2)
    select_by_sdwa(op.mods.src_sel[i], s.sext, value);
  return value;
}

Lanes<std::uint64_t> source_bits64(const Exec& x, const Op& op, unsigned i, bool is_float) {
  const Source& s = op.src[i];
  Lanes<std::uint64_t> value;
  if (s.kind == Source::Kind::vector) {
    const unsigned first = vector_index(x, op, s, i);
    const auto& low = x.w.vgpr[first];
    const auto& high = x.w.vgpr[first + 1];
    for (unsigned l = 0; l < lanes; ++l) value[l] = low[l] | static_cast<std::uint64_t>(high[l]) << 32;
  } else {
    const std::uint64_t all = s.kind == Source::Kind::constant && is_float ? s.bits_f64 : scalar64(x, s);
    for (unsigned l = 0; l < lanes; ++l) value[l] = all;
  }
  if (op.mods.lane == Modifiers::Lane::dpp && i == 0) move_by_dpp(x, op, value);
  return value;
}

Lanes<std::uint16_t> source_bits16(const Exec& x, const Op& op, unsigned i, bool high) {
  const Source& s = op.src[i];
  Lanes<std::uint16_t> value;
  if (s.kind == Source::Kind::constant) {
    // A float constant has nothing above its 16 bits; an integer has its sign.
    const std::uint32_t whole = static_cast<std::uint16_t>(s.bits32) == s.bits16 ? s.bits32 : s.bits16;
    const auto all = static_cast<std::uint16_t>(high ? whole >> 16 : whole);
    for (unsigned l = 0; l < lanes; ++l) value[l] = all;
    return value;
  }
  const Lanes<std::uint32_t> whole = source_bits32(x, op, i);
  const unsigned shift = high ? 16 : 0;
  for (unsigned l = 0; l < lanes; ++l) value[l] = static_cast<std::uint16_t>(whole[l] >> shift);
  return value;
}

Lanes<std::uint32_t> result_bits32(const Exec& x, const Op& op) {
  Lanes<std::uint32_t> value;
  std::memcpy(value.lane, x.w.vgpr[destination(x, op)], sizeof value.lane);
  return value;
}

Lanes<std::uint64_t> result_bits64(const Exec& x, const Op& op) {
  const unsigned first = destination(x, op);
  Lanes<std::uint64_t> value;
  for (unsigned l = 0; l < lanes; ++l)
    value[l] = x.w.vgpr[first][l] | static_cast<std::uint64_t>(x.w.vgpr[first + 1][l]) << 32;
  return value;
}

LaneMask written_lanes(const Exec& x, const Op& op) {
  LaneMask mask = x.w.exec();
  if (op.mods.lane != Modifiers::Lane::dpp) return mask;
  if (planted(Fault::dpp_exec_ignored)) mask = ~LaneMask{0};
  const auto from = dpp_sources(x, op);
  for (unsigned n = 0; n < lanes; ++n) {
    const bool bank = (op.mods.bank_mask >> (n % 16 / 4) & 1) != 0 || planted(Fault::dpp_bank_mask_ignored);
    const bool row = (op.mods.row_mask >> (n / 16) & 1) != 0 || planted(Fault::dpp_row_mask_ignored);
    const bool bound = op.mods.bound_ctrl || planted(Fault::dpp_bound_ctrl_ignored);
    if (!row || !bank || (from[n] < 0 && !bound)) mask &= ~(LaneMask{1} << n);
  }
  return mask;
}

void write(Exec& x, const Op& op, const Lanes<std::uint32_t>& value) {
  auto& to = x.w.vgpr[destination(x, op)];
  if (op.mods.lane != Modifiers::Lane::sdwa || op.mods.dst_sel == 6) {
    blend(to, value.lane, written_lanes(x, op));
    return;
  }
  const Field f = sdwa_field(op.mods.dst_sel);
  const std::uint32_t field = (f.width == 32 ? ~0u : (1u << f.width) - 1) << f.shift;
  Lanes<std::uint32_t> placed;
  for (unsigned l = 0; l < lanes; ++l) {
    const std::uint32_t part = value[l] << f.shift & field;
    const auto extended =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(value[l] << (32 - f.width)) >> (32 - f.width));
    switch (op.mods.dst_unused) {
    case 1: placed[l] = extended << f.shift; break;
    case 2: placed[l] = (to[l] & ~field) | part; break;
    default: placed[l] = part; break;
    }
  }
  blend(to, placed.lane, x.w.exec());
}

void write(Exec& x, const Op& op, const Lanes<std::uint64_t>& value) {
  Lanes<std::uint32_t> halves[2];
  for (unsigned l = 0; l < lanes; ++l) {
    halves[0][l] = static_cast<std::uint32_t>(value[l]);
    halves[1][l] = static_cast<std::uint32_t>(value[l] >> 32);
  }
  write_registers(x, op, halves, 2);
}

void write_half(Exec& x, const Op& op, const Lanes<std::uint16_t>& value, OtherHalf other) {
  Lanes<std::uint32_t> whole;
  if (op.mods.lane == Modifiers::Lane::sdwa || (!in_high_half(op) && other == OtherHalf::zero)) {
    for (unsigned l = 0; l < lanes; ++l) whole[l] = value[l];
    write(x, op, whole);
    return;
  }
  const Lanes<std::uint32_t> old = result_bits32(x, op);
  if (in_high_half(op))
    for (unsigned l = 0; l < lanes; ++l)
      whole[l] = (old[l] & 0xffffu) | static_cast<std::uint32_t>(value[l]) << 16;
  else
    for (unsigned l = 0; l < lanes; ++l) whole[l] = (old[l] & 0xffff0000u) | value[l];
  blend(x.w.vgpr[destination(x, op)], whole.lane, written_lanes(x, op));
}

void write_registers(Exec& x, const Op& op, const Lanes<std::uint32_t>* registers, unsigned count) {
  const unsigned first = destination(x, op);
  const LaneMask mask = written_lanes(x, op);
  for (unsigned r = 0; r < count; ++r) blend(x.w.vgpr[first + r], registers[r].lane, mask);
}

void write_mask(Exec& x, const Op& op, unsigned result, LaneMask bits) {
  x.w.set_pair(op.dst[result].first, bits & x.w.exec());
}

LaneMask pack(const Lanes<bool>& flags) {
  LaneMask mask = 0;
  for (unsigned part = 0; part < 8; ++part) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, flags.lane + part * 8, 8);
    // Byte i times 2^(56 - 7i) is bit 56 + i; no two products meet.
    mask |= (bytes * 0x0102040810204080ull >> 56) << (part * 8);
  }
  return mask;
}

} // namespace cts::emulator
