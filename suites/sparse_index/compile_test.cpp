// What the device compiler makes of the sparse builtins: which exist, what they take. Every answer is paired
// with a program that must get the other one.
#include "suites/shared/builtin_source.hpp"
#include "suites/shared/compile_pair.hpp"

#include <algorithm>

namespace cts::sparse_index {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Kind;
using reference::Type;

bool is_fp8(const Instruction& i) { return i.a == Type::fp8 || i.a == Type::bf8; }

/// Those that exist on the target, in one program; each of them is refused without its feature, and the
/// others whatever happens. (The compiler stops at the first builtin whose feature is missing.)
void check_presence(TestContext& context, const std::function<bool(const Instruction&)>& chosen) {
  context.origin("compiler", device_compiler_version());
  std::string here;
  std::vector<std::vector<std::string>> seen;
  int present = 0;
  for (const Instruction& i : reference::instructions()) {
    if (i.kind != Kind::sparse || !chosen(i)) continue;
    if (reference::exists_on(i, context.target())) {
      here += builtin_source(i, types_of_builtin(i), std::string(i.builtin_tail));
      ++present;
      const auto gates = gates_of(i);
      if (std::ranges::count(seen, gates) != 0) continue; // one of those with the same gate
      seen.push_back(gates);
      const Program gated{fmt::format("{} without {}", reference::builtin_name(i), fmt::join(gates, ", ")),
                          builtin_source(i), without_features(gates)};
      expect_equal(context, gated.title, std::string(),
                   why_not_refused(compile_noted(context, gated), needs_one_of(gates)));
    } else {
      const Program absent{reference::builtin_name(i), builtin_source(i), {"-O0"}};
      expect_equal(context, absent.title, std::string(),
                   why_not_refused(compile_noted(context, absent), "needs target feature gfx950-insts"));
    }
  }
  const Compilation all =
      compile_noted(context, {fmt::format("{} sparse builtins in one program", present), here});
  expect_equal(context, fmt::format("{} sparse builtins of {}", present, name(context.target())),
               std::string(), why_not_accepted(all));
  context.compared();
  EXPECT_NE("", why_not_refused(all, "needs target feature")) << "accepted code passes for refused";
  context.metric("sparse_builtins_accepted", present);
}

/// SPARSE-1 counts them.
void check_fp8_presence(TestContext& context) {
  check_presence(context, is_fp8);
  const auto all = reference::instructions(Kind::sparse, context.target());
  expect_equal(context, "FP8 and BF8 sparse builtins", 8, std::ranges::count_if(all, is_fp8));
}

/// The claimed types, and each operand's replaced by one of another width.
void check_signature(TestContext& context, const std::string& builtin, const BuiltinTypes& types) {
  const Instruction& i = reference::find_instruction(builtin);
  const Program accepted{builtin, builtin_source(i, types)};
  const std::string diagnostic =
      "cannot initialize|no matching function|assigning to|incompatible|not compatible|no viable conversion";
  BuiltinTypes narrow_b = types, wide_a = types, other_d = types;
  wide_a.a = types.b;
  narrow_b.b = types.a;
  other_d.d = types.d == "float4" ? "float16" : "float4";
  expect_refusals(context, accepted,
                  {{"dense A", builtin_source(i, wide_a)},
                   {"B half as wide", builtin_source(i, narrow_b)},
                   {"C of another tile", builtin_source(i, other_d)}},
                  diagnostic);
}

void check_signatures(TestContext& context) {
  for (const char* types : {"fp8_fp8", "fp8_bf8", "bf8_fp8", "bf8_bf8"}) {
    check_signature(context, fmt::format("smfmac_f32_16x16x64_{}", types), {"int2", "int4", "float4"});
    check_signature(context, fmt::format("smfmac_f32_32x32x32_{}", types), {"int2", "int4", "float16"});
  }
}

/// `call` with the arguments after the index replaced.
std::string with_immediates(const Instruction& i, const std::string& immediates) {
  std::string text = builtin_source(i);
  const std::string usual = "extra[i], 0, 0)";
  const auto at = text.find(usual);
  if (at == std::string::npos) throw Error("the sparse builtin is not called with '{}'", usual);
  return text.replace(at, usual.size(), "extra[i], " + immediates + ")");
}

/// Two immediates, which are constants: no third one as the BLGP of a dense builtin.
void check_immediates(TestContext& context) {
  for (const char* builtin : {"smfmac_f32_16x16x32_f16", "smfmac_f32_16x16x64_fp8_fp8"}) {
    const Instruction& i = reference::find_instruction(builtin);
    const Program accepted{fmt::format("{} with CBSZ 1, ABID 3", builtin), with_immediates(i, "1, 3")};
    expect_pair(context, accepted, {"a third immediate", with_immediates(i, "1, 3, 0")},
                "too many arguments|no matching function");
    expect_pair(context, accepted, {"ABID known at run time only", with_immediates(i, "0, extra[0]")},
                "must be a constant integer|not a constant|no matching function");
  }
}

/// The tiled product of this suite's kernels, alone, and without the instruction that it is about.
void check_tiled_product(TestContext& context) {
  const std::string text = "#include \"suites/sparse_index/tiled_product.hip.hpp\"\n";
  expect_pair(context, {"tiled_product.hip.hpp", text},
              {"tiled_product.hip.hpp without fp8-insts", text, without_feature("fp8-insts")},
              "needs target feature fp8-insts");
}

const bool added = add({
    {.suite = "EverySmfmac",
     .name = "IsWhereItIsClaimed",
     .check = Check::compile,
     .claims = {"CDNA-2.9"_claim},
     .body = [](TestContext& t) { check_presence(t, [](const Instruction&) { return true; }); }},
    {.suite = "Fp8Smfmac",
     .name = "EightBuiltins",
     .check = Check::compile,
     .claims = {"SPARSE-1"_claim},
     .targets = {Target::gfx942},
     .body = check_fp8_presence},
    {.suite = "Fp8Smfmac",
     .name = "TakesTheClaimedTypes",
     .check = Check::compile,
     .claims = {"SPARSE-16"_claim},
     .targets = {Target::gfx942},
     .body = check_signatures},
    {.suite = "EverySmfmac",
     .name = "TakesTwoImmediates",
     .check = Check::compile,
     .claims = {"SPARSE-9"_claim},
     .body = check_immediates},
    {.suite = "SmfmacF32_16x16x64_FP8_FP8",
     .name = "TiledProductCompiles",
     .check = Check::compile,
     .claims = {"SPARSE-11"_claim},
     .targets = {Target::gfx942},
     .body = check_tiled_product},
});

} // namespace
} // namespace cts::sparse_index
