// Dependent MFMAs with exactly the wait states that the ISA asks for: small whole numbers through two
// instructions, every one of which must arrive.
#include "reference/dense_layout.hpp"
#include "suites/shared/mfma_waves.hpp"

#include <algorithm>
#include <functional>

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Matrix;
using reference::Operand;
using reference::RegisterImage;

constexpr int waves_of_a_launch = 16;

/// D's registers for what A, B and C hold.
RegisterImage product(const Instruction& i, const RegisterImage& a, const RegisterImage& b,
                      const RegisterImage& c) {
  return reference::pack(i, Operand::d,
                         reference::multiply(i, reference::unpack(i, Operand::a, a),
                                             reference::unpack(i, Operand::b, b),
                                             reference::unpack(i, Operand::c, c)));
}

/// Registers `first` to `first + count - 1` of an image.
RegisterImage part(const RegisterImage& image, int first, int count) {
  RegisterImage registers(count);
  for (int r = 0; r < count; ++r)
    for (int lane = 0; lane < reference::lanes_of_wave; ++lane)
      registers.word(r, lane) = image.word(first + r, lane);
  return registers;
}

/// The same registers one after the other.
RegisterImage joined(const std::vector<RegisterImage>& parts) {
  RegisterImage all(0);
  for (const RegisterImage& image : parts) {
    all.vgprs += image.vgprs;
    all.words.insert(all.words.end(), image.words.begin(), image.words.end());
  }
  return all;
}

/// Twice every value that D holds.
RegisterImage doubled(const Instruction& i, const RegisterImage& d) {
  Matrix values = reference::unpack(i, Operand::d, d);
  for (double& value : values.values) value *= 2;
  return reference::pack(i, Operand::d, values);
}

const Instruction& bf16() { return reference::find_instruction("mfma_f32_16x16x16bf16_1k"); }
const Instruction& bf16_four_blocks() { return reference::find_instruction("mfma_f32_16x16x4bf16_1k"); }
const Instruction& bf16_long() { return reference::find_instruction("mfma_f32_32x32x4bf16_1k"); }
const Instruction& f32() { return reference::find_instruction("mfma_f32_16x16x4f32"); }
const Instruction& f64() { return reference::find_instruction("mfma_f64_16x16x4f64"); }

/// A padded kernel: what its inputs are, and what it leaves of them.
struct Padded {
  const char* kernel;
  const Instruction& (*first)(); ///< whose A and B it is given
  int vgprs_d;                   ///< registers of a lane's result
  RegisterImage (*result)(const WaveInputs&);
};

RegisterImage first_of(const WaveInputs& w) { return product(bf16(), w.a, w.b, w.c); }

/// F32 whole numbers below 256 are BF16 numbers in the upper halves of their registers, and zeros in the
/// lower.
const Padded padded[]{
    {"d_to_a", bf16, 4,
     [](const WaveInputs& w) { return product(bf16(), part(first_of(w), 0, 2), w.b, w.c); }},
    {"d_to_b", bf16, 4,
     [](const WaveInputs& w) { return product(bf16(), w.a, part(first_of(w), 0, 2), w.c); }},
    {"exact_c", bf16, 4,
     [](const WaveInputs& w) {
       RegisterImage sum = w.c;
       for (int n = 0; n < 4; ++n) sum = product(bf16(), w.a, w.b, sum);
       return sum;
     }},
    {"partial_c", bf16, 16,
     [](const WaveInputs& w) {
       return product(bf16_four_blocks(), w.a, w.b, joined({first_of(w), w.c, w.c, w.c}));
     }},
    {"d_to_valu", bf16, 4, [](const WaveInputs& w) { return doubled(bf16(), first_of(w)); }},
    {"d_to_store", bf16, 4, first_of},
    {"c_overwritten", bf16, 4, first_of},
    {"long_d_to_valu", bf16_long, 4,
     [](const WaveInputs& w) {
       const RegisterImage d = product(bf16_long(), w.a, w.b, zero_image(bf16_long().vgprs_d));
       return part(doubled(bf16_long(), d), 0, 4);
     }},
    {"f32_d_to_a", f32, 4,
     [](const WaveInputs& w) {
       const RegisterImage a = part(w.a, 0, 1), b = part(w.b, 0, 1);
       return product(f32(), part(product(f32(), a, b, w.c), 0, 1), b, w.c);
     }},
    {"f64_d_to_valu", f64, 8,
     [](const WaveInputs& w) { return doubled(f64(), product(f64(), w.a, w.b, zero_image(f64().vgprs_d))); }},
    {"f64_d_to_store", f64, 8,
     [](const WaveInputs& w) { return product(f64(), w.a, w.b, zero_image(f64().vgprs_d)); }},
};

/// Whole numbers from -largest to largest.
Matrix small_numbers(TestContext& context, const reference::Shape& shape, int largest) {
  Matrix matrix(shape);
  for (double& value : matrix.values) value = context.integer(-largest, largest);
  return matrix;
}

/// `image` with registers of zeros behind it: kernels read two VGPRs of A and of B.
RegisterImage widened(const RegisterImage& image) {
  return image.vgprs == 2 ? image : joined({image, zero_image(2 - image.vgprs)});
}

WaveInputs random_wave(TestContext& context, const Instruction& i) {
  const auto registers = [&](Operand operand, int largest) {
    return reference::pack(i, operand, small_numbers(context, reference::shape_of(i, operand), largest));
  };
  // C is that of a 16x16 product whatever the instruction.
  return {widened(registers(Operand::a, 1)), widened(registers(Operand::b, 1)),
          reference::pack(bf16(), Operand::c,
                          small_numbers(context, reference::shape_of(bf16(), Operand::c), 7))};
}

void check_padded(TestContext& context, const std::vector<std::string_view>& kernels) {
  hip::Module module(context, "mfma_hazards");
  for (const Padded& p : padded) {
    if (std::ranges::count(kernels, p.kernel) == 0) continue;
    std::vector<WaveInputs> waves;
    for (int n = 0; n < waves_of_a_launch; ++n) waves.push_back(random_wave(context, p.first()));
    const auto got = run_waves(context, module, fmt::format("padded_{}", p.kernel), waves, p.vgprs_d);
    Comparison comparison(context, fmt::format("padded_{} ({})", p.kernel, p.first().mnemonic));
    for (std::size_t w = 0; w < got.size(); ++w) {
      const RegisterImage expected = p.result(waves[w]);
      for (int lane = 0; lane < reference::lanes_of_wave; ++lane)
        for (int r = 0; r < p.vgprs_d; ++r)
          comparison.equal_at(expected.word(r, lane), got[w].word(r, lane), [&] {
            return Where{.lane = lane, .vgpr = r, .note = fmt::format("wave {}", w)};
          });
    }
  }
}

ClaimTest test(const char* name, std::vector<std::string_view> kernels) {
  return {.suite = "Padded",
          .name = name,
          .check = Check::run,
          .claims = {"CDNA-6.5"_claim},
          .body = [=](TestContext& t) { check_padded(t, kernels); }};
}

const bool added = add({
    test("ResultBecomesAOrB", {"d_to_a", "d_to_b", "f32_d_to_a"}),
    test("ResultBecomesC", {"exact_c", "partial_c"}),
    test("CIsOverwritten", {"c_overwritten"}),
    test("ResultIsReadByOthers",
         {"d_to_valu", "d_to_store", "long_d_to_valu", "f64_d_to_valu", "f64_d_to_store"}),
});

} // namespace
} // namespace cts::mfma_hazards
