// MODE's floating-point fields as an instruction sees them, and the host's rounding while it computes.
#pragma once

#include "runners/emulator/float_bits.hpp"
#include "runners/emulator/wave.hpp"

#include <cfenv>

namespace cts::emulator {

/// Round and denormal modes of format T. [CDNA3 ISA 3.5, 6.4: one pair of fields for f32, one for f64 and
/// f16]
struct FloatMode {
  Round round = Round::nearest_even;
  bool keep_inputs = true;  ///< denormal inputs are not flushed
  bool keep_outputs = true; ///< denormal results are not flushed
  bool ieee = true, dx10_clamp = true, fp16_ovfl = false;
};

template <typename T> FloatMode float_mode(const Wave& w) {
  constexpr unsigned shift = std::is_same_v<T, float> ? 0 : 2;
  const unsigned round = w.mode >> shift & 3, denormal = w.mode >> (4 + shift) & 3;
  return {.round = static_cast<Round>(round),
          .keep_inputs = (denormal & 1) != 0,
          .keep_outputs = (denormal & 2) != 0,
          .ieee = (w.mode & mode::ieee) != 0,
          .dx10_clamp = (w.mode & mode::dx10_clamp) != 0,
          .fp16_ovfl = (w.mode & mode::fp16_ovfl) != 0};
}

/// The host rounds as `round` while this lives. Costs nothing for nearest even.
class RoundingScope {
public:
  explicit RoundingScope(Round round) : changed_(round != Round::nearest_even) {
    if (!changed_) return;
    std::fesetround(round == Round::up ? FE_UPWARD : round == Round::down ? FE_DOWNWARD : FE_TOWARDZERO);
  }
  ~RoundingScope() {
    if (changed_) std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

private:
  bool changed_;
};

} // namespace cts::emulator
