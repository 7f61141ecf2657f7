#include "runners/emulator/access.hpp"

#include <array>

namespace cts::emulator {

void check_device(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
                  const char* what) {
  if (x.launch.memory->contains(address, bytes)) return;
  const auto refuse = [&](std::uint64_t base, const char* service) {
    if (address - base < service_bytes)
      stop(x, op, Stop::Kind::unsupported, lane, fmt::format("{} is not supported by the emulator", service));
  };
  refuse(no_hostcall, "device printf or assert (the hostcall service)");
  refuse(no_heap, "device malloc (the device heap)");
  const auto block = x.launch.memory->find(address);
  const std::string where =
      block ? fmt::format("runs past the end of the {}-byte allocation at {:#x}", block->bytes, block->base)
            : std::string("is outside every live allocation");
  stop(x, op, Stop::Kind::illegal_address, lane,
       fmt::format("{} of {} bytes at address {:#x} {}", what, bytes, address, where));
}

void check_lds(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
               std::uint32_t alignment) {
  if (address + bytes > x.group.lds.size())
    stop(x, op, Stop::Kind::illegal_address, lane,
         fmt::format("LDS access of {} bytes at {:#x} is outside the workgroup's {} bytes", bytes, address,
                     x.group.lds.size()));
  const std::uint32_t needed = alignment != 0 ? alignment : std::min(bytes, 4u);
  if (address % needed != 0)
    stop(x, op, Stop::Kind::misaligned, lane,
         fmt::format("LDS access of {} bytes at {:#x} is not aligned to {}", bytes, address, needed));
}

std::uint8_t* flat_address(const Exec& x, const Op& op, int lane, std::uint64_t address,
                           std::uint32_t bytes) {
  if (address - shared_base < aperture_bytes) {
    const std::uint64_t offset = address - shared_base;
    check_lds(x, op, lane, offset, bytes);
    return x.group.lds.data() + offset;
  }
  if (address - private_base < aperture_bytes) {
    const std::uint64_t offset = address - private_base;
    if (offset + bytes > x.w.scratch_bytes)
      stop(x, op, Stop::Kind::illegal_address, lane,
           fmt::format("private access of {} bytes at {:#x} is outside the lane's {} bytes", bytes, offset,
                       x.w.scratch_bytes));
    return x.w.scratch.data() + static_cast<std::size_t>(lane) * x.w.scratch_bytes + offset;
  }
  check_device(x, op, lane, address, bytes, "flat access");
  return device_bytes(address);
}

std::unique_lock<std::mutex> lock_atomic(const void* address) {
  static std::array<std::mutex, 64> locks;
  return std::unique_lock(locks[(reinterpret_cast<std::uintptr_t>(address) >> 3) % locks.size()]);
}

} // namespace cts::emulator
