// Copies and fills of boxes, copies described by a structure, and those between peers: the one device is its
// own peer here.
#include "runners/emulator/hip/operation.hpp"

namespace {

using namespace cts::hip;

constexpr std::size_t largest_pitch = 2147483647;

/// a * b + c, or nothing when that is no std::size_t.
std::optional<std::size_t> multiply_add(std::size_t a, std::size_t b, std::size_t c) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || __builtin_add_overflow(result, c, &result))
    return std::nullopt;
  return result;
}

/// A pointer into a pitched block, `position` away from its start. hipErrorInvalidValue when that is no
/// address.
hipError_t make_inside(const hipPitchedPtr& block, const hipPos& position, Side& side) {
  const auto slice = multiply_add(block.pitch, block.ysize, 0);
  const auto row = multiply_add(position.y, block.pitch, position.x);
  const auto offset = slice && row ? multiply_add(position.z, *slice, *row) : std::nullopt;
  const auto address =
      offset ? multiply_add(1, *offset, reinterpret_cast<std::uintptr_t>(block.ptr)) : std::nullopt;
  if (!address) return hipErrorInvalidValue;
  side = {reinterpret_cast<void*>(*address), block.pitch, *slice};
  return hipSuccess;
}

/// One side of HIP_MEMCPY3D or hip_Memcpy2D.
struct DescribedSide {
  hipMemoryType type;
  const void* host;
  hipDeviceptr_t device;
  hipArray_t array;
  std::size_t pitch, height, x, y, z;
};

hipError_t make_side(const DescribedSide& described, const Box& box, Side& side) {
  const bool host = described.type == hipMemoryTypeHost || described.type == hipMemoryTypeUnregistered;
  if (described.type == hipMemoryTypeArray) return hipErrorNotSupported;
  void* const pointer = host ? const_cast<void*>(described.host) : described.device;
  if (!pointer) return hipErrorInvalidValue;
  const auto width = multiply_add(1, described.x, box.width), rows = multiply_add(1, described.y, box.rows);
  if (!width || !rows) return hipErrorInvalidValue;
  const std::size_t pitch = described.pitch ? described.pitch : *width;
  if (pitch < *width) return hipErrorInvalidPitchValue;
  return make_inside({pointer, pitch, box.width, described.height ? described.height : *rows},
                     {described.x, described.y, described.z}, side);
}

hipError_t copy_described(const DescribedSide& to, const DescribedSide& from, const Box& box,
                          hipStream_t stream) {
  return api([&](Runtime& runtime) {
    Copy copy{{}, {}, box, hipMemcpyDefault};
    if (box.empty()) return hipSuccess;
    const hipError_t made_to = make_side(to, box, copy.to), made_from = make_side(from, box, copy.from);
    if (made_to != hipSuccess) return made_to;
    if (made_from != hipSuccess) return made_from;
    return transfer(runtime, copy, stream);
  });
}

hipError_t copy_driver_3d(const HIP_MEMCPY3D* p, hipStream_t stream) {
  if (!p) return finish(hipErrorInvalidValue);
  return copy_described({p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstPitch, p->dstHeight,
                         p->dstXInBytes, p->dstY, p->dstZ},
                        {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcPitch, p->srcHeight,
                         p->srcXInBytes, p->srcY, p->srcZ},
                        {p->WidthInBytes, p->Height, p->Depth}, stream);
}

hipError_t copy_driver_2d(const hip_Memcpy2D* p, hipStream_t stream) {
  if (!p) return finish(hipErrorInvalidValue);
  return copy_described(
      {p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstPitch, 0, p->dstXInBytes, p->dstY, 0},
      {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcPitch, 0, p->srcXInBytes, p->srcY, 0},
      {p->WidthInBytes, p->Height, 1}, stream);
}

hipError_t copy_3d(const hipMemcpy3DParms* described, hipStream_t stream = nullptr) {
  return api([&](Runtime& runtime) {
    Copy copy;
    const hipError_t made = make_copy(described, copy);
    return made == hipSuccess ? transfer(runtime, copy, stream) : made;
  });
}

hipError_t fill_3d(const hipPitchedPtr& block, int value, const hipExtent& extent,
                   hipStream_t stream = nullptr) {
  return api([&](Runtime& runtime) {
    Fill fill{{}, static_cast<unsigned>(value), 1, {extent.width, extent.height, extent.depth}};
    const hipError_t made = make_inside(block, {}, fill.to);
    return made == hipSuccess ? transfer(runtime, fill, stream) : made;
  });
}

/// Peers are numbered devices; all have the same memory.
hipError_t copy_peer(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                     hipStream_t stream = nullptr) {
  return api([&](Runtime& runtime) {
    if (!runtime.has_device(to_device) || !runtime.has_device(from_device)) return hipErrorInvalidDevice;
    return transfer(runtime, Copy{{to}, {const_cast<void*>(from)}, {bytes}, hipMemcpyDeviceToDevice}, stream);
  });
}

hipError_t copy_peer_3d(const hipMemcpy3DPeerParms* p, hipStream_t stream = nullptr) {
  if (!p) return finish(hipErrorInvalidValue);
  if (p->srcDevice != 0 || p->dstDevice != 0) return finish(hipErrorInvalidDevice);
  const hipMemcpy3DParms plain{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                               p->dstPos,   p->dstPtr, p->extent, hipMemcpyDeviceToDevice};
  return copy_3d(&plain, stream);
}

} // namespace

namespace cts::hip {

hipError_t make_copy(const hipMemcpy3DParms* p, Copy& copy) {
  if (!p) return hipErrorInvalidValue;
  if ((p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr)) return hipErrorInvalidValue;
  if (p->srcArray || p->dstArray) return hipErrorNotSupported;
  if (!p->srcPtr.ptr || !p->dstPtr.ptr) return hipErrorInvalidValue;
  if (p->srcPtr.pitch < p->srcPtr.xsize || p->dstPtr.pitch < p->dstPtr.xsize)
    return hipErrorInvalidPitchValue;
  if (p->srcPtr.pitch >= largest_pitch || p->dstPtr.pitch >= largest_pitch) return hipErrorInvalidValue;
  const auto fits = [&](const hipPitchedPtr& block, const hipPos& position) {
    return position.x <= block.pitch && p->extent.width <= block.pitch - position.x;
  };
  if (!fits(p->srcPtr, p->srcPos) || !fits(p->dstPtr, p->dstPos)) return hipErrorInvalidValue;
  copy = {{}, {}, {p->extent.width, p->extent.height, p->extent.depth}, p->kind};
  const hipError_t made = make_inside(p->dstPtr, p->dstPos, copy.to);
  return made == hipSuccess ? make_inside(p->srcPtr, p->srcPos, copy.from) : made;
}

} // namespace cts::hip

CTS_HIP_API hipError_t hipMemcpy3D(const hipMemcpy3DParms* described) { return copy_3d(described); }

CTS_HIP_API hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* described, hipStream_t stream) {
  return copy_3d(described, stream);
}

CTS_HIP_API hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* described) {
  return copy_driver_3d(described, nullptr);
}

CTS_HIP_API hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* described, hipStream_t stream) {
  return copy_driver_3d(described, stream);
}

CTS_HIP_API hipError_t hipMemcpyParam2D(const hip_Memcpy2D* described) {
  return copy_driver_2d(described, nullptr);
}

CTS_HIP_API hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* described, hipStream_t stream) {
  return copy_driver_2d(described, stream);
}

CTS_HIP_API hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* described) {
  return copy_driver_2d(described, nullptr);
}

CTS_HIP_API hipError_t hipMemset3D(hipPitchedPtr block, int value, hipExtent extent) {
  return fill_3d(block, value, extent);
}

CTS_HIP_API hipError_t hipMemset3DAsync(hipPitchedPtr block, int value, hipExtent extent,
                                        hipStream_t stream) {
  return fill_3d(block, value, extent, stream);
}

CTS_HIP_API hipError_t hipMemcpyPeer(void* dst, int dst_device, const void* src, int src_device,
                                     std::size_t bytes) {
  return copy_peer(dst, dst_device, src, src_device, bytes);
}

CTS_HIP_API hipError_t hipMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device,
                                          std::size_t bytes, hipStream_t stream) {
  return copy_peer(dst, dst_device, src, src_device, bytes, stream);
}

CTS_HIP_API hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms* described) { return copy_peer_3d(described); }

CTS_HIP_API hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms* described, hipStream_t stream) {
  return copy_peer_3d(described, stream);
}
