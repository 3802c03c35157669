// SPDX-License-Identifier: MIT
// What the files of librocm_smi64 share: the open model, and how a reading becomes a status.
// A null output pointer asks whether a function is supported: RSMI_STATUS_INVALID_ARGS means yes.
#pragma once
#include "rocm_smi/rocm_smi.h"
#include "smi/model.h"
#include <memory>
#include <string>

#define RSMI_EXPORT extern "C" __attribute__((visibility("default")))

namespace pumice::smi::rsmi {

/// The model between rsmi_init and the matching rsmi_shut_down; null outside.
std::shared_ptr<Model> current();

inline rsmi_status_t status(Why w) {
  switch (w) {
  case Why::ok:
    return RSMI_STATUS_SUCCESS;
  case Why::permission:
    return RSMI_STATUS_PERMISSION;
  case Why::no_data:
    return RSMI_STATUS_NO_DATA;
  case Why::broken:
    return RSMI_STATUS_UNEXPECTED_DATA;
  case Why::setting_off:
    return RSMI_STATUS_SETTING_UNAVAILABLE;
  case Why::not_found:
    return RSMI_STATUS_NOT_FOUND;
  default:
    return RSMI_STATUS_NOT_SUPPORTED;
  }
}

/// Stores a reading; null `out` is a question.
template <class T, class R> rsmi_status_t put(const Reading<R>& r, T* out) {
  if (!r.ok())
    return status(r.why());
  if (!out)
    return RSMI_STATUS_INVALID_ARGS;
  *out = static_cast<T>(*r);
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t put_text(const Reading<std::string>& r, char* out, size_t len);

/// Runs f(model); no exception leaves the library.
template <class F> rsmi_status_t with_model(F&& f) {
  try {
    auto m = current();
    if (!m)
      return RSMI_STATUS_INIT_ERROR;
    return f(*m);
  } catch (...) {
    return RSMI_STATUS_INTERNAL_EXCEPTION;
  }
}
template <class F> rsmi_status_t with_card(uint32_t index, F&& f) {
  return with_model([&](Model& m) {
    if (index >= m.cards().size())
      return RSMI_STATUS_INVALID_ARGS;
    return f(*m.cards()[index]);
  });
}

/// Clock of the C interface; nothing for values that do not exist.
std::optional<Clock> clock_of(rsmi_clk_type_t type);
uint64_t bdf_id(const Card& k);

} // namespace pumice::smi::rsmi
