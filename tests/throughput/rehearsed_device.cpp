// In place of suites/throughput/device.cpp: a device that is said to be a GPU, so that the time checks'
// bodies run on the emulator. What they measure means nothing. $REHEARSED_DEVICE is "NAME,CUS,XCDS".
#include "common/error.hpp"
#include "suites/throughput/device.hpp"

#include <cstdlib>
#include <sstream>

namespace cts::throughput {

Gpu look_at_gpu() {
  const char* text = std::getenv("REHEARSED_DEVICE");
  std::istringstream words(text == nullptr ? "" : text);
  Gpu gpu;
  char comma = 0;
  if (!std::getline(words, gpu.name, ',') || !(words >> gpu.cus >> comma >> gpu.xcds))
    throw Error("REHEARSED_DEVICE: expected NAME,CUS,XCDS");
  gpu.clock_hz = 1e5; // so low that a launch has few iterations
  return gpu;
}

bool skipped_without_gpu(const std::string&) { return false; }

} // namespace cts::throughput
