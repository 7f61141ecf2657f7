// Which lane and register holds which matrix element, for every dense matrix instruction.
//
// Two independent derivations are kept side by side. `slot_of` (element to lane and item) evaluates the
// manuals' general formulas (ISA3 7.1.4, ISA4 7.1.4) from m, n, k and the number of blocks. `element_of` (the
// other way) is written out for each shape, from the manuals' worked tables and the number of registers that
// the compiler's builtins take. `check_bijection` holds one against the other. docs/layouts.md explains both
// and lists where sources disagree.
#pragma once

#include "reference/instructions.hpp"

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cts::reference {

inline constexpr int lanes_of_wave = 64;

enum class Operand { a, b, c, d };

/// "a", "b", "c" or "d".
std::string_view name(Operand operand);

/// Which element of an operand's matrix: block, then row and column. A[b][i][k] has row i and column k,
/// B[b][k][j] has row k and column j, C and D[b][i][j] have row i and column j.
struct Element {
  int block = 0;
  int row = 0;
  int col = 0;
  auto operator<=>(const Element&) const = default;
};

/// Where an element is, as the manuals count: the t-th item of a lane, items being packed little-endian in
/// the operand's VGPRs (ISA4 7.1.4).
struct Slot {
  int lane = 0; ///< 0..63
  int item = 0; ///< 0..items-1
  auto operator<=>(const Slot&) const = default;
};

/// The same in registers: `bits` bits from bit `low_bit` of the operand's `vgpr`-th VGPR upwards. Bits beyond
/// 31 go on in bit 0 of the next VGPR: a 64-bit item takes two VGPRs, low half first, and 6-bit items may
/// straddle two.
struct Place {
  int lane = 0;    ///< 0..63
  int vgpr = 0;    ///< counted from the operand's first VGPR
  int low_bit = 0; ///< 0..31
  int bits = 0;    ///< 2, 4, 6, 8, 16, 32 or 64
  auto operator<=>(const Place&) const = default;
};

/// Size of an operand's matrices.
struct Shape {
  int blocks = 1;
  int rows = 0;
  int cols = 0;
  auto operator<=>(const Shape&) const = default;
};

/// The layout of one operand, as a value, so that a test can also build a wrong one.
struct Layout {
  std::string name; ///< for messages: "v_mfma_f32_16x16x16_f16 a"
  Shape shape;      ///< every element of it is somewhere
  int items = 0;    ///< items that each of the 64 lanes holds
  int bits = 0;     ///< bits of an item
  std::function<Slot(const Element&)> slot_of;
  std::function<Element(const Slot&)> element_of;
};

/// The layout of `operand` of a dense or F8F6F4 instruction (with its formats chosen); the target does not
/// matter. Throws Error for a sparse one.
Layout dense_layout(const Instruction& instruction, Operand operand);

/// Size of the matrices of `operand`: A is m x k, B is k x n, C and D are m x n.
Shape shape_of(const Instruction& instruction, Operand operand);

/// Type of the elements of `operand`.
Type type_of(const Instruction& instruction, Operand operand);

/// VGPRs that all items of a lane fill.
int vgprs_of(const Layout& layout);

/// The bits of a slot: item t starts at bit t*bits of the string that the operand's VGPRs form (ISA4 7.1.4).
Place place_of(const Layout& layout, const Slot& slot);

/// The slot whose item covers bit `bit` (0..31) of VGPR `vgpr` of `lane`; nothing when no item does.
std::optional<Slot> slot_at(const Layout& layout, int lane, int vgpr, int bit);

/// "D[6][2]" for one block, "D[3][6][2]" for several.
std::string to_string(const Layout& layout, Operand operand, const Element& element);

/// Every way in which `layout` is not a one-to-one map between its elements and its slots: an element outside
/// every lane or item, a slot held by two elements or by none, a round trip that does not come back. One line
/// each, with element, lane and item; empty when all is well.
std::vector<std::string> check_bijection(const Layout& layout);

/// CBSZ, ABID and BLGP of an instruction.
struct Broadcast {
  int cbsz = 0; ///< 0..7
  int abid = 0; ///< 0..15
  int blgp = 0; ///< 0..7
  auto operator<=>(const Broadcast&) const = default;
};

/// What CBSZ and ABID do to A when 1 << CBSZ is less than the number of blocks: both manuals say two things.
/// The readings agree when it is equal, and without CBSZ. `lanes`: the formula of ISA3 7.1.5.1 and
/// ISA4 7.1.6.1. The wave's lanes form 1 << CBSZ groups of
///   S = 64 >> CBSZ lanes, and group ABID is read in place of every group. Of 16 blocks with CBSZ 1 and ABID
///   1, blocks 8 to 15 are read twice.
/// `blocks`: the field tables of the VOP3P-MAI encoding (ISA3 and ISA4 13.3), and AMD's matrix instruction
///   calculator. In each contiguous set of 1 << CBSZ blocks the ABID-th is read in place of all. Of 16 blocks
///   with CBSZ 1 and ABID 1, the odd blocks are read twice.
/// No GPU result is known that tells which holds, so a test may only record it.
enum class Reading { lanes, blocks };

/// Whether the two readings differ for these fields.
bool readings_differ(const Instruction& instruction, const Broadcast& broadcast);

/// The lane from which A's element expected in `lane` is fetched in Reading::lanes: lane % S + S * abid with
/// S = 64 >> cbsz, or `lane` when cbsz is 0. Throws Error for cbsz > 4 or abid >= 1 << cbsz, which are not
/// legal.
int source_lane_a(int lane, int cbsz, int abid);

/// The lane from which B's element expected in `lane` is fetched (ISA3 7.1.5.2 Table 29; ISA4's copy of the
/// table lacks the row of BLGP 7). Throws Error for blgp outside 0..7.
int source_lane_b(int lane, int blgp);

/// Why the fields are not defined for this instruction, in one line; nothing when they are. Fields that mean
/// something else (formats of F8F6F4, negation of F64) are judged by that meaning.
std::optional<std::string> undefined_broadcast(const Instruction& instruction, const Broadcast& broadcast);

/// The lane that the instruction reads for an element whose home is `lane`. C and D never move, and nothing
/// does where the fields mean something else (F64, F8F6F4). Throws Error where the fields are not defined.
int source_lane(const Instruction& instruction, Operand operand, int lane, const Broadcast& broadcast,
                Reading reading = Reading::lanes);

} // namespace cts::reference
