// From LDS to a product: A is stored column by column and B row by row, two transpose reads a lane bring each
// into the registers of an MFMA, and D is the reference's.
#include "suites/shared/mfma_waves.hpp"
#include "suites/transpose_reads/reads.hpp"

namespace cts::transpose_reads {
namespace {

using namespace literals;
using reference::Element;
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

/// LDS as the kernel copies it: each lane its share of dwords.
RegisterImage as_image(const std::vector<std::uint8_t>& lds) {
  constexpr int dwords = lds_bytes / 4 / 64;
  RegisterImage image(dwords);
  for (int lane = 0; lane < 64; ++lane)
    for (int r = 0; r < dwords; ++r)
      std::memcpy(&image.word(r, lane), &lds[static_cast<std::size_t>(4 * (dwords * lane + r))], 4);
  return image;
}

reference::Codec codec_of(Type type) {
  return type == Type::i8 ? reference::exact_codec(type)
                          : reference::exact_codec(reference::format_of(type, Target::gfx950));
}

/// Writes A or B into LDS from `base` on: the 16 items of each k side by side, those of the next k `stride`
/// bytes further. Returns the addresses of the two reads that bring them into each lane's registers.
RegisterImage stage(Wave& wave, const Instruction& i, Operand operand, const reference::Matrix& matrix,
                    std::uint32_t base, std::uint32_t stride) {
  const Layout layout = reference::dense_layout(i, operand);
  const int bits = layout.bits, items = reference::transpose_items(bits);
  const auto codec = codec_of(i.a);
  const bool is_a = operand == Operand::a; // whose columns are the k's; of B it is the rows
  for (int k = 0; k < i.k; ++k)
    for (int j = 0; j < 16; ++j)
      put_bits(wave.lds, base + static_cast<std::uint32_t>(k) * stride, bits * j, bits,
               codec.encode(matrix.at(is_a ? Element{0, j, k} : Element{0, k, j})));
  RegisterImage addresses(2);
  for (int lane = 0; lane < 64; ++lane)
    for (int read = 0; read < 2; ++read) { // the k's that the lane's group holds, as many as a read has items
      const Element first = layout.element_of({lane, read * items});
      const auto k = static_cast<std::uint32_t>(is_a ? first.col : first.row);
      addresses.word(read, lane) =
          reference::transpose_tile_address(bits, lane % 16, base + k * stride, stride);
    }
  return addresses;
}

void check_product(TestContext& context, int bits) {
  const Instruction i = instruction_of(bits);
  const auto unit = static_cast<std::uint32_t>(reference::transpose_alignment(bits));
  const std::uint32_t narrow = (static_cast<std::uint32_t>(16 * bits / 8) + unit - 1) / unit * unit;
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  for (const std::uint32_t padding : {0u, unit, 0u, unit}) { // between the rows in LDS
    const reference::Inputs held = reference::random_inputs(i, context.rng()());
    Wave wave = random_wave(context);
    const RegisterImage a = stage(wave, i, Operand::a, held.a, 0, narrow + padding),
                        b = stage(wave, i, Operand::b, held.b, lds_bytes / 2, narrow + padding);
    waves.push_back({a, b, reference::pack(i, Operand::c, held.c), {as_image(wave.lds)}});
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
