// EXEC, as far as it is certain to have all lanes. Compilers save EXEC before they narrow it, so scalar pairs
// are followed too: those that hold all lanes, and those that hold at least the lanes that EXEC lacks ("the
// rest"), which an OR gives back. Constants that lack lanes are followed as well: with one in EXEC there is
// no doubt.
#include "runners/audit/passes.hpp"
#include "runners/emulator/registers.hpp"

#include <algorithm>
#include <bitset>

namespace cts::audit {
namespace {

using codeobject::Operand;
namespace sreg = emulator::sreg;

/// A bit for each scalar register. Compilers write masks as pairs, people also half by half.
using Scalars = std::bitset<128>;

struct Masks {
  Scalars full, rest; ///< on every way; EXEC is among them
  Scalars lacking;    ///< on some way a constant that lacks lanes

  Masks() { full[sreg::exec] = full[sreg::exec + 1] = true; } // at a kernel's entry: waves are launched whole
  bool exec_full() const { return full[sreg::exec] && full[sreg::exec + 1]; }
  bool exec_lacking() const { return lacking[sreg::exec] || lacking[sreg::exec + 1]; }

  bool join(const Masks& other) {
    const Masks before = *this;
    full &= other.full;
    rest &= other.rest;
    lacking |= other.lacking;
    return full != before.full || rest != before.rest || lacking != before.lacking;
  }
};

constexpr std::uint32_t all_ones = ~std::uint32_t{0};

/// Something about the low and the high half of a mask.
using Halves = std::array<bool, 2>;

Halves full_halves(std::uint64_t mask) {
  return {static_cast<std::uint32_t>(mask) == all_ones, static_cast<std::uint32_t>(mask >> 32) == all_ones};
}
/// With EXEC = 0 nothing is done that could go wrong.
Halves lacking_halves(std::uint64_t mask) {
  const Halves full = full_halves(mask);
  return {mask != 0 && !full[0], mask != 0 && !full[1]};
}

/// A 64-bit scalar operand as a mask.
struct Mask {
  bool is_exec = false, full = false, rest = false;
  Halves lacking{};
  std::size_t first = none; ///< of the pair; EXEC has one too

  static constexpr std::size_t none = 128;
  bool is_pair() const { return first != none; }
};

Mask mask_of(const Masks& m, const Operand& o) {
  Mask mask;
  if (o.kind == Operand::Kind::integer) {
    mask.full = o.value == ~std::uint64_t{0};
    mask.rest = mask.full || m.exec_full();
    mask.lacking = lacking_halves(o.value);
  } else if (o.kind == Operand::Kind::reg && o.bank == codeobject::Bank::sgpr && o.count == 2 &&
             o.first + 1u < Mask::none) {
    mask.first = o.first;
    mask.is_exec = o.first == sreg::exec;
    mask.full = m.full[o.first] && m.full[o.first + 1u];
    mask.rest = mask.full || (m.rest[o.first] && m.rest[o.first + 1u]);
    mask.lacking = {m.lacking[o.first], m.lacking[o.first + 1u]};
  }
  return mask;
}

void forget(Masks& m, const Effects& e) {
  for (const ScalarAccess& a : e.scalar_writes)
    for (std::size_t r = a.first; r < a.first + a.count && r < Mask::none; ++r)
      m.full[r] = m.rest[r] = m.lacking[r] = false;
}

void set(Masks& m, const Mask& to, bool full, bool rest) {
  for (const std::size_t r : {to.first, to.first + 1}) {
    m.full[r] = full;
    m.rest[r] = full || (rest && !to.is_exec);
    m.lacking[r] = false;
  }
}

void set_lacking(Masks& m, const Mask& to, const Halves& a, const Halves& b = {}) {
  for (const std::size_t half : {0u, 1u}) m.lacking[to.first + half] = a[half] || b[half];
}

/// The mask that the instruction moves into a pair, where the code shows it.
std::optional<std::uint64_t> constant_of(const Effects& e, const std::vector<Operand>& operands) {
  const auto integer = [&](std::size_t n) { return operands[n].kind == Operand::Kind::integer; };
  if (e.base == "s_mov_b64" && operands.size() == 2 && integer(1)) return operands[1].value;
  if (e.base != "s_bfm_b64" || operands.size() != 3 || !integer(1) || !integer(2)) return std::nullopt;
  return ((std::uint64_t{1} << (operands[1].value & 63)) - 1) << (operands[2].value & 63);
}

void set_constant(Masks& m, const Mask& d, std::uint64_t value) {
  const bool full = value == ~std::uint64_t{0};
  set(m, d, full, full || m.exec_full());
  for (const std::size_t half : {0u, 1u}) m.full[d.first + half] = full_halves(value)[half];
  set_lacking(m, d, lacking_halves(value));
}

constexpr Mask exec_mask{.is_exec = true, .first = sreg::exec};

/// D = old EXEC, EXEC = S op EXEC.
void save_exec(Masks& m, std::string_view base, const Mask& d, const Mask& s) {
  const bool old = m.exec_full();
  bool full = false;
  if (base.starts_with("s_and_")) full = old && s.full;
  if (base.starts_with("s_or_")) full = old || s.rest;
  const bool rest = old || (base.starts_with("s_andn2_") && s.rest);
  const Halves lacking{m.lacking[sreg::exec], m.lacking[sreg::exec + 1]};
  set(m, exec_mask, full, false);
  if (base.starts_with("s_and_")) set_lacking(m, exec_mask, lacking, s.lacking);
  set(m, d, old, rest);
  set_lacking(m, d, lacking);
}

/// D = A op B for S_AND, S_OR, S_XOR and S_ANDN2.
void combine(Masks& m, std::string_view base, const Mask& d, const Mask& a, const Mask& b) {
  const bool with_exec = a.is_exec || b.is_exec;
  if (base == "s_and_b64") {
    set(m, d, a.full && b.full, false);
    return set_lacking(m, d, a.lacking, b.lacking);
  }
  if (base == "s_or_b64") {
    const bool full =
        a.full || b.full || (with_exec && a.rest && b.rest) || (a.is_exec && b.rest) || (b.is_exec && a.rest);
    return set(m, d, full, a.rest || b.rest);
  }
  const Mask& other = a.is_exec ? b : a;
  const bool was_full = m.exec_full();
  if (base == "s_xor_b64" && with_exec && !d.is_exec)
    return set(m, d, false, other.full); // all lanes but EXEC's
  set(m, d, false, false);
  if (d.is_exec && with_exec && was_full && other.is_pair() && !other.is_exec) // what EXEC has just lost
    m.rest[other.first] = m.rest[other.first + 1] = true;
}

/// All ones in 32 bits.
bool is_full_half(const Masks& m, const Operand& o) {
  if (o.kind == Operand::Kind::integer) return static_cast<std::uint32_t>(o.value) == all_ones;
  return o.kind == Operand::Kind::reg && o.bank == codeobject::Bank::sgpr && o.first < Mask::none &&
         m.full[o.first];
}

/// A constant of 32 bits with a zero.
bool is_lacking_half(const Masks& m, const Operand& o) {
  if (o.kind == Operand::Kind::integer) return !is_full_half(m, o);
  return o.kind == Operand::Kind::reg && o.bank == codeobject::Bank::sgpr && o.first < Mask::none &&
         m.lacking[o.first];
}

void step(const Function& f, Masks& m, std::size_t place) {
  const Effects& e = f.effects[place];
  if (e.scalar_writes.empty()) return;
  const auto& operands = f.code[place].operands;
  const bool pair = e.is(Trait::salu) && !operands.empty();
  const Mask d = pair ? mask_of(m, operands[0]) : Mask{};
  const bool two = d.is_pair() && operands.size() == 2, three = d.is_pair() && operands.size() == 3;
  if (const auto value = d.is_pair() ? constant_of(e, operands) : std::nullopt) {
    set_constant(m, d, *value);
  } else if (two && e.base == "s_mov_b64") {
    const Mask s = mask_of(m, operands[1]);
    set(m, d, s.full, s.rest);
    set_lacking(m, d, s.lacking);
  } else if (two && e.base.find("_saveexec_b64") != e.base.npos) {
    save_exec(m, e.base, d, mask_of(m, operands[1]));
  } else if (three && (e.base == "s_and_b64" || e.base == "s_or_b64" || e.base == "s_xor_b64" ||
                       e.base == "s_andn2_b64")) {
    combine(m, e.base, d, mask_of(m, operands[1]), mask_of(m, operands[2]));
  } else {
    forget(m, e);
    if (!pair || e.base != "s_mov_b32" || operands[0].first >= Mask::none) return;
    m.full[operands[0].first] = is_full_half(m, operands[1]);
    m.lacking[operands[0].first] = is_lacking_half(m, operands[1]);
  }
}

} // namespace

void audit_exec_mask(const Function& f, Findings& findings) {
  if (std::ranges::none_of(f.effects, [](const Effects& e) { return e.is(Trait::transpose_read); })) return;
  const auto in = solve<Masks>(f, [&](Masks& m, std::size_t place) { step(f, m, place); });
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    if (!in[b]) continue;
    Masks m = *in[b];
    for (std::size_t place = f.blocks[b].begin; place < f.blocks[b].end; step(f, m, place++)) {
      if (m.exec_full() || !f.effects[place].is(Trait::transpose_read)) continue;
      Finding finding = finding_at(f, "transpose-read-partial-exec", place, place);
      finding.severity = m.exec_lacking() ? Severity::error : Severity::warning;
      finding.source = m.exec_lacking() ? "CDNA4 ISA 11.4; EXEC is a constant that lacks lanes"
                                        : "CDNA4 ISA 11.4; EXEC is not known";
      findings.add(std::move(finding));
    }
  }
}

} // namespace cts::audit
