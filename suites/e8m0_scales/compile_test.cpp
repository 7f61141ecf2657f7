// What the device compiler makes of the scaled builtins. Every answer is paired with a program that must get
// the other one.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"

#include <array>

namespace cts::e8m0_scales {
namespace {

using namespace literals;
using reference::Instruction;

const std::array<std::string, 2> builtins{"mfma_scale_f32_16x16x128_f8f6f4",
                                          "mfma_scale_f32_32x32x64_f8f6f4"};

/// The builtin with its format arguments replaced by `formats` ("4, 1").
std::string with_formats(const Instruction& i, const BuiltinTypes& types, const std::string& formats,
                         const std::string& kernel = "product") {
  std::string text = builtin_source(i, types, kernel);
  const std::string usual = "c[i], 0, 0, 0,";
  const auto at = text.find(usual);
  if (at == std::string::npos) throw Error("the scaled builtin is not called with '{}'", usual);
  return text.replace(at, usual.size(), fmt::format("c[i], {}, 0,", formats));
}

/// All 25 pairs of formats in one program; without the feature, and on gfx942, it is refused.
void check_presence(TestContext& context, const std::string& builtin) {
  const Instruction& i = reference::find_instruction(builtin);
  std::string all;
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b)
      all +=
          with_formats(i, types_of_builtin(i), fmt::format("{}, {}", a, b), fmt::format("pair_{}_{}", a, b));
  const std::string needs = "needs target feature gfx950-insts";
  expect_pair(context, {builtin + " with every pair of formats", all},
              {builtin + " without gfx950-insts", all, without_feature("gfx950-insts")}, needs);
  expect_pair(context, {builtin + " with formats 4 and 1", with_formats(i, types_of_builtin(i), "4, 1")},
              {"a format known at run time only", with_formats(i, types_of_builtin(i), "extra[0], 1")},
              "must be a constant integer|not a constant|no matching function");

  const Instruction& common = reference::find_instruction("mfma_f32_16x16x16f16");
  expect_equal(context, "FP16 16x16x16 on gfx942", std::string(),
               why_not_accepted(compile_device_text(builtin_source(common), Target::gfx942)));
  const Compilation on_gfx942 = compile_device_text(all, Target::gfx942);
  note(context, builtin + " on gfx942", on_gfx942);
  expect_equal(context, builtin + " on gfx942", std::string(), why_not_refused(on_gfx942, needs));
}

/// A and B are eight dwords, even of formats that need six or four.
void check_width(TestContext& context, const std::string& builtin) {
  const Instruction& i = reference::find_instruction(builtin);
  BuiltinTypes narrow_a = types_of_builtin(i), narrow_b = narrow_a;
  narrow_a.a = narrow_b.b = "int4";
  for (const char* formats : {"0, 0", "2, 3", "4, 4"})
    expect_refusals(
        context,
        {fmt::format("{} with formats {}", builtin, formats), with_formats(i, types_of_builtin(i), formats)},
        {{"four dwords of A", with_formats(i, narrow_a, formats)},
         {"four dwords of B", with_formats(i, narrow_b, formats)}},
        "cannot initialize|no matching function|assigning to|incompatible|not compatible|no viable "
        "conversion");
}

bool add_all() {
  for (const std::string& builtin : builtins) {
    const std::string suite = reference::short_name(reference::find_instruction(builtin));
    add({{.suite = suite,
          .name = "IsOnGfx950WithEveryPairOfFormats",
          .check = Check::compile,
          .claims = {"CDNA-2.6"_claim},
          .targets = {Target::gfx950},
          .body = [builtin](TestContext& t) { check_presence(t, builtin); }},
         {.suite = suite,
          .name = "TakesEightDwordsWhateverTheFormat",
          .check = Check::compile,
          .claims = {"CDNA-2.15"_claim},
          .targets = {Target::gfx950},
          .body = [builtin](TestContext& t) { check_width(t, builtin); }}});
  }
  return true;
}

const bool added = add_all();

} // namespace
} // namespace cts::e8m0_scales
