#include "suites/mfma_hazards/pair_run.hpp"

#include <bit>
#include <cstdlib>

namespace cts::mfma_hazards {
namespace {

using mir::Held;
using reference::Type;

constexpr int lanes = 64;

/// The tables' row "SMFMA reads SrcC" names the index by the letter. The emulator holds it so when it is
/// asked to; to a GPU the variable means nothing.
[[maybe_unused]] const int asked = setenv("CDNA_CTS_SMFMAC_INDEX", "held", 0);

std::uint32_t two_halves(std::uint32_t low, std::uint32_t high) { return low | high << 16; }

/// A word of small whole numbers (of the narrow floats: of small numbers) in `type`.
std::uint32_t number(TestContext& context, Type type, int part) {
  const auto whole = [&] { return context.integer(1, 3) * (context.integer(0, 1) == 0 ? 1 : -1); };
  const auto f32 = [&] { return std::bit_cast<std::uint32_t>(static_cast<float>(whole())); };
  const auto half = [&] {
    constexpr std::uint32_t f16[]{0x3c00, 0x4000, 0x4200, 0xbc00, 0xc000, 0xc200};
    return f16[context.integer(0, 5)];
  };
  const auto bytes = [&](auto byte) {
    std::uint32_t word = 0;
    for (int n = 0; n < 4; ++n) word |= static_cast<std::uint32_t>(byte() & 0xff) << (8 * n);
    return word;
  };
  switch (type) {
  case Type::f64: { // 2^22 and 1 to 3: both words say something, and sums of products are exact
    constexpr double large = 1 << 22;
    if (part % 2 == 0) return static_cast<std::uint32_t>(context.integer(1, 3)) << 30;
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(whole() < 0 ? -large : large) >> 32);
  }
  case Type::f32:
  case Type::xf32: return f32();
  case Type::f16: return two_halves(half(), half());
  case Type::bf16: return two_halves(f32() >> 16, f32() >> 16);
  case Type::i32: return static_cast<std::uint32_t>(whole());
  case Type::i8: return bytes(whole);
  case Type::fp8:
  case Type::bf8: {
    constexpr int codes[]{0x38, 0x3c, 0x40, 0x44, 0xb8, 0xc0}; // numbers in every encoding
    return bytes([&] { return codes[context.integer(0, 5)]; });
  }
  case Type::fp6:
  case Type::bf6:
  case Type::fp4: return bytes([&] { return context.integer(0, 255); }); // every code is a number
  }
  throw Error("type {} has no numbers here", static_cast<int>(type));
}

std::uint32_t word_of(TestContext& context, const Held& held, int lane) {
  switch (held.what) {
  case Held::What::number: return number(context, held.type, held.part);
  case Held::What::lds_address: return static_cast<std::uint32_t>(4 * lane);
  case Held::What::sparse_index: {
    constexpr std::uint32_t legal[]{4, 8, 9, 12, 13, 14}; // first and second position, the first one lower
    std::uint32_t word = 0;
    for (int n = 0; n < 32; n += 4) word |= legal[context.integer(0, 5)] << n;
    return word;
  }
  case Held::What::scale: return 0x7e7f8000u | static_cast<std::uint32_t>(context.integer(0x7d, 0x82));
  case Held::What::pointer: // the kernel's
  case Held::What::zero: return 0;
  }
  throw Error("held {} is nothing known", static_cast<int>(held.what));
}

} // namespace

std::vector<std::uint32_t> stage(TestContext& context, const mir::PairKernel& kernel) {
  std::vector<std::uint32_t> words;
  for (const Held& held : kernel.held)
    for (int lane = 0; lane < lanes; ++lane) words.push_back(word_of(context, held, lane));
  return words;
}

std::vector<std::vector<std::uint32_t>> run_pair(TestContext& context, hip::Module& module,
                                                 const mir::PairKernel& kernel,
                                                 const std::vector<std::uint32_t>& staged,
                                                 const std::vector<int>& waves) {
  std::vector<std::uint32_t> orders;
  for (std::size_t n = 0; n < waves.size(); ++n)
    orders.push_back(static_cast<std::uint32_t>(waves[n]) | static_cast<std::uint32_t>(n * 7 % 32) << 8);

  const std::size_t words = kernel.words_out() * lanes;
  const hip::DeviceBuffer input(staged), output(waves.size() * words * 4), order(orders);
  module.launch_buffers(kernel.name, static_cast<unsigned>(waves.size()), lanes, {&input, &output, &order});
  output.check_canaries(context, kernel.name);

  const auto all = output.download<std::uint32_t>();
  std::vector<std::vector<std::uint32_t>> left;
  for (std::size_t n = 0; n < waves.size(); ++n)
    left.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(n * words),
                      all.begin() + static_cast<std::ptrdiff_t>((n + 1) * words));
  return left;
}

std::string difference(const mir::PairKernel& kernel, const std::vector<std::uint32_t>& expected,
                       const std::vector<std::uint32_t>& got) {
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const auto image = n / lanes;
    const bool pointer = image < kernel.held.size() && kernel.held[image].what == Held::What::pointer;
    if (expected[n] == got[n] || pointer) continue; // each wave has pointers of its own
    const auto vgprs = static_cast<std::size_t>(kernel.vgprs);
    const std::string where = image < vgprs                ? fmt::format("VGPR {}", image)
                              : image < kernel.memory_at() ? fmt::format("AccVGPR {}", image - vgprs)
                              : image < kernel.lds_at()    ? "memory"
                              : image < kernel.scalars_at()
                                  ? "LDS"
                                  : fmt::format("s{}", 4 + image - kernel.scalars_at());
    return fmt::format("{} lane {}: expected {:#010x}, got {:#010x}", where, n % lanes, expected[n], got[n]);
  }
  return "";
}

} // namespace cts::mfma_hazards
