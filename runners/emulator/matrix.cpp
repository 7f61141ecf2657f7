// MFMA and SMFMAC: operands gathered from lanes, one product, D scattered to lanes. EXEC is ignored. [CDNA3
// ISA 7, CDNA4 ISA 7]
#include "runners/emulator/exec.hpp"
#include "runners/emulator/fault.hpp"
#include "runners/emulator/matrix_operands.hpp"
#include "runners/emulator/matrix_product.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace cts::emulator {
namespace {

using Kind = MatrixRow::Kind;

/// E8M0 exponents of a scale operand, for each row or column `i` and 32-block `s` of K. A VGPR gives the byte
/// that OPSEL chooses, in lane i + M*s; other operands their bits 30:23. [CDNA4 ISA 7.2; LLVM pull request
/// 158117]
void gather_scales(const Exec& x, const Op& op, unsigned which, std::uint8_t (&scales)[32][4]) {
  const MatrixRow& r = matrix_row(op);
  const Source& source = op.src[3 + which];
  const unsigned chooser = planted(Fault::scale_byte_of_a_for_both) ? 0 : which;
  const unsigned byte = planted(Fault::scale_byte_ignored)
                            ? 0
                            : ((op.mods.op_sel >> chooser) & 1u) | ((op.mods.op_sel_hi >> chooser) & 1u) << 1;
  const unsigned other_row = planted(Fault::scale_of_other_row) ? 1 : 0,
                 low_bit = planted(Fault::scale_read_as_float) ? 23 : 8 * byte;
  for (unsigned s = 0; s < r.k / 32u; ++s)
    for (unsigned i = 0; i < r.m; ++i) {
      if (r.kind != Kind::scaled || planted(Fault::scale_ignored))
        scales[i][s] = 127;
      else if (source.kind == Source::Kind::vector)
        scales[i][s] =
            static_cast<std::uint8_t>(x.w.vgpr[source.first][(i ^ other_row) + r.m * s] >> low_bit);
      else
        scales[i][s] = static_cast<std::uint8_t>(
            (source.kind == Source::Kind::scalar ? x.w.sgpr[source.first] : source.bits32) >> 23);
      if (scales[i][s] == 0 && planted(Fault::scale_zero_is_one)) scales[i][s] = 127;
    }
}

/// Where the planted fault mfma_last_k_dropped leaves out the last k: A has zeros there.
template <typename Raw> void drop_last_k(const MatrixRow& r, Raw* a) {
  for (unsigned row = 0; row < r.blocks * r.m; ++row) a[row * r.k + r.k - 1u] = 0;
}

/// Where the planted fault mfma_subnormals_flushed makes zeros of inputs with an exponent field of 0.
void flush_subnormals(Element e, std::uint32_t* elements, unsigned n) {
  const auto exponent_bits = [e]() -> std::uint32_t {
    switch (e) {
    case Element::f16: return 0x7c00;
    case Element::bf16: return 0x7f80;
    case Element::fp8: return 0x78;
    case Element::bf8: return 0x7c;
    case Element::fp6: return 0x18;
    case Element::bf6: return 0x1c;
    case Element::fp4: return 0x6;
    default: return 0x7f800000;
    }
  };
  for (unsigned i = 0; i < n; ++i)
    if ((elements[i] & exponent_bits()) == 0) elements[i] = 0;
}

/// What a planted fault makes of the F32 results.
void spoil_results(std::uint32_t* d, unsigned n) {
  if (planted(Fault::mfma_zero_sign_lost)) std::replace(d, d + n, 0x80000000u, 0u);
  if (planted(Fault::mfma_result_f16))
    for (unsigned i = 0; i < n; ++i)
      d[i] =
          std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<_Float16>(std::bit_cast<float>(d[i]))));
}

/// Infinities become the largest number of their sign. [CDNA3 ISA 7.3, MODE.FP16_OVFL]
void clamp_overflow(std::uint32_t* d, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    if ((d[i] & 0x7fffffffu) == 0x7f800000u) --d[i];
}

/// Flips the signs of all elements.
void negate(std::uint64_t* elements, unsigned n) {
  for (unsigned i = 0; i < n; ++i) elements[i] ^= 1ull << 63;
}

template <typename Raw> void transpose_blocks(const MatrixRow& r, Raw* d) {
  for (unsigned block = 0; block < r.blocks; ++block)
    for (unsigned i = 0; i < r.m; ++i)
      for (unsigned j = 0; j < i; ++j)
        std::swap(d[(block * r.m + i) * r.m + j], d[(block * r.m + j) * r.m + i]);
}

ProductShape shape_of(const Exec& x, const Op& op) {
  const MatrixRow& r = matrix_row(op);
  const bool other_encoding = planted(Fault::fp8_matrix_encoding_swapped);
  return {r.m,
          r.k,
          r.blocks,
          type_a(op),
          planted(Fault::f8f6f4_one_format) ? type_a(op) : type_b(op),
          other_encoding ? other_target(x.launch.target) : x.launch.target};
}

/// Elements of one instruction; D takes C's place.
template <typename Raw> struct Matrices {
  alignas(64) Raw a[most_elements], b[most_elements], d[most_elements];
};

template <typename Raw> void gather(const Exec& x, const Op& op, Matrices<Raw>& m) {
  gather_a(x, op, m.a);
  gather_b(x, op, m.b);
  gather_c(x, op, m.d);
  const MatrixRow& r = matrix_row(op);
  if (planted(Fault::mfma_c_ignored)) std::fill_n(m.d, r.m * r.m * r.blocks, Raw{0});
  if (planted(Fault::mfma_last_k_dropped)) drop_last_k(r, m.a);
}

template <typename Raw> void scatter(Exec& x, const Op& op, Matrices<Raw>& m) {
  if (planted(Fault::mfma_d_transposed)) transpose_blocks(matrix_row(op), m.d);
  scatter_d(x, op, m.d);
}

/// BLGP's bits negate A, B and C of an F64 instruction. [CDNA3 ISA 7.1.5]
void run_f64(Exec& x, const Op& op) {
  const MatrixRow& r = matrix_row(op);
  Matrices<std::uint64_t> m;
  gather(x, op, m);
  const unsigned negated = planted(Fault::mfma_f64_negation_ignored) ? 0 : op.mods.blgp;
  if ((negated & 1) != 0) negate(m.a, r.m * r.k * r.blocks);
  if ((negated & 2) != 0) negate(m.b, r.m * r.k * r.blocks);
  if ((negated & 4) != 0) negate(m.d, r.m * r.m * r.blocks);
  if (planted(Fault::mfma_f64_as_f32))
    for (std::uint64_t& bits : m.a)
      bits =
          std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(std::bit_cast<double>(bits))));
  multiply_f64(shape_of(x, op), m.a, m.b, m.d);
  if (planted(Fault::mfma_zero_sign_lost))
    std::replace(std::begin(m.d), std::end(m.d), std::uint64_t{1} << 63, std::uint64_t{0});
  scatter(x, op, m);
}

void run_i8(Exec& x, const Op& op) {
  Matrices<std::uint32_t> m;
  gather(x, op, m);
  const bool saturates = (x.w.mode & mode::fp16_ovfl) != 0 || planted(Fault::mfma_i8_saturated);
  multiply_i8(shape_of(x, op), saturates, m.a, m.b, m.d);
  scatter(x, op, m);
}

/// Everything that has an F32 result.
void run_float(Exec& x, const Op& op) {
  const MatrixRow& r = matrix_row(op);
  const ProductShape shape = shape_of(x, op);
  Matrices<std::uint32_t> m;
  gather(x, op, m);
  if (planted(Fault::mfma_subnormals_flushed)) {
    flush_subnormals(shape.a, m.a, r.m * r.k * r.blocks);
    flush_subnormals(shape.b, m.b, r.m * r.k * r.blocks);
  }
  if (r.a == Element::f32 || (r.a == Element::xf32 && planted(Fault::mfma_xf32_as_f32))) {
    constexpr std::uint32_t keep_input_subnormals = 0x10;
    multiply_f32(shape, (x.w.mode & keep_input_subnormals) == 0, m.a, m.b, m.d);
  } else if (r.a == Element::by_field) {
    BlockScales scales;
    const unsigned of_a = planted(Fault::scale_operands_swapped) ? 1 : 0;
    gather_scales(x, op, of_a, scales.a);
    gather_scales(x, op, 1 - of_a, scales.b);
    multiply_scaled(shape, scales, m.a, m.b, m.d);
  } else {
    const bool quarters = planted(Fault::mfma_four_blocks) && r.a == Element::f16 && r.m == 16 && r.k == 16;
    multiply_small_floats(shape, m.a, m.b, m.d, quarters);
  }
  if ((x.w.mode & mode::fp16_ovfl) != 0 || planted(Fault::mfma_overflow_clamped))
    clamp_overflow(m.d, r.m * r.m * r.blocks);
  spoil_results(m.d, r.m * r.m * r.blocks);
  scatter(x, op, m);
}

Handler handler_of(const MatrixRow& r) {
  return r.a == Element::f64 ? run_f64 : r.a == Element::i8 ? run_i8 : run_float;
}

void run_illegal(Exec& x, const Op& op) {
  stop(x, op, Stop::Kind::bad_code, -1,
       "a matrix operand has the wrong number of registers, or a field an illegal value, for this "
       "instruction");
}

/// Fills the matrix facts and the role of each register that is read; refuses operands that do not fit the
/// instruction.
void bind(Op& op, Target target) {
  const MatrixRow& r = matrix_row(op);
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

  bool fits = type_a(op) != Element::by_field && type_b(op) != Element::by_field;
  if (fits) {
    fits = op.src[0].count == registers_a(op) && op.src[1].count == registers_b(op) &&
           op.dst[0].count == registers_d(r);
    const Source& c = op.src[2];
    if (!sparse) fits = fits && (c.kind == Source::Kind::constant || c.count == registers_d(r));
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
                     .run = handler_of(all[n]),
                     .unit = Unit::mfma,
                     .results = 1,
                     .bind = bind,
                     .variant = static_cast<std::uint16_t>(n)});
  }
  return table;
}

} // namespace cts::emulator
