#include "suites/shared/dense_mfma.hpp"

#include <algorithm>

namespace cts {

using reference::Codec;
using reference::Instruction;
using reference::Kind;
using reference::Operand;
using reference::Type;

namespace {

Family family_of(const Instruction& i) {
  if (i.kind == Kind::f8f6f4) return Family::f8f6f4;
  switch (i.a) {
  case Type::f64: return Family::f64;
  case Type::f32: return Family::f32;
  case Type::xf32: return Family::xf32;
  case Type::f16: return Family::f16;
  case Type::bf16: return Family::bf16;
  case Type::i8: return Family::i8;
  case Type::fp8:
  case Type::bf8: return Family::fp8;
  default: throw Error("{}: in no family", i.mnemonic);
  }
}

/// How values of a type are stored, infinities and NaN included.
Codec codec_of(Type type, Target target) {
  if (type == Type::i8 || type == Type::i32) return reference::exact_codec(type);
  const reference::Format format = reference::format_of(type, target);
  return {[format](double value) { return reference::encode(format, value); },
          [format](std::uint64_t code) { return reference::decode(format, code); }};
}

constexpr int formats = 5, f8f6f4_vgprs = 8; // whatever the format, the builtin takes 8 dwords

} // namespace

std::string_view name(Family family) {
  constexpr std::string_view names[]{"F64", "F32", "XF32", "F16", "BF16", "I8", "FP8", "F8F6F4"};
  return names[static_cast<std::size_t>(family)];
}

std::vector<Target> targets_of(Family family) {
  std::vector<Target> targets;
  if (std::ranges::count(families_gfx942, family) != 0) targets.push_back(Target::gfx942);
  if (std::ranges::count(families_gfx950, family) != 0) targets.push_back(Target::gfx950);
  return targets;
}

std::vector<DenseVariant> dense_variants(Family family, Target target) {
  std::vector<DenseVariant> all;
  for (const Instruction& i : reference::instructions()) {
    if (i.kind == Kind::sparse || !reference::exists_on(i, target) || family_of(i) != family) continue;
    if (i.kind == Kind::dense) {
      all.push_back({i, std::string(i.builtin_tail), std::string(i.mnemonic)});
      continue;
    }
    for (int a = 0; a < formats; ++a)
      for (int b = 0; b < formats; ++b) {
        const Type of_a = reference::f8f6f4_format(a), of_b = reference::f8f6f4_format(b);
        all.push_back({reference::with_formats(i, of_a, of_b), fmt::format("{}_{}_{}", i.builtin_tail, a, b),
                       fmt::format("{} {} x {}", i.mnemonic, reference::name(of_a), reference::name(of_b))});
      }
  }
  return all;
}

WaveInputs registers_of(const DenseVariant& variant, const reference::Inputs& held, Target target) {
  const Instruction& row = variant.row;
  const int least = row.kind == Kind::f8f6f4 ? f8f6f4_vgprs : 0;
  const auto packed = [&](Operand operand, const reference::Matrix& matrix, int vgprs) {
    return reference::pack(reference::dense_layout(row, operand), matrix,
                           codec_of(reference::type_of(row, operand), target), vgprs);
  };
  return {packed(Operand::a, held.a, least), packed(Operand::b, held.b, least),
          packed(Operand::c, held.c, 0)};
}

reference::RegisterImage registers_of_d(const DenseVariant& variant, const reference::Matrix& d) {
  return reference::pack(reference::dense_layout(variant.row, Operand::d), d,
                         codec_of(variant.row.d, Target::gfx942)); // F32, F64 and I32 are the same on both
}

} // namespace cts
