#include "runners/emulator/buffer.hpp"

#include "runners/emulator/lanes.hpp"

namespace cts::emulator {
namespace {

/// Contiguous bytes of a record in a swizzled buffer. The manuals name a field for it, but V# has none; LLVM
/// writes it for processors before gfx9 only, where 4 is its value for scratch.
constexpr std::uint32_t element_size = 4;

bool is_structured(const BufferResource& r, const BufferLane& lane) {
  return r.stride != 0 && lane.has_index;
}

} // namespace

BufferResource buffer_resource(const std::uint32_t* v, bool formatted) {
  BufferResource r;
  r.base = v[0] | (static_cast<std::uint64_t>(v[1]) & 0xffff) << 32;
  r.stride = v[1] >> 16 & 0x3fff;
  r.swizzled = (v[1] >> 31) != 0;
  r.records = v[2];
  for (unsigned c = 0; c < 4; ++c) r.select[c] = static_cast<std::uint8_t>(v[3] >> (3 * c) & 7);
  const std::uint32_t data = v[3] >> 15 & 15;
  r.format = {static_cast<std::uint8_t>(data), static_cast<std::uint8_t>(v[3] >> 12 & 7)};
  r.index_stride = 8u << (v[3] >> 21 & 3);
  r.add_tid = (v[3] >> 23 & 1) != 0;
  if (r.add_tid && !formatted) r.stride |= data << 14;
  return r;
}

BufferLane buffer_lane(const Exec& x, const Op& op, const BufferResource& r, const Source& address,
                       unsigned lane) {
  BufferLane at{op.mods.idxen, r.add_tid ? lane : 0, static_cast<std::uint32_t>(op.mods.offset)};
  unsigned next = address.first;
  if (op.mods.idxen) at.index += x.w.vgpr[next++][lane];
  if (op.mods.offen) at.offset += x.w.vgpr[next][lane];
  return at;
}

std::uint32_t buffer_offset(const Exec& x, const Source& soffset) { return scalar32(x, soffset); }

std::uint64_t buffer_address(const BufferResource& r, const BufferLane& lane) {
  if (!r.swizzled) return r.base + lane.offset + std::uint64_t{r.stride} * lane.index;
  const std::uint64_t row = lane.index / r.index_stride, column = lane.index % r.index_stride;
  const std::uint64_t element = lane.offset / element_size, rest = lane.offset % element_size;
  return r.base + (row * r.stride + element * element_size) * r.index_stride + column * element_size + rest;
}

bool in_buffer(const BufferResource& r, const BufferLane& lane, std::uint32_t at) {
  if (is_structured(r, lane)) return lane.index < r.records;
  if (r.add_tid) return true; // a private buffer is not checked
  return std::uint64_t{lane.offset} + at < r.records;
}

} // namespace cts::emulator
