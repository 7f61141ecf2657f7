// What executes the kernels: a GPU, or something that stands in for one. Decided from outside the runtime,
// never by its word.
#pragma once

#include "common/evidence.hpp"

#include <string>

namespace cts::hip {

/// What can be seen without asking the HIP runtime.
struct Surroundings {
  std::string emulator_version; ///< the loaded library's cdna_cts_emulator_version, empty when it has none
  bool kernel_driver = false;   ///< /dev/kfd exists
  std::string wrapper;          ///< $CDNA_CTS_RUN_WRAPPER: the command in front of the test
  std::string wrapper_runner;   ///< $CDNA_CTS_RUN_WRAPPER_RUNNER: "gpu" vouches for an unknown wrapper
};

struct Decision {
  Runner runner = Runner::emulator;
  std::string emulates; ///< what stands in for the GPU: our emulator's version, or the wrapper's base name;
                        ///< empty on a GPU
};

/// `gpu` only when the library is not ours, the kernel driver is there, and what stands in front of the test
/// is nothing, a launcher known to pass through (srun, docker, env, ...) without an emulator's name among its
/// words, or vouched for.
Decision decide(const Surroundings& surroundings);

/// The surroundings of this process.
Surroundings look_around();

} // namespace cts::hip
