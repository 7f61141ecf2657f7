// Wait states behind FP16 16x16x16, the claims' own example, found by asking at every spacing.
#include "suites/mfma_hazards/mir_support.hpp"

namespace cts::mfma_hazards {
namespace {

using namespace literals;
using mir::Matrix;
using mir::with_accumulators;

constexpr int c_overwritten_after = 3;

void check_exact_c(TestContext& context) {
  std::vector<Asked> asked;
  for (const bool accumulators : {false, true}) {
    const Matrix first = placed(first_of(f16), accumulators), second = placed(second_of(f16), accumulators);
    Matrix chained = reading_d_as_c(second, first);
    asked.push_back({fmt::format("C is D, {}", file(accumulators)), pair_of(first, chained), 0});
    chained.d = chained.c;
    asked.push_back({fmt::format("C and D are D, {}", file(accumulators)), pair_of(first, chained), 0});
    asked.push_back({fmt::format("C begins two registers later, {}", file(accumulators)),
                     pair_of(first, reading_d_as_c(second, first, 2)), partial_c.on(context.target())});
  }
  check_thresholds(context, asked);
}

void check_partial_c(TestContext& context) {
  const int needs = partial_c.on(context.target());
  std::vector<Asked> asked;
  for (const bool accumulators : {false, true}) {
    const Matrix first = placed(first_of(f16), accumulators);
    const Matrix second = placed(second_of(f16), accumulators),
                 wide = placed(second_of(f16_large), accumulators);
    const auto ask = [&](const char* what, const Matrix& reader) {
      asked.push_back({fmt::format("{}, {}", what, file(accumulators)), pair_of(first, reader), needs});
    };
    ask("C begins two later", reading_d_as_c(second, first, 2));
    ask("C begins two earlier", reading_d_as_c(second, first, -2));
    ask("C begins with D and is longer", reading_d_as_c(wide, first));
    ask("C begins earlier and is longer", reading_d_as_c(wide, first, -8));
  }
  check_thresholds(context, asked);
}

void check_a_and_b(TestContext& context) {
  const int needs = to_ab.on(context.target());
  std::vector<Asked> asked;
  for (const bool accumulators : {false, true}) {
    const Matrix first = placed(first_of(f16), accumulators);
    for (const std::string_view reader : {f16, f32, std::string_view("mfma_f64_4x4x4f64")}) {
      const Matrix second = placed(second_of(reader), accumulators);
      const int last = first.d.first + first.d.count - second.a.count;
      asked.push_back({fmt::format("A of {}, {}", reader, file(accumulators)),
                       pair_of(first, with_a(second, first.d.first)), needs});
      asked.push_back({fmt::format("B of {}, {}", reader, file(accumulators)),
                       pair_of(first, with_b(second, last)), needs});
    }
  }
  check_thresholds(context, asked);
}

/// What is behind a matrix instruction and says how many passes it has, and of which unit it is.
struct Profile {
  int c_overwritten, to_ab, c_of_xdl, c_of_sgemm;
};

Profile profile_of(Target target, std::string_view builtin) {
  const Matrix first = first_of(builtin);
  const std::vector<mir::Pair> pairs{
      {mir::line(first), fmt::format("{} = V_MOV_B32_e32 0, implicit $exec", mir::name({first.c.first, 1}))},
      pair_of(first, with_a(second_of(f16), first.d.first)),
      pair_of(first, reading_d_as_c(second_of(f16), first, 2)),
      pair_of(first, reading_d_as_c(second_of(f32), first, 2))};
  const auto sweeps = mir::sweep(target, pairs);
  return {sweeps[0].needed(), sweeps[1].needed(), sweeps[2].needed(), sweeps[3].needed()};
}

/// XDL of P passes: C may be overwritten P - 1 wait states later, A and B wait P + 3, C of XDL and of SGEMM P
/// + 1, the last three one more on gfx950. SGEMM: C may be overwritten at once, and XDL's C waits for
/// nothing.
void check_unit_and_passes(TestContext& context) {
  note_compiler(context);
  const int later = context.target() == Target::gfx950 ? 1 : 0;
  const auto expect_xdl = [&](std::string_view builtin, int passes) {
    const Profile p = profile_of(context.target(), builtin);
    expect_equal(context, fmt::format("{}: passes by its C", builtin), passes, p.c_overwritten + 1);
    expect_equal(context, fmt::format("{}: passes by A", builtin), passes, p.to_ab - 3 - later);
    expect_equal(context, fmt::format("{}: passes by XDL's C", builtin), passes, p.c_of_xdl - 1 - later);
    expect_equal(context, fmt::format("{}: passes by SGEMM's C", builtin), passes, p.c_of_sgemm - 1 - later);
    context.metric(fmt::format("passes_{}", builtin), p.c_overwritten + 1);
  };
  expect_xdl(f16, 4);
  expect_xdl(f16_large, 8);
  const Profile sgemm = profile_of(context.target(), f32);
  expect_equal(context, "SGEMM's C overwritten", 0, sgemm.c_overwritten);
  expect_equal(context, "XDL's C behind SGEMM", 0, sgemm.c_of_xdl);
  expect_equal(context, "SGEMM's passes by A", 8, sgemm.to_ab - 2);
}

void check_three_windows(TestContext& context) {
  const int access = to_ab.on(context.target());
  std::vector<Asked> asked;
  const Matrix first = first_of(f16), in_accumulators = with_accumulators(first);
  const std::string mov = "{} = V_MOV_B32_e32 0, implicit $exec";
  for (const int part : {0, 3}) {
    const std::string c = mir::name({first.c.first + part, 1}), d = mir::name({first.d.first + part, 1});
    asked.push_back({fmt::format("C[{}] overwritten", part),
                     {mir::line(first), fmt::format(fmt::runtime(mov), c)},
                     c_overwritten_after});
    asked.push_back({fmt::format("D[{}] overwritten", part),
                     {mir::line(first), fmt::format(fmt::runtime(mov), d)},
                     access});
    asked.push_back({fmt::format("D[{}] read", part),
                     {mir::line(first), fmt::format("$vgpr200 = V_MOV_B32_e32 {}, implicit $exec", d)},
                     access});
    asked.push_back(
        {fmt::format("AccVGPR C[{}] overwritten", part),
         {mir::line(in_accumulators), fmt::format("{} = V_ACCVGPR_WRITE_B32_e64 $vgpr200, implicit $exec",
                                                  mir::name({in_accumulators.c.first + part, 1}))},
         c_overwritten_after});
  }
  check_thresholds(context, asked);
}

const bool added = add({
    {.suite = "MirMfmaF32_16x16x16_F16",
     .name = "IsXdlOfFourPasses",
     .check = Check::mir,
     .claims = {"LLVM-5.1"_claim},
     .body = check_unit_and_passes},
    {.suite = "MirMfmaF32_16x16x16_F16",
     .name = "ExactReuseOfCNeedsNothing",
     .check = Check::mir,
     .claims = {"LLVM-5.2"_claim},
     .body = check_exact_c},
    {.suite = "MirMfmaF32_16x16x16_F16",
     .name = "PartOfC",
     .check = Check::mir,
     .claims = {"LLVM-5.3"_claim},
     .body = check_partial_c},
    {.suite = "MirMfmaF32_16x16x16_F16",
     .name = "DAsAAndAsB",
     .check = Check::mir,
     .claims = {"LLVM-5.4"_claim},
     .body = check_a_and_b},
    {.suite = "MirMfmaF32_16x16x16_F16",
     .name = "ThreeWindows",
     .check = Check::mir,
     .claims = {"LLVM-5.9"_claim},
     .body = check_three_windows},
});

} // namespace
} // namespace cts::mfma_hazards
