#include "runners/emulator/program.hpp"

#include "runners/emulator/exec.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <unordered_map>

namespace cts::emulator {
namespace {

using codeobject::Bank;
using codeobject::Operand;

using Table = std::unordered_map<std::string_view, Semantics>;

Table make_table(Target target) {
  Table table;
  for (const auto& family :
       {control_semantics(), salu_semantics(), smem_semantics(), valu_semantics(), vmem_semantics(),
        buffer_format_semantics(), lds_semantics(), matrix_semantics(target)})
    for (const Semantics& s : family) table.emplace(s.mnemonic, s);
  return table;
}

const Table& table_of(Target target) {
  static const std::array tables{make_table(Target::gfx942), make_table(Target::gfx950)};
  return tables[static_cast<std::size_t>(target)];
}

void run_refused(Exec& x, const Op& op) {
  stop(x, op, Stop::Kind::unsupported, -1,
       fmt::format("'{}' is not supported by the emulator for {}: {}", op.instruction->mnemonic,
                   name(x.launch.target), op.refusal));
}

void run_past_the_end(Exec& x, const Op& op) {
  stop(x, op, Stop::Kind::bad_code, -1, "execution ran past the last instruction of the code object");
}

/// Instructions of the assembler that no kernel on this emulator can use, by how their names begin.
const char* absence(std::string_view mnemonic) {
  static constexpr std::pair<std::string_view, const char*> reasons[] = {
      {"ds_gws_", "it synchronises workgroups of the whole device (GWS), which run independently here"},
      {"s_rfe_", "it returns from a trap handler, and kernels have none here"},
      {"s_endpgm_ordered_ps_done", "it ends a wave of the graphics pipeline"},
      {"v_screen_partition_",
       "it divides a screen for the graphics pipeline, and the ISA manuals leave it out"},
      {"v_mfma_ld_scale_b32", "it is the first half of V_MFMA_SCALE_* and no instruction alone"},
      {".long", "the disassembler reads no instruction of the target there"},
  };
  for (const auto& [prefix, why] : reasons)
    if (mnemonic.starts_with(prefix)) return why;
  return "no handler executes it";
}

/// Half precision bits of a constant that is exact there, or rounds as the assembler's inline constants do
/// (1/2pi).
std::uint16_t half_bits(double number) { return std::bit_cast<std::uint16_t>(static_cast<_Float16>(number)); }

void set_constant(Source& s, const Operand& o, bool is_signed) {
  s.kind = Source::Kind::constant;
  if (o.kind == Operand::Kind::floating) {
    const bool inv_2pi = std::abs(o.number - 0.15915494) < 1e-7;
    s.bits16 = inv_2pi ? 0x3118 : half_bits(o.number);
    s.bits32 = inv_2pi ? 0x3e22f983u : std::bit_cast<std::uint32_t>(static_cast<float>(o.number));
    s.bits64 = inv_2pi ? 0x3fc45f306dc9c882ull : std::bit_cast<std::uint64_t>(o.number);
    s.bits_f64 = s.bits64;
    return;
  }
  const auto value = static_cast<std::int64_t>(o.value);
  const bool is_inline = (value >= -16 && value <= 64);
  s.bits16 = static_cast<std::uint16_t>(o.value);
  s.bits32 = static_cast<std::uint32_t>(o.value);
  if (is_inline) {
    s.bits64 = o.value;
    s.bits_f64 = o.value;
    return;
  }
  // A 32-bit literal widens by zeros below for floats, by zeros or the sign above for integers. [CDNA3
  // ISA 6.2.1.1]
  s.literal = true;
  s.bits64 = is_signed
                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(s.bits32)))
                 : std::uint64_t{s.bits32};
  s.bits_f64 = static_cast<std::uint64_t>(s.bits32) << 32;
}

/// False when the operand is none that a Source can hold.
bool set_source(Source& s, const Operand& o, bool is_signed) {
  s.negate = o.negate;
  s.absolute = o.absolute;
  s.sext = o.sext;
  switch (o.kind) {
  case Operand::Kind::reg:
    s.kind = o.bank == Bank::sgpr ? Source::Kind::scalar : Source::Kind::vector;
    s.first = static_cast<std::uint16_t>(o.first + (o.bank == Bank::agpr ? first_agpr : 0));
    s.count = o.count;
    return true;
  case Operand::Kind::integer:
  case Operand::Kind::floating: set_constant(s, o, is_signed); return true;
  case Operand::Kind::special: {
    static const std::unordered_map<std::string_view, Source::Kind> words{
        {"src_scc", Source::Kind::scc},
        {"scc", Source::Kind::scc},
        {"src_vccz", Source::Kind::vccz},
        {"vccz", Source::Kind::vccz},
        {"src_execz", Source::Kind::execz},
        {"execz", Source::Kind::execz},
        {"src_shared_base", Source::Kind::shared_base},
        {"src_shared_limit", Source::Kind::shared_limit},
        {"src_private_base", Source::Kind::private_base},
        {"src_private_limit", Source::Kind::private_limit},
    };
    const auto found = words.find(o.word);
    if (found == words.end()) return false;
    s.kind = found->second;
    return true;
  }
  case Operand::Kind::off:
  case Operand::Kind::branch:
  case Operand::Kind::word:
    return true; // stays `none`: the handler reads the instruction where it needs more
  }
  return false;
}

std::uint8_t bit_list(const std::vector<std::int64_t>& values) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < values.size() && i < 8; ++i) bits |= (values[i] != 0 ? 1u : 0u) << i;
  return static_cast<std::uint8_t>(bits);
}

std::uint8_t sdwa_sel(std::string_view word) {
  static constexpr std::array<std::string_view, 7> words{"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                         "WORD_0", "WORD_1", "DWORD"};
  return static_cast<std::uint8_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

/// DPP_CTRL as encoded. [CDNA3 ISA, DPP_CTRL enumeration]
std::optional<std::uint16_t> dpp_control(const codeobject::Modifier& m) {
  const std::int64_t v = m.values.empty() ? 0 : m.values[0];
  const auto code = [](std::int64_t c) { return std::optional(static_cast<std::uint16_t>(c)); };
  if (m.name == "quad_perm" && m.values.size() == 4)
    return code(m.values[0] | m.values[1] << 2 | m.values[2] << 4 | m.values[3] << 6);
  if (m.name == "row_shl") return code(0x100 + v);
  if (m.name == "row_shr") return code(0x110 + v);
  if (m.name == "row_ror") return code(0x120 + v);
  if (m.name == "wave_shl") return code(0x130);
  if (m.name == "wave_rol") return code(0x134);
  if (m.name == "wave_shr") return code(0x138);
  if (m.name == "wave_ror") return code(0x13c);
  if (m.name == "row_mirror") return code(0x140);
  if (m.name == "row_half_mirror") return code(0x141);
  if (m.name == "row_bcast") return code(v == 15 ? 0x142 : 0x143);
  if (m.name == "row_newbcast") return code(0x150 + v);
  return std::nullopt;
}

/// Decodes one modifier. False when the emulator does not know it.
bool set_modifier(Modifiers& mods, const codeobject::Modifier& m) {
  const std::int64_t v = m.values.empty() ? 1 : m.values[0];
  const auto byte = static_cast<std::uint8_t>(v);
  if (m.name == "offset" || m.name == "offset0") {
    if (m.values.empty())
      return m.name == "offset" && !m.word.empty(); // swizzle(...): the encoding's field is used
    mods.offset = static_cast<std::int32_t>(v);
  } else if (m.name == "offset1")
    mods.offset1 = static_cast<std::int32_t>(v);
  else if (m.name == "sc0")
    mods.sc0 = true;
  else if (m.name == "sc1")
    mods.sc1 = true;
  else if (m.name == "nt")
    mods.nt = true;
  else if (m.name == "lds")
    mods.lds = true;
  else if (m.name == "gds")
    mods.gds = true;
  else if (m.name == "offen")
    mods.offen = true;
  else if (m.name == "idxen")
    mods.idxen = true;
  else if (m.name == "clamp")
    mods.clamp = true;
  else if (m.name == "mul")
    mods.omod = v == 2 ? 1 : 2;
  else if (m.name == "div")
    mods.omod = 3;
  else if (m.name == "op_sel")
    mods.op_sel = bit_list(m.values);
  else if (m.name == "op_sel_hi")
    mods.op_sel_hi = bit_list(m.values);
  else if (m.name == "neg_lo")
    mods.neg_lo = bit_list(m.values);
  else if (m.name == "neg_hi")
    mods.neg_hi = bit_list(m.values);
  else if (m.name == "neg")
    mods.blgp = bit_list(m.values);
  else if (m.name == "cbsz")
    mods.cbsz = byte;
  else if (m.name == "abid")
    mods.abid = byte;
  else if (m.name == "blgp")
    mods.blgp = byte;
  else if (m.name == "row_mask")
    mods.row_mask = byte;
  else if (m.name == "bank_mask")
    mods.bank_mask = byte;
  else if (m.name == "bound_ctrl")
    mods.bound_ctrl = true;
  else if (m.name == "dst_sel")
    mods.dst_sel = sdwa_sel(m.word);
  else if (m.name == "src0_sel")
    mods.src_sel[0] = sdwa_sel(m.word);
  else if (m.name == "src1_sel")
    mods.src_sel[1] = sdwa_sel(m.word);
  else if (m.name == "dst_unused")
    mods.dst_unused = m.word == "UNUSED_PRESERVE" ? 2 : m.word == "UNUSED_SEXT" ? 1 : 0;
  else if (m.name == "glc") // of scalar memory: an atomic returns what was there
    mods.sc0 = true;
  else if (m.name == "bitop3" || m.name == "fi" || m.name == "format")
    return true; // their handlers read the encoding
  else if (const auto ctrl = dpp_control(m))
    mods.dpp_ctrl = *ctrl;
  else
    return false;
  return true;
}

/// v_pk_* and v_dot* read high halves by default; the mixed-precision FMAs and everything else do not.
bool packed_by_default(std::string_view base) {
  return base.starts_with("v_pk_") || base.starts_with("v_dot");
}

Role role_of(Unit unit) {
  return unit == Unit::vmem || unit == Unit::flat || unit == Unit::lds ? Role::memory : Role::valu;
}

void note_access(Op& op, const Source& s, bool written) {
  if (s.kind == Source::Kind::vector && s.count > 0)
    (written ? op.writes : op.reads).push_back({s.first, s.count, role_of(op.unit)});
  if (s.kind == Source::Kind::scalar && s.count > 0)
    (written ? op.scalar_writes : op.scalar_reads).push_back({s.first, s.count});
}

} // namespace

void refuse(Op& op, const char* why) {
  op.run = run_refused;
  op.refusal = why;
}

std::string_view base_mnemonic(std::string_view mnemonic) {
  for (const std::string_view suffix : {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"})
    if (mnemonic.ends_with(suffix)) return mnemonic.substr(0, mnemonic.size() - suffix.size());
  return mnemonic;
}

Op bind_op(const codeobject::Instruction& instruction, Target target) {
  Op op;
  op.instruction = &instruction;
  op.pc = instruction.pc;
  if (!instruction.words.empty()) op.simm16 = instruction.words[0] & 0xffff;
  const std::string_view base = base_mnemonic(instruction.mnemonic);
  const auto found = table_of(target).find(base);
  if (found == table_of(target).end()) {
    refuse(op, absence(base));
    return op;
  }
  const Semantics& semantics = found->second;
  op.unit = semantics.unit;
  op.variant = semantics.variant;
  if (instruction.mnemonic.ends_with("_sdwa")) op.mods.lane = Modifiers::Lane::sdwa;
  if (instruction.mnemonic.ends_with("_dpp")) op.mods.lane = Modifiers::Lane::dpp;
  if (packed_by_default(base)) op.mods.op_sel_hi = 7;
  for (const auto& m : instruction.modifiers)
    if (!set_modifier(op.mods, m)) {
      refuse(op, "a modifier that the emulator does not know");
      return op;
    }

  const unsigned results =
      semantics.results_by_modifiers != nullptr ? semantics.results_by_modifiers(op.mods) : semantics.results;
  const auto& operands = instruction.operands;
  const bool is_signed = base.find("_i64") != std::string_view::npos;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool result = i < results;
    if (!result && op.sources == max_sources) {
      refuse(op, "more operands than an op holds");
      return op;
    }
    Source& s = result ? op.dst[op.results++] : op.src[op.sources++];
    if (!set_source(s, operands[i], is_signed)) {
      refuse(op, "an operand that the emulator does not know");
      return op;
    }
    note_access(op, s, result);
    if (result && semantics.reads_result) note_access(op, s, false);
  }
  for (const auto* accesses : {&op.reads, &op.writes})
    for (const VectorAccess& a : *accesses) {
      const unsigned end = a.first + a.count;
      std::uint16_t& need = a.first >= first_agpr ? op.agprs : op.vgprs;
      need = std::max(need, static_cast<std::uint16_t>(a.first >= first_agpr ? end - first_agpr : end));
    }
  bind_shadow(op, base);
  op.run = semantics.run;
  if (base == "s_nop") op.wait_states = static_cast<std::uint16_t>((op.simm16 & 15) + 1);
  if (semantics.bind != nullptr) semantics.bind(op, target);
  return op;
}

Program::Program(const codeobject::CodeObject& code, Target target) {
  ops_.reserve(code.instructions.size() + 1);
  for (const auto& instruction : code.instructions) ops_.push_back(bind_op(instruction, target));
  static const codeobject::Instruction nothing{};
  Op end;
  end.run = run_past_the_end;
  end.instruction = &nothing;
  end.pc = ops_.empty() ? 0 : ops_.back().pc + ops_.back().instruction->size;
  ops_.push_back(end);

  const auto last = static_cast<std::uint32_t>(ops_.size() - 1);
  for (std::uint32_t i = 0; i < last; ++i) {
    Op& op = ops_[i];
    // A gap (padding that the listing leaves out, another section) is no fall-through.
    op.next = ops_[i + 1].pc == op.pc + op.instruction->size ? i + 1 : last;
    for (const auto& operand : op.instruction->operands)
      if (operand.kind == Operand::Kind::branch) op.target = find(operand.value).value_or(last);
  }
  ops_[last].next = last;
}

std::optional<std::uint32_t> Program::find(std::uint64_t pc) const {
  const auto at = std::lower_bound(ops_.begin(), ops_.end() - 1, pc,
                                   [](const Op& op, std::uint64_t p) { return op.pc < p; });
  if (at == ops_.end() - 1 || at->pc != pc) return std::nullopt;
  return static_cast<std::uint32_t>(at - ops_.begin());
}

} // namespace cts::emulator
