// Launches, by module handle and by host function. Synchronous: a launch returns how its kernel ended.
#include "runners/emulator/hip/operation.hpp"

#include <hip/hip_ext.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace {

using namespace cts::hip;

/// Where arguments come from: one pointer each, or one packed buffer with HIP_LAUNCH_PARAM_* markers.
struct Arguments {
  void** each = nullptr;
  void** packed = nullptr;
};

/// What a launch is timed with; either may be null.
struct Timing {
  hipEvent_t start = nullptr, stop = nullptr;
};

/// What an entry point answers for a shape with a zero, and for one that is too large.
struct ShapeErrors {
  hipError_t zero = hipErrorInvalidConfiguration, too_large = hipErrorInvalidConfiguration;
};
constexpr ShapeErrors module_errors{hipErrorInvalidValue, hipErrorInvalidValue};
constexpr ShapeErrors extended_errors{hipErrorInvalidValue, hipErrorInvalidConfiguration};

/// Checks what the entry points check before they look at the kernel.
hipError_t check_shape(Runtime& runtime, const Shape& shape, const ShapeErrors& errors) {
  std::uint64_t block = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint64_t blocks = shape.blocks[axis], threads = shape.threads[axis];
    if (blocks == 0 || threads == 0) return errors.zero;
    if (threads > cts::emulator::max_threads_per_block || blocks * threads > UINT32_MAX)
      return errors.too_large;
    block *= threads;
  }
  if (block > cts::emulator::max_threads_per_block) return errors.too_large;
  return shape.dynamic_lds > cts::emulator::lds_bytes(runtime.device().target()) ? hipErrorInvalidValue
                                                                                 : hipSuccess;
}

/// Lays the arguments out as the kernel's metadata says.
hipError_t pack(const cts::emulator::KernelInfo& info, const Arguments& arguments,
                std::vector<std::byte>& packed) {
  packed.assign(info.explicit_argument_bytes, std::byte{0});
  if (arguments.each && arguments.packed) return hipErrorInvalidValue;
  if (arguments.packed) {
    void** const extra = arguments.packed;
    if (extra[0] != HIP_LAUNCH_PARAM_BUFFER_POINTER || extra[2] != HIP_LAUNCH_PARAM_BUFFER_SIZE ||
        extra[4] != HIP_LAUNCH_PARAM_END || !extra[3])
      return hipErrorInvalidValue;
    const std::size_t bytes = *static_cast<const std::size_t*>(extra[3]);
    if (info.arguments.empty()) return bytes == 0 ? hipSuccess : hipErrorLaunchOutOfResources;
    const auto& last = info.arguments.back();
    if (!extra[1] || bytes < last.offset + last.size) return hipErrorInvalidValue;
    std::memcpy(packed.data(), extra[1], std::min(bytes, packed.size()));
    return hipSuccess;
  }
  if (info.arguments.empty()) return hipSuccess;
  if (!arguments.each) return hipErrorInvalidValue;
  for (std::size_t i = 0; i < info.arguments.size(); ++i) {
    const auto& argument = info.arguments[i];
    if (!arguments.each[i]) return hipErrorInvalidValue;
    std::memcpy(packed.data() + argument.offset, arguments.each[i], argument.size);
  }
  return hipSuccess;
}

Shape shape_of(dim3 blocks, dim3 threads, std::size_t dynamic_lds) {
  return {{blocks.x, blocks.y, blocks.z}, {threads.x, threads.y, threads.z}, dynamic_lds};
}

/// `named` is a hipFunction_t.
std::shared_ptr<Function> module_function(Runtime& runtime, const void* named) {
  return runtime.functions.find(static_cast<hipFunction_t>(const_cast<void*>(named)));
}

/// A checked launch of `function`, which the program called `named`.
hipError_t make_call(Runtime& runtime, const void* named, std::shared_ptr<Function> function,
                     const Shape& shape, const ShapeErrors& errors, const Arguments& arguments,
                     KernelCall& call) {
  const hipError_t checked = check_shape(runtime, shape, errors);
  if (checked != hipSuccess) return checked;
  if (!function) return hipErrorInvalidHandle;
  const auto& info = function->info;
  if (shape.threads[0] * shape.threads[1] * shape.threads[2] > info.max_threads) return hipErrorLaunchFailure;
  if (info.static_lds + shape.dynamic_lds > cts::emulator::lds_bytes(runtime.device().target()))
    return hipErrorInvalidValue;
  call.named = named;
  call.shape = shape;
  const hipError_t packed = pack(info, arguments, call.arguments);
  call.function = std::move(function);
  return packed;
}

hipError_t record(Runtime& runtime, hipEvent_t event, hipStream_t stream) {
  return event ? submit(runtime, stream, RecordEvent{event}) : hipSuccess;
}

/// Launches between its events.
hipError_t launch(Runtime& runtime, KernelCall call, hipStream_t stream, const Timing& timing) {
  const hipError_t started = record(runtime, timing.start, stream);
  if (started != hipSuccess) return started;
  const hipError_t launched = submit(runtime, stream, std::move(call));
  return launched != hipSuccess ? launched : record(runtime, timing.stop, stream);
}

/// By module handle.
hipError_t launch_module(hipFunction_t handle, const Shape& shape, const ShapeErrors& errors,
                         const Arguments& arguments, hipStream_t stream, const Timing& timing = {}) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    KernelCall call;
    const hipError_t made =
        make_call(runtime, handle, module_function(runtime, handle), shape, errors, arguments, call);
    return made != hipSuccess ? made : launch(runtime, std::move(call), stream, timing);
  });
}

/// By host function, as `<<<>>>` and hipLaunchKernel do.
hipError_t launch_registered(const void* host_function, const Shape& shape, void** arguments,
                             hipStream_t stream, const Timing& timing = {}) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    hipFunction_t handle = nullptr;
    const hipError_t found = registered_function(runtime, host_function, handle);
    if (found != hipSuccess) return found;
    KernelCall call;
    const hipError_t made = make_call(runtime, host_function, runtime.functions.find(handle), shape, {},
                                      {arguments, nullptr}, call);
    return made != hipSuccess ? made : launch(runtime, std::move(call), stream, timing);
  });
}

/// The grid in threads, which must be a whole number of blocks.
hipError_t launch_threads(hipFunction_t handle, Shape shape, const Arguments& arguments, hipStream_t stream,
                          const Timing& timing) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto threads = shape.threads[axis];
    if (threads == 0 || shape.blocks[axis] % threads != 0) return finish(hipErrorInvalidValue);
    shape.blocks[axis] /= threads;
  }
  return launch_module(handle, shape, extended_errors, arguments, stream, timing);
}

/// Blocks of a cooperative launch may wait for each other, and blocks run one after another here: like AMD's
/// runtime where a device lacks such launches, this one refuses them.
hipError_t launch_cooperative(Runtime& runtime, const Shape& shape, const std::shared_ptr<Function>& function,
                              hipStream_t stream) {
  if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
  if (!function) return hipErrorInvalidDeviceFunction;
  const hipError_t checked = check_shape(runtime, shape, {});
  if (checked != hipSuccess) return checked;
  complain("cooperative launches are not supported (hipDeviceAttributeCooperativeLaunch is 0)");
  return hipErrorLaunchFailure;
}

/// True when the attributes ask for a cooperative launch; the others are advice.
bool cooperative(const hipLaunchAttribute* attributes, unsigned count) {
  for (const auto& attribute : std::span(attributes, attributes ? count : 0))
    if (attribute.id == hipLaunchAttributeCooperative && attribute.value.cooperative != 0) return true;
  return false;
}

} // namespace

namespace cts::hip {

hipError_t make_kernel_call(Runtime& runtime, const hipKernelNodeParams* p, KernelCall& call) {
  if (!p || !p->func) return hipErrorInvalidValue;
  auto function = any_function(runtime, p->func);
  if (!function) return hipErrorInvalidDeviceFunction;
  return make_call(runtime, p->func, std::move(function),
                   shape_of(p->gridDim, p->blockDim, p->sharedMemBytes), {}, {p->kernelParams, p->extra},
                   call);
}

} // namespace cts::hip

CTS_HIP_API hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y,
                                             unsigned grid_z, unsigned block_x, unsigned block_y,
                                             unsigned block_z, unsigned dynamic_lds, hipStream_t stream,
                                             void** arguments, void** extra) {
  return launch_module(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds},
                       module_errors, {arguments, extra}, stream);
}

CTS_HIP_API hipError_t hipExtModuleLaunchKernel(hipFunction_t function, std::uint32_t grid_x,
                                                std::uint32_t grid_y, std::uint32_t grid_z,
                                                std::uint32_t block_x, std::uint32_t block_y,
                                                std::uint32_t block_z, std::size_t dynamic_lds,
                                                hipStream_t stream, void** arguments, void** extra,
                                                hipEvent_t start, hipEvent_t stop, std::uint32_t) {
  return launch_threads(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds},
                        {arguments, extra}, stream, {start, stop});
}

CTS_HIP_API hipError_t hipHccModuleLaunchKernel(hipFunction_t function, std::uint32_t grid_x,
                                                std::uint32_t grid_y, std::uint32_t grid_z,
                                                std::uint32_t block_x, std::uint32_t block_y,
                                                std::uint32_t block_z, std::size_t dynamic_lds,
                                                hipStream_t stream, void** arguments, void** extra,
                                                hipEvent_t start, hipEvent_t stop) {
  return launch_threads(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds},
                        {arguments, extra}, stream, {start, stop});
}

CTS_HIP_API hipError_t hipLaunchKernel(const void* host_function, dim3 blocks, dim3 threads, void** arguments,
                                       std::size_t dynamic_lds, hipStream_t stream) {
  return launch_registered(host_function, shape_of(blocks, threads, dynamic_lds), arguments, stream);
}

CTS_HIP_API hipError_t hipExtLaunchKernel(const void* host_function, dim3 blocks, dim3 threads,
                                          void** arguments, std::size_t dynamic_lds, hipStream_t stream,
                                          hipEvent_t start, hipEvent_t stop, int) {
  return launch_registered(host_function, shape_of(blocks, threads, dynamic_lds), arguments, stream,
                           {start, stop});
}

CTS_HIP_API hipError_t hipLaunchCooperativeKernel(const void* host_function, dim3 blocks, dim3 threads,
                                                  void**, unsigned dynamic_lds, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    return launch_cooperative(runtime, shape_of(blocks, threads, dynamic_lds),
                              any_function(runtime, host_function), stream);
  });
}

CTS_HIP_API hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned grid_x,
                                                        unsigned grid_y, unsigned grid_z, unsigned block_x,
                                                        unsigned block_y, unsigned block_z,
                                                        unsigned dynamic_lds, hipStream_t stream, void**) {
  return api([&](Runtime& runtime) {
    return launch_cooperative(runtime, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds},
                              module_function(runtime, function), stream);
  });
}

CTS_HIP_API hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* host_function,
                                          void** arguments) {
  if (!config) return finish(hipErrorInvalidConfiguration);
  if (cooperative(config->attrs, config->numAttrs))
    return hipLaunchCooperativeKernel(host_function, config->gridDim, config->blockDim, arguments,
                                      static_cast<unsigned>(config->dynamicSmemBytes), config->stream);
  return launch_registered(host_function,
                           shape_of(config->gridDim, config->blockDim, config->dynamicSmemBytes), arguments,
                           config->stream);
}

CTS_HIP_API hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t function,
                                            void** arguments, void** extra) {
  if (!config) return finish(hipErrorInvalidConfiguration);
  const Shape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                    {config->blockDimX, config->blockDimY, config->blockDimZ},
                    config->sharedMemBytes};
  if (cooperative(config->attrs, config->numAttrs))
    return api([&](Runtime& runtime) {
      return launch_cooperative(runtime, shape, module_function(runtime, function), config->hStream);
    });
  return launch_module(function, shape, module_errors, {arguments, extra}, config->hStream);
}

CTS_HIP_API hipError_t __hipPushCallConfiguration(dim3 blocks, dim3 threads, std::size_t dynamic_lds,
                                                  hipStream_t stream) {
  return api([&](Runtime&) {
    thread_state().configurations.push_back({blocks, threads, dynamic_lds, stream});
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t __hipPopCallConfiguration(dim3* blocks, dim3* threads, std::size_t* dynamic_lds,
                                                 hipStream_t* stream) {
  return api([&](Runtime&) {
    auto& configurations = thread_state().configurations;
    if (configurations.empty()) return hipErrorMissingConfiguration;
    const CallConfiguration top = configurations.back();
    configurations.pop_back();
    *blocks = top.blocks;
    *threads = top.threads;
    *dynamic_lds = top.dynamic_lds;
    *stream = top.stream;
    return hipSuccess;
  });
}

// The oldest way to launch: configure, set up arguments one by one, launch.

CTS_HIP_API hipError_t hipConfigureCall(dim3 blocks, dim3 threads, std::size_t dynamic_lds,
                                        hipStream_t stream) {
  return __hipPushCallConfiguration(blocks, threads, dynamic_lds, stream);
}

CTS_HIP_API hipError_t hipSetupArgument(const void* argument, std::size_t bytes, std::size_t offset) {
  return api([&](Runtime&) {
    constexpr std::size_t most = 64 << 10;
    auto& configurations = thread_state().configurations;
    if (configurations.empty()) return hipErrorMissingConfiguration;
    if (!argument || bytes > most || offset > most) return hipErrorInvalidValue;
    auto& packed = configurations.back().arguments;
    packed.resize(std::max(packed.size(), offset + bytes));
    std::memcpy(packed.data() + offset, argument, bytes);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipLaunchByPtr(const void* host_function) {
  auto& configurations = thread_state().configurations;
  if (configurations.empty()) return finish(hipErrorMissingConfiguration);
  CallConfiguration call = std::move(configurations.back());
  configurations.pop_back();
  hipFunction_t function = nullptr;
  const hipError_t found = hipGetFuncBySymbol(&function, host_function);
  if (found != hipSuccess) return found;
  std::size_t bytes = call.arguments.size();
  void* packed[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, call.arguments.data(), HIP_LAUNCH_PARAM_BUFFER_SIZE,
                    &bytes, HIP_LAUNCH_PARAM_END};
  return launch_module(function, shape_of(call.blocks, call.threads, call.dynamic_lds), {},
                       {nullptr, bytes ? packed : nullptr}, call.stream);
}
