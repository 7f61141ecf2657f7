// Bytes of device memory, LDS and private memory, always checked first.
#pragma once

#include "runners/emulator/exec.hpp"

#include <cstdint>
#include <cstring>
#include <mutex>

namespace cts::emulator {

/// How a load of less than a dword fills its register: zeros or the sign above, and which half a D16 form
/// replaces.
enum class Extend : std::uint8_t { none, zero, sign };
enum class Half : std::uint8_t { whole, low, high };

/// The first dword of a load of `bytes` from `from`, extended to 32 bits where it is shorter.
inline std::uint32_t extended(const std::uint8_t* from, std::uint32_t bytes, Extend extend) {
  std::uint32_t value = 0;
  std::memcpy(&value, from, bytes < 4 ? bytes : 4);
  if (extend == Extend::sign && bytes == 1)
    return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
  if (extend == Extend::sign && bytes == 2)
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
  return value;
}

/// A register that held `old` after a load of `fresh` into `half` of it.
inline std::uint32_t merged(std::uint32_t old, std::uint32_t fresh, Half half) {
  if (half == Half::low) return (old & 0xffff0000u) | (fresh & 0xffff);
  if (half == Half::high) return (old & 0xffffu) | fresh << 16;
  return fresh;
}

/// Stops the launch unless [address, address + bytes) lies in one live block.
void check_device(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
                  const char* what);

/// Stops the launch unless [address, address + bytes) lies in the workgroup's LDS and is aligned to
/// min(bytes, 4) (or to `alignment` where that is given): the alignment that an access of this width needs.
void check_lds(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
               std::uint32_t alignment = 0);

/// Host address of `bytes` at a flat `address` of `lane`: device memory, or LDS or private memory by their
/// apertures. Stops the launch when it is none of them.
std::uint8_t* flat_address(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes);

/// Host address of `bytes` at a device address that check_device has accepted.
inline std::uint8_t* device_bytes(std::uint64_t address) { return reinterpret_cast<std::uint8_t*>(address); }

/// A lock that serialises read-modify-write operations on the dword at `address`, also between workgroups.
std::unique_lock<std::mutex> lock_atomic(const void* address);

} // namespace cts::emulator
