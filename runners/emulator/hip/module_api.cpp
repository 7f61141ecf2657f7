// Modules: code objects, offload bundles and fat binaries, from files and from memory; their kernels and
// variables.
#include "runners/emulator/hip/runtime.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "runners/codeobject/code_object.hpp"
#include "runners/codeobject/mapped.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace cts::hip {
namespace {

/// e_flags' processor field. [LLVM AMDGPUUsage, table "AMDGPU e_flags Values"]
constexpr unsigned mach_of(Target target) { return target == Target::gfx942 ? 0x4c : 0x4f; }
constexpr unsigned mach_mask = 0xff;
constexpr Elf64_Half machine_amdgpu = 224;

bool is_elf(std::span<const std::byte> image) {
  return image.size() >= sizeof(Elf64_Ehdr) && std::memcmp(image.data(), ELFMAG, SELFMAG) == 0;
}

/// "gfx950", or the number of another processor.
std::string processor(unsigned mach) {
  for (const Target target : all_targets)
    if (mach == mach_of(target)) return std::string(name(target));
  return fmt::format("another processor (number {:#x} in its e_flags)", mach);
}

hipError_t refuse(hipError_t error, std::string_view line) {
  complain(line);
  return error;
}

hipError_t load_elf(Runtime& runtime, std::span<const std::byte> elf, std::string_view where,
                    std::shared_ptr<const emulator::Module>& module) {
  if (!is_elf(elf)) return refuse(hipErrorInvalidImage, fmt::format("{}: no whole ELF header", where));
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  const Target target = runtime.device().target();
  if (header.e_machine == machine_amdgpu && (header.e_flags & mach_mask) != mach_of(target))
    return refuse(hipErrorNoBinaryForGpu, fmt::format("{}: a code object for {}, this device is {}", where,
                                                      processor(header.e_flags & mach_mask), name(target)));
  try {
    module = runtime.device().load(elf);
    return hipSuccess;
  } catch (const Error& error) {
    return refuse(hipErrorInvalidImage, fmt::format("{}: {}", where, error.what()));
  }
}

hipError_t load(hipModule_t* handle, std::span<const std::byte> image, std::string_view where,
                Runtime& runtime) {
  auto loaded = std::make_shared<LoadedModule>();
  const hipError_t result = load_image(runtime, image, where, loaded->module);
  if (result == hipSuccess) *handle = runtime.modules.add(std::move(loaded));
  return result;
}

hipError_t load_data(hipModule_t* handle, const void* image) {
  return api([&](Runtime& runtime) {
    if (!handle || !image) return hipErrorInvalidValue;
    std::span<const std::byte> bytes;
    try {
      bytes = image_at(image);
    } catch (const Error& error) {
      return refuse(hipErrorInvalidImage, error.what());
    }
    return load(handle, bytes, "module image", runtime);
  });
}

/// Dynamic shared memory that a block of `function` can still ask for.
int spare_lds(Runtime& runtime, const Function& function) {
  return static_cast<int>(emulator::lds_bytes(runtime.device().target())) -
         static_cast<int>(function.info.static_lds);
}

int architecture(Runtime& runtime) { return runtime.device().target() == Target::gfx942 ? 94 : 95; }

} // namespace

std::span<const std::byte> image_at(const void* address) {
  const auto readable = codeobject::readable_from(address);
  return readable.first(codeobject::fat_binary_size(readable));
}

hipError_t load_image(Runtime& runtime, std::span<const std::byte> image, std::string_view where,
                      std::shared_ptr<const emulator::Module>& module) {
  if (is_elf(image)) return load_elf(runtime, image, where, module);
  if (image.size() < sizeof(std::uint64_t))
    return refuse(hipErrorInvalidImage, fmt::format("{}: {} bytes are no code object", where, image.size()));
  const bool bundle = image.front() == std::byte{'_'} || image.front() == std::byte{'C'}; // of both magics
  const hipError_t error = bundle ? hipErrorNoBinaryForGpu : hipErrorInvalidImage;
  try {
    const auto elf = codeobject::select_code_object(image, runtime.device().target(), where);
    return load_elf(runtime, elf, where, module);
  } catch (const Error& reason) {
    return refuse(error, reason.what());
  }
}

std::optional<Function> find_function(const std::shared_ptr<const emulator::Module>& module,
                                      std::string_view name) {
  for (emulator::KernelInfo& info : emulator::kernels(*module))
    if (info.name == name) return Function{module, std::move(info)};
  return std::nullopt;
}

std::shared_ptr<Function> any_function(Runtime& runtime, const void* function) {
  hipFunction_t handle = nullptr;
  if (registered_function(runtime, function, handle) == hipSuccess) return runtime.functions.find(handle);
  return runtime.functions.find(static_cast<hipFunction_t>(const_cast<void*>(function)));
}

} // namespace cts::hip

using namespace cts::hip;

CTS_HIP_API hipError_t hipModuleLoad(hipModule_t* handle, const char* path) {
  return api([&](Runtime& runtime) {
    if (!handle || !path) return hipErrorInvalidValue;
    std::string bytes;
    try {
      bytes = cts::read_file(path);
    } catch (const cts::Error& error) {
      return refuse(hipErrorFileNotFound, error.what());
    }
    return load(handle, std::as_bytes(std::span(bytes)), path, runtime);
  });
}

CTS_HIP_API hipError_t hipModuleLoadData(hipModule_t* handle, const void* image) {
  return load_data(handle, image);
}

CTS_HIP_API hipError_t hipModuleLoadDataEx(hipModule_t* handle, const void* image, unsigned, hipJitOption*,
                                           void**) {
  return load_data(handle, image);
}

CTS_HIP_API hipError_t hipModuleLoadFatBinary(hipModule_t* handle, const void* image) {
  return load_data(handle, image);
}

CTS_HIP_API hipError_t hipModuleUnload(hipModule_t handle) {
  return api([&](Runtime& runtime) {
    if (!handle) return hipErrorInvalidHandle;
    const std::unique_lock wait_for_launches(runtime.executing);
    const auto loaded = runtime.modules.find(handle);
    if (!loaded || !runtime.modules.remove(handle)) return hipErrorNotFound;
    for (const auto& [name, function] : loaded->functions) runtime.functions.remove(function);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipModuleGetFunction(hipFunction_t* handle, hipModule_t module, const char* name) {
  return api([&](Runtime& runtime) {
    if (!handle || !name || !*name) return hipErrorInvalidValue;
    if (!module) return hipErrorInvalidHandle;
    const auto loaded = runtime.modules.find(module);
    if (!loaded) return hipErrorNotFound;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (const auto known = loaded->functions.find(name); known != loaded->functions.end()) {
      *handle = known->second;
      return hipSuccess;
    }
    auto function = find_function(loaded->module, name);
    if (!function) return hipErrorNotFound;
    *handle = runtime.functions.add(std::make_shared<Function>(std::move(*function)));
    loaded->functions[name] = *handle;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipModuleGetFunctionCount(unsigned* count, hipModule_t module) {
  return api([&](Runtime& runtime) {
    if (!count) return hipErrorInvalidValue;
    if (!module) return hipErrorInvalidHandle;
    const auto loaded = runtime.modules.find(module);
    if (!loaded) return hipErrorNotFound;
    *count = static_cast<unsigned>(cts::emulator::kernels(*loaded->module).size());
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, std::size_t* bytes, hipModule_t module,
                                          const char* name) {
  return api([&](Runtime& runtime) {
    if ((!address && !bytes) || !name || !*name) return hipErrorInvalidValue;
    if (!module) return hipErrorInvalidHandle;
    const auto loaded = runtime.modules.find(module);
    const auto symbol = loaded ? cts::emulator::find_symbol(*loaded->module, name) : std::nullopt;
    if (!symbol) return hipErrorNotFound;
    if (address) *address = symbol->address;
    if (bytes) *bytes = symbol->bytes;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute which, hipFunction_t handle) {
  return api([&](Runtime& runtime) {
    if (!value) return hipErrorInvalidValue;
    const auto function = runtime.functions.find(handle);
    if (!function) return hipErrorInvalidHandle;
    const auto& info = function->info;
    switch (which) {
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(info.static_lds); break;
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = static_cast<int>(info.max_threads); break;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(info.private_bytes); break;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS: *value = static_cast<int>(info.vgprs); break;
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION: *value = architecture(runtime); break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = spare_lds(runtime, *function); break;
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = 0; break;
    default: return hipErrorInvalidValue;
    }
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* host_function) {
  return api([&](Runtime& runtime) {
    if (!attributes) return hipErrorInvalidValue;
    const auto function = any_function(runtime, host_function);
    if (!function) return hipErrorInvalidDeviceFunction;
    const auto& info = function->info;
    *attributes = {};
    attributes->binaryVersion = attributes->ptxVersion = architecture(runtime);
    attributes->localSizeBytes = info.private_bytes;
    attributes->maxDynamicSharedSizeBytes = spare_lds(runtime, *function);
    attributes->maxThreadsPerBlock = static_cast<int>(info.max_threads);
    attributes->numRegs = static_cast<int>(info.vgprs);
    attributes->sharedSizeBytes = info.static_lds;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipFuncSetAttribute(const void* host_function, hipFuncAttribute which, int value) {
  return api([&](Runtime& runtime) {
    const auto function = any_function(runtime, host_function);
    if (!function) return hipErrorInvalidDeviceFunction;
    switch (which) {
    case hipFuncAttributeMaxDynamicSharedMemorySize:
      return value < 0 || value > spare_lds(runtime, *function) ? hipErrorInvalidValue : hipSuccess;
    case hipFuncAttributePreferredSharedMemoryCarveout:
      return value < -1 || value > 100 ? hipErrorInvalidValue : hipSuccess;
    default: return hipErrorInvalidValue;
    }
  });
}

CTS_HIP_API hipError_t hipFuncSetCacheConfig(const void* host_function, hipFuncCache_t) {
  return api([&](Runtime& runtime) {
    return any_function(runtime, host_function) ? hipSuccess : hipErrorInvalidDeviceFunction;
  });
}

CTS_HIP_API hipError_t hipFuncSetSharedMemConfig(const void* host_function, hipSharedMemConfig) {
  return api([&](Runtime& runtime) {
    return any_function(runtime, host_function) ? hipSuccess : hipErrorInvalidDeviceFunction;
  });
}
