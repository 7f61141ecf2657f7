// The matrix instructions of CDNA 3 (gfx942) and CDNA 4 (gfx950), as plain data.
//
// Sources. "ISA3" is the CDNA 3 ISA manual, "ISA4" the CDNA 4 one: names, shapes, blocks and cycles from
// Table 28 (dense, section 7.1.2) and Table 32 / 33 (sparse, sections 7.4 / 7.5), opcode numbers from the
// table of VOP3P opcodes (section 13.3). Registers of each operand and spelling of the builtins: clang's
// BuiltinsAMDGPU.td. The assembler is asked about every row by tests/reference/instructions_test.cpp.
#pragma once

#include "common/target.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cts::reference {

/// Type of an element in an operand. `fp8` is E4M3 and `bf8` is E5M2, in the encoding of the target: FNUZ on
/// gfx942, OCP on gfx950, whatever the instruction (ISA3 and ISA4 Table 30). `fp6` is E2M3, `bf6` E3M2, `fp4`
/// E2M1. `xf32` is stored as f32 and multiplied with 10 bits of mantissa.
enum class Type { f64, f32, xf32, f16, bf16, i32, i8, fp8, bf8, fp6, bf6, fp4 };

/// "f16", "fp8", ...
std::string_view name(Type type);

/// Bits that one element takes in a register: 64, 32, 16, 8, 6 or 4.
int bits_of(Type type);

/// The part of the matrix core that executes an instruction, as LLVM names them for its hazard rules: `dgemm`
/// for F64, `sgemm` for F32 inputs, `xdl` for every other.
enum class Unit { xdl, sgemm, dgemm };

/// Where the elements of A and B are and what they are:
/// `dense`: as the row says. `f8f6f4`: dense, with the types of A and B chosen by CBSZ and BLGP
/// (`with_formats`). `sparse`: SMFMAC, A holds two of every four k, D is also C, and one more VGPR holds the
/// positions.
enum class Kind { dense, f8f6f4, sparse };

/// One instruction: D[b][i][j] = C[b][i][j] + sum over k of A[b][i][k] * B[b][k][j], for 0 <= b < blocks.
struct Instruction {
  std::string_view mnemonic;     ///< as the assembler prints it: "v_mfma_f32_16x16x16_f16"
  std::string_view builtin_tail; ///< builtin without its prefix: "mfma_f32_16x16x16f16"
  Type a, b;                     ///< types of A and B
  Type d;                        ///< type of C and D
  int m, n, k; ///< one block: A is m x k, B is k x n, C and D are m x n; k counts dense elements
  int blocks;  ///< independent products computed side by side
  int vgprs_a, vgprs_b, vgprs_d; ///< VGPRs that the instruction reads or writes in each lane
  int cycles_gfx942;             ///< issue cycles (4 a pass); 0: not on this target
  int cycles_gfx950;             ///< the same for gfx950
  int opcode;                    ///< VOP3P opcode number, the same on both targets
  Unit unit;
  Kind kind;
};

/// Every matrix instruction of both targets: dense first, then F8F6F4 (as FP8 x FP8), then sparse.
std::span<const Instruction> instructions();

/// Those of `kind` that exist on `target`, in the same order.
std::vector<Instruction> instructions(Kind kind, Target target);

/// "__builtin_amdgcn_mfma_f32_16x16x16f16". Of F8F6F4 there is only a scaled builtin ("..._mfma_scale_...").
std::string builtin_name(const Instruction& instruction);

/// A short name fit for a GoogleTest suite: "MfmaF32_16x16x16_F16", "SmfmacI32_16x16x64_I8".
std::string short_name(const Instruction& instruction);

/// Issue cycles on `target`, 4 for each pass; 0 when the instruction does not exist there.
int cycles(const Instruction& instruction, Target target);

/// Whether the instruction exists on `target`.
bool exists_on(const Instruction& instruction, Target target);

/// The instruction of a mnemonic, a builtin or a short name, in any case, with or without "v_" or
/// "__builtin_amdgcn_". Throws Error when no target has it, or when `target` is given and does not, naming
/// the nearest one that is meant.
const Instruction& find_instruction(std::string_view name, std::optional<Target> target = std::nullopt);

/// Format of a CBSZ (A) or BLGP (B) code of an F8F6F4 instruction: 0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4
/// (ISA4 7.1.5, "Matrix Format"). Throws Error for 5 to 7, which are not defined, and for anything outside.
Type f8f6f4_format(int code);

/// An F8F6F4 instruction with its formats chosen: types, VGPRs (8, 6 or 4) and cycles (twice as many when A
/// or B is an 8-bit format; ISA4 Table 28). All 25 pairs are legal. Throws Error for another kind of
/// instruction or type.
Instruction with_formats(const Instruction& instruction, Type a, Type b);

} // namespace cts::reference
