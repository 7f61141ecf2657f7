// Copies and fills. Each ends before its call returns, and no side that is device memory may leave its block.
#include "runners/emulator/hip/runtime.hpp"

#include <cstring>

namespace {

using namespace cts::hip;

/// `rows` rows of `width` bytes, `pitch` apart.
struct Area {
  std::size_t width = 0, rows = 1, pitch = 0;

  /// From the first byte to the last; nothing when that is no number.
  std::optional<std::size_t> span() const {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(pitch, rows - 1, &bytes) || __builtin_add_overflow(bytes, width, &bytes))
      return std::nullopt;
    return bytes;
  }
};

/// A range is usable when it lies in one block; where `device` is false, ordinary host memory does too.
bool usable(Runtime& runtime, const void* pointer, const Area& area, bool device) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto span = area.span();
  if (!span) return false;
  if (runtime.memory().contains(address, *span)) return true;
  return !device && !runtime.memory().find(address);
}

hipError_t copy_rows(Runtime& runtime, void* to, std::size_t to_pitch, const void* from,
                     std::size_t from_pitch, std::size_t width, std::size_t rows, hipMemcpyKind kind,
                     hipStream_t stream) {
  bool to_device = false, from_device = false;
  switch (kind) {
  case hipMemcpyHostToHost:
  case hipMemcpyDefault: break;
  case hipMemcpyHostToDevice: to_device = true; break;
  case hipMemcpyDeviceToHost: from_device = true; break;
  case hipMemcpyDeviceToDevice:
  case hipMemcpyDeviceToDeviceNoCU: to_device = from_device = true; break;
  default: return hipErrorInvalidMemcpyDirection;
  }
  if (!is_stream(runtime, stream)) return hipErrorInvalidHandle;
  if (width == 0 || rows == 0) return hipSuccess;
  if (!to || !from) return hipErrorInvalidValue;
  if (rows > 1 && (to_pitch < width || from_pitch < width)) return hipErrorInvalidPitchValue;
  if (!usable(runtime, to, {width, rows, to_pitch}, to_device)) return hipErrorInvalidValue;
  if (!usable(runtime, from, {width, rows, from_pitch}, from_device)) return hipErrorInvalidValue;
  for (std::size_t row = 0; row < rows; ++row) {
    auto* const row_to = static_cast<std::byte*>(to) + row * to_pitch;
    const auto* const row_from = static_cast<const std::byte*>(from) + row * from_pitch;
    std::memmove(row_to, row_from, width);
    runtime.memory().mark_copied(row_to, row_from, width);
  }
  return hipSuccess;
}

hipError_t copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                hipStream_t stream = nullptr) {
  return api(
      [&](Runtime& runtime) { return copy_rows(runtime, to, bytes, from, bytes, bytes, 1, kind, stream); });
}

hipError_t copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t rows, hipMemcpyKind kind, hipStream_t stream = nullptr) {
  return api([&](Runtime& runtime) {
    if (width > to_pitch || width > from_pitch) return hipErrorInvalidPitchValue;
    return copy_rows(runtime, to, to_pitch, from, from_pitch, width, rows, kind, stream);
  });
}

/// Fills an area of device memory with `value`, `area.width` counted in bytes.
template <typename T> hipError_t fill(void* to, T value, const Area& area, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return hipErrorInvalidHandle;
    if (area.width == 0 || area.rows == 0) return hipSuccess;
    if (area.rows > 1 && area.pitch < area.width) return hipErrorInvalidPitchValue;
    if (!usable(runtime, to, area, true)) return hipErrorInvalidValue;
    for (std::size_t row = 0; row < area.rows; ++row) {
      auto* const bytes = static_cast<std::byte*>(to) + row * area.pitch;
      for (std::size_t at = 0; at < area.width; at += sizeof(T)) std::memcpy(bytes + at, &value, sizeof(T));
      runtime.memory().mark_written(bytes, area.width);
    }
    return hipSuccess;
  });
}

template <typename T>
hipError_t fill_elements(void* to, T value, std::size_t count, hipStream_t stream = nullptr) {
  if (count > SIZE_MAX / sizeof(T)) return finish(hipErrorInvalidValue);
  return fill(to, value, {count * sizeof(T), 1, 0}, stream);
}

hipError_t fill_bytes(void* to, int value, std::size_t bytes, hipStream_t stream = nullptr) {
  return fill_elements(to, static_cast<unsigned char>(value), bytes, stream);
}

/// A copy between `bytes` at `offset` in a device variable and `other`, its kind checked against the
/// direction.
hipError_t copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset,
                       hipMemcpyKind kind, bool to_symbol, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    cts::emulator::Symbol variable;
    const hipError_t found = registered_variable(runtime, symbol, variable);
    if (found != hipSuccess) return found;
    const hipMemcpyKind across = to_symbol ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
    if (kind != across && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
      return hipErrorInvalidMemcpyDirection;
    if (offset > variable.bytes || bytes > variable.bytes - offset) return hipErrorInvalidValue;
    void* const inside = static_cast<std::byte*>(variable.address) + offset;
    return to_symbol
               ? copy_rows(runtime, inside, bytes, other, bytes, bytes, 1, kind, stream)
               : copy_rows(runtime, const_cast<void*>(other), bytes, inside, bytes, bytes, 1, kind, stream);
  });
}

} // namespace

CTS_HIP_API hipError_t hipMemcpy(void* dst, const void* src, std::size_t bytes, hipMemcpyKind kind) {
  return copy(dst, src, bytes, kind);
}

CTS_HIP_API hipError_t hipMemcpyAsync(void* dst, const void* src, std::size_t bytes, hipMemcpyKind kind,
                                      hipStream_t stream) {
  return copy(dst, src, bytes, kind, stream);
}

CTS_HIP_API hipError_t hipMemcpyWithStream(void* dst, const void* src, std::size_t bytes, hipMemcpyKind kind,
                                           hipStream_t stream) {
  return copy(dst, src, bytes, kind, stream);
}

CTS_HIP_API hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, std::size_t bytes) {
  return copy(dst, src, bytes, hipMemcpyHostToDevice);
}

CTS_HIP_API hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, std::size_t bytes,
                                          hipStream_t stream) {
  return copy(dst, src, bytes, hipMemcpyHostToDevice, stream);
}

CTS_HIP_API hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, std::size_t bytes) {
  return copy(dst, src, bytes, hipMemcpyDeviceToHost);
}

CTS_HIP_API hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, std::size_t bytes,
                                          hipStream_t stream) {
  return copy(dst, src, bytes, hipMemcpyDeviceToHost, stream);
}

CTS_HIP_API hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, std::size_t bytes) {
  return copy(dst, src, bytes, hipMemcpyDeviceToDevice);
}

CTS_HIP_API hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, std::size_t bytes,
                                          hipStream_t stream) {
  return copy(dst, src, bytes, hipMemcpyDeviceToDevice, stream);
}

CTS_HIP_API hipError_t hipMemcpy2D(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch,
                                   std::size_t width, std::size_t height, hipMemcpyKind kind) {
  return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind);
}

CTS_HIP_API hipError_t hipMemcpy2DAsync(void* dst, std::size_t dst_pitch, const void* src,
                                        std::size_t src_pitch, std::size_t width, std::size_t height,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind, stream);
}

CTS_HIP_API hipError_t hipMemset(void* dst, int value, std::size_t bytes) {
  return fill_bytes(dst, value, bytes);
}

CTS_HIP_API hipError_t hipMemsetAsync(void* dst, int value, std::size_t bytes, hipStream_t stream) {
  return fill_bytes(dst, value, bytes, stream);
}

CTS_HIP_API hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, std::size_t count) {
  return fill_elements(dst, value, count);
}

CTS_HIP_API hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, std::size_t count,
                                        hipStream_t stream) {
  return fill_elements(dst, value, count, stream);
}

CTS_HIP_API hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, std::size_t count) {
  return fill_elements(dst, value, count);
}

CTS_HIP_API hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, std::size_t count,
                                         hipStream_t stream) {
  return fill_elements(dst, value, count, stream);
}

CTS_HIP_API hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, std::size_t count) {
  return fill_elements(dst, value, count);
}

CTS_HIP_API hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, std::size_t count,
                                         hipStream_t stream) {
  return fill_elements(dst, value, count, stream);
}

CTS_HIP_API hipError_t hipMemset2D(void* dst, std::size_t pitch, int value, std::size_t width,
                                   std::size_t height) {
  return fill(dst, static_cast<unsigned char>(value), {width, height, pitch}, nullptr);
}

CTS_HIP_API hipError_t hipMemset2DAsync(void* dst, std::size_t pitch, int value, std::size_t width,
                                        std::size_t height, hipStream_t stream) {
  return fill(dst, static_cast<unsigned char>(value), {width, height, pitch}, stream);
}

CTS_HIP_API hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, std::size_t bytes,
                                         std::size_t offset, hipMemcpyKind kind) {
  return copy_symbol(symbol, src, bytes, offset, kind, true, nullptr);
}

CTS_HIP_API hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, std::size_t bytes,
                                              std::size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return copy_symbol(symbol, src, bytes, offset, kind, true, stream);
}

CTS_HIP_API hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, std::size_t bytes,
                                           std::size_t offset, hipMemcpyKind kind) {
  return copy_symbol(symbol, dst, bytes, offset, kind, false, nullptr);
}

CTS_HIP_API hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, std::size_t bytes,
                                                std::size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return copy_symbol(symbol, dst, bytes, offset, kind, false, stream);
}

CTS_HIP_API hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  return api([&](Runtime& runtime) {
    if (!address) return hipErrorInvalidValue;
    cts::emulator::Symbol variable;
    const hipError_t found = registered_variable(runtime, symbol, variable);
    if (found == hipSuccess) *address = variable.address;
    return found;
  });
}

CTS_HIP_API hipError_t hipGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return api([&](Runtime& runtime) {
    if (!bytes) return hipErrorInvalidValue;
    cts::emulator::Symbol variable;
    const hipError_t found = registered_variable(runtime, symbol, variable);
    if (found == hipSuccess) *bytes = variable.bytes;
    return found;
  });
}
