#include "runners/emulator/access.hpp"

#include <algorithm>
#include <array>

namespace cts::emulator {

Place device_place(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
                   const char* what) {
  const Place place = x.launch.memory->place(address, bytes, x.near);
  if (place.bytes != nullptr) return place;
  if (address - no_printf_buffer < service_bytes)
    stop(x, op, Stop::Kind::unsupported, lane,
         "device printf through a buffer is not supported by the emulator; compile with "
         "-mprintf-kind=hostcall");
  const auto block = x.launch.memory->find(address);
  const std::string where =
      block ? fmt::format("runs past the end of the {}-byte allocation at {:#x}", block->bytes, block->base)
            : std::string("is outside every live allocation");
  stop(x, op, Stop::Kind::illegal_address, lane,
       fmt::format("{} of {} bytes at address {:#x} {}", what, bytes, address, where));
}

void refuse_lds(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
                std::uint32_t needed) {
  if (address + bytes > x.group.lds.size())
    stop(x, op, Stop::Kind::illegal_address, lane,
         fmt::format("LDS access of {} bytes at {:#x} is outside the workgroup's {} bytes", bytes, address,
                     x.group.lds.size()));
  stop(x, op, Stop::Kind::misaligned, lane,
       fmt::format("LDS access of {} bytes at {:#x} is not aligned to {}", bytes, address, needed));
}

Place private_place(const Exec& x, const Op& op, int lane, std::uint64_t offset, std::uint32_t bytes) {
  if (offset + bytes > x.w.scratch_bytes)
    stop(x, op, Stop::Kind::illegal_address, lane,
         fmt::format("private access of {} bytes at {:#x} is outside the lane's {} bytes", bytes, offset,
                     x.w.scratch_bytes));
  const std::size_t at = static_cast<std::size_t>(lane) * x.w.scratch_bytes + offset;
  return {x.w.scratch.data() + at, x.w.scratch_shadow.data() + at, Region::private_memory};
}

Place flat_place(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes) {
  if (address - shared_base < aperture_bytes) return lds_place(x, op, lane, address - shared_base, bytes);
  if (address - private_base < aperture_bytes)
    return private_place(x, op, lane, address - private_base, bytes);
  return device_place(x, op, lane, address, bytes, "flat access");
}

void LoadedShadow::set(unsigned lane, unsigned reg, unsigned mask, Region region) {
  for (unsigned b = 0; b < 4; ++b)
    if ((mask >> b & 1) != 0) dword_[reg].byte[b] |= LaneMask{1} << lane;
  any_ = any_ || mask != 0;
  region_ = region;
}

void LoadedShadow::add_undefined(unsigned lane, const Place& place, std::uint32_t bytes, unsigned first,
                                 Extend extend, Half half) {
  for (unsigned reg = 0; reg * 4 < bytes; ++reg) {
    unsigned mask = 0;
    Region region = place.region;
    for (unsigned b = 0; b < 4 && reg * 4 + b < bytes; ++b) {
      const std::uint8_t state = place.shadow[reg * 4 + b];
      if (state == shadow_byte::written) continue;
      mask |= 1u << b;
      region = shadow_byte::region(state, place.region);
    }
    if (bytes < 4 && extend == Extend::sign && (mask >> (bytes - 1) & 1) != 0) mask |= 0xfu << bytes & 0xf;
    if (half == Half::high) mask = mask << 2 & 0xf;
    if (mask != 0) set(lane, first + reg, mask, region);
  }
}

void LoadedShadow::complete(Wave& w, const Op& op, unsigned first, unsigned count, LaneMask mask,
                            Half half) const {
  if (!any_ && (w.shadow.undefined(first, count) & mask) == 0) return;
  for (unsigned i = 0; i < count; ++i)
    w.shadow.set_vector(first + i, mask, dword_[i], filled_bytes(half), {&op, region_});
}

void follow_atomic(Exec& x, const PendingOp& p, const Place& at, unsigned lane, std::uint32_t bytes,
                   bool swaps) {
  if (at.shadow == nullptr) return;
  if (swaps) return mark_stored(at.shadow, p.stored, lane, 0, bytes);
  if (!all_written(at.shadow, bytes)) {
    const Region region = shadow_byte::region(at.shadow[0], at.region);
    if (at.region == Region::device_memory)
      report_undefined(x, *p.op, {p.op, region}, static_cast<int>(lane), "the memory operand of an atomic");
    return; // what was undefined stays so
  }
  if ((p.stored.any >> lane & 1) != 0)
    std::fill_n(at.shadow, bytes, shadow_byte::copy_of(p.stored.region[0]));
}

std::unique_lock<std::mutex> lock_atomic(const void* address) {
  static std::array<std::mutex, 64> locks;
  return std::unique_lock(locks[(reinterpret_cast<std::uintptr_t>(address) >> 3) % locks.size()]);
}

} // namespace cts::emulator
