// What the permute builtins become, and that they reserve no LDS.
#include "suites/shared/emitted_code.hpp"

#include <algorithm>

namespace cts::cross_lane {
namespace {

using namespace literals;
using codeobject::Instruction;

/// The LDS instructions of a kernel.
std::vector<std::string> lds_instructions(const std::vector<Instruction>& code) {
  std::vector<std::string> found;
  for (const Instruction& i : code)
    if (i.mnemonic.starts_with("ds_")) found.emplace_back(i.mnemonic);
  return found;
}

void check_instruction(TestContext& context, const std::string& kernel, const std::string& other) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "cross_lane", opt);
    const std::vector<std::string> wanted{fmt::format("ds_{}_b32", kernel)};
    expect_emitted(context, fmt::format("{} at {}", kernel, opt), wanted,
                   lds_instructions(code_of(object, kernel)));
    EXPECT_NE(wanted, lds_instructions(code_of(object, other))) << "not told apart: " << other;
  }
}

void check_no_lds(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "cross_lane", opt);
    const auto bytes = [&](std::string_view kernel) {
      const auto found = std::ranges::find(object.kernels, kernel, &codeobject::Kernel::name);
      if (found == object.kernels.end()) throw Error("no kernel {} in the code object", kernel);
      return found->group_segment_fixed_size;
    };
    for (const char* kernel : {"bpermute", "permute", "bpermute_20", "permute_20"})
      expect_equal(context, fmt::format("LDS of {} at {}", kernel, opt), 0u, bytes(kernel));
    expect_equal(context, "LDS of a kernel with LDS of its own", 256u, bytes("permutes_beside_lds"));
  }
}

const bool added = add({
    {.suite = "DsBpermute",
     .name = "IsWhatItsBuiltinEmits",
     .check = Check::code,
     .claims = {"CDNA-4.8"_claim},
     .body = [](TestContext& t) { check_instruction(t, "bpermute", "permute"); }},
    {.suite = "DsPermute",
     .name = "IsWhatItsBuiltinEmits",
     .check = Check::code,
     .claims = {"CDNA-4.9"_claim},
     .body = [](TestContext& t) { check_instruction(t, "permute", "bpermute"); }},
    {.suite = "Permutes",
     .name = "ReserveNoLds",
     .check = Check::code,
     .claims = {"CDNA-4.11"_claim},
     .body = check_no_lds},
});

} // namespace
} // namespace cts::cross_lane
