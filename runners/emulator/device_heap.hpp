// What device malloc and free stand on: the device library's management structure, and the memory that it
// asks the host for in pieces.
#pragma once

#include "runners/emulator/memory.hpp"

#include <map>
#include <mutex>

namespace cts::emulator {

/// The heap of one device. It lasts as long as the device: what a kernel allocates, a later one may free.
class DeviceHeap {
public:
  explicit DeviceHeap(Memory& memory) : memory_(memory) {}
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap&) = delete;
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  /// Address of the management structure, which is made at the first call: 128 KiB of zeros, the state that
  /// the device library starts from. Throws Error when memory is exhausted. [ROCm device libraries, dm.cl]
  std::uint64_t address();

  /// A piece of `bytes` for the device library, or 0. A slab (2 MiB) is aligned to its size, anything else to
  /// 4096: the library tells the two apart by their addresses.
  std::uint64_t allocate(std::uint64_t bytes);

  /// Ends a piece. False when `address` is none.
  bool release(std::uint64_t address);

private:
  Memory& memory_;
  std::mutex mutex_;
  std::uint64_t structure_ = 0;
  std::map<std::uint64_t, void*> pieces_; // by the address given out: the block that holds it
};

} // namespace cts::emulator
