// The register operands of any matrix instruction with their layouts, under one roof for tools that show
// them.
#pragma once

#include "reference/scaled_layout.hpp"
#include "reference/sparse_layout.hpp"

namespace cts::reference {

/// One register operand.
struct OperandLayout {
  std::string name; ///< "a", "b", "c", "d", "index", "scale_a" or "scale_b"
  std::string
      symbol; ///< how an element of it is written: "A", of sparse instructions "Ac", "Index", "ScaleA" …
  std::string type;  ///< of an item: "f16", of the index "2 bits", of scales "e8m0"
  std::string block; ///< what the layout's blocks are: "block", of the index "set", of scales "byte"
  Layout layout;
  std::optional<Operand> matrix; ///< which of A, B, C and D it is, if any
};

/// All register operands that the instruction names, in the order A, B, C, D, index or scales. A sparse
/// instruction has no C of its own, and its A holds kept elements; an F8F6F4 one has scales, which only its
/// scaled form reads.
std::vector<OperandLayout> operand_layouts(const Instruction& instruction);

/// "D[6][2]" for one block, "D[3][6][2]" for several.
std::string to_string(const OperandLayout& operand, const Element& element);

} // namespace cts::reference
