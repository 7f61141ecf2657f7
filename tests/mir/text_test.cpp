// Lines of machine IR: spelled as LLVM spells them, and counted as its hazard pass counts.
#include "runners/mir/text.hpp"

#include "common/error.hpp"
#include "runners/mir/passes.hpp"

#include <gtest/gtest.h>

namespace cts::mir {
namespace {

using reference::find_instruction;
using reference::Type;

TEST(Text, NamesRegisters) {
  EXPECT_EQ("$vgpr64_vgpr65", name(Registers{64, 2}));
  EXPECT_EQ("$agpr4", name(Registers{260, 1}));
  EXPECT_EQ("$vgpr66_vgpr67", name(moved(Registers{64, 2}, 2)));
}

TEST(Text, NamesOpcodes) {
  const Matrix f16 = as_first(find_instruction("mfma_f32_16x16x16f16"));
  EXPECT_EQ("V_MFMA_F32_16X16X16F16_vgprcd_e64", opcode(f16));
  EXPECT_EQ("V_MFMA_F32_16X16X16F16_e64", opcode(with_accumulators(f16)));
  EXPECT_EQ("V_MFMA_I32_16X16X32I8_vgprcd_e64", opcode(as_first(find_instruction("mfma_i32_16x16x32_i8"))));
  EXPECT_EQ("V_MFMA_I32_16X16X64_I8_vgprcd_e64", opcode(as_first(find_instruction("mfma_i32_16x16x64_i8"))));
  EXPECT_EQ("V_SMFMAC_I32_16X16X64_I8_e64", opcode(as_first(find_instruction("smfmac_i32_16x16x64_i8"))));
  EXPECT_EQ("V_MFMA_F32_16X16X8XF32_vgprcd_e64", opcode(as_first(find_instruction("mfma_f32_16x16x8_xf32"))));
  Matrix scaled = as_first(
      reference::with_formats(find_instruction("v_mfma_f32_16x16x128_f8f6f4"), Type::bf8, Type::fp4));
  EXPECT_EQ("V_MFMA_F32_16X16X128_F8F6F4_f8_f4_vgprcd_e64", opcode(scaled));
  scaled.scaled = true;
  EXPECT_EQ("V_MFMA_SCALE_F32_16X16X128_F8F6F4_f8_f4_vgprcd_e64", opcode(scaled));
}

TEST(Text, WritesWholeLines) {
  EXPECT_EQ("$vgpr64_vgpr65 = V_MFMA_F64_4X4X4F64_vgprcd_e64 $vgpr0_vgpr1, $vgpr16_vgpr17, $vgpr128_vgpr129, "
            "0, 0, 0, "
            "implicit $mode, implicit $exec",
            line(as_first(find_instruction("mfma_f64_4x4x4f64"))));
  EXPECT_EQ("$vgpr224_vgpr225_vgpr226_vgpr227 = V_SMFMAC_F32_16X16X32_F16_e64 $vgpr32_vgpr33, "
            "$vgpr40_vgpr41_vgpr42_vgpr43, $vgpr48, 0, 0, $vgpr224_vgpr225_vgpr226_vgpr227, implicit $mode, "
            "implicit $exec",
            line(as_second(find_instruction("smfmac_f32_16x16x32_f16"))));
}

/// llc verifies what it reads: every instruction of both targets, in either place, in both kinds of
/// registers.
TEST(Text, IsLegalForEveryInstruction) {
  for (const Target target : all_targets) {
    Block block;
    for (const auto kind : {reference::Kind::dense, reference::Kind::sparse})
      for (const reference::Instruction& i : reference::instructions(kind, target))
        for (const Matrix& matrix : {as_first(i), as_second(i)}) {
          block.lines.push_back(line(matrix));
          block.lines.push_back(line(with_accumulators(matrix)));
        }
    EXPECT_LT(150u, block.lines.size());
    const std::size_t count = block.lines.size();
    const Result result = run_passes(target, {{"every", {std::move(block)}}}, "none");
    EXPECT_EQ(count, result.lines("every").size()) << name(target);
  }
}

TEST(Text, CountsWaitStates) {
  EXPECT_EQ(1, wait_states("S_NOP 0"));
  EXPECT_EQ(16, wait_states("S_NOP 15"));
  EXPECT_EQ(1, wait_states("S_WAITCNT 3952"));
  EXPECT_EQ(0, wait_states("SCHED_BARRIER 0"));
  EXPECT_EQ(0, wait_states("INLINEASM &\"s_nop 3\", 1"));
  EXPECT_EQ(0, wait_states("$vgpr0 = IMPLICIT_DEF"));
  EXPECT_THROW(wait_states("S_NOP x"), Error);
  for (int states = 0; states < 40; ++states) {
    const auto lines = nops(states);
    EXPECT_EQ(states, wait_states(std::vector<std::string_view>(lines.begin(), lines.end())));
    EXPECT_EQ(static_cast<std::size_t>((states + 15) / 16), lines.size());
  }
}

TEST(Passes, RefuseWhatIsNoMachineCode) {
  const auto why = [](const std::string& bad) {
    try {
      run_passes(Target::gfx942, {{"f", {{{bad}}}}});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(std::string::npos, why("$vgpr0 = V_NO_SUCH_OPCODE").find("unknown machine instruction name"));
  // An odd first register is legal text and illegal code.
  EXPECT_NE(
      std::string::npos,
      why("$vgpr1_vgpr2 = V_MFMA_F64_4X4X4F64_vgprcd_e64 $vgpr4_vgpr5, $vgpr6_vgpr7, $vgpr8_vgpr9, 0, 0, 0, "
          "implicit $mode, implicit $exec")
          .find("even aligned"));
}

TEST(Passes, NameTheMissingFunctionOrBlock) {
  const Result result("name: f\nbody: |\n  bb.0:\n    S_NOP 3\n\n...\n");
  EXPECT_EQ(std::vector<std::string_view>{"S_NOP 3"}, result.lines("f"));
  EXPECT_THROW(result.lines("g"), Error);
  EXPECT_THROW(result.lines("f", 1), Error);
  EXPECT_THROW(Result("error"), Error);
}

} // namespace
} // namespace cts::mir
