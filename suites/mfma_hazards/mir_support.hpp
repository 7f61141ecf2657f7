// What the mir checks of this suite share: pairs of matrix instructions, and looks at what the hazard pass
// made of them.
#pragma once

#include "common/claim_test.hpp"
#include "runners/mir/probes.hpp"
#include "runners/mir/text.hpp"

#include <string>
#include <vector>

namespace cts::mfma_hazards {

/// Wait states of both targets.
struct OnTargets {
  int gfx942, gfx950;
  int on(Target target) const { return target == Target::gfx942 ? gfx942 : gfx950; }
};

/// Builtins: FP16 of 4, 8 and 16 passes with 4, 16 and 32 registers of C and D; F32 (SGEMM) of 8 passes
/// with 4.
inline constexpr std::string_view f16 = "mfma_f32_16x16x16f16", f16_large = "mfma_f32_32x32x8f16",
                                  f16_longest = "mfma_f32_32x32x4f16", f32 = "mfma_f32_16x16x4f32";

/// Behind FP16 16x16x16: a part of its D as C, D as A or B; behind FP16 of eight passes: D as A or B.
inline constexpr OnTargets partial_c{5, 6}, to_ab{7, 8}, to_ab_of_8_passes{11, 12};

/// The matrix instruction of a builtin's name, as the first or the second of a pair: see mir::as_first().
mir::Matrix first_of(std::string_view builtin);
mir::Matrix second_of(std::string_view builtin);

/// `second` reading `registers` as C, A or B. Of SMFMAC, C is D.
mir::Matrix with_c(mir::Matrix second, const mir::Registers& registers);
mir::Matrix with_a(mir::Matrix second, int first_register);
mir::Matrix with_b(mir::Matrix second, int first_register);

/// `second` with the registers of `first`'s D, moved by `by`, as C.
mir::Matrix reading_d_as_c(const mir::Matrix& second, const mir::Matrix& first, int by = 0);

/// C and D of `matrix` in AccVGPRs or left where they are, and the word for it.
mir::Matrix placed(const mir::Matrix& matrix, bool accumulators);
const char* file(bool accumulators);

/// An FP16 16x16x16 whose D is v64 to v67, one that reads v64 and v65 as A, one that has nothing to do with
/// them, and the program's end.
extern const std::string producer, consumer, bystander, end;

mir::Pair pair_of(const mir::Matrix& first, const mir::Matrix& second);

/// A pair and the wait states that a claim says it needs.
struct Asked {
  std::string what;
  mir::Pair pair;
  int needs;
};

/// Sweeps every pair with S_NOPs and with independent instructions in between: the pass adds exactly what is
/// missing of `needs` at each spacing. The twins, in the same runs: a wait state more or less is reported,
/// the pass when switched off adds nothing, and an instruction behind each first one that has nothing to do
/// with it needs none.
void check_thresholds(TestContext& context, const std::vector<Asked>& asked);

/// Puts LLVM's version into the record.
void note_compiler(TestContext& context);

/// One failure with the first lines of `wrong`, when there are any; counts `compared` comparisons.
void report(TestContext& context, const std::vector<std::string>& wrong, std::size_t compared);

/// LLVM's file with the hazard pass, as released: where a defect without a report of its own can be seen.
inline constexpr const char* hazard_pass_source =
    "https://github.com/llvm/llvm-project/blob/llvmorg-22.1.8/llvm/lib/Target/AMDGPU/GCNHazardRecognizer.cpp";

} // namespace cts::mfma_hazards
