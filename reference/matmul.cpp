#include "reference/matmul.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace cts::reference {
namespace {

template <typename Integer> Codec integer_codec() {
  using Unsigned = std::make_unsigned_t<Integer>;
  return {
      [](double value) -> std::uint64_t {
        if (!(value >= std::numeric_limits<Integer>::min() && value <= std::numeric_limits<Integer>::max()) ||
            value != std::floor(value))
          throw Error("{} is no {}-bit signed integer", value, 8 * sizeof(Integer));
        return static_cast<Unsigned>(static_cast<Integer>(value));
      },
      [](std::uint64_t bits) { return static_cast<double>(static_cast<Integer>(bits)); }};
}

/// Exponent of the lowest set bit: the largest power of two of which `value` (finite, not 0) is a multiple.
int lowest_bit(double value) {
  int exponent = 0;
  const auto digits =
      static_cast<std::uint64_t>(std::ldexp(std::fabs(std::frexp(value, &exponent)), DBL_MANT_DIG));
  return exponent - DBL_MANT_DIG + std::countr_zero(digits);
}

// ---- Limits
// --------------------------------------------------------------------------------------------------------

/// Where a type's values lose their leading 1, and how many mantissa bits they have below it.
struct Subnormals {
  int below;    ///< exponent of the smallest normal value; for fp8 and bf8 the larger of the two targets'
                ///< encodings
  int mantissa; ///< bits
};

Subnormals subnormals_of(Type type) {
  switch (type) {
  case Type::f64: return {-1022, 52};
  case Type::f32: return {-126, 23};
  case Type::xf32: return {-126, 10};
  case Type::bf16: return {-126, 7};
  case Type::f16: return {-14, 10};
  case Type::bf8: return {-14, 2};
  case Type::fp8: return {-6, 3};
  case Type::fp6: return {0, 3};
  case Type::bf6: return {-2, 2};
  case Type::fp4: return {0, 1};
  case Type::i32:
  case Type::i8: return {std::numeric_limits<int>::min(), 0};
  }
  throw Error("type {} is none of reference::Type", static_cast<int>(type));
}

/// Largest n such that the type holds every integer from -n to n.
double integer_range(Type type) {
  switch (type) {
  case Type::f64: return 0x1p53;
  case Type::f32: return 0x1p24;
  case Type::xf32:
  case Type::f16: return 2048;
  case Type::bf16: return 256;
  case Type::i32: return 0x1p31 - 1;
  case Type::i8: return 127;
  case Type::fp8: return 16;
  case Type::bf8:
  case Type::bf6: return 8;
  case Type::fp6: return 7;
  case Type::fp4: return 4;
  }
  throw Error("type {} is none of reference::Type", static_cast<int>(type));
}

/// What an output type holds exactly whatever the order of additions, counted in units, and its extreme
/// exponents.
struct Accumulator {
  double units;      ///< most units that |A*B| + |C| may sum to
  int smallest_unit; ///< exponent
  double largest;    ///< finite value
};

Accumulator accumulator_of(Type type) {
  switch (type) {
  case Type::f64: return {0x1p53, -1074, DBL_MAX};
  case Type::f32: return {0x1p24, -149, FLT_MAX};
  case Type::i32: return {0x1p53, 0, DBL_MAX}; // exact in our own arithmetic; the result wraps
  default: throw Error("{} is no type of C and D", name(type));
  }
}

double wrapped(double value) {
  return static_cast<double>(
      static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value))));
}

void expect_shape(const Instruction& i, Operand operand, const Matrix& matrix) {
  const Shape want = shape_of(i, operand);
  if (matrix.shape != want ||
      matrix.values.size() != static_cast<std::size_t>(want.blocks * want.rows * want.cols))
    throw Error("{} {}: expected {} blocks of {} x {}, got {} of {} x {} with {} values", i.mnemonic,
                name(operand), want.blocks, want.rows, want.cols, matrix.shape.blocks, matrix.shape.rows,
                matrix.shape.cols, matrix.values.size());
}

/// One output of `multiply`. Sums are formed in long double, whose 64 (or more) bits are beyond every
/// accepted sum: an inexact product or sum is larger than the bound and stays so, for rounding never crosses
/// a representable bound.
double output(const Instruction& i, const Matrix& a, const Matrix& b, double c, const Element& at) {
  const Accumulator accumulator = accumulator_of(i.d);
  long double sum = c;
  long double magnitude = std::fabs(c);
  int unit = c == 0 ? std::numeric_limits<int>::max() : lowest_bit(c);
  int terms = c == 0 ? 0 : 1;
  int unaligned_a = 0,
      unaligned_b = 0; // bits by which a subnormal factor can raise the exponent of its product
  for (int k = 0; k < i.k; ++k) {
    const double x = a.at({at.block, at.row, k});
    const double y = b.at({at.block, k, at.col});
    if (x == 0 || y == 0) continue;
    if (!std::isfinite(x) || !std::isfinite(y)) throw Error("{} * {} at k = {} is not finite", x, y, k);
    ++terms;
    if (std::ilogb(x) < subnormals_of(i.a).below) unaligned_a = subnormals_of(i.a).mantissa;
    if (std::ilogb(y) < subnormals_of(i.b).below) unaligned_b = subnormals_of(i.b).mantissa;
    unit = std::min(unit, lowest_bit(x) + lowest_bit(y));
    const long double product = static_cast<long double>(x) * y;
    sum += product;
    magnitude += std::fabs(product);
  }
  if (terms == 0) return 0;
  const int spare = terms == 1 ? 0 : unaligned_a + unaligned_b;
  if (unit < accumulator.smallest_unit || magnitude > accumulator.largest ||
      magnitude > std::ldexp(static_cast<long double>(accumulator.units), unit - spare))
    throw Error("|A*B| + |C| sums to {} units of 2^{}, more than the {} that are exact in every order for {}",
                static_cast<double>(std::ldexp(magnitude, -unit)), unit,
                std::ldexp(accumulator.units, -spare), name(i.d));
  return i.d == Type::i32 ? wrapped(static_cast<double>(sum)) : static_cast<double>(sum);
}

/// Integers from -largest to largest (of i8 from -128), the same on every platform.
Matrix random_matrix(const Shape& shape, double largest, std::mt19937_64& random) {
  Matrix matrix(shape);
  const auto limit = static_cast<std::int64_t>(largest);
  for (double& value : matrix.values)
    value = static_cast<double>(
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * limit + 1)) - limit);
  return matrix;
}

} // namespace

Matrix::Matrix(const Shape& wanted)
    : shape(wanted), values(static_cast<std::size_t>(wanted.blocks * wanted.rows * wanted.cols), 0.0) {}

RegisterImage::RegisterImage(int count)
    : vgprs(count), words(static_cast<std::size_t>(count * lanes_of_wave), poison) {}

std::uint64_t read_bits(const RegisterImage& image, const Place& place) {
  std::uint64_t bits = 0;
  for (int got = 0; got < place.bits;) {
    const int bit = place.low_bit + got;
    const int count = std::min(place.bits - got, 32 - bit % 32);
    const std::uint64_t mask = (1ULL << count) - 1;
    bits |= (image.word(place.vgpr + bit / 32, place.lane) >> bit % 32 & mask) << got;
    got += count;
  }
  return bits;
}

void write_bits(RegisterImage& image, const Place& place, std::uint64_t bits) {
  for (int put = 0; put < place.bits;) {
    const int bit = place.low_bit + put;
    const int count = std::min(place.bits - put, 32 - bit % 32);
    const std::uint64_t mask = (1ULL << count) - 1;
    std::uint32_t& word = image.word(place.vgpr + bit / 32, place.lane);
    word = static_cast<std::uint32_t>((word & ~(mask << bit % 32)) | (bits >> put & mask) << bit % 32);
    put += count;
  }
}

Codec exact_codec(Format format) {
  return {[format](double value) {
            if (!std::isfinite(value) || !representable(format, value))
              throw Error("{} has no exact encoding as {}", value, name(format));
            return encode(format, value);
          },
          [format](std::uint64_t bits) { return decode(format, bits); }};
}

Codec exact_codec(Type type) {
  switch (type) {
  case Type::xf32:
    return {[](double value) {
              exact_codec(Format::xf32).encode(value);
              return encode(Format::f32, value);
            },
            exact_codec(Format::f32).decode};
  case Type::f64:
  case Type::f32:
  case Type::f16:
  case Type::bf16: return exact_codec(format_of(type, Target::gfx942));
  case Type::i32: return integer_codec<std::int32_t>();
  case Type::i8: return integer_codec<std::int8_t>();
  default: throw Error("{}: no exact encoding without its format", name(type));
  }
}

RegisterImage pack(const Layout& layout, const Matrix& matrix, const Codec& codec, int vgprs) {
  if (matrix.shape != layout.shape)
    throw Error("{}: expected {} blocks of {} x {}, got {} of {} x {}", layout.name, layout.shape.blocks,
                layout.shape.rows, layout.shape.cols, matrix.shape.blocks, matrix.shape.rows,
                matrix.shape.cols);
  RegisterImage image(std::max(vgprs, vgprs_of(layout)));
  for (int block = 0; block < layout.shape.blocks; ++block)
    for (int row = 0; row < layout.shape.rows; ++row)
      for (int col = 0; col < layout.shape.cols; ++col) {
        const Element e{block, row, col};
        try {
          write_bits(image, place_of(layout, layout.slot_of(e)), codec.encode(matrix.at(e)));
        } catch (const Error& why) {
          throw Error("{}[{}][{}][{}]: {}", layout.name, block, row, col, why.what());
        }
      }
  return image;
}

Matrix unpack(const Layout& layout, const RegisterImage& image, const Codec& codec) {
  if (image.vgprs < vgprs_of(layout))
    throw Error("{}: expected {} VGPRs, got {}", layout.name, vgprs_of(layout), image.vgprs);
  Matrix matrix(layout.shape);
  for (int block = 0; block < layout.shape.blocks; ++block)
    for (int row = 0; row < layout.shape.rows; ++row)
      for (int col = 0; col < layout.shape.cols; ++col) {
        const Element e{block, row, col};
        matrix.at(e) = codec.decode(read_bits(image, place_of(layout, layout.slot_of(e))));
      }
  return matrix;
}

RegisterImage pack(const Instruction& instruction, Operand operand, const Matrix& matrix) {
  return pack(dense_layout(instruction, operand), matrix, exact_codec(type_of(instruction, operand)));
}

Matrix unpack(const Instruction& instruction, Operand operand, const RegisterImage& image) {
  return unpack(dense_layout(instruction, operand), image, exact_codec(type_of(instruction, operand)));
}

Matrix as_read(const Instruction& instruction, Operand operand, const Matrix& matrix, const Broadcast& fields,
               Reading reading) {
  expect_shape(instruction, operand, matrix);
  if (const auto why = undefined_broadcast(instruction, fields)) throw Error(*why);
  const bool negated = instruction.unit == Unit::dgemm && operand != Operand::d &&
                       (fields.blgp >> static_cast<int>(operand) & 1) != 0;
  const Layout layout = dense_layout(instruction, operand);
  Matrix read(matrix.shape);
  for (int block = 0; block < matrix.shape.blocks; ++block)
    for (int row = 0; row < matrix.shape.rows; ++row)
      for (int col = 0; col < matrix.shape.cols; ++col) {
        Slot slot = layout.slot_of({block, row, col});
        slot.lane = source_lane(instruction, operand, slot.lane, fields, reading);
        const double value = matrix.at(layout.element_of(slot));
        read.at({block, row, col}) = negated ? -value : value;
      }
  return read;
}

Matrix multiply(const Instruction& instruction, const Matrix& a, const Matrix& b, const Matrix& c) {
  expect_shape(instruction, Operand::a, a);
  expect_shape(instruction, Operand::b, b);
  expect_shape(instruction, Operand::c, c);
  Matrix d(c.shape);
  const int rows = c.shape.blocks * c.shape.rows;
  std::vector<std::string> refusals(
      static_cast<std::size_t>(rows)); // exceptions may not leave a parallel loop
  // Small products stay on one thread: waking the others costs more than the product.
  const auto products = static_cast<long>(rows) * c.shape.cols * a.shape.cols;
#pragma omp parallel for if (products > 100000)
  for (int row = 0; row < rows; ++row) {
    Element e{row / c.shape.rows, row % c.shape.rows, 0};
    try {
      for (; e.col < c.shape.cols; ++e.col) d.at(e) = output(instruction, a, b, c.at(e), e);
    } catch (const Error& why) {
      refusals[static_cast<std::size_t>(row)] =
          fmt::format("{} D[{}][{}][{}]: {}", instruction.mnemonic, e.block, e.row, e.col, why.what());
    }
  }
  for (const std::string& refusal : refusals)
    if (!refusal.empty()) throw Error(refusal);
  return d;
}

Inputs random_inputs(const Instruction& instruction, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const bool integer = instruction.d == Type::i32;
  const double half = integer ? 0x1p30 : accumulator_of(instruction.d).units / 2;
  const double root = std::floor(std::sqrt(half / instruction.k)); // k * root^2 <= half
  const auto largest = [&](Type type) { return std::min(integer_range(type), root); };
  Inputs inputs{random_matrix(shape_of(instruction, Operand::a), largest(instruction.a), random),
                random_matrix(shape_of(instruction, Operand::b), largest(instruction.b), random),
                random_matrix(shape_of(instruction, Operand::c), half, random)};
  if (instruction.a == Type::i8) // the one value that has no positive twin
    for (Matrix* matrix : {&inputs.a, &inputs.b}) matrix->values[random() % matrix->values.size()] = -128;
  return inputs;
}

} // namespace cts::reference
