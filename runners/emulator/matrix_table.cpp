// Shapes, block counts and passes: CDNA3 ISA 7.1 and table 28, CDNA4 ISA 7.1 and table 28 (a pass is 4
// cycles).
#include "runners/emulator/matrix_table.hpp"

#include <string_view>

namespace cts::emulator {
namespace {

using enum Element;
using Kind = MatrixRow::Kind;

constexpr MatrixRow rows[] = {
    // mnemonic, A, B, D, M, K, blocks, passes on gfx942, passes on gfx950, kind
    {"v_mfma_f32_32x32x1_2b_f32", f32, f32, f32, 32, 1, 2, 16, 16},
    {"v_mfma_f32_16x16x1_4b_f32", f32, f32, f32, 16, 1, 4, 8, 8},
    {"v_mfma_f32_4x4x1_16b_f32", f32, f32, f32, 4, 1, 16, 2, 2},
    {"v_mfma_f32_32x32x2_f32", f32, f32, f32, 32, 2, 1, 16, 16},
    {"v_mfma_f32_16x16x4_f32", f32, f32, f32, 16, 4, 1, 8, 8},
    {"v_mfma_f32_32x32x4_2b_f16", f16, f16, f32, 32, 4, 2, 16, 16},
    {"v_mfma_f32_16x16x4_4b_f16", f16, f16, f32, 16, 4, 4, 8, 8},
    {"v_mfma_f32_4x4x4_16b_f16", f16, f16, f32, 4, 4, 16, 2, 2},
    {"v_mfma_f32_32x32x8_f16", f16, f16, f32, 32, 8, 1, 8, 8},
    {"v_mfma_f32_16x16x16_f16", f16, f16, f32, 16, 16, 1, 4, 4},
    {"v_mfma_f32_16x16x32_f16", f16, f16, f32, 16, 32, 1, 0, 4},
    {"v_mfma_f32_32x32x16_f16", f16, f16, f32, 32, 16, 1, 0, 8},
    {"v_mfma_f32_32x32x4_2b_bf16", bf16, bf16, f32, 32, 4, 2, 16, 16},
    {"v_mfma_f32_16x16x4_4b_bf16", bf16, bf16, f32, 16, 4, 4, 8, 8},
    {"v_mfma_f32_4x4x4_16b_bf16", bf16, bf16, f32, 4, 4, 16, 2, 2},
    {"v_mfma_f32_32x32x8_bf16", bf16, bf16, f32, 32, 8, 1, 8, 8},
    {"v_mfma_f32_16x16x16_bf16", bf16, bf16, f32, 16, 16, 1, 4, 4},
    {"v_mfma_f32_16x16x32_bf16", bf16, bf16, f32, 16, 32, 1, 0, 4},
    {"v_mfma_f32_32x32x16_bf16", bf16, bf16, f32, 32, 16, 1, 0, 8},
    {"v_mfma_i32_32x32x4_2b_i8", i8, i8, i32, 32, 4, 2, 16, 16},
    {"v_mfma_i32_16x16x4_4b_i8", i8, i8, i32, 16, 4, 4, 8, 8},
    {"v_mfma_i32_4x4x4_16b_i8", i8, i8, i32, 4, 4, 16, 2, 2},
    {"v_mfma_i32_32x32x16_i8", i8, i8, i32, 32, 16, 1, 8, 8},
    {"v_mfma_i32_16x16x32_i8", i8, i8, i32, 16, 32, 1, 4, 4},
    {"v_mfma_i32_16x16x64_i8", i8, i8, i32, 16, 64, 1, 0, 4},
    {"v_mfma_i32_32x32x32_i8", i8, i8, i32, 32, 32, 1, 0, 8},
    {"v_mfma_f64_16x16x4_f64", f64, f64, f64, 16, 4, 1, 8, 16},
    {"v_mfma_f64_4x4x4_4b_f64", f64, f64, f64, 4, 4, 4, 4, 4},
    {"v_mfma_f32_16x16x8_xf32", xf32, xf32, f32, 16, 8, 1, 4, 0},
    {"v_mfma_f32_32x32x4_xf32", xf32, xf32, f32, 32, 4, 1, 8, 0},
    {"v_mfma_f32_16x16x32_bf8_bf8", bf8, bf8, f32, 16, 32, 1, 4, 4},
    {"v_mfma_f32_32x32x16_bf8_bf8", bf8, bf8, f32, 32, 16, 1, 8, 8},
    {"v_mfma_f32_16x16x32_bf8_fp8", bf8, fp8, f32, 16, 32, 1, 4, 4},
    {"v_mfma_f32_32x32x16_bf8_fp8", bf8, fp8, f32, 32, 16, 1, 8, 8},
    {"v_mfma_f32_16x16x32_fp8_bf8", fp8, bf8, f32, 16, 32, 1, 4, 4},
    {"v_mfma_f32_32x32x16_fp8_bf8", fp8, bf8, f32, 32, 16, 1, 8, 8},
    {"v_mfma_f32_16x16x32_fp8_fp8", fp8, fp8, f32, 16, 32, 1, 4, 4},
    {"v_mfma_f32_32x32x16_fp8_fp8", fp8, fp8, f32, 32, 16, 1, 8, 8},
    {"v_mfma_f32_16x16x128_f8f6f4", by_field, by_field, f32, 16, 128, 1, 0, 4, Kind::f8f6f4},
    {"v_mfma_f32_32x32x64_f8f6f4", by_field, by_field, f32, 32, 64, 1, 0, 8, Kind::f8f6f4},
    {"v_mfma_scale_f32_16x16x128_f8f6f4", by_field, by_field, f32, 16, 128, 1, 0, 4, Kind::scaled},
    {"v_mfma_scale_f32_32x32x64_f8f6f4", by_field, by_field, f32, 32, 64, 1, 0, 8, Kind::scaled},
    {"v_smfmac_f32_16x16x32_f16", f16, f16, f32, 16, 32, 1, 4, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x16_f16", f16, f16, f32, 32, 16, 1, 8, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x64_f16", f16, f16, f32, 16, 64, 1, 0, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x32_f16", f16, f16, f32, 32, 32, 1, 0, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x32_bf16", bf16, bf16, f32, 16, 32, 1, 4, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x16_bf16", bf16, bf16, f32, 32, 16, 1, 8, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x64_bf16", bf16, bf16, f32, 16, 64, 1, 0, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x32_bf16", bf16, bf16, f32, 32, 32, 1, 0, 8, Kind::sparse},
    {"v_smfmac_i32_16x16x64_i8", i8, i8, i32, 16, 64, 1, 4, 4, Kind::sparse},
    {"v_smfmac_i32_32x32x32_i8", i8, i8, i32, 32, 32, 1, 8, 8, Kind::sparse},
    {"v_smfmac_i32_16x16x128_i8", i8, i8, i32, 16, 128, 1, 0, 4, Kind::sparse},
    {"v_smfmac_i32_32x32x64_i8", i8, i8, i32, 32, 64, 1, 0, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x64_bf8_bf8", bf8, bf8, f32, 16, 64, 1, 4, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x32_bf8_bf8", bf8, bf8, f32, 32, 32, 1, 8, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x128_bf8_bf8", bf8, bf8, f32, 16, 128, 1, 0, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x64_bf8_bf8", bf8, bf8, f32, 32, 64, 1, 0, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x64_bf8_fp8", bf8, fp8, f32, 16, 64, 1, 4, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x32_bf8_fp8", bf8, fp8, f32, 32, 32, 1, 8, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x128_bf8_fp8", bf8, fp8, f32, 16, 128, 1, 0, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x64_bf8_fp8", bf8, fp8, f32, 32, 64, 1, 0, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x64_fp8_bf8", fp8, bf8, f32, 16, 64, 1, 4, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x32_fp8_bf8", fp8, bf8, f32, 32, 32, 1, 8, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x128_fp8_bf8", fp8, bf8, f32, 16, 128, 1, 0, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x64_fp8_bf8", fp8, bf8, f32, 32, 64, 1, 0, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x64_fp8_fp8", fp8, fp8, f32, 16, 64, 1, 4, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x32_fp8_fp8", fp8, fp8, f32, 32, 32, 1, 8, 8, Kind::sparse},
    {"v_smfmac_f32_16x16x128_fp8_fp8", fp8, fp8, f32, 16, 128, 1, 0, 4, Kind::sparse},
    {"v_smfmac_f32_32x32x64_fp8_fp8", fp8, fp8, f32, 32, 64, 1, 0, 8, Kind::sparse},
};

} // namespace

std::span<const MatrixRow> matrix_rows() { return rows; }

unsigned passes(const MatrixRow& row, Target target, unsigned cbsz, unsigned blgp) {
  const unsigned base = target == Target::gfx942 ? row.passes942 : row.passes950;
  const bool has_8_bits = row.a == by_field && (cbsz <= 1 || blgp <= 1);
  return has_8_bits ? 2 * base : base;
}

MatrixClass matrix_class(const MatrixRow& row) {
  if (row.a == f64) return row.m == 16 ? MatrixClass::dgemm_16x16x4 : MatrixClass::dgemm_4x4x4;
  return row.a == f32 ? MatrixClass::sgemm : MatrixClass::xdl;
}

} // namespace cts::emulator
