#include "runners/emulator/hip/operation.hpp"

#include "common/error.hpp"
#include "runners/emulator/hip/graph.hpp"

#include <cstring>

namespace cts::hip {
namespace {

/// From the first byte to the last of a box; nothing when that is no number.
std::optional<std::size_t> span(const Side& side, const Box& box) {
  std::size_t slices = 0, rows = 0, bytes = 0;
  if (__builtin_mul_overflow(side.slice, box.slices - 1, &slices) ||
      __builtin_mul_overflow(side.pitch, box.rows - 1, &rows) ||
      __builtin_add_overflow(slices, rows, &bytes) || __builtin_add_overflow(bytes, box.width, &bytes))
    return std::nullopt;
  return bytes;
}

/// A range is usable when it lies in one block; where `device` is false, ordinary host memory does too: what
/// is neither in a block nor in the pages that the runtime keeps around blocks and in place of ended ones.
bool usable(Runtime& runtime, const Side& side, const Box& box, bool device) {
  const auto address = reinterpret_cast<std::uint64_t>(side.pointer);
  const auto bytes = span(side, box);
  if (!bytes) return false;
  if (runtime.memory().contains(address, *bytes)) return true;
  return !device && *bytes <= UINT64_MAX - address && !runtime.memory().find(address) &&
         !runtime.memory().reserved(address, *bytes);
}

/// Rows that overlap their neighbours, or slices.
bool overlapping(const Side& side, const Box& box) {
  if (box.rows > 1 && side.pitch < box.width) return true;
  const auto slice = span(side, {box.width, box.rows, 1});
  return box.slices > 1 && (!slice || side.slice < *slice);
}

/// Calls `f(offset in `side`, offset in `other`)` for each row of a box.
template <typename F> void each_row(const Box& box, const Side& side, const Side& other, F f) {
  for (std::size_t slice = 0; slice < box.slices; ++slice)
    for (std::size_t row = 0; row < box.rows; ++row)
      f(slice * side.slice + row * side.pitch, slice * other.slice + row * other.pitch);
}

/// A graph does what was checked when it was made: its memory may have ended since.
hipError_t run(Runtime& runtime, const Copy& copy) {
  const std::shared_lock hold_memory(runtime.executing);
  if (const hipError_t checked = check(runtime, copy); checked != hipSuccess) return checked;
  each_row(copy.box, copy.to, copy.from, [&](std::size_t to_offset, std::size_t from_offset) {
    auto* const to = static_cast<std::byte*>(copy.to.pointer) + to_offset;
    const auto* const from = static_cast<const std::byte*>(copy.from.pointer) + from_offset;
    std::memmove(to, from, copy.box.width);
    runtime.memory().mark_copied(to, from, copy.box.width);
  });
  return hipSuccess;
}

hipError_t run(Runtime& runtime, const Fill& fill) {
  const std::shared_lock hold_memory(runtime.executing);
  if (const hipError_t checked = check(runtime, fill); checked != hipSuccess) return checked;
  each_row(fill.box, fill.to, fill.to, [&](std::size_t offset, std::size_t) {
    auto* const bytes = static_cast<std::byte*>(fill.to.pointer) + offset;
    if (fill.element_bytes == 1) {
      std::memset(bytes, static_cast<int>(fill.value & 0xff), fill.box.width);
    } else {
      for (std::size_t at = 0; at < fill.box.width; at += fill.element_bytes)
        std::memcpy(bytes + at, &fill.value, fill.element_bytes);
    }
    runtime.memory().mark_written(bytes, fill.box.width);
  });
  return hipSuccess;
}

/// A stop becomes the process's fault, which is also the result.
hipError_t run(Runtime& runtime, const KernelCall& call) {
  emulator::Launch launch;
  launch.module = call.function->module;
  launch.kernel = call.function->info.name;
  launch.blocks = call.shape.blocks;
  launch.threads = call.shape.threads;
  launch.dynamic_lds = static_cast<std::uint32_t>(call.shape.dynamic_lds);
  launch.arguments = call.arguments;
  emulator::LaunchReport report;
  try {
    const std::shared_lock hold_memory(runtime.executing);
    report = runtime.device().run(launch);
  } catch (const Error& error) {
    complain(error.what());
    return hipErrorInvalidConfiguration;
  }
  runtime.account(report);
  return runtime.state();
}

hipError_t run(Runtime&, const HostCall& call) {
  call.function(call.data);
  return hipSuccess;
}

hipError_t run(Runtime& runtime, const RecordEvent& record) {
  const auto event = runtime.events.find(record.event);
  if (!event) return hipErrorInvalidHandle;
  {
    const std::lock_guard lock(graph_handles().mutex);
    event->capture.reset(); // it is an ordinary event again
  }
  const std::lock_guard lock(event->mutex);
  event->recorded = std::chrono::steady_clock::now();
  return hipSuccess;
}

hipError_t run(Runtime&, const WaitEvent&) { return hipSuccess; }
hipError_t run(Runtime&, const Nothing&) { return hipSuccess; }
hipError_t run(Runtime& runtime, const ChildGraph& child) { return perform_all(runtime, *child.graph); }

} // namespace

hipError_t perform(Runtime& runtime, const Operation& operation) {
  return std::visit([&](const auto& what) { return run(runtime, what); }, operation);
}

hipError_t submit(Runtime& runtime, hipStream_t stream, const Operation& operation) {
  if (const auto found = runtime.streams.find(stream))
    if (const auto captured = capture(runtime, *found, operation)) return *captured;
  return perform(runtime, operation);
}

hipError_t check(Runtime& runtime, const Copy& copy) {
  bool to_device = false, from_device = false;
  switch (copy.kind) {
  case hipMemcpyHostToHost:
  case hipMemcpyDefault: break;
  case hipMemcpyHostToDevice: to_device = true; break;
  case hipMemcpyDeviceToHost: from_device = true; break;
  case hipMemcpyDeviceToDevice:
  case hipMemcpyDeviceToDeviceNoCU: to_device = from_device = true; break;
  default: return hipErrorInvalidMemcpyDirection;
  }
  if (copy.box.empty()) return hipSuccess;
  if (!copy.to.pointer || !copy.from.pointer) return hipErrorInvalidValue;
  if (overlapping(copy.to, copy.box) || overlapping(copy.from, copy.box)) return hipErrorInvalidPitchValue;
  const bool both =
      usable(runtime, copy.to, copy.box, to_device) && usable(runtime, copy.from, copy.box, from_device);
  return both ? hipSuccess : hipErrorInvalidValue;
}

hipError_t check(Runtime& runtime, const Fill& fill) {
  if (fill.box.empty()) return hipSuccess;
  if (overlapping(fill.to, fill.box)) return hipErrorInvalidPitchValue;
  return usable(runtime, fill.to, fill.box, true) ? hipSuccess : hipErrorInvalidValue;
}

} // namespace cts::hip
