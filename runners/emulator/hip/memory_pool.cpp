// Memory pools and allocation in the order of a stream. A pool counts what it gave out; it holds nothing
// back, so memory that was freed is never given out again while a kernel might still use it.
#include "runners/emulator/hip/graph.hpp"

#include <algorithm>

namespace {

using namespace cts::hip;

struct Pools {
  std::mutex mutex;
  std::shared_ptr<MemoryPool> standard, current;
};

/// The device's pools, made at the first use.
Pools& pools(Runtime& runtime) {
  static Pools* const all = [&] {
    auto* const made = new Pools;
    made->standard = std::make_shared<MemoryPool>();
    made->standard->properties.allocType = hipMemAllocationTypePinned;
    made->standard->properties.location = {hipMemLocationTypeDevice, 0};
    runtime.pools.add(made->standard);
    made->current = made->standard;
    return made;
  }();
  return *all;
}

hipMemPool_t handle_of(const std::shared_ptr<MemoryPool>& pool) {
  return reinterpret_cast<hipMemPool_t>(pool.get());
}

/// Runs `body(pool)` on a live pool.
template <typename Body> hipError_t on_pool(hipMemPool_t handle, Body&& body) {
  return api([&](Runtime& runtime) {
    pools(runtime);
    const auto pool = runtime.pools.find(handle);
    return pool ? body(runtime, pool) : hipErrorInvalidValue;
  });
}

hipError_t allocate_from(Runtime& runtime, const std::shared_ptr<MemoryPool>& pool, void** pointer,
                         std::size_t bytes, hipStream_t stream) {
  if (!pointer) return hipErrorInvalidValue;
  if (!is_stream(runtime, stream)) return hipErrorInvalidHandle;
  const hipError_t refused = refuse_in_capture(runtime, stream);
  if (refused != hipSuccess) return refused;
  const std::uint64_t most = pool->properties.maxSize, used_before = pool->used;
  if (most != 0 && (bytes > most || used_before > most - bytes)) return hipErrorOutOfMemory;
  const hipError_t result = allocate(runtime, pointer, bytes, {hipMemoryTypeDevice, 0, false, false, pool});
  if (result == hipSuccess && *pointer) {
    const std::uint64_t used = pool->used += bytes;
    pool->most_used = std::max(pool->most_used.load(), used);
  }
  return result;
}

bool is_switch(hipMemPoolAttr attribute) {
  return attribute == hipMemPoolReuseFollowEventDependencies ||
         attribute == hipMemPoolReuseAllowOpportunistic ||
         attribute == hipMemPoolReuseAllowInternalDependencies;
}

/// A location that is the device, or not.
bool is_device(const hipMemLocation& location) {
  return location.type == hipMemLocationTypeDevice && location.id == 0;
}

} // namespace

CTS_HIP_API hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return api([&](Runtime& runtime) {
    if (!pool) return hipErrorInvalidValue;
    if (!runtime.has_device(device)) return hipErrorInvalidDevice;
    *pool = handle_of(pools(runtime).standard);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  return api([&](Runtime& runtime) {
    if (!pool || !runtime.has_device(device)) return hipErrorInvalidValue;
    const std::lock_guard lock(pools(runtime).mutex);
    *pool = handle_of(pools(runtime).current);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  return on_pool(pool, [&](Runtime& runtime, const std::shared_ptr<MemoryPool>& found) {
    if (!runtime.has_device(device)) return hipErrorInvalidValue;
    const std::lock_guard lock(pools(runtime).mutex);
    pools(runtime).current = found;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties) {
  return api([&](Runtime& runtime) {
    if (!pool || !properties || properties->allocType != hipMemAllocationTypePinned ||
        !is_device(properties->location))
      return hipErrorInvalidValue;
    auto made = std::make_shared<MemoryPool>();
    made->properties = *properties;
    *pool = runtime.pools.add(std::move(made));
    return hipSuccess;
  });
}

/// What was allocated from the pool stays.
CTS_HIP_API hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return on_pool(pool, [&](Runtime& runtime, const std::shared_ptr<MemoryPool>& found) {
    Pools& all = pools(runtime);
    const std::lock_guard lock(all.mutex);
    if (found == all.standard) return hipErrorInvalidValue;
    if (found == all.current) all.current = all.standard;
    runtime.pools.remove(pool);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMemPoolTrimTo(hipMemPool_t pool, std::size_t) {
  return on_pool(pool, [](Runtime&, const std::shared_ptr<MemoryPool>&) { return hipSuccess; });
}

CTS_HIP_API hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
  return on_pool(pool, [&](Runtime&, const std::shared_ptr<MemoryPool>& found) {
    if (!value) return hipErrorInvalidValue;
    const std::lock_guard lock(found->mutex);
    if (is_switch(attribute)) {
      found->settings[attribute] = static_cast<std::uint64_t>(*static_cast<const int*>(value) != 0);
      return hipSuccess;
    }
    const std::uint64_t number = *static_cast<const std::uint64_t*>(value);
    switch (attribute) {
    case hipMemPoolAttrReleaseThreshold: found->settings[attribute] = number; return hipSuccess;
    case hipMemPoolAttrReservedMemHigh:
    case hipMemPoolAttrUsedMemHigh: // can be reset, and to nothing else
      if (number != 0) return hipErrorInvalidValue;
      found->most_used = 0;
      return hipSuccess;
    default: return hipErrorInvalidValue;
    }
  });
}

CTS_HIP_API hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
  return on_pool(pool, [&](Runtime&, const std::shared_ptr<MemoryPool>& found) {
    if (!value) return hipErrorInvalidValue;
    const std::lock_guard lock(found->mutex);
    const auto set = found->settings.find(attribute);
    if (is_switch(attribute)) {
      *static_cast<int*>(value) = set == found->settings.end() ? 1 : static_cast<int>(set->second);
      return hipSuccess;
    }
    std::uint64_t number = 0;
    switch (attribute) {
    case hipMemPoolAttrReleaseThreshold: number = set == found->settings.end() ? 0 : set->second; break;
    case hipMemPoolAttrReservedMemCurrent:
    case hipMemPoolAttrUsedMemCurrent: number = found->used; break;
    case hipMemPoolAttrReservedMemHigh:
    case hipMemPoolAttrUsedMemHigh: number = found->most_used; break;
    default: return hipErrorInvalidValue;
    }
    *static_cast<std::uint64_t*>(value) = number;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* wanted,
                                           std::size_t count) {
  return on_pool(pool, [&](Runtime&, const std::shared_ptr<MemoryPool>& found) {
    if (!wanted) return hipErrorInvalidValue;
    if (count > 1) return hipErrorInvalidDevice;
    if (count == 0) return hipSuccess;
    if (wanted->location.type != hipMemLocationTypeDevice) return hipErrorInvalidValue;
    if (wanted->location.id != 0 || wanted->flags == hipMemAccessFlagsProtNone) return hipErrorInvalidDevice;
    if (wanted->flags != hipMemAccessFlagsProtRead && wanted->flags != hipMemAccessFlagsProtReadWrite)
      return hipErrorInvalidValue;
    const std::lock_guard lock(found->mutex);
    found->access = wanted->flags;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool,
                                           hipMemLocation* location) {
  return on_pool(pool, [&](Runtime&, const std::shared_ptr<MemoryPool>& found) {
    if (!flags || !location || !is_device(*location)) return hipErrorInvalidValue;
    const std::lock_guard lock(found->mutex);
    *flags = found->access;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMallocAsync(void** pointer, std::size_t bytes, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    std::shared_ptr<MemoryPool> pool;
    {
      const std::lock_guard lock(pools(runtime).mutex);
      pool = pools(runtime).current;
    }
    return allocate_from(runtime, pool, pointer, bytes, stream);
  });
}

CTS_HIP_API hipError_t hipMallocFromPoolAsync(void** pointer, std::size_t bytes, hipMemPool_t pool,
                                              hipStream_t stream) {
  return on_pool(pool, [&](Runtime& runtime, const std::shared_ptr<MemoryPool>& found) {
    return allocate_from(runtime, found, pointer, bytes, stream);
  });
}

CTS_HIP_API hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    if (!pointer) return hipErrorInvalidValue;
    if (!is_stream(runtime, stream)) return hipErrorInvalidHandle;
    const hipError_t refused = refuse_in_capture(runtime, stream);
    return refused != hipSuccess ? refused : release(runtime, pointer);
  });
}
