#include "runners/mir/sweep.hpp"

#include "common/error.hpp"
#include "runners/mir/text.hpp"

#include <algorithm>
#include <functional>

namespace cts::mir {
namespace {

std::vector<std::string> spacing_lines(Filler filler, int spacing) {
  if (filler == Filler::nops) return nops(spacing);
  return std::vector<std::string>(static_cast<std::size_t>(spacing), "$sgpr40 = S_MOV_B32 0");
}

/// One block a spacing, each of its own.
Function function_of(std::size_t number, const Pair& pair, Filler filler) {
  Function function{fmt::format("pair{}", number), {}};
  for (int spacing = 0; spacing <= widest_spacing; ++spacing) {
    Block block{{pair.first}};
    for (std::string& line : spacing_lines(filler, spacing)) block.lines.push_back(std::move(line));
    block.lines.push_back(pair.second);
    block.lines.emplace_back("S_ENDPGM 0");
    function.blocks.push_back(std::move(block));
  }
  return function;
}

/// What the pass added to `function`, which has a block for each spacing.
Sweep sweep_of(const Result& result, const std::string& function) {
  Sweep one;
  for (int spacing = 0; spacing <= widest_spacing; ++spacing) {
    const auto& lines = result.lines(function, spacing);
    // The first of the pair, what is in between, the second and S_ENDPGM.
    if (lines.size() < 3) throw Error("{} lost an instruction in block {}", function, spacing);
    const int between = wait_states(std::vector<std::string_view>(lines.begin() + 1, lines.end() - 2));
    one.added.push_back(between - spacing);
  }
  return one;
}

using Run = std::function<Result(const std::vector<Function>&)>;

/// Asks for `functions` in one run. Where llc refuses, for each half alone: what it refuses is left in the
/// end.
void ask(const std::vector<Function>& functions, const Run& run, std::vector<Sweep>& sweeps) {
  try {
    const Result result = run(functions);
    for (const Function& function : functions) sweeps.push_back(sweep_of(result, function.name));
  } catch (const Refused& refusal) {
    if (functions.size() == 1) {
      run({{"nothing", {{{"S_ENDPGM 0"}}}}}); // refused too, it is not for the pair, and this throws
      sweeps.push_back({.added = {}, .refused = refusal.what()});
      return;
    }
    const auto middle = functions.begin() + static_cast<std::ptrdiff_t>(functions.size() / 2);
    ask({functions.begin(), middle}, run, sweeps);
    ask({middle, functions.end()}, run, sweeps);
  }
}

} // namespace

int Sweep::needed() const {
  if (added.empty()) throw Error("no wait states: {}", refused);
  return added.front();
}

int Sweep::least() const {
  int least = needed();
  for (int spacing = 0; spacing < std::min(needed(), static_cast<int>(added.size())); ++spacing)
    least = std::min(least, spacing + added[static_cast<std::size_t>(spacing)]);
  return least;
}

int Sweep::least_at() const {
  const auto leaves = [&](int spacing) { return spacing + added[static_cast<std::size_t>(spacing)]; };
  int spacing = 0;
  while (leaves(spacing) != least()) ++spacing;
  return spacing;
}

std::vector<int> Sweep::missed() const {
  std::vector<int> spacings;
  for (int spacing = 0; spacing < std::min(needed(), static_cast<int>(added.size())); ++spacing)
    if (spacing + added[static_cast<std::size_t>(spacing)] < needed()) spacings.push_back(spacing);
  return spacings;
}

std::vector<Sweep> sweep(Target target, std::span<const Pair> pairs, Filler filler,
                         const std::vector<std::string>& options, std::string_view passes) {
  std::vector<Function> functions;
  for (std::size_t i = 0; i < pairs.size(); ++i) functions.push_back(function_of(i, pairs[i], filler));
  const auto run = [&](const std::vector<Function>& some) {
    return run_passes(target, some, passes, options);
  };
  std::vector<Sweep> sweeps;
  ask(functions, run, sweeps);
  return sweeps;
}

std::string why_not(const Sweep& sweep, int expected) {
  if (!sweep.refused.empty()) return "refused: " + sweep.refused;
  for (int spacing = 0; spacing <= widest_spacing; ++spacing) {
    const int want = std::max(0, expected - spacing), got = sweep.added[static_cast<std::size_t>(spacing)];
    if (got != want)
      return fmt::format("needs {}, gave {} at spacing {} in place of {}", expected, got, spacing, want);
  }
  return "";
}

} // namespace cts::mir
