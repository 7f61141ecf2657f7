// The answer to a layout question as data: grids of cells, and who holds each cell. JSON, CSV and SVG are
// made of it and of nothing else, and the HTML report draws from the same JSON. docs/layouts.md has its
// schema.
#pragma once

#include "runners/layout/question.hpp"

#include <nlohmann/json.hpp>

namespace cts::layout {

/// One element and who holds it. Several cells may be in one place of a grid (lanes that read the same
/// dword).
struct Cell {
  std::vector<int> values; ///< one for each of Grid::fields
  bool asked = true;       ///< whether the question is about it; pictures show the others faded

  int block() const { return values[0]; }
  int row() const { return values[1]; }
  int col() const { return values[2]; }
  int lane() const { return values[3]; }
  int item() const { return values[4]; }
};

/// One operand, or a piece of LDS.
struct Grid {
  std::string name;                     ///< "a", "index", "lds"
  std::string symbol;                   ///< how an element is written: "A", "Ac", "LDS"
  std::string type;                     ///< of an item: "f16", "dword"
  std::string block_is, row_is, col_is; ///< what the coordinates are: "block", "i", "k"
  reference::Shape shape;               ///< of the whole grid
  std::vector<int> blocks;              ///< those of its blocks that the question is about
  int bits = 0;                         ///< of an item
  int vgprs = 0;                        ///< that its items fill in a lane; 0 when they are not in VGPRs
  std::vector<std::string> places;      ///< of item t: "v0.lo", "v0[15:8]"
  int lanes_of_group = 16;              ///< so many neighbouring lanes share a colour
  std::vector<std::string> fields;      ///< "block", "row", "col", "lane", "item", then the grid's own
  std::vector<Cell> cells;              ///< by block, row, column
};

struct Answer {
  std::string subject;
  Target target;
  nlohmann::ordered_json facts;   ///< of the subject, for JSON: shape, fields of the instruction, sets
  std::vector<std::string> notes; ///< what a reader has to know beside, a sentence each
  std::vector<Grid> grids;
};

/// The answer to `options`, whatever they are about. Throws Error for what makes no sense, naming the option
/// and what was expected, and the nearest subject for one that is not known.
Answer answer(const Options& options);

/// JSON by the schema in docs/layouts.md, with only the cells that were asked for.
nlohmann::ordered_json to_json(const Answer& answer);

/// One line a cell that was asked for, after a head line.
std::string to_csv(const Answer& answer);

/// One picture of all grids; C is left out beside D, which is the same.
std::string to_svg(const Answer& answer);

/// For reading.
std::string to_text(const Options& options);

/// "A[2][7]: lane 18, item 3, v1.hi"; what the grid knows beyond that follows, with its name.
std::string describe(const Grid& grid, const Cell& cell);

/// "v1", "v[2:3]", "v0.hi", "v2[15:8]" or, across two VGPRs, "v0[31:30]+v1[3:0]".
std::string register_text(const reference::Place& place);

} // namespace cts::layout
