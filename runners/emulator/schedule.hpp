// When memory operations complete, within what the counters allow.
#pragma once

#include <cstdint>

namespace cts::emulator {

struct Schedule {
  enum class Kind : std::uint8_t {
    late,  ///< only when a wait, a full counter or the wave's end forces it (the default)
    eager, ///< at issue
    random ///< any time in between, and waves of a workgroup in any order, from `seed`
  };
  Kind kind = Kind::late;
  std::uint64_t seed = 0;
};

/// $CDNA_CTS_SCHEDULE: "late", "eager", "random" or "random:SEED". Throws Error for anything else.
Schedule read_schedule();

/// The schedule of this process, for launches that ask for none.
inline const Schedule& schedule() {
  static const Schedule chosen = read_schedule();
  return chosen;
}

/// A small generator for scheduling decisions: one a wave, so that runs repeat whatever the host's threads
/// do.
class Dice {
public:
  explicit Dice(std::uint64_t seed = 1) : state_(seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull) {}
  /// Uniform in [0, n), n > 0.
  std::uint32_t below(std::uint32_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>((state_ >> 32) % n);
  }

private:
  std::uint64_t state_;
};

} // namespace cts::emulator
