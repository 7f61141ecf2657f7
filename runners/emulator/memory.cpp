#include "runners/emulator/memory.hpp"

#include "common/error.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace cts::emulator {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::size_t default_capacity = std::size_t{16} << 30;
constexpr std::size_t largest_capacity = std::size_t{1} << 46; // of a process's addresses
/// Ended blocks stay inaccessible until this much address space is kept so: a stale pointer must not meet a
/// new block.
constexpr std::size_t fenced_limit = std::size_t{1} << 40;

std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

std::size_t configured_capacity() {
  const char* const text = std::getenv("CDNA_CTS_MEMORY");
  if (!text) return default_capacity;
  const std::string_view digits = text;
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  if (error != std::errc{} || end != digits.data() + digits.size() || bytes == 0 || bytes > largest_capacity)
    throw Error("CDNA_CTS_MEMORY='{}': expected the device memory's size in bytes, 1 to {}", text,
                largest_capacity);
  return bytes;
}

/// The pages around a block: one guard page, the block's own pages, one guard page, and where the block has a
/// shadow as many pages once more.
struct Mapping {
  std::uint64_t start = 0, bytes = 0;
};

Mapping mapping_of(const Block& block) {
  const std::uint64_t page = page_bytes();
  const std::uint64_t end = round_up(block.base + block.bytes, page) + page + block.shadow;
  const std::uint64_t start = block.base / page * page - page;
  return {start, end - start};
}

void* as_pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

/// Generations are unique in the process, so that what a thread remembers of one Memory never matches
/// another.
std::uint64_t next_generation() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

} // namespace

struct Memory::Index {
  std::uint64_t generation = 0;
  std::vector<Block> blocks; // by base

  const Block* find(std::uint64_t address) const {
    auto after = std::upper_bound(blocks.begin(), blocks.end(), address,
                                  [](std::uint64_t value, const Block& block) { return value < block.base; });
    if (after == blocks.begin()) return nullptr;
    const Block& block = *--after;
    return address - block.base < block.bytes ? &block : nullptr;
  }
};

Memory::Memory() : capacity_(configured_capacity()) {
  const std::lock_guard lock(mutex_);
  publish();
}

Memory::~Memory() {
  for (const auto& [start, bytes] : mappings_) munmap(as_pointer(start), bytes);
}

void* Memory::allocate(std::size_t bytes, bool host) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > capacity_ - used_) return nullptr;

  // The block ends as close to the upper guard page as its alignment allows.
  const std::uint64_t page = page_bytes();
  const std::uint64_t room = round_up(bytes, alignment);
  const std::uint64_t pages = round_up(room, page);
  const std::uint64_t shadow = host ? 0 : pages + page; // fresh pages are zero: nothing is written
  const std::uint64_t mapped = pages + 2 * page + shadow;
  void* const start = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  auto* const inside = static_cast<std::byte*>(start) + page;
  if (mprotect(inside, pages, PROT_READ | PROT_WRITE) != 0 ||
      (shadow != 0 && mprotect(inside + shadow, pages, PROT_READ | PROT_WRITE) != 0)) {
    munmap(start, mapped);
    return nullptr;
  }
  auto* const words = reinterpret_cast<std::uint32_t*>(inside + (pages - room));
  std::fill_n(words, room / sizeof(std::uint32_t), poison);

  const Block block{reinterpret_cast<std::uint64_t>(words), bytes, host, shadow, false};
  blocks_.emplace(block.base, block);
  mappings_.emplace(reinterpret_cast<std::uint64_t>(start), mapped);
  used_ += bytes;
  publish();
  return words;
}

bool Memory::adopt(void* pointer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto base = reinterpret_cast<std::uint64_t>(pointer);
  if (bytes == 0 || base + bytes < base) return false;
  const auto after = blocks_.lower_bound(base);
  if (after != blocks_.end() && after->first < base + bytes) return false;
  if (after != blocks_.begin()) {
    const Block& before = std::prev(after)->second;
    if (before.base + before.bytes > base) return false;
  }
  if (reserved_locked(base, bytes)) return false;
  blocks_.emplace(base, Block{base, bytes, true, 0, true});
  publish();
  return true;
}

bool Memory::release(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(reinterpret_cast<std::uint64_t>(pointer));
  if (found == blocks_.end()) return false;
  const Block block = found->second;
  blocks_.erase(found);
  if (block.adopted) {
    publish();
    return true;
  }
  used_ -= block.bytes;
  publish();

  // Fresh inaccessible pages take the block's place: its storage goes back to the system, its addresses do
  // not.
  const Mapping mapping = mapping_of(block);
  if (mmap(as_pointer(mapping.start), mapping.bytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    munmap(as_pointer(mapping.start), mapping.bytes);
    mappings_.erase(mapping.start);
    return true;
  }
  fenced_.push_back(block);
  fenced_bytes_ += mapping.bytes;
  while (fenced_bytes_ > fenced_limit) {
    const Mapping oldest = mapping_of(fenced_.front());
    munmap(as_pointer(oldest.start), oldest.bytes);
    mappings_.erase(oldest.start);
    fenced_bytes_ -= oldest.bytes;
    fenced_.pop_front();
  }
  return true;
}

std::optional<Block> Memory::find(std::uint64_t address) const {
  const auto index = current();
  const Block* const block = index->find(address);
  return block ? std::optional(*block) : std::nullopt;
}

bool Memory::reserved(std::uint64_t address, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return reserved_locked(address, bytes);
}

bool Memory::reserved_locked(std::uint64_t address, std::uint64_t bytes) const {
  if (bytes == 0) return false;
  const std::uint64_t last = bytes - 1 <= UINT64_MAX - address ? address + (bytes - 1) : UINT64_MAX;
  const auto after = mappings_.upper_bound(last);
  if (after == mappings_.begin()) return false;
  const auto& [start, length] = *std::prev(after);
  return start + length > address;
}

bool Memory::find_near(std::uint64_t address, Near& near) const {
  const auto index = current();
  const Block* const block = index->find(address);
  if (!block) return false;
  near = {*block, index->generation};
  return true;
}

void Memory::mark_written(const void* to, std::size_t bytes) {
  const Place place = this->place(reinterpret_cast<std::uint64_t>(to), bytes);
  if (place.shadow != nullptr) std::memset(place.shadow, shadow_byte::written, bytes);
}

void Memory::mark_copied(const void* to, const void* from, std::size_t bytes) {
  const Place source = place(reinterpret_cast<std::uint64_t>(from), bytes);
  if (source.shadow == nullptr) return mark_written(to, bytes);
  const Place target = place(reinterpret_cast<std::uint64_t>(to), bytes);
  if (target.shadow != nullptr) std::memmove(target.shadow, source.shadow, bytes);
}

void Memory::renew(void* base) {
  const auto block = find(reinterpret_cast<std::uint64_t>(base));
  if (!block || block->base != reinterpret_cast<std::uint64_t>(base)) return;
  std::fill_n(static_cast<std::uint32_t*>(base), round_up(block->bytes, alignment) / sizeof(std::uint32_t),
              poison);
  if (block->shadow != 0)
    std::memset(static_cast<std::byte*>(base) + block->shadow, shadow_byte::never, block->bytes);
}

std::size_t Memory::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::size_t Memory::capacity() const { return capacity_; }

void Memory::publish() {
  auto index = std::make_shared<Index>();
  index->generation = next_generation();
  index->blocks.reserve(blocks_.size());
  for (const auto& [base, block] : blocks_) index->blocks.push_back(block);
  const std::uint64_t generation = index->generation;
  index_ = std::move(index);
  generation_.store(generation, std::memory_order_release);
}

std::shared_ptr<const Memory::Index> Memory::current() const {
  // Each thread holds the list that it read last; the lock is taken only when a newer one exists, and by
  // static destructors, which come after the main thread's variables have ended.
  thread_local bool ended = false;
  struct Held {
    std::shared_ptr<const Index> index;
    ~Held() { ended = true; }
  };
  if (!ended) {
    thread_local Held held;
    if (held.index && held.index->generation == generation_.load(std::memory_order_acquire))
      return held.index;
    const std::lock_guard lock(mutex_);
    return held.index = index_;
  }
  const std::lock_guard lock(mutex_);
  return index_;
}

} // namespace cts::emulator
