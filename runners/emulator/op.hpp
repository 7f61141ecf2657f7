// An instruction ready to run: its handler, operands with constants already in bits, and what it reads and
// writes.
#pragma once

#include "runners/codeobject/code_object.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace cts::emulator {

struct Exec;
struct Op;

using Handler = void (*)(Exec&, const Op&);

/// What kind of unit executes an op: decides which hazard rules look at it.
enum class Unit : std::uint8_t { salu, smem, valu, trans, dot, mfma, vmem, flat, lds, branch, wait, other };

/// Matrix class of an MFMA. [CDNA3 ISA 7.5, CDNA4 ISA 7.6: XDL, SGEMM, DGEMM rows]
enum class MatrixClass : std::uint8_t { none, xdl, sgemm, dgemm_4x4x4, dgemm_16x16x4 };

/// Why an op reads a vector register: the wait-state tables tell these apart.
enum class Role : std::uint8_t { valu, memory, matrix_a, matrix_b, matrix_c, matrix_index, matrix_scale };

/// A run of vector registers (index space of Wave::vgpr) that an op reads or writes.
struct VectorAccess {
  std::uint16_t first = 0, count = 0;
  Role role = Role::valu;
};

/// A run of scalar registers (encodings of sreg) that an op reads or writes.
struct ScalarAccess {
  std::uint16_t first = 0, count = 0;
};

/// An operand: a register, or a constant whose bits are known for each width.
struct Source {
  enum class Kind : std::uint8_t {
    none,
    vector,
    scalar,
    constant,
    scc,
    vccz,
    execz,
    shared_base,
    shared_limit,
    private_base,
    private_limit
  };
  Kind kind = Kind::none;
  bool negate = false, absolute = false, sext = false;
  bool literal = false;    ///< a 32-bit literal: as an f64 operand it is the high half
  std::uint16_t first = 0; ///< register index (vector: Wave::vgpr space; scalar: encoding)
  std::uint16_t count = 0; ///< consecutive registers
  std::uint16_t bits16 = 0;
  std::uint32_t bits32 = 0;
  std::uint64_t bits64 = 0; ///< as an integer operand
  std::uint64_t bits_f64 = 0;
};

/// Modifiers, decoded once. Absent ones have the value of the encoding's default.
struct Modifiers {
  std::int32_t offset = 0, offset1 = 0;
  bool sc0 = false, sc1 = false, nt = false, lds = false, gds = false, offen = false, idxen = false,
       clamp = false;
  std::uint8_t omod = 0;      ///< 0 none, 1 *2, 2 *4, 3 /2
  std::uint8_t op_sel = 0;    ///< bit i: operand i; the destination's bit follows the sources'
  std::uint8_t op_sel_hi = 0; ///< VOP3P: all ones unless written
  std::uint8_t neg_lo = 0, neg_hi = 0;
  std::uint8_t cbsz = 0, abid = 0, blgp = 0; ///< `neg:[a,b,c]` of an F64 MFMA sets blgp
  // DPP and SDWA
  enum class Lane : std::uint8_t { none, dpp, sdwa };
  Lane lane = Lane::none;
  std::uint16_t dpp_ctrl = 0; ///< as encoded, see the ISA's DPP_CTRL table
  std::uint8_t row_mask = 15, bank_mask = 15;
  bool bound_ctrl = false;
  std::uint8_t dst_sel = 6, src_sel[2] = {6, 6}; ///< 0-3 byte, 4-5 word, 6 dword
  std::uint8_t dst_unused = 0;                   ///< 0 pad, 1 sext, 2 preserve
};

/// Facts of an MFMA or SMFMAC, filled by its binder.
struct MatrixInfo {
  MatrixClass matrix = MatrixClass::none;
  std::uint8_t passes = 0;
  std::uint16_t shape = 0; ///< row of the matrix table
};

inline constexpr unsigned max_sources = 6;

struct Op {
  Handler run = nullptr;
  Unit unit = Unit::other;
  std::uint8_t sources = 0, results = 0;
  std::uint16_t wait_states = 1;
  std::uint32_t next = 0;             ///< index of the op that follows
  std::uint32_t target = 0;           ///< branches: index of the op jumped to
  std::uint64_t pc = 0;               ///< address in the code object
  std::uint32_t simm16 = 0;           ///< SOPP/SOPK immediate, raw
  std::uint16_t variant = 0;          ///< the family's own row number, from Semantics
  std::uint16_t vgprs = 0, agprs = 0; ///< registers from v0 and a0 on that it needs allocated
  bool any_lane = false;              ///< it reads or writes lanes that EXEC leaves out
  bool compares = false;              ///< it compares its first two sources
  std::uint8_t float_bytes = 0;       ///< size of the floats that it makes; 0: it makes none
  MatrixInfo matrix;
  Modifiers mods;
  Source dst[2];
  Source src[max_sources];
  std::vector<VectorAccess> reads, writes;
  std::vector<ScalarAccess> scalar_reads, scalar_writes;
  const codeobject::Instruction* instruction = nullptr;
  const char* refusal = nullptr; ///< why executing it stops the launch as unsupported; nullptr: it executes
};

/// Makes `op` one that stops the launch as unsupported and says `why` (a clause with static lifetime).
void refuse(Op& op, const char* why);

/// How one mnemonic (without its encoding suffix) is executed.
struct Semantics {
  std::string_view mnemonic;
  Handler run = nullptr;
  Unit unit = Unit::valu;
  std::uint8_t results = 1;            ///< leading operands that are written
  void (*bind)(Op&, Target) = nullptr; ///< further facts, for example of an MFMA; may set op.run
  bool reads_result = false;           ///< the results are also read (v_fmac, v_mac, D16 loads, v_swap)
  std::uint16_t variant = 0;           ///< copied to Op::variant
  std::uint8_t (*results_by_modifiers)(const Modifiers&) =
      nullptr; ///< where modifiers decide how many (sc0, lds)
};

/// The table of each instruction family; program.cpp joins them.
std::vector<Semantics> control_semantics();
std::vector<Semantics> salu_semantics();
std::vector<Semantics> smem_semantics();
std::vector<Semantics> valu_semantics();
std::vector<Semantics> vmem_semantics();
std::vector<Semantics> buffer_format_semantics();
std::vector<Semantics> lds_semantics();
std::vector<Semantics> matrix_semantics(Target target);

} // namespace cts::emulator
