// The whole relation A slot x B slot -> D slot of an instruction, found by one-hot products.
#pragma once

#include "suites/shared/mfma_waves.hpp"

#include <string>

namespace cts::lane_ownership {

/// An instruction with its fields, as kernels.hip launches it.
struct Variant {
  std::string instruction; ///< "MfmaF32_16x16x16_F16"
  reference::Broadcast fields = {};
};

/// The row of the reference's table.
const reference::Instruction& row_of(const Variant& variant);
/// Name of the kernel: the builtin's, and the fields unless all are 0.
std::string kernel_of(const Variant& variant);

/// The D that the reference expects of these matrices in A's, B's and C's registers.
reference::RegisterImage expected_d(const Variant& variant, const reference::Inputs& held);
/// Matrices as registers.
WaveInputs images_of(const Variant& variant, const reference::Inputs& held);
/// All zero.
reference::Inputs zeros(const Variant& variant);

/// The value that stands for a slot of A or B: 1 + lane * items + item, exact as FP16.
double code_of(const reference::Layout& layout, const reference::Slot& slot);

/// One product for each slot of `probed` (A or B): that slot holds 1 and the rest of the operand 0, every
/// slot of the other operand holds its own code. What is not zero in D then says which slots met the probed
/// one, and where their product went; all of D is compared with the reference.
void check_relation(TestContext& context, const Variant& variant, reference::Operand probed);

/// Compares D's registers; `what` says which product it was.
void compare_d(TestContext& context, const Variant& variant, const reference::RegisterImage& expected,
               const reference::RegisterImage& got, const std::string& what);

} // namespace cts::lane_ownership
