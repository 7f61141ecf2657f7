// What the device compiler accepts and refuses: operand widths, targets, wave size. Each refusal is paired
// with an acceptable file, of which the same check must say that it was accepted.
#include "common/error.hpp"
#include "runners/codeobject/code_object.hpp"
#include "suites/shared/compile_pair.hpp"

#include <span>

namespace cts::lane_ownership {
namespace {

using namespace literals;

const std::filesystem::path folder = CDNA_CTS_SUITE_FOLDER;
const std::string k16_file = "accepted/mfma_f32_16x16x16_f16.hip",
                  k32_file = "accepted/mfma_f32_16x16x32_f16.hip";

void expect_accepted(TestContext& context, const std::string& file, const std::string& refused_twin) {
  context.origin("compiler", device_compiler_version());
  const Compilation compilation = compile_device(folder / file, context.target());
  note(context, file, compilation);
  expect_equal(context, file, std::string(), why_not_accepted(compilation));
  // The same question about a file that must not compile has to have another answer.
  context.compared();
  EXPECT_NE("", why_not_accepted(compile_device(folder / refused_twin, context.target()))) << refused_twin;
}

void expect_refused(TestContext& context, const std::string& file, const std::string& diagnostic,
                    const std::string& accepted_twin, const std::vector<std::string>& options = {}) {
  context.origin("compiler", device_compiler_version());
  const Compilation compilation = compile_device(folder / file, context.target(), options);
  note(context, file, compilation);
  context.origin("refused_by", std::string(name(compilation.refused_by)));
  context.origin("diagnostic", compilation.diagnostic);
  expect_equal(context, file, std::string(), why_not_refused(compilation, diagnostic));
  context.compared(2);
  EXPECT_EQ(0u, why_not_refused(compile_device(folder / accepted_twin, context.target()), diagnostic)
                    .find("was accepted"))
      << accepted_twin;
  if (!compilation.accepted) {
    EXPECT_EQ(0u, why_not_refused(compilation, "no compiler says this").find("was refused with"));
  }
}

/// The width of an argument or result is wrong, in the words of clang 21 to 24.
const std::string wrong_width =
    "cannot initialize|no matching function|assigning to|incompatible|not compatible|no viable conversion";

void check_wave_size(TestContext& context, const std::vector<std::string>& options) {
  context.origin("compiler", device_compiler_version());
  const Compilation compilation = compile_device(folder / k16_file, context.target(), options);
  note(context, fmt::format("{} {}", k16_file, fmt::join(options, " ")), compilation);
  if (!compilation.accepted) { // refusing the option keeps the claim as well as ignoring it does
    context.observe(fmt::format("{} is refused: {}", fmt::join(options, " "), compilation.diagnostic));
    expect_equal(context, "built", std::string(), why_not_refused(compilation, "wavefront"));
    return;
  }
  const auto object = codeobject::read_code_object(std::as_bytes(std::span(compilation.code_object)),
                                                   k16_file, codeobject::find_tools());
  ASSERT_EQ(1u, object.kernels.size());
  expect_equal(context, "lanes of a wave in the kernel's metadata", 64u, object.kernels[0].wavefront_size);
}

const std::vector<Target>
    both(all_targets.begin(), all_targets.end()), only_gfx942{Target::gfx942}, only_gfx950{Target::gfx950};

const bool added = add({
    {"Wave",
     "WideWaveIsTheDefault",
     Check::compile,
     {"CDNA-1.1"_claim},
     both,
     [](TestContext& t) { check_wave_size(t, {}); }},
    {"Wave",
     "NoOptionMakesItNarrower",
     Check::compile,
     {"CDNA-1.1"_claim},
     both,
     [](TestContext& t) { check_wave_size(t, {"-mno-wavefrontsize64"}); }},
    {"Wave",
     "Wave32IsRefused",
     Check::compile,
     {"CDNA-1.1"_claim},
     both,
     [](TestContext& t) { expect_refused(t, "refused/wave32.hip", "wavefrontsize32", k16_file); }},

    {"MfmaF32_16x16x16_F16",
     "TakesFourGivesFour",
     Check::compile,
     {"CDNA-2.10"_claim, "CDNA-A.1"_claim},
     both,
     [](TestContext& t) { expect_accepted(t, k16_file, "refused/eight_halves_into_16x16x16.hip"); }},
    {"MfmaF32_16x16x16_F16",
     "RefusesEightHalves",
     Check::compile,
     {"CDNA-2.10"_claim},
     both,
     [](TestContext& t) {
       expect_refused(t, "refused/eight_halves_into_16x16x16.hip", wrong_width, k16_file);
     }},
    {"MfmaF32_16x16x16_F16",
     "RefusesSixteenOutputs",
     Check::compile,
     {"CDNA-A.1"_claim, "CDNA-2.10"_claim},
     both,
     [](TestContext& t) {
       expect_refused(t, "refused/sixteen_outputs_of_16x16x16.hip", wrong_width, k16_file);
     }},

    {"MfmaF32_16x16x32_F16",
     "TakesEightGivesFour",
     Check::compile,
     {"CDNA-2.10"_claim},
     only_gfx950,
     [](TestContext& t) { expect_accepted(t, k32_file, "refused/four_halves_into_16x16x32.hip"); }},
    {"MfmaF32_16x16x32_F16",
     "RefusesFourHalves",
     Check::compile,
     {"CDNA-2.10"_claim},
     only_gfx950,
     [](TestContext& t) {
       expect_refused(t, "refused/four_halves_into_16x16x32.hip", wrong_width, k32_file);
     }},
    {"MfmaF32_16x16x32_F16",
     "IsRefusedOnGfx942",
     Check::compile,
     {"CDNA-2.10"_claim},
     only_gfx942,
     [](TestContext& t) {
       expect_refused(t, k32_file, "needs target feature gfx950-insts|Cannot select|not supported", k16_file);
     }},
});

} // namespace
} // namespace cts::lane_ownership
