#include "runners/layout/answer.hpp"

#include "runners/layout/lds.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace cts::layout {
namespace {

using reference::Element;
using reference::Instruction;
using reference::Kind;
using reference::Layout;
using reference::Operand;
using reference::Slot;
using reference::Unit;

/// What rows and columns of an operand are.
std::pair<std::string, std::string> coordinates(const std::string& operand, Kind kind) {
  if (operand == "a") return {"i", kind == Kind::sparse ? "c" : "k"};
  if (operand == "b") return {"k", "j"};
  if (operand == "index") return {"i", "c"};
  if (operand == "scale_a") return {"i", "s"};
  if (operand == "scale_b") return {"s", "j"};
  return {"i", "j"};
}

/// A field of a cell beyond the five that all have.
struct Field {
  std::string name;
  std::function<int(const Element&, const Slot&)> value;
};

std::vector<Field> fields_of(const Question& q, const Part& part) {
  const Instruction& i = q.instruction;
  const Layout& layout = part.layout();
  std::vector<Field> fields{
      {"vgpr", [&](const Element&, const Slot& slot) { return place_of(layout, slot).vgpr; }},
      {"low_bit", [&](const Element&, const Slot& slot) { return place_of(layout, slot).low_bit; }}};
  const auto matrix = part.operand.matrix;
  if (i.kind == Kind::f8f6f4 && (matrix == Operand::a || matrix == Operand::b)) {
    const int byte = matrix == Operand::a ? q.opsel_a : q.opsel_b;
    const auto scale = [&i, byte, matrix = *matrix, scales = scale_layout(i, *matrix)](const Element& e) {
      return place_of(scales, scales.slot_of(scale_of(i, matrix, e, byte)));
    };
    fields.push_back({"scale_lane", [scale](const Element& e, const Slot&) { return scale(e).lane; }});
    fields.push_back({"scale_low_bit", [scale](const Element& e, const Slot&) { return scale(e).low_bit; }});
  }
  if (i.kind == Kind::sparse && matrix == Operand::a) // its position is in the same lane
    fields.push_back(
        {"index_low_bit", [set = q.index_set(), index = index_layout(i)](const Element& e, const Slot&) {
           return place_of(index, index.slot_of({set, e.row, e.col})).low_bit;
         }});
  if (q.moves())
    fields.push_back(
        {"source_lane", [&](const Element&, const Slot& slot) { return q.source_lane(part, slot); }});
  return fields;
}

Grid grid_of(const Question& q, const Part& part) {
  const auto& layout = part.layout();
  const auto [row_is, col_is] = coordinates(part.operand.name, q.instruction.kind);
  Grid grid{part.operand.name,
            part.operand.symbol,
            part.operand.type,
            part.operand.block,
            row_is,
            col_is,
            layout.shape,
            {},
            layout.bits,
            vgprs_of(layout),
            {},
            q.instruction.n,
            {"block", "row", "col", "lane", "item"},
            {}};
  for (int item = 0; item < layout.items; ++item)
    grid.places.push_back(register_text(place_of(layout, {0, item})));
  const std::vector<Field> fields = fields_of(q, part);
  for (const Field& field : fields) grid.fields.push_back(field.name);
  const auto only = q.one_element ? std::optional(part.elements.front().block) : part.block;
  for (int block = 0; block < layout.shape.blocks; ++block)
    if (only.value_or(block) == block) grid.blocks.push_back(block);
  for (const int block : grid.blocks)
    for (int row = 0; row < layout.shape.rows; ++row)
      for (int col = 0; col < layout.shape.cols; ++col) {
        const Element e{block, row, col};
        const Slot slot = layout.slot_of(e);
        const bool asked =
            q.one_element ? e == part.elements.front() : q.lane.value_or(slot.lane) == slot.lane;
        Cell& cell = grid.cells.emplace_back(Cell{{block, row, col, slot.lane, slot.item}, asked});
        for (const Field& field : fields) cell.values.push_back(field.value(e, slot));
      }
  return grid;
}

/// What CBSZ, ABID and BLGP do to this instruction, in words.
std::string_view meaning_of_fields(const Instruction& i) {
  if (i.kind == Kind::sparse) return "CBSZ and ABID choose the index set";
  if (i.kind == Kind::f8f6f4) return "CBSZ and BLGP are the formats of A and B, ABID 1 turns scales on";
  if (i.unit == Unit::dgemm) return "BLGP negates A (bit 0), B (bit 1), C (bit 2)";
  return "CBSZ and ABID broadcast A, BLGP moves B";
}

constexpr auto contradiction =
    "the manuals contradict each other about A with these CBSZ and ABID (docs/layouts.md): reading lanes is "
    "the "
    "formula of chapter 7, reading blocks the field table of 13.3; no GPU result is known";

Answer matrix_answer(const Options& options) {
  const Question q = understand(options);
  const Instruction& i = q.instruction;
  Answer answer{std::string(i.mnemonic), q.target, {}, {}, {}};
  constexpr std::string_view kinds[] = {"dense", "scaled", "sparse"};
  answer.facts = {{"builtin", builtin_name(i)},
                  {"kind", kinds[static_cast<std::size_t>(i.kind)]},
                  {"m", i.m},
                  {"n", i.n},
                  {"k", i.k},
                  {"blocks", i.blocks},
                  {"cycles", cycles(i, q.target)},
                  {"modifiers",
                   {{"cbsz", q.fields.cbsz},
                    {"abid", q.fields.abid},
                    {"blgp", q.fields.blgp},
                    {"meaning", meaning_of_fields(i)}}}};
  if (i.kind == Kind::sparse)
    answer.facts["index"] = {
        {"sets", index_sets(i)}, {"bits_of_set", 32 / index_sets(i)}, {"set_read", q.index_set()}};
  if (i.kind == Kind::f8f6f4)
    answer.facts["scale"] = {
        {"k_of_block", reference::scale_block}, {"byte_read_a", q.opsel_a}, {"byte_read_b", q.opsel_b}};
  for (const Part& part : q.parts) answer.grids.push_back(grid_of(q, part));
  if (readings_differ(i, q.fields)) {
    answer.facts["modifiers"]["reading"] = q.reading == reference::Reading::lanes ? "lanes" : "blocks";
    answer.notes.push_back(contradiction);
  }
  return answer;
}

} // namespace

Answer answer(const Options& options) {
  if (const LdsSubject* lds = find_lds_subject(options.subject)) return lds_answer(*lds, options);
  return matrix_answer(options);
}

std::string describe(const Grid& grid, const Cell& cell) {
  std::string text =
      fmt::format("{}{}[{}][{}]: lane {}, item {}, {}", grid.symbol,
                  grid.shape.blocks > 1 ? fmt::format("[{}]", cell.block()) : "", cell.row(), cell.col(),
                  cell.lane(), cell.item(), grid.places[static_cast<std::size_t>(cell.item())]);
  for (std::size_t n = 5; n < grid.fields.size(); ++n) {
    std::string field = grid.fields[n];
    if (field == "vgpr" || field == "low_bit") continue; // said by the place
    std::ranges::replace(field, '_', ' ');
    text += fmt::format(", {} {}", field, cell.values[n]);
  }
  return text;
}

} // namespace cts::layout
