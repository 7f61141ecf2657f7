#include "suites/numerics/values.hpp"

#include "reference/formats.hpp"

#include <algorithm>
#include <cmath>

namespace cts::numerics {

using reference::Descriptor;
using reference::Element;
using reference::Format;
using reference::Inputs;
using reference::Instruction;
using reference::Matrix;
using reference::Operand;
using reference::Type;

namespace {

/// Numbers of one float format.
class Numbers {
public:
  Numbers(TestContext& context, Format format)
      : context_(context), format_(format), d_(reference::descriptor(format)),
        largest_(reference::decode(format, d_.largest_code())) {}

  /// A normal number with an exponent of at most `spread` from 0, where the format has them.
  double normal(int spread) {
    const int low = std::max(-spread, d_.smallest_exponent());
    const int high = std::max(low, std::min(spread, std::ilogb(largest_)));
    const double magnitude =
        std::ldexp(1 + std::ldexp(mantissa(), -d_.mantissa_bits), context_.integer(low, high));
    return sign() * std::min(magnitude, largest_);
  }

  /// A subnormal number, or zero.
  double subnormal() { return sign() * std::ldexp(mantissa(), d_.smallest_exponent() - d_.mantissa_bits); }

  /// One of the values at the ends and in the middle of the range, or NaN.
  double special() {
    const std::uint64_t codes[]{0,
                                d_.sign_bit(), // -0, or the NaN of FNUZ
                                1,
                                d_.sign_bit() | 1,
                                std::uint64_t{1} << d_.mantissa_bits, // smallest normal number
                                d_.largest_code(),
                                d_.sign_bit() | d_.largest_code(),
                                last(),
                                d_.sign_bit() | last(),
                                reference::nan_code(format_, false)};
    return reference::decode(format_, codes[context_.rng()() % std::size(codes)]);
  }

  /// `value` with the last bit of its mantissa flipped.
  double neighbour(double value) const {
    return reference::decode(format_, reference::encode(format_, value) ^ 1);
  }

private:
  TestContext& context_;
  Format format_;
  Descriptor d_;
  double largest_;

  double sign() { return context_.rng()() % 2 == 0 ? 1 : -1; }
  double mantissa() { return static_cast<double>(context_.rng()() % (std::uint64_t{1} << d_.mantissa_bits)); }
  /// Infinity where there is one, else the largest number.
  std::uint64_t last() const {
    return d_.specials == reference::Specials::ieee ? d_.infinity_code() : d_.largest_code();
  }
};

/// The largest exponent of `Data::wide`: no product of two such numbers overflows D.
int wide_spread(Type type) { return type == Type::f64 ? 400 : 60; }

Format format_held(Type type, Target target) {
  return type == Type::xf32 ? Format::xf32 : reference::format_of(type, target);
}

template <typename Draw> Matrix filled(const reference::Shape& shape, const Draw& draw) {
  Matrix matrix(shape);
  std::ranges::generate(matrix.values, draw);
  return matrix;
}

Matrix random_matrix(Numbers numbers, const reference::Shape& shape, Data data, int near, int wide,
                     TestContext& context) {
  return filled(shape, [&] {
    switch (data) {
    case Data::wide: return numbers.normal(wide);
    case Data::subnormal: return context.rng()() % 2 == 0 ? numbers.subnormal() : numbers.normal(near);
    case Data::special: return context.rng()() % 6 == 0 ? numbers.special() : numbers.normal(near);
    case Data::normal:
    case Data::cancelling: break;
    }
    return numbers.normal(near);
  });
}

/// Makes each odd k undo most of the k before it, and C most of the first product.
void make_cancelling(Inputs& in, const Numbers& of_b, bool f32_result) {
  const auto& [blocks, m, k_size] = in.a.shape;
  const int n = in.b.shape.cols;
  for (int block = 0; block < blocks; ++block) {
    for (int k = 1; k < k_size; k += 2) {
      for (int i = 0; i < m; ++i) in.a.at({block, i, k}) = -in.a.at({block, i, k - 1});
      for (int j = 0; j < n; ++j) in.b.at({block, k, j}) = of_b.neighbour(in.b.at({block, k - 1, j}));
    }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const double first = -in.a.at({block, i, 0}) * in.b.at({block, 0, j});
        in.c.at({block, i, j}) = f32_result ? static_cast<double>(static_cast<float>(first)) : first;
      }
  }
}

Inputs random_integers(TestContext& context, const Instruction& row, Data data) {
  const auto bytes = [&] { return context.integer(-128, 127); };
  const auto words = [&]() -> double {
    if (data == Data::special) // within 2^16 of where the sum wraps
      return context.rng()() % 2 == 0 ? 0x1p31 - 1 - context.integer(0, 0xffff)
                                      : -0x1p31 + context.integer(0, 0xffff);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(context.rng()()));
  };
  return {filled(reference::shape_of(row, Operand::a), bytes),
          filled(reference::shape_of(row, Operand::b), bytes),
          filled(reference::shape_of(row, Operand::c), words)};
}

} // namespace

std::string_view name(Data data) {
  constexpr std::string_view names[]{"normal", "wide", "subnormal", "cancelling", "special"};
  return names[static_cast<std::size_t>(data)];
}

Inputs random_values(TestContext& context, const Instruction& row, Data data) {
  if (row.a == Type::i8) return random_integers(context, row, data);
  const auto numbers = [&](Type type) { return Numbers(context, format_held(type, context.target())); };
  const int near = 2, wide = wide_spread(row.a);
  Inputs inputs{
      random_matrix(numbers(row.a), reference::shape_of(row, Operand::a), data, near, wide, context),
      random_matrix(numbers(row.b), reference::shape_of(row, Operand::b), data, near, wide, context),
      random_matrix(numbers(row.d), reference::shape_of(row, Operand::c), data, 2 * near, 2 * wide, context)};
  if (data == Data::cancelling) make_cancelling(inputs, numbers(row.b), row.d == Type::f32);
  return inputs;
}

} // namespace cts::numerics
