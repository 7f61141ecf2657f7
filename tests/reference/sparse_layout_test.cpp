// Layouts of the sparse instructions against the manuals' tables, and 4:2 form there and back.
#include "common/error.hpp"
#include "error_of.hpp"
#include "layout_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cts::reference {
namespace {

constexpr Operand A = Operand::a, B = Operand::b, D = Operand::d;

/// All instructions with the shape of `like` whose inputs have as many bits.
std::vector<Instruction> alike(std::string_view like) {
  const Instruction& i = find_instruction(like);
  std::vector<Instruction> list;
  for (const Instruction& other : instructions(Kind::sparse, Target::gfx950))
    if (std::tuple(other.m, other.n, other.k, bits_of(other.a)) == std::tuple(i.m, i.n, i.k, bits_of(i.a)))
      list.push_back(other);
  return list;
}

// ---- One-to-one
// ----------------------------------------------------------------------------------------------------

class SparseBijection : public testing::TestWithParam<Target> {};

TEST_P(SparseBijection, EveryOperandOfEveryInstruction) {
  std::size_t layouts = 0;
  for (const Instruction& i : instructions(Kind::sparse, GetParam())) {
    std::vector<Layout> all{index_layout(i)};
    for (const Operand operand : {A, B, Operand::c, D}) all.push_back(sparse_layout(i, operand));
    for (const Layout& layout : all) {
      for (const std::string& problem : check_bijection(layout)) ADD_FAILURE() << problem;
      EXPECT_EQ(64 * layout.items, layout.shape.blocks * layout.shape.rows * layout.shape.cols)
          << layout.name;
      ++layouts;
    }
    EXPECT_EQ(vgprs_of(all[0]), 1) << i.mnemonic << " index";
    EXPECT_EQ(vgprs_of(all[1]), i.vgprs_a) << i.mnemonic << " A";
    EXPECT_EQ(vgprs_of(all[2]), i.vgprs_b) << i.mnemonic << " B";
    EXPECT_EQ(vgprs_of(all[4]), i.vgprs_d) << i.mnemonic << " D";
  }
  EXPECT_EQ(layouts, GetParam() == Target::gfx942 ? 5u * 14 : 5u * 28);
}

INSTANTIATE_TEST_SUITE_P(, SparseBijection, testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(SparseLayout, DenseIsRefused) {
  const Instruction& dense = find_instruction("v_mfma_f32_16x16x16_f16");
  const std::string line =
      "v_mfma_f32_16x16x16_f16 is not sparse: only SMFMAC instructions have a sparse layout";
  EXPECT_EQ(error_of([&] { sparse_layout(dense, A); }), line);
  EXPECT_EQ(error_of([&] { index_layout(dense); }), line);
  EXPECT_EQ(error_of([&] { random_pairs(dense, 1); }), line);
}

// ---- Tables of B
// ---------------------------------------------------------------------------------------------------

void expect_b(std::string_view like, std::size_t instructions, const std::vector<Cell>& cells) {
  const std::vector<Instruction> list = alike(like);
  EXPECT_EQ(list.size(), instructions) << like;
  for (const Instruction& i : list) {
    const std::vector<Row> rows = rows_of(i, B, cells);
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(i.n * i.k)) << "the table is not complete";
    for (const std::string& what : mismatches(Layouts(i), rows)) ADD_FAILURE() << what;
  }
}

// ISA3 Table 33, ISA4 Table 34. Each cell: VGPR, first lane of a row of 16, first column, k from, k to.
TEST(SparseLayout, TableOfB16Bit) {
  expect_b("v_smfmac_f32_16x16x32_f16", 2,
           {{0, 0, 0, 0, 1},
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
  expect_b("v_smfmac_f32_32x32x16_f16", 2,
           {{0, 0, 0, 0, 1},
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

// ISA3 Table 35, ISA4 Table 36 (which print "20,21,23,23" for 20 to 23, and in ISA3 lack v3 of the wide
// shape).
TEST(SparseLayout, TableOfB8Bit) {
  expect_b("v_smfmac_i32_16x16x64_i8", 5,
           {{0, 0, 0, 0, 3},
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
  expect_b("v_smfmac_i32_32x32x32_i8", 5,
           {{0, 0, 0, 0, 3},
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

// ISA4 7.5.1.3, "F16/BF16 Layout for Matrix B".
TEST(SparseLayout, TableOfWideB16Bit) {
  expect_b("v_smfmac_f32_16x16x64_f16", 2,
           {{0, 0, 0, 0, 1},   {0, 16, 0, 8, 9},   {0, 32, 0, 16, 17}, {0, 48, 0, 24, 25},
            {1, 0, 0, 2, 3},   {1, 16, 0, 10, 11}, {1, 32, 0, 18, 19}, {1, 48, 0, 26, 27},
            {2, 0, 0, 4, 5},   {2, 16, 0, 12, 13}, {2, 32, 0, 20, 21}, {2, 48, 0, 28, 29},
            {3, 0, 0, 6, 7},   {3, 16, 0, 14, 15}, {3, 32, 0, 22, 23}, {3, 48, 0, 30, 31},
            {4, 0, 0, 32, 33}, {4, 16, 0, 40, 41}, {4, 32, 0, 48, 49}, {4, 48, 0, 56, 57},
            {5, 0, 0, 34, 35}, {5, 16, 0, 42, 43}, {5, 32, 0, 50, 51}, {5, 48, 0, 58, 59},
            {6, 0, 0, 36, 37}, {6, 16, 0, 44, 45}, {6, 32, 0, 52, 53}, {6, 48, 0, 60, 61},
            {7, 0, 0, 38, 39}, {7, 16, 0, 46, 47}, {7, 32, 0, 54, 55}, {7, 48, 0, 62, 63}});
  expect_b("v_smfmac_f32_32x32x32_f16", 2,
           {{0, 0, 0, 0, 1},   {0, 16, 16, 0, 1},   {0, 32, 0, 8, 9},   {0, 48, 16, 8, 9},
            {1, 0, 0, 2, 3},   {1, 16, 16, 2, 3},   {1, 32, 0, 10, 11}, {1, 48, 16, 10, 11},
            {2, 0, 0, 4, 5},   {2, 16, 16, 4, 5},   {2, 32, 0, 12, 13}, {2, 48, 16, 12, 13},
            {3, 0, 0, 6, 7},   {3, 16, 16, 6, 7},   {3, 32, 0, 14, 15}, {3, 48, 16, 14, 15},
            {4, 0, 0, 16, 17}, {4, 16, 16, 16, 17}, {4, 32, 0, 24, 25}, {4, 48, 16, 24, 25},
            {5, 0, 0, 18, 19}, {5, 16, 16, 18, 19}, {5, 32, 0, 26, 27}, {5, 48, 16, 26, 27},
            {6, 0, 0, 20, 21}, {6, 16, 16, 20, 21}, {6, 32, 0, 28, 29}, {6, 48, 16, 28, 29},
            {7, 0, 0, 22, 23}, {7, 16, 16, 22, 23}, {7, 32, 0, 30, 31}, {7, 48, 16, 30, 31}});
}

// ISA4 7.5.1.3, "IU8/F*8 Layout for Matrix B".
TEST(SparseLayout, TableOfWideB8Bit) {
  expect_b("v_smfmac_i32_16x16x128_i8", 5,
           {{0, 0, 0, 0, 3},   {0, 16, 0, 16, 19}, {0, 32, 0, 32, 35},   {0, 48, 0, 48, 51},
            {1, 0, 0, 4, 7},   {1, 16, 0, 20, 23}, {1, 32, 0, 36, 39},   {1, 48, 0, 52, 55},
            {2, 0, 0, 8, 11},  {2, 16, 0, 24, 27}, {2, 32, 0, 40, 43},   {2, 48, 0, 56, 59},
            {3, 0, 0, 12, 15}, {3, 16, 0, 28, 31}, {3, 32, 0, 44, 47},   {3, 48, 0, 60, 63},
            {4, 0, 0, 64, 67}, {4, 16, 0, 80, 83}, {4, 32, 0, 96, 99},   {4, 48, 0, 112, 115},
            {5, 0, 0, 68, 71}, {5, 16, 0, 84, 87}, {5, 32, 0, 100, 103}, {5, 48, 0, 116, 119},
            {6, 0, 0, 72, 75}, {6, 16, 0, 88, 91}, {6, 32, 0, 104, 107}, {6, 48, 0, 120, 123},
            {7, 0, 0, 76, 79}, {7, 16, 0, 92, 95}, {7, 32, 0, 108, 111}, {7, 48, 0, 124, 127}});
  expect_b("v_smfmac_i32_32x32x64_i8", 5,
           {{0, 0, 0, 0, 3},   {0, 16, 16, 0, 3},   {0, 32, 0, 16, 19}, {0, 48, 16, 16, 19},
            {1, 0, 0, 4, 7},   {1, 16, 16, 4, 7},   {1, 32, 0, 20, 23}, {1, 48, 16, 20, 23},
            {2, 0, 0, 8, 11},  {2, 16, 16, 8, 11},  {2, 32, 0, 24, 27}, {2, 48, 16, 24, 27},
            {3, 0, 0, 12, 15}, {3, 16, 16, 12, 15}, {3, 32, 0, 28, 31}, {3, 48, 16, 28, 31},
            {4, 0, 0, 32, 35}, {4, 16, 16, 32, 35}, {4, 32, 0, 48, 51}, {4, 48, 16, 48, 51},
            {5, 0, 0, 36, 39}, {5, 16, 16, 36, 39}, {5, 32, 0, 52, 55}, {5, 48, 16, 52, 55},
            {6, 0, 0, 40, 43}, {6, 16, 16, 40, 43}, {6, 32, 0, 56, 59}, {6, 48, 16, 56, 59},
            {7, 0, 0, 44, 47}, {7, 16, 16, 44, 47}, {7, 32, 0, 60, 63}, {7, 48, 16, 60, 63}});
}

// ---- A, D and worked examples
// --------------------------------------------------------------------------------------

// A has no table of its own: "packed as A[16][32]" and so on (ISA4 7.5.1.3), that is as the dense A of the
// same size.
TEST(SparseLayout, AIsPackedAsADenseMatrixOfHalfTheK) {
  for (const auto& [sparse, dense] : std::initializer_list<std::pair<const char*, const char*>>{
           {"v_smfmac_f32_16x16x32_f16", "v_mfma_f32_16x16x16_f16"},
           {"v_smfmac_f32_32x32x16_f16", "v_mfma_f32_32x32x8_f16"},
           {"v_smfmac_f32_16x16x64_f16", "v_mfma_f32_16x16x32_f16"},
           {"v_smfmac_f32_32x32x32_f16", "v_mfma_f32_32x32x16_f16"},
           {"v_smfmac_i32_16x16x64_i8", "v_mfma_i32_16x16x32_i8"},
           {"v_smfmac_i32_32x32x32_i8", "v_mfma_i32_32x32x16_i8"},
           {"v_smfmac_i32_16x16x128_i8", "v_mfma_i32_16x16x64_i8"},
           {"v_smfmac_i32_32x32x64_i8", "v_mfma_i32_32x32x32_i8"}}) {
    const Layout want = dense_layout(find_instruction(dense), A);
    const Layout got = sparse_layout(find_instruction(sparse), A);
    ASSERT_EQ(got.shape, want.shape) << sparse;
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < want.items; ++item)
        EXPECT_EQ(got.element_of({lane, item}), want.element_of({lane, item})) << sparse << " lane " << lane;
  }
}

// The sparse page: FP8 16x16x64, lane g = L / 16, n = L % 16 (claim SPARSE-10); accumulators (SPARSE-6 and
// -7).
TEST(SparseLayout, WorkedExamples) {
  std::vector<Row> rows;
  for (int e = 0; e < 8; ++e) rows.push_back({A, 37, e / 4, 8 * (e % 4), {0, 5, 16 + e}});
  for (int e = 0; e < 16; ++e) rows.push_back({B, 37, e / 4, 8 * (e % 4), {0, 32 + e, 5}});
  for (int g = 0; g < 4; ++g) rows.push_back({D, 37, g, 0, {0, 8 + g, 5}});
  for (const std::string& what : mismatches(Layouts(find_instruction("v_smfmac_f32_16x16x64_fp8_fp8")), rows))
    ADD_FAILURE() << what;
  const std::vector<Row> wide{{D, 0, 0, 0, {0, 0, 0}},     {D, 39, 1, 0, {0, 5, 7}},
                              {D, 7, 4, 0, {0, 8, 7}},     {D, 39, 7, 0, {0, 15, 7}},
                              {D, 63, 15, 0, {0, 31, 31}}, {D, 31, 12, 0, {0, 24, 31}}};
  for (const Instruction& i : instructions(Kind::sparse, Target::gfx950))
    if (i.m == 32)
      for (const std::string& what : mismatches(Layouts(i), wide)) ADD_FAILURE() << what;
}

// With the instructions of both targets A's lanes hold the k of B that they meet; with gfx950's they do not.
TEST(SparseLayout, WhichLanesOfBAItemMeets) {
  const auto other_lanes = [](const Instruction& i) {
    const Layout a = sparse_layout(i, A);
    int others = 0;
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < a.items; ++item)
        for (int position = 0; position < 4; ++position)
          if (b_slot_of(i, {lane, item}, position, lane % i.n).lane != lane) ++others;
    return others;
  };
  for (const Instruction& i : instructions(Kind::sparse, Target::gfx942))
    EXPECT_EQ(other_lanes(i), 0) << i.mnemonic;
  // 16x16x64 of 16 bits. A's group g holds k = 16g to 16g + 15 and B's 8g to 8g + 7 and 32 + 8g to 39 + 8g.
  // They share k 0 to 7 in group 0 and k 56 to 63 in group 3, so 6 of 8 eighths of the 64 * 8 * 4 cases cross
  // lanes.
  EXPECT_EQ(other_lanes(find_instruction("v_smfmac_f32_16x16x64_f16")), 64 * 8 * 4 * 6 / 8);
  EXPECT_EQ(b_slot_of(find_instruction("v_smfmac_f32_16x16x64_f16"), {16, 0}, 1, 5), (Slot{37, 1}));  // k 17
  EXPECT_EQ(b_slot_of(find_instruction("v_smfmac_f32_16x16x64_f16"), {32, 3}, 2, 0), (Slot{0, 14}));  // k 38
  EXPECT_EQ(b_slot_of(find_instruction("v_smfmac_i32_32x32x64_i8"), {31, 15}, 3, 1), (Slot{33, 15})); // k 31
  EXPECT_THROW(b_slot_of(find_instruction("v_smfmac_i32_32x32x64_i8"), {0, 0}, 4, 0), Error);
}

// ---- Index
// ---------------------------------------------------------------------------------------------------------

/// A line of an index table: bits 2n + 1 to 2n of the index register belong to the item of A that starts at
/// bit `low_bit` of VGPR `vgpr`, in set `set`. The tables are the same for all lanes.
struct IndexLine {
  int n, set, vgpr, low_bit;
};

void expect_index(std::string_view like, const std::vector<IndexLine>& lines) {
  for (const Instruction& i : alike(like)) {
    const Layout index = index_layout(i), a = sparse_layout(i, A);
    for (const IndexLine& line : lines)
      for (int lane = 0; lane < 64; ++lane) {
        const Element got = index.element_of({lane, line.n});
        const Place item = place_of(a, a.slot_of({0, got.row, got.col}));
        const std::string where =
            fmt::format("{} lane {} Vn[{}:{}]", i.mnemonic, lane, 2 * line.n + 1, 2 * line.n);
        EXPECT_EQ(got.block, line.set) << where;
        EXPECT_EQ(item, (Place{lane, line.vgpr, line.low_bit, a.bits}))
            << where << ": V" << item.vgpr << " bit " << item.low_bit << " of lane " << item.lane;
        EXPECT_EQ(place_of(index, index.slot_of(got)), (Place{lane, 0, 2 * line.n, 2})) << where;
      }
  }
}

// ISA3 Table 34, ISA4 Table 35: the printed lines.
TEST(SparseIndex, TableOfFourSets) {
  for (const char* like : {"v_smfmac_f32_16x16x32_f16", "v_smfmac_f32_32x32x16_f16"})
    expect_index(like, {{15, 3, 1, 16},
                        {14, 3, 1, 0},
                        {13, 3, 0, 16},
                        {12, 3, 0, 0},
                        {4, 1, 0, 0},
                        {3, 0, 1, 16},
                        {2, 0, 1, 0},
                        {1, 0, 0, 16},
                        {0, 0, 0, 0}});
}

// ISA3 Table 36, ISA4 Table 37: the printed lines ("Vn[19:19]" is 19:18).
TEST(SparseIndex, TableOfTwoSetsOf8BitItems) {
  for (const char* like : {"v_smfmac_i32_16x16x64_i8", "v_smfmac_i32_32x32x32_i8"})
    expect_index(like, {{15, 1, 1, 24},
                        {14, 1, 1, 16},
                        {13, 1, 1, 8},
                        {12, 1, 1, 0},
                        {11, 1, 0, 24},
                        {10, 1, 0, 16},
                        {9, 1, 0, 8},
                        {8, 1, 0, 0},
                        {7, 0, 1, 24},
                        {1, 0, 0, 8},
                        {0, 0, 0, 0}});
}

// ISA4 7.5.1.3, "F16/BF16 Index Layout": all lines.
TEST(SparseIndex, TableOfTwoSetsOf16BitItems) {
  std::vector<IndexLine> lines;
  for (int n = 0; n < 16; ++n) lines.push_back({n, n < 8 ? 0 : 1, n % 8 / 2, n % 2 == 0 ? 0 : 16});
  for (const char* like : {"v_smfmac_f32_16x16x64_f16", "v_smfmac_f32_32x32x32_f16"})
    expect_index(like, lines);
}

// ISA4 7.5.1.3, "IU8/F*8 Index Layout": all lines ("V3[16:8]" is 15:8).
TEST(SparseIndex, TableOfOneSet) {
  std::vector<IndexLine> lines;
  for (int n = 0; n < 16; ++n) lines.push_back({n, 0, n / 4, 8 * (n % 4)});
  for (const char* like : {"v_smfmac_i32_16x16x128_i8", "v_smfmac_i32_32x32x64_i8"})
    expect_index(like, lines);
}

TEST(SparseIndex, SetThatCbszAndAbidChoose) {
  struct Case {
    const char* instruction;
    int cbsz, abid, set;
  };
  for (const Case& c : std::initializer_list<Case>{{"v_smfmac_f32_16x16x32_f16", 0, 0, 0},
                                                   {"v_smfmac_f32_16x16x32_f16", 0, 3, 3},
                                                   {"v_smfmac_f32_16x16x32_f16", 0, 6, 2}, // ABID[1:0]
                                                   {"v_smfmac_f32_16x16x32_f16", 1, 3, 0},
                                                   {"v_smfmac_f32_16x16x32_f16", 3, 2, 0},
                                                   {"v_smfmac_f32_16x16x32_f16", 4, 2, 2}, // CBSZ[1:0] is 0
                                                   {"v_smfmac_i32_32x32x32_i8", 0, 1, 1},
                                                   {"v_smfmac_i32_32x32x32_i8", 0, 2, 0}, // ABID[0]
                                                   {"v_smfmac_i32_32x32x32_i8", 2, 1, 0},
                                                   {"v_smfmac_f32_16x16x64_bf16", 0, 1, 1},
                                                   {"v_smfmac_f32_16x16x64_bf16", 0, 2, 0},
                                                   {"v_smfmac_f32_16x16x64_bf16", 1, 1, 0},
                                                   {"v_smfmac_f32_32x32x64_fp8_bf8", 0, 1, 0},
                                                   {"v_smfmac_f32_32x32x64_fp8_bf8", 3, 3, 0}})
    EXPECT_EQ(index_set(find_instruction(c.instruction), c.cbsz, c.abid), c.set)
        << c.instruction << " CBSZ " << c.cbsz << " ABID " << c.abid;
  const Instruction& i = find_instruction("v_smfmac_f32_16x16x32_f16");
  EXPECT_EQ(error_of([&] { index_set(i, 8, 0); }), "CBSZ 8: expected 0 to 7");
  EXPECT_EQ(error_of([&] { index_set(i, 0, 16); }), "ABID 16: expected 0 to 15");
}

TEST(SparseIndex, Nibbles) {
  constexpr int nibbles[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE}; // second position in the upper bits
  for (std::size_t n = 0; n < legal_pairs.size(); ++n) EXPECT_EQ(nibble_of(legal_pairs[n]), nibbles[n]) << n;
  int legal = 0;
  for (int nibble = 0; nibble < 16; ++nibble)
    if (const auto pair = pair_of(nibble)) {
      ++legal;
      EXPECT_EQ(nibble_of(*pair), nibble);
    }
  EXPECT_EQ(legal, 6);
  EXPECT_EQ(error_of([] {
              nibble_of({2, 2});
            }),
            "positions 2 and 2 of a group: expected 0 <= first < second <= 3");
  EXPECT_THROW(nibble_of({1, 4}), Error);
  EXPECT_THROW(nibble_of({-1, 0}), Error);
}

// Positions 0 and 2 in every group are 1000b (claim SPARSE-5); the widest instructions need all 32 bits.
TEST(SparseIndex, WordsOfPositions0And2) {
  for (const auto& [instruction, word] : std::initializer_list<std::pair<const char*, std::uint32_t>>{
           {"v_smfmac_f32_16x16x32_f16", 0x88},
           {"v_smfmac_f32_32x32x16_bf16", 0x88},
           {"v_smfmac_f32_16x16x64_fp8_fp8", 0x8888},
           {"v_smfmac_f32_16x16x64_f16", 0x8888},
           {"v_smfmac_f32_32x32x64_fp8_bf8", 0x88888888}}) {
    const Instruction& i = find_instruction(instruction);
    const int bits = 32 / index_sets(i);
    for (int set = 0; set < index_sets(i); ++set) {
      RegisterImage image(1);
      write_index(image, i, std::vector<Pair>(static_cast<std::size_t>(i.m * i.k / 4), Pair{0, 2}), set);
      const std::uint32_t mask = (bits == 32 ? 0 : 1u << bits) - 1u;
      for (int lane = 0; lane < 64; ++lane) {
        EXPECT_EQ(image.word(0, lane) >> bits * set & mask, word)
            << i.mnemonic << " lane " << lane << " set " << set;
        EXPECT_EQ(image.word(0, lane) & ~(mask << bits * set), poison & ~(mask << bits * set))
            << i.mnemonic << ": bits outside set " << set << " of lane " << lane;
      }
    }
  }
}

TEST(SparseIndex, WrittenAndReadInEverySet) {
  for (const Instruction& i : instructions(Kind::sparse, Target::gfx950)) {
    RegisterImage image(1);
    for (int set = 0; set < index_sets(i); ++set)
      write_index(image, i, random_pairs(i, static_cast<std::uint64_t>(set + 1)), set);
    for (int set = 0; set < index_sets(i); ++set) {
      const std::vector<Pair> want = random_pairs(i, static_cast<std::uint64_t>(set + 1));
      EXPECT_EQ(read_index(image, i, set), std::vector<std::optional<Pair>>(want.begin(), want.end()))
          << i.mnemonic << " set " << set;
    }
  }
  const Instruction& i = find_instruction("v_smfmac_i32_16x16x128_i8");
  RegisterImage image(1);
  image.words.assign(64, 0);
  EXPECT_EQ(read_index(image, i, 0), std::vector<std::optional<Pair>>(16 * 32))
      << "two positions 0 are not legal";
  EXPECT_EQ(error_of([&] { write_index(image, i, random_pairs(i, 1), 1); }),
            "v_smfmac_i32_16x16x128_i8 index: set 1: expected 0 to 0");
  EXPECT_EQ(error_of([&] { write_index(image, i, std::vector<Pair>(3), 0); }),
            "v_smfmac_i32_16x16x128_i8 index: expected 512 pairs, got 3");
}

// Every group of A gets bits of its own: changing one pair changes four bits of one lane.
TEST(SparseIndex, OnePairIsFourBitsOfOneLane) {
  for (const char* name :
       {"v_smfmac_f32_32x32x16_f16", "v_smfmac_f32_16x16x64_f16", "v_smfmac_i32_32x32x64_i8"}) {
    const Instruction& i = find_instruction(name);
    const Layout a = sparse_layout(i, A);
    std::vector<Pair> pairs(static_cast<std::size_t>(i.m * i.k / 4), Pair{0, 1});
    RegisterImage before(1);
    write_index(before, i, pairs, 0);
    for (int row = 0; row < i.m; ++row)
      for (int group = 0; group < i.k / 4; ++group) {
        Pair& pair = pairs[static_cast<std::size_t>(row * i.k / 4 + group)];
        pair = {2, 3};
        RegisterImage after(1);
        write_index(after, i, pairs, 0);
        pair = {0, 1};
        const Slot home = a.slot_of({0, row, 2 * group});
        RegisterImage want = before;
        want.word(0, home.lane) = (want.word(0, home.lane) & ~(0xFu << 2 * home.item)) | 0xEu
                                                                                             << 2 * home.item;
        EXPECT_EQ(after.words, want.words) << name << " row " << row << " group " << group;
      }
  }
}

// ---- 4:2 form
// ------------------------------------------------------------------------------------------------------

/// m x k with element [i][k] = 100 * i + k + 1.
Matrix numbered(int m, int k) {
  Matrix matrix(Shape{1, m, k});
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < k; ++col) matrix.at({0, row, col}) = 100 * row + col + 1;
  return matrix;
}

TEST(SparseForm, EachPairKeepsItsTwo) {
  for (const Pair& pair : legal_pairs) {
    const Compressed kept = keep(numbered(2, 8), std::vector<Pair>(4, pair));
    EXPECT_EQ(kept.kept.shape, (Shape{1, 2, 4}));
    EXPECT_EQ(kept.kept.values,
              (std::vector<double>{1.0 + pair.first, 1.0 + pair.second, 5.0 + pair.first, 5.0 + pair.second,
                                   101.0 + pair.first, 101.0 + pair.second, 105.0 + pair.first,
                                   105.0 + pair.second}));
    const Matrix dense = decompress(kept);
    for (int row = 0; row < 2; ++row)
      for (int k = 0; k < 8; ++k)
        EXPECT_EQ(dense.at({0, row, k}), k % 4 == pair.first || k % 4 == pair.second ? 100 * row + k + 1 : 0)
            << "pair " << pair.first << "," << pair.second << " [" << row << "][" << k << "]";
  }
}

TEST(SparseForm, MixedPairs) {
  const std::vector<Pair> pairs{{0, 3}, {1, 2}, {2, 3}, {0, 1}};
  const Compressed kept = keep(numbered(2, 8), pairs);
  EXPECT_EQ(kept.kept.values, (std::vector<double>{1, 4, 6, 7, 103, 104, 105, 106}));
  EXPECT_EQ(decompress(kept).values,
            (std::vector<double>{1, 0, 0, 4, 0, 6, 7, 0, 0, 0, 103, 104, 105, 106, 0, 0}));
  EXPECT_EQ(compress(decompress(kept)).pairs, pairs);
  EXPECT_EQ(compress(decompress(kept)).kept.values, kept.kept.values);
}

TEST(SparseForm, FewerThanTwoNonZeros) {
  Matrix dense(Shape{1, 1, 24});
  dense.at({0, 0, 4 + 0}) = 10; // group 0 stays empty
  dense.at({0, 0, 8 + 1}) = 11;
  dense.at({0, 0, 12 + 2}) = 12;
  dense.at({0, 0, 16 + 3}) = 13;
  dense.at({0, 0, 20 + 0}) = 14;
  dense.at({0, 0, 20 + 3}) = -15;
  const Compressed kept = compress(dense);
  EXPECT_EQ(kept.pairs, (std::vector<Pair>{{0, 1}, {0, 1}, {0, 1}, {0, 2}, {0, 3}, {0, 3}}));
  EXPECT_EQ(kept.kept.values, (std::vector<double>{0, 0, 10, 0, 0, 11, 0, 12, 0, 13, 14, -15}));
  EXPECT_EQ(decompress(kept).values, dense.values);
  const std::size_t possible[] = {6, 3, 3, 3, 3, 1};
  for (std::size_t g = 0; g < 6; ++g) {
    const std::span<const double, 4> group(dense.values.data() + 4 * g, 4);
    const std::vector<Pair> pairs = pairs_that_keep(group);
    EXPECT_EQ(pairs.size(), possible[g]) << "group " << g;
    for (const Pair& pair : pairs) {
      Compressed other = kept;
      other.pairs[g] = pair;
      other.kept.at({0, 0, static_cast<int>(2 * g)}) = group[static_cast<std::size_t>(pair.first)];
      other.kept.at({0, 0, static_cast<int>(2 * g) + 1}) = group[static_cast<std::size_t>(pair.second)];
      EXPECT_EQ(decompress(other).values, dense.values)
          << "group " << g << " pair " << pair.first << "," << pair.second;
    }
  }
}

TEST(SparseForm, Refusals) {
  Matrix full(Shape{1, 2, 8});
  for (const int k : {4, 6, 7}) full.at({0, 1, k}) = 1;
  EXPECT_EQ(error_of([&] { compress(full); }), "row 1, columns 4 to 7: more than two of four are not zero");
  EXPECT_EQ(error_of([] {
              compress(Matrix(Shape{1, 2, 6}));
            }),
            "1 blocks of 2 x 6 have no 4:2 form: expected 1 block and a multiple of 4 columns");
  EXPECT_EQ(error_of([] {
              keep(Matrix(Shape{1, 2, 8}), std::vector<Pair>(3));
            }),
            "expected 4 pairs for 2 rows of 2 groups, got 3");
  EXPECT_THROW(keep(Matrix(Shape{1, 1, 4}), std::vector<Pair>{{3, 0}}), Error);
  Compressed wrong = compress(Matrix(Shape{1, 1, 4}));
  wrong.pairs[0] = {1, 1};
  EXPECT_THROW(decompress(wrong), Error);
}

// The whole way: a dense A, its registers, and the product by walking through registers and index alone.
TEST(SparseForm, ProductFromRegisters) {
  for (const char* name :
       {"v_smfmac_f32_16x16x32_f16", "v_smfmac_f32_32x32x32_bf16", "v_smfmac_i32_16x16x128_i8"}) {
    const Instruction& i = find_instruction(name);
    const Inputs inputs = random_inputs(i, 7);
    const Compressed a = keep(inputs.a, random_pairs(i, 8));
    const int set = index_sets(i) - 1;
    RegisterImage index(1);
    write_index(index, i, a.pairs, set);
    const RegisterImage kept = pack(sparse_layout(i, A), a.kept, exact_codec(i.a));
    const RegisterImage b = pack(sparse_layout(i, B), inputs.b, exact_codec(i.b));
    Matrix d = inputs.c;
    const Layout a_layout = sparse_layout(i, A), b_layout = sparse_layout(i, B);
    const auto value = [](const Layout& layout, const RegisterImage& image, const Slot& slot, Type type) {
      return exact_codec(type).decode(read_bits(image, place_of(layout, slot)));
    };
    for (int lane = 0; lane < 64; ++lane)
      for (int item = 0; item < a_layout.items; ++item) {
        const int position = static_cast<int>(index.word(0, lane) >> (2 * (a_layout.items * set + item)) & 3);
        const int row = a_layout.element_of({lane, item}).row;
        for (int col = 0; col < i.n; ++col)
          d.at({0, row, col}) += value(a_layout, kept, {lane, item}, i.a) *
                                 value(b_layout, b, b_slot_of(i, {lane, item}, position, col), i.b);
      }
    EXPECT_EQ(d.values, multiply(i, decompress(a), inputs.b, inputs.c).values) << name;
  }
}

TEST(SparseForm, RandomPairsAreReproducibleAndVaried) {
  const Instruction& i = find_instruction("v_smfmac_i32_16x16x128_i8");
  EXPECT_EQ(random_pairs(i, 3), random_pairs(i, 3));
  EXPECT_NE(random_pairs(i, 3), random_pairs(i, 4));
  for (const Pair& pair : legal_pairs)
    EXPECT_GT(std::ranges::count(random_pairs(i, 3), pair), 40)
        << pair.first << "," << pair.second << " of 512";
}

} // namespace
} // namespace cts::reference
