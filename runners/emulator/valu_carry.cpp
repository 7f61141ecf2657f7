// Vector additions and subtractions with carries, and the selection by a mask. [CDNA3 ISA 12.7]
#include "runners/emulator/valu.hpp"

namespace cts::emulator {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr auto sum = [](u64 a, u64 b, u64 carry) { return a + b + carry; };
constexpr auto difference = [](u64 a, u64 b, u64 carry) { return a - b - carry; };
constexpr auto reverse_difference = [](u64 a, u64 b, u64 carry) { return b - a - carry; };

/// F in 64 bits: bit 32 is the carry or borrow out. With clamp a result that carries is the largest (borrows:
/// 0).
template <auto F, bool HasCarryIn, bool Adds> void carrying(Exec& x, const Op& op) {
  const auto a = source<u32>(x, op, 0);
  const auto b = source<u32>(x, op, 1);
  const LaneMask in = HasCarryIn ? scalar64(x, op.src[2]) : 0;
  Lanes<u32> out;
  Lanes<bool> carry;
  for (unsigned l = 0; l < lanes; ++l) {
    const u64 wide = F(u64{a[l]}, u64{b[l]}, in >> l & 1);
    out[l] = static_cast<u32>(wide);
    carry[l] = (wide >> 32 & 1) != 0;
  }
  if (op.mods.clamp)
    for (unsigned l = 0; l < lanes; ++l)
      if (carry[l]) out[l] = Adds ? ~0u : 0u;
  write(x, op, out);
  write_mask(x, op, 1, pack(carry));
}

/// D = mask bit ? S1 : S0.
void select(Exec& x, const Op& op) {
  const auto a = std::bit_cast<Lanes<u32>>(source<float>(x, op, 0));
  const auto b = std::bit_cast<Lanes<u32>>(source<float>(x, op, 1));
  const LaneMask mask = scalar64(x, op.src[2]);
  Lanes<u32> out;
  for (unsigned l = 0; l < lanes; ++l) out[l] = (mask >> l & 1) != 0 ? b[l] : a[l];
  write(x, op, out);
}

} // namespace

std::vector<Semantics> valu_carry() {
  constexpr auto clamped = permit<take::clamp>;
  return {
      {"v_add_co_u32", carrying<sum, false, true>, Unit::valu, 2, clamped},
      {"v_sub_co_u32", carrying<difference, false, false>, Unit::valu, 2, clamped},
      {"v_subrev_co_u32", carrying<reverse_difference, false, false>, Unit::valu, 2, clamped},
      {"v_addc_co_u32", carrying<sum, true, true>, Unit::valu, 2, clamped},
      {"v_subb_co_u32", carrying<difference, true, false>, Unit::valu, 2, clamped},
      {"v_subbrev_co_u32", carrying<reverse_difference, true, false>, Unit::valu, 2, clamped},
      {"v_cndmask_b32", select, Unit::valu, 1, permit<take::negate>},
  };
}

} // namespace cts::emulator
