// Advice on managed memory. It is kept for each block as a whole and has no effect: host and device memory
// are one here.
#include "runners/emulator/hip/runtime.hpp"

#include <algorithm>
#include <cstring>

namespace {

using namespace cts::hip;

bool is_place(int device) { return device == 0 || device == hipCpuDeviceId; }

/// The device id of a location, or nothing.
std::optional<int> device_of(const hipMemLocation& location) {
  switch (location.type) {
  case hipMemLocationTypeDevice: return location.id;
  case hipMemLocationTypeHost:
  case hipMemLocationTypeHostNuma:
  case hipMemLocationTypeHostNumaCurrent: return hipCpuDeviceId;
  default: return std::nullopt;
  }
}

/// Runs `body(hints)` for the managed block that holds all of [pointer, pointer + bytes).
template <typename Body>
hipError_t on_managed(Runtime& runtime, const void* pointer, std::size_t bytes, Body&& body) {
  if (!pointer || bytes == 0) return hipErrorInvalidValue;
  const auto found = find_block(runtime, pointer);
  if (!found || !runtime.memory().contains(reinterpret_cast<std::uint64_t>(pointer), bytes))
    return hipErrorInvalidValue;
  if (found->allocation.type != hipMemoryTypeManaged) return hipErrorInvalidValue;
  const std::lock_guard lock(runtime.allocations_mutex);
  return body(runtime.allocations[found->block.base].hints);
}

hipError_t advise(const void* pointer, std::size_t bytes, hipMemoryAdvise advice, int device) {
  return api([&](Runtime& runtime) {
    const bool anywhere = advice == hipMemAdviseSetReadMostly || advice == hipMemAdviseUnsetReadMostly;
    if (!anywhere && !is_place(device)) return hipErrorInvalidDevice;
    return on_managed(runtime, pointer, bytes, [&](Hints& hints) {
      switch (advice) {
      case hipMemAdviseSetReadMostly: hints.read_mostly = true; break;
      case hipMemAdviseUnsetReadMostly: hints.read_mostly = false; break;
      case hipMemAdviseSetPreferredLocation: hints.preferred = device; break;
      case hipMemAdviseUnsetPreferredLocation: hints.preferred = hipInvalidDeviceId; break;
      case hipMemAdviseSetAccessedBy: hints.accessed_by.insert(device); break;
      case hipMemAdviseUnsetAccessedBy: hints.accessed_by.erase(device); break;
      case hipMemAdviseSetCoarseGrain: hints.coarse_grain = true; break;
      case hipMemAdviseUnsetCoarseGrain: hints.coarse_grain = false; break;
      default: return hipErrorInvalidValue;
      }
      return hipSuccess;
    });
  });
}

hipError_t prefetch(const void* pointer, std::size_t bytes, int device, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    if (!pointer || bytes == 0) return hipErrorInvalidValue;
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    if (!is_place(device)) return hipErrorInvalidDevice;
    return on_managed(runtime, pointer, bytes, [&](Hints& hints) {
      hints.prefetched = device;
      return hipSuccess;
    });
  });
}

/// Writes one attribute as 32-bit integers; a list of devices is filled up with hipInvalidDeviceId.
hipError_t attribute_of(const Hints& hints, hipMemRangeAttribute attribute, void* data, std::size_t bytes) {
  auto* const out = static_cast<int*>(data);
  if (bytes < sizeof(int) || bytes % sizeof(int) != 0) return hipErrorInvalidValue;
  switch (attribute) {
  case hipMemRangeAttributeReadMostly: *out = hints.read_mostly; break;
  case hipMemRangeAttributePreferredLocation: *out = hints.preferred; break;
  case hipMemRangeAttributeLastPrefetchLocation: *out = hints.prefetched; break;
  case hipMemRangeAttributeCoherencyMode:
    *out = hints.coarse_grain ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
    break;
  case hipMemRangeAttributeAccessedBy: {
    const std::size_t count = bytes / sizeof(int);
    std::fill_n(out, count, hipInvalidDeviceId);
    std::copy_n(hints.accessed_by.begin(), std::min(count, hints.accessed_by.size()), out);
    break;
  }
  default: return hipErrorInvalidValue;
  }
  return hipSuccess;
}

} // namespace

CTS_HIP_API hipError_t hipMemAdvise(const void* pointer, std::size_t bytes, hipMemoryAdvise advice,
                                    int device) {
  return advise(pointer, bytes, advice, device);
}

CTS_HIP_API hipError_t hipMemAdvise_v2(const void* pointer, std::size_t bytes, hipMemoryAdvise advice,
                                       hipMemLocation location) {
  const auto device = device_of(location);
  return device ? advise(pointer, bytes, advice, *device) : finish(hipErrorInvalidValue);
}

CTS_HIP_API hipError_t hipMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                           hipStream_t stream) {
  return prefetch(pointer, bytes, device, stream);
}

CTS_HIP_API hipError_t hipMemPrefetchAsync_v2(const void* pointer, std::size_t bytes, hipMemLocation location,
                                              unsigned flags, hipStream_t stream) {
  const auto device = device_of(location);
  return device && flags == 0 ? prefetch(pointer, bytes, *device, stream) : finish(hipErrorInvalidValue);
}

CTS_HIP_API hipError_t hipMemRangeGetAttribute(void* data, std::size_t data_bytes,
                                               hipMemRangeAttribute attribute, const void* pointer,
                                               std::size_t bytes) {
  return api([&](Runtime& runtime) {
    if (!data) return hipErrorInvalidValue;
    return on_managed(runtime, pointer, bytes,
                      [&](const Hints& hints) { return attribute_of(hints, attribute, data, data_bytes); });
  });
}

CTS_HIP_API hipError_t hipMemRangeGetAttributes(void** data, std::size_t* data_bytes,
                                                hipMemRangeAttribute* attributes, std::size_t count,
                                                const void* pointer, std::size_t bytes) {
  return api([&](Runtime& runtime) {
    if (!data || !data_bytes || !attributes || count == 0) return hipErrorInvalidValue;
    return on_managed(runtime, pointer, bytes, [&](const Hints& hints) {
      for (std::size_t i = 0; i < count; ++i) {
        const hipError_t got =
            data[i] ? attribute_of(hints, attributes[i], data[i], data_bytes[i]) : hipErrorInvalidValue;
        if (got != hipSuccess) return got;
      }
      return hipSuccess;
    });
  });
}

CTS_HIP_API hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, std::size_t bytes,
                                               unsigned flags) {
  return api([&](Runtime& runtime) {
    if (!pointer) return hipErrorInvalidValue;
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle)
      return hipErrorInvalidValue;
    if (flags == hipMemAttachSingle && !stream) return hipErrorInvalidValue;
    const auto found = find_block(runtime, pointer);
    const bool whole = found && (bytes == 0 || bytes == found->block.bytes);
    return whole && found->allocation.type == hipMemoryTypeManaged ? hipSuccess : hipErrorInvalidValue;
  });
}
