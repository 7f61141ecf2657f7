#include "runners/audit/pairs.hpp"

#include "runners/emulator/registers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>

namespace cts::audit {
namespace {

using reference::First;
using reference::Overlap;
using reference::Second;
namespace sreg = emulator::sreg;

constexpr std::string_view llvm_source = "LLVM 22, GCNHazardRecognizer";

// ---- Table 11
// -----------------------------------------------------------------------------------------------

constexpr ScalarAccess exec{sreg::exec, 2}, vcc{sreg::vcc, 2}, m0{sreg::m0, 1};

bool writes(const Effects& e, const ScalarAccess& what) {
  return std::ranges::any_of(e.scalar_writes, [&](const ScalarAccess& a) { return overlap(a, what); });
}
bool constants(const Effects& e, const ScalarAccess& what) {
  return std::ranges::any_of(e.constants, [&](const ScalarAccess& a) { return overlap(a, what); });
}
/// VALU but no MFMA: the table of matrix instructions has rows of its own for those.
bool plain_valu(const Effects& e) { return e.is(Trait::valu) && !e.is(Trait::mfma); }
bool valu_vgpr(const Effects& e) { return plain_valu(e) && !e.writes.empty(); }
/// As valu_sgpr, V_CMPX's mask included: EXEC has rows of its own.
bool valu_sgpr_or_mask(const Effects& e) {
  return plain_valu(e) &&
         std::ranges::any_of(e.scalar_writes, [](const ScalarAccess& a) { return !overlap(a, exec); });
}
bool valu_sgpr(const Effects& e) { return plain_valu(e) && !e.scalar_writes.empty() && !e.is(Trait::cmpx); }
bool valu_exec(const Effects& e) { return plain_valu(e) && writes(e, exec); }
bool vector_op(const Effects& e) { return e.is(Trait::valu) || e.is(Trait::vmem) || e.is(Trait::lds); }
bool salu_m0(const Effects& e) { return e.is(Trait::salu) && writes(e, m0); }
bool plain_vmem(const Effects& e) { return e.is(Trait::vmem); }

constexpr unsigned register_mode = 1, register_trapsts = 3, vskip_bit = 28;

/// The field of S_SETREG: offset in bits 10:6, size - 1 in bits 15:11 of the immediate.
bool sets_vskip(const Effects& e) {
  const unsigned offset = e.simm16 >> 6 & 31, size = (e.simm16 >> 11 & 31) + 1;
  return e.is(Trait::setreg) && e.hardware_register == register_mode && offset <= vskip_bit &&
         vskip_bit < offset + size;
}

/// Buffers that take their offset from an SGPR need no wait.
bool wide_store(const Effects& e) {
  if (!e.is(Trait::wide_store)) return false;
  const auto& operands = e.instruction->operands;
  const bool buffer = e.base.starts_with("buffer_") || e.base.starts_with("tbuffer_");
  return !buffer || operands.empty() || operands.back().kind != codeobject::Operand::Kind::reg;
}
/// The data of a wide store are its widest VGPR operand: addresses have one or two.
bool overwrites_data(const Effects& store, const Effects& e) {
  return std::ranges::any_of(
      store.reads, [&](const VectorAccess& data) { return data.count > 2 && overlap({data}, e.writes); });
}

/// EXEC aside, of which V_CMPX has rows of its own.
bool shares_sgpr(const std::vector<ScalarAccess>& written, const std::vector<ScalarAccess>& read) {
  return std::ranges::any_of(written,
                             [&](const ScalarAccess& w) { return !overlap(w, exec) && overlap({w}, read); });
}
bool vgprs(const Effects& f, const Effects& s) { return overlap(f.writes, s.reads); }
/// To LLVM a DPP op reads its result too, as if it always kept some lanes.
bool vgprs_or_result(const Effects& f, const Effects& s) {
  return vgprs(f, s) || overlap(f.writes, s.writes);
}
bool always(const Effects&, const Effects&) { return true; }
bool same_register(const Effects& f, const Effects& s) { return f.hardware_register == s.hardware_register; }
bool lane_op(const Effects& e) {
  return e.is(Trait::readlane) || e.is(Trait::readfirstlane) || e.is(Trait::writelane);
}

/// A row of Table 11 as code: which instruction may come first, which second, and whether a given two have to
/// do with each other.
struct Check {
  std::string_view id;
  bool (*first)(const Effects&);
  bool (*second)(const Effects&);
  bool (*concern)(const Effects& first, const Effects& second);
  bool of_scalars = false; ///< the second has to read what the first wrote into scalars
  bool (*llvm)(const Effects& first,
               const Effects& second) = nullptr; ///< where LLVM takes other pairs to be concerned
};

// clang-format off
constexpr Check checks[] = {
    {"setreg_getreg", [](const Effects& e) { return e.is(Trait::setreg); }, [](const Effects& e) { return e.is(Trait::getreg); }, same_register},
    {"setreg_setreg", [](const Effects& e) { return e.is(Trait::setreg); }, [](const Effects& e) { return e.is(Trait::setreg); }, same_register},
    {"vskip_getreg", [](const Effects& e) { return e.is(Trait::setvskip); }, [](const Effects& e) { return e.is(Trait::getreg) && e.hardware_register == register_mode; }, always},
    {"setreg_vskip_vector", sets_vskip, vector_op, always},
    {"valu_vcc_exec_z", [](const Effects& e) { return plain_valu(e) && (writes(e, vcc) || writes(e, exec)); }, [](const Effects& e) { return e.is(Trait::valu) && e.is(Trait::reads_z_flags); }, always},
    {"valu_sgpr_lane_select", valu_sgpr, [](const Effects& e) { return !e.lane_selects.empty(); }, [](const Effects& f, const Effects& s) { return overlap(f.scalar_writes, s.lane_selects); }, true},
    {"valu_vcc_div_fmas", [](const Effects& e) { return plain_valu(e) && writes(e, vcc); }, [](const Effects& e) { return e.is(Trait::div_fmas); }, always},
    {"wide_store_write", wide_store, [](const Effects& e) { return !e.is(Trait::valu) && !e.writes.empty(); }, overwrites_data},
    {"wide_store_valu_write", wide_store, [](const Effects& e) { return e.is(Trait::valu) && !e.writes.empty(); }, overwrites_data},
    {"valu_sgpr_vmem", [](const Effects& e) { return plain_valu(e) && !e.scalar_writes.empty(); }, plain_vmem, [](const Effects& f, const Effects& s) { return overlap(f.scalar_writes, s.scalar_reads); }, true},
    {"salu_m0_sendmsg", salu_m0, [](const Effects& e) { return e.is(Trait::sendmsg); }, always},
    {"salu_m0_gds", salu_m0, [](const Effects& e) { return e.is(Trait::gds); }, always},
    {"valu_vgpr_dpp", valu_vgpr, [](const Effects& e) { return e.is(Trait::dpp); }, vgprs, false, vgprs_or_result},
    {"valu_exec_vmem", valu_exec, plain_vmem, always, true},
    {"valu_exec_dpp", valu_exec, [](const Effects& e) { return e.is(Trait::dpp); }, always, true},
    {"setreg_trapsts_rfe", [](const Effects& e) { return e.is(Trait::setreg) && e.hardware_register == register_trapsts; }, [](const Effects& e) { return e.is(Trait::rfe); }, always},
    {"salu_m0_lds", salu_m0, [](const Effects& e) { return e.is(Trait::lds_add_tid) || e.is(Trait::lds_dma); }, always},
    {"salu_m0_movrel", salu_m0, [](const Effects& e) { return e.is(Trait::movrel); }, always},
    {"valu_sgpr_constant", valu_sgpr_or_mask, [](const Effects& e) { return plain_valu(e) && !e.constants.empty(); }, [](const Effects& f, const Effects& s) { return shares_sgpr(f.scalar_writes, s.constants); }, true},
    {"valu_sgpr_carry", valu_sgpr_or_mask, [](const Effects& e) { return !e.carries.empty() && !e.is(Trait::div_fmas); }, [](const Effects& f, const Effects& s) { return shares_sgpr(f.scalar_writes, s.carries); }, true},
    {"cmpx_constant", [](const Effects& e) { return e.is(Trait::cmpx); }, [](const Effects& e) { return e.is(Trait::valu) && constants(e, exec); }, always, true},
    {"cmpx_lane", [](const Effects& e) { return e.is(Trait::cmpx); }, lane_op, always, true},
    {"valu_vgpr_readlane", valu_vgpr, [](const Effects& e) { return e.is(Trait::readlane); }, vgprs},
    {"valu_vgpr_readfirstlane", valu_vgpr, [](const Effects& e) { return e.is(Trait::readfirstlane); }, vgprs},
    {"cvt_parts", [](const Effects& e) { return e.is(Trait::narrow_convert); }, [](const Effects& e) { return e.is(Trait::narrow_convert); }, [](const Effects& f, const Effects& s) { return overlap(f.writes, s.writes); }, false, [](const Effects& f, const Effects& s) { return f.is(Trait::moves_result) && overlap(f.writes, s.writes); }},
    {"opsel_sdwa", [](const Effects& e) { return e.is(Trait::moves_result) || e.is(Trait::writes_low_part); }, [](const Effects& e) { return plain_valu(e); }, [](const Effects& f, const Effects& s) { return f.is(Trait::moves_result) && vgprs(f, s); }, false, vgprs},
    {"trans_valu", [](const Effects& e) { return e.is(Trait::trans); }, [](const Effects& e) { return plain_valu(e) && !e.is(Trait::trans); }, vgprs},
    {"cmpx_permlane", [](const Effects& e) { return e.is(Trait::cmpx); }, [](const Effects& e) { return e.is(Trait::permlane); }, always, true},
    {"valu_vgpr_permlane", valu_vgpr, [](const Effects& e) { return e.is(Trait::permlane); }, vgprs},
};
// clang-format on
static_assert(std::size(checks) <= 32);

const reference::SoftwareWait& row_of(std::size_t check) {
  static const auto rows = [] {
    std::array<const reference::SoftwareWait*, std::size(checks)> found{};
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = &reference::software_wait(checks[i].id);
    return found;
  }();
  return *rows[check];
}

/// Rows that want any wait states on `target`, by the manual or LLVM.
std::uint32_t asked(Target target) {
  const auto rows_of = [](Target t) {
    std::uint32_t rows = 0;
    for (std::size_t n = 0; n < std::size(checks); ++n)
      if (row_of(n).states(t).value_or(0) != 0 || row_of(n).llvm.value_or(0) != 0) rows |= 1u << n;
    return rows;
  };
  static const std::array rows{rows_of(Target::gfx942), rows_of(Target::gfx950)};
  return rows[static_cast<std::size_t>(target)];
}

void add_software(std::vector<Need>& needs, unsigned have, const Effects& first, const Effects& second,
                  Target target, RuleSet rules, bool rewritten) {
  for (std::uint32_t both = first.first_rows & second.second_rows; both != 0; both &= both - 1) {
    const auto n = static_cast<std::size_t>(std::countr_zero(both));
    const reference::SoftwareWait& row = row_of(n);
    const auto asked_by = [&](auto concern, std::optional<int> number) {
      return concern(first, second) ? number.value_or(0) : 0;
    };
    const int isa = asked_by(checks[n].concern, row.states(target));
    const int llvm = asked_by(checks[n].llvm != nullptr ? checks[n].llvm : checks[n].concern, row.llvm);
    const int states = rules == RuleSet::isa ? isa : llvm;
    if (static_cast<int>(have) >= states) continue;
    const bool of_others = rewritten && checks[n].of_scalars;
    needs.push_back(
        {software_rule(row.id), states,
         static_cast<int>(have) < llvm && !of_others ? Severity::error : Severity::warning,
         fmt::format("{}{}", rules == RuleSet::isa ? software_source(target, row.id) : llvm_source,
                     of_others ? "; a scalar instruction wrote it again in between" : "")});
  }
}

// ---- Matrix instructions
// ------------------------------------------------------------------------------------

/// A use of registers in the tables' terms; `registers` says nothing where the row is about the whole wave.
template <typename Kind> struct Use {
  Kind kind;
  VectorAccess registers;
};

/// The tables' SrcC: C, and of SMFMAC, whose C is D, the index. LLVM takes the row for C alone.
bool is_source_c(const VectorAccess& a) { return a.role == Role::matrix_c || a.role == Role::matrix_index; }

bool is_matrix(const Effects& e) { return e.matrix.row != nullptr; }

std::vector<Use<First>> firsts_of(const Effects& e) {
  std::vector<Use<First>> uses;
  const bool xdl = is_matrix(e) && e.matrix.row->unit == reference::Unit::xdl;
  const First write = is_matrix(e)       ? reference::write_of(*e.matrix.row)
                      : e.is(Trait::dot) ? First::dot_write
                                         : First::valu_write;
  if (e.is(Trait::valu))
    for (const VectorAccess& a : e.writes) uses.push_back({write, a});
  if (xdl)
    for (const VectorAccess& a : e.reads)
      if (is_source_c(a)) uses.push_back({First::xdl_read_c, a});
  return uses;
}

std::vector<Use<Second>> seconds_of(const Effects& first, const Effects& e) {
  std::vector<Use<Second>> uses;
  const bool same_dot = first.is(Trait::dot) && first.base == e.base;
  if (same_dot) { // one register may be both
    uses.push_back({Second::same_dot_c, e.dot_c});
    for (const VectorAccess& a : e.dot_ab) uses.push_back({Second::same_dot_ab, a});
    return uses;
  }
  for (const VectorAccess& a : e.reads) {
    if (is_matrix(e))
      uses.push_back({a.role == Role::matrix_c ? reference::read_c_of(*e.matrix.row) : Second::matrix_ab, a});
    else
      uses.push_back({e.is(Trait::valu) ? Second::valu_read : Second::memory_read, a});
  }
  // Matrix instructions among themselves have no row for a result that is overwritten.
  if (!is_matrix(e) || first.is(Trait::dot))
    for (const VectorAccess& a : e.writes)
      uses.push_back({e.is(Trait::valu) ? Second::valu_overwrite : Second::memory_overwrite, a});
  return uses;
}

bool reads_c(Second s) { return s == Second::xdl_c || s == Second::sgemm_c || s == Second::dgemm_c; }

/// Table 37 and 38, comments: "exactly the same" takes equal passes. LLVM looks at registers only.
Overlap overlap_kind(const Effects& first, const VectorAccess& d, const Effects& second,
                     const VectorAccess& c, RuleSet rules) {
  const bool same = d.first == c.first && d.count == c.count;
  return same && (rules == RuleSet::llvm || first.matrix.passes == second.matrix.passes) ? Overlap::exact
                                                                                         : Overlap::partial;
}

void add_matrix_need(std::vector<Need>& needs, unsigned have, First first, int passes, Second second,
                     Overlap isa_overlap, Overlap llvm_overlap, Target target, RuleSet rules,
                     bool llvm_looks = true) {
  const auto wait = reference::required_wait(target, first, passes, second, isa_overlap);
  const int llvm = llvm_looks ? reference::llvm_wait(target, first, passes, second, llvm_overlap) : 0;
  const int states = rules == RuleSet::llvm ? llvm : wait ? wait->states : 0;
  if (static_cast<int>(have) >= states) return;
  needs.push_back({matrix_rule(first, second, rules == RuleSet::llvm ? llvm_overlap : isa_overlap), states,
                   static_cast<int>(have) < llvm ? Severity::error : Severity::warning,
                   rules == RuleSet::llvm ? std::string(llvm_source)
                                          : fmt::format("{}: {}", matrix_table(target), wait->row->source)});
}

void add_matrix(std::vector<Need>& needs, unsigned have, const Effects& first, const Effects& second,
                Target target, RuleSet rules) {
  const int passes = is_matrix(first) ? first.matrix.passes : 4;
  if (first.is(Trait::cmpx) && is_matrix(second))
    add_matrix_need(needs, have, First::cmpx_write_exec, passes, Second::matrix_issue, Overlap::partial,
                    Overlap::partial, target, rules);
  const bool dot_to_matrix = first.is(Trait::dot) && is_matrix(second); // where LLVM does not look
  const auto seconds = seconds_of(first, second);
  for (const auto& f : firsts_of(first))
    for (const auto& s : seconds) {
      if (!overlap(f.registers, s.registers)) continue;
      const bool c = is_matrix(first) && reads_c(s.kind);
      const auto kind = [&](RuleSet r) {
        return c ? overlap_kind(first, f.registers, second, s.registers, r) : Overlap::partial;
      };
      add_matrix_need(needs, have, f.kind, passes, s.kind, kind(RuleSet::isa), kind(RuleSet::llvm), target,
                      rules, f.registers.role != Role::matrix_index && !dot_to_matrix);
    }
}

} // namespace

void find_rows(Effects& e, Target target) {
  for (std::uint32_t rows = asked(target); rows != 0; rows &= rows - 1) {
    const auto n = static_cast<std::size_t>(std::countr_zero(rows));
    if (checks[n].first(e)) e.first_rows |= 1u << n;
    if (checks[n].second(e)) e.second_rows |= 1u << n;
  }
}

std::optional<Need> need_beyond(unsigned have, const Effects& first, const Effects& second, Target target,
                                RuleSet rules, bool rewritten) {
  std::vector<Need> needs;
  if ((first.first_rows & second.second_rows) != 0)
    add_software(needs, have, first, second, target, rules, rewritten);
  if (is_matrix(first) || first.is(Trait::dot) || (first.is(Trait::valu) && is_matrix(second)))
    add_matrix(needs, have, first, second, target, rules);
  if (needs.empty()) return std::nullopt;
  const auto weight = [](const Need& n) { return std::pair(n.severity == Severity::error, n.states); };
  return *std::ranges::max_element(needs, {}, weight);
}

std::string matrix_rule(First first, Second second, Overlap overlap) {
  std::string rule = fmt::format("{}-to-{}", reference::name(first), reference::name(second));
  std::ranges::replace(rule, '_', '-');
  if (reads_c(second) && first != First::valu_write && first != First::dot_write)
    rule += overlap == Overlap::exact ? "-exact" : "-overlap";
  return rule;
}

std::string software_rule(std::string_view row_id) {
  std::string rule(row_id);
  std::ranges::replace(rule, '_', '-');
  return rule;
}

std::string_view matrix_table(Target target) {
  return target == Target::gfx942 ? "CDNA3 ISA 7.5, Table 37" : "CDNA4 ISA 7.6, Table 38";
}
std::string_view software_source(Target target, std::string_view row_id) {
  if (row_id == "cvt_parts") return target == Target::gfx942 ? "CDNA3 ISA 7.2" : "CDNA4 ISA 7.3";
  return target == Target::gfx942 ? "CDNA3 ISA 4.5, Table 11" : "CDNA4 ISA 4.5, Table 11";
}

} // namespace cts::audit
