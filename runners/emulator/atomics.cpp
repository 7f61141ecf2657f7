#include "runners/emulator/atomics.hpp"

#include "runners/emulator/float_bits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cts::emulator {
namespace {

template <class U, class S> U integer(Atomic op, U memory, U data, U data2) {
  const auto s = [](U v) { return static_cast<S>(v); };
  switch (op) {
  case Atomic::swap: return data;
  case Atomic::cmpswap: return memory == data ? data2 : memory;
  case Atomic::add: return static_cast<U>(memory + data);
  case Atomic::sub: return static_cast<U>(memory - data);
  case Atomic::rsub: return static_cast<U>(data - memory);
  case Atomic::smin: return s(memory) < s(data) ? memory : data;
  case Atomic::smax: return s(memory) > s(data) ? memory : data;
  case Atomic::umin: return std::min(memory, data);
  case Atomic::umax: return std::max(memory, data);
  case Atomic::and_: return memory & data;
  case Atomic::or_: return memory | data;
  case Atomic::xor_: return memory ^ data;
  case Atomic::inc: return memory >= data ? U{0} : static_cast<U>(memory + 1);
  case Atomic::dec: return (memory == 0 || memory > data) ? data : static_cast<U>(memory - 1);
  case Atomic::wrap: return memory >= data ? static_cast<U>(memory - data) : static_cast<U>(memory + data2);
  case Atomic::mskor: return (memory & ~data) | data2;
  default: return memory;
  }
}

/// Operations on F, float or double, as LDS and the cache do them.
template <class F> struct Floats {
  using U = BitsOf<F>;

  static F value(U v) { return std::bit_cast<F>(v); }
  static U input(U v, AtomicFlush flush) { return flush.inputs ? flushed<F>(v) : v; }

  /// -0 is below +0.
  static bool less(U a, U b) {
    if (value(a) == value(b)) return (a & Format<F>::sign) > (b & Format<F>::sign);
    return value(a) < value(b);
  }

  static U sum(U memory, U data, AtomicFlush flush) {
    memory = input(memory, flush), data = input(data, flush);
    if (is_nan<F>(memory)) return quieted<F>(memory);
    if (is_nan<F>(data)) return quieted<F>(data);
    const U result = to_bits(value(memory) + value(data));
    if (is_nan<F>(result)) return default_nan<F>;
    return flush.outputs ? flushed<F>(result) : result;
  }

  /// The selected value itself: denormals are flushed for the comparison only. A quiet NaN is never selected
  /// beside a number.
  static U select(bool smaller, U memory, U data, AtomicFlush flush) {
    if (is_signaling<F>(memory)) return quieted<F>(memory);
    if (is_signaling<F>(data)) return quieted<F>(data);
    if (is_nan<F>(memory)) return data;
    if (is_nan<F>(data)) return memory;
    const U m = input(memory, flush), d = input(data, flush);
    return (smaller ? less(d, m) : less(m, d)) ? data : memory;
  }

  static U compare_and_swap(U memory, U comparand, U fresh, AtomicFlush flush) {
    return value(input(memory, flush)) == value(input(comparand, flush)) ? input(fresh, flush) : memory;
  }
};
using F32 = Floats<float>;
using F64 = Floats<double>;

/// Two 16-bit floats, each added in float, which holds the exact sum or rounds it harmlessly.
template <auto Widen, auto Narrow>
std::uint32_t packed_sum(std::uint64_t memory, std::uint64_t data, std::uint32_t exponent,
                         AtomicFlush flush) {
  std::uint32_t result = 0;
  for (const unsigned shift : {0u, 16u}) {
    const auto half = [&](std::uint64_t v) {
      const auto h = static_cast<std::uint32_t>(v >> shift) & 0xffff;
      return flush.inputs && (h & exponent) == 0 ? h & 0x8000 : h;
    };
    const std::uint32_t a = half(memory), b = half(data), quiet = (exponent & ~(exponent << 1)) >> 1;
    const auto is_nan = [&](std::uint32_t h) { return (h & 0x7fff) > exponent; };
    std::uint32_t sum = 0;
    if (is_nan(a))
      sum = a | quiet;
    else if (is_nan(b))
      sum = b | quiet;
    else
      sum = Narrow(Widen(a) + Widen(b));
    if (is_nan(sum) && !is_nan(a) && !is_nan(b)) sum = 0x8000 | exponent | quiet;
    if (flush.outputs && (sum & exponent) == 0) sum &= 0x8000;
    result |= sum << shift;
  }
  return result;
}

constexpr std::uint32_t half_exponent = 0x7c00, bf16_exponent = 0x7f80;

float from_half(std::uint32_t h) {
  return static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(h)));
}
std::uint32_t to_half(float f) { return std::bit_cast<std::uint16_t>(static_cast<_Float16>(f)); }
float from_bf16(std::uint32_t h) { return std::bit_cast<float>(h << 16); }
std::uint32_t to_bf16(float f) {
  const auto raw = std::bit_cast<std::uint32_t>(f);
  return (std::isnan(f) ? raw | 0x400000 : raw + 0x7fff + (raw >> 16 & 1)) >> 16;
}

} // namespace

AtomicFlush lds_flush(Atomic op, std::uint32_t mode) {
  const auto by = [&](unsigned shift) {
    const std::uint32_t allowed = mode >> shift;
    return AtomicFlush{(allowed & 1) == 0, (allowed & 2) == 0};
  };
  switch (op) {
  case Atomic::add_f32:
  case Atomic::min_f32:
  case Atomic::max_f32:
  case Atomic::cmpswap_f32: return by(4);
  case Atomic::min_f64:
  case Atomic::max_f64:
  case Atomic::cmpswap_f64:
  case Atomic::pk_add_f16:
  case Atomic::pk_add_bf16: return by(6);
  default: return {};
  }
}

std::uint64_t atomic_result(Atomic op, std::uint32_t bytes, std::uint64_t memory, std::uint64_t data,
                            std::uint64_t data2, AtomicFlush flush) {
  const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  switch (op) {
  case Atomic::add_f32: return F32::sum(low(memory), low(data), flush);
  case Atomic::min_f32: return F32::select(true, low(memory), low(data), flush);
  case Atomic::max_f32: return F32::select(false, low(memory), low(data), flush);
  case Atomic::cmpswap_f32: return F32::compare_and_swap(low(memory), low(data), low(data2), flush);
  case Atomic::add_f64: return F64::sum(memory, data, flush);
  case Atomic::min_f64: return F64::select(true, memory, data, flush);
  case Atomic::max_f64: return F64::select(false, memory, data, flush);
  case Atomic::cmpswap_f64: return F64::compare_and_swap(memory, data, data2, flush);
  case Atomic::pk_add_f16: return packed_sum<from_half, to_half>(memory, data, half_exponent, flush);
  case Atomic::pk_add_bf16: return packed_sum<from_bf16, to_bf16>(memory, data, bf16_exponent, flush);
  // Exchanges the low dword only when bit 63 of the data is set. [CDNA3 ISA, DS_CONDXCHG32_RTN_B64]
  case Atomic::condxchg32: {
    const auto half = [&](unsigned shift) {
      const std::uint64_t d = (data >> shift) & 0xffffffff;
      return ((d >> 31) != 0 ? d & 0x7fffffff : (memory >> shift) & 0xffffffff) << shift;
    };
    return half(0) | half(32);
  }
  default: break;
  }
  if (bytes == 8) return integer<std::uint64_t, std::int64_t>(op, memory, data, data2);
  return integer<std::uint32_t, std::int32_t>(op, static_cast<std::uint32_t>(memory),
                                              static_cast<std::uint32_t>(data),
                                              static_cast<std::uint32_t>(data2));
}

} // namespace cts::emulator
