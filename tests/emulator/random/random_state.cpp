#include "tests/emulator/random/random_state.hpp"

#include <array>

namespace cts::emulator::testing {

std::uint64_t RandomStart::address() {
  if (below(random_, 8) == 0) return random_();
  const std::uint64_t offset = below(random_, 4) == 0 ? below(random_, 64) - 32 : 4 * below(random_, 16);
  return addresses_[below(random_, addresses_.size())] + offset;
}

std::uint32_t RandomStart::word() {
  constexpr std::array<std::uint32_t, 12> special{0x00000000, 0x80000000, 0x00000001, 0x007fffff,
                                                  0x00800000, 0x3f800000, 0x7f7fffff, 0x7f800000,
                                                  0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff};
  switch (below(random_, 4)) {
  case 0: return special[below(random_, special.size())];
  case 1: return static_cast<std::uint32_t>(below(random_, 64));
  case 2: return static_cast<std::uint32_t>(4 * below(random_, 512));
  default: return static_cast<std::uint32_t>(random_());
  }
}

void RandomStart::fill_scalars(Wave& w) {
  for (unsigned reg = 0; reg < 104; reg += 4) {
    if (below(random_, 2) == 0) { // two addresses, or a buffer resource: base, stride, size, format
      w.set_pair(reg, address());
      w.set_pair(reg + 2, address());
      if (below(random_, 2) == 0) {
        w.sgpr[reg + 1] = (w.sgpr[reg + 1] & 0xffff) | static_cast<std::uint32_t>(below(random_, 64)) << 16;
        w.sgpr[reg + 2] = word();
      }
    } else {
      for (unsigned i = 0; i < 4; ++i) w.sgpr[reg + i] = word();
    }
  }
  for (unsigned reg = 104; reg < sreg::exec; ++reg) w.sgpr[reg] = word();
  w.scc = static_cast<std::uint32_t>(below(random_, 2));
  switch (below(random_, 4)) {
  case 0: w.set_exec(0); break;
  case 1: w.set_exec(LaneMask{1} << below(random_, lanes)); break;
  case 2: w.set_exec(~LaneMask{0}); break;
  default: w.set_exec(random_()); break;
  }
  w.mode = static_cast<std::uint32_t>(below(random_, 2) == 0 ? 0x3f0 : random_() & 0x0080'03ff);
}

/// By pairs: addresses of one kind in all lanes, or each lane for itself, or numbers.
void RandomStart::fill_vectors(Wave& w, unsigned first, unsigned count) {
  for (unsigned reg = first; reg + 1 < first + count; reg += 2) {
    const std::uint64_t kind = below(random_, 4), base = address();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::uint64_t value = kind == 0   ? base + 4 * lane
                                  : kind == 1 ? address()
                                              : word() | std::uint64_t{word()} << 32;
      w.vgpr[reg][lane] = static_cast<std::uint32_t>(value);
      w.vgpr[reg + 1][lane] = static_cast<std::uint32_t>(value >> 32);
    }
  }
}

void RandomStart::start(Exec& x) {
  fill_scalars(x.w);
  fill_vectors(x.w, 0, x.w.allocated_vgprs);
  fill_vectors(x.w, first_agpr, x.w.allocated_agprs);
  if (below(random_, 2) == 0) x.w.shadow.define(0, vector_registers, ~LaneMask{0});
}

} // namespace cts::emulator::testing
