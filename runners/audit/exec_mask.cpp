// EXEC, as far as it is certain to have all lanes. Compilers save EXEC before they narrow it, so scalar pairs
// are followed too: those that hold all lanes, and those that hold at least the lanes that EXEC lacks ("the
// rest"), which an OR gives back.
#include "runners/audit/passes.hpp"
#include "runners/emulator/registers.hpp"

#include <algorithm>
#include <bit>

namespace cts::audit {
namespace {

using codeobject::Operand;
namespace sreg = emulator::sreg;

struct Masks {
  bool exec_full = true;            ///< at a kernel's entry: waves are launched whole
  std::uint64_t full = 0, rest = 0; ///< bit n: the pair of scalars 2n and 2n + 1

  bool join(const Masks& other) {
    const Masks both{exec_full && other.exec_full, full & other.full, rest & other.rest};
    const bool changed = both.exec_full != exec_full || both.full != full || both.rest != rest;
    *this = both;
    return changed;
  }
};

/// A 64-bit scalar operand as a mask.
struct Mask {
  bool is_exec = false, full = false, rest = false;
  std::uint64_t bit = 0; ///< of the pair, 0 for constants and EXEC
};

Mask mask_of(const Masks& m, const Operand& o) {
  Mask mask;
  if (o.kind == Operand::Kind::integer) {
    mask.full = o.value == ~std::uint64_t{0};
    mask.rest = mask.full || m.exec_full;
  } else if (o.kind == Operand::Kind::reg && o.bank == codeobject::Bank::sgpr && o.count == 2) {
    mask.is_exec = o.first == sreg::exec;
    mask.bit = mask.is_exec ? 0 : std::uint64_t{1} << o.first / 2;
    mask.full = mask.is_exec ? m.exec_full : (m.full & mask.bit) != 0;
    mask.rest = mask.full || (m.rest & mask.bit) != 0;
  }
  return mask;
}

void forget(Masks& m, const Effects& e) {
  for (const ScalarAccess& a : e.scalar_writes)
    for (unsigned r = a.first; r < a.first + a.count; ++r) {
      if (r / 2 == sreg::exec / 2)
        m.exec_full = false;
      else if (r < 128) {
        m.full &= ~(std::uint64_t{1} << r / 2);
        m.rest &= ~(std::uint64_t{1} << r / 2);
      }
    }
}

void set(Masks& m, const Mask& to, bool full, bool rest) {
  if (to.is_exec)
    m.exec_full = full;
  else if (to.bit != 0) {
    m.full = full ? m.full | to.bit : m.full & ~to.bit;
    m.rest = full || rest ? m.rest | to.bit : m.rest & ~to.bit;
  }
}

/// D = old EXEC, EXEC = S op EXEC.
void save_exec(Masks& m, std::string_view base, const Mask& d, const Mask& s) {
  const bool old = m.exec_full;
  bool full = false;
  if (base.starts_with("s_and_")) full = old && s.full;
  if (base.starts_with("s_or_")) full = old || s.rest;
  const bool rest = old || (base.starts_with("s_andn2_") && s.rest);
  m.exec_full = full;
  set(m, d, old, rest);
}

/// D = A op B for S_AND, S_OR, S_XOR and S_ANDN2.
void combine(Masks& m, std::string_view base, const Mask& d, const Mask& a, const Mask& b) {
  const bool with_exec = a.is_exec || b.is_exec;
  if (base == "s_and_b64") return set(m, d, a.full && b.full, false);
  if (base == "s_or_b64") {
    const bool full =
        a.full || b.full || (with_exec && a.rest && b.rest) || (a.is_exec && b.rest) || (b.is_exec && a.rest);
    return set(m, d, full, a.rest || b.rest);
  }
  const Mask& other = a.is_exec ? b : a;
  const bool was_full = m.exec_full;
  if (base == "s_xor_b64" && with_exec && !d.is_exec)
    return set(m, d, false, other.full); // all lanes but EXEC's
  set(m, d, false, false);
  if (d.is_exec && with_exec && was_full && other.bit != 0) m.rest |= other.bit; // what EXEC has just lost
}

void step(const Function& f, Masks& m, std::size_t place) {
  const Effects& e = f.effects[place];
  if (e.scalar_writes.empty()) return;
  const auto& operands = f.code[place].operands;
  const bool pair = e.is(Trait::salu) && !operands.empty();
  const Mask d = pair ? mask_of(m, operands[0]) : Mask{};
  const bool two = pair && operands.size() == 2 && (d.is_exec || d.bit != 0);
  const bool three = pair && operands.size() == 3 && (d.is_exec || d.bit != 0);
  if (two && e.base == "s_mov_b64") {
    const Mask s = mask_of(m, operands[1]);
    set(m, d, s.full, s.rest);
  } else if (two && e.base.find("_saveexec_b64") != e.base.npos) {
    save_exec(m, e.base, d, mask_of(m, operands[1]));
  } else if (three && (e.base == "s_and_b64" || e.base == "s_or_b64" || e.base == "s_xor_b64" ||
                       e.base == "s_andn2_b64")) {
    combine(m, e.base, d, mask_of(m, operands[1]), mask_of(m, operands[2]));
  } else {
    forget(m, e);
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
      if (m.exec_full || !f.effects[place].is(Trait::transpose_read)) continue;
      Finding finding = finding_at(f, "transpose-read-partial-exec", place, place);
      finding.severity = Severity::warning;
      finding.source = "CDNA4 ISA 11.4";
      findings.add(std::move(finding));
    }
  }
}

} // namespace cts::audit
