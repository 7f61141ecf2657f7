// What the fake HIP runtime of hip_support_test pretends.
#pragma once

#include <hip/hip_runtime_api.h>

#include <string>

namespace cts::fake_hip {

struct State {
  int devices = 1;
  int current = 0;               ///< that hipSetDevice chose
  std::string uuid = "\x5a\x01"; ///< bytes of every device's
  hipError_t kernel_ends_with = hipSuccess;
  void* first_argument = nullptr; ///< of the last launch
};

State& state();

} // namespace cts::fake_hip
