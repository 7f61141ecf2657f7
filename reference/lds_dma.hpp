// Loads from memory straight into LDS ("LDS DMA"): which byte of memory goes to which byte of LDS.
//
// Every active lane reads at an address of its own and writes at an LDS address that only its lane number
// tells from that of the others. Buffer form: ISA3 and ISA4 9.1.9. Global and scratch form: 10.3. The
// instruction's offset is added on both sides. Addresses in LDS are counted from the start of the workgroup's
// allocation.
#pragma once

#include "common/target.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cts::reference {

/// MUBUF instructions with the LDS modifier, GLOBAL_LOAD_LDS_* or SCRATCH_LOAD_LDS_*.
enum class DmaForm { buffer, global, scratch };

/// One instruction with the state that is the same for all lanes.
struct LdsDma {
  Target target = Target::gfx942;
  DmaForm form = DmaForm::global;
  int bytes = 4;            ///< that each lane moves: 1, 2, 4, on gfx950 also 12 and 16
  bool sign_extend = false; ///< of 1 and 2 bytes: sbyte and sshort rather than ubyte and ushort
  std::uint32_t m0 = 0;     ///< content of M0
  std::int32_t offset = 0;  ///< the instruction's: buffer 0 to 4095, global and scratch -4096 to 4095
};

/// Whether the target has the form for so many bytes a lane: 1, 2 and 4, and on gfx950 12 and 16 of the
/// buffer and global forms (ISA3 and ISA4 9.1.9 and 10.2).
bool lds_dma_exists(Target target, DmaForm form, int bytes);

/// Bytes from one lane's place in LDS to the next one's: 4, and 16 for 12 and 16 bytes (ISA4 9.1.9 and 10.3).
/// Throws Error for a size that no target has.
int lds_dma_stride(int bytes);

/// Dwords that a lane writes: 1, 3 or 4. The fourth of a 12-byte slot is skipped (ISA4 9.1.9). Throws Error
/// for a size that no target has.
int lds_dma_dwords(int bytes);

/// What M0 adds to the LDS address, in bytes. Buffer form: M0[15:0] on gfx942 (ISA3 9.1.9), M0[17:0] on
/// gfx950 (ISA4 9.1.9). Global and scratch form: M0[17:2] * 4 on both (10.3), so bits 1:0 do not count.
std::uint32_t lds_dma_m0_offset(const LdsDma& dma);

/// Where `lane` (its number in the wave, whatever EXEC is) writes its first dword. Throws Error for a size
/// that the target lacks, an offset that cannot be encoded, or an address below 0.
std::uint32_t lds_dma_lds_address(const LdsDma& dma, int lane);

/// Where a lane of the global form reads, `address` being the sum of its VGPR and SGPR parts (10.4). Throws
/// as above.
std::uint64_t lds_dma_memory_address(const LdsDma& dma, std::uint64_t address);

/// The linear buffer that the buffer form reads.
struct BufferSource {
  std::uint64_t base = 0;
  std::uint32_t stride = 0;  ///< of a record, in bytes
  std::uint32_t soffset = 0; ///< from the SGPR
  bool add_lane = false;     ///< the resource's ADD_TID_ENABLE: the lane is added to the index
};

/// Where `lane` of the buffer form reads, `voffset` and `vindex` being its VGPRs' values or 0. LDS adds the
/// lane in any case, memory only with ADD_TID_ENABLE (ISA4 9.1.9). Reads out of the buffer's range give zero
/// (9.1.5.1, to which 9.1.9.1 refers); that zeros are then written to LDS has not been seen confirmed.
std::uint64_t lds_dma_memory_address(const LdsDma& dma, const BufferSource& buffer, std::uint32_t voffset,
                                     std::uint32_t vindex, int lane);

/// The dwords that a lane writes when it reads `data` (dma.bytes of them): 1 and 2 bytes are extended to a
/// dword, with zeros or by sign as the opcode says (12.15.2 and 12.15.3; 12.13 says it of MUBUF loads into
/// VGPRs). Throws Error for another number of bytes.
std::vector<std::uint32_t> lds_dma_data(const LdsDma& dma, std::span<const std::uint8_t> data);

/// Moves the data of all lanes that `exec` has into `lds`, the workgroup's allocation. `data` is dma.bytes
/// for each of the 64 lanes, one lane after the other. Lanes that are not active write nothing, nor do those
/// whose place is beyond the allocation (9.1.9.1). Throws Error for what no manual describes: an LDS address
/// that is no multiple of 4, and a place partly beyond the allocation.
void run_lds_dma(const LdsDma& dma, std::uint64_t exec, std::span<const std::uint8_t> data,
                 std::span<std::uint8_t> lds);

} // namespace cts::reference
