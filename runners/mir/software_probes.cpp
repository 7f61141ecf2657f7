// Probes of Table 11 (ISA3 and ISA4, section 4.5): wait states that have nothing to do with matrix
// instructions.
#include "runners/mir/probes.hpp"

namespace cts::mir {
namespace {

/// Register numbers and fields of S_GETREG and S_SETREG: MODE, its bit vskip, TRAPSTS.
struct Software {
  std::string_view id;
  std::string_view instruction, consumer;
  std::string_view first, second;
  bool gfx950_only = false; ///< gfx942 lacks an instruction of the pair
};

constexpr std::string_view set_mode = "S_SETREG_B32 $sgpr4, 1, implicit-def $mode, implicit $mode";
constexpr std::string_view get_mode = "$sgpr5 = S_GETREG_B32 1, implicit $mode";
constexpr std::string_view compare = "V_CMP_EQ_U32_e32 $vgpr0, $vgpr1, implicit-def $vcc, implicit $exec";
constexpr std::string_view compare_exec =
    "V_CMPX_EQ_I32_e32 $vgpr0, $vgpr1, implicit-def $exec, implicit-def $vcc, implicit $exec";
constexpr std::string_view read_first = "$sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec";
constexpr std::string_view move = "$vgpr64 = V_MOV_B32_e32 0, implicit $exec";
constexpr std::string_view other_move = "$vgpr200 = V_MOV_B32_e32 $vgpr0, implicit $exec";
constexpr std::string_view move_dpp =
    "$vgpr200 = V_MOV_B32_dpp undef $vgpr200, $vgpr64, 228, 15, 15, -1, implicit $exec";
constexpr std::string_view add = "$vgpr200 = V_ADD_F32_e32 $vgpr64, $vgpr1, implicit $mode, implicit $exec";
constexpr std::string_view wide_store =
    "GLOBAL_STORE_DWORDX4 $vgpr200_vgpr201, $vgpr64_vgpr65_vgpr66_vgpr67, 0, 0, implicit $exec";
constexpr std::string_view set_m0 = "$m0 = S_MOV_B32 0";
constexpr std::string_view swap =
    "$vgpr64, $vgpr65 = V_PERMLANE32_SWAP_B32_e32 $vgpr64, $vgpr65, implicit $exec";

constexpr Software table[] = {
    {"setreg_getreg", "s_setreg_b32 MODE", "s_getreg_b32 MODE", set_mode, get_mode},
    {"setreg_setreg", "s_setreg_b32 MODE", "s_setreg_b32 MODE", set_mode, set_mode},
    {"vskip_getreg", "s_setvskip", "s_getreg_b32 MODE", "S_SETVSKIP $sgpr4, 0, implicit-def $scc",
     "$sgpr5 = S_GETREG_B32 1793, implicit $mode"},
    {"setreg_vskip_vector", "s_setreg_b32 MODE.vskip", "v_mov_b32",
     "S_SETREG_B32 $sgpr4, 1793, implicit-def $mode, implicit $mode", other_move},
    {"valu_vcc_exec_z", "v_cmp_eq_u32", "v_mov_b32 of VCCZ", compare,
     "$vgpr200 = V_MOV_B32_e32 $src_vccz, implicit $exec"},
    {"valu_sgpr_lane_select", "v_readfirstlane_b32", "v_readlane_b32", read_first,
     "$sgpr5 = V_READLANE_B32 $vgpr1, $sgpr4, implicit $exec"},
    {"valu_vcc_div_fmas", "v_cmp_eq_u32", "v_div_fmas_f32", compare,
     "$vgpr200 = V_DIV_FMAS_F32_e64 0, $vgpr1, 0, $vgpr2, 0, $vgpr3, 0, 0, implicit $vcc, implicit $mode, "
     "implicit "
     "$exec"},
    {"wide_store_write", "global_store_dwordx4", "global_load_dword", wide_store,
     "$vgpr64 = GLOBAL_LOAD_DWORD $vgpr200_vgpr201, 0, 0, implicit $exec"},
    {"wide_store_valu_write", "global_store_dwordx4", "v_mov_b32", wide_store, move},
    {"valu_sgpr_vmem", "v_readfirstlane_b32", "buffer_load_dword", read_first,
     "$vgpr200 = BUFFER_LOAD_DWORD_OFFSET $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr4, 0, 0, 0, implicit $exec"},
    {"salu_m0_sendmsg", "s_mov_b32 m0", "s_sendmsg", set_m0, "S_SENDMSG 1, implicit $exec, implicit $m0"},
    {"salu_m0_gds", "s_mov_b32 m0", "ds_gws_sema_v", set_m0, "DS_GWS_SEMA_V 0, implicit $m0, implicit $exec"},
    {"valu_vgpr_dpp", "v_mov_b32", "v_mov_b32 with DPP", move, move_dpp},
    {"valu_exec_dpp", "v_cmpx_eq_i32", "v_mov_b32 with DPP", compare_exec, move_dpp},
    {"setreg_trapsts_rfe", "s_setreg_b32 TRAPSTS", "s_rfe_b64",
     "S_SETREG_B32 $sgpr4, 3, implicit-def $mode, implicit $mode", "S_RFE_B64 $sgpr6_sgpr7"},
    // Of the copies into LDS the one whose operands LLVM 21 to 24 agree on: global and buffer loads have one
    // more from 23 on.
    {"salu_m0_lds", "s_mov_b32 m0", "scratch_load_lds_dword", set_m0,
     "SCRATCH_LOAD_LDS_DWORD $vgpr200, 0, 0, implicit $m0, implicit $exec, implicit $flat_scr"},
    {"salu_m0_movrel", "s_mov_b32 m0", "s_movrels_b32", set_m0,
     "$sgpr4 = S_MOVRELS_B32 $sgpr5, implicit $m0"},
    {"valu_sgpr_constant", "v_readfirstlane_b32", "v_mov_b32 of the SGPR", read_first,
     "$vgpr200 = V_MOV_B32_e32 $sgpr4, implicit $exec"},
    {"valu_sgpr_carry", "v_cmp_eq_u32", "v_cndmask_b32", compare,
     "$vgpr200 = V_CNDMASK_B32_e32 $vgpr0, $vgpr1, implicit $vcc, implicit $exec"},
    {"cmpx_constant", "v_cmpx_eq_i32", "v_mov_b32 of EXEC", compare_exec,
     "$vgpr200 = V_MOV_B32_e32 $exec_lo, implicit $exec"},
    {"cmpx_lane", "v_cmpx_eq_i32", "v_readlane_b32", compare_exec,
     "$sgpr5 = V_READLANE_B32 $vgpr1, 0, implicit $exec"},
    {"cmpx_valu", "v_cmpx_eq_i32", "v_mov_b32", compare_exec, other_move},
    {"valu_vgpr_readlane", "v_mov_b32", "v_readlane_b32", move,
     "$sgpr5 = V_READLANE_B32 $vgpr64, 0, implicit $exec"},
    {"valu_vgpr_readfirstlane", "v_mov_b32", "v_readfirstlane_b32", move,
     "$sgpr5 = V_READFIRSTLANE_B32 $vgpr64, implicit $exec"},
    {"valu_exec_vmem", "v_cmpx_eq_i32", "global_load_dword", compare_exec,
     "$vgpr200 = GLOBAL_LOAD_DWORD $vgpr200_vgpr201, 0, 0, implicit $exec"},
    {"opsel_sdwa", "v_mov_b32 with SDWA", "v_add_f32",
     "$vgpr64 = V_MOV_B32_sdwa 0, $vgpr0, 0, 5, 2, 6, implicit $exec, implicit $vgpr64(tied-def 0)", add},
    {"trans_valu", "v_rcp_f32", "v_add_f32", "$vgpr64 = V_RCP_F32_e32 $vgpr0, implicit $mode, implicit $exec",
     add},
    {"cmpx_permlane", "v_cmpx_eq_i32", "v_permlane32_swap_b32", compare_exec, swap, true},
    {"valu_vgpr_permlane", "v_mov_b32", "v_permlane32_swap_b32", move, swap, true},
    {"cvt_parts", "v_cvt_pk_fp8_f32 upper half", "v_cvt_pk_fp8_f32 lower half",
     "$vgpr64 = V_CVT_PK_FP8_F32_e64 8, $vgpr0, 0, $vgpr1, $vgpr64, 0, implicit $mode, implicit $exec",
     "$vgpr64 = V_CVT_PK_FP8_F32_e64 0, $vgpr2, 0, $vgpr3, $vgpr64, 0, implicit $mode, implicit $exec"},
};

} // namespace

std::vector<Probe> software_probes(Target target) {
  std::vector<Probe> probes;
  for (const Software& one : table) {
    const reference::SoftwareWait& row = reference::software_wait(one.id);
    if (target == Target::gfx942 && one.gfx950_only) continue;
    probes.push_back({.first = std::string(row.first),
                      .second = std::string(row.second),
                      .instruction = std::string(one.instruction),
                      .consumer = std::string(one.consumer),
                      .isa = row.states(target),
                      .isa_row = std::string(row.id),
                      .llvm = row.llvm,
                      .pair = {std::string(one.first), std::string(one.second)},
                      .memory = one.id.starts_with("wide_store") ? Memory::global : Memory::none,
                      .sets_vskip = one.id.find("vskip") != one.id.npos});
  }
  return probes;
}

std::vector<LeftOut> software_rows_left_out() { return {{"vcc_two_names", "LLVM has one name for VCC"}}; }

} // namespace cts::mir
