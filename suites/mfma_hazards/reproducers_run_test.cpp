// Every cell in which the compiler keeps fewer wait states than the manual asks for, as a kernel that the
// compiler's own hazard pass made, beside its padded twin. The emulator has to show a wrong result; what a
// GPU shows is observed.
#include "common/code_files.hpp"
#include "suites/mfma_hazards/pair_run.hpp"

#include <algorithm>

namespace cts::mfma_hazards {
namespace {

using namespace literals;

constexpr int waves_of_model = 1, waves_of_gpu = 128;

/// Cells of which a result that came too early would end the program have tests of their own, since nothing
/// can run in a process after that.
enum class Address { no_cell_with_one, global, lds };

bool belongs(const mir::Probe& probe, Address address) {
  if (!probe.result_is_address) return address == Address::no_cell_with_one;
  return address == (probe.memory == mir::Memory::lds ? Address::lds : Address::global);
}

/// How many of the waves' results differ from the padded twin's, and how the first of them does.
struct Shown {
  int waves = 0, wrong = 0;
  std::string how = {};
};

Shown show(TestContext& context, hip::Module& module, const mir::LooserCell& cell, int waves) {
  mir::PairKernel kernel = mir::pair_kernel(cell.kernel, cell.probe), padded = kernel;
  padded.name = cell.kernel + std::string(mir::padded_twin);
  const auto staged = stage(context, kernel);
  const std::vector<int> all(static_cast<std::size_t>(waves), 0);
  const auto expected = run_pair(context, module, padded, staged, all);
  Shown shown{.waves = waves};
  try {
    const auto got = run_pair(context, module, kernel, staged, all);
    for (std::size_t n = 0; n < got.size(); ++n)
      if (const std::string how = difference(kernel, expected[n], got[n]); !how.empty() && ++shown.wrong == 1)
        shown.how = how;
  } catch (const Failure& failure) {
    shown.wrong = waves;
    shown.how = failure.what();
  }
  return shown;
}

void check_reproducers(TestContext& context, Address address) {
  if (context.opt() != "O3") GTEST_SKIP() << only_once;
  if (const auto why = mir::why_no_kernels(context.target(), code_folder()); !why.empty())
    GTEST_SKIP() << why;
  const bool on_gpu = hip::find_device().runner == Runner::gpu;
  if (on_gpu && address != Address::no_cell_with_one)
    GTEST_SKIP() << "a result that is used as an address too early could end the program on a GPU";
  hip::Module module(context,
                     hip::CodeFile{mir::kernels_file(mir::looser_stem, context.target(), code_folder())});
  int cells = 0, wrong = 0;
  for (const mir::LooserCell& cell : mir::read_looser_cells(context.target(), code_folder())) {
    if (!belongs(cell.probe, address)) continue;
    const Shown shown = show(context, module, cell, on_gpu ? waves_of_gpu : waves_of_model);
    ++cells;
    wrong += shown.wrong > 0 ? 1 : 0;
    context.compared();
    context.metric(cell.kernel + ".needed", cell.needed);
    context.metric(cell.kernel + ".kept", cell.kept);
    context.metric(cell.kernel + ".wrong_waves", shown.wrong);
    EXPECT_TRUE(on_gpu || shown.wrong > 0)
        << cell.kernel << ": needs " << cell.needed << ", the compiler kept " << cell.kept
        << ", and the emulator shows nothing";
  }
  if (cells == 0) GTEST_SKIP() << "this compiler has no such cell";
  context.metric("cells", cells);
  context.observe(
      fmt::format("of {} pairs in which the compiler keeps less than the manual asks for, {} give a wrong "
                  "result",
                  cells, wrong));
}

ClaimTest test(const char* name, Address address, std::vector<Target> targets) {
  return {.suite = "Reproducers",
          .name = name,
          .check = Check::run,
          .claims = {"CDNA-6.5"_claim},
          .targets = std::move(targets),
          .body = [address](TestContext& context) { check_reproducers(context, address); }};
}

const bool added = add({
    test("LooserCellsGiveWrongResults", Address::no_cell_with_one, {Target::gfx942, Target::gfx950}),
    test("LooserCellOfAGlobalAddress", Address::global, {Target::gfx950}),
    test("LooserCellOfAnLdsAddress", Address::lds, {Target::gfx950}),
});

} // namespace
} // namespace cts::mfma_hazards
