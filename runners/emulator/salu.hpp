// What the files of scalar ALU semantics share.
#pragma once

#include "runners/emulator/lanes.hpp"
#include "runners/emulator/valu.hpp"

#include <cstdint>
#include <vector>

namespace cts::emulator {

/// What an instruction does to SCC.
enum class Scc : std::uint8_t { keep, nonzero };

template <typename T> T scalar_source(const Exec& x, const Op& op, unsigned i) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(scalar64(x, op.src[i]));
  else
    return static_cast<T>(scalar32(x, op.src[i]));
}

/// Old value of the destination.
template <typename T> T scalar_result(const Exec& x, const Op& op) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(x.w.pair(op.dst[0].first));
  else
    return static_cast<T>(x.w.sgpr[op.dst[0].first]);
}

template <typename T> void set_scalar(Exec& x, const Op& op, T value) {
  if constexpr (sizeof(T) == 8)
    x.w.set_pair(op.dst[0].first, static_cast<std::uint64_t>(value));
  else
    x.w.sgpr[op.dst[0].first] = static_cast<std::uint32_t>(value);
}

/// A scalar instruction: F of its sources, read as F's argument types; SCC by the result where the ISA says
/// so.
template <auto F, Scc Effect = Scc::keep> void scalar(Exec& x, const Op& op) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto value = F(scalar_source<ArgumentOf<F, I>>(x, op, static_cast<unsigned>(I))...);
    set_scalar(x, op, value);
    if constexpr (Effect == Scc::nonzero) x.w.scc = value != 0;
  }
  (std::make_index_sequence<SignatureOf<F>::count>{});
}

/// A result that comes with its own SCC.
template <typename T> struct WithScc {
  T value;
  bool scc;
};

/// As scalar(), for an F that takes SCC first and gives WithScc.
template <auto F> void scalar_with_scc(Exec& x, const Op& op) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto r = F(x.w.scc != 0, scalar_source<ArgumentOf<F, I + 1>>(x, op, static_cast<unsigned>(I))...);
    set_scalar(x, op, r.value);
    x.w.scc = r.scc;
  }
  (std::make_index_sequence<SignatureOf<F>::count - 1>{});
}

/// A comparison: F of the sources goes to SCC.
template <auto F> void scalar_compare(Exec& x, const Op& op) {
  x.w.scc = F(scalar_source<ArgumentOf<F, 0>>(x, op, 0), scalar_source<ArgumentOf<F, 1>>(x, op, 1));
}

/// SIMM16, sign or zero extended.
constexpr std::int32_t signed_immediate(const Op& op) { return static_cast<std::int16_t>(op.simm16); }
constexpr std::uint32_t unsigned_immediate(const Op& op) { return op.simm16 & 0xffff; }

// The families, by file.
std::vector<Semantics> salu_arithmetic();
std::vector<Semantics> salu_bits();
std::vector<Semantics> salu_compare();
std::vector<Semantics> salu_exec();
std::vector<Semantics> salu_control();
std::vector<Semantics> salu_registers();
std::vector<Semantics> salu_fork();

} // namespace cts::emulator
