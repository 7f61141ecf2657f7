#include "tests/emulator/twins/twins.hpp"

#include <array>
#include <fmt/format.h>

namespace cts::emulator::testing {
namespace {

std::string shown(const Outcome& o) {
  if (o.wrong_data && o.violation) return "data, violation";
  return o.wrong_data ? "data" : o.violation ? "violation" : "-";
}

/// The measured cells of one twin.
std::string cells(TwinBench& bench, const Twin& twin) {
  const Outcome late = bench.run(twin, true, {}),
                eager = bench.run(twin, true, {.kind = Schedule::Kind::eager});
  unsigned data = 0, violations = 0;
  for (unsigned seed = 1; seed <= random_seeds; ++seed) {
    const Outcome o = bench.run(twin, true, {.kind = Schedule::Kind::random, .seed = seed});
    data += o.wrong_data;
    violations += o.violation;
  }
  return fmt::format("{} | {} | {} | {} of {} | {} of {} |", shown(late),
                     late.rules.empty() ? "-" : late.rules, shown(eager), data, random_seeds, violations,
                     random_seeds);
}

} // namespace

std::string measured_table() {
  std::array<TwinBench, 2> benches{TwinBench(Target::gfx942), TwinBench(Target::gfx950)};
  std::string table =
      "| twin | the broken one | target | late | rules under late | eager | random: data | random: "
      "violation |\n|---|---|---|---|---|---|---|---|\n";
  const auto row = [&](const Twin& twin, const char* target, const std::string& measured) {
    table += fmt::format("| {} | {} | {} | {}\n", twin.name, twin.change, target, measured);
  };
  const auto& older = benches[0].twins();
  for (const Twin& twin : benches[1].twins()) {
    const std::string measured = cells(benches[1], twin);
    const auto same =
        std::find_if(older.begin(), older.end(), [&](const Twin& o) { return o.name == twin.name; });
    const std::string before = same == older.end() ? "" : cells(benches[0], *same);
    if (before == measured) {
      row(twin, "both", measured);
      continue;
    }
    if (!before.empty()) row(*same, "gfx942", before);
    row(twin, "gfx950", measured);
  }
  return table;
}

} // namespace cts::emulator::testing
