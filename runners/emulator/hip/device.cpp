// The devices: what each says of itself, and the calls that choose and configure a device.
#include "runners/emulator/hip/runtime.hpp"

#include <hip/hip_deprecated.h>
#include <hip/hip_version.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace {

using namespace cts::hip;

constexpr int pitch_alignment = 256;
constexpr int vgprs_per_block =
    131072;                          ///< 512 VGPRs x 64 lanes x 4 SIMDs. [CDNA3 ISA 3.6.4; CDNA4 ISA 3.6.4]
constexpr int threads_per_cu = 2048; ///< 4 SIMDs x 8 waves x 64 lanes

std::string device_name(Runtime& runtime) {
  return "cdna-cts emulator (" + std::string(cts::name(runtime.device().target())) + " model, no GPU)";
}

/// The machine-wide number of a device is its PCI bus.
std::string bus_id(int number) { return fmt::format("0000:{:02x}:00.0", number); }

std::string arch_name(Runtime& runtime) {
  return std::string(cts::name(runtime.device().target())) + ":sramecc+:xnack-";
}

/// gfx942 is 9.4 and gfx950 is 9.5, as hipDeviceComputeCapability counts.
int minor_version(Runtime& runtime) { return runtime.device().target() == cts::Target::gfx942 ? 4 : 5; }

template <std::size_t Size> void copy_text(char (&field)[Size], const std::string& text) {
  std::memcpy(field, text.c_str(), std::min(text.size() + 1, Size));
  field[Size - 1] = '\0';
}

/// The fields that both generations of the properties have. What a product would have to be named for
/// (clocks, counts of compute units, caches, PCI ids) is 0, and one compute unit.
template <typename Properties> Properties common_properties(Runtime& runtime) {
  Properties p;
  std::memset(&p, 0, sizeof p);
  const auto lds = cts::emulator::lds_bytes(runtime.device().target());
  const int block = static_cast<int>(cts::emulator::max_threads_per_block);
  copy_text(p.name, device_name(runtime));
  copy_text(p.gcnArchName, arch_name(runtime));
  p.totalGlobalMem = runtime.memory().capacity();
  p.sharedMemPerBlock = lds;
  p.maxSharedMemoryPerMultiProcessor = lds;
  p.regsPerBlock = vgprs_per_block;
  p.warpSize = 64;
  p.maxThreadsPerBlock = block;
  std::fill_n(p.maxThreadsDim, 3, block);
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65536;
  p.totalConstMem = 2147483647;
  p.major = 9;
  p.minor = minor_version(runtime);
  p.multiProcessorCount = compute_units;
  p.maxThreadsPerMultiProcessor = threads_per_cu;
  p.computeMode = hipComputeModeDefault;
  p.concurrentKernels = 0; // every launch ends before its call returns
  p.canMapHostMemory = 1;
  p.managedMemory = 1;
  p.directManagedMemAccessFromHost = 1;
  p.isLargeBar = 1;
  p.ECCEnabled = 0;
  p.memPitch = 2147483647;
  p.textureAlignment = pitch_alignment;
  p.texturePitchAlignment = pitch_alignment;
  auto& arch = p.arch;
  arch.hasGlobalInt32Atomics = arch.hasGlobalFloatAtomicExch = 1;
  arch.hasSharedInt32Atomics = arch.hasSharedFloatAtomicExch = 1;
  arch.hasFloatAtomicAdd = arch.hasGlobalInt64Atomics = arch.hasSharedInt64Atomics = 1;
  arch.hasDoubles = arch.hasWarpVote = arch.hasWarpBallot = arch.hasWarpShuffle = 1;
  arch.hasThreadFenceSystem = arch.has3dGrid = 1;
  return p;
}

/// The first device is named as it is where nobody asked for several.
hipUUID uuid(Runtime& runtime, int number) {
  hipUUID made{};
  copy_text(made.bytes, number == 0 ? "cdna-cts-" + std::string(cts::name(runtime.device().target()))
                                    : fmt::format("emulated-{:03}", number));
  return made;
}

hipDeviceProp_tR0600 properties(Runtime& runtime, int number) {
  auto p = common_properties<hipDeviceProp_tR0600>(runtime);
  p.pciBusID = number;
  p.uuid = uuid(runtime, number);
  p.sharedMemPerMultiprocessor = p.sharedMemPerBlock;
  p.sharedMemPerBlockOptin = p.sharedMemPerBlock;
  p.regsPerMultiprocessor = vgprs_per_block;
  p.maxBlocksPerMultiProcessor = threads_per_cu / 64;
  p.unifiedAddressing = 1;
  p.streamPrioritiesSupported = 0;
  p.memoryPoolsSupported = 1;
  p.hostRegisterSupported = 1;
  p.unifiedFunctionPointers = 1;
  return p;
}

hipError_t attribute(Runtime& runtime, int number, hipDeviceAttribute_t which, int& value) {
  const auto p = properties(runtime, number);
  const auto clamped = [](std::size_t bytes) {
    return static_cast<int>(std::min<std::size_t>(bytes, 2147483647));
  };
  switch (which) {
  case hipDeviceAttributePciBusId: value = p.pciBusID; break;
  case hipDeviceAttributeWarpSize: value = p.warpSize; break;
  case hipDeviceAttributeMaxThreadsPerBlock: value = p.maxThreadsPerBlock; break;
  case hipDeviceAttributeMaxBlockDimX: value = p.maxThreadsDim[0]; break;
  case hipDeviceAttributeMaxBlockDimY: value = p.maxThreadsDim[1]; break;
  case hipDeviceAttributeMaxBlockDimZ: value = p.maxThreadsDim[2]; break;
  case hipDeviceAttributeMaxThreadsDim: value = p.maxThreadsDim[0]; break;
  case hipDeviceAttributeMaxGridDimX: value = p.maxGridSize[0]; break;
  case hipDeviceAttributeMaxGridDimY: value = p.maxGridSize[1]; break;
  case hipDeviceAttributeMaxGridDimZ: value = p.maxGridSize[2]; break;
  case hipDeviceAttributeMaxSharedMemoryPerBlock:
  case hipDeviceAttributeSharedMemPerBlockOptin:
  case hipDeviceAttributeSharedMemPerMultiprocessor:
  case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor: value = clamped(p.sharedMemPerBlock); break;
  case hipDeviceAttributeMaxRegistersPerBlock:
  case hipDeviceAttributeMaxRegistersPerMultiprocessor: value = p.regsPerBlock; break;
  case hipDeviceAttributeMaxAvailableVgprsPerThread: value = 512; break;
  case hipDeviceAttributeMaxThreadsPerMultiProcessor: value = p.maxThreadsPerMultiProcessor; break;
  case hipDeviceAttributeMaxBlocksPerMultiProcessor: value = p.maxBlocksPerMultiProcessor; break;
  case hipDeviceAttributeMultiprocessorCount:
  case hipDeviceAttributePhysicalMultiProcessorCount: value = compute_units; break;
  case hipDeviceAttributeNumberOfXccs: value = 1; break;
  case hipDeviceAttributeComputeCapabilityMajor: value = p.major; break;
  case hipDeviceAttributeComputeCapabilityMinor: value = p.minor; break;
  case hipDeviceAttributeTotalConstantMemory: value = clamped(p.totalConstMem); break;
  case hipDeviceAttributeTotalGlobalMem: value = clamped(p.totalGlobalMem); break;
  case hipDeviceAttributeMaxPitch: value = clamped(p.memPitch); break;
  case hipDeviceAttributeTextureAlignment:
  case hipDeviceAttributeTexturePitchAlignment: value = pitch_alignment; break;
  case hipDeviceAttributeCanMapHostMemory:
  case hipDeviceAttributeManagedMemory:
  case hipDeviceAttributeDirectManagedMemAccessFromHost:
  case hipDeviceAttributeUnifiedAddressing:
  case hipDeviceAttributeFineGrainSupport:
  case hipDeviceAttributeHostRegisterSupported:
  case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
  case hipDeviceAttributeMemoryPoolsSupported:
  case hipDeviceAttributeIsLargeBar: value = 1; break;
  case hipDeviceAttributeComputeMode: value = p.computeMode; break;
  // No product, so no clocks, buses or caches; no images; no capability that the emulator lacks.
  case hipDeviceAttributeAccessPolicyMaxWindowSize:
  case hipDeviceAttributeGlobalL1CacheSupported:
  case hipDeviceAttributeLocalL1CacheSupported:
  case hipDeviceAttributeMaxSurface1D:
  case hipDeviceAttributeMaxSurface1DLayered:
  case hipDeviceAttributeMaxSurface2D:
  case hipDeviceAttributeMaxSurface2DLayered:
  case hipDeviceAttributeMaxSurface3D:
  case hipDeviceAttributeMaxSurfaceCubemap:
  case hipDeviceAttributeMaxSurfaceCubemapLayered:
  case hipDeviceAttributeMaxTexture1DWidth:
  case hipDeviceAttributeMaxTexture1DLayered:
  case hipDeviceAttributeMaxTexture1DLinear:
  case hipDeviceAttributeMaxTexture1DMipmap:
  case hipDeviceAttributeMaxTexture2DWidth:
  case hipDeviceAttributeMaxTexture2DHeight:
  case hipDeviceAttributeMaxTexture2DGather:
  case hipDeviceAttributeMaxTexture2DLayered:
  case hipDeviceAttributeMaxTexture2DLinear:
  case hipDeviceAttributeMaxTexture2DMipmap:
  case hipDeviceAttributeMaxTexture3DWidth:
  case hipDeviceAttributeMaxTexture3DHeight:
  case hipDeviceAttributeMaxTexture3DDepth:
  case hipDeviceAttributeMaxTexture3DAlt:
  case hipDeviceAttributeMaxTextureCubemap:
  case hipDeviceAttributeMaxTextureCubemapLayered:
  case hipDeviceAttributeMultiGpuBoardGroupID:
  case hipDeviceAttributeSingleToDoublePrecisionPerfRatio:
  case hipDeviceAttributeSurfaceAlignment:
  case hipDeviceAttributeHdpMemFlushCntl: // addresses: none
  case hipDeviceAttributeHdpRegFlushCntl:
  case hipDeviceAttributeMemoryPoolSupportedHandleTypes:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
  case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem:
  case hipDeviceAttributeClockRate:
  case hipDeviceAttributeMemoryClockRate:
  case hipDeviceAttributeClockInstructionRate:
  case hipDeviceAttributeWallClockRate:
  case hipDeviceAttributeMemoryBusWidth:
  case hipDeviceAttributeL2CacheSize:
  case hipDeviceAttributePersistingL2CacheMaxSize:
  case hipDeviceAttributeReservedSharedMemPerBlock:
  case hipDeviceAttributePciDeviceId:
  case hipDeviceAttributePciDomainId:
  case hipDeviceAttributePciChipId:
  case hipDeviceAttributeAsicRevision:
  case hipDeviceAttributeEccEnabled:
  case hipDeviceAttributeAsyncEngineCount:
  case hipDeviceAttributeConcurrentKernels:
  case hipDeviceAttributeConcurrentManagedAccess:
  case hipDeviceAttributePageableMemoryAccess:
  case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
  case hipDeviceAttributeCooperativeLaunch:
  case hipDeviceAttributeCooperativeMultiDeviceLaunch:
  case hipDeviceAttributeCanUseStreamWaitValue:
  case hipDeviceAttributeComputePreemptionSupported:
  case hipDeviceAttributeDeviceOverlap:
  case hipDeviceAttributeHostNativeAtomicSupported:
  case hipDeviceAttributeImageSupport:
  case hipDeviceAttributeIntegrated:
  case hipDeviceAttributeIsMultiGpuBoard:
  case hipDeviceAttributeKernelExecTimeout:
  case hipDeviceAttributeStreamPrioritiesSupported:
  case hipDeviceAttributeTccDriver:
  case hipDeviceAttributeVirtualMemoryManagementSupported: value = 0; break;
  default: return hipErrorInvalidValue;
  }
  return hipSuccess;
}

/// Runs `body` when `device` is one that the process sees.
template <typename Body> hipError_t on_device(int device, Body&& body) {
  return api(
      [&](Runtime& runtime) { return runtime.has_device(device) ? body(runtime) : hipErrorInvalidDevice; });
}

int number_of(const Runtime& runtime, int ordinal) {
  return runtime.visible()[static_cast<std::size_t>(ordinal)];
}

template <typename T> hipError_t give(T* where, const T& value) {
  if (!where) return hipErrorInvalidValue;
  *where = value;
  return hipSuccess;
}

hipError_t synchronize() {
  return api([](Runtime& runtime) {
    const std::unique_lock wait_for_launches(runtime.executing);
    return hipSuccess;
  });
}

/// What was set last; nothing here has an effect.
std::atomic<hipFuncCache_t> cache_preference = hipFuncCachePreferNone;
std::atomic<unsigned> device_flags = hipDeviceScheduleAuto;

/// Limits are kept and returned; the emulator enforces none of them.
std::array<std::atomic<std::size_t>, 3> limits{1024, std::size_t{1} << 20, std::size_t{4} << 20};

/// The one context: the device itself.
hipCtx_t context(Runtime& runtime) { return reinterpret_cast<hipCtx_t>(&runtime); }

} // namespace

/// Tells this library from AMD's: look it up by name.
extern "C" __attribute__((visibility("default"))) const char* const cdna_cts_emulator_version =
    CDNA_CTS_VERSION;

CTS_HIP_API hipError_t hipInit(unsigned flags) {
  return api([&](Runtime&) { return flags == 0 ? hipSuccess : hipErrorInvalidValue; });
}

CTS_HIP_API hipError_t hipRuntimeGetVersion(int* version) { return finish(give(version, HIP_VERSION)); }

CTS_HIP_API hipError_t hipDriverGetVersion(int* version) { return finish(give(version, HIP_VERSION)); }

CTS_HIP_API hipError_t hipGetDeviceCount(int* count) {
  if (count) *count = 0;
  return api([&](Runtime& runtime) { return give(count, static_cast<int>(runtime.visible().size())); });
}

CTS_HIP_API hipError_t hipGetDevice(int* device) {
  return api([&](Runtime&) { return give(device, thread_state().device); });
}

CTS_HIP_API hipError_t hipSetDevice(int device) {
  return on_device(device, [&](Runtime&) {
    thread_state().device = device;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  return on_device(ordinal, [&](Runtime&) { return give(device, ordinal); });
}

CTS_HIP_API hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* prop, int device) {
  return on_device(
      device, [&](Runtime& runtime) { return give(prop, properties(runtime, number_of(runtime, device))); });
}

CTS_HIP_API hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* prop, int device) {
  return on_device(device, [&](Runtime& runtime) {
    auto p = common_properties<hipDeviceProp_tR0000>(runtime);
    p.pciBusID = number_of(runtime, device);
    return give(prop, p);
  });
}

CTS_HIP_API hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600* prop) {
  return api([&](Runtime&) { return prop ? give(device, 0) : hipErrorInvalidValue; });
}

CTS_HIP_API hipError_t hipChooseDeviceR0000(int* device, const hipDeviceProp_tR0000* prop) {
  return api([&](Runtime&) { return prop ? give(device, 0) : hipErrorInvalidValue; });
}

CTS_HIP_API hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t which, int device) {
  return on_device(device, [&](Runtime& runtime) {
    return value ? attribute(runtime, number_of(runtime, device), which, *value) : hipErrorInvalidValue;
  });
}

CTS_HIP_API hipError_t hipDeviceGetName(char* name, int bytes, hipDevice_t device) {
  return on_device(device, [&](Runtime& runtime) {
    if (!name || bytes <= 0) return hipErrorInvalidValue;
    const std::string text = device_name(runtime).substr(0, static_cast<std::size_t>(bytes) - 1);
    std::memcpy(name, text.c_str(), text.size() + 1);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceGetUuid(hipUUID* result, hipDevice_t device) {
  return on_device(device,
                   [&](Runtime& runtime) { return give(result, uuid(runtime, number_of(runtime, device))); });
}

CTS_HIP_API hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  return on_device(device, [&](Runtime& runtime) {
    if (!major || !minor) return hipErrorInvalidValue;
    *major = 9;
    *minor = minor_version(runtime);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceTotalMem(std::size_t* bytes, hipDevice_t device) {
  return on_device(device, [&](Runtime& runtime) { return give(bytes, runtime.memory().capacity()); });
}

/// A buffer that is too short gets what fits, and the call fails, as with AMD's runtime.
CTS_HIP_API hipError_t hipDeviceGetPCIBusId(char* text, int bytes, int device) {
  return on_device(device, [&](Runtime& runtime) {
    if (!text || bytes <= 0) return hipErrorInvalidValue;
    const std::string whole = bus_id(number_of(runtime, device));
    const std::string fits = whole.substr(0, static_cast<std::size_t>(bytes) - 1);
    std::memcpy(text, fits.c_str(), fits.size() + 1);
    return fits == whole ? hipSuccess : hipErrorInvalidValue;
  });
}

CTS_HIP_API hipError_t hipDeviceGetByPCIBusId(int* device, const char* text) {
  return api([&](Runtime& runtime) {
    if (!text) return hipErrorInvalidValue;
    for (int ordinal = 0; runtime.has_device(ordinal); ++ordinal)
      if (text == bus_id(number_of(runtime, ordinal))) return give(device, ordinal);
    return hipErrorInvalidDevice;
  });
}

CTS_HIP_API hipError_t hipDeviceSynchronize() { return synchronize(); }

/// Ends every allocation, stream and event; managed variables of the program stay.
CTS_HIP_API hipError_t hipDeviceReset() {
  return api([](Runtime& runtime) {
    std::vector<void*> ended;
    {
      const std::lock_guard lock(runtime.allocations_mutex);
      for (const auto& [base, allocation] : runtime.allocations)
        if (!allocation.permanent && !allocation.registered) ended.push_back(reinterpret_cast<void*>(base));
    }
    for (void* const pointer : ended) {
      const hipError_t released = release(runtime, pointer);
      if (released != hipSuccess) return released;
    }
    runtime.streams.clear();
    runtime.events.clear();
    device_flags = hipDeviceScheduleAuto;
    cache_preference = hipFuncCachePreferNone;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceGetLimit(std::size_t* value, hipLimit_t limit) {
  return api([&](Runtime&) {
    if (static_cast<std::size_t>(limit) >= limits.size()) return hipErrorUnsupportedLimit;
    return give(value, limits[limit].load());
  });
}

CTS_HIP_API hipError_t hipDeviceSetLimit(hipLimit_t limit, std::size_t value) {
  return api([&](Runtime&) {
    if (limit >= hipLimitRange) return hipErrorInvalidValue;
    if (limit < 0 || static_cast<std::size_t>(limit) >= limits.size()) return hipErrorUnsupportedLimit;
    limits[limit] = value;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&](Runtime&) {
    if (least) *least = 1;
    if (greatest) *greatest = -1;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
  return api([&](Runtime&) {
    if (config < hipFuncCachePreferNone || config > hipFuncCachePreferEqual) return hipErrorInvalidValue;
    cache_preference = config;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return api([&](Runtime&) { return give(config, cache_preference.load()); });
}

CTS_HIP_API hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  return api([&](Runtime&) {
    return config < hipSharedMemBankSizeDefault || config > hipSharedMemBankSizeEightByte
               ? hipErrorInvalidValue
               : hipSuccess;
  });
}

CTS_HIP_API hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  return api([&](Runtime&) { return give(config, hipSharedMemBankSizeFourByte); });
}

/// One way of waiting at most; only that is kept.
CTS_HIP_API hipError_t hipSetDeviceFlags(unsigned flags) {
  return api([&](Runtime&) {
    constexpr unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    const unsigned schedule = flags & hipDeviceScheduleMask;
    if ((flags & ~known) != 0 || (schedule & (schedule - 1)) != 0) return hipErrorInvalidValue;
    device_flags = schedule;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipGetDeviceFlags(unsigned* flags) {
  return api([&](Runtime&) { return give(flags, device_flags.load()); });
}

CTS_HIP_API hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* result, hipDevice_t device) {
  return on_device(device, [&](Runtime& runtime) { return give(result, context(runtime)); });
}

CTS_HIP_API hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return on_device(device, [](Runtime&) { return hipSuccess; });
}

CTS_HIP_API hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  return on_device(device, [&](Runtime&) {
    if (!flags || !active) return hipErrorInvalidValue;
    *flags = hipDeviceScheduleAuto;
    *active = 1;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipCtxCreate(hipCtx_t* result, unsigned, hipDevice_t device) {
  return on_device(device, [&](Runtime& runtime) {
    if (!result) return hipErrorInvalidValue;
    *result = context(runtime);
    thread_state().contexts.push_back(*result);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipCtxDestroy(hipCtx_t ctx) {
  return api([&](Runtime& runtime) {
    if (ctx != context(runtime)) return hipErrorInvalidValue;
    auto& contexts = thread_state().contexts;
    if (!contexts.empty()) contexts.pop_back();
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipCtxGetCurrent(hipCtx_t* ctx) {
  return api([&](Runtime& runtime) { return give(ctx, context(runtime)); });
}

CTS_HIP_API hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  return api([&](Runtime& runtime) {
    return ctx == nullptr || ctx == context(runtime) ? hipSuccess : hipErrorInvalidContext;
  });
}

CTS_HIP_API hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  return api([&](Runtime& runtime) {
    if (ctx != context(runtime)) return hipErrorInvalidContext;
    thread_state().contexts.push_back(ctx);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipCtxPopCurrent(hipCtx_t* ctx) {
  return api([&](Runtime&) {
    auto& contexts = thread_state().contexts;
    if (contexts.empty()) return hipErrorInvalidContext;
    if (ctx) *ctx = contexts.back();
    contexts.pop_back();
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipCtxGetDevice(hipDevice_t* device) {
  return api([&](Runtime&) { return give(device, thread_state().device); });
}

CTS_HIP_API hipError_t hipCtxSynchronize() { return synchronize(); }

CTS_HIP_API hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) {
  return api([&](Runtime&) { return give(config, hipSharedMemBankSizeFourByte); });
}

CTS_HIP_API hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return on_device(device, [](Runtime&) { return hipSuccess; });
}

/// The primary context is in use from the start.
CTS_HIP_API hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned) {
  return on_device(device, [](Runtime&) { return hipErrorContextAlreadyInUse; });
}
