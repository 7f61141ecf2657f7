// The whole relation A slot x B slot -> D slot of an instruction, found by products in which single slots are
// not zero, and the identity of C and D.
#pragma once

#include "suites/shared/dense_mfma.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cts::lane_ownership {

/// An instruction with its fields, as kernels.hip launches it.
struct Variant : DenseVariant {
  reference::Broadcast fields = {};
  bool reads_fields = false; ///< the kernel is told by a number which fields its waves take (fields.hpp)
};

/// An instruction of fixed types by any of its names, its fields 0.
Variant variant_of(std::string_view instruction);
/// The same with fields.
Variant variant_of(std::string_view instruction, const reference::Broadcast& fields);
/// Those of a family that the context's target has, fields 0.
std::vector<Variant> variants_of(const TestContext& context, Family family);
/// `variant` with D and C in accumulation VGPRs.
Variant accumulating(Variant variant);

/// The D that the reference expects of these matrices in A's, B's and C's registers.
reference::RegisterImage expected_d(const Variant& variant, const reference::Inputs& held);
/// A wave that holds these matrices.
WaveInputs images_of(const TestContext& context, const Variant& variant, const reference::Inputs& held);
/// All zero.
reference::Inputs zeros(const Variant& variant);

/// Which slots of an operand are set together.
enum class Probe {
  slot_alone, ///< one slot a product
  row_by_row, ///< one in each row of A (column of B) of each block, so that each row of D is another slot's
};

/// Products that together set every slot of `probed` (A or B) to 1, while the rest of the operand is 0 and
/// every slot of the other operand holds one digit of its own number, or 1. D then says which slots met the
/// probed ones, and where their products went; all of D is compared. Products in which all slots of the other
/// operand are 1 count how many met.
///
/// Row by row is as good as alone when both operands are probed. A's products say that in each D[i][j] each
/// product of theirs is that of exactly one slot of A with the expected slot of B, B's that it is that of the
/// expected slot of A with one slot of B; since a product sets one slot of row i, the two are the same pair.
void check_relation(TestContext& context, hip::Module& module, const Variant& variant,
                    reference::Operand probed, Probe probe);

/// C's bits come back as D's at the same place when the product is zero: another normal number in each item
/// (its sign turned where the fields negate C).
void check_c_is_d(TestContext& context, hip::Module& module, const Variant& variant);

/// Compares D's registers; `what` says which product it was.
void compare_d(TestContext& context, const Variant& variant, const reference::RegisterImage& expected,
               const reference::RegisterImage& got, const std::string& what);

} // namespace cts::lane_ownership
