// Values by which a slot of A or B is recognised: numbers written in digits that an element type holds
// exactly.
#pragma once

#include "reference/matmul.hpp"

#include <vector>

namespace cts {

/// Exact values of an element type in the encoding of `target`.
reference::Codec exact_codec(reference::Type type, Target target);

/// Numbers 0, 1, 2, ... written as digits, each of which stands for a value that an element type holds
/// exactly and that is not 0.
struct Digits {
  std::vector<double> values; ///< of the digits: as many as the base
  int count = 1;
  /// The value of the n-th digit of `number`, the lowest one being the 0th.
  double digit(int number, int n) const;
};
/// `count` digits that are the whole numbers from 1 to `base`.
Digits whole_digits(int base, int count);
/// Digits for the numbers below `numbers`, as few as the type allows.
Digits digits_for(reference::Type type, Target target, int numbers);

} // namespace cts
