#include "runners/emulator/fault.hpp"

#include "common/error.hpp"

#include <array>
#include <cstdlib>
#include <utility>

namespace cts::emulator {
namespace {

constexpr std::array names{
    std::pair{std::string_view("mfma_d_transposed"), Fault::mfma_d_transposed},
    std::pair{std::string_view("mfma_input_halves_swapped"), Fault::mfma_input_halves_swapped},
    std::pair{std::string_view("mfma_lane_groups_mispaired"), Fault::mfma_lane_groups_mispaired},
    std::pair{std::string_view("mfma_lane_dropped"), Fault::mfma_lane_dropped},
    std::pair{std::string_view("mfma_a_transposed"), Fault::mfma_a_transposed},
    std::pair{std::string_view("mfma_four_blocks"), Fault::mfma_four_blocks},
    std::pair{std::string_view("mfma_result_early"), Fault::mfma_result_early},
    std::pair{std::string_view("mfma_broadcast_ignored"), Fault::mfma_broadcast_ignored},
    std::pair{std::string_view("wave_half_active"), Fault::wave_half_active},
    std::pair{std::string_view("memory_wait_ignored"), Fault::memory_wait_ignored},
    std::pair{std::string_view("lds_dma_slots_of_12_bytes"), Fault::lds_dma_slots_of_12_bytes},
    std::pair{std::string_view("lds_dma_subdwords_packed"), Fault::lds_dma_subdwords_packed},
    std::pair{std::string_view("lds_dma_fourth_dword_written"), Fault::lds_dma_fourth_dword_written},
    std::pair{std::string_view("lds_dma_last_byte_lost"), Fault::lds_dma_last_byte_lost},
    std::pair{std::string_view("lds_dma_offset_not_in_lds"), Fault::lds_dma_offset_not_in_lds},
    std::pair{std::string_view("lds_dma_offset_not_in_memory"), Fault::lds_dma_offset_not_in_memory},
    std::pair{std::string_view("lds_dma_soffset_in_lds"), Fault::lds_dma_soffset_in_lds},
    std::pair{std::string_view("lds_dma_m0_ignored"), Fault::lds_dma_m0_ignored},
    std::pair{std::string_view("lds_dma_m0_of_16_bits"), Fault::lds_dma_m0_of_16_bits},
    std::pair{std::string_view("lds_dma_masked_lanes_written"), Fault::lds_dma_masked_lanes_written},
    std::pair{std::string_view("lds_dma_lanes_close_up"), Fault::lds_dma_lanes_close_up},
    std::pair{std::string_view("lds_dma_base_of_first_workgroup"), Fault::lds_dma_base_of_first_workgroup},
    std::pair{std::string_view("lds_dma_counted_by_lgkmcnt"), Fault::lds_dma_counted_by_lgkmcnt},
    std::pair{std::string_view("readfirstlane_takes_lane_0"), Fault::readfirstlane_takes_lane_0},
    std::pair{std::string_view("transpose_is_plain_read"), Fault::transpose_is_plain_read},
    std::pair{std::string_view("transpose_over_64_lanes"), Fault::transpose_over_64_lanes},
    std::pair{std::string_view("transpose_chunks_by_columns"), Fault::transpose_chunks_by_columns},
    std::pair{std::string_view("transpose_6_bits_as_8"), Fault::transpose_6_bits_as_8},
    std::pair{std::string_view("lds_half"), Fault::lds_half},
    std::pair{std::string_view("lds_part_step_missing"), Fault::lds_part_step_missing},
    std::pair{std::string_view("lds_wait_ignored"), Fault::lds_wait_ignored},
    std::pair{std::string_view("vmcnt_one_too_high"), Fault::vmcnt_one_too_high},
    std::pair{std::string_view("vmem_newest_first"), Fault::vmem_newest_first},
    std::pair{std::string_view("barrier_ignored"), Fault::barrier_ignored},
    std::pair{std::string_view("barrier_forgets_vmcnt"), Fault::barrier_forgets_vmcnt},
    std::pair{std::string_view("bpermute_scatters"), Fault::bpermute_scatters},
    std::pair{std::string_view("permute_gathers"), Fault::permute_gathers},
    std::pair{std::string_view("permute_index_in_lanes"), Fault::permute_index_in_lanes},
    std::pair{std::string_view("permutes_need_lds"), Fault::permutes_need_lds},
    std::pair{std::string_view("dpp_row_shl_as_shr"), Fault::dpp_row_shl_as_shr},
    std::pair{std::string_view("dpp_bank_mask_ignored"), Fault::dpp_bank_mask_ignored},
    std::pair{std::string_view("dpp_row_mask_ignored"), Fault::dpp_row_mask_ignored},
    std::pair{std::string_view("dpp_bound_ctrl_ignored"), Fault::dpp_bound_ctrl_ignored},
    std::pair{std::string_view("dpp_exec_ignored"), Fault::dpp_exec_ignored},
    std::pair{std::string_view("mfma_broadcast_moves_a"), Fault::mfma_broadcast_moves_a},
    std::pair{std::string_view("mfma_c_ignored"), Fault::mfma_c_ignored},
    std::pair{std::string_view("mfma_last_k_dropped"), Fault::mfma_last_k_dropped},
    std::pair{std::string_view("mfma_subnormals_flushed"), Fault::mfma_subnormals_flushed},
    std::pair{std::string_view("mfma_result_f16"), Fault::mfma_result_f16},
    std::pair{std::string_view("mfma_products_rounded"), Fault::mfma_products_rounded},
    std::pair{std::string_view("mfma_sum_truncated"), Fault::mfma_sum_truncated},
    std::pair{std::string_view("mfma_zero_sign_lost"), Fault::mfma_zero_sign_lost},
    std::pair{std::string_view("mfma_overflow_clamped"), Fault::mfma_overflow_clamped},
    std::pair{std::string_view("mfma_i8_saturated"), Fault::mfma_i8_saturated},
    std::pair{std::string_view("mfma_xf32_as_f32"), Fault::mfma_xf32_as_f32},
    std::pair{std::string_view("mfma_f64_as_f32"), Fault::mfma_f64_as_f32},
    std::pair{std::string_view("mfma_needs_two_more_waits"), Fault::mfma_needs_two_more_waits},
    std::pair{std::string_view("mfma_needs_one_wait_less"), Fault::mfma_needs_one_wait_less},
    std::pair{std::string_view("mfma_neighbour_items_swapped"), Fault::mfma_neighbour_items_swapped},
    std::pair{std::string_view("mfma_d_32_rows_contiguous"), Fault::mfma_d_32_rows_contiguous},
    std::pair{std::string_view("mfma_d_blocks_interleaved"), Fault::mfma_d_blocks_interleaved},
    std::pair{std::string_view("mfma_f64_rows_consecutive"), Fault::mfma_f64_rows_consecutive},
    std::pair{std::string_view("mfma_f64_negation_ignored"), Fault::mfma_f64_negation_ignored},
    std::pair{std::string_view("mfma_acc_c_from_vgprs"), Fault::mfma_acc_c_from_vgprs},
    std::pair{std::string_view("f8f6f4_k_contiguous"), Fault::f8f6f4_k_contiguous},
    std::pair{std::string_view("sparse_index_ignored"), Fault::sparse_index_ignored},
    std::pair{std::string_view("sparse_pair_swapped"), Fault::sparse_pair_swapped},
    std::pair{std::string_view("sparse_index_of_neighbour"), Fault::sparse_index_of_neighbour},
    std::pair{std::string_view("sparse_index_set_ignored"), Fault::sparse_index_set_ignored},
    std::pair{std::string_view("sparse_cbsz_broadcasts"), Fault::sparse_cbsz_broadcasts},
    std::pair{std::string_view("sparse_groups_along_m"), Fault::sparse_groups_along_m},
    std::pair{std::string_view("sparse_b_contiguous"), Fault::sparse_b_contiguous},
    std::pair{std::string_view("sparse_d_rows_strided"), Fault::sparse_d_rows_strided},
    std::pair{std::string_view("fp6_formats_swapped"), Fault::fp6_formats_swapped},
    std::pair{std::string_view("f8f6f4_one_format"), Fault::f8f6f4_one_format},
    std::pair{std::string_view("fp4_nibbles_swapped"), Fault::fp4_nibbles_swapped},
    std::pair{std::string_view("scale_ignored"), Fault::scale_ignored},
    std::pair{std::string_view("scale_operands_swapped"), Fault::scale_operands_swapped},
    std::pair{std::string_view("scale_of_other_row"), Fault::scale_of_other_row},
    std::pair{std::string_view("scale_block_16"), Fault::scale_block_16},
    std::pair{std::string_view("scale_block_64"), Fault::scale_block_64},
    std::pair{std::string_view("scale_byte_ignored"), Fault::scale_byte_ignored},
    std::pair{std::string_view("scale_byte_of_a_for_both"), Fault::scale_byte_of_a_for_both},
    std::pair{std::string_view("scale_as_integer"), Fault::scale_as_integer},
    std::pair{std::string_view("scale_nan_as_number"), Fault::scale_nan_as_number},
    std::pair{std::string_view("scale_zero_is_one"), Fault::scale_zero_is_one},
    std::pair{std::string_view("scale_read_as_float"), Fault::scale_read_as_float},
    std::pair{std::string_view("fp8_matrix_encoding_swapped"), Fault::fp8_matrix_encoding_swapped},
    std::pair{std::string_view("fp8_conversion_encoding_swapped"), Fault::fp8_conversion_encoding_swapped},
    std::pair{std::string_view("fnuz_nan_as_minus_zero"), Fault::fnuz_nan_as_minus_zero},
    std::pair{std::string_view("bf8_infinity_as_number"), Fault::bf8_infinity_as_number},
    std::pair{std::string_view("fp8_minus_zero_lost"), Fault::fp8_minus_zero_lost},
    std::pair{std::string_view("conversions_truncate"), Fault::conversions_truncate},
    std::pair{std::string_view("conversions_always_saturate"), Fault::conversions_always_saturate},
    std::pair{std::string_view("fp16_ovfl_ignored"), Fault::fp16_ovfl_ignored},
    std::pair{std::string_view("stochastic_rounds_to_nearest"), Fault::stochastic_rounds_to_nearest},
};

} // namespace

Fault active_fault() {
  const char* wanted = std::getenv("CDNA_CTS_FAULT");
  if (wanted == nullptr || *wanted == '\0') return Fault::none;
  std::string known;
  for (const auto& [word, fault] : names) {
    if (word == wanted) return fault;
    known += known.empty() ? "" : ", ";
    known += word;
  }
  throw Error("CDNA_CTS_FAULT='{}' names no planted fault; known are: {}", wanted, known);
}

} // namespace cts::emulator
