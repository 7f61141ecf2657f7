// Wait states that software must put between two instructions, as the ISA manuals tabulate them, and LLVM
// 22's numbers for the same cases.
//
// A wait state is one issue slot: every instruction between the two counts as one, S_NOP n as n + 1. Matrix
// instructions: ISA3 7.5 Table 37, ISA4 7.6 Table 38; all others: Table 11 of section 4.5 in both. The tables
// are data; a row keeps the words of its source short enough to be found there.
#pragma once

#include "reference/instructions.hpp"

#include <array>
#include <initializer_list>

namespace cts::reference {

// ---- Matrix instructions
// -------------------------------------------------------------------------------------------

/// What the first instruction does to the registers in question. XDL is every matrix instruction whose inputs
/// are neither F32 nor F64, SMFMAC included.
enum class First {
  valu_write,          ///< VALU other than a dot product writes a VGPR
  dot_write,           ///< a dot product ("DL op") writes a VGPR
  xdl_write,           ///< XDL writes D
  sgemm_write,         ///< an F32 instruction writes D
  dgemm_16x16x4_write, ///< F64 16x16x4 writes D
  dgemm_4x4x4_write,   ///< F64 4x4x4 writes D
  xdl_read_c,          ///< XDL reads C (SMFMAC: D); what follows may overwrite it too early
  cmpx_write_exec,     ///< V_CMPX writes EXEC
};

/// What the second one does to them.
enum class Second {
  same_dot_c,       ///< the same opcode of dot product reads them as C
  same_dot_ab,      ///< the same opcode of dot product reads them as A or B
  xdl_c,            ///< XDL reads them as C, SMFMAC as D
  sgemm_c,          ///< an F32 instruction reads them as C
  dgemm_c,          ///< an F64 instruction reads them as C
  matrix_ab,        ///< any matrix instruction reads them as A, B or the index of SMFMAC
  valu_read,        ///< VALU reads them
  valu_overwrite,   ///< VALU writes them
  memory_read,      ///< VMEM, LDS, FLAT or export reads them, as data or address
  memory_overwrite, ///< a load overwrites them; the tables name it only after a dot product, LLVM treats it
                    ///< as valu_overwrite
  matrix_issue,     ///< a matrix instruction, whatever its registers
};

inline constexpr std::array all_firsts{
    First::valu_write,          First::dot_write,         First::xdl_write,  First::sgemm_write,
    First::dgemm_16x16x4_write, First::dgemm_4x4x4_write, First::xdl_read_c, First::cmpx_write_exec};
inline constexpr std::array all_seconds{Second::same_dot_c,       Second::same_dot_ab,    Second::xdl_c,
                                        Second::sgemm_c,          Second::dgemm_c,        Second::matrix_ab,
                                        Second::valu_read,        Second::valu_overwrite, Second::memory_read,
                                        Second::memory_overwrite, Second::matrix_issue};

/// "xdl_write", "matrix_ab" and so on.
std::string_view name(First first);
std::string_view name(Second second);

/// How C's registers lie on D's. `exact`: the same first register and number of registers, and as many passes
/// in both instructions (Table 37 and 38, comments). `partial`: any other overlap. Asked of C only.
enum class Overlap { exact, partial };

/// The pass counts that the tables distinguish.
inline constexpr std::array tabulated_passes{2, 4, 8, 16};

/// Several uses that a row names together.
class Seconds {
public:
  constexpr Seconds(std::initializer_list<Second> uses) {
    for (const Second use : uses) bits_ |= 1u << static_cast<unsigned>(use);
  }
  constexpr bool contains(Second use) const { return (bits_ >> static_cast<unsigned>(use) & 1) != 0; }

private:
  unsigned bits_ = 0;
};

/// A row of the table of matrix instructions.
struct WaitRow {
  First first;
  Seconds seconds;
  std::optional<Overlap> overlap; ///< nothing: any overlap
  std::array<int, 4> waits;       ///< for 2, 4, 8 and 16 passes of the first instruction
  std::string_view source;        ///< the row, in short
};

/// Table 37 of ISA3 or Table 38 of ISA4, from top to bottom.
std::span<const WaitRow> wait_rows(Target target);

/// A requirement and where it stands.
struct Wait {
  int states;
  const WaitRow* row;
};

/// Wait states between `first`, of `passes` passes, and `second`. Nothing when the table has no row: the pair
/// needs none. `passes` counts only where the row depends on it; `overlap` only for C. Throws Error for
/// passes other than 2, 4, 8 and 16.
std::optional<Wait> required_wait(Target target, First first, int passes, Second second,
                                  Overlap overlap = Overlap::partial);

/// What LLVM 22's hazard recognizer puts between the two, 0 for nothing, by the formulas of its checks for
/// matrix instructions (GCNHazardRecognizer, checkMAIHazards90A and checkMAIVALUHazards). It takes exact
/// overlap for what it is whatever the passes and opcodes of the two.
int llvm_wait(Target target, First first, int passes, Second second, Overlap overlap = Overlap::partial);

/// Passes of 4 cycles that the instruction takes on `target`. Throws Error when it does not exist there.
int passes(const Instruction& instruction, Target target);

/// What an instruction's writing of D is as a first, and its reading of C as a second.
First write_of(const Instruction& instruction);
Second read_c_of(const Instruction& instruction);

/// Consecutive VGPRs. AccVGPR n counts as 256 + n.
struct Registers {
  int first = 0;
  int count = 1;
};

/// How the registers that `second` reads as C lie on those that `first` writes; nothing without overlap.
std::optional<Overlap> overlap_of(Target target, const Instruction& first, const Registers& d,
                                  const Instruction& second, const Registers& c);

// ---- Other instructions
// --------------------------------------------------------------------------------------------

/// A row of Table 11. Numbers are nothing where the table lacks the row, or LLVM was not seen to treat it.
struct SoftwareWait {
  std::string_view id;               ///< short name for tests: "valu_vgpr_dpp"
  std::string_view first;            ///< what comes first
  std::string_view second;           ///< what must wait
  std::optional<int> gfx942, gfx950; ///< wait states that the manuals ask for
  std::optional<int> llvm;           ///< that LLVM 22 gives, the same on both
  std::optional<int> states(Target target) const { return target == Target::gfx942 ? gfx942 : gfx950; }
};

/// Table 11 of ISA3 and ISA4 4.5, from top to bottom, what chapters 5 and 7 add in prose, and what LLVM 22
/// gives besides.
std::span<const SoftwareWait> software_waits();

/// The row with that id. Throws Error for an unknown one, naming the nearest.
const SoftwareWait& software_wait(std::string_view id);

/// Mnemonics of the transcendental instructions of Table 12, lower case, without encoding suffix.
std::span<const std::string_view> transcendental_mnemonics();

} // namespace cts::reference
