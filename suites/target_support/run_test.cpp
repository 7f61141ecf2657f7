// The claimed instructions, executed: whole products of exact integers. And what a runtime answers to the
// other target's code.
#include "common/code_files.hpp"
#include "reference/dense_layout.hpp"
#include "suites/shared/mfma_waves.hpp"
#include "suites/target_support/claimed.hpp"

namespace cts::target_support {
namespace {

using namespace literals;
using reference::Instruction;
using reference::Operand;
using reference::RegisterImage;

/// `kernel` computes the product of `i` from registers laid out as those of `i`.
void check_product(TestContext& context, const Instruction& i, const std::string& kernel) {
  std::vector<WaveInputs> waves;
  std::vector<RegisterImage> expected;
  for (int n = 0; n < 8; ++n) {
    const reference::Inputs held = reference::random_inputs(i, context.rng()());
    waves.push_back({reference::pack(i, Operand::a, held.a), reference::pack(i, Operand::b, held.b),
                     reference::pack(i, Operand::c, held.c)});
    expected.push_back(reference::pack(i, Operand::d, reference::multiply(i, held.a, held.b, held.c)));
  }
  hip::Module module(context, "target_support");
  const auto got = run_waves(context, module, kernel, waves, i.vgprs_d);
  Comparison comparison(context, std::string(i.mnemonic));
  for (std::size_t w = 0; w < waves.size(); ++w)
    for (int lane = 0; lane < reference::lanes_of_wave; ++lane)
      for (int r = 0; r < i.vgprs_d; ++r)
        comparison.equal_at(expected[w].word(r, lane), got[w].word(r, lane), [&] {
          return Where{.lane = lane, .vgpr = r, .note = fmt::format("product {}", w)};
        });
}

/// No binary compatibility is claimed, so what the runtime answers is recorded. What is asserted is only that
/// code which is refused leaves no mark, and that this target's own code runs.
void check_other_targets_code(TestContext& context) {
  constexpr std::uint32_t mark = 0x600d;
  hip::Module own(context, "target_support");
  const hip::DeviceBuffer marks(64 * sizeof(std::uint32_t));
  own.launch("leave_a_mark", 1, 64, marks);
  Comparison comparison(context, "leave_a_mark");
  for (const std::uint32_t word : marks.download<std::uint32_t>()) comparison.equal(mark, word);

  const Target other = context.target() == Target::gfx942 ? Target::gfx950 : Target::gfx942;
  const auto path = code_object_path("target_support", other, context.opt());
  const std::string bytes = read_code_file(path, "target_support");
  hipModule_t module = nullptr;
  const hipError_t loaded = hipModuleLoadData(&module, bytes.data());
  context.observe(loaded == hipSuccess ? fmt::format("code for {} loads", name(other))
                                       : fmt::format("code for {}: {}", name(other),
                                                     hip::message(loaded, "hipModuleLoadData")));
  if (loaded == hipSuccess) static_cast<void>(hipModuleUnload(module));
}

bool add_all() {
  for (const Claimed& c : claimed())
    for (const std::string_view builtin : c.builtins) {
      const Instruction& i = reference::find_instruction(builtin);
      std::vector<Target> targets;
      for (const Target target : all_targets)
        if (reference::exists_on(i, target)) targets.push_back(target);
      add({reference::short_name(i), "WholeProduct", Check::run, {c.claim}, targets, [&i](TestContext& t) {
             check_product(t, i, std::string(i.builtin_tail));
           }});
    }
  for (const Instruction& i : reference::instructions()) // what stands in for XF32 where there is none
    if (i.a == reference::Type::xf32)
      add({reference::short_name(i),
           "WholeProductOfF32Instructions",
           Check::run,
           {"CDNA-2.7"_claim},
           {Target::gfx950},
           [&i](TestContext& t) { check_product(t, i, std::string(i.builtin_tail) + "_by_f32"); }});
  return add({{"OtherTarget",
               "CodeIsNotPromisedToRun",
               Check::run,
               {"CDNA-1.7"_claim},
               {Target::gfx942, Target::gfx950},
               check_other_targets_code}});
}

const bool added = add_all();

} // namespace
} // namespace cts::target_support
