// SPDX-License-Identifier: MIT
// Copies and fills. Forms ending in _spt use the calling thread's default stream instead of the
// legacy one.
#include "hip/device.h"
#include "hip/memory_table.h"
#include "hip/module.h"
#include "hip/ops.h"
#include "hip/runtime.h"
#include <cstring>

using namespace pumice::hip;

namespace {

hipError_t check_kind(hipMemcpyKind kind) {
  bool known = (kind >= hipMemcpyHostToHost && kind <= hipMemcpyDefault) ||
               kind == hipMemcpyDeviceToDeviceNoCU;
  return known ? hipSuccess : hipErrorInvalidMemcpyDirection;
}

// A range that starts in an allocation must end in it.
hipError_t check_range(const void* p, size_t bytes) {
  auto a = memory_table().find(p);
  if (!a || bytes == 0)
    return hipSuccess;
  return reinterpret_cast<uintptr_t>(p) - a->base + bytes <= a->size ? hipSuccess
                                                                     : hipErrorInvalidValue;
}

hipError_t linear(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, CopyRegion* out) {
  HIP_TRY(check_kind(kind));
  out->dst = dst;
  out->src = src;
  out->width = bytes;
  if (bytes == 0)
    return hipSuccess;
  if (!dst || !src)
    return hipErrorInvalidValue;
  HIP_TRY(check_range(dst, bytes));
  return check_range(src, bytes);
}

hipError_t rectangle(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                     size_t height, hipMemcpyKind kind, CopyRegion* out) {
  HIP_TRY(check_kind(kind));
  out->width = width;
  out->height = height;
  if (width == 0 || height == 0)
    return hipSuccess;
  if (!dst || !src)
    return hipErrorInvalidValue;
  if (width > dpitch || width > spitch)
    return hipErrorInvalidPitchValue;
  out->dst = dst;
  out->src = src;
  out->dst_pitch = dpitch;
  out->src_pitch = spitch;
  out->dst_slice = dpitch * height;
  out->src_slice = spitch * height;
  HIP_TRY(check_range(dst, dpitch * (height - 1) + width));
  return check_range(src, spitch * (height - 1) + width);
}

hipError_t box(const hipMemcpy3DParms* p, CopyRegion* out) {
  if (!p)
    return hipErrorInvalidValue;
  if (p->srcArray || p->dstArray)
    return hipErrorNotSupported; // arrays need image hardware
  HIP_TRY(check_kind(p->kind));
  out->width = p->extent.width;
  out->height = p->extent.height;
  out->depth = p->extent.depth;
  if (out->bytes() == 0)
    return hipSuccess;
  if (!p->srcPtr.ptr || !p->dstPtr.ptr)
    return hipErrorInvalidValue;
  if (p->extent.width + p->srcPos.x > p->srcPtr.pitch ||
      p->extent.width + p->dstPos.x > p->dstPtr.pitch)
    return hipErrorInvalidPitchValue;
  out->src_pitch = p->srcPtr.pitch;
  out->dst_pitch = p->dstPtr.pitch;
  out->src_slice = p->srcPtr.pitch * p->srcPtr.ysize;
  out->dst_slice = p->dstPtr.pitch * p->dstPtr.ysize;
  out->src = static_cast<const uint8_t*>(p->srcPtr.ptr) + p->srcPos.z * out->src_slice +
             p->srcPos.y * out->src_pitch + p->srcPos.x;
  out->dst = static_cast<uint8_t*>(p->dstPtr.ptr) + p->dstPos.z * out->dst_slice +
             p->dstPos.y * out->dst_pitch + p->dstPos.x;
  return hipSuccess;
}

template <class D> hipError_t driver_side(const D& d, bool src, uint8_t** base) {
  hipMemoryType type = src ? d.srcMemoryType : d.dstMemoryType;
  switch (type) {
  case hipMemoryTypeHost:
    *base = static_cast<uint8_t*>(const_cast<void*>(src ? d.srcHost : d.dstHost));
    break;
  case hipMemoryTypeDevice:
  case hipMemoryTypeUnified:
  case hipMemoryTypeManaged:
    *base = static_cast<uint8_t*>(src ? d.srcDevice : d.dstDevice);
    break;
  case hipMemoryTypeArray:
    return hipErrorNotSupported;
  default:
    return hipErrorInvalidValue;
  }
  return *base ? hipSuccess : hipErrorInvalidValue;
}

hipError_t driver_rectangle(const hip_Memcpy2D* p, CopyRegion* out) {
  if (!p)
    return hipErrorInvalidValue;
  uint8_t *src = nullptr, *dst = nullptr;
  out->width = p->WidthInBytes;
  out->height = p->Height;
  if (out->bytes() == 0)
    return hipSuccess;
  HIP_TRY(driver_side(*p, true, &src));
  HIP_TRY(driver_side(*p, false, &dst));
  out->src_pitch = p->srcPitch ? p->srcPitch : p->WidthInBytes + p->srcXInBytes;
  out->dst_pitch = p->dstPitch ? p->dstPitch : p->WidthInBytes + p->dstXInBytes;
  if (p->WidthInBytes > out->src_pitch || p->WidthInBytes > out->dst_pitch)
    return hipErrorInvalidValue;
  out->src = src + p->srcY * out->src_pitch + p->srcXInBytes;
  out->dst = dst + p->dstY * out->dst_pitch + p->dstXInBytes;
  out->src_slice = out->src_pitch * p->Height;
  out->dst_slice = out->dst_pitch * p->Height;
  return hipSuccess;
}

hipError_t driver_box(const HIP_MEMCPY3D* p, CopyRegion* out) {
  if (!p)
    return hipErrorInvalidValue;
  uint8_t *src = nullptr, *dst = nullptr;
  out->width = p->WidthInBytes;
  out->height = p->Height;
  out->depth = p->Depth;
  if (out->bytes() == 0)
    return hipSuccess;
  HIP_TRY(driver_side(*p, true, &src));
  HIP_TRY(driver_side(*p, false, &dst));
  out->src_pitch = p->srcPitch ? p->srcPitch : p->WidthInBytes + p->srcXInBytes;
  out->dst_pitch = p->dstPitch ? p->dstPitch : p->WidthInBytes + p->dstXInBytes;
  if (p->WidthInBytes > out->src_pitch || p->WidthInBytes > out->dst_pitch)
    return hipErrorInvalidValue;
  out->src_slice = out->src_pitch * (p->srcHeight ? p->srcHeight : p->Height);
  out->dst_slice = out->dst_pitch * (p->dstHeight ? p->dstHeight : p->Height);
  out->src = src + p->srcZ * out->src_slice + p->srcY * out->src_pitch + p->srcXInBytes;
  out->dst = dst + p->dstZ * out->dst_slice + p->dstY * out->dst_pitch + p->dstXInBytes;
  return hipSuccess;
}

enum class When : uint8_t { now, later };

hipError_t run_copy(hipStream_t stream, const CopyRegion& r, When when) {
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  if (when == When::now) {
    if (capturing(*s))
      return hipErrorStreamCaptureImplicit;
    HIP_CHECK_STICKY(s->device());
    return copy_sync(*s, r);
  }
  return submit(*s, CopyOp(r));
}

hipError_t symbol_region(const void* symbol, size_t size, size_t offset, void** at) {
  DeviceVariable v;
  if (!symbol)
    return hipErrorInvalidSymbol;
  HIP_TRY(find_variable(symbol, current_device(), &v));
  if (offset > v.size || size > v.size - offset)
    return hipErrorInvalidValue;
  *at = static_cast<uint8_t*>(v.address) + offset;
  return hipSuccess;
}

hipError_t run_fill(hipStream_t stream, const FillRegion& r, When when) {
  Stream* s = resolve_stream(stream);
  if (!s)
    return hipErrorInvalidHandle;
  if (r.width == 0 || r.height == 0 || r.depth == 0)
    return hipSuccess;
  if (!r.dst)
    return hipErrorInvalidValue;
  HIP_TRY(check_range(r.dst, (r.depth - 1) * r.slice + (r.height - 1) * r.pitch + r.width));
  if (when == When::now) {
    HIP_CHECK_STICKY(s->device());
    HIP_TRY(s->synchronize());
    return fill_now(r);
  }
  return submit(*s, FillOp(r));
}

FillRegion fill(void* dst, unsigned value, unsigned element, size_t bytes) {
  FillRegion r;
  r.dst = dst;
  r.value = value;
  r.element = element;
  r.width = bytes;
  r.pitch = r.slice = bytes;
  return r;
}
FillRegion fill2d(void* dst, size_t pitch, int value, size_t width, size_t height) {
  FillRegion r = fill(dst, static_cast<unsigned>(value), 1, width);
  r.height = height;
  r.pitch = pitch;
  r.slice = pitch * height;
  return r;
}
FillRegion fill3d(const hipPitchedPtr& p, int value, const hipExtent& e) {
  FillRegion r = fill(p.ptr, static_cast<unsigned>(value), 1, e.width);
  r.height = e.height;
  r.depth = e.depth;
  r.pitch = p.pitch;
  r.slice = p.pitch * p.ysize;
  return r;
}

hipError_t to_symbol(const void* symbol, const void* src, size_t size, size_t offset,
                     hipMemcpyKind kind, hipStream_t s, When when) {
  void* at = nullptr;
  CopyRegion r;
  if (kind != hipMemcpyHostToDevice && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
    return hipErrorInvalidMemcpyDirection;
  HIP_TRY(symbol_region(symbol, size, offset, &at));
  HIP_TRY(linear(at, src, size, kind, &r));
  return run_copy(s, r, when);
}
hipError_t from_symbol(void* dst, const void* symbol, size_t size, size_t offset,
                       hipMemcpyKind kind, hipStream_t s, When when) {
  void* at = nullptr;
  CopyRegion r;
  if (kind != hipMemcpyDeviceToHost && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
    return hipErrorInvalidMemcpyDirection;
  HIP_TRY(symbol_region(symbol, size, offset, &at));
  HIP_TRY(linear(dst, at, size, kind, &r));
  return run_copy(s, r, when);
}

} // namespace

extern "C" {
hipError_t hipMemcpy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, kind, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpy_spt(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, kind, &r));
    return run_copy(hipStreamPerThread, r, When::now);
  });
}
hipError_t hipMemcpyAsync(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, kind, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpyAsync_spt(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                              hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, kind, &r));
    return run_copy(stream ? stream : hipStreamPerThread, r, When::later);
  });
}
hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(rectangle(dst, dpitch, src, spitch, width, height, kind, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpy2D_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                           size_t height, hipMemcpyKind kind) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(rectangle(dst, dpitch, src, spitch, width, height, kind, &r));
    return run_copy(hipStreamPerThread, r, When::now);
  });
}
hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(rectangle(dst, dpitch, src, spitch, width, height, kind, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpy2DAsync_spt(void* dst, size_t dpitch, const void* src, size_t spitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(rectangle(dst, dpitch, src, spitch, width, height, kind, &r));
    return run_copy(stream ? stream : hipStreamPerThread, r, When::later);
  });
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* p) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(box(p, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms* p) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(box(p, &r));
    return run_copy(hipStreamPerThread, r, When::now);
  });
}
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(box(p, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms* p, hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(box(p, &r));
    return run_copy(stream ? stream : hipStreamPerThread, r, When::later);
  });
}
hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                               hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, kind, &r));
    return run_copy(stream, r, When::now);
  });
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void* src, size_t bytes) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyHostToDevice, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void* src, size_t bytes, hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyHostToDevice, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t bytes) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyDeviceToHost, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyDeviceToHost, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyDeviceToDevice, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes,
                              hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyDeviceToDevice, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t bytes) {
  return api([&] {
    Runtime& rt = Runtime::get();
    if (!rt.valid(dst_device) || !rt.valid(src_device))
      return hipErrorInvalidDevice;
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyDeviceToDevice, &r));
    HIP_TRY(rt.devices[static_cast<size_t>(src_device)]->null_stream().synchronize());
    HIP_TRY(rt.devices[static_cast<size_t>(dst_device)]->null_stream().synchronize());
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device,
                              size_t bytes, hipStream_t stream) {
  return api([&] {
    Runtime& rt = Runtime::get();
    if (!rt.valid(dst_device) || !rt.valid(src_device))
      return hipErrorInvalidDevice;
    CopyRegion r;
    HIP_TRY(linear(dst, src, bytes, hipMemcpyDeviceToDevice, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* p) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(driver_rectangle(p, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* p, hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(driver_rectangle(p, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* p) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(driver_rectangle(p, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* p) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(driver_box(p, &r));
    return run_copy(nullptr, r, When::now);
  });
}
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* p, hipStream_t stream) {
  return api([&] {
    CopyRegion r;
    HIP_TRY(driver_box(p, &r));
    return run_copy(stream, r, When::later);
  });
}
hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t size, size_t offset,
                             hipMemcpyKind kind) {
  return api([&] { return to_symbol(symbol, src, size, offset, kind, nullptr, When::now); });
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t size, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream) {
  return api([&] { return to_symbol(symbol, src, size, offset, kind, stream, When::later); });
}
hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t size, size_t offset,
                               hipMemcpyKind kind) {
  return api([&] { return from_symbol(dst, symbol, size, offset, kind, nullptr, When::now); });
}
hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t size, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream) {
  return api([&] { return from_symbol(dst, symbol, size, offset, kind, stream, When::later); });
}
hipError_t hipMemset(void* dst, int value, size_t bytes) {
  return api([&] {
    return run_fill(nullptr, fill(dst, static_cast<unsigned>(value), 1, bytes), When::now);
  });
}
hipError_t hipMemsetAsync(void* dst, int value, size_t bytes, hipStream_t stream) {
  return api([&] {
    return run_fill(stream, fill(dst, static_cast<unsigned>(value), 1, bytes), When::later);
  });
}
hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return api(
      [&] { return run_fill(nullptr, fill2d(dst, pitch, value, width, height), When::now); });
}
hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream) {
  return api(
      [&] { return run_fill(stream, fill2d(dst, pitch, value, width, height), When::later); });
}
hipError_t hipMemset3D(hipPitchedPtr dst, int value, hipExtent extent) {
  return api([&] { return run_fill(nullptr, fill3d(dst, value, extent), When::now); });
}
hipError_t hipMemset3DAsync(hipPitchedPtr dst, int value, hipExtent extent, hipStream_t stream) {
  return api([&] { return run_fill(stream, fill3d(dst, value, extent), When::later); });
}
hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* src, size_t size, size_t offset,
                                 hipMemcpyKind kind) {
  return api(
      [&] { return to_symbol(symbol, src, size, offset, kind, hipStreamPerThread, When::now); });
}
hipError_t hipMemcpyToSymbolAsync_spt(const void* symbol, const void* src, size_t size,
                                      size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return api([&] {
    return to_symbol(symbol, src, size, offset, kind, stream ? stream : hipStreamPerThread,
                     When::later);
  });
}
hipError_t hipMemcpyFromSymbol_spt(void* dst, const void* symbol, size_t size, size_t offset,
                                   hipMemcpyKind kind) {
  return api(
      [&] { return from_symbol(dst, symbol, size, offset, kind, hipStreamPerThread, When::now); });
}
hipError_t hipMemcpyFromSymbolAsync_spt(void* dst, const void* symbol, size_t size, size_t offset,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return api([&] {
    return from_symbol(dst, symbol, size, offset, kind, stream ? stream : hipStreamPerThread,
                       When::later);
  });
}
hipError_t hipMemset_spt(void* dst, int value, size_t bytes) {
  return api([&] {
    return run_fill(hipStreamPerThread, fill(dst, static_cast<unsigned>(value), 1, bytes),
                    When::now);
  });
}
hipError_t hipMemsetAsync_spt(void* dst, int value, size_t bytes, hipStream_t stream) {
  return api([&] {
    return run_fill(stream ? stream : hipStreamPerThread,
                    fill(dst, static_cast<unsigned>(value), 1, bytes), When::later);
  });
}
hipError_t hipMemset2D_spt(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return api([&] {
    return run_fill(hipStreamPerThread, fill2d(dst, pitch, value, width, height), When::now);
  });
}
hipError_t hipMemset2DAsync_spt(void* dst, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream) {
  return api([&] {
    return run_fill(stream ? stream : hipStreamPerThread, fill2d(dst, pitch, value, width, height),
                    When::later);
  });
}
hipError_t hipMemset3D_spt(hipPitchedPtr dst, int value, hipExtent extent) {
  return api([&] { return run_fill(hipStreamPerThread, fill3d(dst, value, extent), When::now); });
}
hipError_t hipMemset3DAsync_spt(hipPitchedPtr dst, int value, hipExtent extent,
                                hipStream_t stream) {
  return api([&] {
    return run_fill(stream ? stream : hipStreamPerThread, fill3d(dst, value, extent), When::later);
  });
}
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return api([&] {
    return run_fill(nullptr, fill(dst, static_cast<unsigned>(value), 1, count * 1), When::now);
  });
}
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                            hipStream_t stream) {
  return api([&] {
    return run_fill(stream, fill(dst, static_cast<unsigned>(value), 1, count * 1), When::later);
  });
}
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return api([&] {
    return run_fill(nullptr, fill(dst, static_cast<unsigned>(value), 2, count * 2), When::now);
  });
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                             hipStream_t stream) {
  return api([&] {
    return run_fill(stream, fill(dst, static_cast<unsigned>(value), 2, count * 2), When::later);
  });
}
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return api([&] {
    return run_fill(nullptr, fill(dst, static_cast<unsigned>(value), 4, count * 4), When::now);
  });
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return api([&] {
    return run_fill(stream, fill(dst, static_cast<unsigned>(value), 4, count * 4), When::later);
  });
}
hipError_t hipGetSymbolAddress(void** ptr, const void* symbol) {
  return api([&] {
    DeviceVariable v;
    if (!ptr)
      return hipErrorInvalidValue;
    HIP_TRY(find_variable(symbol, current_device(), &v));
    *ptr = v.address;
    return hipSuccess;
  });
}
hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  return api([&] {
    DeviceVariable v;
    if (!size)
      return hipErrorInvalidValue;
    HIP_TRY(find_variable(symbol, current_device(), &v));
    *size = v.size;
    return hipSuccess;
  });
}
}
