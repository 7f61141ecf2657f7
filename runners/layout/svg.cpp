// The answers of `cdna-cts layout` as a picture. Presentation attributes give the light colours, so that
// every renderer and every printer shows them; a style sheet changes them for dark screens only.
#include "runners/layout/answer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <span>

namespace cts::layout {
namespace {

constexpr int cell_width = 40, cell_height = 18, margin = 56, caption = 26, gap = 26, legend_width = 104;
constexpr int width_of_page = 1440, swatches_in_a_row = 8;

/// One colour for each group of lanes, pale under dark text and dark under light text.
struct Colour {
  std::string_view light, dark;
};
constexpr Colour colours[] = {
    {"#b3d4f5", "#1f4a74"}, {"#f9d7a0", "#6b4a10"}, {"#bfe5b4", "#28592a"}, {"#f3b9c4", "#732c3c"},
    {"#d5c6f0", "#4a3a78"}, {"#f5efa3", "#5c5512"}, {"#a9e4e0", "#17565a"}, {"#e6c7b0", "#633f26"},
    {"#c9d0d9", "#3f4853"}, {"#f0c2ec", "#6a2f68"}, {"#d3eb9b", "#41590f"}, {"#a9c0ee", "#2f3f80"},
    {"#f7c3a3", "#70381a"}, {"#b6e2cb", "#1e5a45"}, {"#e3d0a8", "#5a4a22"}, {"#cdb8d9", "#533764"}};

std::size_t colour_of(const Grid& grid, int lane) {
  return static_cast<std::size_t>(lane / grid.lanes_of_group) % std::size(colours);
}

/// The text of an XML element or attribute.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

struct Pen {
  std::string svg;
  int right = 0; ///< how far anything reaches

  void text(int x, int y, std::string_view anchor, int size, std::string_view words) {
    fmt::format_to(std::back_inserter(svg),
                   "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y, anchor,
                   size, escaped(words));
    if (anchor == "start") right = std::max(right, x + static_cast<int>(words.size()) * size * 6 / 10);
  }

  void rect(int x, int y, int width, int height, std::size_t colour) {
    fmt::format_to(std::back_inserter(svg),
                   "<rect class=\"g{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                   "stroke=\"#777\"/>",
                   colour, x, y, width, height, colours[colour].light);
    right = std::max(right, x + width);
  }
};

/// Cells in one place, which share a rectangle.
void draw_place(Pen& pen, const Grid& grid, std::span<const Cell> cells, int x, int y) {
  const Cell& first = cells.front();
  const bool asked = std::ranges::any_of(cells, [](const Cell& cell) { return cell.asked; });
  pen.svg += asked ? "<g><title>" : "<g opacity=\"0.25\"><title>";
  for (const Cell& cell : cells) pen.svg += (&cell == &first ? "" : "; ") + escaped(describe(grid, cell));
  pen.svg += "</title>";
  pen.rect(x, y, cell_width, cell_height, colour_of(grid, first.lane()));
  const std::string others = cells.size() > 1 ? fmt::format("+{}", cells.size() - 1) : "";
  pen.text(x + cell_width / 2, y + 13, "middle", 10,
           fmt::format("{}.{}{}", first.lane(), first.item(), others));
  pen.svg += "</g>\n";
}

/// One block of `grid` with its top left cell at (x, y).
void draw_block(Pen& pen, const Grid& grid, int block, int x, int y) {
  pen.text(x - 5, y - 5, "end", 9, fmt::format("{}\\{}", grid.row_is, grid.col_is));
  for (int row = 0; row < grid.shape.rows; ++row)
    pen.text(x - 5, y + row * cell_height + 13, "end", 9, fmt::format("{}", row));
  for (int col = 0; col < grid.shape.cols; ++col)
    pen.text(x + col * cell_width + cell_width / 2, y - 5, "middle", 9, fmt::format("{}", col));
  // What no lane holds stays empty: dashed, on paper.
  fmt::format_to(std::back_inserter(pen.svg),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#777\" "
                 "stroke-dasharray=\"2\"/>\n",
                 x, y, grid.shape.cols * cell_width, grid.shape.rows * cell_height);
  const auto in_block = std::ranges::equal_range(grid.cells, block, {}, &Cell::block);
  for (auto at = in_block.begin(); at != in_block.end();) {
    const auto end = std::find_if(at, in_block.end(), [&](const Cell& cell) {
      return cell.row() != at->row() || cell.col() != at->col();
    });
    draw_place(pen, grid, {at, end}, x + at->col() * cell_width, y + at->row() * cell_height);
    at = end;
  }
}

/// Which lanes a colour stands for; returns the height.
int draw_legend(Pen& pen, const Grid& grid, int y) {
  const int groups = reference::lanes_of_wave / grid.lanes_of_group;
  for (int group = 0; group < groups; ++group) {
    const int x = margin + group % swatches_in_a_row * legend_width;
    const int top = y + group / swatches_in_a_row * cell_height;
    pen.rect(x, top, 14, 12, static_cast<std::size_t>(group));
    pen.text(x + 18, top + 10, "start", 10,
             fmt::format("lanes {}..{}", group * grid.lanes_of_group, (group + 1) * grid.lanes_of_group - 1));
  }
  return (groups + swatches_in_a_row - 1) / swatches_in_a_row * cell_height;
}

std::string style() {
  std::string rules = ".cdna-layout{fill:#eee}.cdna-layout .paper{fill:#16181c}";
  for (std::size_t n = 0; n < std::size(colours); ++n)
    rules += fmt::format(".cdna-layout .g{}{{fill:{}}}", n, colours[n].dark);
  return fmt::format("<style>@media screen and (prefers-color-scheme:dark){{{}}}"
                     "@media print{{.cdna-layout{{width:100%;height:auto}}}}</style>\n",
                     rules);
}

} // namespace

std::string to_svg(const Answer& answer) {
  Pen pen;
  int y = caption;
  pen.text(margin, y, "start", 14,
           fmt::format("{} on {}: lane.item of each element", answer.subject, name(answer.target)));
  y += caption / 2;
  y += draw_legend(pen, answer.grids.front(), y);
  std::string drawn;
  for (const Grid& grid : answer.grids) {
    if (grid.name == "c" && answer.grids.size() > 1) continue; // as D
    drawn += fmt::format("{}{} ({} x {} {}, {} bits an item)", drawn.empty() ? "" : ", ", grid.symbol,
                         grid.shape.rows, grid.shape.cols, grid.type, grid.bits);
    const int width = grid.shape.cols * cell_width + margin + gap;
    const int grids_in_a_row = std::max(1, width_of_page / width);
    for (std::size_t n = 0; n < grid.blocks.size(); ++n) {
      const int place = static_cast<int>(n) % grids_in_a_row;
      if (place == 0) y += gap;
      const int x = margin + place * width;
      const std::string which =
          grid.shape.blocks > 1 ? fmt::format(" {} {}", grid.block_is, grid.blocks[n]) : "";
      pen.text(
          x, y, "start", 12,
          fmt::format("{}{}: {} x {} {}", grid.symbol, which, grid.shape.rows, grid.shape.cols, grid.type));
      draw_block(pen, grid, grid.blocks[n], x, y + caption);
      if (place == grids_in_a_row - 1 || n + 1 == grid.blocks.size())
        y += caption + grid.shape.rows * cell_height;
    }
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cdna-layout\" role=\"img\" "
      "aria-labelledby=\"layout-title layout-desc\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"monospace\" fill=\"#222\">\n<title id=\"layout-title\">{2} on {3}</title>\n"
      "<desc id=\"layout-desc\">Who holds each element of {4}. Each cell shows lane.item; its colour is that "
      "of a group of neighbouring lanes; its title names the register bits.</desc>\n{5}"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{6}</svg>\n",
      pen.right + margin, y + margin, escaped(answer.subject), name(answer.target), escaped(drawn), style(),
      pen.svg);
}

} // namespace cts::layout
