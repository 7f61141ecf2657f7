// Which sizes, pointers and offsets compiler and assembler take. Every refusal stands beside what is
// accepted.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"

namespace cts::direct_to_lds {
namespace {

using namespace literals;

/// A kernel with one call of a builtin for each of `sizes`, in the global or the buffer form; sizes and
/// offset are C++ expressions.
std::string copies(bool buffer, const std::vector<std::string>& sizes, const std::string& offset = "0") {
  std::string text = "#include \"common/hip/kernel.hip.hpp\"\n"
                     "CDNA_CTS_KERNEL product(unsigned char* source, unsigned bytes) {\n"
                     "  __attribute__((shared)) static unsigned tile[64 * 4];\n"
                     "  (void)bytes;\n";
  if (buffer)
    text +=
        "  __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc(source, 0, bytes, 0x27000);\n";
  for (const std::string& size : sizes)
    text += fmt::format(
        fmt::runtime(buffer ? "  __builtin_amdgcn_raw_ptr_buffer_load_lds(buffer, {}, {}, 0, 0, {}, 0);\n"
                            : "  __builtin_amdgcn_global_load_lds(source, {}, {}, {}, 0);\n"),
        "(__attribute__((address_space(3))) void*)tile", size, offset);
  return text + "}\n";
}

void check_builtin_sizes(TestContext& context, bool buffer) {
  std::vector<std::string> taken{"1", "2", "4"}, refused{"3", "8"};
  std::vector<std::string>& wide = context.target() == Target::gfx950 ? taken : refused;
  wide.insert(wide.end(), {"12", "16"});
  std::vector<Program> bad;
  for (const std::string& size : refused) bad.push_back({size + " bytes", copies(buffer, {size})});
  expect_refusals(context, {fmt::format("{} bytes", fmt::join(taken, ", ")), copies(buffer, taken)}, bad,
                  "invalid size value");
}

/// The instruction of each form with this suffix.
std::string global(const std::string& suffix, int offset = 0) {
  return fmt::format("global_load_lds_{} v[0:1], off offset:{}", suffix, offset);
}
std::string buffer(const std::string& suffix) {
  return fmt::format("buffer_load_{} v0, s[4:7], 0 offen lds", suffix);
}

void check_assembler_sizes(TestContext& context) {
  const bool wide = context.target() == Target::gfx950;
  std::vector<std::string> taken;
  std::vector<Program> refused;
  for (const std::string& line : {global("dwordx2"), buffer("dwordx2")})
    refused.push_back({line, assembly_source({line})});
  for (const char* suffix : {"ubyte", "sbyte", "ushort", "sshort", "dword", "dwordx3", "dwordx4"})
    for (const std::string& line : {global(suffix), buffer(suffix)}) {
      const bool is_wide = std::string_view(suffix).size() > 6;
      if (!is_wide || wide)
        taken.push_back(line);
      else
        refused.push_back({line, assembly_source({line})});
    }
  expect_refusals(context, {fmt::format("{} instructions", taken.size()), assembly_source(taken)}, refused,
                  "invalid instruction|invalid operand|not supported on this GPU");
}

/// The two that are the same for all lanes by being part of the instruction.
void check_constants(TestContext& context) {
  for (const bool form : {false, true})
    expect_refusals(context, {form ? "constants, buffer form" : "constants", copies(form, {"4"}, "16")},
                    {{"a size of run time", copies(form, {"bytes"})},
                     {"an offset of run time", copies(form, {"4"}, "bytes")}},
                    "must be a constant integer");
}

/// The offset that is added on both sides has 13 bits and a sign.
void check_offset(TestContext& context) {
  std::vector<Program> refused;
  for (const int offset : {-4097, 4096})
    refused.push_back({fmt::format("offset {}", offset), assembly_source({global("dword", offset)})});
  expect_refusals(
      context, {"offsets -4096 and 4095", assembly_source({global("dword", -4096), global("dword", 4095)})},
      refused, "offset");
}

const bool added = add({
    {.suite = "Sizes",
     .name = "GlobalBuiltinTakesThoseOfTheTarget",
     .check = Check::compile,
     .claims = {"CDNA-5.3"_claim, "CDNA-5.6"_claim},
     .body = [](TestContext& t) { check_builtin_sizes(t, false); }},
    {.suite = "Sizes",
     .name = "BufferBuiltinTakesThoseOfTheTarget",
     .check = Check::compile,
     .claims = {"CDNA-5.3"_claim, "CDNA-5.6"_claim},
     .body = [](TestContext& t) { check_builtin_sizes(t, true); }},
    {.suite = "Sizes",
     .name = "AssemblerTakesThoseOfTheTarget",
     .check = Check::compile,
     .claims = {"CDNA-5.3"_claim},
     .body = check_assembler_sizes},
    {.suite = "Base",
     .name = "SizeAndOffsetAreConstants",
     .check = Check::compile,
     .claims = {"CDNA-5.6"_claim},
     .body = check_constants},
    {.suite = "Base",
     .name = "OffsetHasItsRange",
     .check = Check::compile,
     .claims = {"CDNA-5.6"_claim},
     .body = check_offset},
});

} // namespace
} // namespace cts::direct_to_lds
