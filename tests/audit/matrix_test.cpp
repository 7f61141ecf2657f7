// Each row of the tables of matrix instructions (ISA3 Table 37, ISA4 Table 38), for every pass count that an
// instruction of the target has: with the row's wait states nothing is found, with one less the row is.
#include "tests/audit/programs.hpp"

#include "runners/audit/pairs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cts::audit {
namespace {

using reference::First;
using reference::Overlap;
using reference::Second;

/// Matrix instructions that write v[0:...] and read v[40:...], by what they are and how long they take.
struct Producer {
  First first;
  int passes;
  std::string_view mnemonic; ///< empty: not a matrix instruction
  int d, ab;                 ///< registers of D and C, and of A and B
};

std::vector<Producer> producers(Target target) {
  std::vector<Producer> all{
      {First::xdl_write, 2, "v_mfma_f32_4x4x4_16b_f16", 4, 2},
      {First::xdl_write, 4, "v_mfma_f32_16x16x16_f16", 4, 2},
      {First::xdl_write, 8, "v_mfma_f32_32x32x8_f16", 16, 2},
      {First::xdl_write, 16, "v_mfma_f32_32x32x4_2b_f16", 32, 2},
      {First::sgemm_write, 2, "v_mfma_f32_4x4x1_16b_f32", 4, 1},
      {First::sgemm_write, 8, "v_mfma_f32_16x16x4_f32", 4, 1},
      {First::sgemm_write, 16, "v_mfma_f32_32x32x2_f32", 16, 1},
      {First::dgemm_16x16x4_write, target == Target::gfx942 ? 8 : 16, "v_mfma_f64_16x16x4_f64", 8, 2},
      {First::dgemm_4x4x4_write, target == Target::gfx942 ? 4 : 8, "v_mfma_f64_4x4x4_4b_f64", 2, 2},
      {First::valu_write, 4, "", 1, 0},
      {First::dot_write, 4, "", 1, 0},
      {First::cmpx_write_exec, 4, "", 0, 0},
  };
  for (std::size_t i = 0; i < 4; ++i) {
    all.push_back(all[i]);
    all.back().first = First::xdl_read_c;
  }
  return all;
}

std::string tuple(int first, int count) {
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

std::string matrix(std::string_view mnemonic, int d, int size_d, int a, int b, int size_ab, int c) {
  return fmt::format("{} {}, {}, {}, {}", mnemonic, tuple(d, size_d), tuple(a, size_ab), tuple(b, size_ab),
                     tuple(c, size_d));
}

std::string first_of(const Producer& p) {
  if (p.first == First::valu_write) return "v_mov_b32 v0, v99";
  if (p.first == First::dot_write) return "v_dot4_i32_i8 v0, v97, v98, v99";
  if (p.first == First::cmpx_write_exec) return "v_cmpx_eq_u32 exec, v97, v98";
  if (p.first == First::xdl_read_c) return matrix(p.mnemonic, 120, p.d, 60, 64, p.ab, 0);
  return matrix(p.mnemonic, 0, p.d, 60, 64, p.ab, 120);
}

/// An instruction that does `second` to v0, which is part of what the producer wrote; nothing where none can.
std::optional<std::string> second_of(const Producer& p, Second second, Overlap overlap) {
  constexpr int far = 160; // registers that nobody else uses
  switch (second) {
  case Second::xdl_c:
    if (overlap == Overlap::exact) return matrix(p.mnemonic, 0, p.d, far, far + 4, p.ab, 0);
    return p.d == 32 ? matrix("v_mfma_f32_32x32x8_f16", far + 32, 16, far, far + 4, 2, 0)
                     : matrix("v_mfma_f32_32x32x4_2b_f16", far + 32, 32, far, far + 4, 2, 0);
  case Second::sgemm_c:
    if (overlap == Overlap::exact) return matrix(p.mnemonic, 0, p.d, far, far + 4, p.ab, 0);
    return p.d == 32 ? matrix("v_mfma_f32_16x16x1_4b_f32", far + 32, 16, far, far + 4, 1, 0)
                     : matrix("v_mfma_f32_32x32x1_2b_f32", far + 32, 32, far, far + 4, 1, 0);
  case Second::dgemm_c:
    if (overlap == Overlap::exact) return matrix(p.mnemonic, 0, p.d, far, far + 4, p.ab, 0);
    return p.first == First::dgemm_16x16x4_write
               ? matrix("v_mfma_f64_4x4x4_4b_f64", far + 32, 2, far, far + 4, 2, 0)
               : matrix("v_mfma_f64_16x16x4_f64", far + 32, 8, far, far + 4, 2, 0);
  case Second::matrix_ab: return matrix("v_mfma_f32_16x16x16_f16", far + 32, 4, 0, far + 4, 2, far + 40);
  case Second::matrix_issue: return matrix("v_mfma_f32_16x16x16_f16", far + 32, 4, far, far + 4, 2, far + 40);
  case Second::valu_read: return "v_add_u32 v170, v0, v171";
  case Second::valu_overwrite: return "v_mov_b32 v0, v171";
  case Second::memory_read: return "ds_write_b32 v170, v0";
  case Second::memory_overwrite: return "ds_read_b32 v0, v170";
  case Second::same_dot_c: return "v_dot4_i32_i8 v170, v171, v172, v0";
  case Second::same_dot_ab: return "v_dot4_i32_i8 v170, v0, v172, v173";
  }
  return std::nullopt;
}

/// Whether `second` with this overlap can be made at all: exact takes the same kind of instruction.
bool can_be(const Producer& p, Second second, Overlap overlap) {
  if (overlap == Overlap::partial) return true;
  return (p.first == First::xdl_write && second == Second::xdl_c) ||
         (p.first == First::sgemm_write && second == Second::sgemm_c) ||
         ((p.first == First::dgemm_16x16x4_write || p.first == First::dgemm_4x4x4_write) &&
          second == Second::dgemm_c);
}

std::string program(const std::string& first, const std::string& second, int states) {
  return fmt::format("  {}\n{}  {}\n", first, nops(states), second);
}

/// A pair of instructions with the row it falls under.
struct RowPair {
  std::string name, rule, first, second;
  const reference::WaitRow* row;
  int states;
};

std::vector<RowPair> row_pairs(Target target) {
  std::vector<RowPair> pairs;
  for (const Producer& p : producers(target))
    for (const Second second : reference::all_seconds)
      for (const Overlap overlap : {Overlap::partial, Overlap::exact}) {
        const auto wait = reference::required_wait(target, p.first, p.passes, second, overlap);
        const auto text = second_of(p, second, overlap);
        if (!wait || !text || !can_be(p, second, overlap)) continue;
        const std::string rule = matrix_rule(p.first, second, overlap);
        pairs.push_back({fmt::format("{} after {} passes", rule, p.passes), rule, first_of(p), *text,
                         wait->row, wait->states});
      }
  return pairs;
}

TEST(MatrixWaits, EveryRowHasTwins) {
  for (const Target target : all_targets) {
    std::vector<Twins> twins;
    std::set<const reference::WaitRow*> tested;
    for (const RowPair& p : row_pairs(target)) {
      tested.insert(p.row);
      if (p.states > 0)
        twins.push_back({.name = p.name,
                         .rule = p.rule,
                         .right = program(p.first, p.second, p.states),
                         .broken = program(p.first, p.second, p.states - 1),
                         .targets = {target}});
    }
    expect_twins(twins, target);
    for (const reference::WaitRow& row : reference::wait_rows(target))
      EXPECT_EQ(tested.contains(&row) || std::ranges::count(row.waits, 0) == 4, true)
          << name(target) << ": no twin of: " << row.source;
  }
}

TEST(MatrixWaits, ZeroWaitStatesAreEnoughWhereTheTableSaysSo) {
  for (const Target target : all_targets) {
    std::vector<std::string> bodies;
    for (const RowPair& p : row_pairs(target))
      if (p.states == 0) bodies.push_back(program(p.first, p.second, 0));
    const Report report = audit_bodies(bodies, target);
    EXPECT_EQ(report.kernels, bodies.size());
    EXPECT_EQ(report.findings.size(), 0u) << as_text(report, "k");
  }
}

TEST(MatrixWaits, DotProducts) {
  // Read as C and as A of the same opcode; of the two, A has to wait.
  const std::string chain = "  v_dot2_f32_f16 v32, v1, v2, v3\n{}  v_dot2_f32_f16 v4, v32, v2, v32\n";
  expect_twins({.name = "C and A",
                .rule = "dot-write-to-same-dot-ab",
                .right = fmt::format(fmt::runtime(chain), nops(3)),
                .broken = fmt::format(fmt::runtime(chain), nops(2))});
  // A dot product's result that an MFMA overwrites: 3 by the manual, none by LLVM.
  const std::string over =
      "  v_dot4_i32_i8 v21, v4, v5, v6\n{}  v_mfma_f32_16x16x16_f16 v[20:23], v[8:9], v[10:11], v[12:15]\n";
  expect_twins({.name = "overwritten",
                .rule = "dot-write-to-valu-overwrite",
                .right = fmt::format(fmt::runtime(over), nops(3)),
                .broken = fmt::format(fmt::runtime(over), nops(2))});
  const std::string at_once = fmt::format(fmt::runtime(over), "");
  EXPECT_EQ(audit_body(at_once, Target::gfx942, RuleSet::llvm).findings.size(), 0u);
}

TEST(MatrixWaits, LlvmsNumbersWhereTheyDiffer) {
  // A dot product's result in an MFMA: 3 by the manual, none by LLVM.
  const std::string dot =
      "  v_dot4_i32_i8 v0, v4, v5, v6\n  v_mfma_f32_16x16x16_f16 v[20:23], v[0:1], v[10:11], v[12:15]\n";
  const Report isa = audit_body(dot, Target::gfx942), llvm = audit_body(dot, Target::gfx942, RuleSet::llvm);
  ASSERT_EQ(isa.findings.size(), 1u) << as_text(isa, "k");
  EXPECT_EQ(isa.findings[0].severity, Severity::warning); // LLVM does not ask for it
  EXPECT_EQ(isa.findings[0].needed, 3);
  EXPECT_EQ(isa.findings[0].have, 0);
  EXPECT_EQ(llvm.findings.size(), 0u) << as_text(llvm, "k");
  // A load over an MFMA's result: not in the manual's table, as a VALU write by LLVM.
  expect_twins(
      {.name = "load over D",
       .rule = "xdl-write-to-memory-overwrite",
       .right =
           "  v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[12:15]\n  s_nop 6\n  ds_read_b32 v0, v20\n",
       .broken =
           "  v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[12:15]\n  s_nop 5\n  ds_read_b32 v0, v20\n",
       .targets = {Target::gfx942},
       .rules = RuleSet::llvm});
}

TEST(MatrixWaits, OfMoreOperands) {
  // AccVGPRs, the index of SMFMAC, scales; formats decide passes of F8F6F4.
  expect_twins({.name = "accumulation VGPRs",
                .rule = "xdl-write-to-valu-read",
                .right = "  v_mfma_f32_16x16x16_f16 a[0:3], v[8:9], v[10:11], a[0:3]\n  s_nop 7\n  "
                         "v_accvgpr_read_b32 v0, a3\n",
                .broken = "  v_mfma_f32_16x16x16_f16 a[0:3], v[8:9], v[10:11], a[0:3]\n  s_nop 5\n  "
                          "v_accvgpr_read_b32 v0, a3\n"});
  expect_twins(
      {.name = "index",
       .rule = "valu-write-to-matrix-ab",
       .right =
           "  v_mov_b32 v20, v21\n  s_nop 1\n  v_smfmac_f32_16x16x32_f16 v[0:3], v[8:9], v[12:15], v20\n",
       .broken =
           "  v_mov_b32 v20, v21\n  s_nop 0\n  v_smfmac_f32_16x16x32_f16 v[0:3], v[8:9], v[12:15], v20\n"});
  const auto scaled = [](std::string_view formats, int states) {
    return fmt::format("  v_mfma_f32_16x16x128_f8f6f4 v[0:3], {}\n{}  v_mov_b32 v40, v0\n", formats,
                       nops(states));
  };
  const std::string fp8 = "v[8:15], v[16:23], v[24:27]", fp4 = "v[8:11], v[16:19], v[24:27] cbsz:4 blgp:4";
  expect_twins({.name = "FP8",
                .rule = "xdl-write-to-valu-read",
                .right = scaled(fp8, 12),
                .broken = scaled(fp8, 11),
                .targets = {Target::gfx950}});
  expect_twins({.name = "FP4",
                .rule = "xdl-write-to-valu-read",
                .right = scaled(fp4, 8),
                .broken = scaled(fp4, 7),
                .targets = {Target::gfx950}});
  const std::string mfma =
      "  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:23], v[24:27], v30, v31 op_sel_hi:[0,0,0]\n";
  expect_twins({.name = "scale",
                .rule = "valu-write-to-matrix-ab",
                .right = "  v_mov_b32 v31, v40\n  s_nop 1\n" + mfma,
                .broken = "  v_mov_b32 v31, v40\n  s_nop 0\n" + mfma,
                .targets = {Target::gfx950}});
}

} // namespace
} // namespace cts::audit
