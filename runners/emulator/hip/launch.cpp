// Launches, by module handle and by host function. Synchronous: a launch returns how its kernel ended.
#include "runners/emulator/hip/runtime.hpp"

#include "common/error.hpp"

#include <hip/hip_ext.h>

#include <cstring>

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

struct Shape {
  std::array<std::uint32_t, 3> blocks{1, 1, 1}, threads{1, 1, 1};
  std::size_t dynamic_lds = 0;
};

/// Checks what the entry points check before they look at the kernel. The two error codes differ between
/// them.
hipError_t check_shape(Runtime& runtime, const Shape& shape, hipError_t zero, hipError_t too_large) {
  std::uint64_t block = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint64_t blocks = shape.blocks[axis], threads = shape.threads[axis];
    if (blocks == 0 || threads == 0) return zero;
    if (threads > cts::emulator::max_threads_per_block || blocks * threads > UINT32_MAX) return too_large;
    block *= threads;
  }
  if (block > cts::emulator::max_threads_per_block) return too_large;
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

hipError_t record(Runtime& runtime, hipEvent_t handle) {
  if (!handle) return hipSuccess;
  const auto event = runtime.events.find(handle);
  if (!event) return hipErrorInvalidHandle;
  const std::lock_guard lock(event->mutex);
  event->recorded = std::chrono::steady_clock::now();
  return hipSuccess;
}

/// Runs a kernel whose shape has been checked. A stop becomes the process's fault, which is also the result.
hipError_t run(Runtime& runtime, hipFunction_t handle, const Shape& shape, const Arguments& arguments,
               const Timing& timing) {
  const auto function = runtime.functions.find(handle);
  if (!function) return hipErrorInvalidHandle;
  const auto& info = function->info;
  if (shape.threads[0] * shape.threads[1] * shape.threads[2] > info.max_threads) return hipErrorLaunchFailure;
  if (info.static_lds + shape.dynamic_lds > cts::emulator::lds_bytes(runtime.device().target()))
    return hipErrorInvalidValue;

  cts::emulator::Launch launch;
  launch.module = function->module;
  launch.kernel = info.name;
  launch.blocks = shape.blocks;
  launch.threads = shape.threads;
  launch.dynamic_lds = static_cast<std::uint32_t>(shape.dynamic_lds);
  const hipError_t packed = pack(info, arguments, launch.arguments);
  if (packed != hipSuccess) return packed;
  const hipError_t started = record(runtime, timing.start);
  if (started != hipSuccess) return started;

  cts::emulator::LaunchReport report;
  try {
    const std::shared_lock hold_memory(runtime.executing);
    report = runtime.device().run(launch);
  } catch (const cts::Error& error) {
    complain(error.what());
    return hipErrorInvalidConfiguration;
  }
  runtime.account(report);
  const hipError_t stopped = record(runtime, timing.stop);
  return runtime.state() != hipSuccess ? runtime.state() : stopped;
}

/// By host function, as `<<<>>>` and hipLaunchKernel do.
hipError_t launch_registered(const void* host_function, dim3 blocks, dim3 threads, void** arguments,
                             std::size_t dynamic_lds, hipStream_t stream, const Timing& timing) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    hipFunction_t handle = nullptr;
    const hipError_t found = registered_function(runtime, host_function, handle);
    if (found != hipSuccess) return found;
    const Shape shape{{blocks.x, blocks.y, blocks.z}, {threads.x, threads.y, threads.z}, dynamic_lds};
    const hipError_t checked =
        check_shape(runtime, shape, hipErrorInvalidConfiguration, hipErrorInvalidConfiguration);
    return checked != hipSuccess ? checked : run(runtime, handle, shape, {arguments, nullptr}, timing);
  });
}

} // namespace

CTS_HIP_API hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y,
                                             unsigned grid_z, unsigned block_x, unsigned block_y,
                                             unsigned block_z, unsigned dynamic_lds, hipStream_t stream,
                                             void** arguments, void** extra) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    const Shape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds};
    const hipError_t checked = check_shape(runtime, shape, hipErrorInvalidValue, hipErrorInvalidValue);
    return checked != hipSuccess ? checked : run(runtime, function, shape, {arguments, extra}, {});
  });
}

/// The grid is given in threads here, and must be a whole number of blocks.
CTS_HIP_API hipError_t hipExtModuleLaunchKernel(hipFunction_t function, std::uint32_t grid_x,
                                                std::uint32_t grid_y, std::uint32_t grid_z,
                                                std::uint32_t block_x, std::uint32_t block_y,
                                                std::uint32_t block_z, std::size_t dynamic_lds,
                                                hipStream_t stream, void** arguments, void** extra,
                                                hipEvent_t start, hipEvent_t stop, std::uint32_t) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    Shape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds};
    for (int axis = 0; axis < 3; ++axis) {
      const auto threads = shape.threads[axis];
      if (threads == 0 || shape.blocks[axis] % threads != 0) return hipErrorInvalidValue;
      shape.blocks[axis] /= threads;
    }
    const hipError_t checked =
        check_shape(runtime, shape, hipErrorInvalidValue, hipErrorInvalidConfiguration);
    return checked != hipSuccess ? checked : run(runtime, function, shape, {arguments, extra}, {start, stop});
  });
}

CTS_HIP_API hipError_t hipLaunchKernel(const void* host_function, dim3 blocks, dim3 threads, void** arguments,
                                       std::size_t dynamic_lds, hipStream_t stream) {
  return launch_registered(host_function, blocks, threads, arguments, dynamic_lds, stream, {});
}

CTS_HIP_API hipError_t hipExtLaunchKernel(const void* host_function, dim3 blocks, dim3 threads,
                                          void** arguments, std::size_t dynamic_lds, hipStream_t stream,
                                          hipEvent_t start, hipEvent_t stop, int) {
  return launch_registered(host_function, blocks, threads, arguments, dynamic_lds, stream, {start, stop});
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
