// Whether the compiler waits by itself for a copy into LDS before the same wave reads there.
#include "common/compile_check.hpp"
#include "suites/memory_completion/waits.hpp"
#include "suites/shared/emitted_code.hpp"

#include <span>

namespace cts::memory_completion {
namespace {

using namespace literals;

/// One wave copies into a tile and reads it, with nothing in between; or into the first of two tiles, and
/// reads the second before the first.
const std::string one_tile = "  __attribute__((shared)) static unsigned tile[64];\n"
                             "  __builtin_amdgcn_global_load_lds(in + i, (LdsVoid*)tile, 4, 0, 0);\n"
                             "  out[i] = tile[i ^ 1];\n";
const std::string two_tiles = "  __attribute__((shared)) static unsigned tile[64], other[64];\n"
                              "  other[i] = i;\n"
                              "  __builtin_amdgcn_global_load_lds(in + i, (LdsVoid*)tile, 4, 0, 0);\n"
                              "  out[i] = other[i ^ 1];\n"
                              "  __builtin_amdgcn_sched_barrier(0);\n"
                              "  out[64 + i] = tile[i ^ 1];\n";

Code emitted(TestContext& context, const std::string& body, const std::vector<std::string>& options) {
  const std::string source = "#include \"common/hip/kernel.hip.hpp\"\n"
                             "typedef __attribute__((address_space(3))) void LdsVoid;\n"
                             "CDNA_CTS_KERNEL k(unsigned* in, unsigned* out) {\n"
                             "  const unsigned i = __builtin_amdgcn_workitem_id_x();\n" +
                             body + "}\n";
  const Compilation compilation = compile_device_text(source, context.target(), options);
  if (!compilation.accepted) throw Error("the copy does not compile: {}", why_not_accepted(compilation));
  return code_of(codeobject::read_code_object(std::as_bytes(std::span(compilation.code_object)), "copy",
                                              codeobject::find_tools()),
                 "k");
}

/// Whether the last read of LDS comes after a wait for the copy.
bool waits_for_copy(const Code& code) {
  const std::size_t copy = find(code, "global_load_lds");
  std::size_t read = find(code, "ds_read", copy);
  for (std::size_t n = read; n < code.size(); ++n)
    if (code[n].mnemonic.starts_with("ds_read")) read = n;
  return waited_for(code, copy, read, Counter::vm);
}

void check_by_aliasing(TestContext& context) {
  context.origin("compiler", device_compiler_version());
  for (const auto opt : optimisations) {
    const std::string level = fmt::format("-{}", opt);
    const Code two = emitted(context, two_tiles, {level}),
               one = emitted(context, one_tile, {level, "-fno-strict-aliasing"});
    expect_equal(context, "two tiles " + level, true, waits_for_copy(two));
    expect_equal(context, "one tile " + level + " -fno-strict-aliasing", true, waits_for_copy(one));
    EXPECT_FALSE(waits_for_copy(without_waits(two))) << "not noticed: no wait";
    EXPECT_FALSE(waits_for_copy(weakened(one, Counter::vm, 63))) << "not noticed: a wait for lgkmcnt alone";
  }
}

/// The usual options, which let the compiler use the types of what is accessed.
void check_one_tile(TestContext& context) {
  context.origin("compiler", device_compiler_version());
  std::vector<std::string> missing;
  for (const auto opt : optimisations) {
    const std::string level = fmt::format("-{}", opt);
    context.compared();
    const bool waits = waits_for_copy(emitted(context, one_tile, {level}));
    context.fact("vmcnt wait before a read of the only tile at " + level, waits ? "there" : "missing");
    if (!waits) missing.push_back(level);
    expect_equal(context, level + " -fno-strict-aliasing", true,
                 waits_for_copy(emitted(context, one_tile, {level, "-fno-strict-aliasing"})));
  }
  if (!missing.empty())
    context.known_violation(fmt::format("no vmcnt wait between a copy into LDS and the read of it at {}; "
                                        "-fno-strict-aliasing brings it back",
                                        fmt::join(missing, " ")),
                            "https://github.com/llvm/llvm-project/pull/170660");
}

const bool added = add({
    {.suite = "CopyIntoLds",
     .name = "IsTrackedByAliasing",
     .check = Check::code,
     .claims = {"LLVM-6.1"_claim},
     .body = check_by_aliasing},
    {.suite = "CopyIntoLds",
     .name = "IsWaitedForWithUsualOptions",
     .check = Check::code,
     .claims = {"CDNA-5.8"_claim, "LLVM-6.1"_claim},
     .body = check_one_tile},
});

} // namespace
} // namespace cts::memory_completion
