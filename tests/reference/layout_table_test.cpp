// The layouts against the manuals' own tables, transcribed by hand.
#include "layout_rows.hpp"

#include <gtest/gtest.h>

namespace cts::reference {
namespace {

constexpr Operand A = Operand::a, B = Operand::b, D = Operand::d;

Layouts layouts(std::string_view name) { return Layouts(find_instruction(name)); }

/// All rows hold, for C as for D.
void expect_rows(const Layouts& layouts, const std::vector<Row>& rows) {
  for (const std::string& what : mismatches(layouts, rows)) ADD_FAILURE() << what;
}

/// An input table of ISA4 7.1.5.1 holds, for A and for B: the manual prints one table for both.
void expect_cells(const Instruction& instruction, const std::vector<Cell>& cells) {
  for (const Operand operand : {A, B}) {
    const std::vector<Row> rows = rows_of(instruction, operand, cells);
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(instruction.m * instruction.k))
        << "the table is not complete";
    expect_rows(Layouts(instruction), rows);
  }
}

// ISA3 7.1.3.1, the formulas and the table of V_MFMA_F32_32X32X1_2B_F32.
TEST(LayoutTable, F32_32x32x1_2B) {
  expect_rows(layouts("v_mfma_f32_32x32x1_2b_f32"),
              {{A, 0, 0, 0, {0, 0, 0}},   {A, 33, 0, 0, {1, 1, 0}},    {B, 0, 0, 0, {0, 0, 0}},
               {B, 63, 0, 0, {1, 0, 31}}, {D, 0, 0, 0, {0, 0, 0}},     {D, 1, 0, 0, {0, 0, 1}},
               {D, 31, 0, 0, {0, 0, 31}}, {D, 32, 0, 0, {0, 4, 0}},    {D, 63, 0, 0, {0, 4, 31}},
               {D, 0, 1, 0, {0, 1, 0}},   {D, 63, 1, 0, {0, 5, 31}},   {D, 0, 3, 0, {0, 3, 0}},
               {D, 32, 3, 0, {0, 7, 0}},  {D, 0, 4, 0, {0, 8, 0}},     {D, 63, 4, 0, {0, 12, 31}},
               {D, 0, 15, 0, {0, 27, 0}}, {D, 63, 15, 0, {0, 31, 31}}, {D, 0, 16, 0, {1, 0, 0}},
               {D, 32, 16, 0, {1, 4, 0}}, {D, 0, 31, 0, {1, 27, 0}},   {D, 63, 31, 0, {1, 31, 31}}});
}

// ISA3 7.1.3.2, the tables of V_MFMA_F32_32X32X2_F32.
TEST(LayoutTable, F32_32x32x2) {
  expect_rows(layouts("v_mfma_f32_32x32x2_f32"), {{A, 0, 0, 0, {0, 0, 0}},
                                                  {A, 31, 0, 0, {0, 31, 0}},
                                                  {A, 32, 0, 0, {0, 0, 1}},
                                                  {A, 63, 0, 0, {0, 31, 1}},
                                                  {B, 1, 0, 0, {0, 0, 1}},
                                                  {B, 31, 0, 0, {0, 0, 31}},
                                                  {B, 32, 0, 0, {0, 1, 0}},
                                                  {B, 63, 0, 0, {0, 1, 31}},
                                                  {D, 32, 0, 0, {0, 4, 0}},
                                                  {D, 31, 1, 0, {0, 1, 31}},
                                                  {D, 63, 3, 0, {0, 7, 31}},
                                                  {D, 0, 4, 0, {0, 8, 0}},
                                                  {D, 0, 15, 0, {0, 27, 0}},
                                                  {D, 1, 15, 0, {0, 27, 1}},
                                                  {D, 63, 15, 0, {0, 31, 31}}});
}

// ISA3 7.1.3.3, the tables of V_MFMA_F32_4X4X4_16B_F16. BF16 is packed the same way (ISA3 7.1.4).
TEST(LayoutTable, F16_4x4x4_16B) {
  for (const char* name : {"v_mfma_f32_4x4x4_16b_f16", "v_mfma_f32_4x4x4_16b_bf16"})
    expect_rows(layouts(name),
                {{A, 0, 0, 0, {0, 0, 0}},    {A, 1, 0, 0, {0, 1, 0}},   {A, 3, 0, 0, {0, 3, 0}},
                 {A, 4, 0, 0, {1, 0, 0}},    {A, 63, 0, 0, {15, 3, 0}}, {A, 0, 0, 16, {0, 0, 1}},
                 {A, 63, 0, 16, {15, 3, 1}}, {A, 4, 1, 0, {1, 0, 2}},   {A, 3, 1, 16, {0, 3, 3}},
                 {A, 63, 1, 16, {15, 3, 3}}, {B, 1, 0, 0, {0, 0, 1}},   {B, 4, 0, 0, {1, 0, 0}},
                 {B, 63, 0, 0, {15, 0, 3}},  {B, 0, 0, 16, {0, 1, 0}},  {B, 3, 1, 0, {0, 2, 3}},
                 {B, 63, 1, 16, {15, 3, 3}}, {D, 0, 0, 0, {0, 0, 0}},   {D, 3, 0, 0, {0, 0, 3}},
                 {D, 4, 0, 0, {1, 0, 0}},    {D, 63, 0, 0, {15, 0, 3}}, {D, 0, 3, 0, {0, 3, 0}},
                 {D, 4, 3, 0, {1, 3, 0}},    {D, 63, 3, 0, {15, 3, 3}}});
}

// ISA3 7.1.3.4, the tables of V_MFMA_F64_16X16X4_F64: low halves in even registers, high halves in the next.
TEST(LayoutTable, F64_16x16x4) {
  expect_rows(layouts("v_mfma_f64_16x16x4_f64"), {{A, 0, 0, 0, {0, 0, 0}},
                                                  {A, 1, 0, 0, {0, 1, 0}},
                                                  {A, 15, 0, 0, {0, 15, 0}},
                                                  {A, 16, 0, 0, {0, 0, 1}},
                                                  {A, 63, 0, 0, {0, 15, 3}},
                                                  {B, 1, 0, 0, {0, 0, 1}},
                                                  {B, 15, 0, 0, {0, 0, 15}},
                                                  {B, 16, 0, 0, {0, 1, 0}},
                                                  {B, 63, 0, 0, {0, 3, 15}},
                                                  {D, 0, 0, 0, {0, 0, 0}},
                                                  {D, 15, 0, 0, {0, 0, 15}},
                                                  {D, 16, 0, 0, {0, 1, 0}},
                                                  {D, 63, 0, 0, {0, 3, 15}},
                                                  {D, 0, 2, 0, {0, 4, 0}},
                                                  {D, 16, 2, 0, {0, 5, 0}},
                                                  {D, 63, 2, 0, {0, 7, 15}},
                                                  {D, 0, 6, 0, {0, 12, 0}},
                                                  {D, 16, 6, 0, {0, 13, 0}},
                                                  {D, 63, 6, 0, {0, 15, 15}}});
}

// F64 4x4x4_4B has no table. A and B: ISA3 7.1.4.1 with K_L = 4 / (64 / (4 * 4)) = 1, lane i + 4 * (b + 4 *
// k). D: AMD's calculator and lane j + 4 * b + 16 * i; the formula of 7.1.4.2 (H 1, B_I 4, M_I 4, G 1) would
// say j + 4 * i + 16 * b.
TEST(LayoutTable, F64_4x4x4_4B) {
  expect_rows(layouts("v_mfma_f64_4x4x4_4b_f64"), {{A, 1, 0, 0, {0, 1, 0}},
                                                   {A, 4, 0, 0, {1, 0, 0}},
                                                   {A, 16, 0, 0, {0, 0, 1}},
                                                   {A, 63, 0, 0, {3, 3, 3}},
                                                   {A, 27, 0, 0, {2, 3, 1}},
                                                   {B, 1, 0, 0, {0, 0, 1}},
                                                   {B, 4, 0, 0, {1, 0, 0}},
                                                   {B, 16, 0, 0, {0, 1, 0}},
                                                   {B, 27, 0, 0, {2, 1, 3}},
                                                   {D, 1, 0, 0, {0, 0, 1}},
                                                   {D, 4, 0, 0, {1, 0, 0}},
                                                   {D, 16, 0, 0, {0, 1, 0}},
                                                   {D, 27, 0, 0, {2, 1, 3}},
                                                   {D, 63, 0, 0, {3, 3, 3}}});
}

// 16x16x16 has no table. By ISA3 7.1.4 with K_L = 16 / (64 / 16) = 4: A[i][k] in lane i + 16 * (k / 4), item
// k % 4; with B_I 1, M_I 4, G 1: D[i][j] in lane j + 16 * (i / 4), item i % 4.
TEST(LayoutTable, F16_16x16x16) {
  for (const char* name : {"v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x16_bf16"})
    expect_rows(layouts(name), {{A, 0, 0, 0, {0, 0, 0}},
                                {A, 0, 0, 16, {0, 0, 1}},
                                {A, 15, 1, 16, {0, 15, 3}},
                                {A, 16, 0, 0, {0, 0, 4}},
                                {A, 47, 1, 0, {0, 15, 10}},
                                {A, 63, 1, 16, {0, 15, 15}},
                                {B, 0, 0, 16, {0, 1, 0}},
                                {B, 16, 0, 0, {0, 4, 0}},
                                {B, 47, 1, 0, {0, 10, 15}},
                                {B, 63, 1, 16, {0, 15, 15}},
                                {D, 0, 0, 0, {0, 0, 0}},
                                {D, 0, 3, 0, {0, 3, 0}},
                                {D, 16, 0, 0, {0, 4, 0}},
                                {D, 37, 1, 0, {0, 9, 5}},
                                {D, 63, 3, 0, {0, 15, 15}}});
}

// 32x32x8 has no table. By ISA3 7.1.4 with K_L = 8 / (64 / 32) = 4: A[i][k] in lane i + 32 * (k / 4), item k
// % 4; with B_I 1, M_I 2, G 4: D[i][j] in lane j + 32 * ((i / 4) % 2), item i % 4 + 4 * (i / 8), as in the
// table of 32x32x2.
TEST(LayoutTable, F16_32x32x8) {
  for (const char* name : {"v_mfma_f32_32x32x8_f16", "v_mfma_f32_32x32x8_bf16"})
    expect_rows(layouts(name), {{A, 0, 0, 16, {0, 0, 1}},
                                {A, 31, 1, 16, {0, 31, 3}},
                                {A, 32, 0, 0, {0, 0, 4}},
                                {A, 37, 1, 0, {0, 5, 6}},
                                {A, 63, 1, 16, {0, 31, 7}},
                                {B, 37, 1, 0, {0, 6, 5}},
                                {B, 63, 1, 16, {0, 7, 31}},
                                {D, 0, 4, 0, {0, 8, 0}},
                                {D, 39, 5, 0, {0, 13, 7}},
                                {D, 0, 15, 0, {0, 27, 0}},
                                {D, 63, 15, 0, {0, 31, 31}}});
}

// Lane 18 of the FP16 examples (claim CDNA-3.7).
TEST(LayoutTable, WorkedExampleOfLane18) {
  std::vector<Row> narrow, wide;
  for (int e = 0; e < 4; ++e) {
    narrow.push_back({A, 18, e / 2, 16 * (e % 2), {0, 2, 4 + e}});
    narrow.push_back({B, 18, e / 2, 16 * (e % 2), {0, 4 + e, 2}});
  }
  for (int e = 0; e < 8; ++e) {
    wide.push_back({A, 18, e / 2, 16 * (e % 2), {0, 2, 8 + e}});
    wide.push_back({B, 18, e / 2, 16 * (e % 2), {0, 8 + e, 2}});
  }
  for (std::vector<Row>* rows : {&narrow, &wide})
    for (int g = 0; g < 4; ++g) rows->push_back({D, 18, g, 0, {0, 4 + g, 2}});
  expect_rows(layouts("v_mfma_f32_16x16x16_f16"), narrow);
  expect_rows(layouts("v_mfma_f32_16x16x32_f16"), wide);
}

// ISA4 7.1.5.1, "A[m][k]/B[k][n] Layout BF16". Each cell: VGPR, first thread of a row of 16, first M or N, k
// from, k to.
TEST(LayoutTable, Wide16Bit) {
  for (const char* name : {"v_mfma_f32_16x16x32_bf16", "v_mfma_f32_16x16x32_f16"})
    expect_cells(find_instruction(name), {{0, 0, 0, 0, 1},
                                          {0, 16, 0, 8, 9},
                                          {0, 32, 0, 16, 17},
                                          {0, 48, 0, 24, 25},
                                          {1, 0, 0, 2, 3},
                                          {1, 16, 0, 10, 11},
                                          {1, 32, 0, 18, 19},
                                          {1, 48, 0, 26, 27},
                                          {2, 0, 0, 4, 5},
                                          {2, 16, 0, 12, 13},
                                          {2, 32, 0, 20, 21},
                                          {2, 48, 0, 28, 29},
                                          {3, 0, 0, 6, 7},
                                          {3, 16, 0, 14, 15},
                                          {3, 32, 0, 22, 23},
                                          {3, 48, 0, 30, 31}});
  for (const char* name : {"v_mfma_f32_32x32x16_bf16", "v_mfma_f32_32x32x16_f16"})
    expect_cells(find_instruction(name), {{0, 0, 0, 0, 1},
                                          {0, 16, 16, 0, 1},
                                          {0, 32, 0, 8, 9},
                                          {0, 48, 16, 8, 9},
                                          {1, 0, 0, 2, 3},
                                          {1, 16, 16, 2, 3},
                                          {1, 32, 0, 10, 11},
                                          {1, 48, 16, 10, 11},
                                          {2, 0, 0, 4, 5},
                                          {2, 16, 16, 4, 5},
                                          {2, 32, 0, 12, 13},
                                          {2, 48, 16, 12, 13},
                                          {3, 0, 0, 6, 7},
                                          {3, 16, 16, 6, 7},
                                          {3, 32, 0, 14, 15},
                                          {3, 48, 16, 14, 15}});
}

// ISA4 7.1.5.1, "A[m][k]/B[k][n] Layout IU8".
TEST(LayoutTable, WideI8) {
  expect_cells(find_instruction("v_mfma_i32_16x16x64_i8"), {{0, 0, 0, 0, 3},
                                                            {0, 16, 0, 16, 19},
                                                            {0, 32, 0, 32, 35},
                                                            {0, 48, 0, 48, 51},
                                                            {1, 0, 0, 4, 7},
                                                            {1, 16, 0, 20, 23},
                                                            {1, 32, 0, 36, 39},
                                                            {1, 48, 0, 52, 55},
                                                            {2, 0, 0, 8, 11},
                                                            {2, 16, 0, 24, 27},
                                                            {2, 32, 0, 40, 43},
                                                            {2, 48, 0, 56, 59},
                                                            {3, 0, 0, 12, 15},
                                                            {3, 16, 0, 28, 31},
                                                            {3, 32, 0, 44, 47},
                                                            {3, 48, 0, 60, 63}});
  expect_cells(find_instruction("v_mfma_i32_32x32x32_i8"), {{0, 0, 0, 0, 3},
                                                            {0, 16, 16, 0, 3},
                                                            {0, 32, 0, 16, 19},
                                                            {0, 48, 16, 16, 19},
                                                            {1, 0, 0, 4, 7},
                                                            {1, 16, 16, 4, 7},
                                                            {1, 32, 0, 20, 23},
                                                            {1, 48, 16, 20, 23},
                                                            {2, 0, 0, 8, 11},
                                                            {2, 16, 16, 8, 11},
                                                            {2, 32, 0, 24, 27},
                                                            {2, 48, 16, 24, 27},
                                                            {3, 0, 0, 12, 15},
                                                            {3, 16, 16, 12, 15},
                                                            {3, 32, 0, 28, 31},
                                                            {3, 48, 16, 28, 31}});
}

// ISA4 7.1.5.1, tables "FP8", "FP6" and "FP4", which only an earlier text of the manual shows. A cell that
// spans several VGPRs is given by its first.
TEST(LayoutTable, F8F6F4) {
  const Instruction narrow = find_instruction("v_mfma_f32_16x16x128_f8f6f4");
  const Instruction wide = find_instruction("v_mfma_f32_32x32x64_f8f6f4");
  for (const Type type : {Type::fp8, Type::bf8}) {
    expect_cells(with_formats(narrow, type, type), {{0, 0, 0, 0, 15},
                                                    {0, 16, 0, 16, 31},
                                                    {0, 32, 0, 32, 47},
                                                    {0, 48, 0, 48, 63},
                                                    {4, 0, 0, 64, 79},
                                                    {4, 16, 0, 80, 95},
                                                    {4, 32, 0, 96, 111},
                                                    {4, 48, 0, 112, 127}});
    expect_cells(with_formats(wide, type, type), {{0, 0, 0, 0, 15},
                                                  {0, 16, 16, 0, 15},
                                                  {0, 32, 0, 16, 31},
                                                  {0, 48, 16, 16, 31},
                                                  {4, 0, 0, 32, 47},
                                                  {4, 16, 16, 32, 47},
                                                  {4, 32, 0, 48, 63},
                                                  {4, 48, 16, 48, 63}});
  }
  for (const Type type : {Type::fp6, Type::bf6}) {
    expect_cells(with_formats(narrow, type, type), {{0, 0, 0, 0, 15},
                                                    {0, 16, 0, 32, 47},
                                                    {0, 32, 0, 64, 79},
                                                    {0, 48, 0, 96, 111},
                                                    {3, 0, 0, 16, 31},
                                                    {3, 16, 0, 48, 63},
                                                    {3, 32, 0, 80, 95},
                                                    {3, 48, 0, 112, 127}});
    expect_cells(with_formats(wide, type, type), {{0, 0, 0, 0, 15},
                                                  {0, 16, 16, 0, 15},
                                                  {0, 32, 0, 32, 47},
                                                  {0, 48, 16, 32, 47},
                                                  {3, 0, 0, 16, 31},
                                                  {3, 16, 16, 16, 31},
                                                  {3, 32, 0, 48, 63},
                                                  {3, 48, 16, 48, 63}});
  }
  expect_cells(with_formats(narrow, Type::fp4, Type::fp4),
               {{0, 0, 0, 0, 31}, {0, 16, 0, 32, 63}, {0, 32, 0, 64, 95}, {0, 48, 0, 96, 127}});
  expect_cells(with_formats(wide, Type::fp4, Type::fp4),
               {{0, 0, 0, 0, 31}, {0, 16, 16, 0, 31}, {0, 32, 0, 32, 63}, {0, 48, 16, 32, 63}});
}

// ISA4 7.1.4: 6-bit items are dense in a string of 192 bits. Bits 35:30 cross a register; the manual calls
// that "item 4", but its items 0 (5:0) and 1 (11:6) make it item 5.
TEST(LayoutTable, SixBitItemsCrossRegisters) {
  const Layout a = dense_layout(
      with_formats(find_instruction("v_mfma_f32_16x16x128_f8f6f4"), Type::fp6, Type::fp6), Operand::a);
  EXPECT_EQ(vgprs_of(a), 6);
  EXPECT_EQ(place_of(a, {7, 0}), (Place{7, 0, 0, 6}));
  EXPECT_EQ(place_of(a, {7, 1}), (Place{7, 0, 6, 6}));
  EXPECT_EQ(place_of(a, {7, 5}), (Place{7, 0, 30, 6}));
  EXPECT_EQ(place_of(a, {7, 31}), (Place{7, 5, 26, 6}));
  EXPECT_EQ(slot_at(a, 7, 0, 31), (Slot{7, 5}));
  EXPECT_EQ(slot_at(a, 7, 1, 3), (Slot{7, 5}));
  EXPECT_EQ(slot_at(a, 7, 1, 4), (Slot{7, 6}));
  EXPECT_EQ(slot_at(a, 7, 6, 0), std::nullopt);
  EXPECT_EQ(slot_at(a, 64, 0, 0), std::nullopt);
}

} // namespace
} // namespace cts::reference
