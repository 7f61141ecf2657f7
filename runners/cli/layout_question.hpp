// What is asked of `cdna-cts layout`, once all of it is known to make sense.
#pragma once

#include "reference/operand_layouts.hpp"

namespace cts::cli {

/// The command line as it stands.
struct LayoutOptions {
  std::string instruction, target, operand = "all", element, at, format = "text";
  std::optional<int> lane, cbsz, abid, blgp, opsel_a, opsel_b;
};

/// One operand and the elements of it that were asked for, in the order of blocks, rows, columns.
struct LayoutPart {
  reference::OperandLayout operand;
  std::optional<int> block; ///< only this one, chosen by the instruction's fields; nothing: all
  std::vector<reference::Element> elements;

  const reference::Layout& layout() const { return operand.layout; }
};

struct LayoutQuestion {
  reference::Instruction instruction;
  Target target;
  bool target_given;
  reference::Broadcast fields;
  int opsel_a, opsel_b; ///< bytes of the scale registers
  std::optional<int> lane;
  bool one_element; ///< of each part
  std::vector<LayoutPart> parts;

  /// Whether CBSZ, ABID or BLGP let A or B be read from other lanes.
  bool moves() const;

  /// The lane that is read for an item whose home is `slot`.
  int source_lane(const LayoutPart& part, const reference::Slot& slot) const;
};

/// Throws Error for what makes no sense, naming the option and what was expected.
LayoutQuestion understand(const LayoutOptions& options);

/// Prints the answer as text.
void print_layout_text(const LayoutQuestion& question);

} // namespace cts::cli
