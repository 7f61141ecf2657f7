#include "reference/wait_states.hpp"

#include "common/error.hpp"
#include "common/nearest.hpp"

#include <algorithm>

namespace cts::reference {
namespace {

using enum First;
using enum Second;
using enum Overlap;

constexpr std::array<int, 4> always(int waits) { return {waits, waits, waits, waits}; }

constexpr Seconds every_matrix_read{xdl_c, sgemm_c, dgemm_c, matrix_ab};
constexpr Seconds f32_or_f64_c{sgemm_c, dgemm_c};
constexpr Seconds valu_or_memory{memory_read, valu_read, valu_overwrite};
constexpr Seconds valu{valu_read, valu_overwrite};
constexpr std::nullopt_t any = std::nullopt;

// clang-format off
// ISA3 Table 37. A first conversion of the manual to text shows all its rows; later ones lose some.
constexpr WaitRow table_37[] = {
    {valu_write,          every_matrix_read, any,     always(2),         "Non-DLops VALU write VGPR; V_MFMA*, V_SMFMA* read VGPR"},
    {dot_write,           {same_dot_c},      any,     always(0),         "DL ops write VGPR; same opcode reads as SrcC"},
    {dot_write,           {same_dot_ab},     any,     always(3),         "DL ops write VGPR; same opcode reads as SrcA/B"},
    {dot_write,           {xdl_c, sgemm_c, dgemm_c, matrix_ab, valu_read, valu_overwrite, memory_read, memory_overwrite},
                                             any,     always(3),         "DL ops write VGPR; any other opcode reads or writes"},
    {xdl_write,           {xdl_c},           exact,   {2, 0, 0, 0},      "XDL or V_SMFMA* write; XDL or V_SMFMA* read as C exactly same"},
    {xdl_write,           {xdl_c},           partial, {3, 5, 9, 17},     "XDL or V_SMFMA* write; XDL or V_SMFMA* read as C overlapped"},
    {xdl_write,           f32_or_f64_c,      any,     {3, 5, 9, 17},     "XDL or V_SMFMA* write; S/DGEMM read as C"},
    {xdl_write,           {matrix_ab},       any,     {5, 7, 11, 19},    "XDL or V_SMFMA* write; read as SrcA, SrcB or index"},
    {xdl_write,           valu_or_memory,    any,     {5, 7, 11, 19},    "XDL or V_SMFMA* write; memory reads, VALU reads or writes"},
    {sgemm_write,         {xdl_c},           exact,   always(0),         "SGEMM write; XDL or V_SMFMA* read as C exactly same"},
    // No row of ISA3 has SGEMM after SGEMM with exactly the same C. ISA4's does, in the place and with the comment of
    // the row before, so that "XDL" there may be a slip.
    {sgemm_write,         {sgemm_c},         exact,   {2, 0, 0, 0},      "not in ISA3; ISA4 Table 38: SGEMM write; SGEMM read as C exactly same"},
    {sgemm_write,         {xdl_c},           partial, {2, 4, 8, 16},     "SGEMM write; XDL or V_SMFMA* read as C overlapped"},
    {sgemm_write,         f32_or_f64_c,      partial, {2, 4, 8, 16},     "SGEMM write; S/DGEMM read as C"},
    {sgemm_write,         {matrix_ab},       any,     {4, 6, 10, 18},    "SGEMM write; read as SrcA, SrcB or index"},
    {sgemm_write,         valu_or_memory,    any,     {4, 6, 10, 18},    "SGEMM write; memory reads, VALU reads or writes"},
    {dgemm_16x16x4_write, {dgemm_c},         exact,   always(0),         "V_MFMA_16x16x4_F64 write; the same reads as C exactly same"},
    {dgemm_16x16x4_write, f32_or_f64_c,      partial, always(9),         "V_MFMA_16x16x4_F64 write; S/DGEMM read as C overlapped"},
    {dgemm_16x16x4_write, {xdl_c},           any,     always(0),         "V_MFMA_16x16x4_F64 write; XDL or V_SMFMA* read as C overlapped"},
    {dgemm_16x16x4_write, {matrix_ab},       any,     always(11),        "V_MFMA_16x16x4_F64 write; read as SrcA, SrcB or index"},
    {dgemm_16x16x4_write, valu,              any,     always(11),        "V_MFMA_16x16x4_F64 write; VALU reads or writes"},
    {dgemm_16x16x4_write, {memory_read},     any,     always(18),        "V_MFMA_16x16x4_F64 write; VM, L/GDS, FLAT and export read"},
    {dgemm_4x4x4_write,   {dgemm_c},         exact,   always(4),         "V_MFMA_4x4x4_F64 write; the same reads as C exactly same"},
    {dgemm_4x4x4_write,   f32_or_f64_c,      partial, always(4),         "V_MFMA_4x4x4_F64 write; S/DGEMM read as C overlapped"},
    {dgemm_4x4x4_write,   {xdl_c},           any,     always(0),         "V_MFMA_4x4x4_F64 write; XDL or V_SMFMA read as C overlapped"},
    {dgemm_4x4x4_write,   {matrix_ab},       any,     always(6),         "V_MFMA_4x4x4_F64 write; read as SrcA, SrcB or index"},
    {dgemm_4x4x4_write,   valu,              any,     always(6),         "V_MFMA_4x4x4_F64 write; VALU reads or writes"},
    {dgemm_4x4x4_write,   {memory_read},     any,     always(9),         "V_MFMA_4x4x4_F64 write; VM, L/GDS, FLAT and export read"},
    {cmpx_write_exec,     {matrix_issue},    any,     always(4),         "V_CMPX* write EXEC mask; V_MFMA*"},
    {xdl_read_c,          {valu_overwrite},  any,     {1, 3, 7, 15},     "XDL/SMFMA read SrcC; VALU write VGPR (WAR)"},
};

// ISA4 Table 38.
constexpr WaitRow table_38[] = {
    {valu_write,          every_matrix_read, any,     always(2),         "Non-DLops VALU write VGPR; V_MFMA*, V_SMFMA* read VGPR"},
    {dot_write,           {same_dot_c},      any,     always(0),         "DL ops write VGPR; same opcode reads as SrcC"},
    {dot_write,           {same_dot_ab},     any,     always(3),         "DL ops write VGPR; same opcode reads as SrcA/B"},
    {dot_write,           {xdl_c, sgemm_c, dgemm_c, matrix_ab, valu_read, valu_overwrite, memory_read, memory_overwrite},
                                             any,     always(3),         "DL ops write VGPR; any other opcode reads or writes"},
    {xdl_write,           {xdl_c},           exact,   {2, 0, 0, 0},      "XDL or V_SMFMA* write; XDL or V_SMFMA* read as C exactly same"},
    {xdl_write,           {xdl_c},           partial, {4, 6, 10, 18},    "XDL or V_SMFMA* write; XDL or V_SMFMA* read as C overlapped"},
    {xdl_write,           f32_or_f64_c,      any,     {3, 6, 10, 18},    "XDL or V_SMFMA* write; S/DGEMM read as C"},
    {xdl_write,           {matrix_ab},       any,     {5, 8, 12, 20},    "XDL or V_SMFMA* write; read as SrcA, SrcB or index"},
    {xdl_write,           valu_or_memory,    any,     {5, 8, 12, 20},    "XDL or V_SMFMA* write; memory reads, VALU reads or writes"},
    {sgemm_write,         {sgemm_c},         exact,   {2, 0, 0, 0},      "SGEMM write; SGEMM read as C exactly same"},
    {sgemm_write,         f32_or_f64_c,      partial, {2, 4, 8, 16},     "SGEMM write; S/DGEMM read as C overlapped"},
    {sgemm_write,         {xdl_c},           any,     always(0),         "SGEMM write; XDL or V_SMFMA* read as C overlapped"},
    {sgemm_write,         {matrix_ab},       any,     {4, 6, 10, 18},    "SGEMM write; read as SrcA, SrcB or index"},
    {sgemm_write,         valu_or_memory,    any,     {4, 6, 10, 18},    "SGEMM write; memory reads, VALU reads or writes"},
    {dgemm_16x16x4_write, {dgemm_c},         exact,   always(0),         "V_MFMA_16x16x4_F64 write; the same reads as C exactly same"},
    {dgemm_16x16x4_write, f32_or_f64_c,      partial, always(17),        "V_MFMA_16x16x4_F64 write; S/DGEMM read as C overlapped"},
    {dgemm_16x16x4_write, {xdl_c},           any,     always(0),         "V_MFMA_16x16x4_F64 write; XDL or V_SMFMA* read as C overlapped"},
    {dgemm_16x16x4_write, {matrix_ab},       any,     always(19),        "V_MFMA_16x16x4_F64 write; read as SrcA, SrcB or index"},
    {dgemm_16x16x4_write, valu,              any,     always(19),        "V_MFMA_16x16x4_F64 write; VALU reads or writes"},
    {dgemm_16x16x4_write, {memory_read},     any,     always(18),        "V_MFMA_16x16x4_F64 write; VM, LDS, FLAT and export read"},
    {dgemm_4x4x4_write,   {dgemm_c},         exact,   always(4),         "V_MFMA_4x4x4_F64 write; the same reads as C exactly same"},
    {dgemm_4x4x4_write,   f32_or_f64_c,      partial, always(4),         "V_MFMA_4x4x4_F64 write; S/DGEMM read as C overlapped"},
    {dgemm_4x4x4_write,   {xdl_c},           any,     always(0),         "V_MFMA_4x4x4_F64 write; XDL or V_SMFMA read as C overlapped"},
    {dgemm_4x4x4_write,   {matrix_ab},       any,     always(6),         "V_MFMA_4x4x4_F64 write; read as SrcA, SrcB or index"},
    {dgemm_4x4x4_write,   valu,              any,     always(6),         "V_MFMA_4x4x4_F64 write; VALU reads or writes"},
    {dgemm_4x4x4_write,   {memory_read},     any,     always(9),         "V_MFMA_4x4x4_F64 write; VM, LDS, FLAT and export read"},
    {cmpx_write_exec,     {matrix_issue},    any,     always(4),         "V_CMPX* write EXEC mask; V_MFMA*"},
    {xdl_read_c,          {valu_overwrite},  any,     {1, 3, 7, 15},     "XDL/SMFMA read SrcC; VALU write VGPR (WAR)"},
};

// Table 11 of ISA3 and ISA4, then prose. Where ISA4's text has lost a number, the one of ISA3's table stands.
constexpr SoftwareWait table_11[] = {
    {"setreg_getreg",        "S_SETREG",                                     "S_GETREG of the same register",             2, 2, 2},
    {"setreg_setreg",        "S_SETREG",                                     "S_SETREG of the same register",             2, 2, 2},
    {"vskip_getreg",         "SET_VSKIP",                                    "S_GETREG MODE",                             2, 2, any},
    {"setreg_vskip_vector",  "S_SETREG MODE.vskip",                          "any vector instruction",                    2, 2, any},
    {"valu_vcc_exec_z",      "VALU sets VCC or EXEC",                        "VALU reads EXECZ or VCCZ as data",          5, 5, any},
    {"valu_sgpr_lane_select","VALU writes SGPR or VCC",                      "V_READLANE or V_WRITELANE takes it as lane select", 4, 4, 4},
    {"valu_vcc_div_fmas",    "VALU writes VCC",                              "V_DIV_FMAS",                                4, 4, 4},
    {"wide_store_write",     "store or compare-and-swap of more than 64 bits, buffers without SGPR offset", "anything but VALU writes its data VGPRs", 1, 1, 0},
    {"wide_store_valu_write","store or compare-and-swap of more than 64 bits, buffers without SGPR offset", "VALU writes its data VGPRs", 2, 2, 2},
    {"valu_sgpr_vmem",       "VALU writes SGPR",                             "VMEM reads it",                             5, 5, 5},
    {"salu_m0_sendmsg",      "SALU writes M0",                               "S_SENDMSG",                                 1, 1, 1},
    {"salu_m0_gds",          "SALU writes M0",                               "GDS and GWS",                               1, any, 1}, // ISA4 has neither
    {"valu_vgpr_dpp",        "VALU writes VGPR",                             "VALU with DPP reads it",                    2, 2, 2},
    {"valu_exec_dpp",        "VALU writes EXEC",                             "VALU with DPP",                             5, 5, 5},
    {"vcc_two_names",        "V_READLANE, V_READFIRSTLANE, V_CMP, V_ADD*, V_SUB*, V_DIV_SCALE write VCC under one of its names", "VALU reads VCC as constant under the other", 1, 1, any},
    {"setreg_trapsts_rfe",   "S_SETREG TRAPSTS",                             "RFE, RFE_RESTORE",                          1, 1, 1},
    {"salu_m0_lds",          "SALU writes M0",                               "LDS add-TID, buffer, global or scratch load into LDS", 1, 1, 1},
    {"salu_m0_movrel",       "SALU writes M0",                               "S_MOVREL",                                  1, 1, 1},
    {"valu_sgpr_constant",   "V_READLANE, V_READFIRSTLANE, V_CMP, V_ADD*, V_SUB*, V_DIV_SCALE write SGPR or VCC", "VALU reads it as constant", 2, 2, 2},
    {"valu_sgpr_carry",      "V_READLANE, V_READFIRSTLANE, V_CMP, V_ADD*, V_SUB*, V_DIV_SCALE write SGPR or VCC", "VALU reads it as carry-in", 0, 0, 2},
    {"cmpx_constant",        "V_CMPX",                                       "VALU reads EXEC as constant",               2, 2, 2},
    {"cmpx_lane",            "V_CMPX",                                       "V_READLANE, V_READFIRSTLANE, V_WRITELANE",  4, 4, 4},
    {"cmpx_valu",            "V_CMPX",                                       "other VALU",                                0, 0, 0},
    {"valu_vgpr_readlane",   "VALU writes VGPR",                             "V_READLANE reads it",                       1, 1, 1},
    {"opsel_sdwa",           "VALU with OPSEL or SDWA that moves the result's bits", "VALU consumes the result",          1, 1, 1},
    {"trans_valu",           "transcendental VALU",                          "other VALU consumes the result",            1, 1, 1},
    {"cmpx_permlane",        "V_CMPX",                                       "V_PERMLANE*",                               any, 4, 4},
    {"valu_vgpr_permlane",   "VALU writes VGPR",                             "V_PERMLANE* reads it",                      any, 2, 2},
    // Below the table of conversions in ISA4 7.3 and ISA3 7.2.
    {"cvt_parts",            "V_CVT_*_F32 to FP8, BF8 or FP4 writes part of a VGPR", "V_CVT_*_F32 to FP8, BF8 or FP4 writes another part of it", 1, 1, 1},
    // In no manual: what LLVM gives besides.
    {"valu_vgpr_readfirstlane", "VALU writes VGPR",                          "V_READFIRSTLANE reads it",                  any, any, 1},
    {"valu_exec_vmem",       "VALU writes EXEC",                             "VMEM",                                      any, any, 5},
};
// clang-format on

constexpr std::string_view transcendental[] = {
    "v_exp_f32", "v_log_f32", "v_rcp_f32",  "v_rcp_iflag_f32",  "v_rsq_f32",
    "v_rcp_f64", "v_rsq_f64", "v_sqrt_f32", "v_sqrt_f64",       "v_sin_f32",
    "v_cos_f32", "v_rcp_f16", "v_sqrt_f16", "v_rsq_f16",        "v_log_f16",
    "v_exp_f16", "v_sin_f16", "v_cos_f16",  "v_exp_legacy_f32", "v_log_legacy_f32"};

bool reads_c(Second second) { return second == xdl_c || second == sgemm_c || second == dgemm_c; }

bool f32_or_f64(Second second) { return second == sgemm_c || second == dgemm_c; }

} // namespace

std::string_view name(First first) {
  constexpr std::string_view names[] = {"valu_write",  "dot_write",           "xdl_write",
                                        "sgemm_write", "dgemm_16x16x4_write", "dgemm_4x4x4_write",
                                        "xdl_read_c",  "cmpx_write_exec"};
  return names[static_cast<std::size_t>(first)];
}

std::string_view name(Second second) {
  constexpr std::string_view names[] = {"same_dot_c",  "same_dot_ab",      "xdl_c",       "sgemm_c",
                                        "dgemm_c",     "matrix_ab",        "valu_read",   "valu_overwrite",
                                        "memory_read", "memory_overwrite", "matrix_issue"};
  return names[static_cast<std::size_t>(second)];
}

std::span<const WaitRow> wait_rows(Target target) {
  return target == Target::gfx942 ? std::span<const WaitRow>(table_37) : std::span<const WaitRow>(table_38);
}

std::optional<Wait> required_wait(Target target, First first, int passes, Second second, Overlap overlap) {
  const auto column = std::ranges::find(tabulated_passes, passes);
  if (column == tabulated_passes.end()) throw Error("{} passes: expected 2, 4, 8 or 16", passes);
  for (const WaitRow& row : wait_rows(target))
    if (row.first == first && row.seconds.contains(second) &&
        (!row.overlap || !reads_c(second) || *row.overlap == overlap))
      return Wait{row.waits[static_cast<std::size_t>(column - tabulated_passes.begin())], &row};
  return std::nullopt;
}

int llvm_wait(Target target, First first, int p, Second second, Overlap overlap) {
  const int later = target == Target::gfx950 ? 1 : 0; // gfx950's XDL results come one wait state later
  const int later_than_2 = p == 2 ? 0 : later;
  const bool writes_matrix = first == xdl_write || first == sgemm_write || first == dgemm_16x16x4_write ||
                             first == dgemm_4x4x4_write;
  if (writes_matrix && reads_c(second) && overlap == exact) {
    if (first == dgemm_4x4x4_write && second == dgemm_c) return 4;
    return p == 2 ? 2 : 0;
  }
  const bool accesses =
      second == valu_read || second == valu_overwrite || second == memory_read || second == memory_overwrite;
  switch (first) {
  case valu_write: return reads_c(second) || second == matrix_ab ? 2 : 0;
  case dot_write: return second == same_dot_ab || accesses ? 3 : 0;
  case xdl_write:
    if (second == xdl_c) return p + 1 + later;
    if (f32_or_f64(second)) return p + 1 + later_than_2;
    return second == matrix_ab || accesses ? p + 3 + later_than_2 : 0;
  case sgemm_write:
    if (f32_or_f64(second)) return p;
    return second == matrix_ab || accesses ? p + 2 : 0;
  case dgemm_4x4x4_write:
    if (f32_or_f64(second)) return 4;
    if (second == memory_read) return 9;
    return second == matrix_ab || accesses ? 6 : 0;
  case dgemm_16x16x4_write:
    if (f32_or_f64(second)) return 9 + 8 * later;
    if (second == memory_read) return 18;
    if (second == valu_overwrite || second == memory_overwrite) return 11;
    return second == matrix_ab || accesses ? 11 + 8 * later : 0;
  case xdl_read_c: return second == valu_overwrite || second == memory_overwrite ? p - 1 : 0;
  case cmpx_write_exec: return second == matrix_issue ? 4 : 0;
  }
  throw Error("{} is none of reference::First", static_cast<int>(first));
}

int passes(const Instruction& instruction, Target target) {
  if (!exists_on(instruction, target))
    throw Error("{} does not exist on {}", instruction.mnemonic, name(target));
  return cycles(instruction, target) / 4;
}

First write_of(const Instruction& instruction) {
  switch (instruction.unit) {
  case Unit::sgemm: return sgemm_write;
  case Unit::dgemm: return instruction.m == 16 ? dgemm_16x16x4_write : dgemm_4x4x4_write;
  case Unit::xdl: break;
  }
  return xdl_write;
}

Second read_c_of(const Instruction& instruction) {
  switch (instruction.unit) {
  case Unit::sgemm: return sgemm_c;
  case Unit::dgemm: return dgemm_c;
  case Unit::xdl: break;
  }
  return xdl_c;
}

std::optional<Overlap> overlap_of(Target target, const Instruction& first, const Registers& d,
                                  const Instruction& second, const Registers& c) {
  if (d.first >= c.first + c.count || c.first >= d.first + d.count) return std::nullopt;
  const bool same =
      d.first == c.first && d.count == c.count && passes(first, target) == passes(second, target);
  return same ? exact : partial;
}

std::span<const SoftwareWait> software_waits() { return table_11; }

const SoftwareWait& software_wait(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const SoftwareWait& row : table_11) {
    if (row.id == id) return row;
    ids.push_back(row.id);
  }
  throw Error("no row '{}' in the table of software wait states{}", id, did_you_mean(id, ids));
}

std::span<const std::string_view> transcendental_mnemonics() { return transcendental; }

} // namespace cts::reference
