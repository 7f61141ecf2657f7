#include "suites/throughput/device.hpp"

namespace cts::throughput {
namespace {

void skip(const std::string& reason) { GTEST_SKIP() << reason; }

int attribute(hipDeviceAttribute_t which, const char* name) {
  int value = 0;
  hip::check(hipDeviceGetAttribute(&value, which, 0), name);
  return value;
}

} // namespace

Gpu look_at_gpu() {
  hipDeviceProp_t properties{};
  hip::check(hipGetDeviceProperties(&properties, 0), "hipGetDeviceProperties");
  return {properties.name, properties.multiProcessorCount,
          attribute(hipDeviceAttributeNumberOfXccs, "hipDeviceAttributeNumberOfXccs"),
          1e3 * attribute(hipDeviceAttributeClockRate, "hipDeviceAttributeClockRate")};
}

bool skipped_without_gpu(const std::string& reason) {
  if (hip::find_device().runner == Runner::gpu) return false;
  skip(reason);
  return true;
}

} // namespace cts::throughput
