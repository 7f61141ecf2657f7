#include "reference/scaled_layout.hpp"

#include "common/error.hpp"

namespace cts::reference {
namespace {

constexpr int bytes_of_register = 4;

void expect_scaled(const Instruction& i, Operand operand) {
  if (i.kind != Kind::f8f6f4) throw Error("{} has no scales: only F8F6F4 instructions do", i.mnemonic);
  if (operand != Operand::a && operand != Operand::b)
    throw Error("{}: {} has no scales: only A and B do", i.mnemonic, name(operand));
}

void expect_byte(int byte) {
  if (byte < 0 || byte >= bytes_of_register)
    throw Error("byte {} of a scale register: expected 0 to 3", byte);
}

/// Row of A or column of B.
int outer(Operand operand, const Element& e) { return operand == Operand::a ? e.row : e.col; }

/// k of an element of A or B, or block of k of an element of their scales.
int along_k(Operand operand, const Element& e) { return operand == Operand::a ? e.col : e.row; }

Element element(Operand operand, int block, int outer, int along_k) {
  return operand == Operand::a ? Element{block, outer, along_k} : Element{block, along_k, outer};
}

/// ISA4 7.2.1, the two tables: lane 16 holds row 0 and k 32 to 63 in 16x16x128, row 16 and k 0 to 31 in
/// 32x32x64.
Element scale_element(const Instruction& i, Operand operand, const Slot& s) {
  switch (i.m) {
  case 32: return element(operand, s.item, s.lane % 32, s.lane / 32);
  case 16: return element(operand, s.item, s.lane % 16, s.lane / 16);
  default: throw Error("{}: no scale layout is known for m = {}", i.mnemonic, i.m);
  }
}

} // namespace

Layout scale_layout(const Instruction& i, Operand operand) {
  expect_scaled(i, operand);
  const int size = operand == Operand::a ? i.m : i.n;
  const int blocks = i.k / scale_block;
  return {fmt::format("{} scale of {}", i.mnemonic, name(operand)),
          operand == Operand::a ? Shape{bytes_of_register, size, blocks}
                                : Shape{bytes_of_register, blocks, size},
          bytes_of_register,
          8,
          [operand, size](const Element& e) {
            return Slot{outer(operand, e) + size * along_k(operand, e), e.block};
          },
          [i, operand](const Slot& s) { return scale_element(i, operand, s); }};
}

Element scale_of(const Instruction& i, Operand operand, const Element& e, int byte) {
  expect_scaled(i, operand);
  expect_byte(byte);
  return element(operand, byte, outer(operand, e), along_k(operand, e) / scale_block);
}

std::vector<Element> covered_by(const Instruction& i, Operand operand, const Element& scale) {
  expect_scaled(i, operand);
  std::vector<Element> covered;
  for (int k = 0; k < scale_block; ++k)
    covered.push_back(element(operand, 0, outer(operand, scale), scale_block * along_k(operand, scale) + k));
  return covered;
}

int scale_byte(const OpSel& bits) { return (bits.op_sel & 1) | (bits.op_sel_hi & 1) << 1; }

OpSel op_sel_of(int byte) {
  expect_byte(byte);
  return {byte & 1, byte >> 1};
}

std::uint8_t scale_of_constant(std::uint32_t float_bits) {
  return static_cast<std::uint8_t>(float_bits >> 23 & 0xFF);
}

void write_scales(RegisterImage& image, const Instruction& i, Operand operand,
                  std::span<const std::uint8_t> scales, int byte) {
  const Layout layout = scale_layout(i, operand);
  const auto wanted = static_cast<std::size_t>(layout.shape.rows * layout.shape.cols);
  if (scales.size() != wanted)
    throw Error("{}: expected {} scales, got {}", layout.name, wanted, scales.size());
  write_set(image, layout, byte, [&](const Element& e) {
    return std::uint64_t{scales[static_cast<std::size_t>(e.row * layout.shape.cols + e.col)]};
  });
}

std::vector<std::uint8_t> read_scales(const RegisterImage& image, const Instruction& i, Operand operand,
                                      int byte) {
  std::vector<std::uint8_t> scales;
  read_set(image, scale_layout(i, operand), byte,
           [&](const Element&, std::uint64_t bits) { scales.push_back(static_cast<std::uint8_t>(bits)); });
  return scales;
}

} // namespace cts::reference
