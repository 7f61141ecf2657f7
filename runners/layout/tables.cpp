// The answers of `cdna-cts layout` for programs.
#include "runners/layout/answer.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace cts::layout {

nlohmann::ordered_json to_json(const Answer& answer) {
  nlohmann::ordered_json json{{"subject", answer.subject}, {"target", name(answer.target)}};
  json.update(answer.facts);
  json["notes"] = answer.notes;
  for (const Grid& grid : answer.grids) {
    nlohmann::ordered_json elements = nlohmann::ordered_json::array();
    for (const Cell& cell : grid.cells)
      if (cell.asked) elements.push_back(cell.values);
    json["grids"][grid.name] = {{"symbol", grid.symbol},
                                {"type", grid.type},
                                {"bits", grid.bits},
                                {"vgprs", grid.vgprs},
                                {"block_is", grid.block_is},
                                {"row_is", grid.row_is},
                                {"col_is", grid.col_is},
                                {"blocks", grid.shape.blocks},
                                {"rows", grid.shape.rows},
                                {"cols", grid.shape.cols},
                                {"lanes_of_group", grid.lanes_of_group},
                                {"places", grid.places},
                                {"fields", grid.fields},
                                {"elements", std::move(elements)}};
  }
  return json;
}

std::string to_csv(const Answer& answer) {
  std::vector<std::string> columns; // of every grid, in the order of their first appearance
  for (const Grid& grid : answer.grids)
    for (const std::string& field : grid.fields)
      if (std::ranges::find(columns, field) == columns.end()) columns.push_back(field);
  std::string text = fmt::format("grid,bits,place,{}\n", fmt::join(columns, ","));
  for (const Grid& grid : answer.grids)
    for (const Cell& cell : grid.cells) {
      if (!cell.asked) continue;
      text +=
          fmt::format("{},{},{}", grid.name, grid.bits, grid.places[static_cast<std::size_t>(cell.item())]);
      for (const std::string& column : columns) {
        const auto field = std::ranges::find(grid.fields, column);
        text += field == grid.fields.end()
                    ? ","
                    : fmt::format(",{}", cell.values[static_cast<std::size_t>(field - grid.fields.begin())]);
      }
      text += '\n';
    }
  return text;
}

} // namespace cts::layout
