#include "reference/layout_picture.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace cts::reference {
namespace {

constexpr int cell_width = 36, cell_height = 17, margin = 28, caption = 24, gap = 24;
constexpr int grids_in_a_row = 4;

/// One pale colour for each group of lanes; dark text is readable on all.
constexpr std::string_view colours[] = {"#b3d4f5", "#f9d7a0", "#bfe5b4", "#f3b9c4", "#d5c6f0", "#f5efa3",
                                        "#a9e4e0", "#e6c7b0", "#c9d0d9", "#f0c2ec", "#d3eb9b", "#a9c0ee",
                                        "#f7c3a3", "#b6e2cb", "#e3d0a8", "#cdb8d9"};

struct Pen {
  std::string svg;
  int right = 0; ///< how far anything reaches

  void text(int x, int y, std::string_view anchor, int size, std::string_view words) {
    fmt::format_to(std::back_inserter(svg),
                   "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y, anchor,
                   size, words);
  }
};

/// One block's grid with its top left cell at (x, y).
void draw_grid(Pen& pen, const Drawing& drawing, int lanes_of_colour, int block, int x, int y) {
  const Layout& layout = drawing.operand.layout;
  for (int row = 0; row < layout.shape.rows; ++row)
    pen.text(x - 4, y + row * cell_height + 12, "end", 9, fmt::format("{}", row));
  for (int col = 0; col < layout.shape.cols; ++col) {
    const int left = x + col * cell_width;
    pen.text(left + cell_width / 2, y - 4, "middle", 9, fmt::format("{}", col));
    for (int row = 0; row < layout.shape.rows; ++row) {
      const int top = y + row * cell_height;
      const Element element{block, row, col};
      const Slot slot = layout.slot_of(element);
      const auto colour = static_cast<std::size_t>(slot.lane / lanes_of_colour) % std::size(colours);
      const bool faded = drawing.bright && !drawing.bright(element, slot);
      fmt::format_to(std::back_inserter(pen.svg),
                     "<g{}><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#777\"/>",
                     faded ? " opacity=\"0.25\"" : "", left, top, cell_width, cell_height, colours[colour]);
      pen.text(left + cell_width / 2, top + 12, "middle", 10, fmt::format("{}.{}", slot.lane, slot.item));
      pen.svg += "</g>\n";
    }
  }
  pen.right = std::max(pen.right, x + layout.shape.cols * cell_width);
}

} // namespace

std::string layout_picture(std::string_view heading, std::span<const Drawing> drawings, int lanes_of_colour) {
  Pen pen;
  int y = caption;
  pen.text(margin, y, "start", 14, fmt::format("{}: lane.item of each element", heading));
  for (const Drawing& drawing : drawings) {
    const OperandLayout& operand = drawing.operand;
    const auto [all, rows, cols] = operand.layout.shape;
    const int blocks = static_cast<int>(drawing.blocks.size());
    for (int n = 0; n < blocks; ++n) {
      const int block = drawing.blocks[static_cast<std::size_t>(n)];
      const int place = n % grids_in_a_row;
      if (place == 0) y += gap;
      const int x = margin + place * (cols * cell_width + margin + gap);
      const std::string which = all > 1 ? fmt::format(" {} {}", operand.block, block) : "";
      pen.text(x, y, "start", 12,
               fmt::format("{}{}: {} x {} {}", operand.symbol, which, rows, cols, operand.type));
      draw_grid(pen, drawing, lanes_of_colour, block, x, y + caption);
      if (place == grids_in_a_row - 1 || n == blocks - 1) y += caption + rows * cell_height;
    }
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"monospace\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n{2}</svg>\n",
      std::max(pen.right, 420) + margin, y + margin, pen.svg);
}

} // namespace cts::reference
