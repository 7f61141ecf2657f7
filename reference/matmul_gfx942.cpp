#include "reference/matmul_gfx942.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace cts::reference {
namespace {

/// A finite number as significand * 2^(exponent - fraction bits of its format). Subnormal numbers are not
/// normalised. `value` is the number itself, or an infinity or NaN, which has no significand.
struct Number {
  std::int64_t significand = 0;
  int exponent = 0;
  double value = 0;
};

const int exponent_of_zero = descriptor(Format::f32).smallest_exponent(); // whatever the format

Number number(const Descriptor& d, double value) {
  if (!std::isfinite(value)) return {0, 0, value};
  const int exponent = value == 0 ? exponent_of_zero : stored_exponent(d, value);
  return {static_cast<std::int64_t>(std::ldexp(value, d.mantissa_bits - exponent)), exponent, value};
}

/// value / 2^bits rounded down; `bits` is at least 0.
std::int64_t shift_down(std::int64_t value, int bits) { return value >> std::min(bits, 63); }

/// The same rounded toward 0.
std::int64_t shift_toward_zero(std::int64_t value, int bits) {
  return value < 0 ? -shift_down(-value, bits) : shift_down(value, bits);
}

/// units * 2^(exponent - 24).
struct Sum {
  std::int64_t units = 0;
  int exponent = 0;
};

constexpr int sum_bits = 24;  // fraction bits of a term
constexpr int wide_bits = 31; // fraction bits when C is added

/// How one type's products are added.
struct Order {
  int group;        ///< k to a step
  int chains;       ///< sums that a step forms apart, each of every chains-th k
  int product_bits; ///< fraction bits of a product of two significands
};

/// One row of A or column of B, of length k.
using Numbers = std::span<const Number>;

/// Products `first`, `first + stride`, ... of a group, aligned to the largest exponent.
Sum aligned_sum(const Order& order, Numbers a, Numbers b, std::size_t first) {
  const auto stride = static_cast<std::size_t>(order.chains);
  Sum sum{0, a[first].exponent + b[first].exponent};
  for (std::size_t k = first; k < a.size(); k += stride)
    sum.exponent = std::max(sum.exponent, a[k].exponent + b[k].exponent);
  for (std::size_t k = first; k < a.size(); k += stride) {
    const std::int64_t product = a[k].significand * b[k].significand << (sum_bits - order.product_bits);
    sum.units += shift_toward_zero(product, sum.exponent - a[k].exponent - b[k].exponent);
  }
  return sum;
}

/// What a group with an infinity, a NaN or a product beyond f32's range gives; an ordinary number when it has
/// none. True infinities and NaN come before products that are too large.
double special_sum(Numbers a, Numbers b, double c) {
  double sum = c;
  double too_large = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double product = a[k].value * b[k].value;
    sum += product;
    if (std::fabs(product) >= 0x1p128) too_large += std::copysign(INFINITY, product);
  }
  return std::isfinite(sum) ? sum + too_large : sum;
}

/// The accumulator after one group.
float step(const Order& order, Numbers a, Numbers b, float c) {
  if (const double special = special_sum(a, b, c); !std::isfinite(special))
    return static_cast<float>(special);
  Sum sum = aligned_sum(order, a, b, 0);
  if (order.chains == 2) {
    const Sum odd = aligned_sum(order, a, b, 1);
    const int exponent = std::max(sum.exponent, odd.exponent);
    sum = {shift_down(sum.units, exponent - sum.exponent) + shift_down(odd.units, exponent - odd.exponent),
           exponent};
  }
  const Number accumulator = number(descriptor(Format::f32), c);
  const int exponent = std::max(sum.exponent, accumulator.exponent);
  const int c_below = exponent - accumulator.exponent;
  std::int64_t c_units = 0;
  if (order.chains == 1 || c_below <= sum_bits + 1)
    c_units =
        shift_down(accumulator.significand << (sum_bits - descriptor(Format::f32).mantissa_bits), c_below);
  constexpr int widening = wide_bits - sum_bits;
  const std::int64_t total =
      shift_down(sum.units << widening, exponent - sum.exponent) + (c_units << widening);
  return static_cast<float>(std::ldexp(static_cast<double>(total), exponent - wide_bits)); // the one rounding
}

/// The format that the multiplier sees.
Format multiplied_format(Type type) {
  return type == Type::xf32 ? Format::xf32 : format_of(type, Target::gfx942);
}

Order order_of(const Instruction& i) {
  const int bits =
      descriptor(multiplied_format(i.a)).mantissa_bits + descriptor(multiplied_format(i.b)).mantissa_bits;
  switch (i.a) {
  case Type::xf32: return {std::min(4, i.k), 1, bits};
  case Type::f16:
  case Type::bf16: return {std::min(8, i.k), 1, bits};
  case Type::fp8:
  case Type::bf8: return {std::min(16, i.k), 2, bits};
  default: throw Error("{}: no grouped sums for {}", i.mnemonic, name(i.a));
  }
}

double grouped(const Order& order, Numbers a, Numbers b, double c) {
  auto accumulator = static_cast<float>(c);
  const auto group = static_cast<std::size_t>(order.group);
  for (std::size_t k = 0; k < a.size(); k += group)
    accumulator = step(order, a.subspan(k, group), b.subspan(k, group), accumulator);
  return accumulator;
}

template <typename Float> double fused(Numbers a, Numbers b, double c) {
  auto accumulator = static_cast<Float>(c);
  for (std::size_t k = 0; k < a.size(); ++k)
    accumulator = std::fma(static_cast<Float>(a[k].value), static_cast<Float>(b[k].value), accumulator);
  return accumulator;
}

double integer(Numbers a, Numbers b, double c) {
  auto sum = static_cast<std::int64_t>(c);
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += static_cast<std::int64_t>(a[k].value) * static_cast<std::int64_t>(b[k].value);
  return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)));
}

double output(const Instruction& i, Numbers a, Numbers b, double c) {
  switch (i.a) {
  case Type::f64: return fused<double>(a, b, c);
  case Type::f32: return fused<float>(a, b, c);
  case Type::i8: return integer(a, b, c);
  default: return grouped(order_of(i), a, b, c);
  }
}

/// Throws for a value that `type` does not hold on gfx942.
void expect_held(Type type, double value) {
  if (type == Type::i8 || type == Type::i32)
    exact_codec(type).encode(value);
  else if (const Format format = format_of(type, Target::gfx942); !representable(format, value))
    throw Error("{} is no {}", value, name(format));
}

/// `matrix` as numbers of `type`, k next to k: rows of A as they are, B transposed.
std::vector<Number> numbers(const Matrix& matrix, Type type, bool transposed, Rounding xf32) {
  const bool integers = type == Type::i8;
  std::vector<Number> all(matrix.values.size());
  std::size_t at = 0;
  const auto& [blocks, rows, cols] = matrix.shape;
  for (int block = 0; block < blocks; ++block)
    for (int outer = 0; outer < (transposed ? cols : rows); ++outer)
      for (int inner = 0; inner < (transposed ? rows : cols); ++inner) {
        double value = matrix.at(transposed ? Element{block, inner, outer} : Element{block, outer, inner});
        expect_held(type, value);
        if (type == Type::xf32) value = decode(Format::xf32, encode(Format::xf32, value, xf32));
        all[at++] = integers ? Number{0, 0, value} : number(descriptor(multiplied_format(type)), value);
      }
  return all;
}

void expect_shapes(const Instruction& i, const Matrix& a, const Matrix& b, const Matrix& c) {
  if (i.kind != Kind::dense || !exists_on(i, Target::gfx942))
    throw Error("{}: only dense instructions of gfx942 have known sums", i.mnemonic);
  const auto expect = [&](std::string_view what, const Matrix& matrix, const Shape& shape) {
    if (matrix.shape != shape ||
        matrix.values.size() != static_cast<std::size_t>(shape.blocks * shape.rows * shape.cols))
      throw Error("{} {}: expected {} blocks of {} x {}, got {} of {} x {} with {} values", i.mnemonic, what,
                  shape.blocks, shape.rows, shape.cols, matrix.shape.blocks, matrix.shape.rows,
                  matrix.shape.cols, matrix.values.size());
  };
  expect("A", a, {c.shape.blocks, c.shape.rows, i.k});
  expect("B", b, {c.shape.blocks, i.k, c.shape.cols});
  expect("C", c, c.shape);
}

} // namespace

Matrix multiply_gfx942(const Instruction& instruction, const Matrix& a, const Matrix& b, const Matrix& c,
                       Rounding xf32) {
  expect_shapes(instruction, a, b, c);
  const std::vector<Number> rows = numbers(a, instruction.a, false, xf32);
  const std::vector<Number> cols = numbers(b, instruction.b, true, xf32);
  for (const double value : c.values) expect_held(instruction.d, value);
  const auto k = static_cast<std::size_t>(instruction.k);
  const auto slice = [k](const std::vector<Number>& all, int index) {
    return Numbers(all).subspan(static_cast<std::size_t>(index) * k, k);
  };
  Matrix d(c.shape);
  const int m = c.shape.rows, n = c.shape.cols; // no bindings: OpenMP takes none
  const int all_rows = c.shape.blocks * m;
#pragma omp parallel for if (c.values.size() * k > 10000)
  for (int row = 0; row < all_rows; ++row)
    for (int col = 0; col < n; ++col) {
      const Element e{row / m, row % m, col};
      d.at(e) = output(instruction, slice(rows, row), slice(cols, e.block * n + col), c.at(e));
    }
  return d;
}

} // namespace cts::reference
