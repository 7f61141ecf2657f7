// The GPU that is measured, as the runtime describes it.
#pragma once

#include "common/hip/hip.hpp"

#include <string>

namespace cts::throughput {

struct Gpu {
  std::string name;
  int cus = 0;         ///< active compute units
  int xcds = 0;        ///< accelerator complex dies
  double clock_hz = 0; ///< the highest clock that the runtime states
};

/// Device 0. Throws Error with the runtime's words.
Gpu look_at_gpu();

/// True on anything but a GPU; the current test is then skipped with `reason`.
bool skipped_without_gpu(const std::string& reason = "Unmeasured: no GPU");

} // namespace cts::throughput
