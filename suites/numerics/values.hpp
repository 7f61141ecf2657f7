// Data for arithmetic: random values of an operand's type, by what they are to bring out.
#pragma once

#include "common/claim_test.hpp"
#include "reference/matmul.hpp"

#include <array>
#include <string_view>

namespace cts::numerics {

/// `normal`: numbers around 1, so that every product counts. `wide`: exponents so far apart that most of a
/// sum is lost.
/// `subnormal`: half of the inputs subnormal. `cancelling`: products, and C, that nearly cancel.
/// `special`: zeros of both signs, infinities, NaN, largest and smallest numbers among the others.
/// Of I8 all are whole numbers over the full range, and `special` has C where the sum wraps.
enum class Data { normal, wide, subnormal, cancelling, special };

inline constexpr std::array all_data{Data::normal, Data::wide, Data::subnormal, Data::cancelling,
                                     Data::special};

/// "normal", ...
std::string_view name(Data data);

/// A, B and C for `row` on `target`, drawn from the context's seed. XF32 gets values that its multiplier
/// holds.
reference::Inputs random_values(TestContext& context, const reference::Instruction& row, Data data);

} // namespace cts::numerics
