#include "reference/operand_layouts.hpp"

#include <fmt/format.h>

namespace cts::reference {

std::vector<OperandLayout> operand_layouts(const Instruction& i) {
  const bool sparse = i.kind == Kind::sparse;
  std::vector<OperandLayout> operands;
  for (const auto& [operand, symbol] :
       {std::pair(Operand::a, sparse ? "Ac" : "A"), std::pair(Operand::b, "B"), std::pair(Operand::c, "C"),
        std::pair(Operand::d, "D")})
    if (!sparse || operand != Operand::c)
      operands.push_back({std::string(name(operand)), symbol, std::string(name(type_of(i, operand))), "block",
                          sparse ? sparse_layout(i, operand) : dense_layout(i, operand), operand});
  if (sparse) operands.push_back({"index", "Index", "2 bits", "set", index_layout(i), std::nullopt});
  if (i.kind == Kind::f8f6f4) {
    operands.push_back({"scale_a", "ScaleA", "e8m0", "byte", scale_layout(i, Operand::a), std::nullopt});
    operands.push_back({"scale_b", "ScaleB", "e8m0", "byte", scale_layout(i, Operand::b), std::nullopt});
  }
  return operands;
}

std::string to_string(const OperandLayout& operand, const Element& e) {
  const std::string block = operand.layout.shape.blocks > 1 ? fmt::format("[{}]", e.block) : "";
  return fmt::format("{}{}[{}][{}]", operand.symbol, block, e.row, e.col);
}

} // namespace cts::reference
