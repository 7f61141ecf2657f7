// Floating-point formats of 16 bits and fewer that conversion instructions read and write.
#pragma once

#include "common/target.hpp"

#include <cstdint>
#include <optional>

namespace cts::emulator {

/// One format: sign, exponent and mantissa from the top, and what its highest codes mean.
struct SmallFloat {
  enum class Specials : std::uint8_t {
    none, ///< every code is a number: FP6, BF6, FP4
    fnuz, ///< 0x80 is NaN, there is no -0 and no infinity: FP8 and BF8 of gfx942
    fn,   ///< all ones is NaN, no infinity: FP8 of gfx950
    ieee, ///< infinities and NaNs: BF8 of gfx950, BF16, FP16
  };
  unsigned exponent, mantissa; ///< bits
  int bias;
  Specials specials;

  constexpr unsigned bits() const { return 1 + exponent + mantissa; }
};

namespace small {
inline constexpr SmallFloat fp8_fnuz{4, 3, 8, SmallFloat::Specials::fnuz},
    bf8_fnuz{5, 2, 16, SmallFloat::Specials::fnuz}, fp8_ocp{4, 3, 7, SmallFloat::Specials::fn},
    bf8_ocp{5, 2, 15, SmallFloat::Specials::ieee}, fp6{2, 3, 1, SmallFloat::Specials::none},
    bf6{3, 2, 3, SmallFloat::Specials::none}, fp4{2, 1, 1, SmallFloat::Specials::none},
    fp16{5, 10, 15, SmallFloat::Specials::ieee}, bf16{8, 7, 127, SmallFloat::Specials::ieee};
} // namespace small

/// FP8 and BF8 are FNUZ on gfx942 and OCP on gfx950. [CDNA3 ISA 7.2; CDNA4 ISA 7.3]
constexpr const SmallFloat& fp8(Target target) {
  return target == Target::gfx942 ? small::fp8_fnuz : small::fp8_ocp;
}
constexpr const SmallFloat& bf8(Target target) {
  return target == Target::gfx942 ? small::bf8_fnuz : small::bf8_ocp;
}

/// The value of a code, exactly; bits above the format's are ignored.
double decode(const SmallFloat& format, std::uint32_t code);

/// The code of `value`. Without `random`: nearest even. With it: stochastic, the top bits of `random` (as
/// many as a float has mantissa bits more than the format) are added below the last kept bit, and the sum is
/// truncated. What rounds beyond the largest number is that number when `saturate` (MODE.FP16_OVFL) or where
/// the format has nothing else, otherwise infinity or NaN. A NaN that the format cannot hold is the largest
/// number.
std::uint32_t encode(const SmallFloat& format, double value, std::optional<std::uint32_t> random,
                     bool saturate);

} // namespace cts::emulator
