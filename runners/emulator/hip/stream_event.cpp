// Streams and events. Every operation ends before its call returns, so every stream is in order and always
// idle.
#include "runners/emulator/hip/graph.hpp"

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
    constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess | release;
    const bool shared = (flags & hipEventInterprocess) != 0; // as AMD's: untimed; nobody can be given it here
    if (!event || (flags & ~known) || std::popcount(flags & release) > 1) return hipErrorInvalidValue;
    if (shared && (flags & hipEventDisableTiming) == 0) return hipErrorInvalidValue;
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
  return on_event(event, [&](Runtime& runtime, Event&) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    return submit(runtime, stream, RecordEvent{event});
  });
}

/// Nothing is ever pending in a stream but another thread's launch.
hipError_t synchronize(hipStream_t stream) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    const hipError_t refused = refuse_in_capture(runtime, stream);
    if (refused != hipSuccess) return refused;
    const std::unique_lock wait_for_launches(runtime.executing);
    return hipSuccess;
  });
}

/// An event whose last record is part of a capture is no event to wait for.
bool is_captured(const Event& event) {
  const std::lock_guard lock(graph_handles().mutex);
  return event.capture.lock() != nullptr;
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
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    return refuse_in_capture(runtime, stream);
  });
}

CTS_HIP_API hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return on_event(event, [&](Runtime& runtime, Event& found) {
    if (flags != hipEventWaitDefault && flags != hipEventWaitExternal) return hipErrorInvalidValue;
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    return capture_wait(runtime.streams.find(stream), found).value_or(hipSuccess);
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

CTS_HIP_API hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* id) {
  return on_stream(stream, [&](const Stream&) {
    if (!id) return hipErrorInvalidValue;
    *id = reinterpret_cast<unsigned long long>(stream);
    return hipSuccess;
  });
}

CTS_HIP_API int hipGetStreamDeviceId(hipStream_t) { return 0; }

/// The mask is kept and without effect; one that leaves no compute unit means all of them, as AMD's runtime
/// has it.
CTS_HIP_API hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, std::uint32_t words,
                                                    const std::uint32_t* mask) {
  return api([&](Runtime& runtime) {
    if (!stream) return hipErrorInvalidHandle;
    if (words == 0 || !mask) return hipErrorInvalidValue;
    auto made = std::make_shared<Stream>();
    if (std::any_of(mask, mask + words, [](std::uint32_t bits) { return bits != 0; }))
      made->cu_mask.assign(mask, mask + words);
    *stream = runtime.streams.add(std::move(made));
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipExtStreamGetCUMask(hipStream_t stream, std::uint32_t words, std::uint32_t* mask) {
  return on_stream(stream, [&](const Stream& found) {
    if (words == 0 || !mask) return hipErrorInvalidValue;
    std::fill_n(mask, words, 0u);
    if (found.cu_mask.empty()) mask[0] = (1u << compute_units) - 1;
    std::copy_n(found.cu_mask.begin(), std::min<std::size_t>(words, found.cu_mask.size()), mask);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                            unsigned flags) {
  return api([&](Runtime& runtime) {
    if (!callback || flags != 0) return hipErrorInvalidValue;
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    const hipError_t refused = refuse_in_capture(runtime, stream);
    if (refused == hipSuccess) callback(stream, hipSuccess, data);
    return refused;
  });
}

CTS_HIP_API hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  return api([&](Runtime& runtime) {
    if (!function) return hipErrorInvalidValue;
    if (!is_stream(runtime, stream)) return hipErrorContextIsDestroyed;
    return submit(runtime, stream, HostCall{function, data});
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
  return flags == hipEventRecordDefault || flags == hipEventRecordExternal ? record_event(event, stream)
                                                                           : finish(hipErrorInvalidValue);
}

CTS_HIP_API hipError_t hipEventSynchronize(hipEvent_t event) {
  return on_event(event, [](Runtime& runtime, Event& found) {
    if (is_captured(found)) return hipErrorCapturedEvent;
    const std::unique_lock wait_for_launches(runtime.executing);
    return hipSuccess;
  });
}

CTS_HIP_API hipError_t hipEventQuery(hipEvent_t event) {
  return on_event(
      event, [](Runtime&, Event& found) { return is_captured(found) ? hipErrorCapturedEvent : hipSuccess; });
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
