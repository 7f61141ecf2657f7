#include "runners/audit/effects.hpp"

#include "runners/audit/pairs.hpp"
#include "runners/emulator/program.hpp"
#include "runners/emulator/registers.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace cts::audit {
namespace {

using codeobject::Instruction;
using emulator::Op;
using emulator::Source;
namespace sreg = emulator::sreg;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <std::size_t N> bool begins(std::string_view text, const std::array<std::string_view, N>& with) {
  return std::ranges::any_of(with, [&](std::string_view w) { return text.starts_with(w); });
}

/// What a mnemonic says, found once for each.
struct Named {
  std::string base;
  Traits traits;
  const reference::Instruction* matrix = nullptr;
};

constexpr std::array<std::string_view, 4> vector_memory{"buffer_", "tbuffer_", "global_", "scratch_"};
constexpr std::array<std::string_view, 6> scalar_memory{"s_load_",  "s_buffer_", "s_scratch_",
                                                        "s_store_", "s_atomic_", "s_mem"};
constexpr std::array<std::string_view, 9> not_salu{
    "s_waitcnt", "s_nop", "s_barrier", "s_endpgm", "s_sleep", "s_branch", "s_cbranch", "s_sendmsg", "s_trap"};
/// Data of more than 64 bits in one instruction, of those that Table 11 lists.
constexpr std::array<std::string_view, 6> wide_data{"_store_dwordx3",     "_store_dwordx4",
                                                    "_store_format_xyz",  "_store_format_xyzw",
                                                    "_atomic_cmpswap_x2", "_atomic_fcmpswap_x2"};

void add_vector_traits(Traits& t, std::string_view base) {
  t.add(Trait::valu);
  t.add(Trait::mfma, base.starts_with("v_mfma") || base.starts_with("v_smfmac"));
  t.add(Trait::dot, base.starts_with("v_dot"));
  t.add(Trait::trans, std::ranges::find(reference::transcendental_mnemonics(), base) !=
                          reference::transcendental_mnemonics().end());
  t.add(Trait::cmpx, base.starts_with("v_cmpx"));
  t.add(Trait::readlane, base.starts_with("v_readlane"));
  t.add(Trait::readfirstlane, base.starts_with("v_readfirstlane"));
  t.add(Trait::writelane, base.starts_with("v_writelane"));
  t.add(Trait::permlane, base.starts_with("v_permlane"));
  t.add(Trait::div_fmas, base.starts_with("v_div_fmas"));
  t.add(Trait::narrow_convert,
        base.starts_with("v_cvt_") && base.ends_with("_f32") &&
            (contains(base, "_fp8_") || contains(base, "_bf8_") || contains(base, "_fp4_")));
}

void add_memory_traits(Traits& t, std::string_view base) {
  t.add(Trait::lds_dma, contains(base, "_load_lds_"));
  t.add(Trait::wide_store,
        std::ranges::any_of(wide_data, [&](std::string_view w) { return base.ends_with(w); }));
}

void add_lds_traits(Traits& t, std::string_view base) {
  t.add(Trait::lds);
  t.add(Trait::gds, base.starts_with("ds_gws_"));
  constexpr std::array<std::string_view, 5> elsewhere{"ds_permute", "ds_bpermute", "ds_swizzle", "ds_nop",
                                                      "ds_gws_"};
  if (begins(base, elsewhere)) return;
  t.add(Trait::lds_read, !base.starts_with("ds_write"));
  t.add(Trait::lds_write, !base.starts_with("ds_read"));
  t.add(Trait::lds_add_tid, contains(base, "addtid"));
  t.add(Trait::transpose_read, base.starts_with("ds_read_") && contains(base, "_tr_"));
}

void add_scalar_traits(Traits& t, std::string_view base) {
  t.add(Trait::barrier, base == "s_barrier");
  t.add(Trait::wait, base == "s_waitcnt");
  t.add(Trait::conditional, base.starts_with("s_cbranch"));
  t.add(Trait::branch, base == "s_branch" || base.starts_with("s_cbranch"));
  t.add(Trait::end, base.starts_with("s_endpgm"));
  t.add(Trait::set_pc, base == "s_setpc_b64" || base.starts_with("s_rfe"));
  t.add(Trait::rfe, base.starts_with("s_rfe"));
  t.add(Trait::call, base == "s_swappc_b64" || base == "s_call_b64");
  t.add(Trait::setreg, base.starts_with("s_setreg"));
  t.add(Trait::getreg, base.starts_with("s_getreg"));
  t.add(Trait::setvskip, base.starts_with("s_setvskip") || base.starts_with("s_set_vskip"));
  t.add(Trait::sendmsg, base.starts_with("s_sendmsg"));
  t.add(Trait::movrel, base.starts_with("s_movrel"));
  t.add(Trait::smem, begins(base, scalar_memory));
  t.add(Trait::salu, !t.has(Trait::smem) && !begins(base, not_salu));
}

Named name_facts(std::string_view mnemonic) {
  Named named{std::string(emulator::base_mnemonic(mnemonic)), {}, nullptr};
  const std::string_view base = named.base;
  Traits& t = named.traits;
  if (base.starts_with("v_"))
    add_vector_traits(t, base);
  else if (base.starts_with("s_"))
    add_scalar_traits(t, base);
  else if (base.starts_with("ds_"))
    add_lds_traits(t, base);
  else if (base.starts_with("flat_") || begins(base, vector_memory)) {
    t.add(Trait::vmem);
    t.add(Trait::flat, base.starts_with("flat_"));
    add_memory_traits(t, base);
  } else {
    t.add(Trait::no_instruction);
  }
  t.add(Trait::dpp, mnemonic.ends_with("_dpp"));
  if (t.has(Trait::mfma)) {
    const bool scaled = base.starts_with("v_mfma_scale_");
    const std::string plain = scaled ? "v_mfma_" + std::string(base.substr(13)) : named.base;
    for (const reference::Instruction& row : reference::instructions())
      if (row.mnemonic == plain) named.matrix = &row;
  }
  return named;
}

/// `mnemonic` must live as long as the process, as those of instructions do.
const Named& facts_of(std::string_view mnemonic) {
  thread_local std::unordered_map<std::string_view, Named> known;
  const auto found = known.find(mnemonic);
  return found != known.end() ? found->second : known.emplace(mnemonic, name_facts(mnemonic)).first->second;
}

/// Passes of a matrix instruction, by its formats where they decide.
int passes_of(const reference::Instruction& row, const Op& op, Target target) {
  if (!reference::exists_on(row, target)) return 16;
  if (row.kind != reference::Kind::f8f6f4) return reference::passes(row, target);
  if (op.mods.cbsz > 4 || op.mods.blgp > 4) return reference::passes(row, target);
  return reference::passes(reference::with_formats(row, reference::f8f6f4_format(op.mods.cbsz),
                                                   reference::f8f6f4_format(op.mods.blgp)),
                           target);
}

/// The bits of VOP3's OPSEL that move the result: bit 14 for halves, bits 13 and 14 where a byte or a part of
/// packed results is chosen. VOP3P and the forms with a scalar result use the bits otherwise.
bool opsel_moves_result(const Effects& e) {
  const auto& words = e.instruction->words;
  if (words.size() != 2 || words[0] >> 26 != 0x34 || words[0] >> 23 == 0x1a7) return false;
  if (!e.scalar_writes.empty()) return false;
  constexpr std::array<std::string_view, 4> to_one_byte{"v_cvt_sr_fp8", "v_cvt_sr_bf8",
                                                        "v_cvt_scalef32_sr_fp8", "v_cvt_scalef32_sr_bf8"};
  const bool chooses_byte =
      begins(e.base, to_one_byte) || (e.base.starts_with("v_cvt_scalef32_") && contains(e.base, "_fp4_") &&
                                      !contains(e.base, "f32_fp4") && !contains(e.base, "16_fp4"));
  return (words[0] >> 14 & 1) != 0 || (chooses_byte && (words[0] >> 13 & 1) != 0);
}

/// Registers by the operands' order, of what the emulator does not bind: the first one is the result of a
/// load or vector op.
void guess_accesses(Effects& e) {
  e.by_order = true;
  const Role role = e.is(Trait::vmem) || e.is(Trait::lds) ? Role::memory : Role::valu;
  const bool store = contains(e.base, "store") || contains(e.base, "write");
  for (std::size_t n = 0; n < e.instruction->operands.size(); ++n) {
    const auto& o = e.instruction->operands[n];
    if (o.kind != codeobject::Operand::Kind::reg) continue;
    const bool written = n == 0 && !(role == Role::memory && store);
    if (o.bank == codeobject::Bank::sgpr) {
      (written ? e.scalar_writes : e.scalar_reads).push_back({o.first, o.count});
      continue;
    }
    VectorAccess access = vector_access(o).value();
    access.role = role;
    (written ? e.writes : e.reads).push_back(access);
  }
}

bool has_carry_in(std::string_view base) {
  constexpr std::array<std::string_view, 4> prefixes{"v_cndmask", "v_addc_", "v_subb_", "v_subbrev_"};
  return begins(base, prefixes);
}

/// Which of a VALU op's scalars are what.
void sort_scalars(Effects& e, const Op& op) {
  e.constants = e.scalar_reads;
  const auto take = [&](const Source& s, std::vector<ScalarAccess>& into) {
    if (s.kind != Source::Kind::scalar) return;
    const auto at =
        std::ranges::find_if(e.constants, [&](const ScalarAccess& a) { return a.first == s.first; });
    if (at == e.constants.end()) return;
    into.push_back(*at);
    e.constants.erase(at);
  };
  if (op.sources == 0) return;
  if (has_carry_in(e.base)) take(op.src[op.sources - 1], e.carries);
  if ((e.is(Trait::readlane) || e.is(Trait::writelane)) && op.sources > 1) take(op.src[1], e.lane_selects);
  if (e.is(Trait::div_fmas)) {
    std::erase_if(e.constants, [](const ScalarAccess& a) { return a.first == sreg::vcc; });
    e.carries.push_back({sreg::vcc, 2});
  }
}

void find_dot_operands(Effects& e, const Op& op) {
  const auto access = [](const Source& s) { return VectorAccess{s.first, s.count, Role::valu}; };
  const Source& c = op.sources > 2 ? op.src[2] : op.dst[0];
  if (c.kind == Source::Kind::vector) e.dot_c = access(c);
  for (unsigned n = 0; n < std::min<unsigned>(op.sources, 2); ++n)
    if (op.src[n].kind == Source::Kind::vector) e.dot_ab.push_back(access(op.src[n]));
}

void add_operand_traits(Effects& e, const Op& op) {
  for (const auto& o : e.instruction->operands)
    e.traits.add(Trait::reads_z_flags, o.kind == codeobject::Operand::Kind::special &&
                                           (contains(o.word, "vccz") || contains(o.word, "execz")));
  e.traits.add(Trait::lds_dma, e.is(Trait::vmem) && op.mods.lds);
  e.traits.add(Trait::gds, op.mods.gds);
  if (op.mods.lane == emulator::Modifiers::Lane::sdwa) {
    constexpr auto byte_0 = 0, word_0 = 4, dword = 6; // [ISA, SDWA: DST_SEL]
    const bool low = op.mods.dst_sel == byte_0 || op.mods.dst_sel == word_0;
    e.traits.add(Trait::writes_low_part, low);
    e.traits.add(Trait::moves_result, !low && op.mods.dst_sel != dword);
  }
  e.traits.add(Trait::moves_result, e.is(Trait::valu) && !e.is(Trait::mfma) && opsel_moves_result(e));
}

/// How many wait states later something may still have to wait for it.
unsigned horizon_of(const Effects& e) {
  constexpr unsigned of_others = 5, of_f64 = 19, beyond_passes = 4;
  if (e.matrix.row == nullptr)
    return e.first_rows != 0 || (e.is(Trait::valu) && !e.writes.empty()) ? of_others : 0;
  if (e.matrix.row->unit == reference::Unit::dgemm) return of_f64;
  return static_cast<unsigned>(e.matrix.passes) + beyond_passes;
}

Effects effects_of(const Instruction& i, Target target) {
  Effects e;
  e.instruction = &i;
  const Named& named = facts_of(i.mnemonic);
  e.base = named.base;
  e.traits = named.traits;
  if (!i.words.empty()) e.simm16 = i.words[0] & 0xffff;
  if (e.is(Trait::no_instruction)) return e;
  Op op = emulator::bind_op(i, target);
  e.wait_states = op.wait_states;
  e.reads = std::move(op.reads);
  e.writes = std::move(op.writes);
  e.scalar_reads = std::move(op.scalar_reads);
  e.scalar_writes = std::move(op.scalar_writes);
  const bool nothing_bound =
      e.reads.empty() && e.writes.empty() && e.scalar_reads.empty() && e.scalar_writes.empty();
  if (op.refusal != nullptr && nothing_bound) guess_accesses(e);
  if (e.is(Trait::cmpx) && !overlap(e.scalar_writes, {ScalarAccess{sreg::exec, 2}}))
    e.scalar_writes.push_back({sreg::exec, 2});
  if (named.matrix != nullptr) e.matrix = {named.matrix, passes_of(*named.matrix, op, target)};
  add_operand_traits(e, op);
  if (e.is(Trait::valu)) sort_scalars(e, op);
  if (e.is(Trait::dot)) find_dot_operands(e, op);
  if (e.is(Trait::setreg) || e.is(Trait::getreg)) e.hardware_register = e.simm16 & 63;
  find_rows(e, target);
  e.horizon = horizon_of(e);
  return e;
}

} // namespace

std::optional<VectorAccess> vector_access(const codeobject::Operand& operand) {
  if (operand.kind != codeobject::Operand::Kind::reg || operand.bank == codeobject::Bank::sgpr)
    return std::nullopt;
  const auto base = operand.bank == codeobject::Bank::agpr ? emulator::first_agpr : 0;
  return VectorAccess{static_cast<std::uint16_t>(operand.first + base), operand.count, Role::valu};
}

std::vector<Effects> effects_of(std::span<const Instruction> code, Target target) {
  std::vector<Effects> all;
  all.reserve(code.size());
  for (const Instruction& i : code) all.push_back(effects_of(i, target));
  return all;
}

} // namespace cts::audit
