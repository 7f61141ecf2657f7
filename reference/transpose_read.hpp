// The transpose reads of gfx950, DS_READ_B64_TR_B16, _B8, _B4 and DS_READ_B96_TR_B6: which bits of LDS each
// item of the result comes from.
//
// Each lane reads a chunk of its own, 64 bits (96 for 6-bit items) at its address. Then 16 consecutive lanes,
// a group, exchange items among themselves: their chunks one after the other are a matrix of N rows and 16
// columns, row by row, with N items to a chunk; lane l of the group receives column l, items 0 to N - 1 being
// rows 0 to N - 1.
//
// Sources: ISA4 11.4 says what the reads are for and which k of an MFMA operand the first of two reads gives;
// it does not give the exchange. That is taken from the expectations of GPU tests in AMD's rocRoller and
// agrees with the k ranges of 11.4 (tests/reference/transpose_read_test.cpp).
#pragma once

#include "reference/matmul.hpp"

#include <span>

namespace cts::reference {

/// Lanes that exchange items.
inline constexpr int transpose_group = 16;

/// Bits that each lane reads for items of `bits` (4, 6, 8 or 16) bits: 64, and 96 for 6. Throws Error for
/// other sizes, as do all functions here.
int transpose_payload_bits(int bits);

/// Items that each lane reads and receives, and rows of a group's matrix: 16, 16, 8 or 4.
int transpose_items(int bits);

/// Bytes of which a lane's address is to be a multiple: 8, and 16 for the 96-bit read. ISA4 11.4 asks for the
/// data size; whether 12 or 16 is meant by 96 bits is not settled, and AMD's programs use 16.
int transpose_alignment(int bits);

/// Where the items are that the lanes read: block g is the matrix of lanes 16g to 16g + 15, element
/// [g][row][col].
Layout transpose_chunks(int bits);

/// Where they are in the registers that are written.
Layout transpose_result(int bits);

/// The lane and item of a chunk that lane and item `result` of the registers receive, and the other way.
Slot transpose_source(int bits, const Slot& result);
Slot transpose_destination(int bits, const Slot& chunk);

/// Bits of LDS: `bits` bits from bit `low_bit` (0 to 7) of byte `byte` upwards, going on in the next byte.
struct LdsBits {
  std::uint32_t byte = 0;
  int low_bit = 0;
  int bits = 0;
  auto operator<=>(const LdsBits&) const = default;
};

/// The bits of LDS that lane and item `result` of the registers receive. `addresses` are those of the 64
/// lanes and `offset` the instruction's (0 to 65535).
LdsBits transpose_lds_bits(int bits, const Slot& result,
                           std::span<const std::uint32_t, lanes_of_wave> addresses, std::uint32_t offset = 0);

/// The address that lane `lane` gives so that its group reads a tile of N rows and 16 columns whose row r
/// starts at `base` + r * `row_stride` bytes.
std::uint32_t transpose_tile_address(int bits, int lane, std::uint32_t base, std::uint32_t row_stride);

/// The registers that a read with all lanes active gives (fewer are not allowed, ISA4 11.4). Throws Error for
/// an address that is not aligned or beyond `lds`.
RegisterImage transpose_read(int bits, std::span<const std::uint8_t> lds,
                             std::span<const std::uint32_t, lanes_of_wave> addresses,
                             std::uint32_t offset = 0);

} // namespace cts::reference
