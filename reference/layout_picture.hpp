// A picture of who owns what: the matrices of an operand as grids, each cell coloured by the lanes that share
// its k (or, of C and D, its rows).
#pragma once

#include "reference/dense_layout.hpp"

#include <functional>
#include <span>
#include <string>

namespace cts::reference {

/// Whether a cell is shown brightly.
using Bright = std::function<bool(Operand, const Element&, const Slot&)>;

/// An SVG document with one grid for each block of each operand in `operands`, at least one. A cell's text is
/// "lane.item". With `bright`, the cells for which it is false are faded. Throws Error for an instruction
/// without a dense layout.
std::string layout_picture(const Instruction& instruction, std::span<const Operand> operands,
                           const Bright& bright = nullptr);

} // namespace cts::reference
