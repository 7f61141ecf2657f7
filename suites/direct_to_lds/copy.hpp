// What a workgroup of kernels.hip is told to copy, and the tile of LDS that it stores. Device and host read
// this file.
#pragma once

namespace cts::direct_to_lds {

/// Dwords of the tile: the slots of 64 lanes of 16 bytes, with room in front and behind.
inline constexpr unsigned tile_words = 576;

/// One workgroup's copy.
struct Copy {
  unsigned long lanes; ///< those that take part
  unsigned base;       ///< byte of the tile at which lane 0 writes when the instruction has no offset
  unsigned unused;
};

/// What dword `word` of the tile of `workgroup` holds before the copy: no two dwords of a launch the same.
constexpr unsigned before(unsigned workgroup, unsigned word) { return 0xb0000000u | workgroup << 12 | word; }

} // namespace cts::direct_to_lds
