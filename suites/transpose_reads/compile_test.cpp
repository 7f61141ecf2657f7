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
    {"__builtin_amdgcn_ds_read_tr16_b64_v4f16", "half4"},
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

/// Pointer and result are vectors of four FP16 values; vectors of four of something else, or of more, are
/// not.
void check_signature(TestContext& context) {
  const std::string builtin = "__builtin_amdgcn_ds_read_tr16_b64_v4f16";
  const auto program = [&](const char* pointee, const char* result) {
    return Program{fmt::format("a pointer to {}, a result {}", pointee, result),
                   transpose_read_source(builtin, pointee, result)};
  };
  expect_refusals(context, program("half4", "half4"),
                  {program("short4", "half4"), program("half4", "short4"), program("half8", "half4"),
                   program("half4", "half8")},
                  "cannot initialize|incompatible|assigning to|no viable conversion");
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
