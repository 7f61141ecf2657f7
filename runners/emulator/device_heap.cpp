#include "runners/emulator/device_heap.hpp"

#include "common/error.hpp"

#include <cstring>

namespace cts::emulator {
namespace {

constexpr std::size_t structure_bytes = 128 << 10;
constexpr std::uint64_t slab_bytes = 2 << 20, page_bytes = 4096;

} // namespace

DeviceHeap::~DeviceHeap() {
  for (const auto& [address, block] : pieces_) memory_.release(block);
  if (structure_ != 0) memory_.release(reinterpret_cast<void*>(structure_));
}

std::uint64_t DeviceHeap::address() {
  const std::lock_guard lock(mutex_);
  if (structure_ == 0) {
    void* const block = memory_.allocate(structure_bytes, true);
    if (block == nullptr) throw Error("no device memory for the heap of device malloc");
    std::memset(block, 0, structure_bytes);
    structure_ = reinterpret_cast<std::uint64_t>(block);
  }
  return structure_;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t alignment = bytes == slab_bytes ? slab_bytes : page_bytes;
  if (bytes == 0 || bytes > memory_.capacity()) return 0;
  void* const block = memory_.allocate(bytes + alignment);
  if (block == nullptr) return 0;
  const std::uint64_t address =
      (reinterpret_cast<std::uint64_t>(block) + alignment - 1) / alignment * alignment;
  pieces_[address] = block;
  return address;
}

bool DeviceHeap::release(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = pieces_.find(address);
  if (found == pieces_.end()) return false;
  memory_.release(found->second);
  pieces_.erase(found);
  return true;
}

} // namespace cts::emulator
