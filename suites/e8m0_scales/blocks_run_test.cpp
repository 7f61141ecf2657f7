// Which elements a scale covers, and from which byte of which lane it comes.
#include "suites/e8m0_scales/claimed.hpp"
#include "suites/e8m0_scales/scaled.hpp"

namespace cts::e8m0_scales {
namespace {

using namespace literals;
using reference::Operand;
using reference::RegisterImage;
using reference::Type;

/// Every scale of `operand` is another power of two, those of the other operand are one and the same. In each
/// product one k of A and B is 1 and the rest 0, so that D shows which scale the k had in each row (column).
void check_blocks(TestContext& context, hip::Module& module, const Scaled& scaled, Operand operand) {
  const int blocks = scaled.blocks();
  const auto distinct = [blocks](int x, int s) { return scale_of_one + 1 + x * blocks + s; };
  const auto same = [](int, int) { return scale_of_one + 2; };
  const Operand other = operand == Operand::a ? Operand::b : Operand::a;
  const Scales probed = scaled.scales(operand, distinct), constant = scaled.scales(other, same);
  const Scales &a = operand == Operand::a ? probed : constant, &b = operand == Operand::a ? constant : probed;
  Products products = scaled.products();
  for (int k = 0; k < scaled.row().k; ++k) {
    reference::Inputs held = scaled.zeros();
    for (int x = 0; x < scaled.row().m; ++x) held.a.at({0, x, k}) = held.b.at({0, k, x}) = 1;
    products.add(scaled.wave(held, a, b), scaled.expected(held, a, b),
                 fmt::format("k {} alone, every scale of {} another", k, reference::name(operand)));
  }
  products.run(context, module, scaled.kernel());
}

/// The formats place k differently: of each width, and of two widths in one instruction.
constexpr std::pair<Type, Type> placed_differently[]{{Type::fp8, Type::fp8},
                                                     {Type::fp6, Type::fp6},
                                                     {Type::fp4, Type::fp4},
                                                     {Type::fp8, Type::fp4},
                                                     {Type::bf6, Type::bf8}};

void check_all_blocks(TestContext& context, std::string_view shape) {
  hip::Module module(context, "e8m0_scales");
  for (const auto& [a, b] : placed_differently)
    for (const Operand operand : {Operand::a, Operand::b})
      check_blocks(context, module, Scaled(shape, a, b), operand);
}

/// Four sets of scales in the four bytes of each scale register, the byte of A and that of B chosen
/// independently.
void check_bytes_of_registers(TestContext& context, std::string_view shape) {
  const Scaled scaled(shape, Type::fp8, Type::fp4);
  const ScaledInputs inputs = random_scaled_inputs(context, scaled);
  RegisterImage in_a = zero_image(1), in_b = zero_image(1);
  std::vector<Scales> a, b;
  for (int byte = 0; byte < 4; ++byte) {
    const ScaledInputs others = random_scaled_inputs(context, scaled);
    a.push_back(others.a);
    b.push_back(others.b);
    reference::write_scales(in_a, scaled.row(), Operand::a, others.a, byte);
    reference::write_scales(in_b, scaled.row(), Operand::b, others.b, byte);
  }
  Products products = scaled.products();
  for (unsigned byte_a = 0; byte_a < 4; ++byte_a)
    for (unsigned byte_b = 0; byte_b < 4; ++byte_b) {
      WaveInputs wave = scaled.wave(inputs.matrices, in_a, in_b);
      wave.more.push_back(zero_image(1));
      for (std::uint32_t& word : wave.more.back().words) word = 4 * byte_a + byte_b;
      products.add(std::move(wave), scaled.expected(inputs.matrices, a[byte_a], b[byte_b]),
                   fmt::format("byte {} of A's scales, {} of B's", byte_a, byte_b));
    }
  hip::Module module(context, "e8m0_scales");
  products.run(context, module, fmt::format("bytes_{}", shape));
}

bool add_all() {
  for (const std::string_view shape : shapes)
    add({{.suite = suite_of(shape),
          .name = "ScaleCovers32OfOneRowOrColumn",
          .check = Check::run,
          .claims = {"CDNA-2.13"_claim},
          .targets = {Target::gfx950},
          .body = [shape](TestContext& t) { check_all_blocks(t, shape); }},
         {.suite = suite_of(shape),
          .name = "BytesOfScaleRegistersAreChosenApart",
          .check = Check::run,
          .claims = {"CDNA-2.6"_claim, "CDNA-2.13"_claim},
          .targets = {Target::gfx950},
          .body = [shape](TestContext& t) { check_bytes_of_registers(t, shape); }}});
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::e8m0_scales
