#include "suites/throughput/kernels.hpp"

#include "common/error.hpp"
#include "reference/matmul.hpp"

#include <algorithm>
#include <array>

namespace cts::throughput {

using reference::Instruction;
using reference::Type;

namespace {

constexpr std::array rates{"mfma_f64_16x16x4f64",          "mfma_f64_4x4x4f64",
                           "mfma_f32_16x16x4f32",          "mfma_f32_16x16x4f16",
                           "mfma_f32_16x16x16f16",         "mfma_f32_32x32x8f16",
                           "mfma_f32_16x16x16bf16_1k",     "mfma_i32_16x16x32_i8",
                           "mfma_f32_16x16x32_fp8_fp8",    "smfmac_f32_16x16x64_fp8_fp8",
                           "smfmac_f32_32x32x32_fp8_fp8",  "mfma_f32_16x16x8_xf32",
                           "mfma_f32_16x16x32_f16",        "mfma_i32_16x16x64_i8",
                           "smfmac_f32_16x16x128_fp8_fp8", "mfma_scale_f32_16x16x128_f8f6f4"};
constexpr std::array chains{"mfma_f32_16x16x16f16", "mfma_f32_32x32x8f16", "mfma_f64_16x16x4f64"};
constexpr std::array with_valu{"mfma_f32_16x16x16f16", "smfmac_f32_16x16x64_fp8_fp8",
                               "smfmac_f32_32x32x32_fp8_fp8"};
constexpr std::array valu_counts{1, 2, 3, 4, 6, 8};

} // namespace

std::vector<Kernel> matrix_kernels(Target target) {
  std::vector<Kernel> all;
  const auto add = [&](std::string_view prefix, std::string_view builtin, int per_iteration, int valu_each) {
    const Instruction& i = reference::find_instruction(builtin);
    if (reference::exists_on(i, target))
      all.push_back({fmt::format("{}_{}", prefix, builtin), i, per_iteration, valu_each});
  };
  for (const char* builtin : rates) add("rate", builtin, 4, 0);
  for (const char* builtin : chains) add("chain", builtin, 1, 0);
  for (const char* builtin : with_valu)
    for (const int count : valu_counts) add(fmt::format("valu_{}", count), builtin, 4, count);
  if (target == Target::gfx950) { // the same K in an iteration
    add("lds", "mfma_f32_16x16x16f16", 4, 0);
    add("lds", "mfma_f32_16x16x32_f16", 2, 0);
  }
  return all;
}

Kernel matrix_kernel(Target target, std::string_view name) {
  for (const Kernel& kernel : matrix_kernels(target))
    if (kernel.name == name) return kernel;
  throw Error("no kernel {} for {}", name, cts::name(target));
}

std::vector<std::uint32_t> ones(Type type, int vgprs, Target target) {
  const auto words = static_cast<std::size_t>(vgprs) * reference::lanes_of_wave;
  if (type == Type::f64) {
    std::vector<std::uint32_t> pairs(words, 0);
    for (std::size_t i = 1; i < words; i += 2) pairs[i] = 0x3ff00000;
    return pairs;
  }
  std::uint64_t code = 1;
  if (type != Type::i8) code = reference::encode(reference::format_of(type, target), 1);
  std::uint32_t word = 0;
  for (int bit = 0; bit < 32; bit += reference::bits_of(type))
    word |= static_cast<std::uint32_t>(code << bit);
  return std::vector<std::uint32_t>(words, word);
}

double result_of_ones(const Kernel& kernel, unsigned iterations) {
  const int kept =
      kernel.instruction.kind == reference::Kind::sparse ? kernel.instruction.k / 2 : kernel.instruction.k;
  return static_cast<double>(iterations) * kernel.per_iteration * kept;
}

} // namespace cts::throughput
