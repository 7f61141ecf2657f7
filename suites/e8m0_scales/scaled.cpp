#include "suites/e8m0_scales/scaled.hpp"

#include "suites/e8m0_scales/claimed.hpp"
#include "suites/shared/f32_bits.hpp"

namespace cts::e8m0_scales {

using reference::Codec;
using reference::Instruction;
using reference::Layout;
using reference::Matrix;
using reference::Operand;
using reference::RegisterImage;
using reference::Type;

namespace {

/// VGPRs that the builtins take for A and B whatever the format.
constexpr int vgprs_of_builtin = 8;

Codec codec_of(Type type) {
  return type == Type::f32 ? reference::exact_codec(type)
                           : reference::exact_codec(reference::format_of(type, Target::gfx950));
}

const Instruction& instruction_of(std::string_view shape) {
  return reference::find_instruction(fmt::format("mfma_scale_f32_{}_f8f6f4", shape));
}

} // namespace

std::string suite_of(std::string_view shape) { return reference::short_name(instruction_of(shape)); }

Scaled::Scaled(std::string_view shape, Type a, Type b)
    : shape_(shape), row_(reference::with_formats(instruction_of(shape), a, b)),
      a_(reference::dense_layout(row_, Operand::a)), b_(reference::dense_layout(row_, Operand::b)),
      d_(reference::dense_layout(row_, Operand::d)) {}

std::string Scaled::kernel() const {
  return fmt::format("scaled_{}_{}_{}", shape_, reference::name(row_.a), reference::name(row_.b));
}

std::string Scaled::title() const {
  return fmt::format("{} of {} and {}", row_.builtin_tail, reference::name(row_.a), reference::name(row_.b));
}

const Layout& Scaled::layout(Operand operand) const {
  return operand == Operand::a ? a_ : operand == Operand::b ? b_ : d_;
}

reference::Inputs Scaled::zeros() const {
  return {Matrix(reference::shape_of(row_, Operand::a)), Matrix(reference::shape_of(row_, Operand::b)),
          Matrix(reference::shape_of(row_, Operand::c))};
}

RegisterImage Scaled::pack(Operand operand, const Matrix& matrix) const {
  const bool is_input = operand == Operand::a || operand == Operand::b;
  return reference::pack(layout(operand), matrix, codec_of(reference::type_of(row_, operand)),
                         is_input ? vgprs_of_builtin : 0);
}

void Scaled::put_bits(RegisterImage& image, Operand operand, const reference::Element& e,
                      std::uint64_t bits) const {
  const Layout& l = layout(operand);
  reference::write_bits(image, reference::place_of(l, l.slot_of(e)), bits);
}

RegisterImage Scaled::scale_register(Operand operand, const Scales& scales) const {
  RegisterImage image(1);
  for (std::uint32_t& word : image.words) word = 0xffffffff;
  reference::write_scales(image, row_, operand, scales, 0);
  return image;
}

WaveInputs Scaled::wave(const reference::Inputs& inputs, RegisterImage scales_a,
                        RegisterImage scales_b) const {
  return {pack(Operand::a, inputs.a),
          pack(Operand::b, inputs.b),
          pack(Operand::c, inputs.c),
          {std::move(scales_a), std::move(scales_b)}};
}

WaveInputs Scaled::wave(const reference::Inputs& inputs, const Scales& a, const Scales& b) const {
  return wave(inputs, scale_register(Operand::a, a), scale_register(Operand::b, b));
}

RegisterImage Scaled::expected(const reference::Inputs& inputs, const Scales& a, const Scales& b) const {
  RegisterImage d(row_.vgprs_d);
  for (int i = 0; i < row_.m; ++i)
    for (int j = 0; j < row_.n; ++j) {
      double sum = inputs.c.at({0, i, j});
      for (int s = 0; s < blocks(); ++s) {
        double dot = 0;
        for (int k = elements_of_scale * s; k < elements_of_scale * (s + 1); ++k)
          dot += inputs.a.at({0, i, k}) * inputs.b.at({0, k, j});
        sum += dot * scale_value(scale(Operand::a, a, i, s)) * scale_value(scale(Operand::b, b, j, s));
      }
      if (std::isfinite(sum) && static_cast<double>(static_cast<float>(sum)) != sum)
        throw Error("{}: D[{}][{}] = {} is no f32", title(), i, j, sum);
      put_bits(d, Operand::d, {0, i, j}, f32_bits(sum));
    }
  return d;
}

ScaledInputs random_scaled_inputs(TestContext& context, const Scaled& scaled) {
  ScaledInputs inputs{reference::random_inputs(scaled.row(), context.rng()()), {}, {}};
  for (double& v : inputs.matrices.c.values) v = context.integer(-1000, 1000);
  inputs.a = scaled.scales(Operand::a, [&](int, int) { return context.integer(128, 131); });
  inputs.b = scaled.scales(Operand::b, [&](int, int) { return context.integer(117, 119); });
  return inputs;
}

} // namespace cts::e8m0_scales
