// Random states of a wave: registers whose contents are numbers, special floats, and addresses of all kinds.
#pragma once

#include "runners/emulator/observer.hpp"
#include "tests/emulator/random/random_instructions.hpp"

namespace cts::emulator::testing {

/// Addresses that a register may hold, and each of which is tried with small offsets: in an allocation, at
/// its ends, in one that was freed, in the host's own memory, in the LDS and private apertures.
using Addresses = std::vector<std::uint64_t>;

/// Gives every wave that starts a random state: vector and scalar registers, VCC, M0, SCC, EXEC and MODE.
class RandomStart : public Observer {
public:
  RandomStart(const Addresses& addresses, Random& random) : addresses_(addresses), random_(random) {}
  void start(Exec& x) override;
  void before(Exec&, const Op&) override {}
  void after(Exec&, const Op&) override {}

private:
  std::uint64_t address();
  std::uint32_t word();
  void fill_scalars(Wave& w);
  void fill_vectors(Wave& w, unsigned first, unsigned count);

  const Addresses& addresses_;
  Random& random_;
};

} // namespace cts::emulator::testing
