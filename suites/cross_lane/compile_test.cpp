// The permutes that compiler and assembler know: one index and one value of 32 bits.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"

namespace cts::cross_lane {
namespace {

using namespace literals;

Program call(const std::string& builtin, const std::string& arguments) {
  return {fmt::format("{}({})", builtin, arguments),
          fmt::format("#include \"common/hip/vectors.hip.hpp\"\n"
                      "CDNA_CTS_KERNEL k(int* out, int index, int value, int2 wide) {{\n"
                      "  (void)index, (void)value, (void)wide;\n"
                      "  out[lane_of_launch()] = {}({});\n"
                      "}}\n",
                      builtin, arguments)};
}

void check_permute(TestContext& context, const std::string& name) {
  const std::string builtin = "__builtin_amdgcn_ds_" + name;
  expect_refusals(context, call(builtin, "index, value"),
                  {call(builtin, "value"), call(builtin, "index, wide"), call(builtin, "out, value")},
                  "too few arguments|cannot initialize|no matching|incompatible");
  const std::string instruction = "ds_" + name;
  expect_refusals(context,
                  {instruction + "_b32", assembly_source({instruction + "_b32 v0, v1, v2 offset:65535"})},
                  {{instruction + "_b64", assembly_source({instruction + "_b64 v[0:1], v2, v[4:5]"})},
                   {"an offset of 17 bits", assembly_source({instruction + "_b32 v0, v1, v2 offset:65536"})}},
                  "invalid instruction|offset");
}

const bool added = add({
    {.suite = "DsBpermute",
     .name = "TakesAnIndexAndAValue",
     .check = Check::compile,
     .claims = {"CDNA-4.8"_claim},
     .body = [](TestContext& t) { check_permute(t, "bpermute"); }},
    {.suite = "DsPermute",
     .name = "TakesAnIndexAndAValue",
     .check = Check::compile,
     .claims = {"CDNA-4.9"_claim},
     .body = [](TestContext& t) { check_permute(t, "permute"); }},
});

} // namespace
} // namespace cts::cross_lane
