// The dense matrix instructions by what they multiply, as suites/shared/dense_kernels.hip.hpp has kernels of
// them: one test a family.
#pragma once

#include "reference/matmul.hpp"
#include "suites/shared/mfma_waves.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cts {

enum class Family { f64, f32, xf32, f16, bf16, i8, fp8, f8f6f4 };

/// Those whose sums have a bit-accurate model on gfx942, which are all dense instructions of gfx942; and
/// those that gfx950 has.
inline constexpr Family families_gfx942[]{Family::f64,  Family::f32, Family::xf32, Family::f16,
                                          Family::bf16, Family::i8,  Family::fp8};
inline constexpr Family families_gfx950[]{Family::f64, Family::f32, Family::f16,   Family::bf16,
                                          Family::i8,  Family::fp8, Family::f8f6f4};

/// "F64", ... as tests are called.
std::string_view name(Family family);

/// Targets that have instructions of the family.
std::vector<Target> targets_of(Family family);

/// An instruction, with its formats chosen, and its kernel.
struct DenseVariant {
  reference::Instruction row;
  std::string kernel;
  std::string title; ///< mnemonic and, of F8F6F4, the formats of A and B
};

/// Every variant of a family on `target`; of F8F6F4 all 25 pairs of formats.
std::vector<DenseVariant> dense_variants(Family family, Target target);

/// One wave that holds these matrices. Values must be such as their types hold; NaN and infinities are taken
/// too.
WaveInputs registers_of(const DenseVariant& variant, const reference::Inputs& held, Target target);

/// D as registers.
reference::RegisterImage registers_of_d(const DenseVariant& variant, const reference::Matrix& d);

} // namespace cts
