// Software wait states: an MFMA's result, and a few VALU results, may not be used before a number of issue
// slots. Nothing in hardware stalls for these; the emulator shows poison to a program that is too early.
#pragma once

#include "common/target.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace cts::emulator {

struct Op;

/// A rule that an op breaks at its issue.
struct HazardHit {
  const char* rule = "";   ///< stable name
  const char* source = ""; ///< document and section
  const Op* producer = nullptr;
  unsigned needed = 0, have = 0;      ///< wait states
  std::uint16_t first = 0, count = 0; ///< vector registers concerned
  enum class Effect : std::uint8_t {
    read_poison,     ///< the op reads poison in these registers
    write_poison,    ///< these registers hold poison after the op
    producer_poison, ///< these registers, the producer's D, hold poison: it was still reading what the op
                     ///< overwrites
    loaded_poison,   ///< the op, a load, brings poison
    stored_poison,   ///< the producer, a store, stores poison: it was still reading what the op overwrites
    stale_flag       ///< the op reads VCCZ or EXECZ as it was
  } effect = Effect::read_poison;
};

/// Whether a SMFMAC reads its index as long as other MFMAs read C, as the tables' "SrcC" says by the letter:
/// $CDNA_CTS_SMFMAC_INDEX is "held". Unset, the row is about C, which is what compilers take it for; code
/// that they made overwrites indices earlier. Throws Error for another value.
bool smfmac_index_is_held();

/// The recent producers of one wave.
class Hazards {
public:
  /// Appends the rules that `op`, issued at `clock` (wait states since the wave began), breaks. Cheap when
  /// nothing recent can matter.
  void check(const Op& op, Target target, std::uint64_t clock, std::vector<HazardHit>& hits) const;

  /// Notes `op`, issued at `clock`, as a producer.
  void note(const Op& op, std::uint64_t clock);

  void clear();

private:
  struct Producer {
    const Op* op = nullptr;
    std::uint64_t clock = 0;
  };
  template <std::size_t N> struct Ring {
    std::array<Producer, N> entries{};
    unsigned next = 0;
    void push(Producer p) {
      entries[next] = p;
      next = next + 1 == N ? 0 : next + 1;
    }
    /// Calls f for each producer at or after `oldest`, newest first.
    template <typename F> void each_since(std::uint64_t oldest, F f) const {
      for (std::size_t n = 0, at = next; n < N; ++n) {
        at = at == 0 ? N - 1 : at - 1;
        if (entries[at].op == nullptr || entries[at].clock < oldest) return;
        f(entries[at]);
      }
    }
  };
  Ring<24> matrix_; // MFMAs: no rule reaches further than 20 wait states
  Ring<6> vector_;  // VALU ops: none further than 5
  void check_stored_data(const Op& op, std::uint64_t clock, std::vector<HazardHit>& hits) const;

  std::uint64_t last_matrix_ = 0; // clock of the newest MFMA, plus one; 0 when there was none
  std::uint64_t last_dot_ = 0;    // the same of the newest dot product
  std::uint64_t last_mask_ = 0;   // the same of the newest VALU op that writes VCC or EXEC
  Producer wide_store_;           // the newest store or compare-and-swap of more than 64 bits
};

} // namespace cts::emulator
