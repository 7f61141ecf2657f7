// Questions about other devices: no device can reach another's memory. The answers are those of AMD's
// runtime.
#include "runners/emulator/hip/runtime.hpp"

namespace {

using namespace cts::hip;

template <typename... Devices> bool exist(const Runtime& runtime, Devices... devices) {
  return (runtime.has_device(devices) && ...);
}

} // namespace

/// No device is its own peer.
CTS_HIP_API hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&](Runtime& runtime) {
    if (!can) return hipErrorInvalidValue;
    *can = 0;
    return device == peer || exist(runtime, device, peer) ? hipSuccess : hipErrorInvalidDevice;
  });
}

CTS_HIP_API hipError_t hipDeviceEnablePeerAccess(int, unsigned flags) {
  return api([&](Runtime&) { return flags != 0 ? hipErrorInvalidValue : hipErrorInvalidDevice; });
}

CTS_HIP_API hipError_t hipDeviceDisablePeerAccess(int) {
  return api([](Runtime&) { return hipErrorInvalidDevice; });
}

CTS_HIP_API hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr, int, int) {
  return api([&](Runtime&) { return value ? hipErrorInvalidDevice : hipErrorInvalidValue; });
}

CTS_HIP_API hipError_t hipExtGetLinkTypeAndHopCount(int device, int other, std::uint32_t* type,
                                                    std::uint32_t* hops) {
  return api([&](Runtime&) {
    const bool valid = type && hops && device != other && device >= 0 && other >= 0;
    return valid ? hipErrorInvalidDevice : hipErrorInvalidValue;
  });
}

CTS_HIP_API hipError_t hipCtxEnablePeerAccess(hipCtx_t, unsigned) {
  return api([](Runtime&) { return hipSuccess; });
}

CTS_HIP_API hipError_t hipCtxDisablePeerAccess(hipCtx_t) {
  return api([](Runtime&) { return hipSuccess; });
}

CTS_HIP_API hipError_t hipSetValidDevices(int* devices, int count) {
  return api([&](Runtime& runtime) {
    if (count < 0 || count > 1 || (count > 0 && !devices)) return hipErrorInvalidValue;
    return count == 0 || exist(runtime, devices[0]) ? hipSuccess : hipErrorInvalidDevice;
  });
}
