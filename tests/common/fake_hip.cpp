// The HIP calls that common/hip makes, on host memory; hip_support_test.cpp says what the device is.
#include "tests/common/fake_hip.hpp"

#include <cstdlib>
#include <cstring>

namespace cts::fake_hip {
State& state() {
  static State s;
  return s;
}
} // namespace cts::fake_hip

using cts::fake_hip::state;

extern "C" {
const char* hipGetErrorString(hipError_t status) {
  switch (status) {
  case hipErrorNoDevice: return "no ROCm-capable device is detected";
  case hipErrorOutOfMemory: return "out of memory";
  case hipErrorNotFound: return "named symbol not found";
  case hipErrorIllegalAddress: return "an illegal memory access was encountered";
  default: return "another error";
  }
}
hipError_t hipRuntimeGetVersion(int* version) {
  *version = 70200000;
  return hipSuccess;
}
hipError_t hipGetDeviceCount(int* count) {
  *count = state().devices;
  return state().devices == 0 ? hipErrorNoDevice : hipSuccess;
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  std::strcpy(properties->name, "Fake Instinct");
  std::strcpy(properties->gcnArchName, "gfx950:sramecc+:xnack-");
  properties->pciBusID = 0x1f + device;
  state().uuid.copy(properties->uuid.bytes, sizeof properties->uuid.bytes);
  return hipSuccess;
}
hipError_t hipSetDevice(int device) {
  state().current = device;
  return hipSuccess;
}
hipError_t hipMalloc(void** pointer, size_t bytes) {
  *pointer = bytes > (size_t{1} << 32) ? nullptr : std::malloc(bytes);
  return *pointer == nullptr ? hipErrorOutOfMemory : hipSuccess;
}
hipError_t hipFree(void* pointer) {
  std::free(pointer);
  return hipSuccess;
}
hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind) {
  std::memcpy(to, from, bytes);
  return hipSuccess;
}
hipError_t hipModuleLoadData(hipModule_t* module, const void*) {
  *module = reinterpret_cast<hipModule_t>(&state());
  return hipSuccess;
}
hipError_t hipModuleUnload(hipModule_t) { return hipSuccess; }
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t, const char* kernel) {
  *function = reinterpret_cast<hipFunction_t>(&state());
  return std::strcmp(kernel, "present") == 0 ? hipSuccess : hipErrorNotFound;
}
hipError_t hipModuleLaunchKernel(hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 unsigned, hipStream_t, void** arguments, void**) {
  state().first_argument = *static_cast<void**>(arguments[0]);
  return hipSuccess;
}
hipError_t hipDeviceSynchronize() { return state().kernel_ends_with; }
}
