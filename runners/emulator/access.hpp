// Bytes of device memory, LDS and private memory, always checked first.
#pragma once

#include "runners/emulator/exec.hpp"

#include <cstdint>
#include <cstring>
#include <mutex>

namespace cts::emulator {

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
