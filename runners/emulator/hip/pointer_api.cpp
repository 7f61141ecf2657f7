// What can be asked of a pointer.
#include "runners/emulator/hip/runtime.hpp"

#include <cstring>
#include <tuple>

namespace {

using namespace cts::hip;

template <typename T> void put(void* data, T value) { std::memcpy(data, &value, sizeof value); }

/// Bytes of an attribute's value, 0 for one that is not offered.
std::size_t value_bytes(hipPointer_attribute attribute) {
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: return 8;
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return 4;
  case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
  case HIP_POINTER_ATTRIBUTE_MAPPED: return 1;
  default: return 0;
  }
}

hipError_t attribute_of(Runtime& runtime, void* data, hipPointer_attribute attribute, void* pointer) {
  const std::size_t bytes = value_bytes(attribute);
  if (bytes == 0) return hipErrorNotSupported;
  const auto found = find_block(runtime, pointer);
  if (!found) { // no memory of the runtime's: the value is 0
    std::memset(data, 0, bytes);
    return hipErrorInvalidValue;
  }
  const bool host = found->allocation.type != hipMemoryTypeDevice;
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
    put(data, static_cast<std::uint32_t>(host ? hipMemoryTypeHost : hipMemoryTypeDevice));
    break;
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER: put(data, pointer); break;
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
    put(data, host ? pointer : nullptr);
    return host ? hipSuccess : hipErrorInvalidValue;
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR: put(data, found->block.base); break;
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: put(data, found->block.bytes); break;
  case HIP_POINTER_ATTRIBUTE_BUFFER_ID: // addresses are not given out again, so they identify
    put(data, static_cast<std::uint32_t>(found->block.base >> 8));
    break;
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL: put(data, 0); break;
  case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: put(data, true); break;
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED: put(data, found->allocation.type == hipMemoryTypeManaged); break;
  case HIP_POINTER_ATTRIBUTE_MAPPED: put(data, true); break;
  default: return hipErrorNotSupported;
  }
  return hipSuccess;
}

} // namespace

CTS_HIP_API hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  return api([&](Runtime& runtime) {
    if (!attributes || !pointer) return hipErrorInvalidValue;
    *attributes = {};
    const auto found = find_block(runtime, pointer);
    if (!found) {
      attributes->type = hipMemoryTypeUnregistered;
      attributes->device = hipInvalidDeviceId;
      return hipSuccess;
    }
    attributes->type = found->allocation.type;
    attributes->devicePointer = const_cast<void*>(pointer);
    if (found->allocation.type != hipMemoryTypeDevice) attributes->hostPointer = const_cast<void*>(pointer);
    attributes->isManaged = found->allocation.type == hipMemoryTypeManaged;
    attributes->allocationFlags = found->allocation.flags;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute,
                                              hipDeviceptr_t pointer) {
  return api([&](Runtime& runtime) {
    return data && pointer ? attribute_of(runtime, data, attribute, pointer) : hipErrorInvalidValue;
  });
}

/// As AMD's, a success whatever becomes of the single attributes.
CTS_HIP_API hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute* attributes,
                                                  void** data, hipDeviceptr_t pointer) {
  return api([&](Runtime& runtime) {
    if (count == 0 || !attributes || !data || !pointer) return hipErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i)
      if (data[i]) std::ignore = attribute_of(runtime, data[i], attributes[i], pointer);
    return hipSuccess;
  });
}

/// The one attribute that can be set says that copies are synchronous, as they are whatever its value.
CTS_HIP_API hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                              hipDeviceptr_t pointer) {
  return api([&](Runtime& runtime) {
    if (!value || !pointer || attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS) return hipErrorInvalidValue;
    return find_block(runtime, pointer) ? hipSuccess : hipErrorInvalidDevicePointer;
  });
}
