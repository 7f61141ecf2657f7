// Device memory: real host memory in blocks that are poisoned when fresh, fenced, and checked at every
// access.
#pragma once

#include "runners/emulator/shadow_bytes.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace cts::emulator {

/// What fresh registers, LDS and device memory hold: a NaN in every floating format that has 16 or more bits,
/// a far-off address as a pointer, and no value that a test would stage.
inline constexpr std::uint32_t poison = 0x7ffd7ffd;

/// A live allocation.
struct Block {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  bool host = false;        ///< hipHostMalloc and the like
  std::uint64_t shadow = 0; ///< from a byte to its shadow_byte; 0 where every byte counts as written
  bool adopted = false;     ///< someone else's memory: no pages of ours lie around it
};

class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// A poisoned block, aligned to 256 bytes, with inaccessible space around it. Returns nullptr when memory
  /// is exhausted. The pointer is a host address too; 0 bytes gives nullptr. What the host does to a `host`
  /// block cannot be seen: all of its bytes always count as written; of others none does at first.
  void* allocate(std::size_t bytes, bool host = false);

  /// Makes memory that is not ours a block; every byte of it counts as written. False when it overlaps a
  /// block or what lies around one.
  bool adopt(void* pointer, std::size_t bytes);

  /// Ends a block. False when `pointer` is no block's base. Adopted memory is left as it is.
  bool release(void* pointer);

  /// The live block that holds `address`.
  std::optional<Block> find(std::uint64_t address) const;

  /// True when all of [address, address + bytes) lies in one live block.
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return place(address, bytes).bytes != nullptr;
  }

  /// True when one of [address, address + bytes) lies in pages of ours: in a block, around it, or in one that
  /// has ended and whose addresses are still kept inaccessible.
  bool reserved(std::uint64_t address, std::uint64_t bytes) const;

  /// The block that was touched last: neighbouring lanes mostly touch one. Good for as long as the set of
  /// blocks stays the same.
  struct Near {
    Block block;
    std::uint64_t generation = 0;
  };

  /// The same bytes with their shadow; Place::bytes is nullptr when they do not lie in one live block.
  Place place(std::uint64_t address, std::uint64_t bytes, Near& near) const {
    if (near.generation != generation_.load(std::memory_order_acquire) || !inside(near, address, bytes)) {
      if (!find_near(address, near) || !inside(near, address, bytes)) return {};
    }
    auto* const at = reinterpret_cast<std::uint8_t*>(address);
    return {at, near.block.shadow == 0 ? nullptr : at + near.block.shadow, Region::device_memory};
  }
  Place place(std::uint64_t address, std::uint64_t bytes) const {
    Near near;
    return place(address, bytes, near);
  }

  /// The host has written these bytes. What lies outside the live blocks is left alone.
  void mark_written(const void* to, std::size_t bytes);
  /// The host has copied these bytes: those from a block are as written as they were there.
  void mark_copied(const void* to, const void* from, std::size_t bytes);
  /// Makes the block at `base` as allocate() gave it: poisoned, nothing written.
  void renew(void* base);

  /// Bytes in live blocks, and the largest sum that allocate() will hand out.
  std::size_t used() const;
  std::size_t capacity() const;

private:
  struct Index; // immutable sorted list of blocks; replaced whole, so that readers need no lock
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Block> blocks_;
  std::shared_ptr<const Index> index_;
  std::atomic<std::uint64_t> generation_{0};
  std::size_t used_ = 0;
  std::size_t capacity_ = 0;
  std::deque<Block> fenced_; // ended blocks whose addresses are kept inaccessible, oldest first
  std::size_t fenced_bytes_ = 0;
  std::map<std::uint64_t, std::uint64_t>
      mappings_; // start and bytes of the pages of every block, ended ones too

  static bool inside(const Near& near, std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t offset = address - near.block.base;
    return offset < near.block.bytes && bytes <= near.block.bytes - offset;
  }
  bool find_near(std::uint64_t address, Near& near) const;
  bool reserved_locked(std::uint64_t address, std::uint64_t bytes) const;
  void publish();
  std::shared_ptr<const Index> current() const;
};

} // namespace cts::emulator
