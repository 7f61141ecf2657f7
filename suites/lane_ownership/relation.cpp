#include "suites/lane_ownership/relation.hpp"

#include "suites/lane_ownership/fields.hpp"
#include "suites/shared/element_values.hpp"
#include "suites/shared/f32_bits.hpp"

#include <bit>

namespace cts::lane_ownership {

using reference::dense_layout;
using reference::Element;
using reference::Inputs;
using reference::Instruction;
using reference::Layout;
using reference::Matrix;
using reference::Operand;
using reference::RegisterImage;
using reference::Slot;
using reference::Type;

namespace {

Matrix& of(Inputs& inputs, Operand operand) { return operand == Operand::a ? inputs.a : inputs.b; }
RegisterImage& of(WaveInputs& wave, Operand operand) { return operand == Operand::a ? wave.a : wave.b; }

/// What the instruction computes with when its registers hold `held`.
Matrix as_read(const Variant& v, Operand operand, const Matrix& held) {
  return v.fields == reference::Broadcast{} ? held : reference::as_read(v.row, operand, held, v.fields);
}

/// "A[2][7] (lane 18, VGPR 1, byte 2)": an element, and the registers that it is read from.
std::string source_of(const Variant& v, Operand operand, const Element& e) {
  const Layout layout = dense_layout(v.row, operand);
  Slot slot = layout.slot_of(e);
  slot.lane = reference::source_lane(v.row, operand, slot.lane, v.fields);
  const reference::Place place = reference::place_of(layout, slot);
  return fmt::format(
      "{} (lane {}, VGPR {}, {})", reference::to_string(layout, operand, e), place.lane, place.vgpr,
      layout.bits < 8 ? fmt::format("bit {}", place.low_bit) : fmt::format("byte {}", place.low_bit / 8));
}

/// The operand that is not probed, every slot holding a value that stands for it.
struct Coded {
  RegisterImage image;
  Matrix read; ///< as the instruction reads it
  std::string what;
};

std::vector<Coded> coded(const TestContext& context, const Variant& v, Operand operand) {
  const Layout layout = dense_layout(v.row, operand);
  const Digits digits = digits_for(reference::type_of(v.row, operand), context.target(),
                                   reference::lanes_of_wave * layout.items);
  std::vector<Coded> all;
  for (int n = 0; n <= digits.count; ++n) {
    const bool counts = n == digits.count;
    Inputs held = zeros(v);
    for (int lane = 0; lane < reference::lanes_of_wave; ++lane)
      for (int item = 0; item < layout.items; ++item)
        of(held, operand).at(layout.element_of({lane, item})) =
            counts ? 1 : digits.digit(lane * layout.items + item, n);
    WaveInputs wave = images_of(context, v, held);
    all.push_back({std::move(of(wave, operand)), as_read(v, operand, of(held, operand)),
                   counts ? std::string("their number") : fmt::format("digit {} of {}", n, digits.count)});
  }
  return all;
}

/// The elements that are set together, product by product.
std::vector<std::vector<Element>> probes(const Variant& v, Operand operand, Probe probe) {
  const Layout layout = dense_layout(v.row, operand);
  std::vector<std::vector<Element>> all;
  if (probe == Probe::slot_alone) {
    for (int lane = 0; lane < reference::lanes_of_wave; ++lane)
      for (int item = 0; item < layout.items; ++item) all.push_back({layout.element_of({lane, item})});
    return all;
  }
  for (int w = 0; w < v.row.k; ++w) {
    std::vector<Element>& set = all.emplace_back();
    for (int block = 0; block < v.row.blocks; ++block)
      for (int n = 0; n < v.row.m; ++n) {
        const int k = (w + n + block) % v.row.k;
        set.push_back(operand == Operand::a ? Element{block, n, k} : Element{block, k, n});
      }
  }
  return all;
}

/// A * B, of which `probed` is nearly all zeros. Sums are of few small numbers and so exact.
Matrix product_of(const Variant& v, Operand probed, const Matrix& set, const Matrix& other) {
  Matrix d(reference::shape_of(v.row, Operand::d));
  for (int block = 0; block < set.shape.blocks; ++block)
    for (int row = 0; row < set.shape.rows; ++row)
      for (int col = 0; col < set.shape.cols; ++col) {
        const double x = set.at({block, row, col});
        if (x == 0) continue;
        for (int n = 0; n < v.row.m; ++n)
          if (probed == Operand::a)
            d.at({block, row, n}) += x * other.at({block, col, n});
          else
            d.at({block, n, col}) += other.at({block, n, row}) * x;
      }
  return d;
}

/// Writes matrices of C's or D's type into registers.
class ResultRegisters {
public:
  explicit ResultRegisters(const Instruction& row) : type_(row.d), vgprs_(row.vgprs_d) {
    const Layout layout = dense_layout(row, Operand::d);
    for (int block = 0; block < row.blocks; ++block)
      for (int i = 0; i < row.m; ++i)
        for (int j = 0; j < row.n; ++j)
          places_.push_back(reference::place_of(layout, layout.slot_of({block, i, j})));
  }

  RegisterImage pack(const Matrix& d) const {
    RegisterImage image(vgprs_);
    for (std::size_t n = 0; n < places_.size(); ++n) {
      const reference::Place& place = places_[n];
      std::uint32_t& word = image.word(place.vgpr, place.lane);
      if (type_ == Type::f64) {
        const auto bits = std::bit_cast<std::uint64_t>(d.values[n]);
        word = static_cast<std::uint32_t>(bits);
        image.word(place.vgpr + 1, place.lane) = static_cast<std::uint32_t>(bits >> 32);
      } else {
        word = type_ == Type::i32 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(d.values[n]))
                                  : f32_bits(d.values[n]);
      }
    }
    return image;
  }

private:
  Type type_;
  int vgprs_;
  std::vector<reference::Place> places_;
};

/// What should have met in an element of D: the probed slots of its row or column, and the other operand's.
std::string describe(const Variant& v, Operand probed, const Matrix& set, const Element& e) {
  std::string met;
  for (int k = 0; k < v.row.k; ++k) {
    const Element in_a{e.block, e.row, k}, in_b{e.block, k, e.col};
    if (set.at(probed == Operand::a ? in_a : in_b) == 0) continue;
    met += fmt::format("{}{} x {}", met.empty() ? "" : " and ", source_of(v, Operand::a, in_a),
                       source_of(v, Operand::b, in_b));
  }
  return fmt::format("{} is {}", reference::to_string(dense_layout(v.row, Operand::d), Operand::d, e),
                     met.empty() ? "of slots that are 0" : met);
}

} // namespace

Variant variant_of(std::string_view instruction) {
  const Instruction& row = reference::find_instruction(instruction);
  return {{row, std::string(row.builtin_tail), std::string(row.mnemonic)}};
}

Variant variant_of(std::string_view instruction, const reference::Broadcast& fields) {
  Variant v = variant_of(instruction);
  v.kernel += "_fields";
  v.title += fmt::format(" cbsz:{} abid:{} blgp:{}", fields.cbsz, fields.abid, fields.blgp);
  v.fields = fields;
  v.reads_fields = true;
  return v;
}

std::vector<Variant> variants_of(const TestContext& context, Family family) {
  std::vector<Variant> all;
  for (DenseVariant& v : dense_variants(family, context.target())) all.push_back({std::move(v)});
  return all;
}

Variant accumulating(Variant variant) {
  variant.kernel += "_acc";
  variant.title += " in accumulation VGPRs";
  return variant;
}

RegisterImage expected_d(const Variant& v, const Inputs& held) {
  return registers_of_d(v,
                        reference::multiply(v.row, as_read(v, Operand::a, held.a),
                                            as_read(v, Operand::b, held.b), as_read(v, Operand::c, held.c)));
}

WaveInputs images_of(const TestContext& context, const Variant& v, const Inputs& held) {
  WaveInputs wave = registers_of(v, held, context.target());
  if (v.reads_fields) {
    RegisterImage& code = wave.more.emplace_back(1);
    for (std::uint32_t& word : code.words)
      word = static_cast<std::uint32_t>(field_code(v.fields.cbsz, v.fields.abid, v.fields.blgp));
  }
  return wave;
}

Inputs zeros(const Variant& v) {
  return {Matrix(reference::shape_of(v.row, Operand::a)), Matrix(reference::shape_of(v.row, Operand::b)),
          Matrix(reference::shape_of(v.row, Operand::c))};
}

void compare_d(TestContext& context, const Variant& v, const RegisterImage& expected,
               const RegisterImage& got, const std::string& what) {
  Comparison comparison(context, v.title);
  cts::compare_d(comparison, dense_layout(v.row, Operand::d), expected, got, what);
}

void check_relation(TestContext& context, hip::Module& module, const Variant& v, Operand probed,
                    Probe probe) {
  const Operand other = probed == Operand::a ? Operand::b : Operand::a;
  const Layout layout = dense_layout(v.row, probed), d_layout = dense_layout(v.row, Operand::d);
  const ResultRegisters results(v.row);
  const std::vector<Coded> others = coded(context, v, other);
  const std::uint64_t one = exact_codec(reference::type_of(v.row, probed), context.target()).encode(1);
  const Inputs none = zeros(v);
  const WaveInputs zero_wave = images_of(context, v, none);

  std::vector<Matrix> sets;
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  for (const std::vector<Element>& elements : probes(v, probed, probe)) {
    Matrix held(layout.shape);
    WaveInputs wave = zero_wave;
    for (const Element& e : elements) {
      held.at(e) = 1;
      reference::write_bits(of(wave, probed), reference::place_of(layout, layout.slot_of(e)), one);
    }
    const Matrix& read = sets.emplace_back(as_read(v, probed, held));
    for (const Coded& c : others) {
      of(wave, other) = c.image;
      waves.push_back(wave);
      expected.push_back(results.pack(product_of(v, probed, read, c.read)));
    }
  }
  const auto got = run_waves(context, module, v.kernel, waves, v.row.vgprs_d);
  Comparison comparison(context, v.title);
  for (std::size_t w = 0; w < waves.size(); ++w)
    cts::compare_d(comparison, d_layout, expected[w], got[w], [&](const Element& e) {
      return fmt::format("{}; {} holds {}", describe(v, probed, sets[w / others.size()], e),
                         other == Operand::a ? "A" : "B", others[w % others.size()].what);
    });
}

void check_c_is_d(TestContext& context, hip::Module& module, const Variant& v) {
  WaveInputs wave = images_of(context, v, zeros(v));
  const int words = v.row.d == Type::f64 ? 2 : 1;
  RegisterImage expected(v.row.vgprs_d);
  for (int lane = 0; lane < reference::lanes_of_wave; ++lane)
    for (int r = 0; r < v.row.vgprs_d; ++r) {
      // 23 bits that no other word has, below the exponent of 1 in the word that has one.
      std::uint32_t bits = static_cast<std::uint32_t>(1 + lane * v.row.vgprs_d + r) * 0x9e3779b1u & 0x7fffffu;
      if (words == 2 && r % 2 == 1) bits = (bits & 0xfffffu) | 0x3ff00000u;
      if (words == 1 && v.row.d != Type::i32) bits |= 0x3f800000u;
      wave.c.word(r, lane) = bits;
      const bool negated = words == 2 && r % 2 == 1 && (v.fields.blgp & 4) != 0;
      expected.word(r, lane) = negated ? bits ^ 0x80000000u : bits;
    }
  const auto d = run_waves(context, module, v.kernel, {wave}, v.row.vgprs_d);
  compare_d(context, v, expected, d[0], "a zero product, where D is C");
}

} // namespace cts::lane_ownership
