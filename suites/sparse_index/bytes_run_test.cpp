// FP8 and BF8 bytes of A and B as SMFMAC reads them: all 256 of each operand, in the target's encoding.
#include "suites/shared/f32_bits.hpp"
#include "suites/sparse_index/smfmac.hpp"

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Pair;
using reference::RegisterImage;
using reference::Type;

/// Row i of A (column i of B) has one byte of `operand`, everything else of it is 0; the other operand is 1
/// everywhere. So the row (column) of D is the byte's value.
void check_bytes(TestContext& context, hip::Module& module, const Smfmac& s, reference::Operand operand) {
  const int m = s.row().m;
  const bool is_a = operand == reference::Operand::a;
  const reference::Format format =
      reference::format_of(reference::type_of(s.row(), operand), context.target());
  const std::vector<Pair> pairs(static_cast<std::size_t>(m * s.groups()), Pair{0, 1});
  WaveInputs ones{zero_image(s.row().vgprs_a),
                  zero_image(s.row().vgprs_b),
                  zero_image(s.row().vgprs_d),
                  {s.index_of(pairs)}};
  for (int x = 0; x < m; ++x)
    for (int y = 0; y < (is_a ? s.row().k : s.kept()); ++y)
      is_a ? s.put_b(ones.b, y, x, 1) : s.put_a(ones.a, x, y, 1);

  Products products = s.products();
  for (int first = 0; first < 256; first += m) {
    WaveInputs wave = ones;
    RegisterImage d(s.row().vgprs_d);
    for (int x = 0; x < m; ++x) {
      const auto byte = static_cast<std::uint64_t>(first + x);
      const int c = (first / m + x) % s.kept();
      is_a ? s.put_a_bits(wave.a, x, c, byte)
           : s.put_b_bits(wave.b, reference::dense_k(c, Pair{0, 1}), x, byte);
      for (int y = 0; y < m; ++y) {
        const reference::Element e{0, is_a ? x : y, is_a ? y : x};
        reference::write_bits(d, reference::place_of(s.d(), s.d().slot_of(e)),
                              f32_bits(reference::decode(format, byte)));
      }
    }
    products.add(std::move(wave), std::move(d),
                 fmt::format("bytes {:#04x} to {:#04x} of {} as {}", first, first + m - 1,
                             reference::name(operand), reference::name(format)));
  }
  products.run(context, module, s.kernel(), with_one_nan_and_zero);
}

const bool added = add({{.suite = "Fp8Smfmac",
                         .name = "ReadsEveryByteInTheTargetsEncoding",
                         .check = Check::run,
                         .claims = {"SPARSE-12"_claim},
                         .body = [](TestContext& t) {
                           hip::Module module(t, "sparse_index");
                           for (const Smfmac& s : all_smfmacs(t))
                             if (s.row().a == Type::fp8 || s.row().a == Type::bf8)
                               for (const auto operand : {reference::Operand::a, reference::Operand::b})
                                 check_bytes(t, module, s, operand);
                         }}});

} // namespace
} // namespace cts::sparse_index
