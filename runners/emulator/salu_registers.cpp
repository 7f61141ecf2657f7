// S_GETREG and S_SETREG: what a wave can see of the hardware's own registers. [CDNA3
// ISA 3.4, 3.5, 3.10, 3.12, 5.8]
#include "runners/emulator/journal.hpp"
#include "runners/emulator/salu.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cts::emulator {
namespace {

/// A field of a hardware register. [CDNA3 ISA 5.8: simm16 = {size - 1, offset, register}]
struct Field {
  unsigned id, offset, mask;
  explicit Field(const Op& op) : id(op.simm16 & 63), offset(op.simm16 >> 6 & 31) {
    const unsigned size = (op.simm16 >> 11 & 31) + 1;
    mask = size == 32 ? ~0u : (1u << size) - 1;
  }
};

/// Register numbers. [CDNA3 ISA, table "Hardware Register Values"; LLVM AMDGPU, hwreg names of gfx942]
namespace hwreg {
inline constexpr unsigned mode = 1, status = 2, trapsts = 3, hw_id = 4, gpr_alloc = 5, lds_alloc = 6,
                          ib_sts = 7, sh_mem_bases = 15, tba_lo = 16, tma_hi = 19, xcc_id = 20;
}

/// Bits of MODE that make floating-point exceptions trap.
constexpr std::uint32_t exception_enables = 0x1ff000;

std::uint32_t status_register(const Exec& x) {
  const Wave& w = x.w;
  const auto bit = [](unsigned at, bool set) { return set ? 1u << at : 0u; };
  return w.scc | bit(6, true) | bit(9, w.exec() == 0) | bit(10, w.pair(sreg::vcc) == 0) |
         bit(11, x.group.waves.size() > 1) | bit(16, true) | bit(28, w.scratch_bytes > 0) |
         bit(31, w.outstanding.empty());
}

/// {sgpr_size, accv_off, vgpr_size}: counts of registers in units of 16, 4 and 4.
std::uint32_t gpr_alloc(const Exec& x) {
  const auto units = [](unsigned count, unsigned unit) { return (std::max(count, 1u) + unit - 1) / unit; };
  const unsigned vgprs = units(x.w.allocated_vgprs, 4);
  return (vgprs - 1) << 6 | (x.w.allocated_agprs == 0 ? 0 : vgprs) << 12 |
         (units(x.launch.kernel->sgpr_count, 16) - 1) << 24;
}

/// LDS_SIZE in units of 64 dwords, of whole allocation blocks: 512 bytes on CDNA 3, 1280 on CDNA 4.
/// [CDNA3 ISA 3.6.5, CDNA4 ISA 3.6.5]
std::uint32_t lds_alloc(const Exec& x) {
  const std::size_t block = x.launch.target == Target::gfx942 ? 512 : 1280;
  return static_cast<std::uint32_t>((x.group.lds.size() + block - 1) / block * block / 256) << 12;
}

std::uint32_t ib_sts(const Exec& x) {
  const unsigned vm = x.w.outstanding.vm(), lgkm = x.w.outstanding.lgkm();
  return (vm & 15) | (vm >> 4) << 22 | lgkm << 8;
}

/// MODE as S_GETREG finds it: VSKIP is what it was within two wait states of its change. [CDNA3 ISA 4.5,
/// Table 11]
std::uint32_t mode_register(const Exec& x, const Op& op) {
  const Wave& w = x.w;
  if (w.vskip_changed == 0 || w.clock >= w.vskip_changed + 2) return w.mode;
  x.launch.journal->add(x, op,
                        {.rule = "vskip-to-getreg",
                         .source = "CDNA3 and CDNA4 ISA 4.5, Table 11",
                         .needed = 2,
                         .have = static_cast<unsigned>(w.clock - w.vskip_changed)});
  return (w.mode & ~mode::vskip) | (w.was_vskip ? mode::vskip : 0);
}

void set_mode(Wave& w, std::uint32_t value) {
  if (((w.mode ^ value) & mode::vskip) != 0) {
    w.was_vskip = (w.mode & mode::vskip) != 0;
    w.vskip_changed = w.clock + 1;
  }
  w.mode = value;
}

std::uint32_t hardware_register(const Exec& x, const Op& op, unsigned id) {
  switch (id) {
  case hwreg::mode: return mode_register(x, op);
  case hwreg::status: return status_register(x);
  case hwreg::hw_id: return x.w.index & 15; // wave slot; every wave runs on SIMD 0 of CU 0
  case hwreg::gpr_alloc: return gpr_alloc(x);
  case hwreg::lds_alloc: return lds_alloc(x);
  case hwreg::ib_sts: return ib_sts(x);
  case hwreg::sh_mem_bases: // bits 63:48 of the apertures
    return static_cast<std::uint32_t>(private_base >> 48 | shared_base >> 48 << 16);
  case hwreg::trapsts: return 0; // exceptions are not collected
  case hwreg::xcc_id: return 0;
  default: break;
  }
  if (id >= hwreg::tba_lo && id <= hwreg::tma_hi) return 0; // no trap handler
  stop(x, op, Stop::Kind::unsupported, -1, fmt::format("hardware register {} is not modelled", id));
}

void get_register(Exec& x, const Op& op) {
  const Field f(op);
  set_scalar(x, op, hardware_register(x, op, f.id) >> f.offset & f.mask);
}

/// Writes MODE; a write to TRAPSTS clears exceptions, of which there are none; the others are read only.
void set_register(Exec& x, const Op& op) {
  const Field f(op);
  if (f.id == hwreg::trapsts) return;
  if (f.id != hwreg::mode)
    stop(x, op, Stop::Kind::unsupported, -1, fmt::format("hardware register {} is read only", f.id));
  const std::uint32_t value = scalar32(x, op.src[op.sources - 1u]);
  const std::uint32_t value_of_mode = (x.w.mode & ~(f.mask << f.offset)) | (value & f.mask) << f.offset;
  if ((value_of_mode & exception_enables & ~x.w.mode) != 0)
    stop(x, op, Stop::Kind::unsupported, -1, "floating-point exceptions do not trap here");
  set_mode(x.w, value_of_mode);
}

/// VSKIP = S0[S1]. [CDNA3 ISA 12.3, S_SETVSKIP]
void set_vskip(Exec& x, const Op& op) {
  const bool skip = (scalar32(x, op.src[0]) >> (scalar32(x, op.src[1]) & 31) & 1) != 0;
  set_mode(x.w, (x.w.mode & ~mode::vskip) | (skip ? mode::vskip : 0));
}

} // namespace

std::vector<Semantics> salu_registers() {
  return {
      {"s_getreg_b32", get_register, Unit::salu, 1},
      {"s_setreg_b32", set_register, Unit::salu, 0},
      {"s_setreg_imm32_b32", set_register, Unit::salu, 0},
      {"s_setvskip", set_vskip, Unit::salu, 0},
  };
}

} // namespace cts::emulator
