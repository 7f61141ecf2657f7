// Bytes of device memory, LDS and private memory, always checked first.
#pragma once

#include "runners/emulator/exec.hpp"
#include "runners/emulator/fault.hpp"

#include <algorithm>
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

/// The `bytes` bytes of device memory at `address`. Stops the launch unless they lie in one live block.
Place device_place(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
                   const char* what);

/// Stops the launch for an access outside LDS, or not aligned to `needed`.
[[noreturn]] void refuse_lds(const Exec& x, const Op& op, int lane, std::uint64_t address,
                             std::uint32_t bytes, std::uint32_t needed);

/// What the planted fault lds_part_step_missing leaves of the workgroup's LDS: the whole ones of the steps in
/// which it is given out (ISA4 3.6.5; 512 bytes on CDNA 3), but no less than an access needs.
inline std::size_t whole_lds_steps(const Exec& x) {
  const std::size_t step = x.launch.target == Target::gfx942 ? 512 : 1280;
  return std::max<std::size_t>(x.group.lds.size() / step * step, 16);
}

/// The `bytes` bytes of LDS at `address`. Stops the launch unless they lie in the workgroup's LDS and are
/// aligned to min(bytes, 4) (or to `alignment` where that is given): the alignment that an access of this
/// width needs.
inline Place lds_place(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes,
                       std::uint32_t alignment = 0) {
  if (planted(Fault::lds_half)) address %= lds_bytes(x.launch.target) / 2;
  if (planted(Fault::lds_part_step_missing)) address %= whole_lds_steps(x);
  const std::uint32_t needed = alignment != 0 ? alignment : std::min(bytes, 4u);
  if (address + bytes > x.group.lds.size() || (address & (needed - 1)) != 0) [[unlikely]]
    refuse_lds(x, op, lane, address, bytes, needed);
  return {x.group.lds.data() + address, x.group.lds_shadow.data() + address, Region::lds};
}

/// The `bytes` bytes of `lane`'s private memory at `offset`. Stops the launch unless the lane has them.
Place private_place(const Exec& x, const Op& op, int lane, std::uint64_t offset, std::uint32_t bytes);

/// The `bytes` bytes at a flat `address` of `lane`: device memory, or LDS or private memory by their
/// apertures. Stops the launch when it is none of them.
Place flat_place(const Exec& x, const Op& op, int lane, std::uint64_t address, std::uint32_t bytes);

/// The bytes of a register (bit b: byte b) that a load into `half` of it fills.
constexpr unsigned filled_bytes(Half half) {
  return half == Half::whole ? 0xf : half == Half::low ? 0x3 : 0xc;
}

/// Which bytes of its registers a load leaves undefined, lane by lane.
class LoadedShadow {
public:
  /// The `bytes` bytes at `place` (1 to 16) of `lane`, into the load's registers from `first` on.
  void add(unsigned lane, const Place& place, std::uint32_t bytes, unsigned first = 0,
           Extend extend = Extend::none, Half half = Half::whole) {
    if (!all_written(place.shadow, bytes)) add_undefined(lane, place, bytes, first, extend, half);
  }
  /// Dword `reg` of `lane` is undefined in the bytes of `mask` (bit b: byte b), from `region`.
  void set(unsigned lane, unsigned reg, unsigned mask, Region region);

  /// The load completes: `count` registers from `first` on of the lanes in `mask`.
  void complete(Wave& w, const Op& op, unsigned first, unsigned count, LaneMask mask,
                Half half = Half::whole) const;

private:
  void add_undefined(unsigned lane, const Place& place, std::uint32_t bytes, unsigned first, Extend extend,
                     Half half);

  bool any_ = false;
  Undefined dword_[4];
  Region region_ = Region::device_memory;
};

/// Shadow of the `bytes` bytes at `at` after an atomic of `lane` with the captured data: undefined where what
/// it made of them is. Reports one that modifies device memory that nothing has written.
void follow_atomic(Exec& x, const PendingOp& p, const Place& at, unsigned lane, std::uint32_t bytes,
                   bool swaps);

/// A lock that serialises read-modify-write operations on the dword at `address`, also between workgroups.
std::unique_lock<std::mutex> lock_atomic(const void* address);

} // namespace cts::emulator
