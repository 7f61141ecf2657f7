// What the matrix instructions read in each of the 256 bytes, and whole products.
#include "reference/dense_layout.hpp"
#include "suites/fp8_bytes/claimed.hpp"
#include "suites/shared/f32_bits.hpp"
#include "suites/shared/mfma_waves.hpp"

namespace cts::fp8_bytes {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Layout;
using reference::Operand;
using reference::RegisterImage;
using reference::Type;

/// The dense instructions with FP8 or BF8 in A and B.
std::vector<Instruction> fp8_instructions(const TestContext& context) {
  std::vector<Instruction> all;
  for (const Instruction& i : reference::instructions(reference::Kind::dense, context.target()))
    if (i.a == Type::fp8 || i.a == Type::bf8) all.push_back(i);
  return all;
}

void put(RegisterImage& image, const Layout& layout, const reference::Element& e, std::uint64_t bits) {
  reference::write_bits(image, reference::place_of(layout, layout.slot_of(e)), bits);
}

/// Row i of A (column i of B) has one byte at one k, all else of it is 0; that k of the other operand is 1.
/// So the row (column) of D is the byte's number.
void check_operand(TestContext& context, hip::Module& module, const Instruction& i, Operand operand) {
  const bool is_a = operand == Operand::a;
  const reference::Format format = reference::format_of(reference::type_of(i, operand), context.target()),
                          other = reference::format_of(is_a ? i.b : i.a, context.target());
  const Layout a = reference::dense_layout(i, Operand::a), b = reference::dense_layout(i, Operand::b),
               d_layout = reference::dense_layout(i, Operand::d);
  const std::uint64_t one = reference::encode(other, 1);
  Products products(std::string(i.mnemonic), d_layout);
  for (int first = 0; first < 256; first += i.m) {
    WaveInputs wave{zero_image(i.vgprs_a), zero_image(i.vgprs_b), zero_image(i.vgprs_d)};
    RegisterImage d(i.vgprs_d);
    const int k = context.integer(0, i.k - 1);
    for (int x = 0; x < i.m; ++x) {
      const auto byte = static_cast<std::uint64_t>(first + x);
      put(wave.a, a, {0, x, k}, is_a ? byte : one);
      put(wave.b, b, {0, k, x}, is_a ? one : byte);
      for (int y = 0; y < i.m; ++y)
        put(d, d_layout, {0, is_a ? x : y, is_a ? y : x}, f32_bits(reference::decode(format, byte)));
    }
    products.add(std::move(wave), std::move(d),
                 fmt::format("bytes {:#04x} to {:#04x} of {} as {}", first, first + i.m - 1,
                             reference::name(operand), reference::name(format)));
  }
  products.run(context, module, std::string(i.builtin_tail), with_one_nan_and_zero);
}

void check_every_byte(TestContext& context, Type type) {
  hip::Module module(context, "fp8_bytes");
  for (const Instruction& i : fp8_instructions(context)) {
    if (i.a == type) check_operand(context, module, i, Operand::a);
    if (i.b == type) check_operand(context, module, i, Operand::b);
  }
}

/// Products of whole numbers, exact in any order of additions.
void check_products(TestContext& context) {
  hip::Module module(context, "fp8_bytes");
  for (const Instruction& i : fp8_instructions(context)) {
    const auto image = [&](Operand operand, const reference::Matrix& matrix) {
      const Type type = reference::type_of(i, operand);
      return reference::pack(reference::dense_layout(i, operand), matrix,
                             type == Type::f32
                                 ? reference::exact_codec(type)
                                 : reference::exact_codec(reference::format_of(type, context.target())));
    };
    Products products(std::string(i.mnemonic), reference::dense_layout(i, Operand::d));
    for (int n = 0; n < 8; ++n) {
      const reference::Inputs held = reference::random_inputs(i, context.rng()());
      products.add({image(Operand::a, held.a), image(Operand::b, held.b), image(Operand::c, held.c)},
                   image(Operand::d, reference::multiply(i, held.a, held.b, held.c)),
                   fmt::format("random product {}", n));
    }
    products.run(context, module, std::string(i.builtin_tail));
  }
}

bool add_all() {
  for (const Encoding& encoding : encodings())
    add({encoding.name,
         "MatrixInstructionsReadEveryByte",
         Check::run,
         {"CDNA-2.5"_claim, encoding.claim},
         {encoding.target},
         [type = encoding.type](TestContext& t) { check_every_byte(t, type); }});
  return add({.suite = "Fp8Mfma",
              .name = "WholeProduct",
              .check = Check::run,
              .claims = {"CDNA-2.5"_claim},
              .body = check_products});
}

const bool added = add_all();

} // namespace
} // namespace cts::fp8_bytes
