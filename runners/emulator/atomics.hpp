// Read-modify-write operations of global, flat, buffer and LDS atomics: one place for what each does to a
// value.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cts::emulator {

enum class Atomic : std::uint8_t {
  swap,
  cmpswap,
  add,
  sub,
  smin,
  umin,
  smax,
  umax,
  and_,
  or_,
  xor_,
  inc,
  dec, // integers, 32 or 64 bits
  rsub,
  mskor,
  wrap,
  condxchg32, // LDS only
  add_f32,
  min_f32,
  max_f32,
  cmpswap_f32, // LDS only
  add_f64,
  min_f64,
  max_f64,
  cmpswap_f64, // LDS only
  pk_add_f16,
  pk_add_bf16,
};

/// Which denormals a float atomic takes for zeros.
struct AtomicFlush {
  bool inputs = false, outputs = false;
};

/// What MODE makes of denormals in LDS. Device memory keeps them: LLVM relies on that for gfx942 and gfx950,
/// though the ISA's table says that ADD_F32 flushes there. [CDNA3 ISA 9.2.2: MODE for F16, BF16 and F32, and
/// for comparisons of F64; sums of F64 keep denormals]
AtomicFlush lds_flush(Atomic op, std::uint32_t mode);

/// The value that memory holds after `op` on `memory` with `data` (and `data2`: the new value of a cmpswap
/// whose comparand is `data`; the OR operand of mskor, what wrap adds). `bytes` is 4 or 8. [CDNA3 ISA 12,
/// pseudocode of DS and FLAT atomics; 9.2 for floats]
std::uint64_t atomic_result(Atomic op, std::uint32_t bytes, std::uint64_t memory, std::uint64_t data,
                            std::uint64_t data2, AtomicFlush flush = {});

} // namespace cts::emulator
