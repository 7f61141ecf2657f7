// Allocation. Device and host pointers are the same addresses.
#include "runners/codeobject/mapped.hpp"
#include "runners/emulator/hip/runtime.hpp"

#include <utility>

namespace cts::hip {
namespace {

constexpr std::size_t row_alignment = 256;

hipError_t release_host(Runtime& runtime, void* pointer) {
  if (!pointer) return hipSuccess;
  const auto found = find_block(runtime, pointer);
  if (!found || found->allocation.type == hipMemoryTypeDevice) return hipErrorInvalidValue;
  return release(runtime, pointer);
}

hipError_t allocate_host(Runtime& runtime, void** pointer, std::size_t bytes, unsigned flags) {
  constexpr unsigned coherence = hipHostMallocCoherent | hipHostMallocNonCoherent;
  if ((flags & coherence) == coherence) return hipErrorInvalidValue;
  return allocate(runtime, pointer, bytes, {hipMemoryTypeHost, flags});
}

/// Rows of `width` bytes at a pitch that keeps each aligned.
hipError_t allocate_rows(Runtime& runtime, void** pointer, std::size_t* pitch, std::size_t width,
                         std::size_t rows) {
  if (!pointer || !pitch || width > SIZE_MAX - row_alignment) return hipErrorInvalidValue;
  const std::size_t row = (width + row_alignment - 1) / row_alignment * row_alignment;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(row, rows, &bytes)) return hipErrorOutOfMemory;
  *pitch = row;
  return allocate(runtime, pointer, bytes, {});
}

} // namespace

hipError_t release(Runtime& runtime, void* pointer) {
  if (!pointer) return hipSuccess;
  const std::unique_lock wait_for_launches(runtime.executing);
  const std::lock_guard lock(runtime.allocations_mutex);
  const auto base = reinterpret_cast<std::uint64_t>(pointer);
  const auto known = runtime.allocations.find(base);
  // What the runtime allocated for itself (a module's image, a launch's arguments) is not the program's.
  if (known == runtime.allocations.end() || known->second.registered) return hipErrorInvalidValue;
  const auto block = runtime.memory().find(base);
  if (!runtime.memory().release(pointer)) return hipErrorInvalidValue;
  if (known->second.pool) known->second.pool->used -= block->bytes;
  runtime.allocations.erase(known);
  return hipSuccess;
}

std::optional<FoundBlock> find_block(Runtime& runtime, const void* pointer) {
  const auto block = runtime.memory().find(reinterpret_cast<std::uint64_t>(pointer));
  if (!block) return std::nullopt;
  const std::lock_guard lock(runtime.allocations_mutex);
  const auto known = runtime.allocations.find(block->base);
  return FoundBlock{*block, known == runtime.allocations.end() ? Allocation{} : known->second};
}

hipError_t allocate(Runtime& runtime, void** pointer, std::size_t bytes, Allocation allocation) {
  if (!pointer) return hipErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return hipSuccess;
  void* const block = runtime.memory().allocate(bytes, allocation.type != hipMemoryTypeDevice);
  if (!block) return hipErrorOutOfMemory;
  const std::lock_guard lock(runtime.allocations_mutex);
  runtime.allocations[reinterpret_cast<std::uint64_t>(block)] = std::move(allocation);
  *pointer = block;
  return hipSuccess;
}

} // namespace cts::hip

using namespace cts::hip;

CTS_HIP_API hipError_t hipMalloc(void** pointer, std::size_t bytes) {
  return api([&](Runtime& runtime) { return allocate(runtime, pointer, bytes, {}); });
}

CTS_HIP_API hipError_t hipExtMallocWithFlags(void** pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime& runtime) {
    if (flags > hipDeviceMallocContiguous) return hipErrorInvalidValue;
    return allocate(runtime, pointer, bytes, {hipMemoryTypeDevice, flags});
  });
}

CTS_HIP_API hipError_t hipMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime& runtime) {
    if (bytes == 0 || (flags != hipMemAttachGlobal && flags != hipMemAttachHost)) return hipErrorInvalidValue;
    return allocate(runtime, pointer, bytes, {hipMemoryTypeManaged, flags});
  });
}

CTS_HIP_API hipError_t hipMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                      std::size_t height) {
  return api([&](Runtime& runtime) { return allocate_rows(runtime, pointer, pitch, width, height); });
}

CTS_HIP_API hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, std::size_t* pitch, std::size_t width,
                                        std::size_t height, unsigned) {
  return api([&](Runtime& runtime) { return allocate_rows(runtime, pointer, pitch, width, height); });
}

CTS_HIP_API hipError_t hipMalloc3D(hipPitchedPtr* pointer, hipExtent extent) {
  return api([&](Runtime& runtime) {
    if (!pointer) return hipErrorInvalidValue;
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return hipErrorOutOfMemory;
    const hipError_t result = allocate_rows(runtime, &pointer->ptr, &pointer->pitch, extent.width, rows);
    if (result == hipSuccess) {
      pointer->xsize = extent.width;
      pointer->ysize = extent.height;
    }
    return result;
  });
}

CTS_HIP_API hipError_t hipFree(void* pointer) {
  return api([&](Runtime& runtime) { return release(runtime, pointer); });
}

CTS_HIP_API hipError_t hipHostMalloc(void** pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime& runtime) { return allocate_host(runtime, pointer, bytes, flags); });
}

CTS_HIP_API hipError_t hipHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime& runtime) { return allocate_host(runtime, pointer, bytes, flags); });
}

CTS_HIP_API hipError_t hipMallocHost(void** pointer, std::size_t bytes) {
  return api([&](Runtime& runtime) { return allocate_host(runtime, pointer, bytes, 0); });
}

CTS_HIP_API hipError_t hipMemAllocHost(void** pointer, std::size_t bytes) {
  return api([&](Runtime& runtime) { return allocate_host(runtime, pointer, bytes, 0); });
}

CTS_HIP_API hipError_t hipHostFree(void* pointer) {
  return api([&](Runtime& runtime) { return release_host(runtime, pointer); });
}

CTS_HIP_API hipError_t hipFreeHost(void* pointer) {
  return api([&](Runtime& runtime) { return release_host(runtime, pointer); });
}

/// The program's own memory becomes visible to kernels, at the same addresses.
CTS_HIP_API hipError_t hipHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime& runtime) {
    constexpr unsigned known =
        hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory | hipHostRegisterReadOnly;
    if (!pointer || bytes == 0 || (flags & ~known) != 0) return hipErrorInvalidValue;
    if (cts::codeobject::readable_from(pointer).size() < bytes) return hipErrorInvalidValue;
    const std::lock_guard lock(runtime.allocations_mutex);
    if (!runtime.memory().adopt(pointer, bytes)) return hipErrorHostMemoryAlreadyRegistered;
    runtime.allocations[reinterpret_cast<std::uint64_t>(pointer)] = {hipMemoryTypeHost, flags, false, true};
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipHostUnregister(void* pointer) {
  return api([&](Runtime& runtime) {
    if (!pointer) return hipErrorInvalidValue;
    const auto found = find_block(runtime, pointer);
    if (!found || !found->allocation.registered ||
        found->block.base != reinterpret_cast<std::uint64_t>(pointer))
      return hipErrorHostMemoryNotRegistered;
    const std::unique_lock wait_for_launches(runtime.executing);
    runtime.memory().release(pointer);
    const std::lock_guard lock(runtime.allocations_mutex);
    runtime.allocations.erase(found->block.base);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
  return api([&](Runtime& runtime) {
    if (!device_pointer || flags != 0 || !find_block(runtime, host_pointer)) return hipErrorInvalidValue;
    *device_pointer = host_pointer;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipHostGetFlags(unsigned* flags, void* host_pointer) {
  return api([&](Runtime& runtime) {
    const auto found = find_block(runtime, host_pointer);
    if (!flags || !found || found->allocation.type == hipMemoryTypeDevice) return hipErrorInvalidValue;
    *flags = found->allocation.flags;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMemGetInfo(std::size_t* free, std::size_t* total) {
  return api([&](Runtime& runtime) {
    if (!free || !total) return hipErrorInvalidValue;
    *total = runtime.memory().capacity();
    *free = *total - runtime.memory().used();
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMemPtrGetInfo(void* pointer, std::size_t* bytes) {
  return api([&](Runtime& runtime) {
    const auto found = find_block(runtime, pointer);
    if (!bytes || !found) return hipErrorInvalidValue;
    *bytes = found->block.bytes;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, std::size_t* bytes,
                                             hipDeviceptr_t pointer) {
  return api([&](Runtime& runtime) {
    if (!base || !bytes) return hipErrorInvalidValue;
    const auto found = find_block(runtime, pointer);
    if (!found) return hipErrorNotFound;
    *base = reinterpret_cast<hipDeviceptr_t>(found->block.base);
    *bytes = found->block.bytes;
    return hipSuccess;
  });
}
