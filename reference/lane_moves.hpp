// Which lane each lane gets its value from: DPP, DS_PERMUTE, DS_BPERMUTE, DS_SWIZZLE, V_READLANE,
// V_READFIRSTLANE and gfx950's V_PERMLANE16_SWAP and V_PERMLANE32_SWAP. What a manual leaves open is marked,
// so that a test can tell an expectation from an observation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cts::reference {

/// Every lane's bit of EXEC set.
inline constexpr std::uint64_t all_lanes = ~std::uint64_t{0};

/// What a destination lane holds afterwards.
struct LaneSource {
  enum class What {
    lane,       ///< the value of lane `lane`
    zero,       ///< 0
    kept,       ///< what it held before: it is not written
    unspecified ///< no source known here says
  };
  What what = What::unspecified;
  int lane = 0; ///< for What::lane
  /// Whether the manuals of the targets say so. If not, other documents of AMD's or LLVM's do, or the manual
  /// says two things; the comment at the function tells which.
  bool documented = true;

  bool operator==(const LaneSource&) const = default;
};

/// "lane 5", "zero", "kept" or "unspecified".
std::string to_string(const LaneSource& source);

/// One for each lane.
using LaneSources = std::array<LaneSource, 64>;

// ---- DPP
// -----------------------------------------------------------------------------------------------------------

/// The fields of a DPP instruction (ISA3 and ISA4 13.3.9).
struct Dpp {
  int control = 0;            ///< DPP_CTRL, 9 bits
  int row_mask = 15;          ///< bit r: lanes 16r to 16r + 15 are written
  int bank_mask = 15;         ///< bit b: lanes 4b to 4b + 3 of each row are written
  bool bound_control = false; ///< BC: also write where the source is out of range
};

/// DPP_CTRL of quad_perm:[a,b,c,d]: lane n of four gets the one that the n-th names. Throws Error outside 0
/// to 3.
int dpp_quad_perm(int a, int b, int c, int d);

/// DPP_CTRL of the shifts and rotations within 16 lanes, by 1 to 15, and of the broadcast of one of 16 lanes
/// (0 to 15) to its row. Throw Error for other numbers.
int dpp_row_shl(int lanes);
int dpp_row_shr(int lanes);
int dpp_row_ror(int lanes);
int dpp_row_newbcast(int lane);

/// DPP_CTRL of the other patterns.
inline constexpr int dpp_wave_shl = 0x130, dpp_wave_rol = 0x134, dpp_wave_shr = 0x138, dpp_wave_ror = 0x13C,
                     dpp_row_mirror = 0x140, dpp_row_half_mirror = 0x141, dpp_row_bcast15 = 0x142,
                     dpp_row_bcast31 = 0x143;

/// Whether the manuals list the value (Table 93).
bool dpp_control_exists(int control);

/// Whether 64-bit operands may use it: row_newbcast only (13.3.9).
bool dpp_control_for_64_bits(int control);

/// As the assembler writes it: "row_shl:3". Throws Error for a value that does not exist.
std::string dpp_control_name(int control);

/// The lane that `lane` reads; nothing when that is out of range (Table 93). Throws Error for a control value
/// that does not exist and a lane outside 0 to 63.
std::optional<int> dpp_source_lane(int control, int lane);

/// What `lane` gets as its first source. Not written: lanes that EXEC, ROW_MASK or BANK_MASK turn off, and
/// without BOUND_CONTROL those whose source is out of range. With it they are written; that the value is then
/// 0 is said by LLVM's AMDGPU pages and AMD's older manuals, so it is not `documented`. Nor is that a source
/// lane that EXEC turns off counts as out of range.
LaneSource dpp_source(const Dpp& dpp, int lane, std::uint64_t exec = all_lanes);

// ---- LDS permutes
// --------------------------------------------------------------------------------------------------

/// DS_BPERMUTE_B32: lane i reads lane (addresses[i] + offset) / 4 % 64; one that EXEC turns off gives 0 (ISA3
/// and ISA4 12.12).
LaneSources ds_bpermute(std::span<const std::uint32_t, 64> addresses, std::uint32_t offset = 0,
                        std::uint64_t exec = all_lanes);

/// DS_PERMUTE_B32: lane i sends to lane (addresses[i] + offset) / 4 % 64; a lane that none sends to gets 0.
/// Of several senders the highest wins by the manual's pseudocode, but "standard LDS arbitration rules"
/// decide by its text, so that is not `documented`.
LaneSources ds_permute(std::span<const std::uint32_t, 64> addresses, std::uint32_t offset = 0,
                       std::uint64_t exec = all_lanes);

/// The lane that `lane` reads under DS_SWIZZLE_B32 with `offset` (0 to 0xFFFF): FFT from 0xE000, rotation
/// from 0xC000, any order of four lanes from 0x8000, masks of 5 bits below (ISA3 and ISA4 12.12).
int ds_swizzle_source_lane(int offset, int lane);

/// All lanes of DS_SWIZZLE_B32; a source that EXEC turns off gives 0.
LaneSources ds_swizzle(int offset, std::uint64_t exec = all_lanes);

// ---- Scalar reads
// --------------------------------------------------------------------------------------------------

/// The lane that V_READLANE_B32 reads and V_WRITELANE_B32 writes: the low 6 bits, whatever EXEC is (ISA3 and
/// ISA4 12.11).
int readlane_source(std::uint32_t select);

/// The lane that V_READFIRSTLANE_B32 reads: the lowest active one, 0 when none is (12.8).
int readfirstlane_source(std::uint64_t exec);

// ---- Swaps
// ---------------------------------------------------------------------------------------------------------

/// The two registers of a swap.
enum class SwapOperand { vdst, vsrc };

/// A lane of one of them.
struct SwapSource {
  SwapOperand operand = SwapOperand::vdst;
  int lane = 0;
  bool operator==(const SwapSource&) const = default;
};

/// What lane `lane` of `operand` holds after V_PERMLANE16_SWAP (rows = 16) or V_PERMLANE32_SWAP (rows = 32),
/// all lanes active: the odd 16 or upper 32 lanes of vdst change places with the even or lower ones of vsrc
/// (ISA4 12.8). Nothing is said about fewer active lanes. Throws Error for another `rows`.
SwapSource permlane_swap_source(int rows, SwapOperand operand, int lane);

} // namespace cts::reference
