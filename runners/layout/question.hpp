// What is asked of `cdna-cts layout`, once all of it is known to make sense.
#pragma once

#include "reference/operand_layouts.hpp"

namespace cts::layout {

/// A question as it is asked: the options of the command, whose help says what each is.
struct Options {
  std::string subject, target, operand = "all", element, at, reading;
  std::optional<int> lane, cbsz, abid, blgp, opsel_a, opsel_b;
  std::optional<int> m0, offset;    ///< of loads into LDS
  std::optional<int> stride, bytes; ///< of bank maps
};

/// One operand and the elements of it that were asked for, in the order of blocks, rows, columns.
struct Part {
  reference::OperandLayout operand;
  std::optional<int> block; ///< only this one, chosen by the instruction's fields; nothing: all
  std::vector<reference::Element> elements;

  const reference::Layout& layout() const { return operand.layout; }
};

struct Question {
  reference::Instruction instruction;
  Target target;
  bool target_given;
  reference::Broadcast fields;
  reference::Reading reading; ///< of CBSZ and ABID, where the manuals contradict each other
  int opsel_a, opsel_b;       ///< bytes of the scale registers
  std::optional<int> lane;
  bool one_element; ///< of each part
  std::vector<Part> parts;

  /// Whether CBSZ, ABID or BLGP let A or B be read from other lanes.
  bool moves() const;

  /// The index set that a sparse instruction reads.
  int index_set() const { return reference::index_set(instruction, fields.cbsz, fields.abid); }

  /// The lane that is read for an item whose home is `slot`.
  int source_lane(const Part& part, const reference::Slot& slot) const;
};

/// Throws Error for what makes no sense, naming the option and what was expected.
Question understand(const Options& options);

} // namespace cts::layout
