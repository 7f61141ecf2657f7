// Streams and events. Every operation ends before its call returns, so every stream is in order and always
// idle.
#include "runners/emulator/hip/runtime.hpp"

#include <algorithm>
#include <bit>

namespace {

using namespace cts::hip;

constexpr int least_priority = 1, greatest_priority = -1;

hipError_t create_stream(hipStream_t* stream, unsigned flags, int priority) {
  return api([&](Runtime& runtime) {
    if (!stream || (flags != hipStreamDefault && flags != hipStreamNonBlocking)) return hipErrorInvalidValue;
    *stream = runtime.streams.add(
        std::make_shared<Stream>(Stream{flags, std::clamp(priority, greatest_priority, least_priority)}));
    return hipSuccess;
  });
}

hipError_t create_event(hipEvent_t* event, unsigned flags) {
  return api([&](Runtime& runtime) {
    constexpr unsigned release =
        hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventDisableSystemFence;
    constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | release;
    if (!event || (flags & ~known) || std::popcount(flags & release) > 1) return hipErrorInvalidValue;
    auto object = std::make_shared<Event>();
    object->flags = flags;
    *event = runtime.events.add(std::move(object));
    return hipSuccess;
  });
}

/// Runs `body(stream)` on a live stream; the built-in ones have no flags and no priority.
template <typename Body> hipError_t on_stream(hipStream_t handle, Body&& body) {
  return api([&](Runtime& runtime) {
    if (const auto stream = runtime.streams.find(handle)) return body(*stream);
    return is_stream(runtime, handle) ? body(Stream{}) : hipErrorContextIsDestroyed;
  });
}

template <typename Body> hipError_t on_event(hipEvent_t handle, Body&& body) {
  return api([&](Runtime& runtime) {
    const auto event = runtime.events.find(handle);
    return event ? body(runtime, *event) : hipErrorInvalidHandle;
  });
}

hipError_t record_event(hipEvent_t event, hipStream_t stream) {
  return on_event(event, [&](Runtime& runtime, Event& found) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    const std::lock_guard lock(found.mutex);
    found.recorded = std::chrono::steady_clock::now();
    return hipSuccess;
  });
}

/// Nothing is ever pending in a stream but another thread's launch.
hipError_t synchronize(hipStream_t stream) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    const std::unique_lock wait_for_launches(runtime.executing);
    return hipSuccess;
  });
}

} // namespace

CTS_HIP_API hipError_t hipStreamCreate(hipStream_t* stream) {
  return create_stream(stream, hipStreamDefault, 0);
}

CTS_HIP_API hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return create_stream(stream, flags, 0);
}

CTS_HIP_API hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return create_stream(stream, flags, priority);
}

CTS_HIP_API hipError_t hipStreamDestroy(hipStream_t stream) {
  return api([&](Runtime& runtime) {
    if (runtime.streams.remove(stream)) return hipSuccess;
    return is_stream(runtime, stream) ? hipErrorInvalidHandle : hipErrorContextIsDestroyed;
  });
}

CTS_HIP_API hipError_t hipStreamSynchronize(hipStream_t stream) { return synchronize(stream); }

CTS_HIP_API hipError_t hipStreamQuery(hipStream_t stream) {
  return on_stream(stream, [](const Stream&) { return hipSuccess; });
}

CTS_HIP_API hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return on_event(event, [&](Runtime& runtime, Event&) {
    if (flags != 0) return hipErrorInvalidValue;
    return is_stream(runtime, stream) ? hipSuccess : hipErrorContextIsDestroyed;
  });
}

CTS_HIP_API hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  return on_stream(stream, [&](const Stream& found) {
    if (!flags) return hipErrorInvalidValue;
    *flags = found.flags;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  return on_stream(stream, [&](const Stream& found) {
    if (!priority) return hipErrorInvalidValue;
    *priority = found.priority;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return on_stream(stream, [&](const Stream&) {
    if (!device) return hipErrorInvalidValue;
    *device = 0;
    return hipSuccess;
  });
}

/// Capture does not exist here.
CTS_HIP_API hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return on_stream(stream, [&](const Stream&) {
    if (!status) return hipErrorInvalidValue;
    *status = hipStreamCaptureStatusNone;
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                            unsigned flags) {
  return on_stream(stream, [&](const Stream&) {
    if (!callback || flags != 0) return hipErrorInvalidValue;
    callback(stream, hipSuccess, data);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  return on_stream(stream, [&](const Stream&) {
    if (!function) return hipErrorInvalidValue;
    function(data);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipEventCreate(hipEvent_t* event) { return create_event(event, hipEventDefault); }

CTS_HIP_API hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return create_event(event, flags);
}

CTS_HIP_API hipError_t hipEventDestroy(hipEvent_t event) {
  return api([&](Runtime& runtime) {
    if (!event) return hipErrorInvalidHandle;
    return runtime.events.remove(event) ? hipSuccess : hipErrorContextIsDestroyed;
  });
}

CTS_HIP_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return record_event(event, stream);
}

CTS_HIP_API hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return flags == hipEventRecordDefault ? record_event(event, stream) : finish(hipErrorInvalidValue);
}

CTS_HIP_API hipError_t hipEventSynchronize(hipEvent_t event) {
  return on_event(event, [](Runtime& runtime, Event&) {
    const std::unique_lock wait_for_launches(runtime.executing);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipEventQuery(hipEvent_t event) {
  return on_event(event, [](Runtime&, Event&) { return hipSuccess; });
}

CTS_HIP_API hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return api([&](Runtime& runtime) {
    if (!milliseconds) return hipErrorInvalidValue;
    const auto recorded = [&](hipEvent_t handle) -> std::optional<std::chrono::steady_clock::time_point> {
      const auto event = runtime.events.find(handle);
      if (!event || (event->flags & hipEventDisableTiming)) return std::nullopt;
      const std::lock_guard lock(event->mutex);
      return event->recorded;
    };
    const auto from = recorded(start), to = recorded(stop);
    if (!from || !to) return hipErrorInvalidHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(*to - *from).count();
    return hipSuccess;
  });
}
