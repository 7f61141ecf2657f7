// The part of a question that singles out an element: --element, or --at with a lane, a VGPR and a bit.
#pragma once

#include "runners/layout/question.hpp"

namespace cts::layout {

/// What --element or --at asks for, to be looked up in each operand.
struct Wanted {
  std::optional<int> block;
  int row = 0, col = 0;
  std::optional<reference::Place> place; ///< with --at: lane, VGPR and a bit
};

/// Nothing when neither was given. Throws Error for numbers that cannot be read.
std::optional<Wanted> wanted_of(const Options& options);

/// The target of --target, if any. Throws Error for another word.
std::optional<Target> target_of(const Options& options);

/// Throws Error for a lane outside 0 to 63.
void expect_lane(const Options& options);

} // namespace cts::layout
