#include "reference/lds_dma.hpp"

#include "common/error.hpp"
#include "reference/dense_layout.hpp"

#include <algorithm>
#include <cstring>

namespace cts::reference {
namespace {

std::string_view text(DmaForm form) {
  constexpr std::string_view names[] = {"buffer", "global", "scratch"};
  return names[static_cast<std::size_t>(form)];
}

void check(const LdsDma& dma) {
  if (!lds_dma_exists(dma.target, dma.form, dma.bytes))
    throw Error("{} has no {} load of {} bytes a lane into LDS: expected {}", name(dma.target),
                text(dma.form), dma.bytes,
                lds_dma_exists(dma.target, dma.form, 16) ? "1, 2, 4, 12 or 16" : "1, 2 or 4");
  const auto [least, most] = dma.form == DmaForm::buffer ? std::pair(0, 4095) : std::pair(-4096, 4095);
  if (dma.offset < least || dma.offset > most)
    throw Error("offset {} of a load into LDS: expected {} to {}", dma.offset, least, most);
}

void check_lane(int lane) {
  if (lane < 0 || lane >= lanes_of_wave) throw Error("lane {}: expected 0 to 63", lane);
}

} // namespace

bool lds_dma_exists(Target target, DmaForm form, int bytes) {
  const bool wide = target == Target::gfx950 && form != DmaForm::scratch;
  return bytes == 1 || bytes == 2 || bytes == 4 || (wide && (bytes == 12 || bytes == 16));
}

int lds_dma_stride(int bytes) {
  switch (bytes) {
  case 1:
  case 2:
  case 4: return 4;
  case 12:
  case 16: return 16;
  default: throw Error("no target loads {} bytes a lane into LDS", bytes);
  }
}

int lds_dma_dwords(int bytes) { return lds_dma_stride(bytes) == 4 ? 1 : bytes / 4; }

std::uint32_t lds_dma_m0_offset(const LdsDma& dma) {
  if (dma.form != DmaForm::buffer) return dma.m0 & 0x3FFFC;
  return dma.target == Target::gfx942 ? dma.m0 & 0xFFFF : dma.m0 & 0x3FFFF;
}

std::uint32_t lds_dma_lds_address(const LdsDma& dma, int lane) {
  check(dma);
  check_lane(lane);
  const std::int64_t address =
      std::int64_t{lds_dma_m0_offset(dma)} + dma.offset + lane * lds_dma_stride(dma.bytes);
  if (address < 0)
    throw Error("lane {} of a load into LDS writes at {}, below the allocation", lane, address);
  return static_cast<std::uint32_t>(address);
}

std::uint64_t lds_dma_memory_address(const LdsDma& dma, std::uint64_t address) {
  check(dma);
  return address + static_cast<std::uint64_t>(std::int64_t{dma.offset});
}

std::uint64_t lds_dma_memory_address(const LdsDma& dma, const BufferSource& buffer, std::uint32_t voffset,
                                     std::uint32_t vindex, int lane) {
  check(dma);
  check_lane(lane);
  const std::uint64_t index = vindex + (buffer.add_lane ? static_cast<std::uint64_t>(lane) : 0);
  return buffer.base + buffer.soffset + static_cast<std::uint64_t>(dma.offset) + voffset +
         buffer.stride * index;
}

std::vector<std::uint32_t> lds_dma_data(const LdsDma& dma, std::span<const std::uint8_t> data) {
  check(dma);
  if (data.size() != static_cast<std::size_t>(dma.bytes))
    throw Error("a lane moves {} bytes into LDS, got {}", dma.bytes, data.size());
  std::vector<std::uint32_t> dwords(static_cast<std::size_t>(lds_dma_dwords(dma.bytes)), 0);
  std::memcpy(dwords.data(), data.data(), data.size());
  if (dma.sign_extend && dma.bytes < 4 && data.back() >= 0x80) dwords[0] |= ~0u << 8 * dma.bytes;
  return dwords;
}

void run_lds_dma(const LdsDma& dma, std::uint64_t exec, std::span<const std::uint8_t> data,
                 std::span<std::uint8_t> lds) {
  check(dma);
  const auto bytes = static_cast<std::size_t>(dma.bytes);
  if (data.size() != lanes_of_wave * bytes)
    throw Error("64 lanes move {} bytes into LDS, got {}", lanes_of_wave * bytes, data.size());
  for (int lane = 0; lane < lanes_of_wave; ++lane) {
    if ((exec >> lane & 1) == 0) continue;
    const std::size_t address = lds_dma_lds_address(dma, lane);
    const std::vector<std::uint32_t> dwords =
        lds_dma_data(dma, data.subspan(static_cast<std::size_t>(lane) * bytes, bytes));
    const std::size_t size = 4 * dwords.size();
    if (address % 4 != 0)
      throw Error("lane {} writes at LDS address {}: expected a multiple of 4", lane, address);
    if (address >= lds.size()) continue;
    if (address + size > lds.size())
      throw Error(
          "lane {} writes {} bytes at {} of {} bytes of LDS: no manual says how much of it is written", lane,
          size, address, lds.size());
    std::memcpy(lds.data() + address, dwords.data(), size);
  }
}

} // namespace cts::reference
