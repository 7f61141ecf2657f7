#include "runners/emulator/atomics.hpp"

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
  case Atomic::mskor: return (memory & ~data) | data2;
  case Atomic::wrap: return memory >= data ? static_cast<U>(memory - data) : static_cast<U>(memory + data2);
  default: return memory;
  }
}

float f32(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
double f64(std::uint64_t bits) { return std::bit_cast<double>(bits); }
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

std::uint32_t add_half(std::uint64_t a, std::uint64_t b, unsigned shift) {
  const auto half = [&](std::uint64_t v) {
    return std::bit_cast<_Float16>(static_cast<std::uint16_t>(v >> shift));
  };
  const auto sum = static_cast<_Float16>(static_cast<float>(half(a)) + static_cast<float>(half(b)));
  return static_cast<std::uint32_t>(std::bit_cast<std::uint16_t>(sum)) << shift;
}

std::uint32_t add_bf16(std::uint64_t a, std::uint64_t b, unsigned shift) {
  const auto wide = [&](std::uint64_t v) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(static_cast<std::uint16_t>(v >> shift)) << 16);
  };
  const float sum = wide(a) + wide(b);
  const auto raw = std::bit_cast<std::uint32_t>(sum);
  const std::uint32_t rounded =
      std::isnan(sum) ? (raw >> 16) | 0x40 : (raw + 0x7fff + ((raw >> 16) & 1)) >> 16;
  return rounded << shift;
}

} // namespace

std::uint64_t atomic_result(Atomic op, std::uint32_t bytes, std::uint64_t memory, std::uint64_t data,
                            std::uint64_t data2) {
  switch (op) {
  case Atomic::add_f32: return bits(f32(memory) + f32(data));
  case Atomic::min_f32: return bits(std::fmin(f32(memory), f32(data)));
  case Atomic::max_f32: return bits(std::fmax(f32(memory), f32(data)));
  case Atomic::add_f64: return bits(f64(memory) + f64(data));
  case Atomic::min_f64: return bits(std::fmin(f64(memory), f64(data)));
  case Atomic::max_f64: return bits(std::fmax(f64(memory), f64(data)));
  case Atomic::pk_add_f16: return add_half(memory, data, 0) | add_half(memory, data, 16);
  case Atomic::pk_add_bf16: return add_bf16(memory, data, 0) | add_bf16(memory, data, 16);
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
