// Copies and fills along one line and of rows, and those of device variables.
#include "runners/emulator/hip/operation.hpp"

namespace {

using namespace cts::hip;

/// HIP gives sources as pointers to const; a Side serves both ways.
Side side(const void* pointer, std::size_t pitch = 0) { return {const_cast<void*>(pointer), pitch, 0}; }

hipError_t copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                hipStream_t stream = nullptr) {
  return api([&](Runtime& runtime) {
    return transfer(runtime, Copy{side(to), side(from), {bytes, 1, 1}, kind}, stream);
  });
}

hipError_t copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t rows, hipMemcpyKind kind, hipStream_t stream = nullptr) {
  return api([&](Runtime& runtime) {
    if (width > to_pitch || width > from_pitch) return hipErrorInvalidPitchValue;
    return transfer(runtime, Copy{side(to, to_pitch), side(from, from_pitch), {width, rows, 1}, kind},
                    stream);
  });
}

/// Rows of `width` elements.
hipError_t fill_rows(void* to, std::size_t pitch, std::uint32_t value, unsigned element_bytes,
                     std::size_t width, std::size_t rows, hipStream_t stream = nullptr) {
  return api([&](Runtime& runtime) {
    if (width > SIZE_MAX / element_bytes) return hipErrorInvalidValue;
    return transfer(runtime, Fill{side(to, pitch), value, element_bytes, {width * element_bytes, rows, 1}},
                    stream);
  });
}

hipError_t fill(void* to, std::uint32_t value, unsigned element_bytes, std::size_t count,
                hipStream_t stream = nullptr) {
  return fill_rows(to, 0, value, element_bytes, count, 1, stream);
}

hipError_t copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset,
                       hipMemcpyKind kind, bool to_symbol, hipStream_t stream) {
  return api([&](Runtime& runtime) {
    Copy copy;
    const hipError_t made = make_symbol_copy(runtime, symbol, other, bytes, offset, kind, to_symbol, copy);
    return made == hipSuccess ? transfer(runtime, copy, stream) : made;
  });
}

} // namespace

namespace cts::hip {

hipError_t make_symbol_copy(Runtime& runtime, const void* symbol, const void* other, std::size_t bytes,
                            std::size_t offset, hipMemcpyKind kind, bool to_symbol, Copy& copy) {
  emulator::Symbol variable;
  const hipError_t found = registered_variable(runtime, symbol, variable);
  if (found != hipSuccess) return found;
  const hipMemcpyKind across = to_symbol ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
  if (kind != across && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
    return hipErrorInvalidMemcpyDirection;
  if (offset > variable.bytes || bytes > variable.bytes - offset) return hipErrorInvalidValue;
  const Side inside = side(static_cast<std::byte*>(variable.address) + offset);
  copy = {to_symbol ? inside : side(other), to_symbol ? side(other) : inside, {bytes, 1, 1}, kind};
  return hipSuccess;
}

} // namespace cts::hip

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
  return fill(dst, static_cast<unsigned>(value), 1, bytes);
}

CTS_HIP_API hipError_t hipMemsetAsync(void* dst, int value, std::size_t bytes, hipStream_t stream) {
  return fill(dst, static_cast<unsigned>(value), 1, bytes, stream);
}

CTS_HIP_API hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, std::size_t count) {
  return fill(dst, value, 1, count);
}

CTS_HIP_API hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, std::size_t count,
                                        hipStream_t stream) {
  return fill(dst, value, 1, count, stream);
}

CTS_HIP_API hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, std::size_t count) {
  return fill(dst, value, 2, count);
}

CTS_HIP_API hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, std::size_t count,
                                         hipStream_t stream) {
  return fill(dst, value, 2, count, stream);
}

CTS_HIP_API hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, std::size_t count) {
  return fill(dst, static_cast<unsigned>(value), 4, count);
}

CTS_HIP_API hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, std::size_t count,
                                         hipStream_t stream) {
  return fill(dst, static_cast<unsigned>(value), 4, count, stream);
}

CTS_HIP_API hipError_t hipMemset2D(void* dst, std::size_t pitch, int value, std::size_t width,
                                   std::size_t height) {
  return fill_rows(dst, pitch, static_cast<unsigned>(value), 1, width, height);
}

CTS_HIP_API hipError_t hipMemset2DAsync(void* dst, std::size_t pitch, int value, std::size_t width,
                                        std::size_t height, hipStream_t stream) {
  return fill_rows(dst, pitch, static_cast<unsigned>(value), 1, width, height, stream);
}

CTS_HIP_API hipError_t hipMemsetD2D8(hipDeviceptr_t dst, std::size_t pitch, unsigned char value,
                                     std::size_t width, std::size_t height) {
  return fill_rows(dst, pitch, value, 1, width, height);
}

CTS_HIP_API hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, std::size_t pitch, unsigned char value,
                                          std::size_t width, std::size_t height, hipStream_t stream) {
  return fill_rows(dst, pitch, value, 1, width, height, stream);
}

CTS_HIP_API hipError_t hipMemsetD2D16(hipDeviceptr_t dst, std::size_t pitch, unsigned short value,
                                      std::size_t width, std::size_t height) {
  return fill_rows(dst, pitch, value, 2, width, height);
}

CTS_HIP_API hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, std::size_t pitch, unsigned short value,
                                           std::size_t width, std::size_t height, hipStream_t stream) {
  return fill_rows(dst, pitch, value, 2, width, height, stream);
}

CTS_HIP_API hipError_t hipMemsetD2D32(hipDeviceptr_t dst, std::size_t pitch, unsigned value,
                                      std::size_t width, std::size_t height) {
  return fill_rows(dst, pitch, value, 4, width, height);
}

CTS_HIP_API hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, std::size_t pitch, unsigned value,
                                           std::size_t width, std::size_t height, hipStream_t stream) {
  return fill_rows(dst, pitch, value, 4, width, height, stream);
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
