// Where the builtins exist, and the types that go with them.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"

namespace cts::transpose_reads {
namespace {

using namespace literals;

struct Builtin {
  const char *name, *type;
};
constexpr Builtin builtins[] = {
    {"__builtin_amdgcn_ds_read_tr4_b64_v2i32", "int2"},
    {"__builtin_amdgcn_ds_read_tr6_b96_v3i32", "int3"},
    {"__builtin_amdgcn_ds_read_tr8_b64_v2i32", "int2"},
    {"__builtin_amdgcn_ds_read_tr16_b64_v4i16", "short4"},
    {"__builtin_amdgcn_ds_read_tr16_b64_v4f16", "fp16x4"},
};

std::string source(const Builtin& builtin) {
  return transpose_read_source(builtin.name, builtin.type, builtin.type);
}

void check_refused(TestContext& context) {
  std::vector<Program> refused;
  for (const Builtin& builtin : builtins) refused.push_back({builtin.name, source(builtin)});
  expect_refusals(context, {"a plain read", assembly_source({"ds_read_b64 v[0:1], v2"})}, refused,
                  "needs target feature gfx950-insts");
}

void check_accepted(TestContext& context) {
  for (const Builtin& builtin : builtins) {
    const Program without{std::string(builtin.name) + " without its feature",
                          source(builtin),
                          {"-Xclang", "-target-feature", "-Xclang", "-gfx950-insts"}};
    expect_pair(context, {builtin.name, source(builtin)}, without, "needs target feature gfx950-insts");
  }
}

/// A kernel that hands a pointer to four `item`s to the FP16 builtin, and asserts that four `result`s come
/// back. An assignment would not tell: vectors of one size convert into each other.
Program fp16_read(const std::string& item, const std::string& result, int count = 4) {
  return {fmt::format("a pointer to {} x {}, a result of {}", count, item, result),
          fmt::format("#include \"common/hip/vectors.hip.hpp\"\n"
                      "typedef {0} Chunk __attribute__((ext_vector_type({2})));\n"
                      "CDNA_CTS_KERNEL k(Chunk* out) {{\n"
                      "  __attribute__((shared)) static Chunk tile[64];\n"
                      "  auto* const chunk = reinterpret_cast<__attribute__((address_space(3))) Chunk*>(\n"
                      "      reinterpret_cast<__UINTPTR_TYPE__>(&tile[lane_of_launch() % 64]));\n"
                      "  const auto read = __builtin_amdgcn_ds_read_tr16_b64_v4f16(chunk);\n"
                      "  static_assert(__is_same(__typeof__(read[0]), const {1}) && sizeof(read) == 8);\n"
                      "  static_cast<void>(out);\n"
                      "}}\n",
                      item, result, count)};
}

void check_signature(TestContext& context) {
  const Program right = fp16_read("__fp16", "__fp16");
  expect_refusals(
      context, right,
      {fp16_read("_Float16", "__fp16"), fp16_read("short", "__fp16"), fp16_read("__fp16", "__fp16", 8)},
      "cannot initialize a parameter|no matching function");
  expect_refusals(context, right, {fp16_read("__fp16", "_Float16"), fp16_read("__fp16", "short")},
                  "static assertion failed");
}

const bool added = add({
    {"TransposeReads", "AreRefused", Check::compile, {"CDNA-5.9"_claim}, {Target::gfx942}, check_refused},
    {"TransposeReads", "AreAccepted", Check::compile, {"CDNA-5.10"_claim}, {Target::gfx950}, check_accepted},
    {"DsReadB64_TrB16",
     "ReadsAndReturnsFourFp16",
     Check::compile,
     {"CDNA-5.11"_claim},
     {Target::gfx950},
     check_signature},
});

} // namespace
} // namespace cts::transpose_reads
