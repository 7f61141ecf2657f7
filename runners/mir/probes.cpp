#include "runners/mir/probes.hpp"

#include "common/error.hpp"

namespace cts::mir {

std::vector<Pair> pairs_of(const std::vector<Probe>& probes) {
  std::vector<Pair> pairs;
  for (const Probe& probe : probes) pairs.push_back(probe.pair);
  return pairs;
}

std::string describe(const Probe& probe) {
  return fmt::format("{} then {} ({}; {}{})", probe.instruction, probe.consumer, probe.first, probe.second,
                     probe.accumulators ? "; AccVGPRs" : "");
}

} // namespace cts::mir
