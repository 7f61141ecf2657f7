// A picture of who owns what: the matrices of operands as grids, each cell coloured by the lanes that share
// its k (or, of C and D, its rows).
#pragma once

#include "reference/operand_layouts.hpp"

namespace cts::reference {

/// An operand, or some blocks of it, as it is drawn.
struct Drawing {
  OperandLayout operand;
  std::vector<int> blocks; ///< at least one
  /// Whether a cell is shown brightly; all are when it is empty.
  std::function<bool(const Element&, const Slot&)> bright;
};

/// An SVG document under `heading` with one grid for each block of each drawing, of which there is at least
/// one. A cell's text is "lane.item"; `lanes_of_colour` lanes in a row share a colour.
std::string layout_picture(std::string_view heading, std::span<const Drawing> drawings, int lanes_of_colour);

} // namespace cts::reference
