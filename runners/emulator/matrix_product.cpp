#include "runners/emulator/matrix_product.hpp"

#include "runners/emulator/fault.hpp"
#include "runners/emulator/float_bits.hpp"
#include "runners/emulator/matrix_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace cts::emulator {
namespace {

/// Elements as numbers: a float each (exact for every format here), and the exponent that the step model
/// gives it.
struct Decoded {
  alignas(64) float value[most_elements];
  alignas(64) std::int16_t exponent[most_elements];
};

/// Exponents that the fast path takes: no product or scale of two such numbers leaves F32's normal range.
constexpr int widest_exponent = 50;

float number_of(Element e, const float* codes, std::uint32_t raw) {
  switch (e) {
  case Element::f16: return widen(Half{static_cast<std::uint16_t>(raw)});
  case Element::bf16: return std::bit_cast<float>(raw << 16);
  case Element::xf32: return std::bit_cast<float>(raw & 0xffffe000u);
  default: return codes[raw];
  }
}

/// False when an element is no number, or too large or small for the fast path.
template <Element e>
bool decode_as(const float* codes, int lowest, const std::uint32_t* raw, unsigned n, Decoded& to) {
  constexpr std::uint32_t first = 127 - widest_exponent, fields = 2 * widest_exponent;
  std::uint32_t outside = 0;
  for (unsigned i = 0; i < n; ++i) {
    const float value = number_of(e, codes, raw[i]);
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
    const auto field = static_cast<int>(magnitude >> 23);
    const int exponent = std::max(field - 127, lowest);
    to.value[i] = value;
    to.exponent[i] = static_cast<std::int16_t>(magnitude == 0 ? -126 : exponent);
    outside |= static_cast<std::uint32_t>(magnitude != 0) &
               static_cast<std::uint32_t>(magnitude - (first << 23) > (fields << 23));
  }
  return outside == 0;
}

bool decode_all(Element e, Target target, const std::uint32_t* raw, unsigned n, Decoded& to) {
  switch (e) {
  case Element::f16: return decode_as<Element::f16>(nullptr, -14, raw, n, to);
  case Element::bf16: return decode_as<Element::bf16>(nullptr, -126, raw, n, to);
  case Element::xf32: return decode_as<Element::xf32>(nullptr, -126, raw, n, to);
  default: return decode_as<Element::fp8>(code_values(e, target), lowest_exponent(e, target), raw, n, to);
  }
}

/// Products of one group, for every column j of a row of D: the largest exponent, and the sum in units of
/// 2^-24 of it.
template <unsigned M> struct GroupSums {
  alignas(64) std::int32_t exponent[M];
  alignas(64) double sum[M];
};

/// Sums a[k] * B[k][j] over `count` k's from 0 in steps of `step`.
template <unsigned M>
void sum_products(const float* a, const std::int16_t* exponents_a, const float* b,
                  const std::int16_t* exponents_b, unsigned count, unsigned step, GroupSums<M>& out) {
  alignas(64) std::int16_t largest[M];
  std::fill_n(largest, M, std::numeric_limits<std::int16_t>::min());
  for (unsigned k = 0; k < count; k += step)
    for (unsigned j = 0; j < M; ++j)
      largest[j] = std::max(largest[j], static_cast<std::int16_t>(exponents_a[k] + exponents_b[k * M + j]));
  // A product of significands has 22 bits at most: exact in F32, and so is its product with a power of two.
  alignas(64) float unit[M];
  for (unsigned j = 0; j < M; ++j) {
    const int exponent = std::max<int>(largest[j], -2 * widest_exponent); // less: all products are zero
    unit[j] = std::bit_cast<float>(static_cast<std::uint32_t>(127 + 24 - exponent) << 23);
  }
  alignas(64) std::int32_t sum[M] = {};
  if (planted(Fault::mfma_products_rounded))
    for (unsigned k = 0; k < count; k += step)
      for (unsigned j = 0; j < M; ++j)
        sum[j] += static_cast<std::int32_t>(std::lrint(a[k] * b[k * M + j] * unit[j]));
  else
    for (unsigned k = 0; k < count; k += step)
      for (unsigned j = 0; j < M; ++j) sum[j] += static_cast<std::int32_t>(a[k] * b[k * M + j] * unit[j]);
  for (unsigned j = 0; j < M; ++j) {
    out.exponent[j] = largest[j];
    out.sum[j] = sum[j];
  }
}

/// `odd` joins `even`: both are aligned to the larger exponent, towards minus infinity.
template <unsigned M> void join(GroupSums<M>& even, const GroupSums<M>& odd) {
  for (unsigned j = 0; j < M; ++j) {
    const int largest = std::max(even.exponent[j], odd.exponent[j]);
    even.sum[j] = floored(even.sum[j] * power_of_two(even.exponent[j] - largest)) +
                  floored(odd.sum[j] * power_of_two(odd.exponent[j] - largest));
    even.exponent[j] = largest;
  }
}

/// acc[j] += products of a group, with one rounding each; an accumulator that is more than `reach` binary
/// places below the larger exponent does not count. matrix_numbers.hpp states the steps.
template <unsigned M> void add_group(const GroupSums<M>& products, int reach, float* acc) {
  alignas(64) double exact[M];
  for (unsigned j = 0; j < M; ++j) {
    const auto field = static_cast<int>(std::bit_cast<std::uint32_t>(acc[j]) >> 23 & 0xff);
    const int own = std::max(field, 1) - 127;
    const int exponent = std::max(products.exponent[j], own);
    const double sum = floored(products.sum[j] * power_of_two(7 + products.exponent[j] - exponent));
    const double addend = floored(acc[j] * power_of_two(24 - exponent));
    const double counted = own + reach >= exponent ? 128 * addend : 0.0;
    exact[j] = (sum + counted) * power_of_two(exponent - 31); // units of 2^-31
  }
  for (unsigned j = 0; j < M; ++j) acc[j] = static_cast<float>(exact[j]);
  if (planted(Fault::mfma_sum_truncated))
    for (unsigned j = 0; j < M; ++j) acc[j] = accumulated(exact[j]);
}

/// One row of D by groups of the step model.
template <unsigned M>
void add_row(const ProductShape& s, const Decoded& a, unsigned at_a, const Decoded& b, unsigned at_b,
             unsigned count, float* acc) {
  const bool split = bits_of(s.a) == 8;
  const unsigned group = group_size(s.a, count);
  GroupSums<M> sums, odd;
  for (unsigned k = 0; k < count; k += group) {
    const float *va = a.value + at_a + k, *vb = b.value + at_b + k * M;
    const std::int16_t *ea = a.exponent + at_a + k, *eb = b.exponent + at_b + k * M;
    sum_products<M>(va, ea, vb, eb, group, split ? 2 : 1, sums);
    if (split) {
      sum_products<M>(va + 1, ea + 1, vb + M, eb + M, group - 1, 2, odd);
      join(sums, odd);
    }
    add_group<M>(sums, split ? 25 : 1000, acc);
  }
}

/// Calls f(i, first element of row i of A, of the block of B, of row i of D) for every row of every block.
template <typename F> void each_row(const ProductShape& s, F f) {
  for (unsigned block = 0; block < s.blocks; ++block)
    for (unsigned i = 0; i < s.m; ++i)
      f(i, (block * s.m + i) * s.k, block * s.k * s.m, (block * s.m + i) * s.m);
}

/// The k's that take part in row i: all, or with the planted fault mfma_four_blocks those of its number.
struct KRange {
  unsigned first, count;
};
KRange k_range(const ProductShape& s, unsigned i, bool quarters) {
  return quarters ? KRange{4 * (i / 4), 4} : KRange{0, s.k};
}

/// By the plain statement of the model, for elements that the fast path does not take.
void multiply_plainly(const ProductShape& s, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* d,
                      bool quarters) {
  const unsigned n = s.blocks * s.m * s.k;
  std::vector<Number> rows(n), columns(n); // both with k running fastest
  for (unsigned at = 0; at < n; ++at) rows[at] = decode(s.a, s.target, a[at]);
  for (unsigned block = 0; block < s.blocks; ++block)
    for (unsigned k = 0; k < s.k; ++k)
      for (unsigned j = 0; j < s.m; ++j)
        columns[(block * s.m + j) * s.k + k] = decode(s.b, s.target, b[(block * s.k + k) * s.m + j]);
  each_row(s, [&](unsigned i, unsigned at_a, unsigned at_b, unsigned at_d) {
    const KRange range = k_range(s, i, quarters);
    const unsigned group = group_size(s.a, range.count);
    for (unsigned j = 0; j < s.m; ++j) {
      auto acc = std::bit_cast<float>(d[at_d + j]);
      for (unsigned k = range.first; k < range.first + range.count; k += group)
        acc = fused_group(std::span(rows).subspan(at_a + k, group),
                          std::span(columns).subspan(at_b + j * s.k + k, group), acc, bits_of(s.a) == 8);
      d[at_d + j] = std::bit_cast<std::uint32_t>(acc);
    }
  });
}

template <unsigned M>
void multiply_small_floats_of(const ProductShape& s, const std::uint32_t* a, const std::uint32_t* b,
                              std::uint32_t* d, bool quarters) {
  Decoded numbers_a, numbers_b;
  const unsigned n = s.blocks * M * s.k;
  if (!decode_all(s.a, s.target, a, n, numbers_a) || !decode_all(s.b, s.target, b, n, numbers_b))
    return multiply_plainly(s, a, b, d, quarters);
  each_row(s, [&](unsigned i, unsigned at_a, unsigned at_b, unsigned at_d) {
    float acc[M];
    for (unsigned j = 0; j < M; ++j) acc[j] = std::bit_cast<float>(d[at_d + j]);
    const KRange range = k_range(s, i, quarters);
    add_row<M>(s, numbers_a, at_a + range.first, numbers_b, at_b + range.first * M, range.count, acc);
    for (unsigned j = 0; j < M; ++j) d[at_d + j] = std::bit_cast<std::uint32_t>(acc[j]);
  });
}

/// Consecutive k that share a scale.
unsigned scale_block() {
  return planted(Fault::scale_block_16) ? 16 : planted(Fault::scale_block_64) ? 64 : 32;
}

/// What two scale bytes multiply by.
double scale_factor(unsigned a, unsigned b) {
  if (planted(Fault::scale_as_integer)) return a * b;
  if ((a == 255 || b == 255) && !planted(Fault::scale_nan_as_number))
    return std::numeric_limits<double>::quiet_NaN();
  return power_of_two(static_cast<int>(a + b) - 254);
}

template <unsigned M>
void multiply_scaled_of(const ProductShape& s, const BlockScales& scales, const std::uint32_t* a,
                        const std::uint32_t* b, std::uint32_t* d) {
  alignas(64) double values_b[most_elements];
  const unsigned block = scale_block();
  const float *codes_a = code_values(s.a, s.target), *codes_b = code_values(s.b, s.target);
  for (unsigned n = 0; n < M * s.k; ++n) values_b[n] = codes_b[b[n]];
  each_row(s, [&](unsigned i, unsigned at_a, unsigned, unsigned at_d) {
    for (unsigned part = 0; part < s.k / block; ++part) {
      alignas(64) double sum[M] = {};
      for (unsigned k = block * part; k < block * (part + 1); ++k) {
        const double x = codes_a[a[at_a + k]];
        for (unsigned j = 0; j < M; ++j) sum[j] += x * values_b[k * M + j];
      }
      for (unsigned j = 0; j < M; ++j) {
        const unsigned scale = part % (s.k / 32);
        const double scaled = sum[j] * scale_factor(scales.a[i][scale], scales.b[j][scale]);
        const auto acc = static_cast<double>(std::bit_cast<float>(d[at_d + j]));
        d[at_d + j] = std::bit_cast<std::uint32_t>(static_cast<float>(acc + scaled));
      }
    }
  });
}

} // namespace

void multiply_small_floats(const ProductShape& s, const std::uint32_t* a, const std::uint32_t* b,
                           std::uint32_t* d, bool quarters) {
  switch (s.m) {
  case 4: multiply_small_floats_of<4>(s, a, b, d, quarters); break;
  case 16: multiply_small_floats_of<16>(s, a, b, d, quarters); break;
  default: multiply_small_floats_of<32>(s, a, b, d, quarters); break;
  }
}

void multiply_scaled(const ProductShape& s, const BlockScales& scales, const std::uint32_t* a,
                     const std::uint32_t* b, std::uint32_t* d) {
  s.m == 16 ? multiply_scaled_of<16>(s, scales, a, b, d) : multiply_scaled_of<32>(s, scales, a, b, d);
}

void multiply_f32(const ProductShape& s, bool flush, const std::uint32_t* a, const std::uint32_t* b,
                  std::uint32_t* d) {
  const auto input = [flush](std::uint32_t bits) {
    return std::bit_cast<float>(flush ? flushed<float>(bits) : bits);
  };
  each_row(s, [&](unsigned, unsigned at_a, unsigned at_b, unsigned at_d) {
    for (unsigned k = 0; k < s.k; ++k)
      for (unsigned j = 0; j < s.m; ++j)
        d[at_d + j] = std::bit_cast<std::uint32_t>(
            std::fma(input(a[at_a + k]), input(b[at_b + k * s.m + j]), std::bit_cast<float>(d[at_d + j])));
  });
}

void multiply_f64(const ProductShape& s, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* d) {
  each_row(s, [&](unsigned, unsigned at_a, unsigned at_b, unsigned at_d) {
    for (unsigned k = 0; k < s.k; ++k)
      for (unsigned j = 0; j < s.m; ++j)
        d[at_d + j] = std::bit_cast<std::uint64_t>(std::fma(std::bit_cast<double>(a[at_a + k]),
                                                            std::bit_cast<double>(b[at_b + k * s.m + j]),
                                                            std::bit_cast<double>(d[at_d + j])));
  });
}

void multiply_i8(const ProductShape& s, bool saturate, const std::uint32_t* a, const std::uint32_t* b,
                 std::uint32_t* d) {
  using Limits = std::numeric_limits<std::int32_t>;
  each_row(s, [&](unsigned, unsigned at_a, unsigned at_b, unsigned at_d) {
    std::int32_t sum[32] = {}; // of 128 products at most
    for (unsigned k = 0; k < s.k; ++k)
      for (unsigned j = 0; j < s.m; ++j)
        sum[j] += static_cast<std::int8_t>(a[at_a + k]) * static_cast<std::int8_t>(b[at_b + k * s.m + j]);
    for (unsigned j = 0; j < s.m; ++j) {
      const std::int64_t exact = std::int64_t{static_cast<std::int32_t>(d[at_d + j])} + sum[j];
      d[at_d + j] = static_cast<std::uint32_t>(
          saturate ? std::clamp<std::int64_t>(exact, Limits::min(), Limits::max()) : exact);
    }
  });
}

} // namespace cts::emulator
