// Shadow of memory: one byte beside each byte of device memory, LDS and private memory says whether anything
// wrote it.
#pragma once

#include "runners/emulator/registers.hpp"

#include <cstdint>
#include <cstring>

namespace cts::emulator {

/// Where a value that nothing wrote was read first.
enum class Region : std::uint8_t { vgpr, lds, private_memory, device_memory };

/// What a shadow byte says. A store of a never-written value is remembered with the region that it came from,
/// so that a copy is reported as what it is a copy of.
namespace shadow_byte {
inline constexpr std::uint8_t never = 0, written = 1;
constexpr std::uint8_t copy_of(Region region) {
  return static_cast<std::uint8_t>(2 + static_cast<int>(region));
}
constexpr Region region(std::uint8_t state, Region own) {
  return state >= 2 ? static_cast<Region>(state - 2) : own;
}
} // namespace shadow_byte

/// Bytes that an access has checked, and their shadow; `shadow` is nullptr where every byte counts as
/// written.
struct Place {
  std::uint8_t* bytes = nullptr;
  std::uint8_t* shadow = nullptr;
  Region region = Region::device_memory;
};

/// True when all of the `bytes` bytes (at most 16) from `shadow` on were written.
inline bool all_written(const std::uint8_t* shadow, std::uint32_t bytes) {
  constexpr std::uint32_t ones = 0x01010101;
  if (shadow == nullptr) return true;
  std::uint32_t differ = 0, four = 0;
  for (; bytes >= 4; bytes -= 4, shadow += 4) {
    std::memcpy(&four, shadow, 4);
    differ |= four ^ ones;
  }
  for (; bytes > 0; --bytes) differ |= *shadow++ ^ shadow_byte::written;
  return differ == 0;
}

/// Notes `bytes` bytes as written.
inline void mark_written(std::uint8_t* shadow, std::uint32_t bytes) {
  constexpr std::uint32_t ones = 0x01010101;
  if (shadow == nullptr) return;
  for (; bytes >= 4; bytes -= 4, shadow += 4) std::memcpy(shadow, &ones, 4);
  for (; bytes > 0; --bytes) *shadow++ = shadow_byte::written;
}

/// Lanes in which each byte of a register is undefined: it holds a never-written value, or something that
/// depends on one.
struct Undefined {
  LaneMask byte[4] = {};
  LaneMask any() const { return byte[0] | byte[1] | byte[2] | byte[3]; }
  /// The undefined bytes of one lane, bit b: byte b.
  unsigned in_lane(unsigned lane) const {
    unsigned bytes = 0;
    for (unsigned b = 0; b < 4; ++b) bytes |= static_cast<unsigned>(byte[b] >> lane & 1) << b;
    return bytes;
  }
  LaneMask whole() const { return byte[0] & byte[1] & byte[2] & byte[3]; }
};

/// How undefined the data of a store is, dword by dword as PendingOp::data holds them.
struct StoredShadow {
  LaneMask any = 0; ///< 0: all defined, and `dword` means nothing
  Undefined dword[4];
  Region region[4] = {};
};

/// Notes that byte `first` to `first + bytes` of the stored data of `lane` go to `shadow`.
void mark_stored(std::uint8_t* shadow, const StoredShadow& data, unsigned lane, unsigned first,
                 std::uint32_t bytes);

} // namespace cts::emulator
