// SPDX-License-Identifier: MIT
// What the files of libamd_smi share. Handles are addresses of our own records, checked before use.
// Functions that rsmi has too go through it: one meaning, two spellings.
#pragma once
#include "amd_smi/amdsmi.h"
#include "smi/capi/rsmi.h"

#define AMDSMI_EXPORT extern "C" __attribute__((visibility("default")))

namespace pumice::smi::amdsmi {

amdsmi_status_t status(rsmi_status_t s);
inline amdsmi_status_t status(Why w) {
  return status(rsmi::status(w));
}

/// Card index of a handle; nothing when it is none of ours or the library is not initialised.
struct Target {
  std::shared_ptr<Model> model;
  Card* card = nullptr;
  uint32_t index = 0;
  amdsmi_status_t error = AMDSMI_STATUS_SUCCESS;
};
Target target(amdsmi_processor_handle h);
amdsmi_processor_handle handle_of(uint32_t card);

/// f(card) for a handle; no exception leaves the library.
template <class F> amdsmi_status_t with_card(amdsmi_processor_handle h, F&& f) {
  try {
    Target t = target(h);
    if (t.error != AMDSMI_STATUS_SUCCESS)
      return t.error;
    return f(*t.card);
  } catch (...) {
    return AMDSMI_STATUS_INTERNAL_EXCEPTION;
  }
}
/// Calls an rsmi function with the handle's card.
template <class F, class... Args>
amdsmi_status_t via(F* f, amdsmi_processor_handle h, Args... args) {
  return with_card(h, [&](Card& k) { return status(f(static_cast<uint32_t>(k.index), args...)); });
}
template <class T, class R> amdsmi_status_t put(const Reading<R>& r, T* out) {
  return status(rsmi::put(r, out));
}

/// Fixed-size text members: always terminated.
template <size_t N> void copy_text(char (&out)[N], const std::string& s) {
  size_t n = s.size() < N ? s.size() : N - 1;
  for (size_t i = 0; i < N; ++i)
    out[i] = i < n ? s[i] : 0;
}

/// The card's identifier in the form that AMD SMI uses (from serial number and device id).
std::string uuid_text(const Card& k);
amdsmi_vram_type_t vram_type(const std::string& name);

} // namespace pumice::smi::amdsmi
