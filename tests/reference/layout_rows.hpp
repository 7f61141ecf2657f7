// Rows of a manual's layout table, and how a layout differs from them.
#pragma once

#include "reference/sparse_layout.hpp"

#include <array>
#include <fmt/format.h>

namespace cts::reference {

/// "VGPR `vgpr`, from bit `low_bit`, of lane `lane` holds `element` of `operand`."
struct Row {
  Operand operand;
  int lane, vgpr, low_bit;
  Element element;
};

/// A cell of the input tables of ISA4 7.1.5.1: the 16 lanes from `first_lane` hold M or N from `first_index`
/// on, and each has k from `first_k` to `last_k` one after the other, from bit 0 of `vgpr` upwards.
struct Cell {
  int vgpr, first_lane, first_index, first_k, last_k;
};

/// The layouts of an instruction's four operands. A test may replace one by a wrong one.
struct Layouts {
  explicit Layouts(const Instruction& i) {
    for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::d})
      (*this)[operand] = i.kind == Kind::sparse ? sparse_layout(i, operand) : dense_layout(i, operand);
  }

  Layout& operator[](Operand operand) { return of[static_cast<std::size_t>(operand)]; }
  const Layout& operator[](Operand operand) const { return of[static_cast<std::size_t>(operand)]; }

  std::array<Layout, 4> of;
};

inline std::vector<Row> rows_of(const Instruction& instruction, Operand operand,
                                const std::vector<Cell>& cells) {
  const int bits = bits_of(type_of(instruction, operand));
  std::vector<Row> rows;
  for (const Cell& cell : cells)
    for (int lane = 0; lane < 16; ++lane)
      for (int k = cell.first_k; k <= cell.last_k; ++k) {
        const int bit = 32 * cell.vgpr + bits * (k - cell.first_k);
        const int index = cell.first_index + lane;
        rows.push_back({operand, cell.first_lane + lane, bit / 32, bit % 32,
                        operand == Operand::a ? Element{0, index, k} : Element{0, k, index}});
      }
  return rows;
}

/// One line for each row that a layout contradicts, in either direction. Rows of D are asked of C too.
inline std::vector<std::string> mismatches(const Layouts& layouts, const std::vector<Row>& rows) {
  std::vector<std::string> found;
  const auto compare = [&](Operand operand, const Row& row) {
    const Layout& layout = layouts[operand];
    const std::string element = to_string(layout, operand, row.element);
    const std::string where = fmt::format("lane {} v{} bit {}", row.lane, row.vgpr, row.low_bit);
    const Place want{row.lane, row.vgpr, row.low_bit, layout.bits};
    if (const Place got = place_of(layout, layout.slot_of(row.element)); got != want)
      found.push_back(fmt::format("{}: the table has {} in {}, got lane {} v{} bit {}", layout.name, element,
                                  where, got.lane, got.vgpr, got.low_bit));
    const auto slot = slot_at(layout, row.lane, row.vgpr, row.low_bit);
    if (!slot)
      found.push_back(fmt::format("{}: no item at {}", layout.name, where));
    else if (const Element got = layout.element_of(*slot); got != row.element)
      found.push_back(fmt::format("{}: the table has {} in {}, where the layout has {}", layout.name, element,
                                  where, to_string(layout, operand, got)));
  };
  for (const Row& row : rows) {
    compare(row.operand, row);
    if (row.operand == Operand::d) compare(Operand::c, row);
  }
  return found;
}

} // namespace cts::reference
