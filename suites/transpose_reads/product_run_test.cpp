// From rows in LDS to a product: B is stored row by row, two transpose reads a lane bring it into the
// registers of an MFMA, and D is the reference's.
#include "suites/shared/mfma_waves.hpp"
#include "suites/transpose_reads/reads.hpp"

namespace cts::transpose_reads {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Layout;
using reference::Operand;
using reference::RegisterImage;
using reference::Type;

Instruction instruction_of(int bits) {
  if (bits == 16) return reference::find_instruction("v_mfma_f32_16x16x32_f16");
  if (bits == 8) return reference::find_instruction("v_mfma_i32_16x16x64_i8");
  const Type type = bits == 6 ? Type::fp6 : Type::fp4;
  return reference::with_formats(reference::find_instruction("v_mfma_f32_16x16x128_f8f6f4"), type, type);
}

/// The same VGPRs in front of others that hold zeros: the F8F6F4 builtins take eight.
RegisterImage widened(const RegisterImage& image, int vgprs) {
  RegisterImage wide = zero_image(vgprs);
  std::ranges::copy(image.words, wide.words.begin());
  return wide;
}

/// 4096 bytes as the kernel copies them into LDS: 16 dwords a lane.
RegisterImage as_image(const std::vector<std::uint8_t>& lds) {
  RegisterImage image(16);
  for (int lane = 0; lane < 64; ++lane)
    for (int r = 0; r < 16; ++r)
      std::memcpy(&image.word(r, lane), &lds[static_cast<std::size_t>(4 * (16 * lane + r))], 4);
  return image;
}

/// One product whose B's rows are `row_stride` bytes apart in LDS.
WaveInputs product(TestContext& context, int bits, const Instruction& i, const reference::Inputs& held,
                   std::uint32_t row_stride) {
  const Layout b = reference::dense_layout(i, Operand::b);
  const RegisterImage b_registers = reference::pack(i, Operand::b, held.b);
  Wave wave = random_wave(context);
  for (int k = 0; k < i.k; ++k)
    for (int j = 0; j < i.n; ++j)
      put_bits(wave.lds, static_cast<std::uint32_t>(k) * row_stride, bits * j, bits,
               reference::read_bits(b_registers, reference::place_of(b, b.slot_of({0, k, j}))));
  RegisterImage addresses(2);
  for (int lane = 0; lane < 64; ++lane)
    for (int read = 0; read < 2; ++read) { // the rows that the lane's group holds, N at a time
      const int first_row = b.element_of({lane, read * reference::transpose_items(bits)}).row;
      addresses.word(read, lane) = reference::transpose_tile_address(
          bits, lane % 16, static_cast<std::uint32_t>(first_row) * row_stride, row_stride);
    }
  const RegisterImage a = reference::pack(i, Operand::a, held.a);
  return {
      bits < 8 ? widened(a, 8) : a, addresses, reference::pack(i, Operand::c, held.c), {as_image(wave.lds)}};
}

void check_product(TestContext& context, int bits) {
  const Instruction i = instruction_of(bits);
  const auto row_bytes = static_cast<std::uint32_t>(i.n * bits / 8);
  const auto unit = static_cast<std::uint32_t>(reference::transpose_alignment(bits));
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  for (std::uint32_t n = 0; n < 4; ++n) {
    const reference::Inputs held = reference::random_inputs(i, context.rng()());
    waves.push_back(product(context, bits, i, held, (row_bytes + unit - 1) / unit * unit + n % 2 * unit));
    expected.push_back(reference::pack(i, Operand::d, reference::multiply(i, held.a, held.b, held.c)));
  }
  hip::Module module(context, "transpose_reads");
  const auto got = run_waves(context, module, fmt::format("product_{}", bits), waves, i.vgprs_d);
  Comparison comparison(context, std::string(i.mnemonic));
  for (std::size_t w = 0; w < waves.size(); ++w)
    compare_d(comparison, reference::dense_layout(i, Operand::d), expected[w], got[w],
              fmt::format("product {}", w));
}

bool add_all() {
  for (const int bits : widths)
    add({bits == 6 ? "DsReadB96_TrB6" : fmt::format("DsReadB64_TrB{}", bits),
         "FeedsTheMfma",
         Check::run,
         {"CDNA-5.10"_claim},
         {Target::gfx950},
         [bits](TestContext& t) { check_product(t, bits); }});
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::transpose_reads
