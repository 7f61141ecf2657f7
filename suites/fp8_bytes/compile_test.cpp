// What the device compiler makes of the FP8 builtins and of HIP's FP8 types. Every answer is paired with a
// program that must get the other one.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"

namespace cts::fp8_bytes {
namespace {

using namespace literals;
using reference::Type;

/// The eight builtins in one program; each is refused without its feature.
void check_builtins(TestContext& context) {
  Program all{"the FP8 and BF8 builtins", {}};
  std::vector<Program> gated;
  for (const auto& i : reference::instructions(reference::Kind::dense, context.target())) {
    if (i.a != Type::fp8 && i.a != Type::bf8) continue;
    all.text += builtin_source(i, types_of_builtin(i), std::string(i.builtin_tail));
    gated.push_back({std::string(i.builtin_tail) + " without fp8-insts", builtin_source(i),
                     without_feature("fp8-insts")});
  }
  expect_equal(context, "FP8 and BF8 builtins", std::size_t{8}, gated.size());
  expect_refusals(context, all, gated, "needs target feature fp8-insts");
}

/// A kernel that makes numbers of bytes and back by HIP's type `name`.
std::string source_of_type(const std::string& name) {
  return fmt::format(
      "#include <hip/hip_fp8.h>\n"
      "extern \"C\" __attribute__((global)) void convert(unsigned char* bytes, float* floats) {{\n"
      "  {0} number;\n"
      "  number.__x = bytes[0];\n"
      "  floats[0] = static_cast<float>(number);\n"
      "  bytes[1] = {0}(floats[1]).__x;\n"
      "}}\n",
      name);
}

/// The target's types in device code; the other target's are refused there.
void check_types(TestContext& context) {
  const bool fnuz = context.target() == Target::gfx942;
  for (const std::string type : {"__hip_fp8_e4m3", "__hip_fp8_e5m2"}) {
    const std::string here = type + (fnuz ? "_fnuz" : ""), other = type + (fnuz ? "" : "_fnuz");
    expect_pair(context, {here, source_of_type(here)}, {other, source_of_type(other)},
                "no matching constructor|call to __host__ function|reference to __host__ function|no "
                "matching conversion|no viable conversion");
  }
}

const bool added = add({
    {.suite = "Fp8Mfma",
     .name = "IsOnBothTargets",
     .check = Check::compile,
     .claims = {"CDNA-2.5"_claim},
     .body = check_builtins},
    {.suite = "HipTypes",
     .name = "AreTheTargetsEncodings",
     .check = Check::compile,
     .claims = {"CDNA-4.5"_claim},
     .body = check_types},
});

} // namespace
} // namespace cts::fp8_bytes
