// Software wait states: an MFMA's result, and a few VALU results, may not be used before a number of issue slots.
// Nothing in hardware stalls for these; the emulator shows poison to a program that is too early.
#pragma once

#include "common/target.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace cts::emulator {

struct Op;
struct Exec;

/// A rule that an op breaks at its issue.
struct HazardHit {
  const char* rule = "";      ///< stable name
  const char* source = "";    ///< document and section
  const Op* producer = nullptr;
  unsigned needed = 0, have = 0; ///< wait states
  std::uint16_t first = 0, count = 0; ///< vector registers concerned
  enum class Effect : std::uint8_t {
    read_poison,    ///< the op reads poison in these registers
    write_poison,   ///< these registers hold poison after the op
    producer_poison ///< the producer's D holds poison: it was still reading what the op overwrites
  } effect = Effect::read_poison;
};

/// The recent producers of one wave.
class Hazards {
public:
  /// Rules that `op`, issued at `clock`, breaks. Cheap when nothing recent can matter.
  void check(const Op& op, Target target, std::uint64_t clock, std::vector<HazardHit>& hits) const;

  /// Notes `op`, issued at `clock`, as a producer.
  void note(const Op& op, std::uint64_t clock);

  void clear() { used_ = 0; }

private:
  struct Producer {
    const Op* op = nullptr;
    std::uint64_t clock = 0;
  };
  static constexpr unsigned window = 24; ///< no rule reaches further than 20 wait states
  std::array<Producer, window> recent_{};
  unsigned used_ = 0, next_ = 0;
};

} // namespace cts::emulator
