// MFMA and SMFMAC: operands gathered from lanes, one product, D scattered to lanes. EXEC is ignored. [CDNA3
// ISA 7, CDNA4 ISA 7]
//
// Written from the registers' side: what lane L holds in item t (the reference goes from the element's side).
//   A, lane L:  row = L mod M, block = L/M mod B, lane group q = L/(M*B), item t is K index  chunk*q + t
//   (chunk = items) D, 16x16:   register r of lane L is row 4*(L/16) + r, column L mod 16
#include "runners/emulator/exec.hpp"
#include "runners/emulator/fault.hpp"
#include "runners/emulator/matrix_numbers.hpp"
#include "runners/emulator/matrix_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace cts::emulator {
namespace {

using Kind = MatrixRow::Kind;

const MatrixRow& row(const Op& op) { return matrix_rows()[op.variant]; }

/// Format codes of CBSZ and BLGP. [CDNA4 ISA 7.2]
Element format(unsigned code) {
  constexpr Element formats[] = {Element::fp8, Element::bf8, Element::fp6, Element::bf6, Element::fp4};
  return code < 5 ? formats[code] : Element::by_field;
}
Element type_a(const Op& op) { return row(op).a == Element::by_field ? format(op.mods.cbsz) : row(op).a; }
Element type_b(const Op& op) { return row(op).b == Element::by_field ? format(op.mods.blgp) : row(op).b; }

/// How K runs over the items and lane groups of one operand: k = chunk*q + t mod chunk + chunk*groups*(t /
/// chunk).
struct KLayout {
  unsigned items = 0, chunk = 0, groups = 0;
  unsigned k(unsigned group, unsigned item) const {
    return chunk * group + item % chunk + chunk * groups * (item / chunk);
  }
};

KLayout layout(const MatrixRow& r, Element type, bool compressed, bool b_of_sparse) {
  KLayout l;
  l.groups = lanes / (r.m * r.blocks);
  const unsigned k = compressed ? r.k / 2u : r.k;
  l.items = k / l.groups;
  l.chunk = l.items;
  // 8-bit data of F8F6F4 comes in two halves of 16; the wide sparse forms' B in chunks of 16 bytes. [CDNA4
  // ISA 7.1, 7.5 tables]
  if ((r.kind == Kind::f8f6f4 || r.kind == Kind::scaled) && bits_of(type) == 8) l.chunk = 16;
  if (b_of_sparse && r.passes942 == 0) l.chunk = 128 / bits_of(type);
  return l;
}

/// Bits [low, low + width) of a lane's packed registers.
std::uint64_t item_bits(const Wave& w, unsigned first, unsigned lane, unsigned low, unsigned width) {
  const unsigned reg = first + low / 32, shift = low % 32;
  std::uint64_t value = w.vgpr[reg][lane];
  if (shift + width > 32) value |= static_cast<std::uint64_t>(w.vgpr[reg + 1][lane]) << 32;
  value >>= shift;
  return width == 64 ? value : value & ((1ull << width) - 1);
}

/// Source lane of A under CBSZ and ABID, and of B under BLGP. [CDNA3 ISA 7.1.4 and 7.1.5]
unsigned broadcast_a(const Op& op, unsigned lane) {
  if (row(op).kind != Kind::dense || op.mods.cbsz == 0) return lane;
  const unsigned span = lanes >> op.mods.cbsz;
  return (lane % span + span * op.mods.abid) % lanes;
}
unsigned broadcast_b(const Op& op, unsigned lane) {
  if (row(op).kind != Kind::dense || row(op).a == Element::f64) return lane;
  switch (op.mods.blgp) {
  case 1: return lane % 32;
  case 2: return lane % 32 + 32;
  case 3: return (lane + 16) % 64;
  case 4:
  case 5:
  case 6:
  case 7: return lane % 16 + 16u * (op.mods.blgp - 4u);
  default: return lane;
  }
}

/// Row, column and block of D register (or 64-bit item) r in a lane. [CDNA3 ISA 7.1.3]
struct DPlace {
  unsigned block, i, j;
};
DPlace d_place(const MatrixRow& m, unsigned lane, unsigned r) {
  if (m.d == Element::f64) {
    if (m.m == 16) return {0, 4 * r + lane / 16, lane % 16};
    return {(lane / 4) % 4, lane / 16, lane % 4};
  }
  if (m.m == 32) return {r / 16, 8 * ((r % 16) / 4) + 4 * (lane / 32) + r % 4, lane % 32};
  if (m.m == 16) return {r / 4, 4 * (lane / 16) + r % 4, lane % 16};
  return {lane / 4, r, lane % 4};
}

unsigned d_items(const MatrixRow& m) { return m.m * m.m * m.blocks / lanes; }

/// Element bits of A (block, i, k) and B (block, j, k), row-major in k.
struct Gathered {
  std::vector<std::uint64_t> bits;
  std::vector<std::uint8_t> present; ///< sparse A: which dense positions are kept
};

Gathered gather(const Exec& x, const Op& op, bool is_a) {
  const MatrixRow& r = row(op);
  const Element type = is_a ? type_a(op) : type_b(op);
  const bool sparse_a = is_a && r.kind == Kind::sparse;
  const KLayout l = layout(r, type, sparse_a, !is_a && r.kind == Kind::sparse);
  const Source& s = op.src[is_a ? 0 : 1];
  const unsigned width = bits_of(type);
  Gathered g;
  g.bits.assign(std::size_t{r.m} * r.k * r.blocks, 0);
  if (sparse_a) g.present.assign(g.bits.size(), 0);
  // Index bits of a sparse A: 2 for each item, the set chosen by ABID where more than one fits and CBSZ is 0.
  // [CDNA4 ISA 7.5]
  const unsigned index_bits = 2 * l.items;
  const unsigned sets = 32 / index_bits;
  const unsigned set = sparse_a && op.mods.cbsz == 0 ? op.mods.abid % sets : 0;
  const bool mispaired = is_a && planted(Fault::mfma_lane_groups_mispaired);
  const bool drops = planted(Fault::mfma_lane_dropped), no_broadcast = planted(Fault::mfma_broadcast_ignored);
  const unsigned swap_halves = is_a && width == 16 && planted(Fault::mfma_input_halves_swapped) ? 1 : 0;
  const bool transposed = is_a && !sparse_a && planted(Fault::mfma_a_transposed);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned i = lane % r.m, block = (lane / r.m) % r.blocks, group = lane / (r.m * r.blocks);
    unsigned from = no_broadcast ? lane : is_a ? broadcast_a(op, lane) : broadcast_b(op, lane);
    if (mispaired) from ^= r.m * r.blocks % lanes;
    const bool dropped = from == 63 && drops;
    for (unsigned t = 0; t < l.items; ++t) {
      const std::uint64_t raw = dropped ? 0 : item_bits(x.w, s.first, from, (t ^ swap_halves) * width, width);
      unsigned k = l.k(group, t);
      if (transposed) k = t * l.groups + group;
      if (sparse_a) {
        const unsigned position = (x.w.vgpr[op.src[2].first][from] >> (set * index_bits + 2 * t)) & 3;
        k = 4 * (k / 2) + position;
      }
      const std::size_t at = (std::size_t{block} * r.m + i) * r.k + k;
      g.bits[at] = raw;
      if (sparse_a) g.present[at] = 1;
    }
  }
  return g;
}

/// C of D's item r in a lane: registers, or one constant for all.
std::uint64_t c_bits(const Exec& x, const Op& op, unsigned lane, unsigned r) {
  const MatrixRow& m = row(op);
  const bool wide = m.d == Element::f64;
  if (m.kind == Kind::sparse) return x.w.vgpr[op.dst[0].first + r][lane];
  const Source& c = op.src[2];
  if (c.kind == Source::Kind::constant) return wide ? c.bits_f64 : c.bits32;
  return item_bits(x.w, c.first, lane, r * (wide ? 64 : 32), wide ? 64 : 32);
}

/// E8M0 exponent of a scale operand for row or column `i` and 32-block `s`: byte b is 2^(b - 127), 0xFF is
/// NaN. A VGPR gives the byte that OPSEL chooses; other operands their bits 30:23. [CDNA4 ISA 7.2; LLVM pull
/// request 158117]
unsigned scale_byte(const Exec& x, const Op& op, bool is_a, unsigned i, unsigned s) {
  const MatrixRow& r = row(op);
  if (r.kind != Kind::scaled) return 127;
  const Source& source = op.src[is_a ? 3 : 4];
  const unsigned which = is_a ? 0 : 1;
  const unsigned byte = ((op.mods.op_sel >> which) & 1u) | ((op.mods.op_sel_hi >> which) & 1u) << 1;
  if (source.kind == Source::Kind::vector) return (x.w.vgpr[source.first][i + r.m * s] >> (8 * byte)) & 0xff;
  const std::uint32_t raw = source.kind == Source::Kind::scalar ? x.w.sgpr[source.first] : source.bits32;
  return (raw >> 23) & 0xff;
}

float clamp_overflow(const Exec& x, float value) {
  if (std::isinf(value) && (x.w.mode & mode::fp16_ovfl) != 0)
    return std::copysign(std::numeric_limits<float>::max(), value);
  return value;
}

/// One product of a small-float or XF32 instruction, by the step model.
float fused_product(const Op& op, std::span<const Number> a, std::span<const Number> b, float acc) {
  const Element type = type_a(op);
  const auto group = group_size(type, static_cast<unsigned>(a.size()));
  const bool split = bits_of(type) == 8;
  for (std::size_t k = 0; k < a.size(); k += group)
    acc = fused_group(a.subspan(k, group), b.subspan(k, group), acc, split);
  return acc;
}

/// F8F6F4: each block of 32 products is summed exactly, scaled, and added to the accumulator with one
/// rounding. A NaN scale makes its block NaN. The stated model: nothing public says more. [docs/emulator.md]
float scaled_product(const Exec& x, const Op& op, std::span<const Number> a, std::span<const Number> b,
                     unsigned i, unsigned j, float acc) {
  for (unsigned s = 0; 32 * s < a.size(); ++s) {
    double sum = 0;
    for (unsigned k = 32 * s; k < 32 * s + 32; ++k) sum += a[k].value * b[k].value;
    const unsigned scale_a = scale_byte(x, op, true, i, s), scale_b = scale_byte(x, op, false, j, s);
    if (scale_a == 255 || scale_b == 255) sum = std::numeric_limits<double>::quiet_NaN();
    acc = static_cast<float>(static_cast<double>(acc) +
                             std::ldexp(sum, static_cast<int>(scale_a + scale_b) - 254));
  }
  return acc;
}

/// F32 inputs are flushed when MODE does not allow subnormal ones; C and D never are. [CDNA3 ISA 7.3]
float f32_input(const Exec& x, std::uint64_t raw) {
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(raw));
  const bool keep = (x.w.mode & 0x10) != 0;
  return !keep && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

std::uint64_t negate_if(std::uint64_t raw, bool negate) { return negate ? raw ^ (1ull << 63) : raw; }

/// All of D, block after block, row-major, as bits.
std::vector<std::uint64_t> product(const Exec& x, const Op& op, const Gathered& a, const Gathered& b,
                                   const std::vector<std::uint64_t>& c) {
  const MatrixRow& r = row(op);
  const std::size_t k_count = r.k;
  std::vector<Number> numbers_a, numbers_b;
  const bool decoded = r.a != Element::f64 && r.a != Element::f32 && r.a != Element::i8;
  if (decoded) {
    const auto convert = [&](const std::vector<std::uint64_t>& bits, Element type) {
      std::vector<Number> numbers(bits.size());
      for (std::size_t n = 0; n < bits.size(); ++n) numbers[n] = decode(type, x.launch.target, bits[n]);
      return numbers;
    };
    numbers_a = convert(a.bits, type_a(op));
    numbers_b = convert(b.bits, type_b(op));
    for (std::size_t n = 0; n < a.present.size(); ++n)
      if (a.present[n] == 0) numbers_a[n] = {};
  }
  const bool four_blocks = planted(Fault::mfma_four_blocks) && r.a == Element::f16 && r.m == 16 && r.k == 16;
  std::vector<std::uint64_t> d(c.size());
  for (unsigned block = 0; block < r.blocks; ++block)
    for (unsigned i = 0; i < r.m; ++i)
      for (unsigned j = 0; j < r.m; ++j) {
        const std::size_t at = (std::size_t{block} * r.m + i) * r.m + j;
        const std::size_t row_a = (std::size_t{block} * r.m + i) * k_count,
                          row_b = (std::size_t{block} * r.m + j) * k_count;
        if (decoded) {
          std::span<const Number> va(&numbers_a[row_a], k_count), vb(&numbers_b[row_b], k_count);
          if (four_blocks) {
            va = va.subspan(4 * (i / 4), 4);
            vb = vb.subspan(4 * (i / 4), 4);
          }
          const auto acc = std::bit_cast<float>(static_cast<std::uint32_t>(c[at]));
          const float sum = r.a == Element::by_field ? scaled_product(x, op, va, vb, i, j, acc)
                                                     : fused_product(op, va, vb, acc);
          d[at] = std::bit_cast<std::uint32_t>(clamp_overflow(x, sum));
        } else if (r.a == Element::f64) { // one fused multiply-add for each k, in order
          double acc = std::bit_cast<double>(negate_if(c[at], (op.mods.blgp & 4) != 0));
          for (std::size_t k = 0; k < k_count; ++k)
            acc = std::fma(std::bit_cast<double>(negate_if(a.bits[row_a + k], (op.mods.blgp & 1) != 0)),
                           std::bit_cast<double>(negate_if(b.bits[row_b + k], (op.mods.blgp & 2) != 0)), acc);
          d[at] = std::bit_cast<std::uint64_t>(acc);
        } else if (r.a == Element::f32) {
          auto acc = std::bit_cast<float>(static_cast<std::uint32_t>(c[at]));
          for (std::size_t k = 0; k < k_count; ++k)
            acc = std::fma(f32_input(x, a.bits[row_a + k]), f32_input(x, b.bits[row_b + k]), acc);
          d[at] = std::bit_cast<std::uint32_t>(clamp_overflow(x, acc));
        } else { // I8: exact, then wrapped, or saturated under FP16_OVFL [CDNA3 ISA 7.3]
          std::int64_t acc = static_cast<std::int32_t>(c[at]);
          for (std::size_t k = 0; k < k_count; ++k)
            acc += std::int64_t{static_cast<std::int8_t>(a.bits[row_a + k])} *
                   static_cast<std::int8_t>(b.bits[row_b + k]);
          if ((x.w.mode & mode::fp16_ovfl) != 0)
            acc = std::clamp<std::int64_t>(acc, std::numeric_limits<std::int32_t>::min(),
                                           std::numeric_limits<std::int32_t>::max());
          d[at] = static_cast<std::uint32_t>(acc);
        }
      }
  return d;
}

void run(Exec& x, const Op& op) {
  const MatrixRow& r = row(op);
  const Gathered a = gather(x, op, true), b = gather(x, op, false);
  const unsigned items = d_items(r), size = r.m;
  std::vector<std::uint64_t> c(std::size_t{size} * size * r.blocks);
  const auto index = [&](DPlace p) { return (std::size_t{p.block} * size + p.i) * size + p.j; };
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned t = 0; t < items; ++t) c[index(d_place(r, lane, t))] = c_bits(x, op, lane, t);
  const std::vector<std::uint64_t> d = product(x, op, a, b, c);

  const bool wide = r.d == Element::f64, transposed = planted(Fault::mfma_d_transposed);
  const unsigned first = planted(Fault::mfma_result_early) ? items / 2 : 0;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned t = first; t < items; ++t) {
      DPlace p = d_place(r, lane, t);
      if (transposed) std::swap(p.i, p.j);
      const std::uint64_t value = d[index(p)];
      if (!wide) {
        x.w.vgpr[op.dst[0].first + t][lane] = static_cast<std::uint32_t>(value);
        continue;
      }
      x.w.vgpr[op.dst[0].first + 2 * t][lane] = static_cast<std::uint32_t>(value);
      x.w.vgpr[op.dst[0].first + 2 * t + 1][lane] = static_cast<std::uint32_t>(value >> 32);
    }
}

void run_illegal(Exec& x, const Op& op) {
  stop(x, op, Stop::Kind::bad_code, -1,
       "a matrix operand has the wrong number of registers, or a field an illegal value, for this "
       "instruction");
}

unsigned registers_of(const KLayout& l, Element type) { return (l.items * bits_of(type) + 31) / 32; }

/// Fills the matrix facts and the role of each register that is read; refuses operands that do not fit the
/// instruction.
void bind(Op& op, Target target) {
  const MatrixRow& r = row(op);
  op.matrix.matrix = matrix_class(r);
  op.matrix.passes = static_cast<std::uint8_t>(passes(r, target, op.mods.cbsz, op.mods.blgp));
  op.reads.clear();
  const auto read = [&](const Source& s, Role role) {
    if (s.kind == Source::Kind::vector) op.reads.push_back({s.first, s.count, role});
  };
  const bool sparse = r.kind == Kind::sparse;
  read(op.src[0], Role::matrix_a);
  read(op.src[1], Role::matrix_b);
  read(sparse ? op.dst[0] : op.src[2], Role::matrix_c);
  if (sparse) read(op.src[2], Role::matrix_index);
  if (r.kind == Kind::scaled) {
    read(op.src[3], Role::matrix_scale);
    read(op.src[4], Role::matrix_scale);
  }

  const Element a = type_a(op), b = type_b(op);
  bool fits = a != Element::by_field && b != Element::by_field;
  if (fits) {
    const unsigned d_registers = d_items(r) * (r.d == Element::f64 ? 2 : 1);
    fits = op.src[0].count == registers_of(layout(r, a, sparse, false), a) &&
           op.src[1].count == registers_of(layout(r, b, false, sparse), b) && op.dst[0].count == d_registers;
    const Source& c = op.src[2];
    if (!sparse) fits = fits && (c.kind == Source::Kind::constant || c.count == d_registers);
  }
  const bool broadcasts = r.kind == Kind::dense && op.mods.cbsz != 0;
  if (broadcasts)
    fits =
        fits && op.mods.cbsz <= 4 && (1u << op.mods.cbsz) <= r.blocks && op.mods.abid < (1u << op.mods.cbsz);
  if (!fits) op.run = run_illegal;
}

} // namespace

std::vector<Semantics> matrix_semantics(Target target) {
  std::vector<Semantics> table;
  const auto all = matrix_rows();
  for (std::size_t n = 0; n < all.size(); ++n) {
    if ((target == Target::gfx942 ? all[n].passes942 : all[n].passes950) == 0) continue;
    table.push_back({.mnemonic = all[n].mnemonic,
                     .run = run,
                     .unit = Unit::mfma,
                     .results = 1,
                     .bind = bind,
                     .variant = static_cast<std::uint16_t>(n)});
  }
  return table;
}

} // namespace cts::emulator
