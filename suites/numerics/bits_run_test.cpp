// gfx942: values that are rounded, bit for bit against the published model of its sums.
#include "reference/matmul_gfx942.hpp"
#include "suites/numerics/values.hpp"
#include "suites/shared/dense_mfma.hpp"

namespace cts::numerics {
namespace {

using namespace literals;
using reference::Inputs;
using reference::Operand;
using reference::RegisterImage;
using reference::Rounding;
using reference::Type;

constexpr int products = 10; // of each kind of data

/// The same with one code for every NaN: no document promises a payload or a sign.
RegisterImage with_one_nan(Type type, RegisterImage image) {
  const auto beyond = [](std::uint32_t word, std::uint32_t infinity) {
    return (word & 0x7fffffffu) > infinity;
  };
  for (int lane = 0; lane < reference::lanes_of_wave; ++lane) {
    if (type == Type::f32)
      for (int r = 0; r < image.vgprs; ++r)
        if (std::uint32_t& word = image.word(r, lane); beyond(word, 0x7f800000)) word = 0x7fc00000;
    if (type == Type::f64)
      for (int r = 0; r < image.vgprs; r += 2) {
        std::uint32_t &low = image.word(r, lane), &high = image.word(r + 1, lane);
        if (beyond(high, 0x7ff00000) || ((high & 0x7fffffff) == 0x7ff00000 && low != 0)) {
          high = 0x7ff80000;
          low = 0;
        }
      }
  }
  return image;
}

/// Products of one instruction, to be run in one launch.
struct Batch {
  std::vector<Inputs> held;
  std::vector<std::string> what;
};

std::vector<RegisterImage> run(TestContext& context, hip::Module& module, const DenseVariant& v,
                               const Batch& batch) {
  std::vector<WaveInputs> waves;
  for (const Inputs& held : batch.held) waves.push_back(registers_of(v, held, context.target()));
  auto d = run_waves(context, module, v.kernel, waves, v.row.vgprs_d);
  for (RegisterImage& image : d) image = with_one_nan(v.row.d, std::move(image));
  return d;
}

RegisterImage expected_of(const DenseVariant& v, const Inputs& held, Rounding xf32) {
  return with_one_nan(v.row.d,
                      registers_of_d(v, reference::multiply_gfx942(v.row, held.a, held.b, held.c, xf32)));
}

void check_bits(TestContext& context, Family family) {
  hip::Module module(context, "numerics");
  for (const DenseVariant& v : dense_variants(family, context.target())) {
    Batch batch;
    for (const Data data : all_data)
      for (int n = 0; n < products; ++n) {
        batch.held.push_back(random_values(context, v.row, data));
        batch.what.push_back(fmt::format("{} product {}", name(data), n));
      }
    const auto got = run(context, module, v, batch);
    Comparison comparison(context, v.title);
    for (std::size_t w = 0; w < got.size(); ++w)
      compare_d(comparison, reference::dense_layout(v.row, Operand::d),
                expected_of(v, batch.held[w], Rounding::toward_zero), got[w], batch.what[w]);
  }
}

/// F32 values with all their mantissa. The model truncates them to XF32, ISA3 7.1.2 says "round": one of the
/// two it has to be, for all products. Which one goes into the record.
void check_xf32_inputs(TestContext& context) {
  hip::Module module(context, "numerics");
  for (const DenseVariant& v : dense_variants(Family::xf32, context.target())) {
    reference::Instruction as_f32 = v.row; // only to draw the values
    as_f32.a = as_f32.b = Type::f32;
    Batch batch;
    for (int n = 0; n < 4 * products; ++n) {
      batch.held.push_back(random_values(context, as_f32, Data::normal));
      batch.what.push_back(fmt::format("product {} of values with 23 mantissa bits", n));
    }
    const auto got = run(context, module, v, batch);
    bool rounded = true;
    for (std::size_t w = 0; w < got.size(); ++w)
      rounded = rounded && got[w].words == expected_of(v, batch.held[w], Rounding::nearest_even).words;
    Comparison comparison(context, v.title);
    for (std::size_t w = 0; w < got.size(); ++w)
      compare_d(comparison, reference::dense_layout(v.row, Operand::d),
                expected_of(v, batch.held[w], rounded ? Rounding::nearest_even : Rounding::toward_zero),
                got[w], batch.what[w]);
    context.origin(fmt::format("xf32_inputs_{}", v.row.builtin_tail), rounded ? "rounded" : "truncated");
  }
}

bool add_all() {
  for (const Family family : families_gfx942)
    add({"SameBitsAsTheModel",
         std::string(name(family)),
         Check::run,
         {"CDNA-8.5"_claim},
         {Target::gfx942},
         [family](TestContext& t) { check_bits(t, family); }});
  return add({{"SameBitsAsTheModel",
               "XF32FromFullMantissas",
               Check::run,
               {"CDNA-8.5"_claim},
               {Target::gfx942},
               check_xf32_inputs}});
}

const bool added = add_all();

} // namespace
} // namespace cts::numerics
