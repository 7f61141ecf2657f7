// What the device compiler accepts and refuses on each target: every matrix builtin, and the builtins that
// two claims describe in words. Each answer is paired with a program that must get the other one.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"
#include "suites/target_support/claimed.hpp"

#include <algorithm>

namespace cts::target_support {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Kind;
using reference::Type;

const std::vector<Target> both(all_targets.begin(), all_targets.end()), only_gfx950{Target::gfx950};

const Instruction& fp16_16x16x16() { return reference::find_instruction("mfma_f32_16x16x16f16"); }

Program program_of(const Instruction& i) { return {reference::builtin_name(i), builtin_source(i)}; }

constexpr const char* missing = "needs target feature gfx950-insts|Cannot select";

/// Where the instruction exists: accepted, and refused for want of its feature and for a target that lacks
/// it. Where it does not: refused, by the front end for its feature or by instruction selection, beside the
/// common FP16 builtin, which is accepted.
void check_presence(TestContext& context, const Instruction& i) {
  const Program program = program_of(i);
  if (reference::exists_on(i, context.target())) {
    Program gated = program;
    const auto gates = gates_of(i);
    gated.title += fmt::format(" without {}", fmt::join(gates, ", "));
    gated.options = without_features(gates);
    expect_pair(context, program, gated, needs_one_of(gates));
    for (const Target other : all_targets)
      if (!reference::exists_on(i, other)) {
        const std::string title = fmt::format("{} for {}", program.title, name(other));
        const Compilation there = compile_device_text(program.text, other);
        note(context, title, there);
        expect_equal(context, title, std::string(), why_not_refused(there, missing));
      }
  } else {
    expect_pair(context, program_of(fp16_16x16x16()), program, missing);
  }
}

/// A type that a builtin must not take in the place of one that it takes.
void check_signature(TestContext& context, const Instruction& i, const BuiltinTypes& wrong) {
  const std::string diagnostic =
      "cannot initialize|no matching function|assigning to|incompatible|not compatible|no viable conversion";
  if (!reference::exists_on(i,
                            context.target())) { // refused whatever the types: nothing to learn of them here
    check_presence(context, i);
    return;
  }
  expect_pair(context, program_of(i),
              {reference::builtin_name(i) + " of other types", builtin_source(i, wrong)}, diagnostic);
}

/// Which of the two FP16 types vectors for the builtin may have is the compiler version's own choice: kept,
/// not judged. One of them it must take, and no vector of another size.
void check_fp16_type(TestContext& context) {
  const auto accepted = [&](const std::string& item) {
    const std::string type = fmt::format("typedef {} item4 __attribute__((ext_vector_type(4)));\n", item);
    return compile_noted(context, {"vectors of " + item,
                                   type + builtin_source(fp16_16x16x16(), {"item4", "item4", "float4"})})
        .accepted;
  };
  const bool by_storage = accepted("__fp16"), by_arithmetic = accepted("_Float16");
  expect_equal(context, "an FP16 type is accepted", true, by_storage || by_arithmetic);
  expect_equal(context, "float is accepted", false, accepted("float"));
}

struct TransposeRead {
  const char *builtin, *type, *other;
};
/// The transpose reads by element width. The FP16 one takes and returns __fp16.
constexpr TransposeRead transpose_reads[] = {
    {"__builtin_amdgcn_ds_read_tr4_b64_v2i32", "int2", "int4"},
    {"__builtin_amdgcn_ds_read_tr6_b96_v3i32", "int3", "int2"},
    {"__builtin_amdgcn_ds_read_tr8_b64_v2i32", "int2", "int4"},
    {"__builtin_amdgcn_ds_read_tr16_b64_v4f16", "fp16x4", "int2"},
};

void check_transpose_read(TestContext& context, const TransposeRead& read) {
  const Program program{read.builtin, transpose_read_source(read.builtin, read.type, read.type)};
  if (context.target() == Target::gfx950)
    expect_pair(context, program,
                {std::string(read.builtin) + " of another type",
                 transpose_read_source(read.builtin, read.other, read.other)},
                "cannot initialize|incompatible|assigning to|no viable conversion");
  else
    expect_pair(context, program_of(fp16_16x16x16()), program, "needs target feature gfx950-insts");
}

/// Claims about `target` that a builtin's presence or absence bears on.
std::vector<ClaimId> claims_about(const Instruction& i, Target target) {
  std::vector<ClaimId> claims;
  for (const Claimed& c : claimed())
    if (std::ranges::count(c.builtins, i.builtin_tail) != 0 && std::ranges::count(c.targets, target) != 0)
      claims.push_back(c.claim);
  if (i.builtin_tail == "mfma_f32_16x16x16f16") claims.push_back("LLVM-3.1"_claim);
  if (i.builtin_tail == "mfma_f32_16x16x32_f16") claims.push_back("LLVM-3.2"_claim);
  if (i.kind == Kind::f8f6f4) claims.push_back("LLVM-3.3"_claim);
  if (i.a == Type::xf32 && target == Target::gfx950) claims.push_back("CDNA-2.8"_claim);
  if (i.builtin_tail == "mfma_f32_16x16x16f16" || i.builtin_tail == "mfma_f32_16x16x32_f16" ||
      i.kind == Kind::f8f6f4)
    claims.push_back("CDNA-7.1"_claim);
  return claims;
}

/// All matrix builtins of both targets: those of this target in one accepted program; each of the others
/// refused, one by one, because the compiler stops at the first builtin whose feature is missing.
void check_inventory(TestContext& context) {
  context.origin("compiler", device_compiler_version());
  std::string here;
  int present = 0, missing = 0;
  for (const Instruction& i : reference::instructions()) {
    if (reference::exists_on(i, context.target())) {
      here += builtin_source(i, types_of_builtin(i), std::string(i.builtin_tail));
      ++present;
    } else if (i.a != Type::xf32) { // that one passes the front end, and has a test of its own
      ++missing;
      const Program absent{reference::builtin_name(i), builtin_source(i), {"-O0"}};
      expect_equal(context, absent.title, std::string(),
                   why_not_refused(compile_noted(context, absent), "needs target feature gfx950-insts"));
    }
  }
  const Compilation all = compile_noted(context, {fmt::format("{} builtins in one program", present), here});
  expect_equal(context, fmt::format("{} builtins of {}", present, name(context.target())), std::string(),
               why_not_accepted(all));
  context.compared();
  EXPECT_NE("", why_not_refused(all, "needs target feature gfx950-insts"))
      << "accepted code passes for refused";
  context.metric("matrix_builtins_accepted", present);
  context.metric("matrix_builtins_refused", missing);
}

bool add_all() {
  for (const Instruction& i : reference::instructions())
    for (const Target target : all_targets) {
      const bool alike = reference::exists_on(i, Target::gfx942) == reference::exists_on(i, Target::gfx950);
      if (alike && target == Target::gfx950) continue; // one test, of both targets
      if (const auto claims = claims_about(i, target); !claims.empty())
        add({reference::short_name(i), reference::exists_on(i, target) ? "IsAccepted" : "IsRefused",
             Check::compile, claims, alike ? both : std::vector<Target>{target},
             [&i](TestContext& t) { check_presence(t, i); }});
    }
  for (const TransposeRead& read : transpose_reads)
    add({"TransposeReads",
         read.builtin + sizeof "__builtin_amdgcn_" - 1,
         Check::compile,
         {"LLVM-3.4"_claim, "CDNA-7.1"_claim},
         both,
         [&read](TestContext& t) { check_transpose_read(t, read); }});
  return add({
      {"MatrixBuiltins", "InventoryCompiles", Check::compile, {"CDNA-8.2"_claim}, both, check_inventory},
      {"MfmaF32_16x16x16_F16",
       "TakesFourGivesFour",
       Check::compile,
       {"LLVM-3.1"_claim},
       both,
       [](TestContext& t) {
         check_signature(t, fp16_16x16x16(), {"half8", "half8", "float4"});
       }},
      {"MfmaF32_16x16x16_F16",
       "TakesVectorsOfFp16",
       Check::compile,
       {"LLVM-3.1"_claim},
       both,
       check_fp16_type},
      {"MfmaF32_16x16x32_F16",
       "TakesEightGivesFour",
       Check::compile,
       {"LLVM-3.2"_claim},
       both,
       [](TestContext& t) {
         check_signature(t, reference::find_instruction("mfma_f32_16x16x32_f16"),
                         {"half4", "half4", "float4"});
       }},
      {"MfmaF32_16x16x128_F8F6F4",
       "TakesEightDwords",
       Check::compile,
       {"LLVM-3.3"_claim},
       both,
       [](TestContext& t) {
         check_signature(t, reference::find_instruction("mfma_scale_f32_16x16x128_f8f6f4"),
                         {"int4", "int4", "float4"});
       }},
  });
}

const bool added = add_all();

} // namespace
} // namespace cts::target_support
