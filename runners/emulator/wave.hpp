// The state of one wave64: registers, and what is still on its way into them.
#pragma once

#include "runners/emulator/hazards.hpp"
#include "runners/emulator/pending.hpp"
#include "runners/emulator/registers.hpp"
#include "runners/emulator/schedule.hpp"
#include "runners/emulator/shadow.hpp"

#include <cstdint>

namespace cts::emulator {

/// MODE register fields that the emulator honours. [CDNA3 ISA 3.4]
namespace mode {
inline constexpr std::uint32_t round_f32 = 0x3, round_f64_f16 = 0xc, denorm_f32 = 0x30, denorm_f64_f16 = 0xc0,
                               dx10_clamp = 0x100, ieee = 0x200, fp16_ovfl = 1u << 23, vskip = 1u << 28;
}

struct Wave {
  enum class Status : std::uint8_t { ready, at_barrier, ended };

  alignas(64) std::uint32_t vgpr[vector_registers][lanes];
  std::uint32_t sgpr[sreg::count];
  std::uint32_t scc = 0;
  std::uint32_t mode = 0;
  bool was_vskip = false;          ///< MODE.VSKIP before it last changed
  std::uint64_t vskip_changed = 0; ///< clock of that change, plus one; 0: there was none
  bool stale_flags = false;        ///< VCCZ and EXECZ read as what they are not: too early
  std::uint32_t at = 0;            ///< index of the next op in the program
  std::uint64_t clock = 0; ///< wait states issued so far: an ordinary instruction is 1, s_nop n is n + 1
  Status status = Status::ready;
  unsigned index = 0;                ///< wave number in its workgroup
  std::uint64_t issued = 0;          ///< instructions executed
  unsigned allocated_vgprs = 0;      ///< architectural registers the kernel may use, from v0
  unsigned allocated_agprs = 0;      ///< accumulation registers, from a0
  std::vector<std::uint8_t> scratch; ///< private memory, lane after lane; scratch_bytes each
  std::uint32_t scratch_bytes = 0;
  std::vector<std::uint8_t> scratch_shadow; ///< shadow_byte of each byte of scratch
  Shadow shadow;                            ///< which register bytes hold never-written values
  Outstanding outstanding;                  ///< memory operations that have not completed
  Hazards hazards;                          ///< recent producers, for the software wait states
  Dice dice;                                ///< decisions of the random schedule

  LaneMask exec() const { return pair(sreg::exec); }
  void set_exec(LaneMask mask) { set_pair(sreg::exec, mask); }
  std::uint64_t pair(unsigned first) const {
    return sgpr[first] | static_cast<std::uint64_t>(sgpr[first + 1]) << 32;
  }
  void set_pair(unsigned first, std::uint64_t value) {
    sgpr[first] = static_cast<std::uint32_t>(value);
    sgpr[first + 1] = static_cast<std::uint32_t>(value >> 32);
  }
};

} // namespace cts::emulator
