// The table of instructions: looking up, names, formats.
#include "common/error.hpp"
#include "reference/instructions.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cts::reference {
namespace {

std::string error_of(std::string_view name, std::optional<Target> target) {
  try {
    return "found " + std::string(find_instruction(name, target).mnemonic);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Instructions, CountsOfTheManualsTables) {
  EXPECT_EQ(instructions(Kind::dense, Target::gfx942).size(),
            32u); // ISA3 Table 28, with 4 + 4 of FP8 and BF8
  EXPECT_EQ(instructions(Kind::dense, Target::gfx950).size(), 36u); // ISA4 Table 28: no XF32, six wide forms
  EXPECT_EQ(instructions(Kind::f8f6f4, Target::gfx942).size(), 0u);
  EXPECT_EQ(instructions(Kind::f8f6f4, Target::gfx950).size(), 2u);
  EXPECT_EQ(instructions(Kind::sparse, Target::gfx942).size(), 14u); // ISA3 Table 32
  EXPECT_EQ(instructions(Kind::sparse, Target::gfx950).size(), 28u); // ISA4 Table 33
}

TEST(Instructions, NoTwoShareANameOrAnOpcode) {
  std::set<std::string> names;
  std::set<int> opcodes;
  for (const Instruction& i : instructions()) {
    for (const std::string& name : {std::string(i.mnemonic), builtin_name(i), short_name(i)})
      EXPECT_TRUE(names.insert(name).second) << name << " occurs twice";
    EXPECT_TRUE(opcodes.insert(i.opcode).second) << i.mnemonic << ": opcode " << i.opcode << " occurs twice";
  }
}

TEST(Instructions, RegistersHoldTheWholeOperand) {
  for (const Instruction& i : instructions()) {
    const int sparse = i.kind == Kind::sparse ? 2 : 1;
    EXPECT_EQ(64 * 32 * i.vgprs_a * sparse, i.blocks * i.m * i.k * bits_of(i.a)) << i.mnemonic << " A";
    EXPECT_EQ(64 * 32 * i.vgprs_b, i.blocks * i.k * i.n * bits_of(i.b)) << i.mnemonic << " B";
    EXPECT_EQ(64 * 32 * i.vgprs_d, i.blocks * i.m * i.n * bits_of(i.d)) << i.mnemonic << " D";
  }
}

TEST(Instructions, CyclesGiveTheRatesOfTheWhitePapers) {
  // FLOP a clock and CU: 4 SIMDs, 2 operations a product. CDNA 3 and CDNA 4 white papers, table of peak
  // rates.
  const auto rate = [](std::string_view name, Target target) {
    const Instruction& i = find_instruction(name, target);
    return 4 * 2 * i.m * i.n * i.k * i.blocks / cycles(i, target);
  };
  EXPECT_EQ(rate("v_mfma_f64_16x16x4_f64", Target::gfx942), 256);
  EXPECT_EQ(rate("v_mfma_f64_16x16x4_f64", Target::gfx950), 128);
  EXPECT_EQ(rate("v_mfma_f32_32x32x2_f32", Target::gfx942), 256);
  EXPECT_EQ(rate("v_mfma_f32_16x16x8_xf32", Target::gfx942), 1024);
  EXPECT_EQ(rate("v_mfma_f32_16x16x16_f16", Target::gfx942), 2048);
  EXPECT_EQ(rate("v_mfma_f32_16x16x32_f16", Target::gfx950), 4096);
  EXPECT_EQ(rate("v_mfma_i32_32x32x16_i8", Target::gfx942), 4096);
  EXPECT_EQ(rate("v_mfma_f32_16x16x128_f8f6f4", Target::gfx950), 8192);
  EXPECT_EQ(rate("v_smfmac_f32_32x32x32_fp8_fp8", Target::gfx942), 8192);
}

TEST(Instructions, FoundByEverySpelling) {
  const std::string_view wanted = "v_mfma_f32_16x16x16_f16";
  for (const char* spelling :
       {"v_mfma_f32_16x16x16_f16", "V_MFMA_F32_16X16X16_F16", "v_mfma_f32_16x16x16f16",
        "__builtin_amdgcn_mfma_f32_16x16x16f16", "mfma_f32_16x16x16f16", "MfmaF32_16x16x16_F16"})
    EXPECT_EQ(find_instruction(spelling).mnemonic, wanted) << spelling;
  EXPECT_EQ(find_instruction("v_mfma_scale_f32_16x16x128_f8f6f4").opcode, 45);
  EXPECT_EQ(find_instruction("v_mfma_f32_16x16x128_f8f6f4").opcode, 45);
  for (const Instruction& i : instructions()) {
    EXPECT_EQ(&find_instruction(i.mnemonic), &i);
    EXPECT_EQ(&find_instruction(builtin_name(i)), &i);
    EXPECT_EQ(&find_instruction(short_name(i)), &i);
  }
}

TEST(Instructions, ErrorsNameTheNearest) {
  EXPECT_EQ(error_of("v_mfma_f32_16x16x17_f16", std::nullopt),
            "unknown matrix instruction 'v_mfma_f32_16x16x17_f16'; nearest: v_mfma_f32_16x16x16_f16");
  EXPECT_EQ(error_of("mfma_i32_16x16x16i8", Target::gfx942), // gfx908's
            "unknown matrix instruction 'mfma_i32_16x16x16i8'; nearest: v_mfma_i32_16x16x4_4b_i8");
  EXPECT_EQ(
      error_of("v_mfma_f32_16x16x32_f16", Target::gfx942),
      "v_mfma_f32_16x16x32_f16 exists on gfx950 only, not on gfx942; nearest there: v_mfma_f32_16x16x16_f16");
  EXPECT_EQ(
      error_of("v_mfma_f32_16x16x8_xf32", Target::gfx950),
      "v_mfma_f32_16x16x8_xf32 exists on gfx942 only, not on gfx950; nearest there: v_mfma_f32_16x16x4_f32");
}

TEST(Instructions, ShortNames) {
  EXPECT_EQ(short_name(find_instruction("v_mfma_f32_16x16x16_f16")), "MfmaF32_16x16x16_F16");
  EXPECT_EQ(short_name(find_instruction("v_mfma_f32_32x32x1_2b_f32")), "MfmaF32_32x32x1_2B_F32");
  EXPECT_EQ(short_name(find_instruction("v_smfmac_f32_16x16x64_bf8_fp8")), "SmfmacF32_16x16x64_BF8_FP8");
  EXPECT_EQ(short_name(find_instruction("v_mfma_f32_16x16x8_xf32")), "MfmaF32_16x16x8_XF32");
}

TEST(Instructions, FormatsOfF8F6F4) {
  const Type formats[] = {Type::fp8, Type::bf8, Type::fp6, Type::bf6, Type::fp4};
  const int vgprs[] = {8, 8, 6, 6, 4};
  for (const Instruction& base : instructions(Kind::f8f6f4, Target::gfx950))
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; ++b) {
        const Instruction i = with_formats(base, f8f6f4_format(a), f8f6f4_format(b));
        EXPECT_EQ(i.a, formats[a]);
        EXPECT_EQ(i.b, formats[b]);
        EXPECT_EQ(i.vgprs_a, vgprs[a]);
        EXPECT_EQ(i.vgprs_b, vgprs[b]);
        const int half = base.m == 16 ? 16 : 32; // ISA4 Table 28: 16 or 32, and 32 or 64 cycles
        EXPECT_EQ(cycles(i, Target::gfx950), a < 2 || b < 2 ? 2 * half : half)
            << i.mnemonic << " " << a << " " << b;
        EXPECT_FALSE(exists_on(i, Target::gfx942));
      }
  for (const int code : {-1, 5, 6, 7}) EXPECT_THROW(f8f6f4_format(code), Error) << code;
  EXPECT_THROW(with_formats(find_instruction("v_mfma_f32_16x16x16_f16"), Type::fp8, Type::fp8), Error);
  EXPECT_THROW(with_formats(find_instruction("v_mfma_f32_16x16x128_f8f6f4"), Type::i8, Type::fp8), Error);
}

} // namespace
} // namespace cts::reference
