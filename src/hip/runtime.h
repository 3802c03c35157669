// SPDX-License-Identifier: MIT
// Process-wide state: the HSA library, the devices, per-thread state, and the one border function
// of the C API.
#pragma once
#include "hip/device.h"
#include "hip/hsa_api.h"
#include <exception>
#include <hip/hip_runtime_api.h>
#include <memory>
#include <new>
#include <vector>

namespace pumice::hip {

class Runtime {
public:
  /// Initialises on first use. hipErrorNoDevice / hipErrorInitializationError (with a message) when
  /// impossible.
  static hipError_t ensure();
  static Runtime& get();

  std::vector<std::unique_ptr<Device>> devices;
  hsa_agent_t cpu_agent{0};
  hsa_amd_memory_pool_t host_fine{0}, host_coarse{0}, kernarg{0};

  bool valid(int ordinal) const {
    return ordinal >= 0 && static_cast<size_t>(ordinal) < devices.size();
  }

private:
  hipError_t init();
};

struct LaunchConfig {
  dim3 grid, block;
  size_t dynamic_lds;
  hipStream_t stream;
};

/// Per-thread state of the API.
struct Thread {
  int device = 0;
  hipError_t last_error = hipSuccess;
  std::vector<LaunchConfig> configurations; // __hipPushCallConfiguration
  std::vector<int> context_stack;           // hipCtxPushCurrent
  hipStreamCaptureMode capture_mode = hipStreamCaptureModeGlobal;
  std::vector<std::pair<int, Stream*>> per_thread_streams;
  ~Thread();
};
Thread& this_thread();

/// Diagnostics on stderr, as PUMICE_LOG allows: "pumice: hip: ...".
void log_warning(const std::string& message);
void log_hsa_error(const char* doing, hsa_status_t status);

/// The border of every exported function: initialises, runs `body`, turns exceptions into error
/// codes and records the thread's last error. NotReady is an answer, not an error.
enum class Init : uint8_t { yes, no };
template <class F> hipError_t api(F&& body, Init init = Init::yes) noexcept {
  hipError_t e = hipSuccess;
  try {
    if (init == Init::yes)
      e = Runtime::ensure();
    if (e == hipSuccess)
      e = body();
  } catch (const std::bad_alloc&) {
    e = hipErrorOutOfMemory;
  } catch (...) {
    e = hipErrorUnknown;
  }
  if (e != hipSuccess && e != hipErrorNotReady)
    this_thread().last_error = e;
  return e;
}

inline Device& current_device() {
  return *Runtime::get().devices[static_cast<size_t>(this_thread().device)];
}

/// A guest fault ended the device's work: every later operation says so.
#define HIP_CHECK_STICKY(device)                                                                   \
  do {                                                                                             \
    if (hipError_t sticky_e = (device).sticky_error(); sticky_e != hipSuccess)                     \
      return sticky_e;                                                                             \
  } while (0)
#define HIP_TRY(expression)                                                                        \
  do {                                                                                             \
    if (hipError_t try_e = (expression); try_e != hipSuccess)                                      \
      return try_e;                                                                                \
  } while (0)

hipError_t from_hsa(hsa_status_t status);
hipError_t from_status(const Status& status);

} // namespace pumice::hip
