// Twins: small correct kernels, each with a broken twin that differs by one change, of the kind that a hand
// or a scheduler makes. What the emulator sees of each is a table in docs/emulator-checks.md.
#pragma once

#include "tests/emulator/support/assembled.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cts::emulator::testing {

struct Twin {
  std::string name;
  std::string change;                              ///< what the broken one does instead, in a few words
  std::string correct, broken;                     ///< assembly, as AssembledKernel::body
  std::function<std::uint32_t(unsigned)> expected; ///< out[t] of thread t
  unsigned threads = 64;
  unsigned lds_bytes = 0, private_bytes = 0;
};

/// The twins that `target` has instructions for. in[i] is 1000 + i.
std::vector<Twin> twins(Target target);

/// What a run showed.
struct Outcome {
  bool wrong_data = false; ///< an output differs from `expected`, or the launch stopped
  bool violation = false;  ///< a rule was reported as broken
  std::string rules;       ///< their names, with commas
  std::string what;        ///< the first wrong output or the stop, for messages
  bool operator==(const Outcome& o) const { return wrong_data == o.wrong_data && violation == o.violation; }
};

/// All twins of one target, loaded once.
class TwinBench {
public:
  explicit TwinBench(Target target);
  const std::vector<Twin>& twins() const { return twins_; }
  Outcome run(const Twin& twin, bool broken, Schedule schedule);

private:
  std::vector<Twin> twins_;
  Bench bench_;
};

inline constexpr unsigned random_seeds = 20;

/// The table of docs/emulator-checks.md: what each broken twin shows under each schedule, measured now.
std::string measured_table();

} // namespace cts::emulator::testing
