#include "tests/emulator/peer/cases.hpp"

#include "common/file.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <random>

namespace cts::peer {
namespace {

constexpr unsigned rows = 256, columns = 256, depth = 256; // M, N, K of all products
constexpr unsigned tile = 64, threads = 256, lanes = 64;

/// A binary floating-point type without its special values.
struct Format {
  int bytes, mantissa_bits, bias;

  unsigned code(bool negative, int exponent, unsigned mantissa) const {
    return unsigned{negative} << (8 * bytes - 1) | static_cast<unsigned>(exponent + bias) << mantissa_bits |
           mantissa;
  }
  /// Of a code that is zero or normal.
  double value(unsigned code) const {
    const unsigned sign = 1u << (8 * bytes - 1), exponent = (code & (sign - 1)) >> mantissa_bits;
    if (exponent == 0) return 0;
    const double significand = 1 + std::ldexp(code & ((1u << mantissa_bits) - 1), -mantissa_bits);
    return std::ldexp((code & sign) != 0 ? -significand : significand, static_cast<int>(exponent) - bias);
  }
};

constexpr Format fp16{2, 10, 15};
/// E4M3: OCP's, and on gfx942 the one with a bias of 8 ("FNUZ"). [CDNA3 ISA 7.2; CDNA4 ISA 7.3]
constexpr Format fp8(Target target) { return {1, 3, target == Target::gfx942 ? 8 : 7}; }

/// The bytes of a value, as memory holds them.
template <typename T> void append(std::string& bytes, T value) {
  const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  bytes.append(raw.data(), raw.size());
}

struct Matrix {
  std::string bytes;
  std::vector<double> values;
};

/// `lines` of `depth` items. Exact data have 4 or fewer bits behind the point and few exponents: a product is
/// a multiple of a unit and less than 2^16 units, so that 256 of them stay below 2^24.
Matrix lines_along_k(const Format& format, unsigned lines, bool exact, std::mt19937& random) {
  const int kept = exact ? std::min(4, format.mantissa_bits) : format.mantissa_bits;
  const int exponents = exact ? 8 - kept - (kept == 4) : 6;
  Matrix matrix;
  for (unsigned i = 0; i < lines * depth; ++i) {
    const unsigned bits = static_cast<unsigned>(random());
    const unsigned mantissa = (bits >> 8 & ((1u << kept) - 1)) << (format.mantissa_bits - kept);
    const int exponent = static_cast<int>(bits >> 24) % exponents - exponents / 2;
    const unsigned code = bits % 16 == 0 ? 0 : format.code((bits & 0x80) != 0, exponent, mantissa);
    for (int byte = 0; byte < format.bytes; ++byte)
      matrix.bytes.push_back(static_cast<char>(code >> (8 * byte)));
    matrix.values.push_back(format.value(code));
  }
  return matrix;
}

Case product(const std::string& kernel, const Format& format, bool exact) {
  std::mt19937 random(static_cast<unsigned>(format.bytes * 2 + exact));
  const Matrix a = lines_along_k(format, rows, exact, random);
  const Matrix b = lines_along_k(format, columns, exact, random);
  std::string d;
  for (unsigned i = 0; exact && i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      double sum = 0;
      for (unsigned k = 0; k < depth; ++k) sum += a.values[i * depth + k] * b.values[j * depth + k];
      append(d, static_cast<float>(sum));
    }
  return {.name = kernel + (exact ? ".exact" : ".random"),
          .kernel = kernel,
          .grid = fmt::format("{},{}", columns / tile, rows / tile),
          .inputs = {{"a", a.bytes}, {"b", b.bytes}},
          .output_bytes = rows * columns * sizeof(float),
          .values = {columns, depth * static_cast<unsigned>(format.bytes)},
          .expected = d};
}

/// In the kernel's order, which matters for floats.
template <typename T> T sum_of_group(const T* values, unsigned count) {
  std::array<T, threads> of_threads{};
  for (unsigned i = 0; i < count; ++i) of_threads[i % threads] += values[i];
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) {
    const auto before = of_threads;
    for (unsigned thread = 0; thread < threads; ++thread) of_threads[thread] += before[thread ^ distance];
  }
  T sum{};
  for (unsigned thread = 0; thread < threads; thread += lanes) sum += of_threads[thread];
  return sum;
}

template <typename T> Case reduction(const std::string& kernel, T (*make)(std::mt19937&)) {
  constexpr unsigned groups = 16, count = 8192;
  std::mt19937 random(7);
  std::string bytes, expected;
  std::vector<T> values(groups * count);
  for (T& value : values) append(bytes, value = make(random));
  for (unsigned group = 0; group < groups; ++group)
    append(expected, sum_of_group(&values[group * count], count));
  return {.name = kernel + ".random",
          .kernel = kernel,
          .grid = fmt::format("{}", groups),
          .inputs = {{"values", bytes}},
          .output_bytes = groups * sizeof(T),
          .values = {count},
          .expected = expected};
}

} // namespace

std::vector<Case> cases(Target target) {
  std::vector<Case> all{
      product("gemm_fp16", fp16, true),
      product("gemm_fp16", fp16, false),
      product("gemm_fp16_32x32", fp16, true),
      product("gemm_fp8", fp8(target), true),
      reduction<std::uint32_t>("sum_i32",
                               [](std::mt19937& random) { return static_cast<std::uint32_t>(random()); }),
      reduction<float>(
          "sum_f32", [](std::mt19937& random) { return static_cast<float>(random()) / 65536.0f - 32768.0f; }),
  };
  if (target == Target::gfx950) all.push_back(product("gemm_fp8_scaled", fp8(target), true));
  return all;
}

Staged stage(const Case& one, const std::filesystem::path& folder) {
  Staged staged{{one.kernel, "--grid", one.grid, "--block", fmt::format("{}", threads)}, folder / "output"};
  for (const auto& [name, bytes] : one.inputs) {
    write_file(folder / name, bytes);
    staged.words.push_back("in:" + (folder / name).string());
  }
  staged.words.push_back(fmt::format("out:{}:{}", one.output_bytes, staged.output.string()));
  for (const std::uint32_t value : one.values) staged.words.push_back(fmt::format("u32:{}", value));
  return staged;
}

} // namespace cts::peer
