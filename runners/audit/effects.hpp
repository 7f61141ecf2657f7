// What an instruction does that some rule asks about: registers read and written, counters, and its place in
// the tables.
#pragma once

#include "reference/wait_states.hpp"
#include "runners/codeobject/code_object.hpp"
#include "runners/emulator/op.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cts::audit {

/// Facts that follow from the mnemonic and, where noted, from modifiers and encoding.
enum class Trait : std::uint8_t {
  valu,            ///< vector ALU, MFMA included
  mfma,            ///< MFMA or SMFMAC
  dot,             ///< a dot product ("DL op")
  trans,           ///< transcendental, Table 12
  salu,            ///< scalar ALU
  vmem,            ///< buffer, global, scratch and flat
  flat,            ///< flat only
  lds,             ///< DS, permutes included
  smem,            ///< scalar memory
  dpp,             ///< takes a source from other lanes by DPP
  moves_result,    ///< SDWA or OPSEL puts the result elsewhere than at the register's low end
  writes_low_part, ///< SDWA writes the low byte or half of the register
  narrow_convert,  ///< F32 to FP8 or BF8
  cmpx,            ///< V_CMPX
  readlane,        ///< V_READLANE
  readfirstlane,   ///< V_READFIRSTLANE
  writelane,       ///< V_WRITELANE
  permlane,        ///< V_PERMLANE*
  div_fmas,        ///< V_DIV_FMAS
  reads_z_flags,   ///< VCCZ or EXECZ as a data source
  wide_store,      ///< store or compare-and-swap of more than 64 bits that Table 11 names
  setreg,          ///< S_SETREG
  getreg,          ///< S_GETREG
  setvskip,        ///< S_SETVSKIP
  rfe,             ///< S_RFE and S_RFE_RESTORE
  sendmsg,         ///< S_SENDMSG, S_SENDMSGHALT
  gds,             ///< global data share
  movrel,          ///< S_MOVREL*
  lds_add_tid,     ///< DS_*_ADDTID
  lds_dma,         ///< a load whose data go to LDS
  lds_read,        ///< DS that reads LDS
  lds_write,       ///< DS that writes LDS
  transpose_read,  ///< DS_READ_*_TR_*
  barrier,         ///< S_BARRIER
  wait,            ///< S_WAITCNT
  branch,          ///< S_BRANCH, S_CBRANCH_*
  conditional,     ///< a branch that may fall through
  end,             ///< S_ENDPGM*
  set_pc,          ///< S_SETPC
  call,            ///< S_SWAPPC, S_CALL
  no_instruction,  ///< not decoded for the target
  count
};

class Traits {
public:
  bool has(Trait t) const { return (bits_ >> static_cast<unsigned>(t) & 1) != 0; }
  void add(Trait t, bool really = true) {
    if (really) bits_ |= std::uint64_t{1} << static_cast<unsigned>(t);
  }

private:
  std::uint64_t bits_ = 0;
};
static_assert(static_cast<unsigned>(Trait::count) <= 64);

using emulator::Role;
using emulator::ScalarAccess;
using emulator::VectorAccess;

/// A matrix instruction in the tables' terms.
struct MatrixFacts {
  const reference::Instruction* row = nullptr;
  int passes = 0;
};

struct Effects {
  const codeobject::Instruction* instruction = nullptr;
  Traits traits;
  std::string_view base; ///< mnemonic without encoding suffix
  unsigned wait_states = 1;
  std::uint32_t simm16 = 0;       ///< low half of the first word
  unsigned hardware_register = 0; ///< of S_SETREG and S_GETREG
  MatrixFacts matrix;
  std::vector<VectorAccess> reads, writes;
  std::vector<ScalarAccess> scalar_reads, scalar_writes;
  std::vector<ScalarAccess> constants; ///< scalars that a VALU op reads as data: no carries, no lane selects
  std::vector<ScalarAccess>
      carries; ///< scalars that a VALU op takes a bit a lane from: carry-in, V_CNDMASK's mask
  std::vector<ScalarAccess> lane_selects; ///< of V_READLANE and V_WRITELANE
  VectorAccess dot_c;                     ///< a dot product's C
  std::vector<VectorAccess> dot_ab;       ///< its A and B
  std::uint32_t first_rows = 0,
                second_rows = 0; ///< rows of reference::software_waits() that it may be first or second of
  unsigned horizon = 0;          ///< wait states after which nothing has to wait for it any more
  bool by_order = false; ///< registers guessed from the operands' order, as nothing else is known of it

  bool is(Trait t) const { return traits.has(t); }
};

/// The effects of each instruction of `code`, which must outlive them.
std::vector<Effects> effects_of(std::span<const codeobject::Instruction> code, Target target);

/// The VGPRs or AccVGPRs that an operand names, if it names any.
std::optional<VectorAccess> vector_access(const codeobject::Operand& operand);

/// Whether the two have a register in common.
inline bool overlap(const VectorAccess& a, const VectorAccess& b) {
  return a.first < b.first + b.count && b.first < a.first + a.count;
}
inline bool overlap(const ScalarAccess& a, const ScalarAccess& b) {
  return a.first < b.first + b.count && b.first < a.first + a.count;
}
template <typename Access> bool overlap(const std::vector<Access>& a, const std::vector<Access>& b) {
  for (const Access& x : a)
    for (const Access& y : b)
      if (overlap(x, y)) return true;
  return false;
}

} // namespace cts::audit
