// How undefined values spread: by trying. An op that touches one is executed several times, each time with
// other bytes in place of the undefined ones; what differs between the trials depends on them and is
// undefined, all else is not. So every instruction, with every modifier, is followed by its own semantics: a
// select by the side that it takes, a shift by the bytes that it keeps, x ^ x not at all.
#include "runners/emulator/lanes.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace cts::emulator {

/// Bytes tried in place of undefined ones: zeros, ones, a large number of most formats, and bytes that
/// differ by register and lane. A comparison also gets what the value is compared with.
enum class Filling : std::uint8_t { zeros, ones, large, mixed, other_operand };

namespace {

constexpr Filling fillings[] = {Filling::zeros, Filling::ones, Filling::large, Filling::mixed,
                                Filling::other_operand};

std::span<const Filling> fillings_for(const Op& op) {
  if (op.unit == Unit::mfma)
    return std::span(fillings).first(2); // slow, and NaN or 0 spreads to all it touches
  return std::span(fillings).first(op.compares ? 5 : 4);
}

/// What an op can change, of the registers that it touches.
struct State {
  std::vector<std::array<std::uint32_t, lanes>> vectors;
  std::array<std::uint32_t, sreg::count> scalars;
  std::uint32_t scc = 0, mode = 0, at = 0;
};

/// What came out differently in two trials.
struct Differences {
  std::vector<Undefined> vectors;
  std::array<std::uint32_t, sreg::count> scalars{};
  bool scc = false, mode = false, at = false;

  void add(const State& a, const State& b) {
    vectors.resize(a.vectors.size());
    for (std::size_t i = 0; i < a.vectors.size(); ++i) {
      if (a.vectors[i] == b.vectors[i]) continue;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const std::uint32_t differ = a.vectors[i][lane] ^ b.vectors[i][lane];
        for (unsigned byte = 0; byte < 4; ++byte)
          if ((differ >> (8 * byte) & 0xff) != 0) vectors[i].byte[byte] |= LaneMask{1} << lane;
      }
    }
    for (std::size_t i = 0; i < scalars.size(); ++i) scalars[i] |= a.scalars[i] ^ b.scalars[i];
    scc |= a.scc != b.scc;
    mode |= a.mode != b.mode;
    at |= a.at != b.at;
  }
};

State state_of(const Wave& w, const std::vector<unsigned>& registers) {
  State s;
  s.vectors.resize(registers.size());
  for (std::size_t i = 0; i < registers.size(); ++i)
    std::copy_n(w.vgpr[registers[i]], lanes, s.vectors[i].begin());
  std::copy_n(w.sgpr, s.scalars.size(), s.scalars.begin());
  s.scc = w.scc;
  s.mode = w.mode;
  s.at = w.at;
  return s;
}

void restore(Wave& w, const std::vector<unsigned>& registers, const State& s) {
  for (std::size_t i = 0; i < registers.size(); ++i)
    std::copy_n(s.vectors[i].begin(), lanes, w.vgpr[registers[i]]);
  std::copy(s.scalars.begin(), s.scalars.end(), w.sgpr);
  w.scc = s.scc;
  w.mode = s.mode;
  w.at = s.at;
}

std::uint32_t filling(Filling kind, unsigned reg, unsigned lane) {
  switch (kind) {
  case Filling::zeros: return 0;
  case Filling::ones: return ~0u;
  case Filling::large: return 0x7f7f7f7f;
  default: break;
  }
  std::uint32_t mixed = (reg * lanes + lane + 1) * 0x9e3779b9u;
  mixed ^= mixed >> 15;
  return mixed * 0x85ebca6bu;
}

std::uint32_t replaced(std::uint32_t value, std::uint32_t mask, std::uint32_t by) {
  return (value & ~mask) | (by & mask);
}

/// Ones in the bytes of `u` that are undefined in `lane`.
std::uint32_t bits_of(const Undefined& u, unsigned lane) {
  const unsigned bytes = u.in_lane(lane);
  std::uint32_t bits = 0;
  for (unsigned b = 0; b < 4; ++b) bits |= (bytes >> b & 1) * (0xffu << (8 * b));
  return bits;
}

/// Dword `i` of an operand in `lane`, without modifiers.
std::uint32_t dword(const Wave& w, const Source& s, unsigned i, unsigned lane) {
  switch (s.kind) {
  case Source::Kind::vector: return w.vgpr[s.first + std::min<unsigned>(i, s.count - 1u)][lane];
  case Source::Kind::scalar: return w.sgpr[s.first + std::min<unsigned>(i, s.count - 1u)];
  case Source::Kind::constant: return i == 0 ? s.bits32 : static_cast<std::uint32_t>(s.bits64 >> 32);
  default: return 0;
  }
}

/// Calls f(first, count) for the vector registers that `op` reads, last operand first, or writes; where VGPR
/// indexing is on, for those that its operands are moved to.
template <class F> void each_run(const Exec& x, const Op& op, bool written, F f) {
  if ((x.w.mode & mode_gpr_idx_en) != 0 && op.unit == Unit::valu) [[unlikely]] {
    const auto moved = [&](const Source& s, unsigned enable) {
      if (s.kind == Source::Kind::vector)
        f(std::min(vector_index(x, op, s, enable), vector_registers - s.count), unsigned{s.count});
    };
    for (unsigned i = op.sources; !written && i-- > 0;) moved(op.src[i], i);
    for (unsigned i = 0; i < op.results; ++i) moved(op.dst[i], 3);
    return;
  }
  const auto& runs = written ? op.writes : op.reads;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) f(unsigned{run->first}, unsigned{run->count});
}

/// A float is undefined as a whole, though some bytes of it may come out alike in all trials.
Undefined as_floats(Undefined u, unsigned float_bytes, LaneMask mask) {
  const auto join = [&](unsigned first, unsigned count) {
    LaneMask any = 0;
    for (unsigned b = first; b < first + count; ++b) any |= u.byte[b] & mask;
    for (unsigned b = first; b < first + count; ++b) u.byte[b] |= any;
  };
  if (float_bytes == 2) {
    join(0, 2);
    join(2, 2);
  } else if (float_bytes != 0)
    join(0, 4);
  return u;
}

/// The registers that `op` reads or writes, each once.
std::vector<unsigned> registers_of(const Exec& x, const Op& op) {
  std::vector<unsigned> registers;
  for (const bool written : {false, true})
    each_run(x, op, written, [&](unsigned first, unsigned count) {
      for (unsigned reg = first; reg < first + count; ++reg) registers.push_back(reg);
    });
  std::sort(registers.begin(), registers.end());
  registers.erase(std::unique(registers.begin(), registers.end()), registers.end());
  return registers;
}

LaneMask lanes_of(const Exec& x, const Op& op) { return op.any_lane ? ~LaneMask{0} : x.w.exec(); }

bool in(const std::vector<ScalarAccess>& accesses, unsigned reg) {
  return std::any_of(accesses.begin(), accesses.end(), [reg](const ScalarAccess& a) {
    return reg >= a.first && reg < static_cast<unsigned>(a.first) + a.count;
  });
}

} // namespace

Shadow::Concern Shadow::concern(const Exec& x, const Op& op) const {
  // Waits, barriers, messages and the end happen once, and no value changes what they do.
  if (op.unit == Unit::wait || op.unit == Unit::other) return Concern::none;
  const LaneMask mask = lanes_of(x, op);
  const auto vectors = [&](bool written) {
    LaneMask any = 0;
    each_run(x, op, written, [&](unsigned first, unsigned count) { any |= undefined(first, count); });
    return (any & mask) != 0;
  };
  const auto scalars = [&](const std::vector<ScalarAccess>& accesses) {
    for (const ScalarAccess& a : accesses)
      for (unsigned reg = a.first; reg < static_cast<unsigned>(a.first) + a.count; ++reg)
        if (scalar_[reg] != 0) return true;
    return false;
  };
  if (vectors(false)) return Concern::operands;
  if (any_scalar_ && (scc_ || op.unit == Unit::branch || scalars(op.scalar_reads))) return Concern::operands;
  if (!vectors(true) && !(any_scalar_ && scalars(op.scalar_writes))) return Concern::none;
  // What it writes is all defined, if it writes all of it: else what it leaves alone must be told apart.
  const bool partial =
      op.mods.lane == Modifiers::Lane::dpp || op.unit == Unit::salu || (x.w.mode & mode_gpr_idx_en) != 0;
  return partial ? Concern::operands : Concern::results;
}

Origin Shadow::source_of(const Exec& x, const Op& op) {
  Origin found;
  each_run(x, op, false, [&](unsigned first, unsigned count) {
    for (unsigned reg = first; reg < first + count; ++reg)
      if ((any_[reg] & lanes_of(x, op)) != 0) {
        const Origin& o = origin(reg, op);
        if (found.op == nullptr) found = o;
      }
  });
  if (found.op != nullptr || !any_scalar_) return found;
  for (unsigned reg = 0; reg < sreg::count; ++reg)
    if (scalar_[reg] != 0 && in(op.scalar_reads, reg)) return scalar_origin_[reg];
  return scc_ ? scc_origin_ : found;
}

void Shadow::fill(Wave& w, const Op& op, const std::vector<unsigned>& registers, Filling kind) const {
  for (const unsigned reg : registers)
    each_lane(any_[reg], [&](unsigned lane) {
      std::uint32_t& value = w.vgpr[reg][lane];
      value = replaced(value, bits_of(vector_[reg], lane), filling(kind, reg, lane));
    });
  if (any_scalar_)
    for (unsigned reg = 0; reg < sreg::count; ++reg)
      w.sgpr[reg] = replaced(w.sgpr[reg], scalar_[reg], filling(kind, vector_registers + reg, 0));
  if (scc_) w.scc = filling(kind, 0, 0) & 1;
  if (kind != Filling::other_operand || op.sources < 2) return;
  for (unsigned i = 0; i < 2; ++i) {
    const Source &mine = op.src[i], &other = op.src[1 - i];
    for (unsigned n = 0; n < mine.count; ++n) {
      const unsigned reg = mine.first + n;
      if (mine.kind == Source::Kind::scalar)
        w.sgpr[reg] = replaced(w.sgpr[reg], scalar_[reg], dword(w, other, n, 0));
      if (mine.kind == Source::Kind::vector)
        each_lane(any_[reg], [&](unsigned lane) {
          std::uint32_t& value = w.vgpr[reg][lane];
          value = replaced(value, bits_of(vector_[reg], lane), dword(w, other, n, lane));
        });
    }
  }
}

void Shadow::try_values(Exec& x, const Op& op) {
  Wave& w = x.w;
  const std::vector<unsigned> registers = registers_of(x, op);
  const Origin source = source_of(x, op);
  const State before = state_of(w, registers);
  std::optional<State> first;
  Differences found;
  for (const Filling kind : fillings_for(op)) {
    fill(w, op, registers, kind);
    bool stopped = false;
    try {
      op.run(x, op);
    } catch (const StopError&) {
      stopped = true;
    }
    const State after = state_of(w, registers);
    restore(w, registers, before);
    if (stopped) { // what stops the launch whatever the values are does so again when it is executed
      if (op.unit == Unit::branch && source.op != nullptr)
        report_undefined(x, op, source, -1, "a jump's target");
      return;
    }
    if (first)
      found.add(*first, after);
    else
      first = after;
  }

  each_run(x, op, true, [&](unsigned run, unsigned count) {
    for (unsigned reg = run; reg < run + count; ++reg) {
      const auto at = std::lower_bound(registers.begin(), registers.end(), reg) - registers.begin();
      const Undefined u =
          as_floats(found.vectors[static_cast<std::size_t>(at)], op.float_bytes, lanes_of(x, op));
      set_vector(reg, ~LaneMask{0}, u, 0xf, source.op != nullptr ? source : origin_[reg]);
    }
  });
  if (found.at) report_undefined(x, op, source, -1, "a branch's condition");
  if (found.mode) report_undefined(x, op, source, -1, "a value of MODE");
  const LaneMask active = found.scalars[sreg::exec] | static_cast<LaneMask>(found.scalars[sreg::exec + 1])
                                                          << 32;
  if (active != 0) report_undefined(x, op, source, std::countr_zero(active), "an active lane of EXEC");
  found.scalars[sreg::exec] = found.scalars[sreg::exec + 1] = 0; // what it is now is what was chosen

  scc_ = found.scc;
  if (scc_) scc_origin_ = source;
  any_scalar_ = scc_;
  for (unsigned reg = 0; reg < sreg::count; ++reg) {
    const bool kept = found.scalars[reg] == scalar_[reg] && !in(op.scalar_writes, reg);
    set_scalar(reg, found.scalars[reg], kept || source.op == nullptr ? scalar_origin_[reg] : source);
  }
}

} // namespace cts::emulator
