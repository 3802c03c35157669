// SPDX-License-Identifier: MIT
// Streams and events.
#include "hip/device.h"
#include "hip/event.h"
#include "hip/graph.h"
#include "hip/ops.h"
#include "hip/runtime.h"
#include <algorithm>
#include <thread>

using namespace pumice::hip;

namespace {

hipError_t make_stream(hipStream_t* stream, unsigned flags, int priority) {
  if (!stream)
    return hipErrorInvalidValue;
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking)
    return hipErrorInvalidValue;
  return create_stream(current_device(), flags, std::clamp(priority, -1, 1), stream);
}

hipStream_t per_thread(hipStream_t s) {
  return s ? s : hipStreamPerThread;
}

template <class F> hipError_t with_stream(hipStream_t handle, F&& f) {
  return api([&] {
    Stream* s = resolve_stream(handle);
    return s ? f(*s) : hipErrorInvalidHandle;
  });
}

hipError_t record(hipEvent_t event, hipStream_t stream) {
  return with_stream(stream, [&](Stream& s) {
    Event* e = resolve_event(event);
    if (!e)
      return hipErrorInvalidHandle;
    if (e->device != s.device().ordinal())
      return hipErrorInvalidHandle;
    if (capturing(s)) {
      capture_event(s, *e);
      return hipSuccess;
    }
    return e->record(s);
  });
}

hipError_t wait_event(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return with_stream(stream, [&](Stream& s) {
    Event* e = resolve_event(event);
    if (!e)
      return hipErrorInvalidHandle;
    if (flags)
      return hipErrorInvalidValue;
    hipError_t joined = hipSuccess;
    if (join_capture(s, *e, &joined))
      return joined;
    if (capturing(s))
      return hipErrorStreamCaptureIsolation;
    return s.wait_for(e->completion());
  });
}

hipError_t query(hipStream_t stream) {
  return with_stream(stream, [&](Stream& s) {
    if (capturing(s))
      return hipErrorStreamCaptureUnsupported;
    HIP_CHECK_STICKY(s.device());
    return s.idle() ? hipSuccess : hipErrorNotReady;
  });
}

hipError_t synchronize(hipStream_t stream) {
  return with_stream(stream, [&](Stream& s) {
    if (capturing(s))
      return hipErrorStreamCaptureUnsupported;
    hipError_t e = s.synchronize();
    s.device().collect_freed(false);
    return e;
  });
}

hipError_t add_callback(hipStream_t stream, hipStreamCallback_t callback, void* data,
                        unsigned flags) {
  return with_stream(stream, [&](Stream& s) {
    if (!callback || flags)
      return hipErrorInvalidValue;
    if (capturing(s))
      return hipErrorStreamCaptureUnsupported;
    Device& d = s.device();
    return s.host_task([=, &d] { callback(stream, d.sticky_error(), data); });
  });
}

hipError_t launch_host(hipStream_t stream, hipHostFn_t fn, void* data) {
  return with_stream(stream, [&](Stream& s) {
    if (!fn)
      return hipErrorInvalidValue;
    return submit(s, HostOp(fn, data));
  });
}

// Waits and writes of memory words run on the stream's host thread; the memory must be reachable
// from the host.
template <class T>
hipError_t wait_value(hipStream_t stream, void* ptr, T value, unsigned flags, T mask) {
  return with_stream(stream, [&](Stream& s) {
    if (!ptr || flags > hipStreamWaitValueNor)
      return hipErrorInvalidValue;
    Device& d = s.device();
    return s.host_task([=, &d] {
      for (unsigned spins = 0; d.sticky_error() == hipSuccess; ++spins) {
        T seen = __atomic_load_n(static_cast<T*>(ptr), __ATOMIC_ACQUIRE) & mask;
        bool met = false;
        switch (flags) {
        case hipStreamWaitValueGte:
          met = static_cast<std::make_signed_t<T>>(seen - value) >= 0;
          break;
        case hipStreamWaitValueEq:
          met = seen == value;
          break;
        case hipStreamWaitValueAnd:
          met = (seen & value) != 0;
          break;
        case hipStreamWaitValueNor:
          met = static_cast<T>(~(seen | value)) != 0;
          break;
        }
        if (met)
          return;
        if (spins < 1000)
          std::this_thread::yield();
        else
          std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    });
  });
}
template <class T> hipError_t write_value(hipStream_t stream, void* ptr, T value) {
  return with_stream(stream, [&](Stream& s) {
    if (!ptr)
      return hipErrorInvalidValue;
    return s.host_task([=] { __atomic_store_n(static_cast<T*>(ptr), value, __ATOMIC_RELEASE); });
  });
}

} // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t* stream) {
  return api([&] { return make_stream(stream, hipStreamDefault, 0); });
}
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) {
  return api([&] { return make_stream(stream, flags, 0); });
}
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority) {
  return api([&] { return make_stream(stream, flags, priority); });
}
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t words, const uint32_t* mask) {
  return api([&] {
    if (words == 0 || !mask)
      return hipErrorInvalidValue;
    return make_stream(stream, hipStreamDefault, 0); // a mask is a hint about where to run
  });
}
hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t words, uint32_t* mask) {
  return with_stream(stream, [&](Stream& s) {
    uint32_t units = static_cast<uint32_t>(s.device().properties().multiProcessorCount);
    if (!mask || words < (units + 31) / 32)
      return hipErrorInvalidValue;
    for (uint32_t i = 0; i < words; ++i)
      mask[i] = i * 32 >= units ? 0 : units - i * 32 >= 32 ? ~0u : (1u << (units - i * 32)) - 1;
    return hipSuccess;
  });
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  return api([&] {
    if (!stream || stream == hipStreamLegacy || stream == hipStreamPerThread)
      return hipErrorInvalidResourceHandle;
    Stream* s = resolve_stream(stream);
    if (!s)
      return hipErrorInvalidResourceHandle;
    destroy_stream(s);
    return hipSuccess;
  });
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
  return synchronize(stream);
}
hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
  return synchronize(per_thread(stream));
}
hipError_t hipStreamQuery(hipStream_t stream) {
  return query(stream);
}
hipError_t hipStreamQuery_spt(hipStream_t stream) {
  return query(per_thread(stream));
}
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return wait_event(stream, event, flags);
}
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return wait_event(per_thread(stream), event, flags);
}
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
  return with_stream(stream, [&](Stream& s) {
    if (!flags)
      return hipErrorInvalidValue;
    *flags = s.flags();
    return hipSuccess;
  });
}
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int* flags) {
  return hipStreamGetFlags(per_thread(stream), flags);
}
hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  return with_stream(stream, [&](Stream& s) {
    if (!priority)
      return hipErrorInvalidValue;
    *priority = s.priority();
    return hipSuccess;
  });
}
hipError_t hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  return hipStreamGetPriority(per_thread(stream), priority);
}
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return with_stream(stream, [&](Stream& s) {
    if (!device)
      return hipErrorInvalidValue;
    *device = s.device().ordinal();
    return hipSuccess;
  });
}
int hipGetStreamDeviceId(hipStream_t stream) {
  if (Runtime::ensure() != hipSuccess)
    return -1;
  Stream* s = resolve_stream(stream);
  return s ? s->device().ordinal() : -1;
}
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                unsigned int flags) {
  return add_callback(stream, callback, data, flags);
}
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                    unsigned int flags) {
  return add_callback(per_thread(stream), callback, data, flags);
}
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* data) {
  return launch_host(stream, fn, data);
}
hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t fn, void* data) {
  return launch_host(per_thread(stream), fn, data);
}
hipError_t hipStreamWaitValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags,
                                uint32_t mask) {
  return wait_value<uint32_t>(stream, ptr, value, flags, mask);
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags,
                                uint64_t mask) {
  return wait_value<uint64_t>(stream, ptr, value, flags, mask);
}
hipError_t hipStreamWriteValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int) {
  return write_value<uint32_t>(stream, ptr, value);
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int) {
  return write_value<uint64_t>(stream, ptr, value);
}
hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams* list, unsigned int flags) {
  return api([&] {
    if (!list || count == 0 || count > 256 || flags)
      return hipErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i) {
      const hipStreamBatchMemOpParams& p = list[i];
      switch (p.operation) {
      case hipStreamMemOpWaitValue32:
        HIP_TRY(wait_value<uint32_t>(stream, p.waitValue.address, p.waitValue.value,
                                     p.waitValue.flags, ~0u));
        break;
      case hipStreamMemOpWaitValue64:
        HIP_TRY(wait_value<uint64_t>(stream, p.waitValue.address, p.waitValue.value64,
                                     p.waitValue.flags, ~0ull));
        break;
      case hipStreamMemOpWriteValue32:
        HIP_TRY(write_value<uint32_t>(stream, p.writeValue.address, p.writeValue.value));
        break;
      case hipStreamMemOpWriteValue64:
        HIP_TRY(write_value<uint64_t>(stream, p.writeValue.address, p.writeValue.value64));
        break;
      default:
        return hipErrorInvalidValue;
      }
    }
    return hipSuccess;
  });
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return api([&] {
    constexpr unsigned kKnown = hipEventBlockingSync | hipEventDisableTiming |
                                hipEventInterprocess | hipEventDisableSystemFence |
                                hipEventReleaseToDevice | hipEventReleaseToSystem;
    if (!event || (flags & ~kKnown))
      return hipErrorInvalidValue;
    if ((flags & hipEventInterprocess) && !(flags & hipEventDisableTiming))
      return hipErrorInvalidValue;
    return create_event(flags, event);
  });
}
hipError_t hipEventCreate(hipEvent_t* event) {
  return api([&] { return event ? create_event(0, event) : hipErrorInvalidValue; });
}
hipError_t hipEventDestroy(hipEvent_t event) {
  return api([&] { return event ? destroy_event(event) : hipErrorInvalidHandle; });
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return record(event, stream);
}
hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
  return record(event, per_thread(stream));
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
  if (flags > 1)
    return hipErrorInvalidValue;
  return record(event, stream);
}
hipError_t hipEventQuery(hipEvent_t event) {
  return api([&] {
    Event* e = resolve_event(event);
    if (!e)
      return hipErrorInvalidHandle;
    if (!e->done())
      return hipErrorNotReady;
    return Runtime::get().devices[static_cast<size_t>(e->device)]->sticky_error();
  });
}
hipError_t hipEventSynchronize(hipEvent_t event) {
  return api([&] {
    Event* e = resolve_event(event);
    return e ? e->synchronize() : hipErrorInvalidHandle;
  });
}
hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  return api([&] {
    if (!ms)
      return hipErrorInvalidValue;
    Event *a = resolve_event(start), *b = resolve_event(stop);
    if (!a || !b)
      return hipErrorInvalidHandle;
    if ((a->flags | b->flags) & hipEventDisableTiming)
      return hipErrorInvalidHandle;
    if (!a->recorded() || !b->recorded() || a->device != b->device)
      return hipErrorInvalidHandle;
    if (!a->done() || !b->done())
      return hipErrorNotReady;
    *ms = static_cast<float>(
        static_cast<double>(static_cast<int64_t>(b->time_ns() - a->time_ns())) * 1e-6);
    return hipSuccess;
  });
}
}
