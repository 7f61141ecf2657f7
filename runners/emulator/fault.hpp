// Planted faults: named wrong behaviours, so that every test can be seen to fail. `manifests/faults.yaml`
// describes each.
#pragma once

#include "common/target.hpp"

#include <string_view>

namespace cts::emulator {

enum class Fault {
  none,
  mfma_d_transposed,
  mfma_input_halves_swapped,
  mfma_lane_groups_mispaired,
  mfma_lane_dropped,
  mfma_a_transposed,
  mfma_four_blocks,
  mfma_result_early,
  mfma_broadcast_ignored,
  wave_half_active,
  memory_wait_ignored,
  lds_dma_slots_of_12_bytes,
  lds_dma_subdwords_packed,
  lds_dma_fourth_dword_written,
  lds_dma_last_byte_lost,
  lds_dma_offset_not_in_lds,
  lds_dma_offset_not_in_memory,
  lds_dma_soffset_in_lds,
  lds_dma_m0_ignored,
  lds_dma_m0_of_16_bits,
  lds_dma_masked_lanes_written,
  lds_dma_lanes_close_up,
  lds_dma_base_of_first_workgroup,
  lds_dma_counted_by_lgkmcnt,
  readfirstlane_takes_lane_0,
  transpose_is_plain_read,
  transpose_over_64_lanes,
  transpose_chunks_by_columns,
  transpose_6_bits_as_8,
  lds_half,
  lds_part_step_missing,
  lds_wait_ignored,
  vmcnt_one_too_high,
  vmem_newest_first,
  barrier_ignored,
  barrier_forgets_vmcnt,
  bpermute_scatters,
  permute_gathers,
  permute_index_in_lanes,
  permutes_need_lds,
  dpp_row_shl_as_shr,
  dpp_bank_mask_ignored,
  dpp_row_mask_ignored,
  dpp_bound_ctrl_ignored,
  dpp_exec_ignored,
  mfma_broadcast_moves_a,
  mfma_c_ignored,
  mfma_last_k_dropped,
  mfma_subnormals_flushed,
  mfma_result_f16,
  mfma_products_rounded,
  mfma_sum_truncated,
  mfma_zero_sign_lost,
  mfma_overflow_clamped,
  mfma_i8_saturated,
  mfma_xf32_as_f32,
  mfma_f64_as_f32,
  mfma_needs_two_more_waits,
  mfma_needs_one_wait_less,
  mfma_neighbour_items_swapped,
  mfma_d_32_rows_contiguous,
  mfma_d_blocks_interleaved,
  mfma_f64_rows_consecutive,
  mfma_f64_negation_ignored,
  mfma_acc_c_from_vgprs,
  f8f6f4_k_contiguous,
  sparse_index_ignored,
  sparse_pair_swapped,
  sparse_index_of_neighbour,
  sparse_index_set_ignored,
  sparse_cbsz_broadcasts,
  sparse_groups_along_m,
  sparse_b_contiguous,
  sparse_d_rows_strided,
  fp6_formats_swapped,
  f8f6f4_one_format,
  fp4_nibbles_swapped,
  scale_ignored,
  scale_operands_swapped,
  scale_of_other_row,
  scale_block_16,
  scale_block_64,
  scale_byte_ignored,
  scale_byte_of_a_for_both,
  scale_as_integer,
  scale_nan_as_number,
  scale_zero_is_one,
  scale_read_as_float,
  fp8_matrix_encoding_swapped,
  fp8_conversion_encoding_swapped,
  fnuz_nan_as_minus_zero,
  bf8_infinity_as_number,
  fp8_minus_zero_lost,
  conversions_truncate,
  conversions_always_saturate,
  fp16_ovfl_ignored,
  stochastic_rounds_to_nearest,
};

/// The fault that $CDNA_CTS_FAULT names; none when it is unset or empty. Throws Error for a name that is none
/// of ours.
Fault active_fault();

/// True when `fault` is planted in this process.
inline bool planted(Fault fault) {
  static const Fault active = active_fault();
  return active == fault;
}

/// What a planted fault takes a target for.
constexpr Target other_target(Target target) {
  return target == Target::gfx942 ? Target::gfx950 : Target::gfx942;
}

} // namespace cts::emulator
