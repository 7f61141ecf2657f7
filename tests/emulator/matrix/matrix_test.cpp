// Every matrix instruction that the assembler has for a target: products of small numbers, exact in any order
// of summation, against sums over the elements where the ISA says they are.
#include "common/error.hpp"
#include "runners/emulator/instruction_list.hpp"
#include "tests/emulator/matrix/matrix_shape.hpp"
#include "tests/emulator/support/instruction_bench.hpp"

#include <array>
#include <bit>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace cts::emulator::testing {
namespace {

// Registers: D v[192:223], A v[0:..], B v[32:..], C v[64:95], index or scales v128 and v129.
constexpr unsigned d_first = 192, a_first = 0, b_first = 32, c_first = 64, extra = 128;

/// Operands of one product.
struct Product {
  Shape shape;
  unsigned rows, k, blocks;
  std::vector<double> a, b, c, d; ///< [block][i][k], [block][k][j], [block][i][j]

  explicit Product(const Shape& s)
      : shape(s), rows(s.m), k(s.k), blocks(s.blocks), a(blocks * rows * k), b(a.size()),
        c(blocks * rows * rows), d(c.size()) {}

  double& a_at(unsigned block, unsigned i, unsigned t) { return a[(block * rows + i) * k + t]; }
  double& b_at(unsigned block, unsigned t, unsigned j) { return b[(block * k + t) * rows + j]; }
  std::size_t at(unsigned block, unsigned i, unsigned j) const { return (block * rows + i) * rows + j; }
};

/// What a case adds to the instruction's text, and what that means.
struct Variant {
  std::string modifiers{};
  unsigned broadcast = 0, from = 0;          ///< CBSZ and ABID: blocks share the A of one
  double sign_a = 1, sign_b = 1, sign_c = 1; ///< neg of an F64 MFMA
  unsigned index_set = 0;                    ///< of a sparse one, by ABID
  std::array<unsigned, 2> scale_byte{};      ///< of a scaled one, by OP_SEL
  bool constant_c = false;                   ///< C is the inline constant 1.0, or 1
};

class Case {
public:
  Case(InstructionBench& bench, const Shape& shape, const Variant& variant, Target target, std::uint64_t seed)
      : w_(bench.wave()), p_(shape), v_(variant), target_(target), random_(seed) {}

  /// Fills the registers and works out D.
  void stage() {
    clear();
    for (unsigned r = 0; r < 256; ++r)
      for (unsigned l = 0; l < lanes; ++l) w_.vgpr[r][l] = 0xdead0000 + (r << 8) + l;
    for (double& value : p_.a) value = small();
    for (double& value : p_.b) value = small();
    for (double& value : p_.c) value = v_.constant_c ? 1 : static_cast<int>(random_() % 2001) - 1000;
    const Shape& s = p_.shape;
    if (s.sparse)
      stage_sparse();
    else
      each(p_.blocks, p_.rows, p_.k, [&](unsigned b, unsigned i, unsigned k) {
        put(a_first, s.a, a_slot(s, b, i, k), p_.a_at(b, i, k));
      });
    each(p_.blocks, p_.k, p_.rows, [&](unsigned b, unsigned k, unsigned j) {
      put(b_first, s.b, b_slot(s, b, k, j), p_.b_at(b, k, j));
    });
    const unsigned c_at = s.sparse ? d_first : c_first;
    each(p_.blocks, p_.rows, p_.rows, [&](unsigned b, unsigned i, unsigned j) {
      put(c_at, s.d, d_slot(s, b, i, j), p_.c[p_.at(b, i, j)]);
    });
    if (s.scaled) stage_scales();
    multiply();
  }

  /// The first element of D that differs, or nothing.
  std::string difference() const {
    const Shape& s = p_.shape;
    for (unsigned b = 0; b < p_.blocks; ++b)
      for (unsigned i = 0; i < p_.rows; ++i)
        for (unsigned j = 0; j < p_.rows; ++j) {
          const Slot slot = d_slot(s, b, i, j);
          const unsigned words = bits_of(s.d) / 32, r = d_first + slot.item * words;
          const std::uint64_t got =
              w_.vgpr[r][slot.lane] |
              (words > 1 ? static_cast<std::uint64_t>(w_.vgpr[r + 1][slot.lane]) << 32 : 0);
          const std::uint64_t want = encoded(s.d, p_.d[p_.at(b, i, j)], target_);
          if (got != want)
            return fmt::format("D[{}][{}][{}] in v{} lane {}: expected {:x} ({}), got {:x}", b, i, j, r,
                               slot.lane, want, p_.d[p_.at(b, i, j)], got);
        }
    return {};
  }

private:
  template <class F> static void each(unsigned a, unsigned b, unsigned c, F f) {
    for (unsigned x = 0; x < a; ++x)
      for (unsigned y = 0; y < b; ++y)
        for (unsigned z = 0; z < c; ++z) f(x, y, z);
  }

  double small() { return static_cast<int>(random_() % 7) - 3; }

  void clear() {
    for (unsigned r = 0; r < 256; ++r) std::fill_n(w_.vgpr[r], lanes, 0u);
  }

  /// Item `slot` of the operand from register `first` on.
  void put(unsigned first, Type type, Slot slot, double value) {
    const unsigned bits = bits_of(type);
    const std::uint64_t raw = encoded(type, value, target_);
    for (unsigned n = 0; n < bits; ++n) {
      const unsigned at = slot.item * bits + n;
      std::uint32_t& word = w_.vgpr[first + at / 32][slot.lane];
      word = (word & ~(1u << (at % 32))) | static_cast<std::uint32_t>(raw >> n & 1) << (at % 32);
    }
  }

  /// Of every four k of a row of A two are kept, and the index says which. The nibble of items 2u and 2u + 1
  /// is in the lane of the items. [CDNA3 ISA 7.4, CDNA4 ISA 7.5]
  void stage_sparse() {
    const Shape& s = p_.shape;
    for (unsigned l = 0; l < lanes; ++l) w_.vgpr[extra][l] = 0x44444444; // 0 and 1: a legal pair
    for (unsigned i = 0; i < p_.rows; ++i)
      for (unsigned group = 0; group < p_.k / 4; ++group) {
        const unsigned first = static_cast<unsigned>(random_() % 3),
                       second = first + 1 + static_cast<unsigned>(random_() % (3 - first));
        for (unsigned n = 0; n < 4; ++n)
          if (n != first && n != second) p_.a_at(0, i, 4 * group + n) = 0;
        for (unsigned n = 0; n < 2; ++n)
          put(a_first, s.a, a_slot(s, 0, i, 2 * group + n),
              p_.a_at(0, i, 4 * group + (n == 0 ? first : second)));
        const Slot slot = a_slot(s, 0, i, 2 * group);
        const unsigned shift = v_.index_set * 2 * a_items(s) + 2 * slot.item;
        std::uint32_t& index = w_.vgpr[extra][slot.lane];
        index = (index & ~(15u << shift)) | (first | second << 2) << shift;
      }
  }

  /// One byte a row and 32 k, 2^(byte - 127): block n of row i is in lane i + M * n. [CDNA4 ISA 7.2]
  void stage_scales() {
    for (unsigned operand = 0; operand < 2; ++operand)
      for (unsigned line = 0; line < p_.rows; ++line)
        for (unsigned n = 0; n < p_.k / 32; ++n) {
          const unsigned exponent = 125 + static_cast<unsigned>(random_() % 5),
                         shift = 8 * v_.scale_byte[operand];
          std::uint32_t& word = w_.vgpr[extra + operand][line + p_.rows * n];
          word = (word & ~(255u << shift)) | exponent << shift;
          scale_[operand][line][n] = std::exp2(static_cast<int>(exponent) - 127);
        }
  }

  void multiply() {
    for (unsigned b = 0; b < p_.blocks; ++b) {
      const unsigned distinct = p_.blocks >> v_.broadcast; // [CDNA3 ISA 7.1.5]
      const unsigned a_block = b % distinct + distinct * v_.from;
      for (unsigned i = 0; i < p_.rows; ++i)
        for (unsigned j = 0; j < p_.rows; ++j) {
          double sum = v_.sign_c * p_.c[p_.at(b, i, j)];
          for (unsigned k = 0; k < p_.k; ++k) {
            const double scale = p_.shape.scaled ? scale_[0][i][k / 32] * scale_[1][j][k / 32] : 1;
            sum += scale * v_.sign_a * p_.a_at(a_block, i, k) * v_.sign_b * p_.b_at(b, k, j);
          }
          p_.d[p_.at(b, i, j)] = sum;
        }
    }
  }

  Wave& w_;
  Product p_;
  const Variant& v_;
  Target target_;
  std::mt19937_64 random_;
  double scale_[2][32][4] = {};
};

std::string tuple(unsigned first, unsigned bits) {
  const unsigned count = (bits + 31) / 32;
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

std::string text_of(const std::string& mnemonic, const Shape& s, const Variant& v) {
  const std::string d = tuple(d_first, d_items(s) * bits_of(s.d));
  std::string text = fmt::format("{} {}, {}, {}", mnemonic, d, tuple(a_first, a_items(s) * bits_of(s.a)),
                                 tuple(b_first, b_items(s) * bits_of(s.b)));
  text += s.sparse       ? fmt::format(", v{}", extra)
          : v.constant_c ? (s.d == Type::i32 ? std::string(", 1") : std::string(", 1.0"))
                         : ", " + tuple(c_first, d_items(s) * bits_of(s.d));
  if (s.scaled) text += fmt::format(", v{}, v{}", extra, extra + 1);
  return text + " " + v.modifiers;
}

/// The variants of a shape: plain, C a constant, and what its family can do besides.
std::vector<Variant> variants(const Shape& s) {
  std::vector<Variant> all{{}};
  if (!s.sparse) all.push_back({.constant_c = true});
  if (s.blocks > 1 && s.a != Type::f64) {
    const auto log = static_cast<unsigned>(std::countr_zero(s.blocks));
    all.push_back({.modifiers = fmt::format("cbsz:{} abid:{}", log, s.blocks - 1),
                   .broadcast = log,
                   .from = s.blocks - 1});
    all.push_back({.modifiers = "cbsz:1 abid:1", .broadcast = 1, .from = 1});
  }
  if (s.d == Type::f64) {
    all.push_back({.modifiers = "neg:[1,0,0]", .sign_a = -1});
    all.push_back({.modifiers = "neg:[0,1,1]", .sign_b = -1, .sign_c = -1});
  }
  if (s.sparse) // as many sets of index bits as fit
    for (unsigned set = 1; set < 32 / (2 * a_items(s)); ++set)
      all.push_back({.modifiers = fmt::format("abid:{}", set), .index_set = set});
  return all;
}

/// F8F6F4 in its 25 pairs of formats; scaled ones with each byte of the scales.
std::vector<std::pair<Shape, Variant>> by_field(const Shape& shape) {
  constexpr Type types[] = {Type::fp8, Type::bf8, Type::fp6, Type::bf6, Type::fp4};
  std::vector<std::pair<Shape, Variant>> all;
  for (unsigned a = 0; a < 5; ++a)
    for (unsigned b = 0; b < 5; ++b) {
      Shape s = shape;
      s.a = types[a], s.b = types[b];
      const std::string formats = fmt::format("cbsz:{} blgp:{}", a, b);
      Variant v{.modifiers = formats};
      if (s.scaled) {
        v.scale_byte = {(a + b) % 4, (a + 2 * b) % 4};
        const auto bit = [&](unsigned operand, unsigned n) { return v.scale_byte[operand] >> n & 1; };
        v.modifiers = fmt::format("op_sel:[{},{},0] op_sel_hi:[{},{},0] {}", bit(0, 0), bit(1, 0), bit(0, 1),
                                  bit(1, 1), formats);
      }
      all.emplace_back(s, v);
    }
  return all;
}

class Matrix : public ::testing::TestWithParam<Target> {};

TEST_P(Matrix, ExactProducts) {
  const Target target = GetParam();
  std::vector<std::string> lines;
  std::vector<std::pair<Shape, Variant>> cases;
  for (const ListedInstruction& i : list_instructions(target, codeobject::find_tools())) {
    if (!i.mnemonic.starts_with("v_mfma_") && !i.mnemonic.starts_with("v_smfmac_")) continue;
    if (i.mnemonic.find("_ld_scale") != std::string::npos) continue;
    const Shape shape = shape_of(i.mnemonic);
    const auto add = [&](const Shape& s, const Variant& v) {
      lines.push_back(text_of(i.mnemonic, s, v));
      cases.emplace_back(s, v);
    };
    if (shape.by_field)
      for (const auto& [s, v] : by_field(shape)) add(s, v);
    else
      for (const Variant& v : variants(shape)) add(shape, v);
  }
  ASSERT_GT(cases.size(), 50u);
  InstructionBench bench(target, lines);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    Case c(bench, cases[n].first, cases[n].second, target, n + 1);
    c.stage();
    bench.wave().set_exec(n % 2 == 0 ? ~0ull : 0x1234); // EXEC has no say [CDNA3 ISA 7.1]
    try {
      bench.run(n);
    } catch (const Error& e) {
      ADD_FAILURE() << lines[n] << ": " << e.what();
      continue;
    }
    if (const std::string d = c.difference(); !d.empty())
      ADD_FAILURE() << lines[n] << " on " << name(target) << ": " << d;
  }
}

INSTANTIATE_TEST_SUITE_P(, Matrix, ::testing::ValuesIn(all_targets),
                         [](const auto& info) { return std::string(name(info.param)); });

} // namespace
} // namespace cts::emulator::testing
