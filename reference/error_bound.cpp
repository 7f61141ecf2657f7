#include "reference/error_bound.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>

namespace cts::reference {
namespace {

/// What D's type gives to the formula.
struct Precision {
  double unit;   ///< u
  Format result; ///< format of D
  bool aligned;  ///< whether a term's stored exponents matter
};

Precision precision_of(const Instruction& i) {
  switch (i.unit) {
  case Unit::dgemm: return {0x1p-53, Format::f64, false};
  case Unit::sgemm: return {0x1p-24, Format::f32, false};
  case Unit::xdl: return {0x1p-23, Format::f32, true};
  }
  throw Error("{} runs on no known unit", i.mnemonic);
}

long double smallest_normal(const Instruction& i) {
  return std::ldexp(1.0L, descriptor(precision_of(i).result).smallest_exponent());
}

Descriptor stored(Type type, Target target) {
  return descriptor(type == Type::i8 ? Format::f32 : format_of(type, target)); // the bound of I8 needs none
}

double wrapped(long double value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
}

} // namespace

bool within(const Bounded& expected, double got) {
  if (std::isinf(expected.bound)) return true;
  if (std::isnan(expected.exact)) return std::isnan(got);
  if (std::isinf(expected.exact)) return got == expected.exact;
  return std::fabs(got - expected.exact) <= expected.bound; // false for NaN
}

BoundedSum::BoundedSum(const Instruction& instruction, Target target)
    : instruction_(instruction), a_(stored(instruction.a, target)), b_(stored(instruction.b, target)),
      largest_unit_(smallest_normal(instruction)) {}

void BoundedSum::add_product(double a, double b, int scale) {
  if (!std::isfinite(a) || !std::isfinite(b)) {
    special_ += a * b;
    return;
  }
  const long double product = std::ldexp(static_cast<long double>(a) * b, scale);
  sum_ += product;
  magnitude_ += std::fabs(product);
  if (precision_of(instruction_).aligned)
    largest_unit_ =
        std::max(largest_unit_, std::ldexp(1.0L, stored_exponent(a_, a) + stored_exponent(b_, b) + scale));
}

Bounded BoundedSum::plus(double c) const {
  if (instruction_.d == Type::i32) return {wrapped(sum_ + c), 0};
  const auto [unit, result, aligned] = precision_of(instruction_);
  const bool finite = std::isfinite(c);
  const long double magnitude = magnitude_ + (finite ? std::fabs(c) : 0);
  const long double bound =
      (instruction_.k + 2) * static_cast<long double>(unit) * std::max(magnitude, largest_unit_);
  const double largest = decode(result, descriptor(result).largest_code());
  const double special = special_ + (finite ? 0 : c);
  if (std::isnan(special)) return {special, 0}; // whatever the finite terms do
  if (magnitude + bound > largest) return {static_cast<double>(sum_ + c), INFINITY};
  return {special != 0 ? special : static_cast<double>(sum_ + c), static_cast<double>(bound)};
}

BoundedMatrix multiply_bounded(const Instruction& instruction, const Matrix& a, const Matrix& b,
                               const Matrix& c, Target target) {
  const int blocks = c.shape.blocks, m = c.shape.rows, n = c.shape.cols; // no bindings: OpenMP takes none
  if (a.shape != Shape{blocks, m, instruction.k} || b.shape != Shape{blocks, instruction.k, n})
    throw Error("{}: C of {} blocks of {} x {} needs A of {} x {} and B of {} x {}, got {} blocks of {} x {} "
                "and {} of "
                "{} x {}",
                instruction.mnemonic, blocks, m, n, m, instruction.k, instruction.k, n, a.shape.blocks,
                a.shape.rows, a.shape.cols, b.shape.blocks, b.shape.rows, b.shape.cols);
  const BoundedSum empty(instruction, target);
  BoundedMatrix d{Matrix(c.shape), Matrix(c.shape)};
  const int rows = blocks * m;
#pragma omp parallel for if (c.values.size() * static_cast <std::size_t>(instruction.k) > 10000)
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < n; ++col) {
      const Element e{row / m, row % m, col};
      BoundedSum sum = empty;
      for (int k = 0; k < instruction.k; ++k)
        sum.add_product(a.at({e.block, e.row, k}), b.at({e.block, k, col}));
      const Bounded output = sum.plus(c.at(e));
      d.exact.at(e) = output.exact;
      d.bound.at(e) = output.bound;
    }
  return d;
}

std::optional<std::string> first_beyond(const BoundedMatrix& expected, const Matrix& got) {
  if (got.shape != expected.exact.shape)
    throw Error("expected {} blocks of {} x {}, got {} of {} x {}", expected.exact.shape.blocks,
                expected.exact.shape.rows, expected.exact.shape.cols, got.shape.blocks, got.shape.rows,
                got.shape.cols);
  const auto& [blocks, rows, cols] = got.shape;
  for (int block = 0; block < blocks; ++block)
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col) {
        const Element e{block, row, col};
        const Bounded want{expected.exact.at(e), expected.bound.at(e)};
        if (!within(want, got.at(e)))
          return fmt::format("D[{}][{}][{}]: got {}, expected {} within {}", block, row, col, got.at(e),
                             want.exact, want.bound);
      }
  return std::nullopt;
}

} // namespace cts::reference
