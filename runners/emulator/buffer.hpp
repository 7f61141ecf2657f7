// Buffers: the resource constant V# of buffer instructions, and the addresses that follow from it.
// [CDNA3 ISA 9.1.5, 9.1.8; CDNA4 ISA the same]
#pragma once

#include "runners/emulator/buffer_format.hpp"
#include "runners/emulator/exec.hpp"

#include <array>
#include <cstdint>

namespace cts::emulator {

/// A V#, field by field.
struct BufferResource {
  std::uint64_t base = 0;
  std::uint32_t stride = 0;  ///< bytes
  std::uint32_t records = 0; ///< strides of a structured buffer, else bytes
  bool swizzled = false, add_tid = false;
  std::uint32_t index_stride = 8; ///< records of one swizzled row: 8, 16, 32 or 64
  BufferFormat format;
  std::array<std::uint8_t, 4> select{}; ///< of each component: 0, 1, or 4 to 7 for X to W
};

/// Decodes the four SGPRs at `v`. `formatted`: of a format instruction; others extend the stride of an
/// ADD_TID buffer by the data format's bits.
BufferResource buffer_resource(const std::uint32_t* v, bool formatted);

/// What one lane adds to it.
struct BufferLane {
  bool has_index = false;   ///< from a VGPR
  std::uint32_t index = 0;  ///< of the record, ADD_TID's lane number included
  std::uint32_t offset = 0; ///< of the VGPR and the instruction; the SGPR's is no part of it
};

/// The lane's index and offset by the instruction's idxen and offen: index first in the VGPRs at `address`.
BufferLane buffer_lane(const Exec& x, const Op& op, const BufferResource& r, const Source& address,
                       unsigned lane);

/// SOFFSET's value: an SGPR, M0 or an inline constant.
std::uint32_t buffer_offset(const Exec& x, const Source& soffset);

/// Address of the lane's element, without the SGPR's offset.
std::uint64_t buffer_address(const BufferResource& r, const BufferLane& lane);

/// Whether the component that begins `at` bytes into the element is inside the buffer. The SGPR's offset has
/// no say in it. [CDNA3 ISA 9.1.5.1; LLVM IntrinsicsAMDGPU: soffset is excluded from bounds checking]
bool in_buffer(const BufferResource& r, const BufferLane& lane, std::uint32_t at);

} // namespace cts::emulator
