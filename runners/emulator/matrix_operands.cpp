#include "runners/emulator/matrix_operands.hpp"

#include "runners/emulator/fault.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace cts::emulator {
namespace {

using Kind = MatrixRow::Kind;

/// Format codes of CBSZ and BLGP. [CDNA4 ISA 7.2]
Element format(unsigned code) {
  constexpr Element formats[] = {Element::fp8, Element::bf8, Element::fp6, Element::bf6, Element::fp4};
  if (planted(Fault::fp6_formats_swapped) && (code == 2 || code == 3)) code ^= 1;
  return code < 5 ? formats[code] : Element::by_field;
}

/// How K runs over the items and lane groups of one operand: k = chunk*q + t mod chunk + chunk*groups*(t /
/// chunk).
struct KLayout {
  unsigned items = 0, chunk = 0, groups = 0;
  unsigned k(unsigned group, unsigned item) const {
    return chunk * group + item % chunk + chunk * groups * (item / chunk);
  }
};

KLayout layout(const MatrixRow& r, Element type, bool is_a) {
  const bool sparse = r.kind == Kind::sparse;
  KLayout l;
  l.groups = lanes / (r.m * r.blocks);
  l.items = (sparse && is_a ? r.k / 2u : r.k) / l.groups;
  l.chunk = l.items;
  // 8-bit data of F8F6F4 comes in two halves of 16; the wide sparse forms' B in chunks of 16 bytes. [CDNA4
  // ISA 7.1, 7.5 tables]
  if ((r.kind == Kind::f8f6f4 || r.kind == Kind::scaled) && bits_of(type) == 8 &&
      !planted(Fault::f8f6f4_k_contiguous))
    l.chunk = 16;
  if (sparse && !is_a && r.passes942 == 0 && !planted(Fault::sparse_b_contiguous))
    l.chunk = 128 / bits_of(type);
  return l;
}

unsigned registers_of(const KLayout& l, Element type) { return (l.items * bits_of(type) + 31) / 32; }

/// True when CBSZ makes lanes take A from other lanes, or BLGP does B.
bool broadcasts(const Op& op, bool is_a) {
  const MatrixRow& r = matrix_row(op);
  if (r.kind == Kind::sparse && planted(Fault::sparse_cbsz_broadcasts)) return is_a && op.mods.cbsz != 0;
  if (r.kind != Kind::dense || planted(Fault::mfma_broadcast_ignored)) return false;
  return is_a ? op.mods.cbsz != 0 : op.mods.blgp != 0 && r.a != Element::f64;
}

/// Source lane of A under CBSZ and ABID, and of B under BLGP. [CDNA3 ISA 7.1.4 and 7.1.5]
unsigned broadcast_a(const Op& op, unsigned lane) {
  const unsigned span = lanes >> op.mods.cbsz;
  return (lane % span + span * op.mods.abid) % lanes;
}
unsigned broadcast_b(const Op& op, unsigned lane) {
  switch (op.mods.blgp) {
  case 1: return lane % 32;
  case 2: return lane % 32 + 32;
  case 3: return (lane + 16) % 64;
  default: return lane % 16 + 16u * (op.mods.blgp - 4u);
  }
}

/// Calls put(t, bits) for each item of a lane's packed registers: `words[64 * r]` is register r.
template <unsigned width, typename Put> void unpack(const std::uint32_t* words, unsigned items, Put put) {
  if constexpr (width == 64) {
    for (unsigned t = 0; t < items; ++t)
      put(t, words[2 * t * lanes] | static_cast<std::uint64_t>(words[(2 * t + 1) * lanes]) << 32);
  } else if constexpr (32 % width == 0) {
    constexpr unsigned in_word = 32 / width;
    for (unsigned t = 0; t < items; t += in_word) {
      const std::uint32_t word = words[t / in_word * lanes];
      for (unsigned i = 0; i < in_word; ++i)
        put(t + i, static_cast<std::uint32_t>(word >> (i * width) & ((1ull << width) - 1)));
    }
  } else { // 6 bits: an item may lie across two registers
    for (unsigned t = 0; t < items; ++t) {
      const unsigned word = t * width / 32, shift = t * width % 32;
      std::uint64_t value = words[word * lanes];
      if (shift + width > 32) value |= static_cast<std::uint64_t>(words[(word + 1) * lanes]) << 32;
      put(t, static_cast<std::uint32_t>(value >> shift & ((1u << width) - 1)));
    }
  }
}

template <typename Raw, typename Put>
void unpack_as(unsigned width, const std::uint32_t* words, unsigned items, Put put) {
  if constexpr (sizeof(Raw) == 8)
    unpack<64>(words, items, put);
  else
    switch (width) {
    case 32: unpack<32>(words, items, put); break;
    case 16: unpack<16>(words, items, put); break;
    case 8: unpack<8>(words, items, put); break;
    case 6: unpack<6>(words, items, put); break;
    default: unpack<4>(words, items, put); break;
    }
}

/// Distances between elements that are neighbours in block, row (of A; column of B) and k.
struct Strides {
  unsigned block, row, k;
};

/// A planted fault's lane 63 holds zeros.
constexpr std::uint32_t no_registers[8 * lanes] = {};

/// Where items land in a dense operand: item t of a lane goes `of_item[t]` after the lane's first element.
struct Places {
  std::array<unsigned, lanes> of_item{};
  unsigned group = 0; ///< distance between lane groups
};

Places places(const KLayout& l, const Strides& s, bool is_a, unsigned width) {
  Places p;
  p.group = l.chunk * s.k;
  const bool neighbours = is_a && (width == 16 ? planted(Fault::mfma_input_halves_swapped)
                                               : planted(Fault::mfma_neighbour_items_swapped));
  const unsigned swapped =
      l.items > 1 && (neighbours || (width == 4 && planted(Fault::fp4_nibbles_swapped))) ? 1 : 0;
  for (unsigned t = 0; t < l.items; ++t) p.of_item[t ^ swapped] = l.k(0, t) * s.k;
  if (is_a && planted(Fault::mfma_a_transposed)) {
    p.group = s.k;
    for (unsigned t = 0; t < l.items; ++t) p.of_item[t ^ swapped] = t * l.groups * s.k;
  }
  return p;
}

/// Goes through the lanes: f(registers of the lane that it takes its items from, that lane, its block, row
/// and group).
template <typename F> void each_source_lane(const Exec& x, const Op& op, bool is_a, F f) {
  const MatrixRow& r = matrix_row(op);
  const unsigned first = op.src[is_a ? 0 : 1].first;
  const bool moved = broadcasts(op, is_a), drops = planted(Fault::mfma_lane_dropped);
  const unsigned mispaired = is_a && planted(Fault::mfma_lane_groups_mispaired) ? r.m * r.blocks % lanes : 0u;
  unsigned lane = 0;
  for (unsigned group = 0; lane < lanes; ++group)
    for (unsigned block = 0; block < r.blocks; ++block)
      for (unsigned row = 0; row < r.m; ++row, ++lane) {
        const unsigned from = (!moved ? lane
                               : is_a ? broadcast_a(op, lane)
                                      : broadcast_b(op, lane)) ^
                              mispaired;
        f(from == 63 && drops ? no_registers : &x.w.vgpr[first][from], from, block, row, group);
      }
}

template <typename Raw>
void gather_dense(const Exec& x, const Op& op, bool is_a, Element type, const Strides& s, Raw* elements) {
  const KLayout l = layout(matrix_row(op), type, is_a);
  const unsigned width = bits_of(type);
  const Places p = places(l, s, is_a, width);
  each_source_lane(
      x, op, is_a, [&](const std::uint32_t* words, unsigned, unsigned block, unsigned row, unsigned group) {
        Raw* to = elements + block * s.block + row * s.row + group * p.group;
        unpack_as<Raw>(width, words, l.items, [&](unsigned t, Raw bits) { to[p.of_item[t]] = bits; });
      });
}

/// A of SMFMAC: of each four k two are there, the index says which. Index bits are 2 for each item, the set
/// chosen by ABID where more than one fits and CBSZ is 0. [CDNA4 ISA 7.5]
void gather_sparse_a(const Exec& x, const Op& op, std::uint32_t* elements) {
  const MatrixRow& r = matrix_row(op);
  const unsigned width = bits_of(r.a);
  const KLayout l = layout(r, r.a, true);
  const unsigned index_bits = 2 * l.items, sets = 32 / index_bits;
  const unsigned set =
      op.mods.cbsz == 0 && !planted(Fault::sparse_index_set_ignored) ? op.mods.abid % sets : 0;
  const unsigned swapped = width == 16 && planted(Fault::mfma_input_halves_swapped) ? 1 : 0;
  const bool ignored = planted(Fault::sparse_index_ignored), along_m = planted(Fault::sparse_groups_along_m);
  const unsigned other = planted(Fault::sparse_pair_swapped) ? 1 : 0,
                 neighbour = planted(Fault::sparse_index_of_neighbour) ? 1 : 0;
  std::fill_n(elements, r.m * r.k * r.blocks, 0u);
  each_source_lane(
      x, op, true,
      [&](const std::uint32_t* words, unsigned from, unsigned block, unsigned row, unsigned group) {
        const std::uint32_t index = x.w.vgpr[op.src[2].first][from ^ neighbour];
        std::uint32_t* to = elements + (block * r.m + row) * r.k;
        unpack_as<std::uint32_t>(width, words, l.items, [&](unsigned t, std::uint32_t bits) {
          const unsigned item = t ^ swapped;
          const unsigned position = ignored ? item % 2 : index >> (set * index_bits + 2 * (item ^ other)) & 3;
          const unsigned four = 4 * (l.k(group, item) / 2);
          if (along_m) // the position is one of four rows in place of one of four k
            elements[(block * r.m + row - row % 4 + position) * r.k + four + row % 4] = bits;
          else
            to[four + position] = bits;
        });
      });
}

unsigned d_items(const MatrixRow& m) { return m.m * m.m * m.blocks / lanes; }

/// Row of D, over all blocks, that register (or 64-bit item) `r` of the lanes m*q .. m*q + m - 1 holds; their
/// column is lane mod m. [CDNA3 ISA 7.1.3]
unsigned d_row(const MatrixRow& row, unsigned r, unsigned q) {
  if (row.d == Element::f64) {
    if (planted(Fault::mfma_f64_rows_consecutive)) return row.m == 16 ? 4 * q + r : q;
    return row.m == 16 ? 4 * r + q : q % 4 * 4 + q / 4;
  }
  if (row.m == 4) return q * 4 + r;
  if (planted(Fault::mfma_d_blocks_interleaved))
    r = r % row.blocks * (d_items(row) / row.blocks) + r / row.blocks;
  if (row.m == 16) return r / 4 * 16 + 4 * q + r % 4;
  if (planted(Fault::mfma_d_32_rows_contiguous)) return r / 16 * 32 + 16 * q + r % 16;
  return r / 16 * 32 + 8 * (r % 16 / 4) + 4 * q + r % 4;
}

/// The planted fault sparse_d_rows_strided: rows go round the lane groups, register by register.
unsigned d_row_strided(const MatrixRow& row, unsigned r, unsigned q) { return r * (lanes / row.m) + q; }

/// Calls f(first column of a row of D in `elements`, item, first lane) for each run of m lanes.
template <typename Raw, typename F> void each_d_row(const MatrixRow& row, Raw* elements, F f) {
  for (unsigned r = 0; r < d_items(row); ++r)
    for (unsigned q = 0; q < lanes / row.m; ++q) f(elements + d_row(row, r, q) * row.m, r, q * row.m);
}

} // namespace

const MatrixRow& matrix_row(const Op& op) { return matrix_rows()[op.variant]; }

Element type_a(const Op& op) {
  const Element a = matrix_row(op).a;
  return a == Element::by_field ? format(op.mods.cbsz) : a;
}
Element type_b(const Op& op) {
  const Element b = matrix_row(op).b;
  return b == Element::by_field ? format(op.mods.blgp) : b;
}

unsigned registers_a(const Op& op) {
  return registers_of(layout(matrix_row(op), type_a(op), true), type_a(op));
}
unsigned registers_b(const Op& op) {
  return registers_of(layout(matrix_row(op), type_b(op), false), type_b(op));
}
unsigned registers_d(const MatrixRow& row) { return d_items(row) * (row.d == Element::f64 ? 2 : 1); }

template <typename Raw> void gather_a(const Exec& x, const Op& op, Raw* elements) {
  const MatrixRow& r = matrix_row(op);
  if constexpr (sizeof(Raw) == 4)
    if (r.kind == Kind::sparse) return gather_sparse_a(x, op, elements);
  gather_dense(x, op, true, type_a(op), {r.m * r.k * 1u, r.k, 1}, elements);
}

template <typename Raw> void gather_b(const Exec& x, const Op& op, Raw* elements) {
  const MatrixRow& r = matrix_row(op);
  gather_dense(x, op, false, type_b(op), {r.m * r.k * 1u, 1, r.m}, elements);
}

template <typename Raw> void gather_c(const Exec& x, const Op& op, Raw* elements) {
  const MatrixRow& row = matrix_row(op);
  const Source& c = row.kind == Kind::sparse ? op.dst[0] : op.src[2];
  if (c.kind == Source::Kind::constant) {
    const auto bits = static_cast<Raw>(sizeof(Raw) == 8 ? c.bits_f64 : c.bits32);
    std::fill_n(elements, row.m * row.m * row.blocks, bits);
    return;
  }
  const unsigned wrong = c.first >= first_agpr && planted(Fault::mfma_acc_c_from_vgprs) ? first_agpr : 0;
  const unsigned first = c.first - wrong;
  each_d_row(row, elements, [&](Raw* to, unsigned r, unsigned lane) {
    if constexpr (sizeof(Raw) == 8)
      for (unsigned j = 0; j < row.m; ++j)
        to[j] = x.w.vgpr[first + 2 * r][lane + j] |
                static_cast<std::uint64_t>(x.w.vgpr[first + 2 * r + 1][lane + j]) << 32;
    else
      std::memcpy(to, &x.w.vgpr[first + r][lane], row.m * sizeof(Raw));
  });
}

/// The planted fault mfma_broadcast_moves_a: A's registers hold afterwards what each lane read.
void move_a(Exec& x, const Op& op) {
  for (unsigned r = 0; r < op.src[0].count; ++r) {
    auto& a = x.w.vgpr[op.src[0].first + r];
    std::array<std::uint32_t, lanes> read{};
    for (unsigned lane = 0; lane < lanes; ++lane) read[lane] = a[broadcast_a(op, lane)];
    std::ranges::copy(read, std::begin(a));
  }
}

template <typename Raw> void scatter_d(Exec& x, const Op& op, const Raw* elements) {
  const MatrixRow& row = matrix_row(op);
  const unsigned first = op.dst[0].first;
  const unsigned missing = planted(Fault::mfma_result_early) ? d_items(row) / 2 : 0;
  const bool strided = row.kind == Kind::sparse && planted(Fault::sparse_d_rows_strided);
  each_d_row(row, elements, [&](const Raw* from, unsigned r, unsigned lane) {
    if (r < missing) return;
    if (strided) from = elements + d_row_strided(row, r, lane / row.m) * row.m;
    if constexpr (sizeof(Raw) == 8)
      for (unsigned j = 0; j < row.m; ++j) {
        x.w.vgpr[first + 2 * r][lane + j] = static_cast<std::uint32_t>(from[j]);
        x.w.vgpr[first + 2 * r + 1][lane + j] = static_cast<std::uint32_t>(from[j] >> 32);
      }
    else
      std::memcpy(&x.w.vgpr[first + r][lane], from, row.m * sizeof(Raw));
  });
  if (planted(Fault::mfma_broadcast_moves_a) && broadcasts(op, true)) move_a(x, op);
}

template void gather_a(const Exec&, const Op&, std::uint32_t*);
template void gather_a(const Exec&, const Op&, std::uint64_t*);
template void gather_b(const Exec&, const Op&, std::uint32_t*);
template void gather_b(const Exec&, const Op&, std::uint64_t*);
template void gather_c(const Exec&, const Op&, std::uint32_t*);
template void gather_c(const Exec&, const Op&, std::uint64_t*);
template void scatter_d(Exec&, const Op&, const std::uint32_t*);
template void scatter_d(Exec&, const Op&, const std::uint64_t*);

} // namespace cts::emulator
